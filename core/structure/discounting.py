"""Discounting: what a few documents say of an edge is less than it seems."""

from __future__ import annotations

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.network import Network, build_network, probability_to_weight, weight_to_probability
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.pruning import edge_importance, restrict

# What chance takes over from one edge, at most: a weight stays finite.
MOST_BY_CHANCE = 0.999


def discounted(
    network: Network,
    usage: FloatArray,
    n_documents: int,
    discount: float,
    constraints: Constraints | None = None,
) -> Network:
    """Take some documents off what every edge into a word explains; chance explains them instead.

    Absolute discounting (Ney, Essen and Kneser 1994; MATH §7.7): of an edge that acts in ``a`` of
    the documents in which its topic is on, ``max(a - discount, 0)`` are left. Many edges explain a
    document or two of those that they were trained on and none of any other, and their words stay
    as frequent as they are. Edges that nothing is left of go.

    Parameters
    ----------
    network : Network
    usage : float64 array, shape (n_topics,)
        In how many of the documents every topic is on.
    n_documents : int
        Documents that the network was trained on.
    discount : float
        Documents, 0 or more.
    constraints : Constraints, optional
        Edges and topics that stay, and weights that never change.

    Returns
    -------
    Network
        The same object where there is nothing to take off, or no topic would be left.
    """
    if discount == 0.0:
        return network
    graph = network.graph
    acts = edge_importance(network, usage)
    is_free = np.arange(graph.n_edges) >= graph.first_token_edge
    if constraints is not None:
        is_free &= ~constraints.pinned_edges(graph)
    taken = np.where(is_free, np.minimum(acts, discount), 0.0)
    left = 1.0 - taken / np.maximum(acts, np.finfo(np.float64).tiny)
    weight = probability_to_weight(weight_to_probability(network.weight) * left)
    by_chance = probability_to_weight(np.minimum(taken / n_documents, MOST_BY_CHANCE))
    lost = np.bincount(graph.edge_children(), by_chance, graph.n_nodes)
    moved = build_network(graph, weight, network.leak + lost)
    lean, _ = restrict(moved, (acts > taken) | ~is_free, constraints)
    # After too short a training nothing is left of any edge, and a model without topics can be
    # asked nothing.
    return lean if lean.graph.n_topics else network
