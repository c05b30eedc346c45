"""Jensen bound, exact bound and likelihood estimate of each document (MATH §12).

They are ordered: Jensen bound ≤ exact bound ≤ importance-sampling estimate ≤ log-likelihood, the
last two in expectation. The estimate is close to the log-likelihood with few samples.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from ..utils.types import FloatArray
from .batch import Model, document_problem
from .compiling import kernel, part
from .document import Search, exact_fixed_points, fit_jensen
from .exact import ascend_exact, exact_bound
from .importance_sampling import make_proposal, sample_round
from .local_model import FREE, local_factors
from .posterior import BELIEF_TOLERANCE, log_sum_exp
from .rows import EVEN_BLOCKS, Documents, rows_of_block, tokens_of
from .streams import stream_key
from .sum_product import propagate
from .tables import NetworkTables, local_tables
from .threads import on_all_threads

# Rounds that the samples of a document are divided into. More rounds would estimate the error of a
# single document better; for a mean over documents few suffice, and large rounds vary less.
LIKELIHOOD_ROUNDS = 4


@kernel
def log_mean(log_values):
    """Log of the mean of independent values, given by their logarithms, and a relative variance.

    The variance of the mean is relative to its square; for a single value it is unknown and 0.
    """
    n_values, top = len(log_values), log_values.max()
    mean, squares = 0.0, 0.0
    for r in range(n_values):
        mean += exp(log_values[r] - top) / n_values
    for r in range(n_values):
        squares += (exp(log_values[r] - top) / mean - 1.0) ** 2
    return top + log(mean), squares / (n_values * max(n_values - 1, 1))


@kernel
def log_likelihood_estimate(local, factors, n_samples, key):
    """Log of the mean of independent, unbiased estimates of p(evidence), and a relative variance.

    The estimate, in nats, is in expectation at most the log-likelihood of the local model; see
    `log_mean` for the variance. ``n_samples``, at least 1, is the total number of samples.
    """
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    proposal = make_proposal(local, factors, beliefs)
    n_rounds = min(LIKELIHOOD_ROUNDS, n_samples)
    log_sum = np.empty(n_rounds)
    for r in range(n_rounds):
        sampled = sample_round(local, factors, proposal, n_samples / n_rounds, stream_key(key, r))
        log_sum[r] = log_sum_exp(sampled.log_weight)
    return log_mean(log_sum)


@part
def document_bounds(tokens, model, tables, search, place, key, n_samples):
    """(Jensen bound, exact bound, likelihood estimate, its relative variance) of ONE document.

    The exact ascent also starts at the result of the Jensen ascent. The exact bound is therefore
    never below the Jensen bound by more than the error of the sum of exponentials for every node.
    """
    local, weights = document_problem(tokens, model, False, place)
    free = np.ones(local.n_topics, np.bool_)
    held = np.zeros(local.n_topics, np.float64)
    jensen, q, _ = fit_jensen(local, weights, free, held, search)
    rows = local_tables(local, tables)
    bounds, _, P = exact_fixed_points(local, weights, rows, free, held, search)
    ascend_exact(local, weights, rows.exact, free, q, P[0], search.tolerance, search.max_sweeps)
    from_jensen = exact_bound(local, weights, rows.exact, free, q, P[0])
    factors = local_factors(local, weights, np.full(local.n_topics, FREE, np.int8))
    estimate, variance = log_likelihood_estimate(local, factors, n_samples, key)
    return jensen, max(bounds.max(), from_jensen), estimate, variance


@kernel
def _evaluate_blocks(blocks, documents, model, tables, search, seed, n_samples, rungs):
    place = np.full(model.n_topics, -1, np.int32)
    for block in blocks:
        for position in rows_of_block(documents, block, EVEN_BLOCKS):
            row = documents.rows[position]
            tokens, key = tokens_of(documents, row, model.n_topics), stream_key(seed, row)
            rung = document_bounds(tokens, model, tables, search, place, key, n_samples)
            for m in range(4):
                rungs[position, m] = rung[m]


def bounds_and_likelihood(
    documents: Documents,
    model: Model,
    tables: NetworkTables,
    search: Search,
    seed: int,
    n_samples: int,
) -> FloatArray:
    """`document_bounds` of several documents, on all threads, shape (n_documents, 4)."""
    rungs = np.empty((len(documents.rows), 4))
    on_all_threads(
        _evaluate_blocks, EVEN_BLOCKS, documents, model, tables, search, seed, n_samples, rungs
    )
    return rungs
