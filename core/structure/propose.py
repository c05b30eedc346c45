"""Propose the initial graph of topics: dense regions, average-linkage clusters or complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.cluster import hierarchy

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..utils.errors import InputError
from .co_occurrence import similarity_graph
from .dense_regions import SENSE_SHARE, find_regions, find_senses, join_links
from .layers import (
    DEFAULT_TOPICS,
    MAX_TOPIC_PARENTS,
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

# All pairwise distances are in memory at once: 1.6 GB for 20,000 words, twice that during linkage.
MAX_VOCABULARY = 20_000
# More than for dense regions: linkage compares whole clusters, also by their weaker pairs.
NEIGHBOURS = 200


def find_clusters(
    presence: sparse.csr_array, n_topics: int, n_parents: int, seed: int
) -> Affiliation:
    """Average-linkage clusters of the nodes, cut at ``n_topics`` clusters.

    The arguments are those of `orrery.core.structure.dense_regions.find_regions`. ``seed`` is
    unused, because linkage is deterministic; it is present so that all methods have one signature.
    """
    n_nodes = presence.shape[1]
    if n_nodes > MAX_VOCABULARY:
        raise InputError(
            f"the method agglomerative compares all pairs of {n_nodes:,} words and is limited to "
            f"{MAX_VOCABULARY:,}; use the method dense-regions, or a smaller vocabulary"
        )
    similarity = similarity_graph(presence, NEIGHBOURS)
    home = np.zeros(n_nodes, np.int64)
    if n_nodes > 1:
        merges = hierarchy.linkage(_condensed_distance(similarity), "average")
        home = hierarchy.cut_tree(merges, n_clusters=[n_topics]).ravel().astype(np.int64)
    return Affiliation(home, _next_clusters(similarity, home, n_topics, n_parents))


def _condensed_distance(similarity: sparse.csr_array) -> npt.NDArray[np.float64]:
    """One minus the similarity of every pair, in the order of scipy's condensed distance matrix."""
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


Gather = Callable[[sparse.csr_array, int, int, int], Affiliation]

METHODS = ("dense-regions", "agglomerative", "complete")
_GATHER: dict[str, Gather] = {"dense-regions": find_regions, "agglomerative": find_clusters}
# Maximal number of parents of a word, as a multiple of the mean number that the budget allows.
MAX_TO_AVERAGE = 2


def propose_graph(
    corpus: Corpus,
    *,
    method: str = "dense-regions",
    topics: Sequence[int] | None = None,
    edges: int | None = None,
    seed: int = 0,
) -> Graph:
    """Propose a layered graph of topics over the words of a corpus.

    Every word has a parent, every topic below the top layer has 1 to 3 parents (any number with
    ``complete``), and every topic has at least two children if there are two nodes below it. The
    same corpus, options and seed give the same graph on any number of threads.

    Parameters
    ----------
    corpus : Corpus
        Only its presence matrix is read; pass the training documents alone.
    method : {"dense-regions", "agglomerative", "complete"}
        Regions grown from dense words, average-linkage clusters, or every topic above all nodes of
        the lower layers.
    topics : sequence of int, optional
        Number of topics in each layer, from the one above the words upward; the default depends on
        the size of the corpus.
    edges : int, optional
        Maximal number of edges; the default is about 6 for each word and 2 for each topic.
    seed : int
        Breaks ties.

    Raises
    ------
    InputError
        For an unknown method, impossible sizes, or too small a budget.
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
        max_parents = MAX_TOPIC_PARENTS
        if not layers:
            max_parents = max(max_parents, -(-MAX_TO_AVERAGE * budget // n_tokens))
        affiliation = _GATHER[method](presence, size, max_parents, seed)
        if layers:
            links = choose_links(affiliation, budget, max_parents)
        else:
            links = _word_links(presence, affiliation, budget, max_parents)
        layers.append(links)
        presence = topic_presence(presence, layers[-1], size)
    return join_layers(n_tokens, sizes, layers)


def usual_edges(n_tokens: int, n_topics: int) -> int:
    """Approximate number of edges of a graph without a budget."""
    return WORD_PARENTS * n_tokens + TOPIC_PARENTS * n_topics


def _word_links(
    presence: sparse.csr_array, affiliation: Affiliation, budget: int, max_parents: int
) -> Links:
    """Links of words, some of them to further senses, which similarity does not rank high."""
    n_nodes, n_topics = affiliation.strength.shape
    spare = budget - max(n_nodes, 2 * n_topics)
    reserved = int(SENSE_SHARE * max(spare, 0))
    links = choose_links(affiliation, budget - reserved, max_parents)
    senses = find_senses(presence, links, n_topics, budget - len(links.node))
    return join_links(choose_links(affiliation, budget - len(senses.node), max_parents), senses)
