"""Exact inference when no topic has a parent, for many silences at once (MATH §11).

The topics of such a local model are independent but for the words that are present. They are added
one after the other to a table over the sets of words that have a cause, which takes 2^n numbers for
n words, whatever the number of topics. All numbers are probabilities, so no digits are lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.local_model import HELD_OFF, HELD_ON, Factors, LocalGraph
from ..utils.types import FloatArray
from .elimination import sum_variants

# Limit on the numbers of all tables of one block of variants: 32 megabytes.
MAX_BLOCK = 2**22
# Variants in one elimination of another local model.
BATCH = 64


class _Cause(NamedTuple):
    """Topic above words that are present: its number, and its links to these words."""

    topic: int
    words: list[int]
    effects: list[float]
    survivals: list[float]


def sum_all_variants(
    local: LocalGraph, factors: Factors, silence: FloatArray, max_terms: int
) -> tuple[FloatArray, FloatArray] | None:
    """The results of `elimination.sum_variants` for any number of variants, by the faster way."""
    if has_two_layers(local):
        found = sum_two_layers(local, factors, silence, max_terms)
        if found is not None:
            return found
    probability, log_sum = np.empty_like(silence), np.empty(len(silence))
    for begin in range(0, len(silence), BATCH):
        part = slice(begin, begin + BATCH)
        found = sum_variants(local, factors, silence[part], max_terms)
        if found is None:
            return None
        probability[part], log_sum[part] = found
    return probability, log_sum


def has_two_layers(local: LocalGraph) -> bool:
    """Whether no topic of a local model has a parent."""
    return int(local.parent_ptr[local.n_topics]) == 0


def sum_two_layers(
    local: LocalGraph, factors: Factors, silence: FloatArray, max_terms: int
) -> tuple[FloatArray, FloatArray] | None:
    """The results of `elimination.sum_variants`, for a local model that `has_two_layers`.

    Parameters
    ----------
    silence : float64 array, shape (n_variants, n_topics)
        In place of ``factors.silence``; infinite for a topic that is off.
    max_terms : int
        Limit on the number of entries of all tables of one variant.

    Returns
    -------
    (float64 array of shape (n_variants, n_topics), float64 array of shape (n_variants,)), or None
    beyond the limit
        Probability of every topic, and log-probability of the evidence in nats.
    """
    n_topics, causes = local.n_topics, _causes(local, factors)
    n_words = len(local.node) - n_topics
    n_terms = 2**n_words * (len(causes) + 1)
    if n_terms > max_terms:
        return None
    state, size = factors.state, max(MAX_BLOCK // n_terms, 1)
    with np.errstate(all="ignore"):
        log_off, log_on = np.log([factors.leak_off[:n_topics], factors.leak_on[:n_topics]])
        log_off = np.where(state == HELD_ON, -np.inf, log_off)
        log_on = np.where(state == HELD_OFF, -np.inf, log_on - silence)
        log_any = np.logaddexp(log_off, log_on)
        probability = np.exp(log_on - log_any)
        share, log_sum = probability.T.copy(), factors.log_scale + log_any.sum(axis=1)
        leaks = np.stack([factors.leak_off[n_topics:], factors.leak_on[n_topics:]], axis=1)
        for begin in range(0, len(log_sum), size):
            part = slice(begin, begin + size)
            log_sum[part] += _add_words(causes, leaks, share[:, part], probability[part])
    return probability, log_sum


def _causes(local: LocalGraph, factors: Factors) -> list[_Cause]:
    found: list[_Cause] = []
    for topic in range(local.n_topics):
        links = slice(int(local.child_ptr[topic]), int(local.child_ptr[topic + 1]))
        edges = local.child_edge[links]
        if len(edges) and factors.state[topic] != HELD_OFF:
            words = (local.child[links] - local.n_topics).tolist()
            each = factors.effect[edges].tolist(), factors.survival[edges].tolist()
            found.append(_Cause(topic, words, *each))
    return found


def _add_words(
    causes: list[_Cause], leaks: FloatArray, share: FloatArray, probability: FloatArray
) -> FloatArray:
    """Log-probability that all words have a cause, given all other evidence, by variant.

    ``share`` (shape (n_topics, n_variants)) has the probability of every topic given all other
    evidence; the rows of ``probability`` (shape (n_variants, n_topics)) are replaced for the
    causes by the ones given all evidence. Tables have the shape (2^n_words, n_variants); bit i of
    a row's number is whether word i, counted from the last, has a cause.
    """
    first = np.ones(1)
    for leak in leaks:
        first = (first[:, None] * leak).ravel()
    n_words, n_variants = len(leaks), share.shape[1]
    tables = [np.broadcast_to(first[:, None], (len(first), n_variants))]
    for cause in causes:
        acted = tables[-1].copy()
        for word, effect, survival in zip(*cause[1:], strict=True):
            view = acted.reshape(2**word, 2, 2 ** (n_words - 1 - word), n_variants)
            view[:, 1] += effect * view[:, 0]
            view[:, 0] *= survival
        p = share[cause.topic]
        tables.append((1.0 - p) * tables[-1] + p * acted)
    total = tables[-1][-1]
    # Backward, the table is the probability of the words given the set that has a cause so far.
    later = np.zeros_like(tables[-1])
    later[-1] = 1.0
    for cause, before in zip(reversed(causes), reversed(tables[:-1]), strict=True):
        acted = later.copy()
        for word, effect, survival in zip(*cause[1:], strict=True):
            view = acted.reshape(2**word, 2, 2 ** (n_words - 1 - word), n_variants)
            view[:, 0] *= survival
            view[:, 0] += effect * view[:, 1]
        p = share[cause.topic]
        probability[:, cause.topic] = p * np.einsum("sv,sv->v", before, acted) / total
        later = (1.0 - p) * later + p * acted
    return np.asarray(np.log(total))
