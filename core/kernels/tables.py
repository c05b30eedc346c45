"""log(1 - exp(-a)) as a short sum of exponentials, whose expectation factorises (MATH §4.1).

Exponentials of weights and leaks, made once for each update of them (MATH §4.2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from ..utils.types import FloatArray, Int32Array, Int64Array
from .compiling import kernel, part
from .threads import on_all_threads

# Arguments below this are refused by the network (its smallest leak is the same number).
SMALLEST_ARGUMENT = 1e-6
# Ratio of neighbouring rates: the smaller, the more terms and the smaller the error.
RATE_RATIO = {"fast": 2.0, "standard": 1.7, "fine": 1.35}
# Eight rates, as many as fit into one vector of single precision, spread over the same range.
COARSE_RATES = 1.1 * 6.5 ** np.arange(8)


class ExponentialSum(NamedTuple):
    """``log(1 - exp(-a)) >= -sum(coefficient * exp(-rate * a)) - error`` for a >= 1e-6.

    Attributes
    ----------
    coefficient, rate : float64 arrays, shape (n_terms,)
        Both positive; rates ascending.
    error : float
        Largest absolute error, in nats; subtracting it makes the sum a strict lower bound.
    """

    coefficient: FloatArray
    rate: FloatArray
    error: float


@lru_cache
def exponential_sum(accuracy: str = "standard") -> ExponentialSum:
    """Fit the sum by non-negative least squares on a logarithmic grid.

    Parameters
    ----------
    accuracy : {"fast", "standard", "fine"}
        Errors of about 1e-5, 1e-6 and 3e-9 nats, with 26, 32 and 54 terms.
    """
    ratio = RATE_RATIO[accuracy]
    # The series has rates 1, 2, 3, …; beyond the sixth they are thinned geometrically until
    # the fastest has died out at the smallest argument.
    n_thinned = int(np.ceil(np.log(10.0 / SMALLEST_ARGUMENT / 6.0) / np.log(ratio)))
    return _fit(np.concatenate([np.arange(1.0, 7.0), 6.0 * ratio ** np.arange(1, n_thinned + 1)]))


@lru_cache
def coarse_sum() -> ExponentialSum:
    """Fit so few terms, to within 0.05 nats, that they are good for finding a start only."""
    return _fit(COARSE_RATES)


def _fit(rates: FloatArray) -> ExponentialSum:
    grid = np.geomspace(SMALLEST_ARGUMENT, 40.0, 4000)
    target = -np.log(-np.expm1(-grid))
    coefficients, _ = nnls(np.exp(-np.outer(grid, rates)), target)
    used = coefficients > 0
    coefficient, rate = coefficients[used], rates[used]
    # The error is measured between the points of the fit as well.
    check = np.geomspace(SMALLEST_ARGUMENT, 40.0, 40_001)
    fitted = np.exp(-np.outer(check, rate)) @ coefficient
    error = float(np.abs(fitted + np.log(-np.expm1(-check))).max())
    return ExponentialSum(coefficient, rate, error)


# As many as stay in the cache while several passes go over them.
ROWS_AT_A_TIME = 2048
# Numbers below the smallest that a precision has in full ("subnormal") take some processors a
# hundred times as long, and rates are so high that nearly every edge has such an exponential.
# These are powers of that smallest number: no exponential is below the first, slopes below the
# other are 0, and neither is their product subnormal.
LEAST_EXPONENTIAL, LEAST_SLOPE = 0.53, 0.4

DType = type[np.floating]


class Terms(NamedTuple):
    """A sum of exponentials at the weights of some edges and the leaks of some nodes.

    In single precision twice as many terms fit into a vector; the kernels compute in the
    precision that these arrays have.

    Attributes
    ----------
    t : float array, shape (n_edges, n_terms)
        exp(-s_m w), what an active parent leaves of each term of its child.
    coefficient : float array, shape (n_nodes, n_terms)
        -c_m exp(-s_m w0), the terms of a node without active parents.
    rate : float array, shape (n_terms,)
        s_m.
    error : float
        Of the sum, see `ExponentialSum`.
    least_expected, least_slope : float
        What an expected term and a slope are at least, if not 0: less is computed slowly.
    """

    t: np.ndarray
    coefficient: np.ndarray
    rate: np.ndarray
    error: float
    least_expected: np.floating
    least_slope: np.floating


class Tables(NamedTuple):
    """The terms of the exact bound, and a few that find the way to its optimum.

    Attributes
    ----------
    exact, coarse : Terms
    """

    exact: Terms
    coarse: Terms


class NetworkTables(NamedTuple):
    """Tables of a whole network, in which `local_tables` looks up the rows of a local model.

    In a large network most of the time of that goes into finding a row in memory, so that both
    sums of an edge or a node stand side by side, and rows that are not `Used` nowhere.

    Attributes
    ----------
    t : float array, shape (n_used_edges, n_exact + n_coarse)
    coefficient : float array, shape (n_used_nodes, n_exact + n_coarse)
    edge_row, node_row : int32 arrays, shape (n_edges,) and (n_nodes,)
        In which row of the above an edge or a node stands; 0 if it is not used.
    exact, coarse : Terms
        Without rows: what all rows of a sum have in common.
    """

    t: np.ndarray
    coefficient: np.ndarray
    edge_row: np.ndarray
    node_row: np.ndarray
    exact: Terms
    coarse: Terms


class Used(NamedTuple):
    """Rows that some documents need of the tables of a whole network.

    Attributes
    ----------
    edges, nodes : int64 arrays
    """

    edges: Int64Array
    nodes: Int64Array


def build_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType = np.float64
) -> Tables:
    """Tables of the edges and nodes of one local model, made by the thread that asks for them."""
    return Tables(*(_build(w, w0, one, dtype) for one in (terms, coarse_sum())))


def _build(w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType) -> Terms:
    t, coefficient = (np.empty((len(rows), len(terms.rate)), dtype) for rows in (w, w0))
    _put_exponentials(t, w, terms.rate, None)
    _put_exponentials(coefficient, w0, terms.rate, -terms.coefficient)
    return _without_rows(terms, dtype)._replace(t=t, coefficient=coefficient)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None = None
) -> NetworkTables:
    """Tables of a whole network, or of the rows used, in a precision of choice, on all threads."""
    sums = terms, coarse_sum()
    rate = np.concatenate([one.rate for one in sums])
    scale = -np.concatenate([one.coefficient for one in sums])
    edges, nodes = used or (np.arange(len(w)), np.arange(len(w0)))
    t, coefficient = _filled(w[edges], rate, None, dtype), _filled(w0[nodes], rate, scale, dtype)
    rows = _row_numbers(edges, len(w)), _row_numbers(nodes, len(w0))
    return NetworkTables(t, coefficient, *rows, *(_without_rows(one, dtype) for one in sums))


def _row_numbers(chosen: Int64Array, count: int) -> Int32Array:
    """Place of each of so many numbers among those chosen; 0 for the others."""
    row = np.zeros(count, np.int32)
    row[chosen] = np.arange(len(chosen), dtype=np.int32)
    return row


def _without_rows(terms: ExponentialSum, dtype: DType) -> Terms:
    none = np.empty((0, len(terms.rate)), dtype)
    tiny = np.finfo(dtype).tiny
    least_slope = dtype(tiny**LEAST_SLOPE)
    return Terms(none, none, terms.rate.astype(dtype), terms.error, tiny, least_slope)


def _filled(
    made_of: FloatArray, rate: FloatArray, scale: FloatArray | None, dtype: DType
) -> np.ndarray:
    """``scale * exp(-rate * a)`` of weights or leaks a, a row each."""
    table = np.empty((len(made_of), len(rate)), dtype)
    n_blocks = -(-len(table) // ROWS_AT_A_TIME)
    on_all_threads(_fill_blocks, n_blocks, table, made_of, rate, scale)
    return table


def _fill_blocks(blocks, table, made_of, rate, scale):
    for block in blocks:
        rows = slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)
        _put_exponentials(table[rows], made_of[rows], rate, scale)


def _put_exponentials(filled, made_of, rate, scale):
    least = LEAST_EXPONENTIAL * np.log(np.finfo(filled.dtype).tiny)
    _put_exponents(filled, made_of, rate, filled.dtype.type(least))
    np.exp(filled, out=filled)
    if scale is not None:
        filled *= scale.astype(filled.dtype)


@kernel
def _put_exponents(filled, made_of, rate, least):
    """Products in double precision, whatever they are kept in, and none below the least."""
    number = filled.dtype.type
    for row in range(filled.shape[0]):
        for m in range(filled.shape[1]):
            filled[row, m] = max(number(-rate[m] * made_of[row]), least)


@part
def gather_rows(table, row_of, chosen, n_exact):
    """Rows of these edges or nodes, the exact terms apart from the coarse ones."""
    exact = np.empty((len(chosen), n_exact), table.dtype)
    coarse = np.empty((len(chosen), table.shape[1] - n_exact), table.dtype)
    for row in range(len(chosen)):
        source = row_of[chosen[row]]
        for m in range(exact.shape[1]):
            exact[row, m] = table[source, m]
        for m in range(coarse.shape[1]):
            coarse[row, m] = table[source, n_exact + m]
    return exact, coarse


@part
def local_tables(local, tables):
    """Rows of a local model, of both sums."""
    n_exact = len(tables.exact.rate)
    t, rough_t = gather_rows(tables.t, tables.edge_row, local.edge, n_exact)
    coefficient, rough_coefficient = gather_rows(
        tables.coefficient, tables.node_row, local.node, n_exact
    )
    exact = Terms(t, coefficient, *tables.exact[2:])
    return Tables(exact, Terms(rough_t, rough_coefficient, *tables.coarse[2:]))
