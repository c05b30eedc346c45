"""Approximate nearest neighbours by clustering, and the fuzzy neighbour graph of UMAP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..utils.types import FloatArray, Int32Array, Int64Array

Float32Array = npt.NDArray[np.float32]

# Approximate number of vectors in a cell; few enough to compare a cell with all near cells at once.
CELL = 256
# Minimum number of cells; fewer do not represent the global structure.
MIN_CELLS = 64
# Iterations of k-means, after which the cells hardly change.
N_ITERATIONS = 4
# Number of nearest cells, including its own, in which the neighbours of a vector are searched.
CELLS_SEARCHED = 16


class Cells(NamedTuple):
    """Clusters of unit vectors."""

    centre: Float32Array  # float32 (n_cells, n_dimensions): unit vectors
    cell: Int64Array  # int64 (n_directions,): cell with the nearest centre


def make_cells(direction: Float32Array, seed: int) -> Cells:
    """Cluster unit vectors by spherical k-means (Dhillon and Modha, 2001)."""
    n = len(direction)
    chosen = np.random.default_rng(seed).permutation(n)[: max(n // CELL, MIN_CELLS)]
    centre = direction[np.sort(chosen)]
    for _ in range(N_ITERATIONS):
        cell = _nearest(direction, centre)
        members = sparse.csr_array((np.ones(n, np.float32), (cell, np.arange(n))), (len(centre), n))
        centre = unit(np.asarray(members @ direction))
    return Cells(centre, _nearest(direction, centre))


def unit(rows: Float32Array) -> Float32Array:
    """Rows normalised to unit length; zero rows stay zero."""
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.maximum(length, np.finfo(np.float32).tiny)[:, None], np.float32)


def nearest_in_cells(
    direction: Float32Array, cells: Cells, n_neighbours: int
) -> tuple[Int32Array, Float32Array]:
    """Search the neighbours of every vector, in its own cell and in the nearest cells.

    ``direction`` holds unit vectors. The results are the numbers of the neighbours, the nearest
    first, and their cosines, both of shape (n, n_neighbours), with the same bits for any number of
    threads. ``n_neighbours`` is below n.
    """
    order = np.argsort(cells.cell, kind="stable").astype(np.int32)
    members = np.split(order, np.cumsum(np.bincount(cells.cell, minlength=len(cells.centre)))[:-1])
    near = np.argsort(-(cells.centre @ cells.centre.T), axis=1, kind="stable")
    neighbour = np.empty((len(direction), n_neighbours), np.int32)
    cosine = np.empty((len(direction), n_neighbours), np.float32)

    def search(cell: int) -> None:
        own = members[cell]
        if not len(own):
            return
        others = _candidates(members, near[cell], n_neighbours + 1)
        similarity = direction[own] @ direction[others].T
        # A point is not its own neighbour.
        similarity[np.arange(len(own)), np.searchsorted(others, own)] = -np.inf
        best = np.argpartition(-similarity, n_neighbours - 1, axis=1)[:, :n_neighbours]
        value = np.take_along_axis(similarity, best, axis=1)
        rank = np.lexsort((best, -value))
        neighbour[own] = others[np.take_along_axis(best, rank, axis=1)]
        cosine[own] = np.take_along_axis(value, rank, axis=1)

    with ThreadPoolExecutor(numba.get_num_threads()) as threads:
        list(threads.map(search, range(len(members))))
    return neighbour, cosine


def _nearest(direction: Float32Array, centre: Float32Array) -> Int64Array:
    blocks = range(0, len(direction), CELL * CELL)
    return np.concatenate(
        [np.argmax(direction[row : row + CELL * CELL] @ centre.T, axis=1) for row in blocks]
    )


def _candidates(members: list[Int32Array], near: Int64Array, minimum: int) -> Int32Array:
    """Members of the nearest cells, ascending; more cells if these have too few members."""
    sizes = np.cumsum([len(members[cell]) for cell in near])
    count = max(CELLS_SEARCHED, int(np.searchsorted(sizes, minimum)) + 1)
    return np.sort(np.concatenate([members[cell] for cell in near[:count]]))


# Bisection steps, after which the width is exact in single precision.
N_BISECTIONS = 32
# Minimum edge weight; a weaker edge is never sampled.
MIN_WEIGHT = 1e-3


def fuzzy_graph(neighbour: Int32Array, cosine: Float32Array) -> sparse.csr_array:
    """Fuzzy neighbour graph (McInnes, Healy and Melville, 2018, section 3.1).

    The nearest neighbour has the weight 1. The other weights decrease with distance so that all
    weights sum to log2 of their number; this gives dense and sparse regions the same scale. The
    arguments come from `nearest_in_cells`. The result is symmetric, with weights from `MIN_WEIGHT`
    to 1.
    """
    n, count = neighbour.shape
    distance = np.maximum(cosine[:, :1].astype(np.float64) - cosine, 0.0)
    directed = np.exp(-distance / _widths(distance)[:, None]).astype(np.float32)
    pointer = np.arange(n + 1, dtype=np.int64) * count
    table = sparse.csr_array((directed.ravel(), neighbour.ravel(), pointer), shape=(n, n))
    transposed = table.T.tocsr()
    symmetric = sparse.csr_array(table + transposed - table * transposed)
    symmetric.data[symmetric.data < MIN_WEIGHT] = 0.0
    symmetric.eliminate_zeros()
    symmetric.sort_indices()
    return symmetric


def _widths(distance: FloatArray) -> FloatArray:
    """Bandwidth of each point's neighbourhood, by bisection of its logarithm."""
    target = np.log2(max(distance.shape[1], 2))
    low, high = np.full(len(distance), -20.0), np.full(len(distance), 20.0)
    for _ in range(N_BISECTIONS):
        middle = (low + high) / 2.0
        is_wide = np.exp(-distance / np.exp(middle)[:, None]).sum(axis=1) > target
        high, low = np.where(is_wide, middle, high), np.where(is_wide, low, middle)
    return np.asarray(np.exp(high), np.float64)
