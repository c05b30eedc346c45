"""Importance sampling in NumPy, for small local models (MATH §10.2).

The algorithm equals `orrery.core.kernels.importance_sampling` and
`orrery.core.kernels.posterior`, which follow one sample after another and have to be compiled.
Here, all samples of several rounds proceed together from topic to topic. The random numbers
differ; a round that enumerates all states gives the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..kernels.importance_sampling import (
    BELOW,
    EFFECT,
    LATER_OFF,
    LATER_ON,
    MIN_PROBABILITY,
    make_proposal,
)
from ..kernels.local_model import FREE, HELD_ON, Factors, LocalGraph
from ..kernels.posterior import BELIEF_TOLERANCE, MAX_GROWTH, Precision, Rounds
from ..kernels.streams import stream_key, uniform
from ..kernels.sum_product import MIN_OFF, propagate
from ..utils.types import BoolArray, FloatArray

# Random numbers of a topic in a round; the next topic has the next ones.
_NUMBERS_OF_TOPIC = 2**32


def sample_posterior(
    local: LocalGraph, factors: Factors, precision: Precision, key: np.uint64
) -> tuple[Rounds, FloatArray, FloatArray]:
    """Sample states of the topics until every probability has the required precision.

    Call it in an `interpreted` block. See the kernel of this name.

    Returns
    -------
    rounds : Rounds
    probability, error : float64 arrays, shape (n_topics,)
        Posterior probability of every topic, and its standard error, which is 0 if all states are
        enumerated.
    """
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    proposal = make_proposal(local, factors, beliefs)
    is_free = factors.state == FREE
    is_enumerated = np.count_nonzero(is_free) <= precision.max_enumerated
    n_samples = np.inf if is_enumerated else precision.samples_per_round
    rounds: Rounds | None = None
    done, wanted = 0, 1 if is_enumerated else precision.min_rounds
    while True:
        new = _sample_rounds(local, factors, proposal, n_samples, key, range(done, wanted))
        rounds = new if rounds is None else _joined(rounds, new)
        mean, weight = round_means(rounds, rounds.state)
        probability, error = combine_rounds(mean, weight, rounds.control)
        done = wanted
        if rounds.is_exact:
            break
        growth = min((error.max(initial=0.0) / precision.error) ** 2, MAX_GROWTH)
        wanted = min(max(int(np.ceil(growth * done)), done), precision.max_rounds)
        if wanted == done:
            break
    probability = np.where(is_free, np.clip(probability, 0.0, 1.0), factors.state)
    return rounds, probability, np.where(is_free, error, 0.0)


def _sample_rounds(
    local: LocalGraph,
    factors: Factors,
    proposal: FloatArray,
    n_samples: float,
    key: np.uint64,
    numbers: range,
) -> Rounds:
    """Sample rounds with these numbers, or enumerate all states if ``n_samples`` is infinite."""
    n_rounds, n_topics = len(numbers), local.n_topics
    keys = stream_key(key, np.array(numbers, np.uint64))
    # Each column is a sample; samples of the same round are neighbours.
    state = np.zeros((n_topics, n_rounds), np.bool_)
    round_of = np.arange(n_rounds)
    size = np.full(n_rounds, float(n_samples))
    log_weight = np.full(n_rounds, factors.log_scale)
    control, is_exact = np.zeros((n_rounds, n_topics)), True
    for k in range(n_topics):
        on, off = _causes(k, k, local, factors, state)
        if factors.state[k] == FREE:
            p_on = _proposal_probability(k, on / off, local, factors, proposal, state)
            off_size, on_size = size * (1.0 - p_on), size * p_on
            first = np.searchsorted(round_of, round_of)
            counter = k * _NUMBERS_OF_TOPIC + np.arange(len(size)) - first
            random = uniform(keys[round_of], counter)
            continues = np.stack([random >= 1.0 - off_size, random < on_size], axis=1)
            if np.isfinite(n_samples):
                is_exact &= not (np.minimum(off_size, on_size) < 1.0).any()
                excess = continues[:, 1] * np.maximum(on_size, 1.0) - on_size
                control[:, k] = np.bincount(round_of, excess, n_rounds) / n_samples
        else:
            off_size = on_size = size
            is_on = factors.state[k] == HELD_ON
            continues = np.tile([not is_on, is_on], (len(size), 1))
        branch_size = np.stack([off_size, on_size], axis=1)
        branch_weight = np.stack([np.log(off), np.log(on) - factors.silence[k]], axis=1)
        branch_weight += log_weight[:, None] - np.log(np.minimum(branch_size, 1.0))
        sample, is_on = np.nonzero(continues)
        size = np.maximum(branch_size, 1.0)[sample, is_on]
        log_weight = branch_weight[sample, is_on]
        state, round_of = state[:, sample], round_of[sample]
        state[k] = is_on
    for word in range(n_topics, len(local.node)):
        log_weight += np.log(_causes(word, n_topics, local, factors, state)[0])
    ptr = np.searchsorted(round_of, np.arange(n_rounds + 1))
    top = np.maximum.reduceat(log_weight, ptr[:-1])
    sums = np.add.reduceat(np.exp(log_weight - top[round_of]), ptr[:-1])
    log_sum, n_states = top + np.log(sums), ptr[-1]
    if is_exact:
        # Nothing was random, so all rounds are the same.
        n_states = ptr[1]
        ptr, log_sum, control = ptr[:2], log_sum[:1], np.zeros((1, n_topics))
    return Rounds(state.T[:n_states].copy(), log_weight[:n_states], ptr, log_sum, control, is_exact)


def _causes(
    i: int, end: int, local: LocalGraph, factors: Factors, state: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Probability that the leak and the parents below ``end`` switch node i on in each sample.

    The result also contains the probability that they fail.
    """
    on = np.full(state.shape[1], factors.leak_on[i])
    off = np.full(state.shape[1], factors.leak_off[i])
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        if local.parent[e] < end:
            acts = state[local.parent[e]]
            on += off * (acts * factors.effect[e])
            off *= np.where(acts, factors.survival[e], 1.0)
    return on, np.maximum(off, MIN_OFF)


