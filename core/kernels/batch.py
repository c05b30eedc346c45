"""E-steps of a batch of documents in parallel, with summed gradients.

The documents are divided into a fixed number of blocks. Every block has its own sums, and the
caller adds them in order, so the results do not depend on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..utils.types import FloatArray
from .bounds import gather_weights
from .compiling import kernel, part
from .document import (
    Search,
    best_fixed_point,
    exact_fixed_points,
    fit_jensen,
    nearby_fixed_point,
)
from .exact import add_exact_gradient
from .importance_gradient import add_importance_gradient, draw_samples, normalise
from .jensen import add_jensen_gradient
from .local_model import FREE, local_factors
from .rows import Documents, document_graph, rows_of_block, tokens_of
from .streams import stream_key
from .tables import NetworkTables, local_tables
from .threads import on_all_threads


class Model(NamedTuple):
    """Network in the form that the kernels use."""

    n_topics: int
    # parent_ptr, parent_idx: int64 and int32: parents of every node, see `Graph`
    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    weight: np.ndarray  # float64 (n_edges,)
    leak: np.ndarray  # float64 (n_nodes,)
    child_total: np.ndarray  # float64 (n_topics,): W of MATH §2
    total_leak: float  # L of MATH §2


class Memory(NamedTuple):
    """Activations that E-steps of the same documents on the same graph ended with."""

    # int64 (n_documents + 1,): see `rows.topic_pointer`; empty to remember nothing
    pointer: np.ndarray
    activation: np.ndarray  # float32 (pointer[-1],): of the local topics; replaced by the E-step
    # bool (n_documents,): whether the E-step of a document starts from these activations alone, and
    # not from the starts of the search
    is_start: np.ndarray


class Sums(NamedTuple):
    """Sums over documents, or one row of sums for each block of documents.

    Without columns, no sums are computed.
    """

    # float64 (n_edges,) or (n_blocks, n_edges): positive part of the gradient of the summed bound
    grad_weight: np.ndarray
    grad_leak: np.ndarray  # float64 (n_nodes,) or (n_blocks, n_nodes)
    # float64 (n_topics,) or (n_blocks, n_topics): sum of the activations of every topic, or of
    # their means over weighted samples
    usage: np.ndarray


NO_MEMORY = Memory(np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.bool_))


@part
def document_problem(tokens, model, is_full, place):
    """Local graph of ONE document and its weights.

    ``tokens`` are token nodes (numbered after the topics); ``place`` is scratch memory, all -1.
    """
    local = document_graph(tokens, model, is_full, place)
    weights = gather_weights(local, model.weight, model.leak, model.child_total, model.total_leak)
    return local, weights


@part
def exact_step(tokens, model, tables, is_full, search, place, remembered, is_start, sums):
    """E-step of ONE document under the exact bound; adds its gradient and returns its bound.

    ``remembered`` and ``is_start`` are its part of a `Memory`.
    """
    local, weights = document_problem(tokens, model, is_full, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    rows = local_tables(local, tables, not is_start)
    if is_start:
        found = nearby_fixed_point(local, weights, rows.exact, free, remembered, search)
    else:
        found = exact_fixed_points(local, weights, rows, free, held, search)
    bounds, fixed_points, P = found
    best = best_fixed_point(bounds)
    q = fixed_points[best]
    if len(sums.usage):
        add_exact_gradient(local, rows.exact, q, P[best], sums.grad_weight, sums.grad_leak)
        for k in range(local.n_topics):
            sums.usage[local.node[k]] += q[k]
    if len(remembered):
        for k in range(local.n_topics):
            remembered[k] = q[k]
    return bounds[best]


@part
def jensen_step(tokens, model, is_full, search, place, sums):
    """E-step of ONE document under the Jensen bound, without tables; see `exact_step`."""
    local, weights = document_problem(tokens, model, is_full, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    bound, q, r = fit_jensen(local, weights, free, held, search)
    if len(sums.usage):
        add_jensen_gradient(local, weights, q, r, sums.grad_weight, sums.grad_leak)
        for k in range(local.n_topics):
            sums.usage[local.node[k]] += q[k]
    return bound


@part
def importance_step(tokens, model, is_full, place, key, n_samples, sums):
    """Importance sampling of ONE document; adds its gradient and returns the log mean weight.

    In expectation, the log mean weight is a lower bound on the log-likelihood (MATH §5).
    """
    local, weights = document_problem(tokens, model, is_full, place)
    factors = local_factors(local, weights, np.full(local.n_topics, FREE, np.int8))
    samples = draw_samples(local, factors, n_samples, key)
    bound, share = normalise(samples.log_weight)
    add_importance_gradient(local, samples, share, sums.grad_weight, sums.grad_leak, sums.usage)
    return bound


@kernel
def _exact_blocks(blocks, documents, model, tables, is_full, search, memory, bounds, sums):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        own = Sums(sums.grad_weight[block], sums.grad_leak[block], sums.usage[block])
        for position in rows_of_block(documents, block, len(sums.usage)):
            tokens = tokens_of(documents, documents.rows[position], model.n_topics)
            first, end, is_start = 0, 0, False
            if len(memory.pointer):
                first, end = memory.pointer[position], memory.pointer[position + 1]
                is_start = memory.is_start[position]
            bounds[position] = exact_step(
                tokens,
                model,
                tables,
                is_full,
                search,
                place,
                memory.activation[first:end],
                is_start,
                own,
            )


@kernel
def _jensen_blocks(blocks, documents, model, is_full, search, bounds, sums):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        own = Sums(sums.grad_weight[block], sums.grad_leak[block], sums.usage[block])
        for position in rows_of_block(documents, block, len(sums.usage)):
            tokens = tokens_of(documents, documents.rows[position], model.n_topics)
            bounds[position] = jensen_step(tokens, model, is_full, search, place, own)


@kernel
def _draw_blocks(blocks, documents, model, is_full, seed, n_samples, bounds, sums):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        own = Sums(sums.grad_weight[block], sums.grad_leak[block], sums.usage[block])
        for position in rows_of_block(documents, block, len(sums.usage)):
            row = documents.rows[position]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            bounds[position] = importance_step(tokens, model, is_full, place, key, n_samples, own)


def expectation_step(
    documents: Documents,
    model: Model,
    tables: NetworkTables | None,
    is_full: bool,
    search: Search,
    n_blocks: int,
    memory: Memory | None = None,
) -> tuple[FloatArray, Sums]:
    """E-steps of a batch of documents, on all threads.

    ``tables`` holds the tables of the weights that the documents need, for the exact bound; it is
    None for the Jensen bound. If ``is_full``, every local model contains all topics. With a memory,
    which needs tables, the E-steps write the activations that they end with.

    Returns
    -------
    bounds : float64 array, shape (n_documents,)
        In nats.
    sums : Sums
        One row for each block.
    """
    sums = _empty_sums(model, n_blocks)
    return _mean_field(documents, model, tables, is_full, search, memory or NO_MEMORY, sums), sums


def bounds_of_documents(
    documents: Documents,
    model: Model,
    tables: NetworkTables | None,
    search: Search,
    n_blocks: int,
    memory: Memory | None = None,
) -> FloatArray:
    """Bounds of `expectation_step` on local models, without gradient and usage.

    With a memory, which needs tables, the E-steps write the activations that they end with.
    """
    sums = Sums(np.empty((n_blocks, 0)), np.empty((n_blocks, 0)), np.empty((n_blocks, 0)))
    return _mean_field(documents, model, tables, False, search, memory or NO_MEMORY, sums)


def _mean_field(
    documents: Documents,
    model: Model,
    tables: NetworkTables | None,
    is_full: bool,
    search: Search,
    memory: Memory,
    sums: Sums,
) -> FloatArray:
    bounds, n_blocks = np.empty(len(documents.rows)), len(sums.usage)
    if tables is None:
        work = (_jensen_blocks, n_blocks, documents, model, is_full, search)
        on_all_threads(*work, bounds, sums)
    else:
        work = (_exact_blocks, n_blocks, documents, model, tables, is_full, search, memory)
        on_all_threads(*work, bounds, sums)
    return bounds


def likelihood_step(
    documents: Documents,
    model: Model,
    is_full: bool,
    seed: np.uint64,
    n_samples: int,
    n_blocks: int,
) -> tuple[FloatArray, Sums]:
    """Importance sampling of a batch of documents; the bounds estimate their log-likelihoods.

    Like `expectation_step`. The samples of a document depend only on ``seed`` and its row.
    """
    bounds, sums = np.empty(len(documents.rows)), _empty_sums(model, n_blocks)
    on_all_threads(_draw_blocks, n_blocks, documents, model, is_full, seed, n_samples, bounds, sums)
    return bounds, sums


def _empty_sums(model: Model, n_blocks: int) -> Sums:
    return Sums(
        np.zeros((n_blocks, len(model.weight))),
        np.zeros((n_blocks, len(model.leak))),
        np.zeros((n_blocks, model.n_topics)),
    )
