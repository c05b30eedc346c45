"""The whole E-step of one local model: from each start to its fixed point, the best is kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.bounds import start_activations
from core.kernels.compiling import kernel
from core.kernels.exact import ascend_exact
from core.kernels.jensen import ascend_jensen, start_shares


class Search(NamedTuple):
    """How an E-step looks for the best activations.

    Attributes
    ----------
    starts : float64 array
        Activations that every topic starts from, one ascent each; the best end wins (MATH §9).
    tolerance : float
        An ascent ends when no activation moves by more than this; 0 runs it to the full length.
    max_sweeps : int
        Most sweeps of an ascent on the exact bound.
    schedule : int64 array, shape (3,)
        Most rounds, sweeps over q and steps of r on the Jensen bound (N_E, N_Q, N_R).
    """

    starts: np.ndarray
    tolerance: float
    max_sweeps: int
    schedule: np.ndarray


@kernel
def exact_ends(local, weights, t, terms, free, held, search):
    """End of `ascend_exact` from every start; returns (bounds, q, P), a row for each start.

    ``held`` gives the activations of the topics that are not ``free``.
    """
    n_starts, n_nodes, n_topics = len(search.starts), len(local.node), local.n_topics
    bounds = np.empty(n_starts, np.float64)
    q = np.empty((n_starts, n_nodes), np.float64)
    P = np.empty((n_starts, n_nodes, len(terms.rate)), np.float64)
    for row in range(n_starts):
        q[row] = start_activations(local, search.starts[row])
        q[row, :n_topics] = np.where(free, q[row, :n_topics], held)
        bounds[row] = ascend_exact(
            local, weights, t, terms, free, q[row], P[row], search.tolerance, search.max_sweeps
        )
    return bounds, q, P


@kernel
def fit_exact(local, weights, t, terms, free, held, search):
    """The best of `exact_ends`; returns (bound, q, P)."""
    bounds, q, P = exact_ends(local, weights, t, terms, free, held, search)
    best = np.argmax(bounds)
    return bounds[best], q[best], P[best]


@kernel
def fit_jensen(local, weights, free, held, search):
    """Best end over the starts of `ascend_jensen`; returns (bound, q, r)."""
    best_q = np.empty(0, np.float64)
    best_r = np.empty(0, np.float64)
    best = -np.inf
    for start in search.starts:
        q = start_activations(local, start)
        q[: local.n_topics] = np.where(free, q[: local.n_topics], held)
        r = start_shares(local, weights)
        bound = ascend_jensen(local, weights, free, q, r, search.schedule, search.tolerance)
        if bound > best:
            best, best_q, best_r = bound, q, r
    return best, best_q, best_r
