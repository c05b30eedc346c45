"""Agglomerative: average-linkage clusters, and for each node its next most similar clusters.

Structure: propose the graph of topics that training starts from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.cluster import hierarchy

from ..model.graph import Graph
from ..utils.errors import InputError
from .co_occurrence import similarity_graph
from .dense_regions import SENSE_SHARE, find_regions, find_senses, join_links
from .layers import (
    DEFAULT_TOPICS,
    LARGEST_TOPIC_PARENTS,
    TOPIC_PARENTS,
    WORD_PARENTS,
    Affiliation,
    Links,
    choose_links,
    complete_graph,
    join_layers,
    layer_sizes,
    split_budget,
    topic_presence,
)

if TYPE_CHECKING:
    from ..data.corpus import Corpus


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


__all__ = ["METHODS", "propose_graph", "usual_edges"]

Gather = Callable[[sparse.csr_array, int, int, int], Affiliation]

METHODS = ("dense-regions", "agglomerative", "complete")
_GATHER: dict[str, Gather] = {"dense-regions": find_regions, "agglomerative": find_clusters}
# Parents that a word may have where the budget leaves room: this many times the average.
MOST_TO_AVERAGE = 2


def propose_graph(
    corpus: Corpus,
    *,
    method: str = "dense-regions",
    topics: Sequence[int] | None = None,
    edges: int | None = None,
    seed: int = 0,
) -> Graph:
    """Propose a layered graph of topics over the words of a corpus.

    Every word has a parent, every topic below the top layer has 1 to 3 (any number with
    ``complete``), and every topic has at least two children where there are two nodes below it.
    The same corpus, options and seed give the same graph on any number of threads.

    Parameters
    ----------
    corpus : Corpus
        Only its presence matrix is read: hand in the training documents alone.
    method : {"dense-regions", "agglomerative", "complete"}
        Regions grown from dense words, average-linkage clusters, or every topic above
        everything in the layers below it.
    topics : sequence of int, optional
        Topics in each layer, from the one above the words upward. Chosen from the size of the
        corpus when not given.
    edges : int, optional
        Most edges of the graph; without it about 6 for each word and 2 for each topic.
    seed : int
        Breaks ties.

    Raises
    ------
    InputError
        For an unknown method, sizes that cannot be had, or too small a budget.
    """
    presence = sparse.csr_array(corpus.to_csr())
    n_documents, n_tokens = presence.shape
    if method == "complete":
        sizes = layer_sizes(n_tokens, n_documents, topics or DEFAULT_TOPICS, nested=False)
        return complete_graph(n_tokens, sizes, edges)
    if method not in _GATHER:
        raise InputError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    sizes = layer_sizes(n_tokens, n_documents, topics)
    layers: list[Links] = []
    for size, budget in zip(sizes, split_budget(n_tokens, sizes, edges), strict=True):
        most = LARGEST_TOPIC_PARENTS
        if not layers:
            most = max(most, -(-MOST_TO_AVERAGE * budget // n_tokens))
        affiliation = _GATHER[method](presence, size, most, seed)
        if layers:
            links = choose_links(affiliation, budget, most)
        else:
            links = _word_links(presence, affiliation, budget, most)
        layers.append(links)
        presence = topic_presence(presence, layers[-1], size)
    return join_layers(n_tokens, sizes, layers)


def usual_edges(n_tokens: int, n_topics: int) -> int:
    """Edges of a graph when no budget is given, near enough."""
    return WORD_PARENTS * n_tokens + TOPIC_PARENTS * n_topics


def _word_links(
    presence: sparse.csr_array, affiliation: Affiliation, budget: int, most: int
) -> Links:
    """Links of words: a part of the budget goes to senses that similarity does not rank high."""
    n_nodes, n_topics = affiliation.strength.shape
    spare = budget - max(n_nodes, 2 * n_topics)
    kept_back = int(SENSE_SHARE * max(spare, 0))
    links = choose_links(affiliation, budget - kept_back, most)
    senses = find_senses(presence, links, n_topics, budget - len(links.node))
    return join_links(choose_links(affiliation, budget - len(senses.node), most), senses)
