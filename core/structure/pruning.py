"""Prune: keep the edges through which most happens, and the topics that still have children."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from orrery.core.arrays import FloatArray, Int32Array
from orrery.core.errors import InputError
from orrery.core.graph import Graph, build_graph
from orrery.core.network import Network, build_network, weight_to_probability
from orrery.core.structure.constraints import Constraints


def edge_importance(network: Network, usage: FloatArray) -> FloatArray:
    """How often each edge acts: the probability that it does times its parent's ``usage``."""
    acts: FloatArray = weight_to_probability(network.weight) * usage[network.graph.parent_idx]
    return acts


def check_budget(graph: Graph, n_edges: int, constraints: Constraints | None = None) -> None:
    """Refuse so few edges that words which have a parent would lose all (InputError)."""
    n_words = int((np.diff(graph.parent_ptr)[graph.n_topics :] > 0).sum())
    if constraints is not None:
        pinned = constraints.pinned_edges(graph)
        held = np.unique(graph.edge_children()[pinned])
        least = int(pinned.sum()) + n_words - int((held >= graph.n_topics).sum())
        if n_edges < least:
            raise InputError(
                f"{n_edges} edges cannot reach all {n_words} words of the graph and keep what the "
                f"guidance asks for; allow {least} or more"
            )
    if n_edges < n_words:
        raise InputError(
            f"{n_edges} edges cannot reach all {n_words} words of the graph; allow more"
        )


def prune(
    network: Network, usage: FloatArray, n_edges: int, constraints: Constraints | None = None
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Keep the most important edges, with their weights; topics left without children go.

    Every token that has a parent keeps its most important one, so no word drops out of the graph.

    Parameters
    ----------
    network : Network
    usage : float64 array, shape (n_topics,)
        How often every topic is on, in any unit.
    n_edges : int
        Most edges to keep.
    constraints : Constraints, optional
        Edges and topics that stay.

    Returns
    -------
    pruned : Network
    topics : int64 array
        Number in ``network`` of every topic of ``pruned``.

    Raises
    ------
    InputError
        If the budget is below what keeps every token in the graph.
    """
    graph = network.graph
    if graph.n_edges <= n_edges:
        return network, np.arange(graph.n_topics)
    check_budget(graph, n_edges, constraints)
    importance = edge_importance(network, usage)
    child = graph.edge_children()
    is_pinned = constraints.pinned_edges(graph) if constraints else np.zeros(graph.n_edges, bool)
    # What is pinned comes first, also among the edges into a word.
    order = np.lexsort((np.arange(graph.n_edges), -importance, ~is_pinned))
    into_words = order[child[order] >= graph.n_topics]
    is_kept = np.zeros(graph.n_edges, bool)
    is_kept[into_words[np.unique(child[into_words], return_index=True)[1]]] = True
    is_kept[order[~is_kept[order]][: n_edges - int(is_kept.sum())]] = True
    return restrict(network, is_kept, constraints)


def prune_topics(
    network: Network, usage: FloatArray, n_topics: int, constraints: Constraints | None = None
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Keep the topics whose edges act most, with all edges between them and into words.

    A topic that is the only parent of a word stays, and so do those of the constraints, so more
    than ``n_topics`` may. Arguments and results are as in `prune`.
    """
    graph = network.graph
    if graph.n_topics <= n_topics:
        return network, np.arange(graph.n_topics)
    importance = edge_importance(network, usage)
    total = np.bincount(graph.parent_idx, importance, graph.n_topics)
    is_kept = np.ones(graph.n_nodes, bool)
    is_held = constraints.kept_topics(graph) if constraints else np.zeros(graph.n_topics, bool)
    order = np.argsort(total, kind="stable")
    for topic in order[~is_held[order]][: graph.n_topics - n_topics]:
        is_kept[topic] = False
        if _orphans_a_word(graph, is_kept, int(topic)):
            is_kept[topic] = True
    return restrict(
        network, is_kept[graph.parent_idx] & is_kept[graph.edge_children()], constraints
    )


def _orphans_a_word(graph: Graph, is_kept: npt.NDArray[np.bool_], topic: int) -> bool:
    """Whether some word below a topic has no parent left among those kept."""
    children = graph.children(topic)
    words = children[children >= graph.n_topics]
    ptr, parents = graph.parent_ptr, graph.parent_idx
    return any(not is_kept[parents[ptr[word] : ptr[word + 1]]].any() for word in words)


def restrict(
    network: Network, is_kept: npt.NDArray[np.bool_], constraints: Constraints | None = None
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Return the network with these edges only, and the topics of it that still have children.

    Topics of the constraints stay without any.
    """
    graph = network.graph
    child = graph.edge_children()
    stays = np.flatnonzero(constraints.kept_topics(graph)) if constraints else np.empty(0, np.int64)
    edges = _edges_to_words(graph, child, is_kept, stays)
    topics = np.union1d(graph.parent_idx[edges], stays).astype(np.int64)
    number = np.empty(graph.n_nodes, np.int64)
    number[topics] = np.arange(len(topics))
    number[graph.n_topics :] = len(topics) + np.arange(graph.n_tokens)
    pruned, edge_order = build_graph(
        graph.n_tokens,
        [graph.topic_ids[topic] for topic in topics],
        number[graph.parent_idx[edges]],
        number[child[edges]],
    )
    # A graph puts its topics in an order of its own.
    kept = graph.topic_numbers(pruned.topic_ids)
    leak = np.concatenate([network.leak[kept], network.leak[graph.n_topics :]])
    return build_network(pruned, network.weight[edges][edge_order], leak), kept


def _edges_to_words(
    graph: Graph,
    child: Int32Array,
    is_kept: npt.NDArray[np.bool_],
    stays: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Return the kept edges without those that lead to a topic from which no word is reached."""
    reaches = np.zeros(graph.n_nodes, bool)
    reaches[graph.n_topics :] = True
    reaches[stays] = True
    while True:
        edges = np.flatnonzero(is_kept & reaches[child])
        fresh = graph.parent_idx[edges][~reaches[graph.parent_idx[edges]]]
        if not len(fresh):
            return edges
        reaches[fresh] = True
