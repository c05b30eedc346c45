"""Exponentials of all weights and leaks, made once for each update of them (MATH §4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.kernels.compiling import part
from core.kernels.exponentials import ExponentialSum, coarse_sum
from core.kernels.threads import on_all_threads

# As many as stay in the cache between the two passes over them.
ROWS_AT_A_TIME = 2048
# Numbers below the smallest that a precision has in full ("subnormal") take some processors a
# hundred times as long, and rates are so high that nearly every edge has such an exponential.
# These are powers of that smallest number: no exponential is below the first, slopes below the
# other are 0, and neither is their product subnormal.
LEAST_EXPONENTIAL, LEAST_SLOPE = 0.53, 0.4

FloatArray = npt.NDArray[np.float64]
DType = type[np.floating]


class Terms(NamedTuple):
    """A sum of exponentials at the weights of some edges and the leaks of some nodes.

    In single precision twice as many terms fit into a vector; the kernels compute in the
    precision that these arrays have.

    Attributes
    ----------
    t : float array, shape (n_edges, n_terms)
        exp(-s_m w), what an active parent leaves of each term of its child.
    chance : float array, shape (n_nodes, n_terms)
        -c_m exp(-s_m w0), the terms of a node without active parents.
    rate : float array, shape (n_terms,)
        s_m.
    error : float
        Of the sum, see `ExponentialSum`.
    least_expected, least_slope : float
        What an expected term and a slope are at least, if not 0: less is computed slowly.
    """

    t: np.ndarray
    chance: np.ndarray
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


class Used(NamedTuple):
    """Rows that some documents need of the tables of a whole network.

    Attributes
    ----------
    edges, nodes : int64 arrays
    """

    edges: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]


def build_tables(w: FloatArray, w0: FloatArray, terms: ExponentialSum) -> Tables:
    """Tables of some edges and nodes, for one document; `fill_tables` is for whole networks."""
    return Tables(*(_build(w, w0, one) for one in (terms, coarse_sum())))


def _build(w: FloatArray, w0: FloatArray, terms: ExponentialSum) -> Terms:
    t, chance = _exponentials(w, terms, np.float64), _chances(w0, terms, np.float64)
    return _terms(t, chance, terms)


def _terms(t: np.ndarray, chance: np.ndarray, terms: ExponentialSum) -> Terms:
    dtype = t.dtype.type
    tiny = np.finfo(dtype).tiny
    least_slope = dtype(tiny**LEAST_SLOPE)
    return Terms(t, chance, terms.rate.astype(dtype), terms.error, tiny, least_slope)


def _exponentials(weight: FloatArray, terms: ExponentialSum, dtype: DType) -> np.ndarray:
    """exp(-s_m w) of some weights, in a precision of choice."""
    filled = np.empty((len(weight), len(terms.rate)), dtype)
    least = dtype(LEAST_EXPONENTIAL * np.log(np.finfo(dtype).tiny))
    np.multiply.outer(weight, -terms.rate, out=filled, casting="same_kind")
    np.maximum(filled, least, out=filled)
    return np.exp(filled, out=filled)


def _chances(leak: FloatArray, terms: ExponentialSum, dtype: DType) -> np.ndarray:
    """-c_m exp(-s_m w0) of some leaks."""
    filled = _exponentials(leak, terms, dtype)
    filled *= -terms.coefficient.astype(dtype)
    return filled


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None = None
) -> Tables:
    """Equals `build_tables` in a precision of choice, on all threads.

    Only the rows that are ``used`` are there, or all; what the others hold is not defined.
    """
    return Tables(*(_fill(w, w0, one, dtype, used) for one in (terms, coarse_sum())))


def _fill(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None
) -> Terms:
    n_terms = len(terms.rate)
    # Memory that nobody writes to is never made, so a large network costs what is used of it.
    t, chance = np.empty((len(w), n_terms), dtype), np.empty((len(w0), n_terms), dtype)
    edges, nodes = used or (None, None)
    _fill_rows(t, w, _exponentials, terms, edges)
    _fill_rows(chance, w0, _chances, terms, nodes)
    return _terms(t, chance, terms)


def _fill_rows(filled, made_of, make, terms, chosen):
    n_rows = len(filled) if chosen is None else len(chosen)
    n_blocks = -(-n_rows // ROWS_AT_A_TIME)
    on_all_threads(_fill_blocks, n_blocks, filled, made_of, make, terms, chosen)


def _fill_blocks(blocks, filled, made_of, make, terms, chosen):
    for block in blocks:
        span = slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)
        rows = span if chosen is None else chosen[span]
        filled[rows] = make(made_of[rows], terms, filled.dtype.type)


@part
def gather_rows(table, chosen):
    """These rows of a table."""
    rows = np.empty((len(chosen), table.shape[1]), table.dtype)
    for row in range(len(chosen)):
        for m in range(table.shape[1]):
            rows[row, m] = table[chosen[row], m]
    return rows


@part
def local_terms(local, terms):
    """Rows of a local model."""
    t, chance = gather_rows(terms.t, local.edge), gather_rows(terms.chance, local.node)
    return Terms(t, chance, *terms[2:])


@part
def local_tables(local, tables):
    """Rows of a local model, of both sums."""
    return Tables(local_terms(local, tables.exact), local_terms(local, tables.coarse))
