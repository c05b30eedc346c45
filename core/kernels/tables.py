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


def build_tables(w: FloatArray, w0: FloatArray, terms: ExponentialSum) -> Tables:
    """Tables of some edges and nodes, for one document; `fill_tables` is for whole networks."""
    return Tables(_build(w, w0, terms), _build(w, w0, coarse_sum()))


def _build(w: FloatArray, w0: FloatArray, terms: ExponentialSum) -> Terms:
    return _finish(_exponentials(w, terms.rate), _exponentials(w0, terms.rate), terms)


def _exponentials(weight: FloatArray, rate: FloatArray) -> FloatArray:
    filled = np.empty((len(weight), len(rate)))
    _fill_rows(weight, rate, filled)
    return filled


def _finish(t: np.ndarray, chance: np.ndarray, terms: ExponentialSum) -> Terms:
    """Terms of the exponentials of weights and leaks, the latter changed in place."""
    dtype = t.dtype.type
    tiny = np.finfo(dtype).tiny
    chance *= -terms.coefficient.astype(dtype)
    least_slope = dtype(tiny**LEAST_SLOPE)
    return Terms(t, chance, terms.rate.astype(dtype), terms.error, tiny, least_slope)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: type[np.floating]
) -> Tables:
    """Equals `build_tables` in a precision of choice, on all threads and without copies."""
    return Tables(_fill(w, w0, terms, dtype), _fill(w, w0, coarse_sum(), dtype))


def _fill(w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: type[np.floating]) -> Terms:
    n_terms = len(terms.rate)
    t, chance = np.empty((len(w), n_terms), dtype), np.empty((len(w0), n_terms), dtype)
    on_all_threads(_fill_blocks, _n_blocks(w), w, terms.rate, t)
    on_all_threads(_fill_blocks, _n_blocks(w0), w0, terms.rate, chance)
    return _finish(t, chance, terms)


def _n_blocks(weight: FloatArray) -> int:
    return -(-len(weight) // ROWS_AT_A_TIME)


def _fill_blocks(blocks, weight, rate, filled):
    for block in blocks:
        rows = slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)
        _fill_rows(weight[rows], rate, filled[rows])


def _fill_rows(weight, rate, filled):
    least = LEAST_EXPONENTIAL * np.log(np.finfo(filled.dtype).tiny)
    np.multiply.outer(weight, -rate, out=filled, casting="same_kind")
    np.maximum(filled, filled.dtype.type(least), out=filled)
    np.exp(filled, out=filled)


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
