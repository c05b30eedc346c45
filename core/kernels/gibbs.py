"""Gibbs sampling of the topics of one document, and what a sweep says of the causes of its nodes.

A node that is on was switched on by at least one of its active parents or by chance. Given the
states of all nodes, each of these causes acted with a known probability; their sums over many
documents are all that the M-step of Monte Carlo EM needs (see `core.sampling`).
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np
from numba import prange

from core.kernels.batch import document_graph, document_topics, tokens_of
from core.kernels.compiling import kernel, parallel_kernel
from core.kernels.streams import stream_key, uniform

# A product of odds beyond this is rescaled before it overflows.
_LARGE = 1e100
_LOG_LARGE = 230.25850929940458
# A node as sure as this to be on is on; its odds must still leave room for a factor.
_SMALLEST_SURVIVAL = 1e-280
# An activation below this adds nothing to any sum that could be seen in it.
_NEGLIGIBLE = 1e-9


class SurvivalModel(NamedTuple):
    """A network as the sampler wants it: the probabilities with which causes fail.

    Attributes
    ----------
    n_topics : int
    parent_ptr, parent_idx : int64 and int32 arrays
        The graph's view from children to parents.
    survival : float64 array, shape (n_edges,)
        exp(-w): the child survives this cause and stays off.
    leak_survival : float64 array, shape (n_nodes,)
        exp(-w0).
    child_total : float64 array, shape (n_topics,)
        W of MATH §2.
    """

    n_topics: int
    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    survival: np.ndarray
    leak_survival: np.ndarray
    child_total: np.ndarray


class CauseSums(NamedTuple):
    """Expected numbers of acting causes, summed over documents.

    Attributes
    ----------
    edge : float64 array, shape (n_edges,)
        How often the parent switched the child on.
    leak : float64 array, shape (n_nodes,)
        How often chance switched the node on.
    usage : float64 array, shape (n_topics,)
        How often the topic was on.
    """

    edge: np.ndarray
    leak: np.ndarray
    usage: np.ndarray


@kernel
def node_survival(local, model, x, p):
    """Fill p[i], the probability that node i stays off given the states of its parents (eq. 1)."""
    for i in range(len(local.node)):
        p[i] = model.leak_survival[local.node[i]]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            if x[local.parent[e]]:
                p[i] *= model.survival[local.edge[e]]


@kernel
def topic_odds(i, local, model, x, p):
    """Odds that topic i is on given the states of all other nodes, as (odds, log of a factor).

    Its children that are off, inside the local graph and outside, are in W; those that are on
    each multiply the odds by (1 - p1) / ((1 - p0) t), with their survival p1 while the topic is
    on and p0 while it is off.
    """
    odds = (1.0 - p[i]) / max(p[i], _SMALLEST_SURVIVAL)
    log_factor = -model.child_total[local.node[i]]
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        c = local.child[slot]
        if x[c]:
            t = model.survival[local.edge[local.child_edge[slot]]]
            ceiling = model.leak_survival[local.node[c]]
            p0 = min(p[c] / t, ceiling) if x[i] else p[c]
            odds *= (1.0 - p0 * t) / ((1.0 - p0) * t)
            if odds > _LARGE:
                odds /= _LARGE
                log_factor += _LOG_LARGE
    return odds, log_factor


@kernel
def topic_probability(i, local, model, x, p):
    """Probability that topic i is on given the states of all other nodes."""
    odds, log_factor = topic_odds(i, local, model, x, p)
    return odds / (odds + exp(-log_factor))


@kernel
def topic_log_odds(i, local, model, x, p):
    """Logarithm of `topic_odds`, exact where the probability rounds to 0 or 1."""
    odds, log_factor = topic_odds(i, local, model, x, p)
    return log_factor + log(odds)


@kernel
def set_topic(i, state, local, model, x, p):
    """Switch topic i and carry the change into the survival of its children."""
    if state == x[i]:
        return
    x[i] = state
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        c = local.child[slot]
        t = model.survival[local.edge[local.child_edge[slot]]]
        p[c] = p[c] * t if state else min(p[c] / t, model.leak_survival[local.node[c]])


@kernel
def add_causes(i, q, local, model, x, p, sums):
    """Add what topic i does to its children, averaged over its own state (Rao–Blackwell)."""
    sums.usage[local.node[i]] += q
    if q < _NEGLIGIBLE:
        return
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        c = local.child[slot]
        if x[c]:
            e = local.edge[local.child_edge[slot]]
            t = model.survival[e]
            p1 = p[c] if x[i] else p[c] * t
            sums.edge[e] += q * (1.0 - t) / (1.0 - p1)


@kernel
def add_chance(local, model, x, p, sums):
    """Add how often chance switched on the nodes that are on."""
    for i in range(len(local.node)):
        if x[i]:
            node = local.node[i]
            sums.leak[node] += (1.0 - model.leak_survival[node]) / (1.0 - p[i])


@kernel
def sweep(local, model, x, p, key, is_counted, sums):
    """Draw every topic once given all others, from the words upward.

    ``key`` names the random numbers of this sweep (see `streams`), one for each topic.
    """
    for i in range(local.n_topics - 1, -1, -1):
        q = topic_probability(i, local, model, x, p)
        if is_counted:
            add_causes(i, q, local, model, x, p, sums)
        set_topic(i, uniform(key, i) < q, local, model, x, p)
    if is_counted:
        add_chance(local, model, x, p, sums)


@kernel
def document_sweeps(tokens, model, is_full, place, states, key, n_before, n_sweeps, n_burn, sums):
    """Continue the chain of ONE document; changes ``states`` in place and adds to the sums.

    ``states`` holds the topics of the local model in ascending order; ``n_before`` sweeps were
    drawn earlier; the first ``n_burn`` sweeps are not counted.
    """
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    x[: local.n_topics] = states
    p = np.empty(len(local.node), np.float64)
    for number in range(n_sweeps):
        node_survival(local, model, x, p)
        sweep_key = stream_key(key, n_before + number)
        sweep(local, model, x, p, sweep_key, number >= n_burn, sums)
    states[:] = x[: local.n_topics]


@kernel
def local_sizes(documents, model, is_full):
    """Number of topics in the local model of every document."""
    sizes = np.empty(len(documents.rows), np.int64)
    place = np.full(model.n_topics, -1, np.int32)
    for position in range(len(documents.rows)):
        tokens = tokens_of(documents, documents.rows[position], model.n_topics)
        topics = document_topics(tokens, model, is_full, place)
        place[topics] = -1
        sizes[position] = len(topics)
    return sizes


@parallel_kernel
def sweep_documents(
    documents, model, is_full, chain_ptr, states, seed, n_before, n_sweeps, n_burn, n_blocks
):
    """`document_sweeps` of some documents; returns the `CauseSums` of every block, stacked."""
    n_documents = len(documents.rows)
    edge = np.zeros((n_blocks, len(model.survival)), np.float64)
    leak = np.zeros((n_blocks, len(model.leak_survival)), np.float64)
    usage = np.zeros((n_blocks, model.n_topics), np.float64)
    for block in prange(n_blocks):
        place = np.full(model.n_topics, -1, np.int32)
        sums = CauseSums(edge[block], leak[block], usage[block])
        for position in range(
            block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks
        ):
            row = documents.rows[position]
            document_sweeps(
                tokens_of(documents, row, model.n_topics),
                model,
                is_full,
                place,
                states[chain_ptr[position] : chain_ptr[position + 1]],
                stream_key(seed, row),
                n_before,
                n_sweeps,
                n_burn,
                sums,
            )
    return edge, leak, usage


@kernel
def document_marginals(tokens, model, is_full, place, key, n_sweeps, n_burn, probability):
    """Mean conditional probability of every local topic of ONE document along its chain."""
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    x[: local.n_topics] = False
    p = np.empty(len(local.node), np.float64)
    counter = 0
    for number in range(n_sweeps):
        node_survival(local, model, x, p)
        for i in range(local.n_topics - 1, -1, -1):
            q = topic_probability(i, local, model, x, p)
            set_topic(i, uniform(key, counter) < q, local, model, x, p)
            counter += 1
            if number >= n_burn:
                probability[i] += q / (n_sweeps - n_burn)
    return local.node[: local.n_topics]


@parallel_kernel
def marginals(documents, model, is_full, chain_ptr, seed, n_sweeps, n_burn):
    """`document_marginals` of some documents: (topic, probability), both cut by ``chain_ptr``."""
    topic = np.empty(chain_ptr[-1], np.int32)
    probability = np.zeros(chain_ptr[-1], np.float64)
    for position in prange(len(documents.rows)):
        row = documents.rows[position]
        place = np.full(model.n_topics, -1, np.int32)
        begin, end = chain_ptr[position], chain_ptr[position + 1]
        topic[begin:end] = document_marginals(
            tokens_of(documents, row, model.n_topics),
            model,
            is_full,
            place,
            stream_key(seed, row),
            n_sweeps,
            n_burn,
            probability[begin:end],
        )
    return topic, probability
