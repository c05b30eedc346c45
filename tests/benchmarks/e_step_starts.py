"""E-steps from other starts than the usual two: how many sweeps they take, and to which bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numba
import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.inference.kernel_inputs import STARTS, documents_of, exact_tables, kernel_model
from orrery.core.kernels.batch import document_problem
from orrery.core.kernels.bounds import LocalWeights, sigmoid
from orrery.core.kernels.document import COARSE_TOLERANCE, SAME_FIXED_POINT
from orrery.core.kernels.exact import ascend_exact, exact_bound
from orrery.core.kernels.local_model import LocalGraph
from orrery.core.kernels.tables import Tables, Terms, local_tables
from orrery.core.model.network import Network
from orrery.core.training.e_step import TRAINING_SWEEPS, TRAINING_TOLERANCE
from orrery.core.utils.types import FloatArray, Int64Array


class Problem(NamedTuple):
    """One document's local model, with its terms of the exact bound."""

    local: LocalGraph
    weights: LocalWeights
    tables: Tables


# Activations of a document's topics to start from, each shape (n_topics,), and sweeps spent on it.
Starts = Callable[[Problem], tuple[Sequence[FloatArray], int]]


def problems(network: Network, corpus: Corpus, rows: Int64Array) -> Iterator[Problem]:
    """Local models of some documents, one after the other."""
    documents, model = documents_of(network.graph, corpus, rows), kernel_model(network)
    tables = exact_tables(network)
    place = np.full(network.graph.n_topics, -1, np.int32)
    for row in documents.rows:
        tokens = corpus.tokens_of(row) + np.int32(network.graph.n_topics)
        local, weights = document_problem(tokens, model, False, place)
        yield Problem(local, weights, local_tables(local, tables))


def search_from(problem: Problem, starts: Starts) -> tuple[float, int]:
    """Best bound over the starts, and the sweeps of all: as training's E-step but for the starts.

    A start goes to its fixed point on the coarse terms, and on from there unless another was there.
    """
    local, weights, tables = problem
    given, sweeps = starts(problem)
    best, rough = -np.inf, []
    for start in given:
        q = np.concatenate([start, np.ones(len(local.node) - local.n_topics)])
        sweeps += _converged(problem, tables.coarse, q, max(COARSE_TOLERANCE, TRAINING_TOLERANCE))
        if any(np.abs(q - other).max(initial=0.0) < SAME_FIXED_POINT for other in rough):
            continue
        rough.append(q.copy())
        sweeps += _converged(problem, tables.exact, q, TRAINING_TOLERANCE)
        free = np.ones(local.n_topics, np.bool_)
        P = np.empty_like(tables.exact.coefficient)
        best = max(best, exact_bound(local, weights, tables.exact, free, q, P))
    return best, sweeps


def _converged(problem: Problem, terms: Terms, q: FloatArray, tolerance: float) -> int:
    """Sweep until nothing moves; returns how often."""
    local, weights, _ = problem
    free, P = np.ones(local.n_topics, np.bool_), np.empty_like(terms.coefficient)
    for sweep in range(TRAINING_SWEEPS):
        before = q.copy()
        ascend_exact(local, weights, terms, free, q, P, tolerance, 1)
        if np.abs(q - before).max(initial=0.0) <= tolerance:
            return sweep + 1
    return TRAINING_SWEEPS


def usual(*values: float) -> Starts:
    """A start with equal activations of all topics per value; by default the E-step starts."""

    def starts(problem: Problem) -> tuple[Sequence[FloatArray], int]:
        return [np.full(problem.local.n_topics, value) for value in values or STARTS], 0

    return starts


def by_amf(sweeps: int, *values: float) -> Starts:
    """The same activation for all topics, then the given number of sweeps of arithmetic means."""

    def starts(problem: Problem) -> tuple[Sequence[FloatArray], int]:
        found, _ = usual(*values)(problem)
        for q in found:
            for _ in range(sweeps):
                amf_sweep(problem.local, problem.weights, q)
        return found, sweeps * len(found)

    return starts


@numba.njit
def amf_sweep(local, weights, q):
    """Update every topic by back-messages, Asuncion (2010) eq. 8, from the words upward; in place.

    A factor is a node given its parents. With A the chance that all parents of a child but this one
    and its leak leave it off, the child's message to a topic is

        q_c (1 - exp(-w) A) + (1 - q_c) exp(-w) A    over    q_c (1 - A) + (1 - q_c) A.
    """
    for i in range(local.n_topics - 1, -1, -1):
        off = probability_off(i, -1, local, weights, q)
        field = np.log(1.0 - off) - np.log(off) - weights.W[i]
        for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
            e, c = local.child_edge[slot], local.child[slot]
            on = q[c] if c < local.n_topics else 1.0
            without = probability_off(c, i, local, weights, q)
            with_it = np.exp(-weights.w[e]) * without
            field += np.log(on * (1.0 - with_it) + (1.0 - on) * with_it)
            field -= np.log(on * (1.0 - without) + (1.0 - on) * without)
            # W has it that a child is off, which a local one need not be.
            field += weights.w[e]
        q[i] = sigmoid(field)


@numba.njit
def probability_off(i, but, local, weights, q):
    """Expected chance that node i is off, without what parent ``but`` does."""
    leak = np.exp(-weights.w0[i])
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        k = local.parent[e]
        if k != but:
            leak *= 1.0 - q[k] + q[k] * np.exp(-weights.w[e])
    return leak
