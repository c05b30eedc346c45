"""Agglomerative: average-linkage clusters, and for each node its next most similar clusters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.cluster import hierarchy

from orrery.core.errors import InputError
from orrery.core.structure.co_occurrence import similarity_graph
from orrery.core.structure.layers import Affiliation

# The distances between all pairs are held at once: 1.6 GB for 20,000 words, twice that at work.
LARGEST_VOCABULARY = 20_000
# More than dense-regions keeps: linkage compares whole clusters, also by their weaker pairs.
NEIGHBOURS = 200


def find_clusters(
    presence: sparse.csr_array, n_topics: int, n_parents: int, seed: int
) -> Affiliation:
    """Average-linkage clusters of the nodes, cut where ``n_topics`` are left.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
    n_topics : int
        Number of clusters, at most ``n_nodes``.
    n_parents : int
        Most clusters that a node is linked to.
    seed : int
        Not used: linkage has nothing random. Here so that all methods have one face.
    """
    n_nodes = presence.shape[1]
    if n_nodes > LARGEST_VOCABULARY:
        raise InputError(
            f"the method agglomerative compares all pairs of {n_nodes:,} words and is limited to "
            f"{LARGEST_VOCABULARY:,}; use the method dense-regions, or a smaller vocabulary"
        )
    similarity = similarity_graph(presence, NEIGHBOURS)
    home = np.zeros(n_nodes, np.int64)
    if n_nodes > 1:
        merges = hierarchy.linkage(_condensed_distance(similarity), "average")
        home = hierarchy.cut_tree(merges, n_clusters=[n_topics]).ravel().astype(np.int64)
    return Affiliation(home, _next_clusters(similarity, home, n_topics, n_parents))


def _condensed_distance(similarity: sparse.csr_array) -> npt.NDArray[np.float64]:
    """One minus the similarity of every pair, in the order that scipy's linkage reads."""
    n_nodes = similarity.shape[0]
    distance = np.ones(n_nodes * (n_nodes - 1) // 2)
    upper = sparse.coo_array(sparse.triu(similarity, k=1))
    row, column = upper.row.astype(np.int64), upper.col.astype(np.int64)
    distance[row * n_nodes - row * (row + 1) // 2 + column - row - 1] -= upper.data
    return distance


def _next_clusters(
    similarity: sparse.csr_array, home: npt.NDArray[np.int64], n_topics: int, n_parents: int
) -> sparse.csr_array:
    """Average similarity of every node to the other members of its most similar clusters."""
    n_nodes = len(home)
    member = sparse.csr_array(
        (np.ones(n_nodes), (np.arange(n_nodes), home)), shape=(n_nodes, n_topics)
    )
    total = sparse.coo_array(similarity @ member)
    size = np.bincount(home, minlength=n_topics)
    others = size[total.col] - (home[total.row] == total.col)
    average = total.data / np.maximum(others, 1)
    order = np.lexsort((total.col, -average, total.row))
    row = total.row[order]
    kept = order[np.arange(len(row)) - np.searchsorted(row, row) < n_parents]
    return sparse.csr_array(
        (average[kept], (total.row[kept], total.col[kept])), shape=(n_nodes, n_topics)
    )
