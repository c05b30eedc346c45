"""Prune: keep the edges through which most happens, and the topics that still have children.

Idle topics: those that hardly any document uses, or that bring nothing together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..model.graph import Graph, build_graph
from ..model.network import Network, build_network, weight_to_probability
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array
from .constraints import Constraints


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


# A topic is on in a document from this probability; an upper topic earns its place where it is on
# in so many of all documents, and switches so many children on with at least this probability.
ON = 0.5
LEAST_USED = 1e-3
STRONG_LINK = 0.1
LEAST_STRONG = 2


def strong_children(network: Network) -> npt.NDArray[np.int64]:
    """How many children each topic switches on with at least `STRONG_LINK`, shape (n_topics,)."""
    graph = network.graph
    strong = weight_to_probability(network.weight) >= STRONG_LINK
    return np.bincount(graph.parent_idx[strong], minlength=graph.n_topics).astype(np.int64)


def share_on(activations: sparse.csr_array) -> FloatArray:
    """Share of the documents in which every topic is on, shape (n_topics,).

    Parameters
    ----------
    activations : csr_array, shape (n_documents, n_topics)
        Probabilities, as `orrery.core.inference.infer.infer_activations` has them.
    """
    n_documents, n_topics = activations.shape
    is_on = activations.data >= ON
    return np.bincount(activations.indices[is_on], minlength=n_topics) / max(n_documents, 1)


def earns_its_place(network: Network, share: FloatArray) -> npt.NDArray[np.bool_]:
    """Which topics are not idle, shape (n_topics,).

    A topic above words stays where it is ever on: words are rare, and the links to them weak. One
    above topics has to be on in `LEAST_USED` of the documents, and needs two strong children.

    Parameters
    ----------
    network : Network
    share : float64 array, shape (n_topics,)
        Of the documents in which every topic is on.
    """
    graph = network.graph
    is_upper = graph.heights()[: graph.n_topics] > 1
    is_used = share >= np.where(is_upper, LEAST_USED, np.finfo(np.float64).tiny)
    return is_used & (strong_children(network) >= np.where(is_upper, LEAST_STRONG, 0))


def without_idle(
    network: Network, activations: sparse.csr_array, constraints: Constraints | None = None
) -> Network:
    """The network without its idle topics; what they did for their children is left to chance.

    Parameters
    ----------
    network : Network
    activations : csr_array, shape (n_documents, n_topics)
        Of documents to judge by.
    constraints : Constraints, optional
        Topics that stay.

    Returns
    -------
    Network
        The same object where no topic is idle, or all are: after too short a training there is
        nothing to tell by, and a model without topics can be asked nothing.
    """
    share, usage = share_on(activations), np.asarray(activations.mean(axis=0)).ravel()
    names = network.graph.topic_ids
    by_name = dict(zip(names, zip(share, usage, strict=True), strict=True))
    # Without one topic, another may have lost the children that it was there for.
    while True:
        graph = network.graph
        stays = earns_its_place(network, np.array([by_name[name][0] for name in graph.topic_ids]))
        if constraints is not None:
            stays |= constraints.kept_topics(graph)
        if stays.all() or not stays.any():
            return network
        left = _left_to_chance(network, stays, [by_name[name][1] for name in graph.topic_ids])
        is_node_kept = np.concatenate([stays, np.ones(graph.n_tokens, bool)])
        is_kept = stays[graph.parent_idx] & is_node_kept[graph.edge_children()]
        lean, _ = restrict(left, is_kept, constraints)
        if not lean.graph.n_topics:
            return network
        network = lean


def _left_to_chance(network: Network, stays: npt.NDArray[np.bool_], usage: list[float]) -> Network:
    """Leaks that make up for what the topics that go did on average."""
    graph = network.graph
    goes = ~stays[graph.parent_idx]
    by_edge = np.asarray(usage)[graph.parent_idx[goes]] * weight_to_probability(
        network.weight[goes]
    )
    lost = np.bincount(
        graph.edge_children()[goes], -np.log1p(-np.minimum(by_edge, 0.999)), graph.n_nodes
    )
    return build_network(graph, network.weight, network.leak + lost)


def layer_members(graph: Graph, height: int) -> npt.NDArray[np.int64]:
    """Numbers of the topics of a layer, 1 for the one above the words."""
    return np.flatnonzero(graph.heights()[: graph.n_topics] == height)
