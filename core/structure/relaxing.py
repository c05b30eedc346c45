"""Relaxing: a penalty that kept topics apart while they were found need not hold weights down."""

from __future__ import annotations

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.network import Network, build_network, probability_to_weight, weight_to_probability
from orrery.core.structure.constraints import Constraints

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
