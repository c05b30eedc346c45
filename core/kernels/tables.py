"""Exponentials of weights and leaks, made once for each update of them (MATH §4)."""

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
    return fill_tables(w, w0, terms, np.float64)


def _empty(rows: FloatArray, terms: ExponentialSum, dtype: DType) -> np.ndarray:
    return np.empty((len(rows), len(terms.rate)), dtype)


def _terms(t: np.ndarray, chance: np.ndarray, terms: ExponentialSum) -> Terms:
    dtype = t.dtype.type
    tiny = np.finfo(dtype).tiny
    least_slope = dtype(tiny**LEAST_SLOPE)
    return Terms(t, chance, terms.rate.astype(dtype), terms.error, tiny, least_slope)


def _put_exponentials(filled: np.ndarray, weight: FloatArray, terms: ExponentialSum) -> None:
    """exp(-s_m w) of some weights."""
    least = LEAST_EXPONENTIAL * np.log(np.finfo(filled.dtype).tiny)
    np.multiply.outer(weight, -terms.rate, out=filled, casting="same_kind")
    np.maximum(filled, filled.dtype.type(least), out=filled)
    np.exp(filled, out=filled)


def _put_chances(filled: np.ndarray, leak: FloatArray, terms: ExponentialSum) -> None:
    """-c_m exp(-s_m w0) of some leaks."""
    _put_exponentials(filled, leak, terms)
    filled *= -terms.coefficient.astype(filled.dtype)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None = None
) -> Tables:
    """Tables in a precision of choice, made on all threads and without copies.

    With ``used``, what all other rows hold is not defined: they may be any bits.
    """
    return Tables(*(_fill(w, w0, one, dtype, used) for one in (terms, coarse_sum())))


def _fill(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None
) -> Terms:
    t, chance = _empty(w, terms, dtype), _empty(w0, terms, dtype)
    edges, nodes = used or (None, None)
    _fill_rows(t, w, _put_exponentials, terms, edges)
    _fill_rows(chance, w0, _put_chances, terms, nodes)
    return _terms(t, chance, terms)


def _fill_rows(filled, made_of, put, terms, chosen):
    n_rows = len(filled) if chosen is None else len(chosen)
    blocks = _fill_blocks if chosen is None else _fill_chosen
    n_blocks = -(-n_rows // ROWS_AT_A_TIME)
    on_all_threads(blocks, n_blocks, filled, made_of, put, terms, chosen)


def _fill_blocks(blocks, filled, made_of, put, terms, _):
    for block in blocks:
        rows = _rows_of(block)
        put(filled[rows], made_of[rows], terms)


def _fill_chosen(blocks, filled, made_of, put, terms, chosen):
    for block in blocks:
        rows = chosen[_rows_of(block)]
        some = np.empty((len(rows), filled.shape[1]), filled.dtype)
        put(some, made_of[rows], terms)
        filled[rows] = some


def _rows_of(block):
    return slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)


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
