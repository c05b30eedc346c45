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
from .local_model import FREE, HELD_ON
from .streams import uniform
from .sum_product import MIN_OFF, logistic, probability_above, probability_below

# Minimum proposal probability of either state of a topic, since the proposal may be wrong.
MIN_PROBABILITY = 0.001
# Columns of the tables below. Access to a tuple of arrays counts references, which takes longer
# than one step of a sample; a table also keeps the numbers that a step needs side by side.
EFFECT, SURVIVAL, LATER_ON, LATER_OFF, BELOW = range(5)
_ON, _OFF = range(2)
_SIZE, _FACTOR, _LOG_WEIGHT, _ON_SIZE, _ON_FACTOR = range(5)
# Products are kept between _SMALL and _LARGE; outside, they are moved into their logarithm.
_SMALL, _LARGE = 1e-100, 1e100


class Round(NamedTuple):
    """States of the topics that are sampled together."""

    state: np.ndarray  # bool (n_states, n_topics)
    log_weight: np.ndarray  # float64 (n_states,): log p(state, evidence) - log pi, in nats
    # float64 (n_topics,): control variate: the share of samples that continue with each topic on,
    # minus the share that the proposal gives it. Its mean is 0, and it correlates with the error of
    # the probability.
    control: np.ndarray
    is_exact: bool  # Whether the round enumerates all states


@kernel
def make_proposal(local, factors, beliefs):
    """Proposal parameters of every edge, from the messages of belief propagation.

    The result has shape (n_edges, 5), in the order of ``local.child``. Columns: ``EFFECT`` and
    ``SURVIVAL`` as in `Factors`; ``LATER_ON`` and ``LATER_OFF``, the probabilities that the parents
    sampled after the parent of this edge switch the child on, or fail to; ``BELOW``, the
    probability that the child is on given its evidence below, without its parents and its leak.
    """
    proposal = np.empty((len(local.parent), 5))
    proposal[:, EFFECT], proposal[:, SURVIVAL] = factors.effect, factors.survival
    for i in range(len(local.node)):
        below = probability_below(i, local, factors, beliefs)
        on, off = 0.0, 1.0
        for e in range(local.parent_ptr[i + 1] - 1, local.parent_ptr[i] - 1, -1):
            proposal[e, LATER_ON], proposal[e, LATER_OFF], proposal[e, BELOW] = on, off, below
            acts = probability_above(e, local, factors, beliefs) * factors.effect[e]
            on = acts + (1.0 - acts) * on
            off *= 1.0 - acts
    by_child = np.empty_like(proposal)
    for slot in range(len(proposal)):
        for column in range(5):
            by_child[slot, column] = proposal[local.child_edge[slot], column]
    return by_child


@part
def _proposal_probability(k, silence, child_ptr, child, proposal, nodes):
    """Proposal probability that topic k is on given the topics sampled before it."""
    odds, log_odds = nodes[k, _ON] / nodes[k, _OFF], -silence
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c, below = child[slot], proposal[slot, BELOW]
        others_off = max(nodes[c, _OFF] * proposal[slot, LATER_OFF], MIN_OFF)
        others_on = nodes[c, _ON] + nodes[c, _OFF] * proposal[slot, LATER_ON]
        if_off = below * others_on + (1.0 - below) * others_off
        odds *= 1.0 + (2.0 * below - 1.0) * others_off * proposal[slot, EFFECT] / if_off
        if not _SMALL < odds < _LARGE:
            log_odds += log(odds)
            odds = 1.0
    return min(max(logistic(log_odds + log(odds)), MIN_PROBABILITY), 1.0 - MIN_PROBABILITY)


@part
def _weigh_branches(k, nodes, branch):
    """Weights of the two branches at topic k, off and on, before the samples are split."""
    if not _SMALL < branch[k, _FACTOR] < _LARGE:
        branch[k, _LOG_WEIGHT] += log(branch[k, _FACTOR])
        branch[k, _FACTOR] = 1.0
    branch[k + 1, _LOG_WEIGHT] = branch[k, _LOG_WEIGHT]
    branch[k + 1, _FACTOR] = branch[k, _FACTOR] * nodes[k, _OFF]
    branch[k, _ON_FACTOR] = branch[k, _FACTOR] * nodes[k, _ON]


@part
def _split_samples(k, p_on, random, branch):
    """Split the samples at topic k; return whether the branches off and on continue.

    ``random`` decides if either branch represents less than one sample; of exactly one sample,
    exactly one branch continues.
    """
    off_samples, on_samples = branch[k, _SIZE] * (1.0 - p_on), branch[k, _SIZE] * p_on
    continues_off, continues_on = random >= 1.0 - off_samples, random < on_samples
    if on_samples < 1.0:
        branch[k, _ON_FACTOR] /= on_samples
        on_samples = 1.0
    if off_samples < 1.0:
        branch[k + 1, _FACTOR] /= off_samples
        off_samples = 1.0
    branch[k + 1, _SIZE], branch[k, _ON_SIZE] = off_samples, on_samples
    return continues_off, continues_on


