"""Activations of many documents in parallel, in memory that follows their local models.

A first pass counts the topics of every document's local model, a second fits them where the counts
say; nothing of the size documents × topics is ever made.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from core.kernels.batch import document_problem, document_topics, tokens_of
from core.kernels.bounds import LocalWeights
from core.kernels.compiling import kernel, parallel_kernel
from core.kernels.document import exact_ends, fit_jensen
from core.kernels.tables import Tables, local_tables


@kernel
def count_topics(tokens, model, place):
    """Number of topics in the local model of ONE document; ``place`` is scratch, all -1."""
    topics = document_topics(tokens, model, False, place)
    for k in topics:
        place[k] = -1
    return len(topics)


@kernel
def open_world_weights(local, weights):
    """The weights when tokens that are not present are unknown and sum out to one (MATH §6)."""
    W = np.zeros(local.n_topics, np.float64)
    for e in range(len(local.parent)):
        W[local.parent[e]] += weights.w[e]
    return LocalWeights(weights.w, weights.w0, W, weights.w0.sum())


@kernel
def document_activations(tokens, model, tables, is_exact, is_closed, search, place):
    """Fit ONE document; returns the topics of its local model, ascending, and their q.

    Every other token is absent if ``is_closed`` and unknown if not. ``tokens`` are token nodes
    (numbered after the topics); ``place`` is scratch, all -1.
    """
    local, weights = document_problem(tokens, model, False, place)
    if not is_closed:
        weights = open_world_weights(local, weights)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    if is_exact:
        rows = local_tables(local, tables)
        bounds, ends, _ = exact_ends(local, weights, rows, free, held, search)
        q = ends[np.argmax(bounds)]
    else:
        _, q, _ = fit_jensen(local, weights, free, held, search)
    return local.node[: local.n_topics], q[: local.n_topics]


@parallel_kernel
def topic_pointer(documents, model, n_blocks):
    """Where the topics of each document begin in one long list, shape (n_documents + 1,)."""
    n_documents = len(documents.rows)
    pointer = np.zeros(n_documents + 1, np.int64)
    for block in prange(n_blocks):
        place = np.full(model.n_topics, -1, np.int32)
        for position in range(
            block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks
        ):
            row = documents.rows[position]
            tokens = tokens_of(documents, row, model.n_topics)
            pointer[position + 1] = count_topics(tokens, model, place)
    return np.cumsum(pointer)


@parallel_kernel
def fill_activations(
    pointer, documents, model, exact, coarse, is_exact, is_closed, search, n_blocks
):
    """`document_activations` of some documents, laid out by their `topic_pointer`.

    Returns
    -------
    topic : int32 array, shape (pointer[-1],)
        ``topic[pointer[d]:pointer[d + 1]]`` are the local topics of the document in ``rows[d]``.
    q : float64 array, shape (pointer[-1],)
    """
    n_documents = len(documents.rows)
    topic = np.empty(pointer[n_documents], np.int32)
    q = np.empty(pointer[n_documents], np.float64)
    for block in prange(n_blocks):
        place = np.full(model.n_topics, -1, np.int32)
        for position in range(
            block * n_documents // n_blocks, (block + 1) * n_documents // n_blocks
        ):
            row = documents.rows[position]
            tokens = tokens_of(documents, row, model.n_topics)
            tables = Tables(exact, coarse)
            local_topics, local_q = document_activations(
                tokens, model, tables, is_exact, is_closed, search, place
            )
            local = slice(pointer[position], pointer[position + 1])
            topic[local] = local_topics
            q[local] = local_q
    return topic, q
