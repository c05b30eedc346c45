"""The ladder of bounds of one document: Jensen ≤ exact ≤ importance-weighted ≤ log-likelihood."""

from __future__ import annotations

import numpy as np
from numba import prange

from core.kernels.batch import document_problem, tokens_of
from core.kernels.compiling import kernel, parallel_kernel
from core.kernels.document import exact_ends, fit_jensen
from core.kernels.exact import ascend_exact
from core.kernels.importance import log_likelihood_estimate
from core.kernels.proposal import build_proposal
from core.kernels.streams import stream_key
from core.kernels.tables import Tables, local_tables


@kernel
def document_ladder(tokens, model, tables, search, place, key, n_samples):
    """(Jensen bound, exact bound, likelihood estimate, its relative variance) of ONE document.

    The exact ascent also starts where the Jensen ascent ended, so it never ends below it by more
    than the error of the sum of exponentials. All its ends make the proposal of the estimate.
    """
    local, weights = document_problem(tokens, model, False, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    jensen, q, _ = fit_jensen(local, weights, free, held, search)
    rows = local_tables(local, tables)
    bounds, ends, P = exact_ends(local, weights, rows, free, held, search)
    polished = ascend_exact(
        local, weights, rows.exact, free, q, P[0], search.tolerance, search.max_sweeps
    )
    bounds = np.append(bounds, polished)
    ends = np.concatenate((ends, q.reshape(1, -1)))
    proposal = build_proposal(ends, bounds, local.n_topics, n_samples)
    estimate, variance = log_likelihood_estimate(local, weights, proposal, key)
    return jensen, bounds.max(), estimate, variance


@parallel_kernel
def ladder(documents, model, exact, coarse, search, seed, n_samples):
    """`document_ladder` of some documents, shape (n_documents, 4)."""
    rungs = np.empty((len(documents.rows), 4), np.float64)
    for position in prange(len(documents.rows)):
        row = documents.rows[position]
        place = np.full(model.n_topics, -1, np.int32)
        tokens = tokens_of(documents, row, model.n_topics)
        key = stream_key(seed, row)
        tables = Tables(exact, coarse)
        rungs[position] = document_ladder(tokens, model, tables, search, place, key, n_samples)
    return rungs
