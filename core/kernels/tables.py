"""log(1 - exp(-a)) as a sum of exponentials, and tables of the exponentials (MATH §4.1, §4.2).

The expectation of each exponential factorises over the topics. The tables hold the exponentials of
all weights and leaks and are computed once for each update of the parameters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..utils.types import FloatArray, Int32Array, Int64Array
from .compiling import kernel, part
from .threads import on_all_threads
from .vectors import WIDTH, copy_from

# Smallest argument of the fit; it equals the smallest leak that the network accepts.
MIN_ARGUMENT = 1e-6
# Ratio of consecutive rates; a smaller ratio gives more terms and a smaller error.
RATE_RATIO = {"fast": 2.0, "standard": 1.7, "fine": 1.35}
# Eight rates over the same range, because eight single-precision numbers fill one vector register.
COARSE_RATES = 1.1 * 6.5 ** np.arange(8)


class ExponentialSum(NamedTuple):
    """``log(1 - exp(-a)) >= -sum(coefficient * exp(-rate * a)) - error`` for a >= 1e-6."""

    # coefficient, rate: float64 (n_terms,): both positive; rates ascending
    coefficient: FloatArray
    rate: FloatArray
    error: float  # Largest absolute error, in nats; subtracting it makes the sum a lower bound


@lru_cache
def exponential_sum(accuracy: str = "standard") -> ExponentialSum:
    """Fit the sum by non-negative least squares on a logarithmic grid.

    The accuracies "fast", "standard" and "fine" have errors of about 1e-5, 1e-6 and 3e-9 nats, with
    26, 32 and 54 terms.
    """
    ratio = RATE_RATIO[accuracy]
    # The series has rates 1, 2, 3, …; beyond the sixth, a geometric sequence replaces them, up to a
    # rate whose exponential vanishes at the smallest argument.
    n_thinned = int(np.ceil(np.log(10.0 / MIN_ARGUMENT / 6.0) / np.log(ratio)))
    return _fit(np.concatenate([np.arange(1.0, 7.0), 6.0 * ratio ** np.arange(1, n_thinned + 1)]))


@lru_cache
def coarse_sum() -> ExponentialSum:
    """Fit a sum of at most eight terms, accurate to 0.05 nats; it serves only to find a start."""
    return _fit(COARSE_RATES)


def _fit(rates: FloatArray) -> ExponentialSum:
    grid = np.geomspace(MIN_ARGUMENT, 40.0, 4000)
    target = -np.log(-np.expm1(-grid))
    # Imported here, because a query needs no tables and the import takes long.
    from scipy.optimize import nnls

    coefficients, _ = nnls(np.exp(-np.outer(grid, rates)), target)
    used = coefficients > 0
    coefficient, rate = coefficients[used], rates[used]
    # The grid is ten times as fine, so the error is also measured between the points of the fit.
    check = np.geomspace(MIN_ARGUMENT, 40.0, 40_001)
    fitted = np.exp(-np.outer(check, rate)) @ coefficient
    error = float(np.abs(fitted + np.log(-np.expm1(-check))).max())
    return ExponentialSum(coefficient, rate, error)


def padded(terms: ExponentialSum) -> ExponentialSum:
    """Sum with terms of coefficient and rate 0, up to a multiple of `vectors.WIDTH` terms."""
    more = np.zeros(-len(terms.rate) % WIDTH)
    return ExponentialSum(
        np.concatenate([terms.coefficient, more]), np.concatenate([terms.rate, more]), terms.error
    )


# Number of rows that stay in the cache during several passes over them.
ROWS_AT_A_TIME = 2048
# Arithmetic with subnormal numbers is up to a hundred times slower on some processors, and most
# exponentials of the high rates would be subnormal. These are exponents of the smallest normal
# number: exponentials are not below the first power, slopes below the second are 0, and the product
# of an exponential and a slope is then not subnormal.
MIN_EXPONENTIAL, MIN_SLOPE = 0.53, 0.4

DType = type[np.floating]


class Terms(NamedTuple):
    """Sum of exponentials at the weights of some edges and the leaks of some nodes.

    In single precision twice as many terms fit into a vector register. The kernels compute in the
    precision of these arrays.
    """

    # float (n_edges, n_terms): exp(-s_m w), the factor of an active parent in a term; the number of
    # terms is a multiple of `vectors.WIDTH`
    t: np.ndarray
    # float (n_nodes, n_terms): -c_m exp(-s_m w0), the terms of a node without active parents
    coefficient: np.ndarray
    rate: np.ndarray  # float (n_terms,): s_m
    error: float  # Error of the sum, see `ExponentialSum`
    # Smallest nonzero values of an expected term and of a slope; smaller values become 0, because
    # subnormal numbers are slow
    min_expected: np.floating
    min_slope: np.floating


class Tables(NamedTuple):
    """Terms of the exact bound, and the coarse terms that find a start."""

    exact: Terms
    coarse: Terms


class NetworkTables(NamedTuple):
    """Tables of a whole network, from which `local_tables` selects the rows of a local model.

    In a large network memory access dominates this selection. Both sums of an edge or a node are
    therefore stored in one row, and rows that are not `Used` are omitted.
    """

    t: np.ndarray  # float (n_used_edges, n_exact + n_coarse)
    coefficient: np.ndarray  # float (n_used_nodes, n_exact + n_coarse)
    # edge_row, node_row: int32 (n_edges,) and (n_nodes,): row of each edge or node in the tables
    # above; 0 if it is not used
    edge_row: np.ndarray
    node_row: np.ndarray
    # exact, coarse: parameters of each sum, with empty tables
    exact: Terms
    coarse: Terms


class Used(NamedTuple):
    """Edges and nodes of the network that some documents need."""

    edges: Int64Array
    nodes: Int64Array


def build_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType = np.float64
) -> Tables:
    """Tables of the edges and nodes of one local model, computed in the calling thread."""
    return Tables(*(_build(w, w0, one, dtype) for one in (terms, coarse_sum())))


def _build(w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType) -> Terms:
    terms = padded(terms)
    t, coefficient = (np.empty((len(rows), len(terms.rate)), dtype) for rows in (w, w0))
    _write_exponentials(t, w, terms.rate, None)
    _write_exponentials(coefficient, w0, terms.rate, -terms.coefficient)
    return _without_rows(terms, dtype)._replace(t=t, coefficient=coefficient)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None = None
) -> NetworkTables:
    """Tables of a whole network, or of the used rows, in a given precision, on all threads."""
    sums = padded(terms), padded(coarse_sum())
    rate = np.concatenate([one.rate for one in sums])
    scale = -np.concatenate([one.coefficient for one in sums])
    edges, nodes = used or (np.arange(len(w)), np.arange(len(w0)))
    t, coefficient = _table(w[edges], rate, None, dtype), _table(w0[nodes], rate, scale, dtype)
    rows = _row_numbers(edges, len(w)), _row_numbers(nodes, len(w0))
    return NetworkTables(t, coefficient, *rows, *(_without_rows(one, dtype) for one in sums))


def _row_numbers(chosen: Int64Array, count: int) -> Int32Array:
    """Index of each number below ``count`` in ``chosen``; 0 for numbers not in it."""
    row = np.zeros(count, np.int32)
    row[chosen] = np.arange(len(chosen), dtype=np.int32)
    return row


def _without_rows(terms: ExponentialSum, dtype: DType) -> Terms:
    none = np.empty((0, len(terms.rate)), dtype)
    tiny = np.finfo(dtype).tiny
    min_slope = dtype(tiny**MIN_SLOPE)
    return Terms(none, none, terms.rate.astype(dtype), terms.error, tiny, min_slope)


def _table(
    values: FloatArray, rate: FloatArray, scale: FloatArray | None, dtype: DType
) -> np.ndarray:
    """``scale * exp(-rate * a)`` of weights or leaks a, one row each."""
    table = np.empty((len(values), len(rate)), dtype)
    n_blocks = -(-len(table) // ROWS_AT_A_TIME)
    on_all_threads(_fill_blocks, n_blocks, table, values, rate, scale)
    return table


def _fill_blocks(blocks, table, values, rate, scale):
    for block in blocks:
        rows = slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)
        _write_exponentials(table[rows], values[rows], rate, scale)


def _write_exponentials(out, values, rate, scale):
    smallest = MIN_EXPONENTIAL * np.log(np.finfo(out.dtype).tiny)
    _write_exponents(out, values, rate, out.dtype.type(smallest))
    np.exp(out, out=out)
    if scale is not None:
        out *= scale.astype(out.dtype)


@kernel
def _write_exponents(out, values, rate, smallest):
    """Write the exponents, computed in double precision and bounded below by ``smallest``."""
    number = out.dtype.type
    for row in range(out.shape[0]):
        for m in range(out.shape[1]):
            out[row, m] = max(number(-rate[m] * values[row]), smallest)


@part
def gather_rows(table, row_of, chosen, n_exact, n_coarse):
    """Rows of these edges or nodes, with the exact terms separated from the coarse terms."""
    exact = np.empty((len(chosen), n_exact), table.dtype)
    coarse = np.empty((len(chosen), n_coarse), table.dtype)
    for row in range(len(chosen)):
        first = int(row_of[chosen[row]]) * table.shape[1]
        copy_from(exact, row, table, first)
        copy_from(coarse, row, table, first + n_exact)
    return exact, coarse


@part
def local_tables(local, tables, has_coarse=True):
    """`Tables` of a local model, selected from the tables of the network.

    Without coarse terms, which only the search for a start needs, their tables have no columns.
    """
    n_exact, n_coarse = len(tables.exact.rate), len(tables.coarse.rate) if has_coarse else 0
    t, coarse_t = gather_rows(tables.t, tables.edge_row, local.edge, n_exact, n_coarse)
    coefficient, coarse_coefficient = gather_rows(
        tables.coefficient, tables.node_row, local.node, n_exact, n_coarse
    )
    exact = Terms(t, coefficient, *tables.exact[2:])
    return Tables(exact, Terms(coarse_t, coarse_coefficient, *tables.coarse[2:]))
