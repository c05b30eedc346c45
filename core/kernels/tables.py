"""Exponentials of weights and leaks, made once for each update of them (MATH §4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.kernels.compiling import part
from core.kernels.exponentials import ExponentialSum, coarse_sum
from core.kernels.threads import on_all_threads

# As many as stay in the cache while several passes go over them.
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


class NetworkTables(NamedTuple):
    """Tables of a whole network, in which `local_tables` looks up the rows of a local model.

    In a large network most of the time of that goes into finding a row in memory, so that both
    sums of an edge or a node stand side by side. Rows that are not `Used` may be any bits.

    Attributes
    ----------
    t : float array, shape (n_edges, n_exact + n_coarse)
    chance : float array, shape (n_nodes, n_exact + n_coarse)
    exact, coarse : Terms
        Without rows: what all rows of a sum have in common.
    """

    t: np.ndarray
    chance: np.ndarray
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


def build_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType = np.float64
) -> Tables:
    """Tables of the edges and nodes of one local model, made by the thread that asks for them."""
    return Tables(*(_build(w, w0, one, dtype) for one in (terms, coarse_sum())))


def _build(w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType) -> Terms:
    t, chance = (np.empty((len(rows), len(terms.rate)), dtype) for rows in (w, w0))
    _put_exponentials(t, w, terms.rate, None)
    _put_exponentials(chance, w0, terms.rate, -terms.coefficient)
    return _without_rows(terms, dtype)._replace(t=t, chance=chance)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: DType, used: Used | None = None
) -> NetworkTables:
    """Tables of a whole network in a precision of choice, made on all threads.

    With ``used``, what all other rows hold is not defined: they may be any bits.
    """
    sums = terms, coarse_sum()
    rate = np.concatenate([one.rate for one in sums])
    scale = -np.concatenate([one.coefficient for one in sums])
    edges, nodes = used or (None, None)
    t = _filled(w, rate, None, dtype, edges)
    chance = _filled(w0, rate, scale, dtype, nodes)
    return NetworkTables(t, chance, *(_without_rows(one, dtype) for one in sums))


def _without_rows(terms: ExponentialSum, dtype: DType) -> Terms:
    none = np.empty((0, len(terms.rate)), dtype)
    tiny = np.finfo(dtype).tiny
    least_slope = dtype(tiny**LEAST_SLOPE)
    return Terms(none, none, terms.rate.astype(dtype), terms.error, tiny, least_slope)


def _filled(
    made_of: FloatArray,
    rate: FloatArray,
    scale: FloatArray | None,
    dtype: DType,
    chosen: npt.NDArray[np.int64] | None,
) -> np.ndarray:
    """``scale * exp(-rate * a)`` of all weights or leaks a, or in the rows of those chosen."""
    table = np.empty((len(made_of), len(rate)), dtype)
    n_rows = len(table) if chosen is None else len(chosen)
    n_blocks = -(-n_rows // ROWS_AT_A_TIME)
    on_all_threads(_fill_blocks, n_blocks, table, made_of, rate, scale, chosen)
    return table


def _fill_blocks(blocks, table, made_of, rate, scale, chosen):
    for block in blocks:
        rows = slice(block * ROWS_AT_A_TIME, (block + 1) * ROWS_AT_A_TIME)
        if chosen is None:
            _put_exponentials(table[rows], made_of[rows], rate, scale)
        else:
            some = np.empty((len(chosen[rows]), len(rate)), table.dtype)
            _put_exponentials(some, made_of[chosen[rows]], rate, scale)
            table[chosen[rows]] = some


def _put_exponentials(filled, made_of, rate, scale):
    least = LEAST_EXPONENTIAL * np.log(np.finfo(filled.dtype).tiny)
    np.multiply.outer(made_of, -rate, out=filled, casting="same_kind")
    np.maximum(filled, filled.dtype.type(least), out=filled)
    np.exp(filled, out=filled)
    if scale is not None:
        filled *= scale.astype(filled.dtype)


@part
def gather_rows(table, chosen, n_exact):
    """These rows of a table, the exact terms apart from the coarse ones."""
    exact = np.empty((len(chosen), n_exact), table.dtype)
    coarse = np.empty((len(chosen), table.shape[1] - n_exact), table.dtype)
    for row in range(len(chosen)):
        source = chosen[row]
        for m in range(exact.shape[1]):
            exact[row, m] = table[source, m]
        for m in range(coarse.shape[1]):
            coarse[row, m] = table[source, n_exact + m]
    return exact, coarse


@part
def local_tables(local, tables):
    """Rows of a local model, of both sums."""
    n_exact = len(tables.exact.rate)
    t, rough_t = gather_rows(tables.t, local.edge, n_exact)
    chance, rough_chance = gather_rows(tables.chance, local.node, n_exact)
    exact = Terms(t, chance, *tables.exact[2:])
    return Tables(exact, Terms(rough_t, rough_chance, *tables.coarse[2:]))
