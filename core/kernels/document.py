"""E-step of one local model: the best fixed point over several starting points (MATH §9.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bounds import CLIP, start_activations
from .compiling import kernel, part
from .exact import ascend_exact, exact_bound
from .jensen import ascend_jensen, start_shares

# Fixed points whose activations all differ by less than this belong to the same optimum.
SAME_FIXED_POINT = 0.1
# A fixed point on the coarse terms only approximates an exact one, so a rough tolerance suffices.
COARSE_TOLERANCE = 0.05


class Search(NamedTuple):
    """Settings of the search for the best activations in an E-step."""

    # float64: initial activations of all topics, one ascent each; the best fixed point is kept
    starts: np.ndarray
    # An ascent ends when no activation changes by more than this. With 0, an ascent on the Jensen
    # bound runs its full schedule; on the exact bound it ends at `exact.MIN_CHANGE`.
    tolerance: float
    max_sweeps: int  # Maximum number of sweeps of an ascent on the exact bound
    # int64 (3,): maximum numbers N_E, N_Q, N_R of rounds, sweeps over q and steps of r on the
    # Jensen bound
    schedule: np.ndarray


@part
def is_same_fixed_point(one, other, n_topics):
    """Return whether two fixed points differ so little that they belong to the same optimum."""
    largest = 0.0
    for k in range(n_topics):
        largest = max(largest, abs(one[k] - other[k]))
    return largest < SAME_FIXED_POINT


@part
def is_new_fixed_point(fixed_points, row, n_topics):
    """Return whether a row belongs to a different optimum than all rows before it."""
    is_new = True
    for other in range(row):
        is_new = is_new and not is_same_fixed_point(
            fixed_points[row], fixed_points[other], n_topics
        )
    return is_new


@kernel
def exact_fixed_points(local, weights, tables, free, held, search):
    """Fixed points of `ascend_exact`, each found from a fixed point on the coarse terms.

    Each start gives one fixed point; starts that converge to the same optimum on the coarse terms
    share it. ``held`` gives the activations of the topics that are not ``free``. The results are
    the bounds, q and P, with one row for each fixed point.
    """
    n_starts, n_nodes = len(search.starts), len(local.node)
    max_sweeps = search.max_sweeps
    bounds = np.empty(n_starts, np.float64)
    q = np.empty((n_starts, n_nodes), np.float64)
    P = np.empty((n_starts, n_nodes, len(tables.exact.rate)), tables.exact.coefficient.dtype)
    coarse = np.empty((n_starts, n_nodes), np.float64)
    coarse_P = np.empty_like(tables.coarse.coefficient)
    tolerance = max(search.tolerance, COARSE_TOLERANCE)
    found = 0
    for start in search.starts:
        start_activations(local, start, free, held, coarse[found])
        ascend_exact(
            local, weights, tables.coarse, free, coarse[found], coarse_P, tolerance, max_sweeps
        )
        if is_new_fixed_point(coarse, found, local.n_topics):
            for i in range(n_nodes):
                q[found, i] = coarse[found, i]
            ascend_exact(
                local, weights, tables.exact, free, q[found], P[found], search.tolerance, max_sweeps
            )
            bounds[found] = exact_bound(local, weights, tables.exact, free, q[found], P[found])
            found += 1
    return bounds[:found], q[:found], P[:found]


@kernel
def nearby_fixed_point(local, weights, terms, free, remembered, search):
    """Fixed point of `ascend_exact` from remembered activations of the local topics.

    The results have the form of `exact_fixed_points`, with one row.
    """
    n_nodes = len(local.node)
    bounds = np.empty(1, np.float64)
    q = np.empty((1, n_nodes), np.float64)
    P = np.empty((1, n_nodes, len(terms.rate)), terms.coefficient.dtype)
    for i in range(n_nodes):
        # Remembered in single precision, an activation may be 0 or 1.
        q[0, i] = min(max(remembered[i], CLIP), 1.0 - CLIP) if i < local.n_topics else 1.0
    ascend_exact(local, weights, terms, free, q[0], P[0], search.tolerance, search.max_sweeps)
    bounds[0] = exact_bound(local, weights, terms, free, q[0], P[0])
    return bounds, q, P


@part
def best_fixed_point(bounds):
    """Row of the largest bound, the first one of equal bounds."""
    best = 0
    for row in range(1, len(bounds)):
        if bounds[row] > bounds[best]:
            best = row
    return best


@kernel
def fit_jensen(local, weights, free, held, search):
    """Best fixed point of `ascend_jensen` over all starts, as (bound, q, r)."""
    best_q = np.empty(0, np.float64)
    best_r = np.empty(0, np.float64)
    best = -np.inf
    for start in search.starts:
        q = np.empty(len(local.node), np.float64)
        start_activations(local, start, free, held, q)
        r = start_shares(local, weights)
        bound = ascend_jensen(local, weights, free, q, r, search.schedule, search.tolerance)
        if bound > best:
            best, best_q, best_r = bound, q, r
    return best, best_q, best_r
