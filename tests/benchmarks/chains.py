"""Gibbs chains of the topics of one local model, from starts far apart, until they agree.

Written for judging alone: `orrery.core.kernels.gibbs` serves training, knows whole documents only,
and would share its mistakes. It would also stay for thousands of sweeps with what it has found:
topics that come together are never switched one by one. Here a topic may take those below along.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log
from typing import NamedTuple

import numba
import numpy as np

from orrery.core.utils.types import FloatArray

# A product of ratios beyond this goes into its logarithm.
_LARGE = 1e200
# Inlined, what looks into the tuple of arrays does so once a run and not in every call.
_part = numba.njit(nogil=True, inline="always")


class Chain(NamedTuple):
    """A local model; arrays over edges are sorted by parent.

    Attributes
    ----------
    child_ptr : int64 array, shape (n_topics + 1,)
    child : int64 array, shape (n_edges,)
        ``child[child_ptr[k]:child_ptr[k + 1]]`` are the children of topic k, ascending.
    weight, survival : float64 arrays, shape (n_edges,)
        w and exp(-w).
    leak : float64 array, shape (n_nodes,)
    silence : float64 array, shape (n_topics,)
        Decrease of the log-odds of every topic by all nodes that are off.
    state : float64 array, shape (n_topics,)
        NaN for free topics.
    """

    child_ptr: np.ndarray
    child: np.ndarray
    weight: np.ndarray
    survival: np.ndarray
    leak: np.ndarray
    silence: np.ndarray
    state: np.ndarray


@dataclass(frozen=True)
class Limits:
    """Convergence criterion of the chains, and limits.

    Attributes
    ----------
    chains : int
    error : float
        Maximum standard error of the mean of a topic over the chains, from the differences between
        them.
    first, most : int
        Sweeps of each chain: burn-in, and the maximum number after it.
    """

    chains: int = 8
    error: float = 0.004
    first: int = 1_000
    most: int = 64_000


def make_chain(
    weight: FloatArray, leak: FloatArray, silence: FloatArray, state: FloatArray
) -> Chain:
    """Chain of dense weights, shape (n_nodes, n_topics)."""
    parent, child = np.nonzero(weight.T)
    ptr = np.searchsorted(parent, np.arange(weight.shape[1] + 1))
    weights = weight[child, parent]
    return Chain(ptr, child, weights, np.exp(-weights), leak, silence, state)


@_part
def _activations(chain, x):
    """Leak and weights of all parents that are on, of every node."""
    activation = chain.leak.copy()
    for k in range(len(chain.state)):
        if x[k]:
            for e in range(chain.child_ptr[k], chain.child_ptr[k + 1]):
                activation[chain.child[e]] += chain.weight[e]
    return activation


@_part
def _set(k, state, chain, x, activation):
    """Switch topic k and update its children."""
    x[k] = state
    for e in range(chain.child_ptr[k], chain.child_ptr[k + 1]):
        c, w = chain.child[e], chain.weight[e]
        changed = activation[c] + w if state else activation[c] - w
        # A sum minus one large weight is at least the leak.
        activation[c] = max(changed, chain.leak[c])


@_part
def _log_odds(activation):
    """Log-odds of a node that is on by its parents and leak (eq. 1)."""
    return activation + log(-expm1(-activation))


@_part
def _leak_probability(k, chain, x, activation):
    """Probability that topic k is on given all others: eq. 1 of the topic and of its children."""
    log_odds, ratio = _log_odds(activation[k]) - chain.silence[k], 1.0
    for e in range(chain.child_ptr[k], chain.child_ptr[k + 1]):
        c, w = chain.child[e], chain.weight[e]
        if x[c]:
            off = exp(-max(activation[c] - w, chain.leak[c]) if x[k] else -activation[c])
            ratio *= (1.0 - off * chain.survival[e]) / (1.0 - off)
            if ratio > _LARGE:
                log_odds += log(ratio)
                ratio = 1.0
        else:
            log_odds -= w
    return 1.0 / (1.0 + exp(-log_odds - log(ratio)))


@_part
def _switch_one_by_one(chain, x, activation, total, rng):
    """Draw every free topic once given all others; adds what they were drawn with to ``total``."""
    for k in range(len(chain.state)):
        if np.isnan(chain.state[k]):
            probability = _leak_probability(k, chain, x, activation)
            total[k] += probability
            drawn = rng.random() < probability
            if drawn != x[k]:
                _set(k, drawn, chain, x, activation)
        else:
            total[k] += chain.state[k]


@_part
def _follow(d, chain, before, after, x, rng):
    """Update topic d after a change above it; return the change of the log-probability.

    It keeps its state with the largest probability for which eq. 1 holds before and after, so the
    change is 0 unless the topic is clamped.
    """
    off, off_after = exp(-before[d]), exp(-after[d])
    stays = (1.0 - off_after) / (1.0 - off) if x[d] else off_after / off
    if not np.isnan(chain.state[d]):
        return log(stays)
    if rng.random() < stays:
        return 0.0
    _set(d, not x[d], chain, x, after)
    return chain.silence[d] * (1.0 - 2.0 * x[d])


@_part
def _switch_with_below(k, chain, x, activation, y, after, rng):
    """Switch topic k with what follows it below, and go back unless the evidence bears it.

    A step of Metropolis's; ``y`` and ``after`` are scratch memory as of ``x`` and ``activation``.
    """
    n_topics = len(chain.state)
    y[:], after[:] = x, activation
    _set(k, not x[k], chain, y, after)
    gain = (_log_odds(activation[k]) - chain.silence[k]) * (2.0 * y[k] - 1.0)
    for d in range(k + 1, n_topics):
        if after[d] != activation[d]:
            gain += _follow(d, chain, activation, after, y, rng)
    for j in range(n_topics, len(chain.leak)):
        if after[j] != activation[j]:
            gain += log(expm1(-after[j]) / expm1(-activation[j]))
    if rng.random() < exp(min(gain, 0.0)):
        x[:], activation[:] = y, after


@numba.njit(nogil=True)
def _run(chain, x, n_sweeps, rng):
    """Go on with a chain; changes ``x``, and returns the mean chance of every topic on the way."""
    n_topics = len(chain.state)
    activation, total = _activations(chain, x), np.zeros(n_topics)
    y, after = x.copy(), activation.copy()
    for _ in range(n_sweeps):
        _switch_one_by_one(chain, x, activation, total, rng)
        for k in range(n_topics):
            first = chain.child_ptr[k]
            has_below = first < chain.child_ptr[k + 1] and chain.child[first] < n_topics
            if has_below and np.isnan(chain.state[k]):
                _switch_with_below(k, chain, x, activation, y, after, rng)
    return total / n_sweeps


def run_chains(chain: Chain, limits: Limits, seed: int) -> tuple[FloatArray, FloatArray, bool]:
    """Probability of every topic, its standard error, and whether the chains agree on all of them.

    The first stretch of the chains is not counted; the others are each as long as all before.
    """
    rng = np.random.default_rng(seed)
    states = [_start(chain, share, rng) for share in np.linspace(0.0, 1.0, limits.chains)]
    for x in states:
        _run(chain, x, limits.first, rng)
    done, length, means = 0, limits.first, np.zeros((limits.chains, len(chain.state)))
    while True:
        added = np.array([_run(chain, x, length, rng) for x in states])
        means = (done * means + length * added) / (done + length)
        done += length
        error = means.std(axis=0, ddof=1) / np.sqrt(limits.chains)
        has_agreed = bool(error.max(initial=0.0) <= limits.error)
        if has_agreed or 2 * done > limits.most:
            return means.mean(axis=0), error, has_agreed
        length = done


def _start(chain: Chain, share: float, rng: np.random.Generator) -> np.ndarray:
    """States of all nodes, with about this share of the free topics on, and every token."""
    n_topics = len(chain.state)
    x = np.ones(len(chain.leak), np.bool_)
    drawn = rng.random(n_topics) < share
    x[:n_topics] = np.where(np.isnan(chain.state), drawn, chain.state == 1.0)
    return x
