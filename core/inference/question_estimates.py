"""Estimated bits of all questions, for the order in which exact ones are computed (MATH §11).

Where exact inference is fast, the topics are taken as independent given the evidence and the state
of one target. Otherwise they are taken as independent given the evidence, and samples of the
posterior improve the best of these estimates. Outside the local model, topics follow from their
parents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.local_model import FREE, local_factors
from ..kernels.posterior import Precision, Rounds, sample_posterior
from ..model.labels import marginals
from ..model.network import Network
from ..utils.types import FloatArray, Int32Array, Int64Array
from .evidence import edges_into, held_states, local_problem
from .infer import MAX_ENUMERATED, MAX_ERROR, MIN_ROUNDS, ROUND_SIZE, kernels_for
from .posterior import Posterior
from .two_layers import sum_all_variants

# If there are more words, only the most promising ones are estimated, and fewer from samples.
MAX_ESTIMATED, MAX_SAMPLED = 600, 64
# Targets whose pairs with other topics are computed: the least decided ones.
MAX_TARGETS = 24
# Samples that are used: the rounds of samples until there are as many.
MAX_STATES = 2048
# Limit on the entries of all products of an elimination that gives the pairs of one target.
MAX_PAIR_TERMS = 2**17
_SURE = 1e-12


class Gain(NamedTuple):
    """Measure of a question.

    Attributes
    ----------
    bits : function
        Takes the probability of a topic, the probability of no, and the probability of the topic if
        the answer is no.
    excess : function
        Takes the probability of a topic; mean bits that ``n`` independent samples show of an
        unrelated answer, in units of ``1/(2 n ln 2)``.
    """

    bits: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    excess: Callable[[FloatArray], FloatArray]


class Pairs(NamedTuple):
    """Probabilities of topics given the evidence and one target.

    Attributes
    ----------
    targets : int64 array, shape (n_targets,)
    own : float64 array, shape (n_targets,)
        Probability of every target.
    given : float64 array, shape (2 * n_targets + 1, n_topics)
        Of all topics of the network: with each target on, with each one off, in turn, and whatever
        they are.
    outside : tuple of int
        Topics below the targets that are not in the local model, parents first.
    is_summed : bool
        Whether the topics of the local model are by exact elimination.
    """

    targets: Int64Array
    own: FloatArray
    given: FloatArray
    outside: tuple[int, ...]
    is_summed: bool


def pairs_of(
    network: Network, posterior: Posterior, targets: Sequence[int], below: Sequence[int]
) -> Pairs:
    """Pairs of the least decided targets, or of all if they are estimated, with all topics."""
    p, local = posterior.probability, posterior.local.topics
    places = np.array([posterior.position(topic) for topic in targets], np.int64)
    least = places[np.argsort(np.abs(p[places] - 0.5), kind="stable")[:MAX_TARGETS]]
    off = _given_off(network, posterior, least)
    is_summed = off is not None
    if off is None:
        off = np.tile(p, (len(places), 1))
    else:
        places = least
    own = p[places]
    on = (p - (1.0 - own)[:, None] * off) / np.maximum(own, _SURE)[:, None]
    on[np.arange(len(places)), places], off[np.arange(len(places)), places] = 1.0, 0.0
    every = np.zeros(network.graph.n_topics)
    every[local] = p
    if not posterior.evidence.closed_world:
        known = dict(zip(local.tolist(), p.tolist(), strict=True))
        every = marginals(network, known)[: network.graph.n_topics]
    given = np.tile(every, (2 * len(places) + 1, 1))
    given[:-1:2, local], given[1::2, local] = np.clip(on, 0.0, 1.0), np.clip(off, 0.0, 1.0)
    is_local = np.zeros(network.graph.n_topics, bool)
    is_local[local] = True
    # In a closed world, all topics outside the local model are off.
    outside = [k for k in below if not is_local[k]] if not posterior.evidence.closed_world else []
    for topic in outside:
        given[:, topic] = _from_parents(network, topic, given)
    return Pairs(local[places].astype(np.int64), own, given, tuple(outside), is_summed)


def _from_parents(network: Network, topic: int, state: FloatArray) -> FloatArray:
    """Probability of a topic given each row of probabilities of all topics."""
    into = slice(network.graph.parent_ptr[topic], network.graph.parent_ptr[topic + 1])
    acts = -np.expm1(-network.weight[into])
    silent = (1.0 - state[:, network.graph.parent_idx[into]] * acts).prod(axis=1)
    return np.asarray(1.0 - np.exp(-network.leak[topic]) * silent)


def _given_off(network: Network, posterior: Posterior, places: Int64Array) -> FloatArray | None:
    """Probability of all topics of the local model with each of some off; None if it is slow."""
    if posterior.method != "elimination" or not len(places):
        return None
    local, weights = local_problem(network, posterior.evidence)
    with kernels_for(local):
        factors = local_factors(local, weights, held_states(local, posterior.evidence))
    if (factors.state[places] != FREE).any():
        return None
    rows = np.tile(factors.silence, (len(places), 1))
    rows[np.arange(len(places)), places] = np.inf
    found = sum_all_variants(local, factors, rows, MAX_PAIR_TERMS)
    return None if found is None or not np.isfinite(found[0]).all() else found[0]


def from_samples(
    network: Network, posterior: Posterior, pairs: Pairs, words: Int64Array, gain: Gain
) -> tuple[FloatArray, FloatArray]:
    """Value about the targets, and probability of yes, of each word, from samples.

    The value is lowered by what independent samples would show of unrelated variables on average.
    """
    rounds = _rounds(network, posterior)
    n_rounds = min(int(np.searchsorted(rounds.ptr, MAX_STATES)), len(rounds.log_sum))
    n_states = int(rounds.ptr[n_rounds])
    weight = np.exp(rounds.log_weight[:n_states] - rounds.log_weight[:n_states].max())
    weight /= weight.sum()
    is_on = np.tile(pairs.given[-1], (n_states, 1))
    is_on[:, posterior.local.topics] = rounds.state[:n_states]
    for topic in pairs.outside:
        is_on[:, topic] = _from_parents(network, topic, is_on)
    nodes = (words + network.graph.n_topics).tolist()
    absent = np.stack([1.0 - _from_parents(network, node, is_on) for node in nodes], axis=1)
    targets = is_on[:, pairs.targets]
    no, p = weight @ absent, weight @ targets
    p_if_no = (weight[:, None] * absent).T @ targets / np.maximum(no, _SURE)[:, None]
    values = gain.bits(p, no[:, None], np.clip(p_if_no, 0.0, 1.0)).sum(axis=1)
    share = np.exp(rounds.log_sum[:n_rounds] - rounds.log_sum[:n_rounds].max())
    n_effective = ROUND_SIZE * share.sum() ** 2 / (share**2).sum()
    if not rounds.is_exact:
        excess = np.minimum(gain.excess(p), n_effective).sum()
        values -= excess / (2.0 * np.log(2.0) * n_effective)
    return np.maximum(values, 0.0), 1.0 - no


def _rounds(network: Network, posterior: Posterior) -> Rounds:
    """Samples of the posterior, or `MIN_ROUNDS` rounds of new ones if it is not by sampling.

    The compiled kernels draw them; NumPy would take longer than all other steps.
    """
    if posterior.method == "sampling" and posterior.samples is not None:
        return posterior.samples.rounds
    local, weights = local_problem(network, posterior.evidence)
    factors = local_factors(local, weights, held_states(local, posterior.evidence))
    precision = Precision(MAX_ERROR, ROUND_SIZE, MIN_ROUNDS, MIN_ROUNDS, MAX_ENUMERATED)
    rounds, *_ = sample_posterior(local, factors, precision, posterior.evidence.key())
    return Rounds(*rounds)


def estimates(
    network: Network, pairs: Pairs, words: Int64Array, gain: Gain
) -> tuple[FloatArray, FloatArray]:
    """Estimated value about the targets, and probability of yes, of each word.

    If there are more than `MAX_ESTIMATED` words, the others have the value 0.
    """
    graph = network.graph
    nodes = (words + graph.n_topics).astype(np.int32)
    count = graph.parent_ptr[nodes + 1] - graph.parent_ptr[nodes]
    edges, word = edges_into(graph, nodes), np.repeat(np.arange(len(words)), count)
    parent, acts = graph.parent_idx[edges], -np.expm1(-network.weight[edges])
    by_leak = np.exp(-network.leak[nodes])
    # Each word has a parent.
    first = np.cumsum(count) - count
    no = by_leak * np.multiply.reduceat(1.0 - pairs.given[-1, parent] * acts, first)
    chosen = np.arange(len(words))
    if len(words) > MAX_ESTIMATED:
        promise = _promise(pairs, no, word, parent, acts, first)
        chosen = np.sort(np.argsort(-promise, kind="stable")[:MAX_ESTIMATED])
        kept = np.isin(word, chosen)
        parent, acts = parent[kept], acts[kept]
        first = np.searchsorted(word[kept], chosen)
    silent = np.multiply.reduceat(1.0 - pairs.given[:-1, parent] * acts, first, axis=1)
    values = np.zeros(len(words))
    for number, q in enumerate(pairs.own.tolist()):
        on = q * by_leak[chosen] * silent[2 * number]
        both = on + (1.0 - q) * by_leak[chosen] * silent[2 * number + 1]
        values[chosen] += gain.bits(np.full(len(chosen), q), both, on / np.maximum(both, _SURE))
    return values, 1.0 - no


def _promise(
    pairs: Pairs,
    no: FloatArray,
    word: Int64Array,
    parent: Int32Array,
    acts: FloatArray,
    first: Int64Array,
) -> FloatArray:
    """Rough information of each word about its parents, as far as these are about the targets.

    The information of two binary variables is about half their squared correlation.
    """
    p = pairs.given[-1]
    spread = pairs.given[:-1:2] - pairs.given[1::2]
    own = (pairs.own * (1.0 - pairs.own))[:, None]
    relevance = (own * spread**2).sum(axis=0) / np.maximum(p * (1.0 - p), _SURE)
    relevance = np.minimum(relevance, 1.0) * p * (1.0 - p)
    each = relevance[parent] * (acts / np.maximum(1.0 - p[parent] * acts, _SURE)) ** 2
    odds = no / np.maximum(1.0 - no, _SURE)
    return np.asarray(odds * np.add.reduceat(each, first))
