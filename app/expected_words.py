"""How probable a word is of which nothing is known (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.inference import Estimate, Posterior
from core.labels import marginals

if TYPE_CHECKING:
    from core.network import FloatArray, Network


def expected_words(network: Network, posterior: Posterior, tokens: Sequence[int]) -> list[Estimate]:
    """Probability that each of some tokens is in the text.

    By the draws of the local topics, since these are not independent of each other; topics outside
    the local model that bring a word are taken for independent of them.
    """
    if posterior.draws is None or not tokens:
        return []
    probability = posterior.probability.tolist()
    known = dict(zip(posterior.local.topics.tolist(), probability, strict=True))
    every = marginals(network, known)
    absent = [_absent_in_each_state(network, posterior, token, every) for token in tokens]
    value, error = posterior.draws.mean(1.0 - np.stack(absent, axis=1))
    return [Estimate(*pair) for pair in zip(value.tolist(), error.tolist(), strict=True)]


def _absent_in_each_state(
    network: Network, posterior: Posterior, token: int, every: FloatArray
) -> FloatArray:
    """Probability that a token is absent in every drawn state, shape (n_states,)."""
    graph, local = network.graph, posterior.local.topics
    node = graph.n_topics + token
    span = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
    parents, weights = graph.parent_idx[span], network.weight[span]
    is_local = np.isin(parents, local)
    assert posterior.draws is not None
    state = posterior.draws.state[:, np.searchsorted(local, parents[is_local])]
    by_draws = np.exp(-(state @ weights[is_local]))
    outside = every[parents[~is_local]]
    others = np.prod(1.0 - outside * -np.expm1(-weights[~is_local]))
    return np.asarray(by_draws * others * np.exp(-network.leak[node]))
