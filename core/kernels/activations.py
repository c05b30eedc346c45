"""Posterior activations of many documents, in parallel.

A first pass counts the topics in the local model of each document. A second pass writes the
activations to the positions that these counts give. The memory is proportional to the local models;
no array of size documents × topics is allocated.
"""

from __future__ import annotations

import numpy as np

from ..utils.types import FloatArray, Int64Array
from .batch import Model, document_problem
from .bounds import LocalWeights
from .compiling import kernel, part
from .document import Search, best_fixed_point, exact_fixed_points, fit_jensen
from .local_model import FREE, local_factors
from .rows import EVEN_BLOCKS, Documents, Parents, rows_of_block, tokens_of, topic_pointer
from .sum_product import propagated_probabilities
from .tables import NetworkTables, local_tables
from .threads import on_all_threads


@part
def open_world_weights(local, weights):
    """Return the weights with every token that is not present unknown and summed out (MATH §6)."""
    W = np.zeros(local.n_topics, np.float64)
    for e in range(len(local.parent)):
        W[local.parent[e]] += weights.w[e]
    return LocalWeights(weights.w, weights.w0, W, weights.w0.sum())


@part
def document_activations(tokens, model, tables, is_closed, search, tolerance, place):
    """Fit ONE document; return the topics of its local model in ascending order, and their q.

    Every other token is absent if ``is_closed``, else unknown. ``tokens`` are token nodes (numbered
    after the topics); ``place`` is scratch memory, all -1.
    """
    local, weights = document_problem(tokens, model, False, place)
    if not is_closed:
        weights = open_world_weights(local, weights)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    # Numba compiles only the one of these three branches that the argument types select.
    if search is None:
        factors = local_factors(local, weights, np.full(local.n_topics, FREE, np.int8))
        q = propagated_probabilities(local, factors, tolerance)
    elif tables is None:
        _, q, _ = fit_jensen(local, weights, free, held, search)
    else:
        bounds, fixed_points, _ = exact_fixed_points(
            local, weights, local_tables(local, tables), free, held, search
        )
        q = fixed_points[best_fixed_point(bounds)]
    return local.node[: local.n_topics], q[: local.n_topics]


@kernel
def _fill_blocks(blocks, pointer, documents, model, tables, is_closed, search, tolerance, topic, q):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            tokens = tokens_of(documents, documents.rows[position], model.n_topics)
            local_topic, local_q = document_activations(
                tokens, model, tables, is_closed, search, tolerance, place
            )
            begin = pointer[position]
            for k in range(len(local_topic)):
                topic[begin + k], q[begin + k] = local_topic[k], local_q[k]


def fill_activations(
    documents: Documents,
    model: Model,
    tables: NetworkTables | None,
    is_closed: bool,
    search: Search | None,
    tolerance: float,
) -> tuple[Int64Array, np.ndarray, FloatArray]:
    """`document_activations` of several documents, on all threads.

    ``tables`` holds the tables of all weights for the exact bound; it is None for the Jensen bound
    and for belief propagation. ``search`` is None for belief propagation, which ends when no
    probability changes by more than ``tolerance``.

    Returns
    -------
    pointer : int64 array, shape (n_documents + 1,)
        See `topic_pointer`.
    topic : int32 array, shape (pointer[-1],)
        ``topic[pointer[d]:pointer[d + 1]]`` are the local topics of the document in ``rows[d]``.
    q : float64 array, shape (pointer[-1],)
    """
    parents = Parents(model.n_topics, model.parent_ptr, model.parent_idx)
    pointer = topic_pointer(documents, parents, False)
    topic, q = np.empty(pointer[-1], np.int32), np.empty(pointer[-1])
    on_all_threads(
        _fill_blocks, EVEN_BLOCKS, pointer, documents, model, tables, is_closed, search, tolerance,
        topic, q,
    )  # fmt: skip
    return pointer, topic, q
