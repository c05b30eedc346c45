"""The ladder of bounds of one document: Jensen ≤ exact ≤ guided draws ≤ log-likelihood."""

from __future__ import annotations

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.kernels.batch import Model, document_problem
from orrery.core.kernels.compiling import kernel, part
from orrery.core.kernels.document import Search, exact_fixed_points, fit_jensen
from orrery.core.kernels.exact import ascend_exact, exact_bound
from orrery.core.kernels.factors import FREE, local_factors
from orrery.core.kernels.likelihood import log_likelihood_estimate
from orrery.core.kernels.rows import EVEN_BLOCKS, Documents, rows_of_block, tokens_of
from orrery.core.kernels.streams import stream_key
from orrery.core.kernels.tables import NetworkTables, local_tables
from orrery.core.kernels.threads import on_all_threads


@part
def document_ladder(tokens, model, tables, search, place, key, n_samples):
    """(Jensen bound, exact bound, likelihood estimate, its relative variance) of ONE document.

    The exact ascent also starts where the Jensen ascent ended, so it never ends below it by more
    than the error of the sum of exponentials for every node.
    """
    local, weights = document_problem(tokens, model, False, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    jensen, q, _ = fit_jensen(local, weights, free, held, search)
    rows = local_tables(local, tables)
    bounds, _, P = exact_fixed_points(local, weights, rows, free, held, search)
    ascend_exact(local, weights, rows.exact, free, q, P[0], search.tolerance, search.max_sweeps)
    polished = exact_bound(local, weights, rows.exact, free, q, P[0])
    factors = local_factors(local, weights, np.full(local.n_topics, FREE, np.int8))
    estimate, variance = log_likelihood_estimate(local, factors, n_samples, key)
    return jensen, max(bounds.max(), polished), estimate, variance


@kernel
def _ladder_blocks(blocks, documents, model, tables, search, seed, n_samples, rungs):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            row = documents.rows[position]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            rung = document_ladder(tokens, model, tables, search, place, key, n_samples)
            for m in range(4):
                rungs[position, m] = rung[m]


def ladder(
    documents: Documents,
    model: Model,
    tables: NetworkTables,
    search: Search,
    seed: int,
    n_samples: int,
) -> FloatArray:
    """`document_ladder` of some documents, shape (n_documents, 4), on all threads."""
    rungs = np.empty((len(documents.rows), 4))
    on_all_threads(
        _ladder_blocks, EVEN_BLOCKS, documents, model, tables, search, seed, n_samples, rungs
    )
    return rungs
