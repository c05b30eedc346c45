"""Exponentials of all weights and leaks, made once for each update of them (MATH §4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import prange

from core.kernels.compiling import kernel, parallel_kernel
from core.kernels.exponentials import ExponentialSum, coarse_sum

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
    """

    t: np.ndarray
    chance: np.ndarray
    rate: np.ndarray
    error: float


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
    t = np.exp(-np.outer(w, terms.rate))
    chance = -terms.coefficient * np.exp(-np.outer(w0, terms.rate))
    return Terms(t, chance, terms.rate, terms.error)


def fill_tables(
    w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: type[np.floating]
) -> Tables:
    """Equals `build_tables` in a precision of choice, rows in parallel and without copies."""
    return Tables(_fill(w, w0, terms, dtype), _fill(w, w0, coarse_sum(), dtype))


def _fill(w: FloatArray, w0: FloatArray, terms: ExponentialSum, dtype: type[np.floating]) -> Terms:
    n_terms = len(terms.rate)
    t, chance = np.empty((len(w), n_terms), dtype), np.empty((len(w0), n_terms), dtype)
    exponentials(w, terms.rate, np.ones(n_terms), t)
    exponentials(w0, terms.rate, -terms.coefficient, chance)
    return Terms(t, chance, terms.rate.astype(dtype), terms.error)


@parallel_kernel
def exponentials(weight, rate, factor, filled):
    """Fill rows with factor * exp(-rate * weight)."""
    for row in prange(len(weight)):
        for m in range(len(rate)):
            filled[row, m] = factor[m] * np.exp(-rate[m] * weight[row])


@kernel
def local_terms(local, terms):
    """Rows of a local model."""
    return Terms(terms.t[local.edge], terms.chance[local.node], terms.rate, terms.error)


@kernel
def local_tables(local, tables):
    """Rows of a local model, of both sums."""
    return Tables(local_terms(local, tables.exact), local_terms(local, tables.coarse))
