"""Whether a learned network has found the causes that made the documents (Buhai et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from orrery.core.data.corpus import Corpus
from orrery.core.model.labels import marginals
from orrery.core.model.network import Network
from orrery.core.utils.types import FloatArray

# Two failure probabilities match when neither is more than e times the other.
TOLERANCE = 1.0
# Patterns match where no more than this share of their pixels differ.
WRONG_PIXELS = 1 / 64
# Learned latents that are on more rarely than this do not count.
MIN_PRIOR = 0.02


@dataclass(frozen=True, eq=False)
class Problem:
    """Documents and what made them.

    Attributes
    ----------
    corpus : Corpus
    weight : float64 array, shape (n_latents, n_tokens)
        True weights, the negative logarithms of failure probabilities.
    """

    corpus: Corpus
    weight: FloatArray


def n_recovered(problem: Problem, network: Network) -> int:
    """Most true latents that can be paired with a learned one each, all their weights close."""
    learned = token_weights(network)[_common(network)]
    distance = np.abs(problem.weight[:, None, :] - learned[None, :, :]).max(axis=2)
    return _most_pairs(distance <= TOLERANCE)


def n_seen(problem: Problem, network: Network) -> int:
    """Most true latents that can be paired with a learned one of the same pattern each.

    A pattern are the tokens that a latent switches on more often than not.
    """
    learned = token_weights(network)[_common(network)] > np.log(2.0)
    is_wrong = (problem.weight > np.log(2.0))[:, None, :] != learned[None, :, :]
    return _most_pairs(is_wrong.mean(axis=2) <= WRONG_PIXELS)


def _common(network: Network) -> npt.NDArray[np.bool_]:
    return np.asarray(marginals(network)[: network.graph.n_topics] > MIN_PRIOR)


def _most_pairs(is_close: npt.NDArray[np.bool_]) -> int:
    return int(is_close[linear_sum_assignment(is_close, maximize=True)].sum())


def token_weights(network: Network) -> FloatArray:
    """Weight of every topic on every token, 0 without an edge, shape (n_topics, n_tokens)."""
    graph = network.graph
    edges = slice(graph.first_token_edge, graph.n_edges)
    dense = np.zeros((graph.n_topics, graph.n_tokens))
    children = graph.edge_children()[edges] - graph.n_topics
    dense[graph.parent_idx[edges], children] = network.weight[edges]
    return dense
