"""The strongest way between two topics, over links in either direction (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from orrery.app.graph.links import Link, hover_lines, node_key, node_name, shown_parents, whole
from orrery.app.graph.neighbourhood import longest_paths
from orrery.app.graph.picture import Edge, LegendItem, Node, Picture, compose, edge_legend
from orrery.app.words import graph as words
from orrery.core.network import weight_to_probability

if TYPE_CHECKING:
    from orrery.core.run import Run

Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Way:
    """Nodes from one end to the other, and the link between each and the next."""

    nodes: tuple[int, ...]
    links: tuple[Link, ...]


def strongest_way(run: Run, start: int, end: int) -> Way | None:
    """Find the way whose links are least likely to fail together; None where there is none.

    A link that acts with probability p is ``-log p`` long, so the shortest way is the one with
    the greatest product of probabilities (Dijkstra). It may lead up and down, over topics and
    words; hidden topics are no way.
    """
    graph = run.network.graph
    parts = np.array([whole(run, node) for node in range(graph.n_nodes)])
    parent, child = parts[graph.parent_idx], parts[graph.edge_children()]
    probability = weight_to_probability(run.network.weight)
    closed = np.array(sorted(run.hidden_topics - {start, end}), np.int64)
    is_open = (probability > 0) & ~np.isin(parent, closed) & ~np.isin(child, closed)
    is_open &= parent != child
    lengths = _lengths(parent[is_open], child[is_open], probability[is_open], graph.n_nodes)
    before = csgraph.dijkstra(lengths, False, start, return_predecessors=True)[1]
    nodes = [end]
    while nodes[0] != start:
        if before[nodes[0]] < 0:
            return None
        nodes.insert(0, int(before[nodes[0]]))
    pairs = pairwise(nodes)
    return Way(tuple(nodes), tuple(_link(run, *pair) for pair in pairs))


def _lengths(
    parent: Nodes, child: Nodes, probability: npt.NDArray[np.float64], n_nodes: int
) -> sparse.csr_array:
    """Length of every link; of several between the same two the shortest."""
    length = -np.log(probability)
    order = np.lexsort((length, child, parent))
    ends = np.stack([parent[order], child[order]])
    is_first = np.ones(len(order), bool)
    is_first[1:] = (ends[:, 1:] != ends[:, :-1]).any(axis=0)
    kept = order[is_first]
    shape = (n_nodes, n_nodes)
    return sparse.csr_array((length[kept], (parent[kept], child[kept])), shape=shape)


def _link(run: Run, node: int, other: int) -> Link:
    """The strongest link between two nodes, whichever is above."""
    ends = {node, other}
    links = shown_parents(run, node) + shown_parents(run, other)
    found = [link for link in links if {link.parent, link.child} == ends]
    return max(found, key=lambda link: link.probability)


def way_picture(run: Run, way: Way) -> Picture:
    """Draw a way in layers; links aside from it between its nodes are pale."""
    heights = run.network.graph.heights().tolist()
    n_topics = run.network.graph.n_topics
    beside = [
        link
        for node in way.nodes
        for link in shown_parents(run, node)
        if link.parent in way.nodes and link not in way.links
    ]
    links = [*way.links, *beside]
    below: dict[int, list[int]] = {node: [] for node in way.nodes}
    for link in links:
        below[link.parent].append(link.child)
    layers = longest_paths(below, {n: int(n < n_topics) for n in way.nodes}, heights)
    hover = hover_lines(run, [(link.probability, link) for link in links])
    nodes = [_node(run, way, node, layers[node], hover.get(node, ())) for node in way.nodes]
    edges = [
        Edge(
            node_key(run, link.parent),
            node_key(run, link.child),
            link.probability,
            strong=link in way.links,
        )
        for link in links
    ]
    return _described(compose(nodes, edges), sum(node >= n_topics for node in way.nodes))


def _node(run: Run, way: Way, node: int, layer: int, lines: tuple[str, ...]) -> Node:
    key, name = node_key(run, node), node_name(run, node)
    if node >= run.network.graph.n_topics:
        return Node(key, "word", name, layer, hover=(name, *lines))
    code = run.network.graph.topic_ids[node]
    kind = "focus" if node in (way.nodes[0], way.nodes[-1]) else "topic"
    hover = words.topic_hover(name, code, None) + lines
    return Node(key, kind, name, layer, code=code, hover=hover)


def _described(picture: Picture, n_words: int) -> Picture:
    n_topics = len(picture.nodes) - n_words
    return replace(
        picture,
        legend=(
            *_legend(n_topics, n_words),
            *edge_legend(picture.edges, words.LEGEND_ASIDE),
        ),
        description=words.described(n_topics, n_words, len(picture.edges)),
    )


def _legend(n_topics: int, n_words: int) -> tuple[LegendItem, ...]:
    items = [LegendItem("focus", words.LEGEND_ENDS)]
    items += [LegendItem("topic", words.LEGEND_TOPIC)] if n_topics > 2 else []
    items += [LegendItem("word", words.LEGEND_WORD)] if n_words else []
    return tuple(items)
