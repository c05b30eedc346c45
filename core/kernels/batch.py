"""E-steps of many documents in parallel, and the sums of their gradients.

Documents are cut into a fixed number of blocks whatever the number of threads; every block has
buffers of its own, and the caller adds them in order. So the digits do not depend on threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from core.kernels.bounds import gather_weights
from core.kernels.compiling import kernel, parallel_kernel
from core.kernels.document import exact_ends, fit_jensen
from core.kernels.exact import add_exact_gradient
from core.kernels.importance import add_importance_gradient
from core.kernels.jensen import add_jensen_gradient
from core.kernels.local_model import build_local_graph, collect_ancestors
from core.kernels.proposal import build_proposal
from core.kernels.streams import stream_key
from core.kernels.tables import Tables, local_tables


class Model(NamedTuple):
    """A network as the kernels want it.

    Attributes
    ----------
    n_topics : int
    parent_ptr, parent_idx : int64 and int32 arrays
        The graph's view from children to parents.
    weight : float64 array, shape (n_edges,)
    leak : float64 array, shape (n_nodes,)
    child_total : float64 array, shape (n_topics,)
    total_leak : float
    """

    n_topics: int
    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    weight: np.ndarray
    leak: np.ndarray
    child_total: np.ndarray
    total_leak: float


class Documents(NamedTuple):
    """Rows of a corpus.

    Attributes
    ----------
    token_ptr : int64 array, shape (n_documents + 1,)
    token_idx : int32 array
        ``token_idx[token_ptr[d]:token_ptr[d + 1]]`` are the tokens of document ``d``.
    rows : int64 array
        The documents that are wanted.
    """

    token_ptr: np.ndarray
    token_idx: np.ndarray
    rows: np.ndarray


class Sums(NamedTuple):
    """What a block of documents adds up.

    Attributes
    ----------
    grad_weight : float64 array, shape (n_edges,)
        Positive part of the gradient of the summed bound.
    grad_leak : float64 array, shape (n_nodes,)
    usage : float64 array, shape (n_topics,)
        Sum of the activations of every topic, or of their means over weighted draws.
    """

    grad_weight: np.ndarray
    grad_leak: np.ndarray
    usage: np.ndarray


@kernel
def document_topics(tokens, model, is_full, place):
    """Topics of a document's local model, or all of them in full scope."""
    if is_full:
        return np.arange(model.n_topics).astype(np.int32)
    return collect_ancestors(tokens, model.parent_ptr, model.parent_idx, place)


@kernel
def tokens_of(documents, row, n_topics):
    """Token nodes of a document, numbered after the topics."""
    begin, end = documents.token_ptr[row], documents.token_ptr[row + 1]
    return documents.token_idx[begin:end] + np.int32(n_topics)


@kernel
def document_graph(tokens, model, is_full, place):
    """Local graph of ONE document."""
    topics = document_topics(tokens, model, is_full, place)
    return build_local_graph(topics, tokens, model.parent_ptr, model.parent_idx, place)


@kernel
def document_problem(tokens, model, is_full, place):
    """Local graph of ONE document and its weights.

    ``tokens`` are token nodes (numbered after the topics); ``place`` is scratch, all -1.
    """
    local = document_graph(tokens, model, is_full, place)
    weights = gather_weights(local, model.weight, model.leak, model.child_total, model.total_leak)
    return local, weights


@kernel
def document_step(tokens, model, tables, is_exact, is_full, search, place, sums):
    """E-step of ONE document: returns its bound and adds its gradient to the sums."""
    local, weights = document_problem(tokens, model, is_full, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    if is_exact:
        local_rows = local_tables(local, tables)
        bounds, ends, P = exact_ends(local, weights, local_rows, free, held, search)
        best = np.argmax(bounds)
        bound, q = bounds[best], ends[best]
        add_exact_gradient(local, local_rows.exact, q, P[best], sums.grad_weight, sums.grad_leak)
    else:
        bound, q, r = fit_jensen(local, weights, free, held, search)
        add_jensen_gradient(local, weights, q, r, sums.grad_weight, sums.grad_leak)
    for k in range(local.n_topics):
        sums.usage[local.node[k]] += q[k]
    return bound


@kernel
def document_importance_step(tokens, model, tables, is_full, search, place, key, n_samples, sums):
    """E-step of ONE document, then so many draws of a proposal made of its ends.

    Returns the importance-weighted bound and adds its gradient to the sums (MATH §5).
    """
    local, weights = document_problem(tokens, model, is_full, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    bounds, ends, _ = exact_ends(local, weights, local_tables(local, tables), free, held, search)
    proposal = build_proposal(ends, bounds, local.n_topics, n_samples)
    return add_importance_gradient(
        local, weights, proposal, key, sums.grad_weight, sums.grad_leak, sums.usage
    )


@parallel_kernel
def expectation_step(documents, model, exact, coarse, is_exact, is_full, search, n_blocks):
    """E-steps of some documents; returns their bounds and the `Sums` of every block, stacked.

    ``exact`` and ``coarse`` are the `Tables` of all weights; without rows for the Jensen bound.
    """
    n_documents = len(documents.rows)
    bounds = np.empty(n_documents, np.float64)
    grad_weight = np.zeros((n_blocks, len(model.weight)), np.float64)
    grad_leak = np.zeros((n_blocks, len(model.leak)), np.float64)
    usage = np.zeros((n_blocks, model.n_topics), np.float64)
    for block in prange(n_blocks):
        place = np.full(model.n_topics, -1, np.int32)
        sums = Sums(grad_weight[block], grad_leak[block], usage[block])
        for position in range(
            block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks
        ):
            row = documents.rows[position]
            tokens = tokens_of(documents, row, model.n_topics)
            tables = Tables(exact, coarse)
            bounds[position] = document_step(
                tokens, model, tables, is_exact, is_full, search, place, sums
            )
    return bounds, grad_weight, grad_leak, usage


@parallel_kernel
def importance_step(documents, model, exact, coarse, is_full, search, key, n_samples, n_blocks):
    """Equals `expectation_step`, for the importance-weighted bound.

    A document's draws depend on ``key`` (uint64) and its row alone.
    """
    n_documents = len(documents.rows)
    bounds = np.empty(n_documents, np.float64)
    grad_weight = np.zeros((n_blocks, len(model.weight)), np.float64)
    grad_leak = np.zeros((n_blocks, len(model.leak)), np.float64)
    usage = np.zeros((n_blocks, model.n_topics), np.float64)
    for block in prange(n_blocks):
        place = np.full(model.n_topics, -1, np.int32)
        sums = Sums(grad_weight[block], grad_leak[block], usage[block])
        for position in range(
            block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks
        ):
            row = documents.rows[position]
            tokens = tokens_of(documents, row, model.n_topics)
            tables, document_key = Tables(exact, coarse), stream_key(key, row)
            bounds[position] = document_importance_step(
                tokens, model, tables, is_full, search, place, document_key, n_samples, sums
            )
    return bounds, grad_weight, grad_leak, usage
