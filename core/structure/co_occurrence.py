"""Similarity of words, or topics, by the documents in which both occur."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..utils.types import FloatArray

# Pseudo-documents added to the observed and to the expected count of a pair. They limit the lift of
# two words that occur once each, and together, which otherwise equals the size of the corpus.
PRIOR_DOCUMENTS = 2.0
# Neighbours kept for each node: enough to see several senses, few enough for 50,000 words.
NEIGHBOURS = 40
# Maximal number of pairs in a block of rows of the co-occurrence matrix: about 200 MB of memory.
PAIRS_AT_ONCE = 8_000_000


def similarity_graph(
    presence: sparse.csr_array, n_neighbours: int = NEIGHBOURS
) -> sparse.csr_array:
    """Smoothed normalised pointwise mutual information of each node and its nearest neighbours.

    With ``c`` documents that contain both nodes, ``e`` expected under independence, ``D`` documents
    in total and ``κ = PRIOR_DOCUMENTS``, the similarity is::

        log((c + κ) / (e + κ)) / -log((c + κ) / (D + 2κ))

    ``(c + κ) / (e + κ)`` is the posterior mean of the lift under a Gamma prior with mean 1
    (DuMouchel 1999); the division normalises it as in normalised PMI (Bouma 2009). The similarity
    is 0 for independent nodes; for nodes that always occur together it approaches 1 as their
    number of documents grows. Pairs at or below 0 are left out.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
        Every stored entry counts as present; the stored values are ignored.
    n_neighbours : int
        Neighbours kept for each node; a pair is kept if either node keeps it.

    Returns
    -------
    csr_array of float64, shape (n_nodes, n_nodes)
        Symmetric, with sorted indices and no diagonal.
    """
    # float32 counts are exact up to 16 million documents and halve the memory traffic.
    ones = np.ones(len(presence.indices), np.float32)
    occurs = sparse.csr_array((ones, presence.indices, presence.indptr), shape=presence.shape)
    transposed = sparse.csr_array(occurs.T)
    frequency = np.diff(transposed.indptr).astype(np.float64)
    n_documents, n_nodes = occurs.shape
    parts = [
        _nearest_in_rows(transposed, occurs, rows, n_neighbours)
        for rows in product_blocks(transposed, occurs, PAIRS_AT_ONCE)
    ]
    nearest = sparse.csr_array((n_nodes, n_nodes), dtype=np.float64)
    if parts:
        nearest = sparse.csr_array(sparse.vstack(parts, format="csr").astype(np.float64))
    nearest.data = _similarity(nearest, frequency, n_documents)
    symmetric = sparse.csr_array(nearest.maximum(nearest.T))
    symmetric.sort_indices()
    return symmetric


def product_blocks(left: sparse.csr_array, right: sparse.csr_array, limit: int) -> list[slice]:
    """Blocks of rows of ``left`` whose product with ``right`` has at most about ``limit`` entries.

    The stored entries of ``left`` count as 1.
    """
    lengths = np.diff(right.indptr).astype(np.float64)
    pairs = np.minimum(left @ lengths, right.shape[1])
    block = np.cumsum(pairs) // limit
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    return list(map(slice, starts, [*starts[1:], len(pairs)]))


def _nearest_in_rows(
    transposed: sparse.csr_array, occurs: sparse.csr_array, rows: slice, n_neighbours: int
) -> sparse.csr_array:
    """Co-occurrence counts of some nodes with their most similar nodes, one row per node."""
    counts = sparse.csr_array(transposed[rows] @ occurs)
    frequency = np.diff(transposed.indptr).astype(np.float64)
    similarity = _similarity(counts, frequency, occurs.shape[0], first_row=rows.start)
    kept = [
        _largest(similarity, int(begin), int(end), n_neighbours)
        for begin, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True)
    ]
    positions = np.concatenate(kept)
    pointer = np.concatenate([[0], np.cumsum([len(part) for part in kept])])
    return sparse.csr_array(
        (counts.data[positions], counts.indices[positions], pointer), shape=counts.shape
    )


def _similarity(
    counts: sparse.csr_array, frequency: FloatArray, n_documents: int, first_row: int = 0
) -> FloatArray:
    """Similarity of every stored pair, never negative; 0 on the diagonal."""
    row = np.repeat(np.arange(counts.shape[0]) + first_row, np.diff(counts.indptr))
    together = counts.data.astype(np.float64) + PRIOR_DOCUMENTS
    expected = frequency[row] * frequency[counts.indices] / n_documents + PRIOR_DOCUMENTS
    similarity = np.log(together / expected)
    similarity /= -np.log(together / (n_documents + 2 * PRIOR_DOCUMENTS))
    similarity[counts.indices == row] = 0.0
    return np.maximum(similarity, 0.0)


def _largest(similarity: FloatArray, begin: int, end: int, n_kept: int) -> npt.NDArray[np.int64]:
    """Positions of the largest positive values of a row, at most ``n_kept``."""
    values = similarity[begin:end]
    if len(values) > n_kept:
        smallest = np.partition(values, len(values) - n_kept)[len(values) - n_kept]
        above = np.flatnonzero(values > smallest)
        ties = np.flatnonzero(values == smallest)[: n_kept - len(above)]
        chosen = np.sort(np.concatenate([above, ties]))
    else:
        chosen = np.arange(len(values))
    positive: npt.NDArray[np.int64] = begin + chosen[values[chosen] > 0]
    return positive
