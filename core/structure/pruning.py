"""Remove the least important edges, topics without children, and unused topics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..model.graph import Graph
from ..model.network import Network, build_network, network_of_edges, weight_to_probability
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .constraints import UNCONSTRAINED, Constraints


def edge_importance(network: Network, usage: FloatArray) -> FloatArray:
    """Importance of each edge: its activation probability times the ``usage`` of its parent."""
    acts: FloatArray = weight_to_probability(network.weight) * usage[network.graph.parent_idx]
    return acts


def check_budget(graph: Graph, n_edges: int, constraints: Constraints = UNCONSTRAINED) -> None:
    """Raise `InputError` if the budget is too small for every word with parents to keep one."""
    n_words = int((np.diff(graph.parent_ptr)[graph.n_topics :] > 0).sum())
    pinned = constraints.pinned_edges(graph)
    held = np.unique(graph.edge_children()[pinned])
    required = int(pinned.sum()) + n_words - int((held >= graph.n_topics).sum())
    if n_edges < required and constraints != UNCONSTRAINED:
        raise InputError(
            f"{n_edges} edges cannot reach all {n_words} words of the graph and keep what the "
            f"guidance asks for; allow {required} or more"
        )
    if n_edges < n_words:
        raise InputError(
            f"{n_edges} edges cannot reach all {n_words} words of the graph; allow more"
        )


def prune(
    network: Network, usage: FloatArray, n_edges: int, constraints: Constraints = UNCONSTRAINED
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Keep the most important edges with their weights; remove topics without children.

    Every token that has a parent keeps its most important one, so no word leaves the graph. Raises
    InputError if the budget is too small to keep every token in the graph.

    Parameters
    ----------
    usage : float64 array, shape (n_topics,)
        How often every topic is on, in any unit.
    n_edges : int
        Maximal number of edges to keep.
    constraints : Constraints, optional
        Edges and topics that stay.

    Returns
    -------
    pruned : Network
    topics : int64 array
        Number in ``network`` of every topic of ``pruned``.
    """
    graph = network.graph
    if graph.n_edges <= n_edges:
        return network, np.arange(graph.n_topics)
    check_budget(graph, n_edges, constraints)
    importance = edge_importance(network, usage)
    child = graph.edge_children()
    is_pinned = constraints.pinned_edges(graph)
    # Pinned edges come first, also among the edges into a word.
    order = np.lexsort((np.arange(graph.n_edges), -importance, ~is_pinned))
    into_words = order[child[order] >= graph.n_topics]
    is_kept = np.zeros(graph.n_edges, bool)
    is_kept[into_words[np.unique(child[into_words], return_index=True)[1]]] = True
    is_kept[order[~is_kept[order]][: n_edges - int(is_kept.sum())]] = True
    return restrict(network, is_kept, constraints)