def _proposal_probability(
    k: int,
    odds: FloatArray,
    local: LocalGraph,
    factors: Factors,
    proposal: FloatArray,
    state: BoolArray,
) -> FloatArray:
    """Proposal probability that topic k is on in each sample, given the topics before it."""
    log_odds = np.log(odds) - factors.silence[k]
    for slot in range(local.child_ptr[k], local.child_ptr[k + 1]):
        below, effect = proposal[slot, BELOW], proposal[slot, EFFECT]
        on, off = _causes(local.child[slot], k, local, factors, state)
        others_off = np.maximum(off * proposal[slot, LATER_OFF], MIN_OFF)
        others_on = on + off * proposal[slot, LATER_ON]
        if_off = below * others_on + (1.0 - below) * others_off
        log_odds += np.log(1.0 + (2.0 * below - 1.0) * others_off * effect / if_off)
    probability = 1.0 / (1.0 + np.exp(np.clip(-log_odds, -700.0, 700.0)))
    return np.asarray(np.clip(probability, MIN_PROBABILITY, 1.0 - MIN_PROBABILITY))


def _joined(rounds: Rounds, more: Rounds) -> Rounds:
    """Rounds followed by more rounds."""
    return Rounds(
        np.concatenate([rounds.state, more.state]),
        np.concatenate([rounds.log_weight, more.log_weight]),
        np.concatenate([rounds.ptr, rounds.ptr[-1] + more.ptr[1:]]),
        np.concatenate([rounds.log_sum, more.log_sum]),
        np.concatenate([rounds.control, more.control]),
        rounds.is_exact,
    )


def round_shares(rounds: Rounds) -> tuple[FloatArray, FloatArray]:
    """Weight of every state within its round, and weight of each round with a mean of 1."""
    log_sum = np.repeat(rounds.log_sum, np.diff(rounds.ptr))
    weight = np.exp(rounds.log_sum - rounds.log_sum.max())
    return np.exp(rounds.log_weight - log_sum), weight / weight.mean()


def round_means(rounds: Rounds, values: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Weighted mean of some values of the states in every round, and the weight of the round.

    ``values`` has shape (n_states, n_values), the means have shape (n_rounds, n_values), and the
    weights of the rounds have a mean of 1.
    """
    share, weight = round_shares(rounds)
    return np.add.reduceat(share[:, None] * values, rounds.ptr[:-1], axis=0), weight


def combine_rounds(
    mean: FloatArray, weight: FloatArray, control: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean of each value over all rounds, and its standard error, both of shape (n_values,).

    The kernel of this name has the formulas and the arguments.
    """
    n_rounds = len(mean)
    value = (weight[:, None] * mean - control).sum(axis=0) / n_rounds
    if n_rounds == 1:
        return value, np.zeros_like(value)
    squares = ((weight[:, None] * (mean - value) - control) ** 2).sum(axis=0)
    return value, np.sqrt(squares / (n_rounds * (n_rounds - 1)))
