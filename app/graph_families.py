"""The overview: every most general topic with those that hang from it (no streamlit).

A graph of all topics at once has more links than a screen can keep apart. So each topic hangs from
its strongest parent here, which makes a forest, and the page says so; a click shows all links.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.graph_links import Link, parent_links
from core.labels import marginals
from core.network import Network


@dataclass(frozen=True)
class Family:
    """A topic without a parent, and the links to those whose strongest parent it is."""

    root: int
    links: tuple[Link, ...]


def families_of(
    network: Network, threshold: float, hidden: frozenset[int] = frozenset()
) -> list[Family]:
    """Families of the most general topics, those in most documents first.

    A link below ``threshold`` is none, nor is one of a topic that is ``hidden``; topics that
    stand alone come last.
    """
    prior = marginals(network)
    below: dict[int, list[Link]] = {}
    for topic in range(network.graph.n_topics):
        if topic in hidden:
            continue
        links = parent_links(network, topic, threshold)
        above = [link for link in links if link.parent not in hidden]
        if not above:
            below[topic] = []
        elif above[0].parent in below:
            below[above[0].parent].append(above[0])
    families = [
        Family(root, tuple(sorted(links, key=lambda link: -prior[link.child])))
        for root, links in below.items()
    ]
    return sorted(families, key=lambda family: (not family.links, -prior[family.root]))
