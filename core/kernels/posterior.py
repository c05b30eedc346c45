"""Posterior of one document by importance sampling, to a given standard error.

The proposal comes from belief propagation (`orrery.core.kernels.importance_sampling`). Rounds of
samples are independent, so their variance gives the standard errors (MATH §10.2).
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .importance_sampling import make_proposal, sample_round
from .local_model import FREE
from .streams import stream_key
from .sum_product import propagate

# Convergence tolerance of beliefs; a proposal and a displayed probability need no more digits.
BELIEF_TOLERANCE = 1e-4
# Maximum growth of the number of rounds at once: the errors of few rounds are rough estimates.
MAX_GROWTH = 2.0


class Precision(NamedTuple):
    """Precision of a posterior, and limits on the sampling."""

    error: float  # Largest accepted standard error of a topic's probability
    samples_per_round: float  # Samples in a round
    # Minimum and maximum number of rounds, at least 2
    min_rounds: int
    max_rounds: int
    max_enumerated: int  # With at most this many free topics, all states are enumerated instead


class Rounds(NamedTuple):
    """Several rounds of samples."""

    state: np.ndarray  # bool (n_states, n_topics)
    log_weight: np.ndarray  # float64 (n_states,): as in `Round`
    ptr: np.ndarray  # int64 (n_rounds + 1,): ``state[ptr[r]:ptr[r + 1]]`` are the states of round r
    # float64 (n_rounds,): log of the sum of the exponentials of a round's ``log_weight``
    log_sum: np.ndarray
    control: np.ndarray  # float64 (n_rounds, n_topics): as in `Round`
    is_exact: bool  # Whether the only round enumerates all states


@part
def log_sum_exp(values):
    """Logarithm of the sum of the exponentials."""
    top, total = values.max(), 0.0
    for value in values:
        total += exp(value - top)
    return top + log(total)


@kernel
def _append_rounds(rounds, local, factors, proposal, samples_per_round, key, wanted):
    """Append rounds until their number is ``wanted`` or a round is exact."""
    done, n_topics = len(rounds.log_sum), local.n_topics
    states, log_weights, count = rounds.state, rounds.log_weight, len(rounds.log_weight)
    ptr, log_sum = np.empty(wanted + 1, np.int64), np.empty(wanted)
    control = np.empty((wanted, n_topics))
    ptr[: done + 1], log_sum[:done], control[:done] = rounds.ptr, rounds.log_sum, rounds.control
    is_exact = False
    while done < wanted and not is_exact:
        sampled = sample_round(local, factors, proposal, samples_per_round, stream_key(key, done))
        end = count + len(sampled.log_weight)
        if end > len(log_weights):
            size = 2 * end
            grown, grown_weights = np.empty((size, n_topics), np.bool_), np.empty(size)
            grown[:count], grown_weights[:count] = states[:count], log_weights[:count]
            states, log_weights = grown, grown_weights
        states[count:end], log_weights[count:end] = sampled.state, sampled.log_weight
        log_sum[done], control[done] = log_sum_exp(sampled.log_weight), sampled.control
        done, count, is_exact = done + 1, end, sampled.is_exact
        ptr[done] = count
    return Rounds(
        states[:count], log_weights[:count], ptr[: done + 1], log_sum[:done], control[:done],
        is_exact,
    )  # fmt: skip


@kernel
def round_shares(rounds):
    """Weight of every state within its round, and weight of each round with a mean of 1."""
    share = np.empty(len(rounds.log_weight))
    for r in range(len(rounds.log_sum)):
        for s in range(rounds.ptr[r], rounds.ptr[r + 1]):
            share[s] = exp(rounds.log_weight[s] - rounds.log_sum[r])
    weight = np.exp(rounds.log_sum - rounds.log_sum.max())
    return share, weight / weight.mean()


@kernel
def round_means(rounds, values):
    """Weighted mean of some values of the states in every round, and the weight of the round.

    ``values`` has shape (n_states, n_values), the means have shape (n_rounds, n_values), and the
    weights of the rounds have a mean of 1.
    """
    share, weight = round_shares(rounds)
    mean = np.zeros((len(weight), values.shape[1]))
    for r in range(len(weight)):
        for s in range(rounds.ptr[r], rounds.ptr[r + 1]):
            for v in range(values.shape[1]):
                if values[s, v]:
                    mean[r, v] += share[s] * values[s, v]
    return mean, weight


@kernel
def combine_rounds(mean, weight, control):
    """Mean of each value over all rounds, and its standard error, both of shape (n_values,).

    The arguments come from `round_means`. The mean is a ratio of two sums over rounds; its error
    follows from the delta method, and is 0 for a single round, which enumerates all states.
    ``control``, shape (n_rounds, n_values), is a control variate with mean 0; subtracting it
    reduces the variance.
    """
    n_rounds, n_values = mean.shape
    value, error = np.empty(n_values), np.zeros(n_values)
    for v in range(n_values):
        total = 0.0
        for r in range(n_rounds):
            total += weight[r] * mean[r, v] - control[r, v]
        value[v] = total / n_rounds
        squares = 0.0
        for r in range(n_rounds):
            squares += (weight[r] * (mean[r, v] - value[v]) - control[r, v]) ** 2
        if n_rounds > 1:
            error[v] = sqrt(squares / (n_rounds * (n_rounds - 1)))
    return value, error


@kernel
def _rounds_wanted(n_rounds, error, precision):
    """Total number of rounds that should reduce every error below the target."""
    largest = error.max() if len(error) else 0.0
    growth = min((largest / precision.error) ** 2, MAX_GROWTH)
    return min(max(int(np.ceil(growth * n_rounds)), n_rounds), precision.max_rounds)


@kernel
def sample_posterior(local, factors, precision, key):
    """Sample states of the topics until every probability has the required precision.

    The result is the `Rounds`, the posterior probability of every topic, and its standard error,
    which is 0 if all states are enumerated. The same ``key`` gives the same samples.
    """
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    proposal = make_proposal(local, factors, beliefs)
    n_topics = local.n_topics
    n_free = 0
    for k in range(n_topics):
        n_free += factors.state[k] == FREE
    samples_per_round = (
        np.inf if n_free <= precision.max_enumerated else precision.samples_per_round
    )
    rounds = Rounds(
        np.empty((0, n_topics), np.bool_), np.empty(0), np.zeros(1, np.int64),
        np.empty(0), np.empty((0, n_topics)), False,
    )  # fmt: skip
    wanted, done = precision.min_rounds, 0
    probability, error = np.zeros(n_topics), np.zeros(n_topics)
    while done < wanted:
        rounds = _append_rounds(rounds, local, factors, proposal, samples_per_round, key, wanted)
        done = len(rounds.log_sum)
        mean, weight = round_means(rounds, rounds.state)
        probability, error = combine_rounds(mean, weight, rounds.control)
        wanted = done if rounds.is_exact else _rounds_wanted(done, error, precision)
    for k in range(n_topics):
        if factors.state[k] == FREE:
            probability[k] = min(max(probability[k], 0.0), 1.0)
        else:
            probability[k], error[k] = factors.state[k], 0.0
    return rounds, probability, error
