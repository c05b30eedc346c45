"""How strongly each point is tied to its neighbours: UMAP's fuzzy graph."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray, Int32Array
from orrery.core.layout.cells import Float32Array

# Halvings of an interval, after which the width is exact to single precision.
HALVINGS = 32
# A tie weaker than this is drawn in no epoch.
WEAKEST = 1e-3


def ties(neighbour: Int32Array, cosine: Float32Array) -> sparse.csr_array:
    """Ties of points to their neighbours (McInnes, Healy and Melville, 2018, section 3.1).

    The nearest neighbour counts one, the others fall off with their distance so that all together
    are as good as log2 of their number: dense and sparse regions are laid out alike.

    Parameters
    ----------
    neighbour : int32 array, shape (n, n_neighbours)
    cosine : float32 array, shape (n, n_neighbours)
        The largest first.

    Returns
    -------
    float32 csr_array, shape (n, n)
        Symmetric, from `WEAKEST` to 1.
    """
    n, count = neighbour.shape
    beyond = np.maximum(cosine[:, :1].astype(np.float64) - cosine, 0.0)
    one_way = np.exp(-beyond / _widths(beyond)[:, None]).astype(np.float32)
    pointer = np.arange(n + 1, dtype=np.int64) * count
    table = sparse.csr_array((one_way.ravel(), neighbour.ravel(), pointer), shape=(n, n))
    back = table.T.tocsr()
    both = sparse.csr_array(table + back - table * back)
    both.data[both.data < WEAKEST] = 0.0
    both.eliminate_zeros()
    both.sort_indices()
    return both


def _widths(beyond: FloatArray) -> FloatArray:
    """Width of each point's neighbourhood, by bisection of the logarithm."""
    wanted = np.log2(max(beyond.shape[1], 2))
    low, high = np.full(len(beyond), -20.0), np.full(len(beyond), 20.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        is_wide = np.exp(-beyond / np.exp(middle)[:, None]).sum(axis=1) > wanted
        high, low = np.where(is_wide, middle, high), np.where(is_wide, low, middle)
    return np.asarray(np.exp(high), np.float64)
