"""UMAP-like layout of the documents by stochastic gradient descent.

The objective of UMAP (McInnes, Healy and Melville, 2018, section 3.2 and appendix C) is the cross
entropy between the neighbour graph and the similarity of two points, which is 1 / (1 + d² / h) at
distance d. Each document is represented by its topics.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from threadpoolctl import threadpool_limits

from ..kernels.compiling import kernel, part
from ..kernels.streams import stream_key, uniform
from ..utils.types import ProgressCallback, no_progress
from .neighbours import Cells, Float32Array, fuzzy_graph, make_cells, nearest_in_cells, unit

# Negative samples: points that repel a point for each neighbour that attracts it.
N_NEGATIVE = 5
# Maximum length of a step; otherwise two coinciding points would move apart without limit.
MAX_STEP = 4.0
# Added to the squared distance, so that the repulsion stays finite.
SOFTENING = 1e-3


@part
def _clipped(step):
    return min(max(step, -MAX_STEP), MAX_STEP)


@kernel
def optimise_points(place, pointer, other, tie, half, epochs, seed):
    """Optimise the points for some epochs, in place, one point after the other.

    ``place`` has shape (n_points, 2). ``other[pointer[p]:pointer[p + 1]]`` are the neighbours of
    point ``p``, and ``tie`` holds their edge weights in (0, 1]: the probability that an edge is
    sampled in an epoch. ``half`` is the squared distance ``h`` at which the similarity is one half.
    ``epochs`` holds the first epoch, the end, and the total number, over which the learning rate
    decreases to 0.
    """
    n_points = len(place)
    begin, end, total = epochs
    for epoch in range(begin, end):
        rate = 1.0 - epoch / total
        for p in range(n_points):
            key = stream_key(seed + epoch, p)
            counter = 0
            for e in range(pointer[p], pointer[p + 1]):
                counter += 1
                if uniform(key, counter) >= tie[e]:
                    continue
                q = other[e]
                dx, dy = place[p, 0] - place[q, 0], place[p, 1] - place[q, 1]
                pull = -2.0 / (half + dx * dx + dy * dy) * rate
                step_x, step_y = _clipped(pull * dx), _clipped(pull * dy)
                place[p, 0] += step_x
                place[p, 1] += step_y
                place[q, 0] -= step_x
                place[q, 1] -= step_y
                for _ in range(N_NEGATIVE):
                    counter += 1
                    q = np.int64(uniform(key, counter) * n_points)
                    dx, dy = place[p, 0] - place[q, 0], place[p, 1] - place[q, 1]
                    squared = dx * dx + dy * dy
                    push = 2.0 / ((SOFTENING + squared) * (1.0 + squared / half))
                    place[p, 0] += _clipped(push * dx) * rate
                    place[p, 1] += _clipped(push * dy) * rate


# Dimensions after the truncated SVD; more dimensions do not separate the documents better.
DIMENSIONS = 64
NEIGHBOURS = 15
# Limits of a topic's frequency. A topic of every document keeps a small weight, and the weight of a
# topic of no document stays finite.
MIN_SHARE, MAX_SHARE = 1e-9, 0.99
EPOCHS = 200
# Squared distance at which the similarity is one half. It separates clusters and keeps structure
# within them. UMAP's default is 0.6, which collapses small clusters to dots.
HALF = 10.0
# Progress after each stage, measured with 100,000 documents.
AFTER_CELLS, AFTER_NEIGHBOURS = 0.1, 0.4
REPORTS = 40
# Contraction after each report. It keeps isolated points near; connected points spread again.
GRAVITY = np.float32(0.96)
# Half the width of the initial layout of the cells.
WIDTH = 10.0


def lay_out(
    activations: sparse.csr_array, *, seed: int = 0, progress: ProgressCallback = no_progress
) -> Float32Array:
    """Compute a layout in which documents with the same topics are near each other.

    Each topic is weighted by its information (the negative log of its frequency), and documents are
    compared by the cosine. Cells of documents are laid out first and give their members the initial
    points, so that similar documents are near each other also at a large scale.

    ``activations``, shape (n_documents, n_topics), are the probabilities of the topics. The result
    has shape (n_documents, 2), with NaN for a document without topics. The same activations and
    seed give the same bits, for any number of threads.
    """
    place = np.full((activations.shape[0], 2), np.nan, np.float32)
    known = np.flatnonzero(np.diff(activations.indptr))
    if len(known):
        # Sums in a linear algebra library depend on its number of threads.
        with threadpool_limits(1):
            place[known] = _rotated(_lay_out(directions(activations[known], seed), seed, progress))
    progress(1.0)
    return place


def directions(activations: sparse.csr_array, seed: int) -> Float32Array:
    """Documents as unit vectors of their topics, each weighted by its information."""
    weighted = _weighted(activations)
    weighted = weighted[:, np.unique(weighted.indices)]
    if min(weighted.shape) > DIMENSIONS:
        return unit(TruncatedSVD(DIMENSIONS, random_state=seed).fit_transform(weighted))
    return unit(weighted.toarray())


def _weighted(activations: sparse.csr_array) -> sparse.csr_array:
    """Probabilities times the information of their topics, in nats."""
    total = np.bincount(activations.indices, activations.data, activations.shape[1])
    share = total / max(activations.shape[0], 1)
    information = -np.log(np.clip(share, MIN_SHARE, MAX_SHARE)).astype(np.float32)
    data = activations.data.astype(np.float32) * information[activations.indices]
    return sparse.csr_array((data, activations.indices, activations.indptr), activations.shape)


def _lay_out(direction: Float32Array, seed: int, progress: ProgressCallback) -> Float32Array:
    n = len(direction)
    if n <= 2:
        return np.arange(2 * n, dtype=np.float32).reshape(n, 2)
    cells = make_cells(direction, seed)
    progress(AFTER_CELLS)
    near = fuzzy_graph(*nearest_in_cells(direction, cells, min(NEIGHBOURS, n - 1)))
    progress(AFTER_NEIGHBOURS)
    place = _initial(cells, seed)
    _optimise(place, near, seed, progress)
    return place


def _initial(cells: Cells, seed: int) -> Float32Array:
    """Initial points: the points of the cells plus Gaussian noise."""
    n_cells = len(cells.centre)
    place = _principal_components(cells.centre)
    if n_cells > NEIGHBOURS:
        whole = Cells(cells.centre[:1], np.zeros(n_cells, np.int64))
        _optimise(
            place,
            fuzzy_graph(*nearest_in_cells(cells.centre, whole, NEIGHBOURS)),
            seed,
            no_progress,
        )
    scatter = np.random.default_rng(seed).normal(size=(len(cells.cell), 2))
    return (place[cells.cell] + scatter).astype(np.float32)


def _rotated(place: Float32Array) -> Float32Array:
    """Points rotated so that their largest extent is horizontal, as on a screen."""
    centred = place - place.mean(axis=0)
    _, _, axes = np.linalg.svd((centred.T @ centred).astype(np.float64))
    # A rotation without reflection: the library chooses the sign of an axis arbitrarily.
    axes *= np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])[:, None]
    return np.asarray(centred @ axes.T.astype(np.float32), np.float32)


def _principal_components(rows: Float32Array) -> Float32Array:
    """First two principal components, scaled to `WIDTH`."""
    centred = rows - rows.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    place = np.zeros((len(rows), 2), np.float32)
    place[:, : left.shape[1]] = (left * size)[:, :2]
    return place * np.float32(WIDTH / max(np.abs(place).max(), 1e-6))


def _optimise(
    place: Float32Array, near: sparse.csr_array, seed: int, progress: ProgressCallback
) -> None:
    pointer, other = near.indptr.astype(np.int64), near.indices.astype(np.int32)
    for report in range(REPORTS):
        epochs = (report * EPOCHS // REPORTS, (report + 1) * EPOCHS // REPORTS, EPOCHS)
        optimise_points(place, pointer, other, near.data, HALF, epochs, seed)
        place *= GRAVITY
        progress(AFTER_NEIGHBOURS + (1.0 - AFTER_NEIGHBOURS) * (report + 1) / REPORTS)
