"""Exact posterior of a noisy-OR network of two layers: Heckerman's Quickscore (1989)."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

from orrery.core.model.network import Network, weight_to_probability
from orrery.core.utils.types import FloatArray


def quickscore(network: Network, present: list[int]) -> FloatArray:
    """Posterior of every topic where some tokens are present and all others unknown.

    Inclusion and exclusion over the subsets of the present tokens, each taken as absent; the time
    doubles with every token.

    Parameters
    ----------
    network : Network
        No topic is the child of another.
    present : list of int
        Few tokens.
    """
    graph = network.graph
    prior = weight_to_probability(network.leak[: graph.n_topics])
    weight = np.zeros((len(present), graph.n_topics))
    for row, token in enumerate(present):
        node = graph.n_topics + token
        into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        weight[row, graph.parent_idx[into]] = network.weight[into]
    leak = network.leak[graph.n_topics + np.array(present, np.int64)]
    rows = range(len(present))
    evidence, with_topic = 0.0, np.zeros(graph.n_topics)
    for absent in chain.from_iterable(combinations(rows, size) for size in range(len(present) + 1)):
        chosen = list(absent)
        fails = np.exp(-weight[chosen].sum(axis=0))
        factor = prior * fails + 1.0 - prior
        term = (-1.0) ** len(chosen) * np.exp(-leak[chosen].sum()) * factor.prod()
        evidence += term
        with_topic += term * prior * fails / factor
    return with_topic / evidence
