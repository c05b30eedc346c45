"""The log-likelihood of one document by guided draws: a bound on average, close with few draws."""

from __future__ import annotations

from math import exp, log

import numpy as np

from orrery.core.kernels.compiling import kernel
from orrery.core.kernels.guided import guided_round, make_guide
from orrery.core.kernels.posterior import BELIEF_TOLERANCE, log_sum_exp
from orrery.core.kernels.streams import stream_key
from orrery.core.kernels.sum_product import propagate

# Rounds that the draws of a document are divided into. More would say more of the error of one
# document; of many, few are enough, and large rounds leave less to chance.
LIKELIHOOD_ROUNDS = 4


@kernel
def log_mean(log_values):
    """log of the mean of independent values given by their logarithms, shape (n_values,).

    Returns
    -------
    log_mean : float
    variance : float
        Of the mean, relative to its square; 0 for a single value, of which nothing is known.
    """
    n_values, top = len(log_values), log_values.max()
    mean, squares = 0.0, 0.0
    for r in range(n_values):
        mean += exp(log_values[r] - top) / n_values
    for r in range(n_values):
        squares += (exp(log_values[r] - top) / mean - 1.0) ** 2
    return top + log(mean), squares / (n_values * max(n_values - 1, 1))


@kernel
def log_likelihood_estimate(local, factors, n_draws, key):
    """log of the mean of independent, unbiased estimates of p(evidence).

    Parameters
    ----------
    local : LocalGraph
    factors : Factors
    n_draws : int
        In all, at least 1.
    key : uint64

    Returns
    -------
    estimate : float
        In nats; at most the log-likelihood of the local model on average.
    variance : float
        Of the mean, relative to its square; 0 for a single draw, of which nothing is known.
    """
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    guide = make_guide(local, factors, beliefs)
    n_rounds = min(LIKELIHOOD_ROUNDS, n_draws)
    log_sum = np.empty(n_rounds)
    for r in range(n_rounds):
        one = guided_round(local, factors, guide, n_draws / n_rounds, stream_key(key, r))
        log_sum[r] = log_sum_exp(one.log_weight)
    return log_mean(log_sum)
