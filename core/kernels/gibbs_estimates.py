"""Inverse probabilities of active nodes, and a likelihood bound, from Gibbs chains.

Ji et al. 2019, §6.1: the likelihood is the sum of the joint probabilities of all states of the
topics. The sum over the distinct states that a chain has visited is therefore a lower bound.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from ..utils.types import FloatArray, Int64Array
from .batch import Model, document_problem
from .bounds import log_joint
from .compiling import kernel, part
from .gibbs import SurvivalModel, local_causes, node_survival, set_topic, topic_log_odds
from .rows import EVEN_BLOCKS, Documents, document_graph, rows_of_block, tokens_of
from .streams import mix, stream_key, uniform
from .threads import on_all_threads

# Lower limit of the probability that a node is on.
_MIN_PROBABILITY = 1e-9


class InverseProbabilities(NamedTuple):
    """1 / P(on | states of the parents) of the active nodes, document by document."""

    topic: np.ndarray  # int32 (n_topics_on,): topics that are on
    of_topics: FloatArray  # float64 (n_topics_on,)
    # float64 (n_tokens_in_documents,): in the order of the documents and of their tokens
    of_tokens: FloatArray


class Pointers(NamedTuple):
    """Start of each document in three lists; each is an int64 array, shape (n_documents + 1,)."""

    state: Int64Array  # All topics of the local model, on or off
    on: Int64Array  # Topics that are on
    token: Int64Array


@part
def document_inverse_probabilities(
    tokens, model, is_full, place, states, topic, of_topics, of_tokens
):
    """Compute the `InverseProbabilities` of ONE document."""
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    for k in range(local.n_topics):
        x[k] = states[k]
    p = np.empty(len(local.node), np.float64)
    node_survival(local, local_causes(local, model), x, p)
    n_on = 0
    for k in range(local.n_topics):
        if x[k]:
            topic[n_on] = local.node[k]
            of_topics[n_on] = 1.0 / max(1.0 - p[k], _MIN_PROBABILITY)
            n_on += 1
    for j in range(len(tokens)):
        of_tokens[j] = 1.0 / max(1.0 - p[local.n_topics + j], _MIN_PROBABILITY)


@kernel
def _blocks_of_inverse_probabilities(blocks, documents, model, is_full, pointers, states, found):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            on = slice(pointers.on[position], pointers.on[position + 1])
            document_inverse_probabilities(
                tokens_of(documents, documents.rows[position], model.n_topics),
                model,
                is_full,
                place,
                states[pointers.state[position] : pointers.state[position + 1]],
                found.topic[on],
                found.of_topics[on],
                found.of_tokens[pointers.token[position] : pointers.token[position + 1]],
            )


def inverse_probabilities(
    documents: Documents,
    model: SurvivalModel,
    is_full: bool,
    pointers: Pointers,
    states: np.ndarray,
) -> InverseProbabilities:
    """`document_inverse_probabilities` of several documents, on all threads."""
    n_on, n_tokens = pointers.on[-1], pointers.token[-1]
    found = InverseProbabilities(np.empty(n_on, np.int32), np.empty(n_on), np.empty(n_tokens))
    on_all_threads(
        _blocks_of_inverse_probabilities,
        EVEN_BLOCKS,
        documents,
        model,
        is_full,
        pointers,
        states,
        found,
    )
    return found


@part
def state_code(x, n_topics):
    """64-bit hash of a state; a collision of two states would only lower the bound."""
    code = np.uint64(0)
    for k in range(n_topics):
        if x[k]:
            code ^= mix(np.uint64(k + 1))
    return code


@part
def sum_distinct(codes, log_values):
    """log of the sum of exp(log_values) over the first entry of each code."""
    order = np.argsort(codes)
    top = log_values.max()
    total = 0.0
    for position in range(len(order)):
        if position == 0 or codes[order[position]] != codes[order[position - 1]]:
            total += exp(log_values[order[position]] - top)
    return top + log(total)


@part
def document_unique_bound(tokens, sampled, model, is_full, place, key, n_sweeps):
    """Bound of ONE document; ``sampled`` and ``model`` hold the same network in two forms.

    Every sweep contributes the state at its start, and the state that differs in each topic that
    was considered for a flip. These are terms of the likelihood, and each distinct one is counted
    once.
    """
    local, weights = document_problem(tokens, model, is_full, place)
    causes = local_causes(local, sampled)
    x = np.empty(len(local.node), np.bool_)
    for i in range(len(local.node)):
        x[i] = i >= local.n_topics
    p = np.empty(len(local.node), np.float64)
    codes = np.empty(n_sweeps * (local.n_topics + 1), np.uint64)
    log_values = np.empty(len(codes), np.float64)
    code = state_code(x, local.n_topics)
    counter = 0
    slot = 0
    for _ in range(n_sweeps):
        node_survival(local, causes, x, p)
        log_value = log_joint(local, weights, x)
        codes[slot], log_values[slot] = code, log_value
        slot += 1
        for i in range(local.n_topics - 1, -1, -1):
            # p(flipped) / p(current) is the ratio of the two conditional probabilities.
            log_odds = topic_log_odds(i, local, causes, x, p)
            codes[slot] = code ^ mix(np.uint64(i + 1))
            log_values[slot] = log_value - log_odds if x[i] else log_value + log_odds
            sampled_state = uniform(key, counter) < 1.0 / (1.0 + exp(-log_odds))
            counter += 1
            if sampled_state != x[i]:
                code, log_value = codes[slot], log_values[slot]
                set_topic(i, sampled_state, local, causes, x, p)
            slot += 1
    return sum_distinct(codes[:slot], log_values[:slot])


@kernel
def _unique_blocks(blocks, documents, sampled, model, is_full, seed, n_sweeps, bounds):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            row = documents.rows[position]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            bounds[position] = document_unique_bound(
                tokens, sampled, model, is_full, place, key, n_sweeps
            )


def unique_bounds(
    documents: Documents,
    sampled: SurvivalModel,
    model: Model,
    is_full: bool,
    seed: np.uint64,
    n_sweeps: int,
) -> FloatArray:
    """`document_unique_bound` of several documents, on all threads, shape (n_documents,)."""
    bounds = np.empty(len(documents.rows))
    on_all_threads(
        _unique_blocks, EVEN_BLOCKS, documents, sampled, model, is_full, seed, n_sweeps, bounds
    )
    return bounds
