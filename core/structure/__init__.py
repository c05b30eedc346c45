"""Structure: propose the graph of topics that training starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scipy import sparse

from orrery.core.errors import InputError
from orrery.core.graph import Graph
from orrery.core.structure.agglomerative import find_clusters
from orrery.core.structure.complete import DEFAULT_TOPICS, complete_graph
from orrery.core.structure.dense_regions import find_regions
from orrery.core.structure.layers import (
    LARGEST_TOPIC_PARENTS,
    TOPIC_PARENTS,
    WORD_PARENTS,
    Affiliation,
    Links,
    choose_links,
    join_layers,
    layer_sizes,
    split_budget,
    topic_presence,
)
from orrery.core.structure.senses import SENSE_SHARE, find_senses, join_links

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus

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
