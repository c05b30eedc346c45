"""Relaxation of the weight penalty, and absolute discounting of edge counts.

A strong penalty keeps topics apart during training; afterwards it only shrinks the weights.
Discounting corrects edges that are estimated from few documents.
"""

from __future__ import annotations

import numpy as np

from ..model.network import Network, build_network, probability_to_weight, weight_to_probability
from ..utils.types import FloatArray
from .constraints import UNCONSTRAINED, Constraints
from .pruning import edge_importance, restrict

# Final penalty, in documents without the child that it adds to every edge.
FINAL_PENALTY = 5.0


def relaxed(
    network: Network, usage: FloatArray, penalty: float, constraints: Constraints = UNCONSTRAINED
) -> Network:
    """Network with the weights into words of the weaker penalty `FINAL_PENALTY`.

    At the maximum, a penalty of λ nats per unit equals λ additional documents in which the parent
    is on and the child off: an edge that acts in ``a`` of ``n`` documents has the probability
    ``a / (n + λ)`` (MATH §7.7). ``a`` is kept and λ replaced. Selecting under a strong penalty and
    estimating under a weak one is the idea of the relaxed lasso (Meinshausen 2007).

    The result is the same object if the penalty is at most `FINAL_PENALTY`.

    Parameters
    ----------
    network : Network
        Trained under the penalty.
    usage : float64 array, shape (n_topics,)
        Number of training documents in which every topic is on.
    penalty : float
        Nats per unit of weight, at least 0.
    constraints : Constraints, optional
        Weights that never change.
    """
    if penalty <= FINAL_PENALTY:
        return network
    graph = network.graph
    into_words = slice(graph.first_token_edge, graph.n_edges)
    n = usage[graph.parent_idx[into_words]]
    now = weight_to_probability(network.weight[into_words])
    # An edge acts in at most the documents in which its topic is on, whenever training stopped.
    upper = np.maximum(now, n / (n + FINAL_PENALTY))
    weight = network.weight.copy()
    weight[into_words] = probability_to_weight(
        np.minimum(now * (n + penalty) / (n + FINAL_PENALTY), upper)
    )
    moved = build_network(graph, weight, network.leak)
    return constraints.hold(moved, network)


# Maximal probability that one edge adds to a leak; keeps weights finite.
MAX_LEAK = 0.999


def discounted(
    network: Network,
    usage: FloatArray,
    n_documents: int,
    discount: float,
    constraints: Constraints = UNCONSTRAINED,
) -> Network:
    """Subtract ``discount`` documents from the count of every edge into a word, and add leaks.

    Absolute discounting (Ney, Essen and Kneser 1994; MATH §7.7): of the ``a`` documents in which an
    edge acts, ``max(a - discount, 0)`` are kept. Many edges explain one or two training documents
    and no others. Leaks replace the subtracted part, so words stay as frequent as before. Edges
    with count 0 are removed.

    ``usage`` (float64 array, shape (n_topics,)) is the number of documents in which every topic is
    on, ``n_documents`` the number of training documents, and ``discount`` is at least 0. Edges,
    topics and weights of the constraints stay. The result is the same object if the discount is 0
    or would remove all topics.
    """
    if discount == 0.0:
        return network
    graph = network.graph
    acts = edge_importance(network, usage)
    is_free = np.arange(graph.n_edges) >= graph.first_token_edge
    is_free &= ~constraints.pinned_edges(graph)
    taken = np.where(is_free, np.minimum(acts, discount), 0.0)
    left = 1.0 - taken / np.maximum(acts, np.finfo(np.float64).tiny)
    weight = probability_to_weight(weight_to_probability(network.weight) * left)
    to_leak = probability_to_weight(np.minimum(taken / n_documents, MAX_LEAK))
    lost = np.bincount(graph.edge_children(), to_leak, graph.n_nodes)
    moved = build_network(graph, weight, network.leak + lost)
    pruned, _ = restrict(moved, (acts > taken) | ~is_free, constraints)
    # After too short a training all edges have count 0; a model without topics cannot answer.
    return pruned if pruned.graph.n_topics else network
