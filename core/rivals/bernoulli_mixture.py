"""Clusters of binary rows: EM of a mixture whose variables are independent within a cluster."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from orrery.core.arrays import FloatArray, Int64Array

MOST_ROUNDS = 50
# EM ends when the log-likelihood of a row rises by less than this.
TOLERANCE = 1e-4
# Rows that a cluster starts with beside its own, all with the frequencies of the whole.
PRIOR_ROWS = 2.0
# A variable's states in a cluster count so much from the start.
CELL = 0.1


def cluster_rows(
    presence: sparse.csr_array, times: FloatArray, n_clusters: int, rng: np.random.Generator
) -> list[Int64Array]:
    """Rows of each cluster by its most probable one; clusters that are empty are left out.

    Parameters
    ----------
    presence : csr_array of 0 and 1, shape (n_rows, n_variables)
    times : float64 array, shape (n_rows,)
        How often each row counts.
    n_clusters : int
    rng : Generator
        Draws the rows that clusters start from.
    """
    n_clusters = min(n_clusters, presence.shape[0])
    total = times.sum()
    mean = (presence.T @ times) / total
    start = presence[rng.choice(presence.shape[0], n_clusters, replace=False)].toarray()
    chance = (start + PRIOR_ROWS * mean + CELL) / (1.0 + PRIOR_ROWS + 2.0 * CELL)
    share, before = np.full(n_clusters, 1.0 / n_clusters), -np.inf
    for _ in range(MOST_ROUNDS):
        scores = _log_joint(presence, chance, share)
        evidence = logsumexp(scores, axis=1)
        weight = np.exp(scores - evidence[:, None]) * times[:, None]
        mass = weight.sum(axis=0)
        share = (mass + CELL) / (total + n_clusters * CELL)
        chance = (np.asarray(presence.T @ weight).T + CELL) / (mass[:, None] + 2.0 * CELL)
        now = float(times @ evidence) / total
        if now - before < TOLERANCE:
            break
        before = now
    nearest = scores.argmax(axis=1)
    return [rows for k in range(n_clusters) if len(rows := np.flatnonzero(nearest == k))]


def _log_joint(presence: sparse.csr_array, chance: FloatArray, share: FloatArray) -> FloatArray:
    log_on, log_off = np.log(chance), np.log1p(-chance)
    return np.asarray(np.log(share) + log_off.sum(axis=1) + presence @ (log_on - log_off).T)
