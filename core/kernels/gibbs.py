"""Gibbs sampling of the topics of one document, and expected counts of acting causes (MATH §8).

A node that is on was switched on by at least one active parent or by its leak. Given the states of
all nodes, each of these causes acted with a known probability. The sums of these probabilities over
documents are the sufficient statistics of the M-step of Monte Carlo EM (see
`orrery.core.training.gibbs`).
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from ..utils.types import FloatArray, Int64Array
from .compiling import borrowing_kernel, kernel, part
from .rows import (
    EVEN_BLOCKS,
    Documents,
    Parents,
    document_graph,
    rows_of_block,
    tokens_of,
    topic_pointer,
)
from .streams import stream_key, uniform
from .threads import on_all_threads

# Products of odds are rescaled above this value, before they overflow.
_LARGE = 1e100
_LOG_LARGE = 230.25850929940458
# Lower limit of the probability that a node stays off, so that its odds stay finite.
_MIN_SURVIVAL = 1e-280
# Activations below this do not change any sum noticeably.
_NEGLIGIBLE = 1e-9
# A cause that never acts keeps this probability, so that it may act again later.
MIN_CAUSE = 1e-5
MAX_CAUSE = 1.0 - 1e-6
# Probabilities, in documents, that remain for the leak and for any other cause if it acted in this
# document only. They are so small that the leak accounts for the word.
_MIN_LEAK, _MIN_CAUSE = 0.01, 0.001
# Minimum share of the trials that other documents must have in a probability.
_MIN_OTHERS = 0.5


class SurvivalModel(NamedTuple):
    """Network as failure probabilities of its causes, the form that the sampler uses."""

    n_topics: int
    # parent_ptr, parent_idx: int64 and int32: parents of every node, see `Graph`
    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    # float64 (n_edges,): exp(-w), the probability that the cause fails and the child stays off
    survival: np.ndarray
    leak_survival: np.ndarray  # float64 (n_nodes,): exp(-w0)
    child_total: np.ndarray  # float64 (n_topics,): W of MATH §2


class CauseSums(NamedTuple):
    """Expected numbers of acting causes, summed over documents, or one row for each block."""

    # float64 (n_edges,) or (n_blocks, n_edges): how often the parent switched the child on
    edge: np.ndarray
    # float64 (n_nodes,) or (n_blocks, n_nodes): how often the leak switched the node on
    leak: np.ndarray
    # float64 (n_topics,) or (n_blocks, n_topics): how often the topic was on
    usage: np.ndarray


class LocalCauses(NamedTuple):
    """`SurvivalModel` of one document, indexed as its local graph."""

    survival: np.ndarray  # float64 (n_local_edges,): in the order of ``local.edge``
    leak_survival: np.ndarray  # float64 (n_local_nodes,)
    child_total: np.ndarray  # float64 (n_local_topics,)


class Sweeps(NamedTuple):
    """Numbers of sweeps of a chain: earlier, sampled, and discarded."""

    before: int  # Number of earlier sweeps; the stream of random numbers continues after them
    drawn: int  # Number of sweeps to sample
    burn_in: int  # Number of initial sweeps that are not counted


class States(NamedTuple):
    """States of the topics in the local models of several documents."""

    ptr: np.ndarray  # int64 (n_documents + 1,): the `topic_pointer` of the documents
    on: np.ndarray  # bool (ptr[-1],): topics in ascending order, document by document


class DocumentShare(NamedTuple):
    """Share of one document in the probabilities: 1 / (number of trials behind a probability)."""

    # float64 (n_edges,): at most 1; 0 for a weight that was not estimated from documents
    edge: np.ndarray
    leak: float  # 0 if no document is left out


@part
def local_causes(local, model):
    """`LocalCauses` of a document."""
    survival = np.empty(len(local.edge), np.float64)
    leak_survival = np.empty(len(local.node), np.float64)
    child_total = np.empty(local.n_topics, np.float64)
    causes = LocalCauses(survival, leak_survival, child_total)
    select_causes(local, model, causes)
    return causes


@borrowing_kernel
def select_causes(local, model, causes):
    """Fill `LocalCauses` from the network."""
    survival, leak_survival, child_total = causes
    # Loops, because a selection by an array of numbers takes long to compile.
    for e in range(len(local.edge)):
        survival[e] = model.survival[local.edge[e]]
    for i in range(len(local.node)):
        leak_survival[i] = model.leak_survival[local.node[i]]
    for k in range(local.n_topics):
        child_total[k] = model.child_total[local.node[k]]


@borrowing_kernel
def node_survival(local, causes, x, p):
    """Compute p[i], the probability that node i is off given the states of its parents (eq. 1)."""
    for i in range(len(local.node)):
        p[i] = causes.leak_survival[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            if x[local.parent[e]]:
                p[i] *= causes.survival[e]


@borrowing_kernel
def leave_out(local, share, x, causes, p):
    """Remove this document's contribution from the probabilities of causes that may have acted.

    Active nodes must then be explained by what other documents support. Otherwise a word that
    occurs in one document would give an edge exactly the weight that explains it. If a cause with
    probability q acted here with probability r, and this document has the share s, then
    (q - s r) / (1 - s) remains, as in collapsed sampling and CVB0 (Asuncion et al. 2009). This
    applies to the causes and nodes that are on in the current state; the others keep their
    probabilities, in which earlier states of the document decay. ``p`` holds `node_survival` on
    entry and on exit.
    """
    smallest = min(MIN_CAUSE, _MIN_CAUSE * share.leak)
    for i in range(len(local.node)):
        if x[i]:
            is_on = max(1.0 - p[i], _NEGLIGIBLE)
            leak = 1.0 - causes.leak_survival[i]
            leak = max(leak - share.leak * leak / is_on, _MIN_LEAK * share.leak)
            causes.leak_survival[i] = 1.0 - leak
            for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
                k, edge_share = local.parent[e], share.edge[local.edge[e]]
                if x[k] and edge_share > 0.0:
                    q = 1.0 - causes.survival[e]
                    q = (q - edge_share * q / is_on) / max(1.0 - edge_share, _MIN_OTHERS)
                    survival = 1.0 - min(max(q, smallest), MAX_CAUSE)
                    causes.child_total[k] += log(causes.survival[e] / survival)
                    causes.survival[e] = survival
    node_survival(local, causes, x, p)


@part
def topic_odds(i, local, causes, x, p):
    """Odds that topic i is on given the states of all other nodes, as (odds, log of a factor).

    Children that are off, inside the local graph and outside, contribute through W. Each child that
    is on multiplies the odds by (1 - p1) / ((1 - p0) t), where p1 and p0 are its survival
    probabilities with the topic on and off.
    """
    odds = (1.0 - p[i]) / max(p[i], _MIN_SURVIVAL)
    log_factor = -causes.child_total[i]
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        c = local.child[slot]
        if x[c]:
            t = causes.survival[local.child_edge[slot]]
            p0 = min(p[c] / t, causes.leak_survival[c]) if x[i] else p[c]
            odds *= (1.0 - p0 * t) / ((1.0 - p0) * t)
            if odds > _LARGE:
                odds /= _LARGE
                log_factor += _LOG_LARGE
    return odds, log_factor


@part
def topic_probability(i, local, causes, x, p):
    """Probability that topic i is on given the states of all other nodes."""
    odds, log_factor = topic_odds(i, local, causes, x, p)
    return odds / (odds + exp(-log_factor))


@part
def topic_log_odds(i, local, causes, x, p):
    """Logarithm of `topic_odds`, accurate also if the probability rounds to 0 or 1."""
    odds, log_factor = topic_odds(i, local, causes, x, p)
    return log_factor + log(odds)


@part
def set_topic(i, state, local, causes, x, p):
    """Set the state of topic i and update the survival probabilities of its children."""
    if state != x[i]:
        x[i] = state
        for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
            c = local.child[slot]
            t = causes.survival[local.child_edge[slot]]
            p[c] = p[c] * t if state else min(p[c] / t, causes.leak_survival[c])


@part
def add_causes(i, q, local, causes, x, p, sums):
    """Add the expected actions of topic i on its children, averaged over its own state.

    The average reduces the variance (Rao–Blackwell).
    """
    sums.usage[local.node[i]] += q
    if q >= _NEGLIGIBLE:
        for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
            c = local.child[slot]
            if x[c]:
                e = local.child_edge[slot]
                t = causes.survival[e]
                p1 = p[c] if x[i] else p[c] * t
                sums.edge[local.edge[e]] += q * (1.0 - t) / (1.0 - p1)


@part
def add_leak_causes(local, causes, x, p, sums):
    """Add the expected number of times that the leaks switched on the nodes that are on."""
    for i in range(len(local.node)):
        if x[i]:
            sums.leak[local.node[i]] += (1.0 - causes.leak_survival[i]) / (1.0 - p[i])


@borrowing_kernel
def sweep(local, causes, x, p, key, is_counted, sums):
    """Sample every topic once given all others, from the words upward.

    ``key`` identifies the random numbers of this sweep (see `streams`), one for each topic.
    """
    for i in range(local.n_topics - 1, -1, -1):
        q = topic_probability(i, local, causes, x, p)
        if is_counted:
            add_causes(i, q, local, causes, x, p, sums)
        set_topic(i, uniform(key, i) < q, local, causes, x, p)
    if is_counted:
        add_leak_causes(local, causes, x, p, sums)


@part
def document_sweeps(tokens, model, share, is_full, place, on, key, sweeps, sums):
    """Continue the Gibbs chain of ONE document; changes ``on`` in place and adds to the sums.

    ``on`` holds the states of the topics of the local model in ascending order. If ``share.leak``
    is above 0, every sweep samples from the network without this document (see `leave_out`).
    """
    local = document_graph(tokens, model, is_full, place)
    x = np.ones(len(local.node), np.bool_)
    for k in range(local.n_topics):
        x[k] = on[k]
    p = np.empty(len(local.node), np.float64)
    causes = local_causes(local, model)
    for number in range(sweeps.drawn):
        select_causes(local, model, causes)
        node_survival(local, causes, x, p)
        if share.leak > 0.0:
            leave_out(local, share, x, causes, p)
        sweep_key = stream_key(key, sweeps.before + number)
        sweep(local, causes, x, p, sweep_key, number >= sweeps.burn_in, sums)
    for k in range(local.n_topics):
        on[k] = x[k]


@kernel
def _sweep_blocks(blocks, documents, model, share, is_full, states, seed, sweeps, sums):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        own = CauseSums(sums.edge[block], sums.leak[block], sums.usage[block])
        for position in rows_of_block(documents, block, len(sums.usage)):
            row = documents.rows[position]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            on = states.on[states.ptr[position] : states.ptr[position + 1]]
            document_sweeps(tokens, model, share, is_full, place, on, key, sweeps, own)


def sweep_documents(
    documents: Documents,
    model: SurvivalModel,
    share: DocumentShare,
    is_full: bool,
    states: States,
    seed: np.uint64,
    sweeps: Sweeps,
    n_blocks: int,
) -> CauseSums:
    """`document_sweeps` of several documents, on all threads; the `CauseSums` of all blocks.

    The states are changed in place.
    """
    sums = CauseSums(
        np.zeros((n_blocks, len(model.survival))),
        np.zeros((n_blocks, len(model.leak_survival))),
        np.zeros((n_blocks, model.n_topics)),
    )
    work = (documents, model, share, is_full, states, seed, sweeps)
    on_all_threads(_sweep_blocks, n_blocks, *work, sums)
    return sums


@part
def document_marginals(tokens, model, is_full, place, key, sweeps, probability):
    """Mean conditional probability of every local topic of ONE document along its chain."""
    local = document_graph(tokens, model, is_full, place)
    causes = local_causes(local, model)
    x = np.empty(len(local.node), np.bool_)
    for i in range(len(local.node)):
        x[i] = i >= local.n_topics
    p = np.empty(len(local.node), np.float64)
    counter = 0
    for number in range(sweeps.drawn):
        node_survival(local, causes, x, p)
        for i in range(local.n_topics - 1, -1, -1):
            q = topic_probability(i, local, causes, x, p)
            set_topic(i, uniform(key, counter) < q, local, causes, x, p)
            counter += 1
            if number >= sweeps.burn_in:
                probability[i] += q / (sweeps.drawn - sweeps.burn_in)
    return local.node[: local.n_topics]


@kernel
def _marginal_blocks(blocks, documents, model, is_full, pointer, seed, sweeps, topic, probability):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            row = documents.rows[position]
            begin, end = pointer[position], pointer[position + 1]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            own = probability[begin:end]
            local_topic = document_marginals(tokens, model, is_full, place, key, sweeps, own)
            for k in range(end - begin):
                topic[begin + k] = local_topic[k]


def chain_marginals(
    documents: Documents, model: SurvivalModel, is_full: bool, seed: np.uint64, sweeps: Sweeps
) -> tuple[Int64Array, np.ndarray, FloatArray]:
    """`document_marginals` of several documents, on all threads.

    The result is (pointer, topic, probability), as from `fill_activations`.
    """
    parents = Parents(model.n_topics, model.parent_ptr, model.parent_idx)
    pointer = topic_pointer(documents, parents, is_full)
    topic, probability = np.empty(pointer[-1], np.int32), np.zeros(pointer[-1])
    work = (documents, model, is_full, pointer, seed, sweeps)
    on_all_threads(_marginal_blocks, EVEN_BLOCKS, *work, topic, probability)
    return pointer, topic, probability
