"""Estimated bits of all questions, for the order in which exact ones are computed (MATH §11).

The topics are taken as independent given the evidence and the state of one target; outside the
local model, they follow from their parents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.local_model import FREE, local_factors
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .evidence import edges_into, held_states, local_problem
from .infer import infer, kernels_for
from .posterior import Posterior
from .two_layers import sum_all_variants

# Probability of a topic, of the answer no, and of the topic after it → value of the answer.
Gain = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
# Of more words, only the most promising ones are estimated.
MAX_ESTIMATED = 600
# Targets whose pairs with other topics are computed: the least decided ones.
MAX_TARGETS = 24
# Limit on the entries of all products of an elimination that gives the pairs of one target.
MAX_PAIR_TERMS = 2**17
_SURE = 1e-12


class Pairs(NamedTuple):
    """Probabilities of topics given the evidence and one target.

    Attributes
    ----------
    topics : int64 array, shape (n_topics,)
        Ascending: the topics of the local model and all topics below the targets.
    targets : int64 array, shape (n_targets,)
    own : float64 array, shape (n_targets,)
        Probability of every target.
    given : float64 array, shape (2 * n_targets + 1, n_topics)
        With each target on, with each one off, in turn, and whatever they are.
    is_summed : bool
        Whether the topics of the local model are by exact elimination.
    """

    topics: Int64Array
    targets: Int64Array
    own: FloatArray
    given: FloatArray
    is_summed: bool


def pairs_of(
    network: Network, posterior: Posterior, targets: Sequence[int], below: Sequence[int]
) -> Pairs:
    """Pairs of the least decided targets with all topics of the local model and below."""
    graph, p = network.graph, posterior.probability
    places = np.array([posterior.position(topic) for topic in targets], np.int64)
    places = places[np.argsort(np.abs(p[places] - 0.5), kind="stable")[:MAX_TARGETS]]
    own, is_summed = p[places], True
    off = _given_off(network, posterior, places)
    if off is None:
        is_summed, off = False, _sampled_off(network, posterior, places)
    on = (p - (1.0 - own)[:, None] * off) / np.maximum(own, _SURE)[:, None]
    on[np.arange(len(places)), places], off[np.arange(len(places)), places] = 1.0, 0.0
    topics = np.union1d(posterior.local.topics, np.array(below, np.int64)).astype(np.int64)
    column = np.full(graph.n_topics, -1, np.int64)
    column[topics] = np.arange(len(topics))
    given = np.zeros((2 * len(places) + 1, len(topics)))
    local = column[posterior.local.topics]
    given[:-1:2, local], given[1::2, local] = np.clip(on, 0.0, 1.0), np.clip(off, 0.0, 1.0)
    given[-1, local] = p
    is_local = np.zeros(graph.n_topics, bool)
    is_local[posterior.local.topics] = True
    for topic in below if not posterior.evidence.closed_world else ():
        if not is_local[topic]:
            into = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
            above = column[graph.parent_idx[into]]
            pull = given[:, above[above >= 0]] @ network.weight[into][above >= 0]
            given[:, column[topic]] = -np.expm1(-network.leak[topic] - pull)
    return Pairs(topics, posterior.local.topics[places].astype(np.int64), own, given, is_summed)


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


def _sampled_off(network: Network, posterior: Posterior, places: Int64Array) -> FloatArray:
    """The same from the samples, where the share of each target is replaced by its probability."""
    if posterior.samples is None:
        posterior = infer(network, posterior.evidence)
    assert posterior.samples is not None, posterior.method
    state, weight = posterior.samples.state, posterior.samples.weight
    without = ~state[:, places] * weight[:, None]
    total = without.sum(axis=0)[:, None]
    mean = without.T @ state / np.maximum(total, _SURE)
    return np.where(total > _SURE, mean, posterior.probability)


def estimates(
    network: Network, pairs: Pairs, words: Int64Array, gain: Gain
) -> tuple[FloatArray, FloatArray]:
    """Estimated value about the targets, and probability of yes, of each word.

    Of more than `MAX_ESTIMATED` words, the others have the value 0.
    """
    graph = network.graph
    column = np.full(graph.n_topics, -1, np.int64)
    column[pairs.topics] = np.arange(len(pairs.topics))
    nodes = words + graph.n_topics
    count = graph.parent_ptr[nodes + 1] - graph.parent_ptr[nodes]
    edges, word = edges_into(graph, nodes.astype(np.int32)), np.repeat(np.arange(len(words)), count)
    parent = column[graph.parent_idx[edges]]
    edges, word, parent = (each[parent >= 0] for each in (edges, word, parent))
    acts, by_leak = -np.expm1(-network.weight[edges]), np.exp(-network.leak[nodes])
    # Each word has a parent among these topics.
    first = np.searchsorted(word, np.arange(len(words)))
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
        values[chosen] += gain(np.full(len(chosen), q), both, on / np.maximum(both, _SURE))
    return values, 1.0 - no


def _promise(
    pairs: Pairs,
    no: FloatArray,
    word: Int64Array,
    parent: Int64Array,
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