def prune_topics(
    network: Network, usage: FloatArray, n_topics: int, constraints: Constraints = UNCONSTRAINED
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Keep the topics with the most important edges, and all edges between them and into words.

    Topics that are the only parent of a word or kept by the constraints stay, so the result may
    have more than ``n_topics``. Arguments and results are as in `prune`.
    """
    graph = network.graph
    if graph.n_topics <= n_topics:
        return network, np.arange(graph.n_topics)
    importance = edge_importance(network, usage)
    total = np.bincount(graph.parent_idx, importance, graph.n_topics)
    is_kept = np.ones(graph.n_nodes, bool)
    is_held = constraints.kept_topics(graph)
    order = np.argsort(total, kind="stable")
    for topic in order[~is_held[order]][: graph.n_topics - n_topics]:
        is_kept[topic] = False
        children = graph.children(int(topic))
        words = children[children >= graph.n_topics]
        if any(not is_kept[graph.parents(int(word))].any() for word in words):
            is_kept[topic] = True
    return restrict(
        network, is_kept[graph.parent_idx] & is_kept[graph.edge_children()], constraints
    )


def restrict(
    network: Network, is_kept: npt.NDArray[np.bool_], constraints: Constraints = UNCONSTRAINED
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Network with these edges only, without topics from which no word can be reached.

    Topics kept by the constraints stay. Also returns the number in ``network`` of every topic.
    """
    graph = network.graph
    child = graph.edge_children()
    stays = np.flatnonzero(constraints.kept_topics(graph))
    reaches = np.zeros(graph.n_nodes, bool)
    reaches[graph.n_topics :] = True
    reaches[stays] = True
    while True:
        edges = np.flatnonzero(is_kept & reaches[child])
        fresh = graph.parent_idx[edges][~reaches[graph.parent_idx[edges]]]
        if not len(fresh):
            break
        reaches[fresh] = True
    topics = np.union1d(graph.parent_idx[edges], stays).astype(np.int64)
    number = np.empty(graph.n_nodes, np.int64)
    number[topics] = np.arange(len(topics))
    number[graph.n_topics :] = len(topics) + np.arange(graph.n_tokens)
    pruned = network_of_edges(
        [graph.topic_ids[topic] for topic in topics],
        number[graph.parent_idx[edges]],
        number[child[edges]],
        network.weight[edges],
        np.concatenate([network.leak[topics], network.leak[graph.n_topics :]]),
    )
    return pruned, graph.topic_numbers(pruned.graph.topic_ids)


# Probability from which a topic is on in a document. An upper topic is used if it is on in this
# share of the documents and activates this number of children with at least this probability.
ON = 0.5
MIN_USED_SHARE = 1e-3
STRONG_LINK = 0.1
MIN_STRONG = 2


def strong_children(network: Network) -> npt.NDArray[np.int64]:
    """Number of children with at least `STRONG_LINK` for each topic, shape (n_topics,)."""
    graph = network.graph
    strong = weight_to_probability(network.weight) >= STRONG_LINK
    return np.bincount(graph.parent_idx[strong], minlength=graph.n_topics).astype(np.int64)


def share_on(activations: sparse.csr_array) -> FloatArray:
    """Share of the documents in which every topic is on, shape (n_topics,).

    ``activations`` (csr_array, shape (n_documents, n_topics)) are probabilities from
    `orrery.core.inference.infer.infer_activations`.
    """
    n_documents, n_topics = activations.shape
    is_on = activations.data >= ON
    return np.bincount(activations.indices[is_on], minlength=n_topics) / max(n_documents, 1)


def used_topics(network: Network, share: FloatArray) -> npt.NDArray[np.bool_]:
    """Mask of the topics that are used, shape (n_topics,).

    A topic above words is used if it is ever on, because words are rare and their links weak. A
    topic above topics has to be on in `MIN_USED_SHARE` of the documents, with two strong children.
    ``share`` (float64 array, shape (n_topics,)) is the result of `share_on`.
    """
    graph = network.graph
    is_upper = graph.heights()[: graph.n_topics] > 1
    is_used = share >= np.where(is_upper, MIN_USED_SHARE, np.finfo(np.float64).tiny)
    return is_used & (strong_children(network) >= np.where(is_upper, MIN_STRONG, 0))


def without_unused_topics(
    network: Network, activations: sparse.csr_array, constraints: Constraints = UNCONSTRAINED
) -> Network:
    """Network without its unused topics; leaks replace their mean effect on their children.

    The result is the same object if all topics are used, or none: after too short a training the
    use of topics is not informative, and a model without topics cannot answer queries.
    ``activations`` (csr_array, shape (n_documents, n_topics)) are the topic probabilities in the
    documents that decide; topics kept by the constraints stay.
    """
    share, usage = share_on(activations), np.asarray(activations.mean(axis=0)).ravel()
    names = network.graph.topic_ids
    by_name = dict(zip(names, zip(share, usage, strict=True), strict=True))
    # The removal of a topic may leave another one without strong children.
    while True:
        graph = network.graph
        stays = used_topics(network, np.array([by_name[name][0] for name in graph.topic_ids]))
        stays |= constraints.kept_topics(graph)
        if stays.all() or not stays.any():
            return network
        usage_left = np.array([by_name[name][1] for name in graph.topic_ids])
        pruned = with_topics(network, stays, usage_left, constraints)
        if not pruned.graph.n_topics:
            return network
        network = pruned


def with_topics(
    network: Network,
    stays: npt.NDArray[np.bool_],
    usage: FloatArray,
    constraints: Constraints = UNCONSTRAINED,
) -> Network:
    """Network with these topics only; leaks replace the mean effect of the others.

    ``stays`` and ``usage`` (mean probability of a topic) have shape (n_topics,). Topics from which
    no word can be reached are removed too (`restrict`).
    """
    graph = network.graph
    is_removed = ~stays[graph.parent_idx]
    by_edge = usage[graph.parent_idx[is_removed]] * weight_to_probability(
        network.weight[is_removed]
    )
    lost = np.bincount(
        graph.edge_children()[is_removed], -np.log1p(-np.minimum(by_edge, 0.999)), graph.n_nodes
    )
    left = build_network(graph, network.weight, network.leak + lost)
    is_node_kept = np.concatenate([stays, np.ones(graph.n_tokens, bool)])
    is_kept = stays[graph.parent_idx] & is_node_kept[graph.edge_children()]
    return restrict(left, is_kept, constraints)[0]


def layer_members(graph: Graph, height: int) -> npt.NDArray[np.int64]:
    """Numbers of the topics of a layer; layer 1 is above the words."""
    return np.flatnonzero(graph.heights()[: graph.n_topics] == height)
