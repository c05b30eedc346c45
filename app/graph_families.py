"""The overview: every most general topic with those that hang from it (no streamlit).

A graph of all topics at once has more links than a screen can keep apart. So each topic hangs from
its strongest parent here, which makes a forest, and the page says so; a click shows all links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.graph_links import Link, parent_links
from core.labels import marginals
from core.network import Network


@dataclass(frozen=True)
class Family:
    """A topic without a parent, and the links to those whose strongest parent it is."""

    root: int
    links: tuple[Link, ...]


def families_of(
    network: Network,
    threshold: float,
    hidden: frozenset[int] = frozenset(),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> list[Family]:
    """Families of the most general topics, those in most documents first.

    A link below ``threshold`` is none, nor is one of a topic that is ``hidden``; a topic that is
    shown as another is not there, and that one holds what hangs from it. Topics that stand alone
    come last.
    """
    prior = marginals(network)
    strongest: dict[int, Link | None] = {}
    for topic in range(network.graph.n_topics):
        if topic in hidden or topic in shown_as:
            continue
        links = parent_links(network, topic, threshold)
        above = [link for link in links if shown_as.get(link.parent, link.parent) not in hidden]
        strongest[topic] = above[0] if above else None
    below: dict[int, list[Link]] = {topic: [] for topic, link in strongest.items() if link is None}
    for link in filter(None, strongest.values()):
        parent = shown_as.get(link.parent, link.parent)
        if parent in below:
            below[parent].append(link)
    families = [
        Family(root, tuple(sorted(links, key=lambda link: -prior[link.child])))
        for root, links in below.items()
    ]
    return sorted(families, key=lambda family: (not family.links, -prior[family.root]))
