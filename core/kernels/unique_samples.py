"""Lower bound on the likelihood of one document: the joint of all distinct states of a chain.

Ji et al. 2019, §6.1: the joint probabilities of different states of the topics are parts of the
sum that the likelihood is, so adding up those that a chain has visited can never exceed it.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.kernels.batch import Model, document_problem
from orrery.core.kernels.compiling import kernel, part
from orrery.core.kernels.gibbs import (
    SurvivalModel,
    local_causes,
    node_survival,
    set_topic,
    topic_log_odds,
)
from orrery.core.kernels.joint import log_joint
from orrery.core.kernels.rows import EVEN_BLOCKS, Documents, rows_of_block, tokens_of
from orrery.core.kernels.streams import mix, stream_key, uniform
from orrery.core.kernels.threads import on_all_threads


@part
def state_code(x, n_topics):
    """64 bits that tell states apart; two states with one code would only lower the bound."""
    code = np.uint64(0)
    for k in range(n_topics):
        if x[k]:
            code ^= mix(np.uint64(k + 1))
    return code


@part
def sum_distinct(codes, log_values):
    """log of the sum of exp(log_values) over the first of each code."""
    order = np.argsort(codes)
    top = log_values.max()
    total = 0.0
    for position in range(len(order)):
        if position == 0 or codes[order[position]] != codes[order[position - 1]]:
            total += exp(log_values[order[position]] - top)
    return top + log(total)


@part
def document_unique_bound(tokens, sampled, model, is_full, place, key, n_sweeps):
    """Bound of ONE document; ``sampled`` and ``model`` are the same network in two forms.

    Every sweep adds the state it ends in, and every topic's flip tried on the way: all of them
    are distinct parts of the sum, whatever the chain does next.
    """
    local, weights = document_problem(tokens, model, is_full, place)
    causes = local_causes(local, sampled)
    x = np.ones(len(local.node), np.bool_)
    x[: local.n_topics] = False
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
            # p(flipped) / p(as it is) is the ratio of the two conditionals.
            log_odds = topic_log_odds(i, local, causes, x, p)
            codes[slot] = code ^ mix(np.uint64(i + 1))
            log_values[slot] = log_value - log_odds if x[i] else log_value + log_odds
            drawn = uniform(key, counter) < 1.0 / (1.0 + exp(-log_odds))
            counter += 1
            if drawn != x[i]:
                code, log_value = codes[slot], log_values[slot]
                set_topic(i, drawn, local, causes, x, p)
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
    """`document_unique_bound` of some documents, on all threads, shape (n_documents,)."""
    bounds = np.empty(len(documents.rows))
    on_all_threads(
        _unique_blocks, EVEN_BLOCKS, documents, sampled, model, is_full, seed, n_sweeps, bounds
    )
    return bounds
