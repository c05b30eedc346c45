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


def families_of(network: Network, threshold: float) -> list[Family]:
    """Families of the most general topics, those in most documents first.

    A link below ``threshold`` is none; topics that stand alone come last.
    """
    prior = marginals(network)
    below: dict[int, list[Link]] = {}
    for topic in range(network.graph.n_topics):
        above = parent_links(network, topic, threshold)
        if not above:
            below[topic] = []
        elif above[0].parent in below:
            below[above[0].parent].append(above[0])
    families = [
        Family(root, tuple(sorted(links, key=lambda link: -prior[link.child])))
        for root, links in below.items()
    ]
    return sorted(families, key=lambda family: (not family.links, -prior[family.root]))
