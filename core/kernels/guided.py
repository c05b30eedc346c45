"""Importance sampling of the topics with a belief-propagation proposal (MATH §10.2).

Topics are sampled in topological order, parents first. The proposal for a topic combines its
parents with the messages from its children. These messages are recomputed in every sample, given
the topics sampled so far; topics not yet sampled have their beliefs from belief propagation. Topics
that explain the same word therefore exclude each other in the samples as they do in the model.

A round is a set of samples that is split at each topic in proportion to the proposal. A branch that
represents one sample or more continues with exactly its share: probable states are enumerated
instead of sampled, and a small local model is enumerated completely. A branch that represents less
than one sample continues as one sample, with its share as probability, or ends (splitting and
Russian roulette; Fearnhead and Clifford 2003 resample particles in this way). A round is thus a
random set of states, each included with a known probability pi. The sum of p(state, evidence) / pi
over the set is an unbiased estimate of p(evidence), for any proposal (Horvitz and Thompson 1952).
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .factors import FREE, HELD_ON
from .streams import uniform
from .sum_product import SMALLEST_OFF, chance_above, chance_below, chance_of

# Minimum proposal probability of either state of a topic, since the proposal may be wrong.
LEAST_CHANCE = 0.001
# Columns of the tables below. Access to a tuple of arrays counts references, which takes longer
# than one step of a sample; a table also keeps the numbers that a step needs side by side.
EFFECT, SURVIVAL, LATER_ON, LATER_OFF, BELOW = range(5)
_ON, _OFF = range(2)
_DRAWS, _PRODUCT, _LOG_WEIGHT, _ON_DRAWS, _ON_PRODUCT = range(5)
# Products are kept between _SMALL and _LARGE; outside, they are moved into their logarithm.
_SMALL, _LARGE = 1e-100, 1e100


class Round(NamedTuple):
    """States of the topics that are sampled together.

    Attributes
    ----------
    state : bool array, shape (n_states, n_topics)
    log_weight : float64 array, shape (n_states,)
        log p(state, evidence) - log pi, in nats.
    control : float64 array, shape (n_topics,)
        Control variate: the share of samples that continue with each topic on, minus the share that
        the proposal gives it. Its mean is 0, and it correlates with the error of the probability.
    is_exact : bool
        Whether the round enumerates all states.
    """

    state: np.ndarray
    log_weight: np.ndarray
    control: np.ndarray
    is_exact: bool


@kernel
def make_guide(local, factors, beliefs):
    """Proposal parameters of every edge, from the messages of belief propagation.

    Returns
    -------
    float64 array, shape (n_edges, 5)
        In the order of ``local.child``. Columns: ``EFFECT`` and ``SURVIVAL`` as in `Factors`;
        ``LATER_ON`` and ``LATER_OFF``, the probabilities that the parents sampled after the parent
        of this edge switch the child on, or fail to; ``BELOW``, the probability that the child is
        on given its evidence below, without its parents and its leak.
    """
    guide = np.empty((len(local.parent), 5))
    guide[:, EFFECT], guide[:, SURVIVAL] = factors.effect, factors.survival
    for i in range(len(local.node)):
        below = chance_below(i, local, factors, beliefs)
        on, off = 0.0, 1.0
        for e in range(local.parent_ptr[i + 1] - 1, local.parent_ptr[i] - 1, -1):
            guide[e, LATER_ON], guide[e, LATER_OFF], guide[e, BELOW] = on, off, below
            acts = chance_above(e, local, factors, beliefs) * factors.effect[e]
            on = acts + (1.0 - acts) * on
            off *= 1.0 - acts
    by_child = np.empty_like(guide)
    for slot in range(len(guide)):
        for column in range(5):
            by_child[slot, column] = guide[local.child_edge[slot], column]
    return by_child


@part
def _guided_chance(k, silence, child_ptr, child, guide, nodes):
    """Proposal probability that topic k is on given the topics sampled before it."""
    odds, log_odds = nodes[k, _ON] / nodes[k, _OFF], -silence
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c, below = child[slot], guide[slot, BELOW]
        others_off = max(nodes[c, _OFF] * guide[slot, LATER_OFF], SMALLEST_OFF)
        others_on = nodes[c, _ON] + nodes[c, _OFF] * guide[slot, LATER_ON]
        if_off = below * others_on + (1.0 - below) * others_off
        odds *= 1.0 + (2.0 * below - 1.0) * others_off * guide[slot, EFFECT] / if_off
        if not _SMALL < odds < _LARGE:
            log_odds += log(odds)
            odds = 1.0
    return min(max(chance_of(log_odds + log(odds)), LEAST_CHANCE), 1.0 - LEAST_CHANCE)


@part
def _begin_parts(k, nodes, parts):
    """Weights of the two branches at topic k, off and on, before the samples are split."""
    if not _SMALL < parts[k, _PRODUCT] < _LARGE:
        parts[k, _LOG_WEIGHT] += log(parts[k, _PRODUCT])
        parts[k, _PRODUCT] = 1.0
    parts[k + 1, _LOG_WEIGHT] = parts[k, _LOG_WEIGHT]
    parts[k + 1, _PRODUCT] = parts[k, _PRODUCT] * nodes[k, _OFF]
    parts[k, _ON_PRODUCT] = parts[k, _PRODUCT] * nodes[k, _ON]


@part
def _part_draws(k, chance, random, parts):
    """Split the samples at topic k; return whether the branches off and on continue.

    ``random`` decides if either branch represents less than one sample; of exactly one sample,
    exactly one branch continues.
    """
    off_draws, on_draws = parts[k, _DRAWS] * (1.0 - chance), parts[k, _DRAWS] * chance
    goes_off, goes_on = random >= 1.0 - off_draws, random < on_draws
    if on_draws < 1.0:
        parts[k, _ON_PRODUCT] /= on_draws
        on_draws = 1.0
    if off_draws < 1.0:
        parts[k + 1, _PRODUCT] /= off_draws
        off_draws = 1.0
    parts[k + 1, _DRAWS], parts[k, _ON_DRAWS] = off_draws, on_draws
    return goes_off, goes_on


@part
def _switch_on(k, silence, child_ptr, child, guide, nodes, kept, parts):
    """Continue with topic k on and update its children; their earlier values are kept."""
    parts[k + 1, _DRAWS], parts[k + 1, _PRODUCT] = parts[k, _ON_DRAWS], parts[k, _ON_PRODUCT]
    parts[k + 1, _LOG_WEIGHT] = parts[k, _LOG_WEIGHT] - silence
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c = child[slot]
        on, off = nodes[c, _ON], nodes[c, _OFF]
        kept[slot, _ON], kept[slot, _OFF] = on, off
        nodes[c, _ON] = on + off * guide[slot, EFFECT]
        nodes[c, _OFF] = max(off * guide[slot, SURVIVAL], SMALLEST_OFF)


@part
def _switch_back(k, child_ptr, child, nodes, kept):
    """Undo the effect of `_switch_on` on the children."""
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c = child[slot]
        nodes[c, _ON], nodes[c, _OFF] = kept[slot, _ON], kept[slot, _OFF]


@part
def _log_weight_at_end(n_topics, nodes, parts):
    """Log-weight of a complete state, including its present words."""
    product, total = parts[n_topics, _PRODUCT], parts[n_topics, _LOG_WEIGHT]
    for j in range(n_topics, len(nodes)):
        if not _SMALL < product < _LARGE:
            total += log(product)
            product = 1.0
        product *= nodes[j, _ON]
    return total + log(product)


@part
def _with_room(states, log_weights):
    """Copies of both arrays with twice the capacity."""
    size, n_topics = states.shape
    more, more_weights = np.empty((2 * size, n_topics), np.bool_), np.empty(2 * size)
    more[:size] = states
    more_weights[:size] = log_weights
    return more, more_weights


@kernel
def guided_round(local, factors, guide, n_draws, key):
    """Sample one round of states of all topics.

    Parameters
    ----------
    local : LocalGraph
    factors : Factors
    guide : float64 array, shape (n_edges, 5)
        See `make_guide`.
    n_draws : float
        Initial number of samples, at least 1; infinity enumerates all states.
    key : uint64
        Key of the random numbers; the same key gives the same round.

    Returns
    -------
    Round
    """
    n, child_ptr, child = local.n_topics, local.child_ptr, local.child
    silence, state = factors.silence, factors.state
    nodes, kept = np.empty((len(local.node), 2)), np.empty((len(child), 2))
    nodes[:, _ON], nodes[:, _OFF] = factors.leak_on, factors.leak_off
    # Depth-first traversal: at each topic one branch is followed; the branch "on" waits.
    parts, x, is_waiting = np.empty((n + 1, 5)), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    parts[0, _DRAWS], parts[0, _PRODUCT], parts[0, _LOG_WEIGHT] = n_draws, 1.0, factors.log_scale
    states, log_weights = np.empty((64, n), np.bool_), np.empty(64)
    control, n_random, count = np.zeros(n), 0, 0
    k, is_new = 0, True
    while k >= 0:
        if k == n:
            if count == len(states):
                states, log_weights = _with_room(states, log_weights)
            for topic in range(n):
                states[count, topic] = x[topic]
            log_weights[count] = _log_weight_at_end(n, nodes, parts)
            count += 1
            k, is_new = k - 1, False
        elif is_new:
            _begin_parts(k, nodes, parts)
            if state[k] == FREE:
                chance = _guided_chance(k, silence[k], child_ptr, child, guide, nodes)
                draws = parts[k, _DRAWS]
                is_new, is_waiting[k] = _part_draws(k, chance, uniform(key, n_random), parts)
                n_random += draws * min(chance, 1.0 - chance) < 1.0
                control[k] += is_waiting[k] * parts[k, _ON_DRAWS] - draws * chance
            else:
                parts[k + 1, _DRAWS] = parts[k, _ON_DRAWS] = parts[k, _DRAWS]
                is_waiting[k] = state[k] == HELD_ON
                is_new = not is_waiting[k]
            k += is_new
        elif is_waiting[k]:
            is_waiting[k], x[k] = False, True
            _switch_on(k, silence[k], child_ptr, child, guide, nodes, kept, parts)
            k, is_new = k + 1, True
        else:
            if x[k]:
                _switch_back(k, child_ptr, child, nodes, kept)
                x[k] = False
            k -= 1
    is_exact = n_random == 0
    for topic in range(n):
        control[topic] = 0.0 if is_exact else control[topic] / n_draws
    return Round(states[:count], log_weights[:count], control, is_exact)
