"""Strongest path between two topics, along links in either direction, and its picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..model.network import Network, weight_to_probability
from ..model.subtrees import displayed_topics
from ..model.topic_model import Run
from ..utils.lazy import LazyModule
from . import strings as drawing_strings
from .links import Link, hover_lines, shown_children, shown_parents
from .neighbourhood import graph_edge, graph_node, longest_paths
from .picture import LegendItem, Picture, compose, edge_legend, in_terms
from .strings import percent

if TYPE_CHECKING:
    import scipy.sparse.csgraph as csgraph

    Lengths = sparse.csr_array[np.float64, tuple[int, int]]
else:
    csgraph = LazyModule("scipy.sparse.csgraph")


# Smallest product of probabilities along a path that counts as a connection.
MIN_TOGETHER = 0.01
# The same as a length, with room for rounding.
LONGEST = -math.log(MIN_TOGETHER) + 1e-6
# Words shared by the two ends of a path that its picture has room for.
MAX_SHARED = 8
# Models whose link lengths are cached; tens of megabytes for each of the largest.
MAX_KEPT = 2
Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TopicPath:
    """Nodes from one end to the other, and the links between successive nodes."""

    nodes: tuple[int, ...]
    links: tuple[Link, ...]


def strongest_path(run: Run, start: int, end: int) -> TopicPath | None:
    """Find the path with the greatest product of link probabilities; None if there is no path.

    A link of probability p has length ``-log p``; Dijkstra's algorithm finds the shortest path. It
    may lead up and down, through topics and words, but not through hidden topics.
    """
    hidden, shown_as = run.as_shown
    lengths = _open_lengths(run.network, hidden - {start, end}, shown_as)
    # Bounding the length saves time: most nodes of a large model are farther away.
    nodes = _shortest(lengths, start, end, LONGEST) or _shortest(lengths, start, end, math.inf)
    links = tuple(_link(run, *pair) for pair in pairwise(nodes))
    return TopicPath(tuple(nodes), links) if nodes else None


def shared_words(run: Run, path: TopicPath) -> list[tuple[Link, Link]]:
    """Links of both ends to the words that both have, if the path leads over such a word.

    The word of the path comes first, then those with the greatest products of probabilities.
    """
    n_topics = run.network.graph.n_topics
    if len(path.nodes) != 3 or path.nodes[1] < n_topics:
        return []
    ends = [
        {link.child: link for link in shown_children(run, path.nodes[place])} for place in (0, -1)
    ]
    both = [(ends[0][node], ends[1][node]) for node in ends[0].keys() & ends[1].keys()]
    both = [pair for pair in both if pair[0].child >= n_topics]
    return sorted(
        both, key=lambda pair: (-pair[0].probability * pair[1].probability, pair[0].child)
    )


def is_real(run: Run, path: TopicPath) -> bool:
    """Whether a path is a meaningful connection: probable enough, and not through a frequent word.

    A link to a word carries no information if the word's prior exceeds the link's probability.
    """
    if math.prod(link.probability for link in path.links) < MIN_TOGETHER:
        return False
    n_topics = run.network.graph.n_topics
    by_itself = run.prior
    return all(
        link.child < n_topics or link.probability > by_itself[link.child] for link in path.links
    )


def _shortest(lengths: Lengths, start: int, end: int, limit: float) -> list[int]:
    """Nodes of the shortest path of at most this length; empty if no such path exists."""
    found = csgraph.dijkstra(
        lengths,
        indices=start,
        return_predecessors=True,  # type: ignore
        limit=limit,
    )
    before = found[1]
    nodes = [end]
    while nodes[0] != start:
        if before[nodes[0]] < 0:
            return []
        nodes.insert(0, int(before[nodes[0]]))
    return nodes


@lru_cache(MAX_KEPT)
def _open_lengths(
    network: Network, closed: frozenset[int], shown_as: tuple[tuple[int, int], ...]
) -> Lengths:
    """Length of every link between displayed nodes, in both directions, without closed topics."""
    graph, shut = network.graph, np.array(sorted(closed), np.int64)
    shown = displayed_topics(dict(shown_as), graph.n_nodes)
    parent, child = shown[graph.parent_idx], shown[graph.edge_children()]
    probability = weight_to_probability(network.weight)
    is_open = (probability > 0) & ~np.isin(parent, shut) & ~np.isin(child, shut)
    is_open &= parent != child
    parent, child, length = parent[is_open], child[is_open], -np.log(probability[is_open])
    ends, length = (np.append(parent, child), np.append(child, parent)), np.append(length, length)
    # Only topics shown as part of others have several links to the same node.
    if shown_as:
        return _shortest_links(*ends, length, graph.n_nodes)
    return sparse.csr_array((length, ends), shape=(graph.n_nodes, graph.n_nodes))


def _shortest_links(
    parent: Nodes, child: Nodes, length: npt.NDArray[np.float64], n_nodes: int
) -> Lengths:
    """Matrix of link lengths; the shortest is kept of several links between the same nodes."""
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


def path_picture(run: Run, path: TopicPath) -> Picture:
    """Draw a path in layers; other links between its nodes are pale.

    If two topics share words, the strongest of them are drawn, not only the one on the path.
    """
    if pairs := shared_words(run, path)[:MAX_SHARED]:
        words = tuple(one.child for one, _ in pairs)
        both = tuple(link for pair in pairs for link in pair)
        path = TopicPath((path.nodes[0], *words, path.nodes[-1]), both)
    # The figures of more arrows would cover each other.
    has_figures = len(pairs) <= 2
    heights = run.network.graph.heights().tolist()
    n_topics = run.network.graph.n_topics
    beside = [
        link
        for node in path.nodes
        for link in shown_parents(run, node)
        if link.parent in path.nodes and link not in path.links
    ]
    links = [*path.links, *beside]
    below: dict[int, list[int]] = {node: [] for node in path.nodes}
    for link in links:
        below[link.parent].append(link.child)
    layers = longest_paths(below, {n: int(n < n_topics) for n in path.nodes}, heights)
    hover = hover_lines(run, [(link.probability, link) for link in links])
    kinds = {n: "topic" if n < n_topics else "word" for n in path.nodes}
    kinds |= {n: "focus" for n in (path.nodes[0], path.nodes[-1]) if n < n_topics}
    nodes = [graph_node(run, n, kinds[n], layers[n], hover.get(n, ())) for n in path.nodes]
    edges = [
        graph_edge(run, link, strong=True, figures=percent(link.probability) * has_figures)
        if link in path.links
        else graph_edge(run, link, strong=False)
        for link in links
    ]
    picture = compose(nodes, edges)
    n_words = sum(node >= n_topics for node in path.nodes)
    legend = [LegendItem("focus", drawing_strings.LEGEND_ENDS)]
    if len(nodes) - n_words > 2:
        legend.append(LegendItem("topic", drawing_strings.LEGEND_TOPIC))
    if n_words:
        legend.append(LegendItem("word", drawing_strings.LEGEND_WORD))
    n_shown = len(picture.nodes) - n_words
    picture = replace(
        picture,
        legend=(*legend, *edge_legend(picture.edges, drawing_strings.LEGEND_ASIDE)),
        description=drawing_strings.graph_described(n_shown, n_words, len(picture.edges)),
    )
    return in_terms(picture, run.terms)
