"""Idle topics: those that hardly any document uses, or that bring nothing together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.graph import Graph
from orrery.core.network import Network, build_network, weight_to_probability
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.pruning import restrict

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
        Probabilities, as `orrery.core.inference.infer_activations` has them.
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
