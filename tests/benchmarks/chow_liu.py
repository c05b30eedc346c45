"""The Chow–Liu tree (1968) of binary variables: the best tree, and an exact likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

from orrery.core.evaluation.completion import WordCounts, log_likelihood_of_counts
from orrery.core.utils.types import FloatArray

# Added to each of the four cells of every pair; a variable's own two cells thus get two each.
CELL = 1.0


@dataclass(frozen=True, eq=False)
class ChowLiuTree:
    """A tree as its edges, undirected, with all that a likelihood needs of it.

    Attributes
    ----------
    log_probability : float64 array, shape (2, n_variables)
        Log-probability of each variable to be 0 and to be 1.
    edge : int array, shape (n_variables - 1, 2)
    log_ratio : float64 array, shape (2, 2, n_variables - 1)
        ``log p(x, z) - log p(x) - log p(z)`` of the ends of each edge.
    """

    log_probability: FloatArray
    edge: np.ndarray
    log_ratio: FloatArray

    @staticmethod
    def fit(rows: sparse.csr_array) -> ChowLiuTree:
        """Tree of the greatest mutual information, shape of ``rows`` (n_rows, n_variables)."""
        total = rows.shape[0] + 4 * CELL
        count = np.asarray(rows.sum(axis=0)).ravel()
        both = (rows.T @ rows).toarray()
        log_on = np.log((count + 2 * CELL) / total)
        log_off = np.log((rows.shape[0] - count + 2 * CELL) / total)
        log_probability = np.stack([log_off, log_on])
        neither = rows.shape[0] - count[:, None] - count[None, :] + both
        cells = np.stack([[neither, count[None, :] - both], [count[:, None] - both, both]])
        joint = (cells + CELL) / total
        log_ratio = (
            np.log(joint) - log_probability[:, None, :, None] - log_probability[None, :, None, :]
        )
        information = (joint * log_ratio).sum(axis=(0, 1))
        # A length of zero would be no edge at all, so every length is less than zero.
        tree = minimum_spanning_tree(-(np.triu(information, 1) + 1.0)).tocoo()
        return ChowLiuTree(
            log_probability,
            np.stack([tree.row, tree.col], axis=1),
            log_ratio[:, :, tree.row, tree.col],
        )

    def log_likelihood(self, rows: sparse.csr_array) -> FloatArray:
        """Log-likelihood of every row, in nats, shape (n_rows,)."""
        states = rows.toarray().astype(np.int64)
        variables, edges = np.arange(states.shape[1]), np.arange(len(self.edge))
        ends = states[:, self.edge[:, 0]], states[:, self.edge[:, 1]]
        alone = self.log_probability[states, variables].sum(axis=1)
        return np.asarray(alone + self.log_ratio[*ends, edges].sum(axis=1))


def independent_mean(reference: sparse.csr_array, rows: sparse.csr_array) -> float:
    """Mean log-likelihood of rows when variables are independent, half a row added either way."""
    counts = np.asarray(reference.sum(axis=0)).ravel()
    return log_likelihood_of_counts(WordCounts(counts, reference.shape[0]), rows)
