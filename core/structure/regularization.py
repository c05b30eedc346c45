"""Relaxing: a penalty that kept topics apart while they were found need not hold weights down.

Discounting: what a few documents say of an edge is less than it seems.
"""

from __future__ import annotations

import numpy as np

from ..model.network import Network, build_network, probability_to_weight, weight_to_probability
from ..utils.types import FloatArray
from .constraints import Constraints
from .pruning import edge_importance, restrict

# Documents without the child, for every edge, that the penalty is worth in the end.
LEAST_PENALTY = 5.0


def relaxed(
    network: Network,
    usage: FloatArray,
    penalty: float,
    constraints: Constraints | None = None,
) -> Network:
    """Weights into words as they would be under a weaker penalty, `LEAST_PENALTY`.

    At the maximum a penalty of λ nats a unit is worth λ documents more in which the parent is on
    and the child off: an edge that acts in ``a`` of ``n`` documents gets the probability
    ``a / (n + λ)`` (MATH §7.7). ``a`` stays, λ is exchanged. A strong penalty to choose by and a
    weak one to estimate by is the idea of the relaxed lasso (Meinshausen 2007).

    Parameters
    ----------
    network : Network
        Trained under the penalty.
    usage : float64 array, shape (n_topics,)
        In how many of the documents that it was trained on every topic is on.
    penalty : float
        Nats that a unit of weight cost, 0 or more.
    constraints : Constraints, optional
        Weights that never change.

    Returns
    -------
    Network
        The same object where the penalty is no stronger than that of the end.
    """
    if penalty <= LEAST_PENALTY:
        return network
    graph = network.graph
    into_words = slice(graph.first_token_edge, graph.n_edges)
    n = usage[graph.parent_idx[into_words]]
    now = weight_to_probability(network.weight[into_words])
    # An edge acts in no more documents than its topic is on in, wherever training has stopped.
    most = np.maximum(now, n / (n + LEAST_PENALTY))
    weight = network.weight.copy()
    weight[into_words] = probability_to_weight(
        np.minimum(now * (n + penalty) / (n + LEAST_PENALTY), most)
    )
    moved = build_network(graph, weight, network.leak)
    return moved if constraints is None else constraints.hold(moved, network)


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