@part
def _switch_on(k, silence, child_ptr, child, proposal, nodes, saved, branch):
    """Continue with topic k on and update its children; their earlier values are kept."""
    branch[k + 1, _SIZE], branch[k + 1, _FACTOR] = branch[k, _ON_SIZE], branch[k, _ON_FACTOR]
    branch[k + 1, _LOG_WEIGHT] = branch[k, _LOG_WEIGHT] - silence
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c = child[slot]
        on, off = nodes[c, _ON], nodes[c, _OFF]
        saved[slot, _ON], saved[slot, _OFF] = on, off
        nodes[c, _ON] = on + off * proposal[slot, EFFECT]
        nodes[c, _OFF] = max(off * proposal[slot, SURVIVAL], MIN_OFF)


@part
def _undo_switch(k, child_ptr, child, nodes, saved):
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        c = child[slot]
        nodes[c, _ON], nodes[c, _OFF] = saved[slot, _ON], saved[slot, _OFF]


@part
def _log_weight_at_end(n_topics, nodes, branch):
    """Log-weight of a complete state, including its present words."""
    product, total = branch[n_topics, _FACTOR], branch[n_topics, _LOG_WEIGHT]
    for j in range(n_topics, len(nodes)):
        if not _SMALL < product < _LARGE:
            total += log(product)
            product = 1.0
        product *= nodes[j, _ON]
    return total + log(product)


@part
def _doubled(states, log_weights):
    size, n_topics = states.shape
    doubled, doubled_weights = np.empty((2 * size, n_topics), np.bool_), np.empty(2 * size)
    doubled[:size] = states
    doubled_weights[:size] = log_weights
    return doubled, doubled_weights


@kernel
def sample_round(local, factors, proposal, n_samples, key):
    """Sample one round of states of all topics.

    ``n_samples`` is the initial number of samples, at least 1; infinity enumerates all states. The
    same ``key`` gives the same round. ``proposal`` comes from `make_proposal`.
    """
    n, child_ptr, child = local.n_topics, local.child_ptr, local.child
    silence, state = factors.silence, factors.state
    nodes, saved = np.empty((len(local.node), 2)), np.empty((len(child), 2))
    nodes[:, _ON], nodes[:, _OFF] = factors.leak_on, factors.leak_off
    # Depth-first traversal: at each topic one branch is followed; the branch "on" waits.
    branch, x, is_waiting = np.empty((n + 1, 5)), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    branch[0, _SIZE], branch[0, _FACTOR], branch[0, _LOG_WEIGHT] = n_samples, 1.0, factors.log_scale
    states, log_weights = np.empty((64, n), np.bool_), np.empty(64)
    control, n_random, count = np.zeros(n), 0, 0
    k, is_new = 0, True
    while k >= 0:
        if k == n:
            if count == len(states):
                states, log_weights = _doubled(states, log_weights)
            for topic in range(n):
                states[count, topic] = x[topic]
            log_weights[count] = _log_weight_at_end(n, nodes, branch)
            count += 1
            k, is_new = k - 1, False
        elif is_new:
            _weigh_branches(k, nodes, branch)
            if state[k] == FREE:
                p_on = _proposal_probability(k, silence[k], child_ptr, child, proposal, nodes)
                samples = branch[k, _SIZE]
                is_new, is_waiting[k] = _split_samples(k, p_on, uniform(key, n_random), branch)
                n_random += samples * min(p_on, 1.0 - p_on) < 1.0
                control[k] += is_waiting[k] * branch[k, _ON_SIZE] - samples * p_on
            else:
                branch[k + 1, _SIZE] = branch[k, _ON_SIZE] = branch[k, _SIZE]
                is_waiting[k] = state[k] == HELD_ON
                is_new = not is_waiting[k]
            k += is_new
        elif is_waiting[k]:
            is_waiting[k], x[k] = False, True
            _switch_on(k, silence[k], child_ptr, child, proposal, nodes, saved, branch)
            k, is_new = k + 1, True
        else:
            if x[k]:
                _undo_switch(k, child_ptr, child, nodes, saved)
                x[k] = False
            k -= 1
    is_exact = n_random == 0
    for topic in range(n):
        control[topic] = 0.0 if is_exact else control[topic] / n_samples
    return Round(states[:count], log_weights[:count], control, is_exact)
