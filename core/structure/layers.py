"""What the methods share: how many topics and edges a layer gets, and which edges they become.

Complete: every topic above every node of all layers below it, to be pruned by training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from scipy import sparse

from ..model.graph import Graph, build_graph
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array

# Parents that a word, and a topic, gets on average when no budget is given.
WORD_PARENTS = 6
TOPIC_PARENTS = 2
# More parents than this make a topic mean nothing in particular.
LARGEST_TOPIC_PARENTS = 3
# Edges proposed for every one that is kept where the structure is learned: so many at least and at
# most. Between the two, one for every so many words of the documents: fewer words cannot tell good
# edges from bad ones.
EDGES_TO_CHOOSE_FROM = (1.5, 3.0)
WORDS_FOR_AN_EDGE = 3.0
# Edges to begin with where they grow with the weights: one for so many words of the documents, and
# on average so many parents of a word at least.
WORDS_FOR_A_FIRST_EDGE = 8.0
LEAST_WORD_PARENTS = 1.5
# 200 topics for 5,000 words, 20 for 100, 800 for 50,000, unless the documents are too few for them.
TOPICS_FACTOR, TOPICS_EXPONENT, DOCUMENTS_PER_TOPIC = 1.2, 0.6, 15
# Each layer has a fifth of the topics of the one below it; below 80 topics two layers are enough.
LAYER_RATIO, THREE_LAYERS_FROM = 5, 80
# Share of a topic's words, in words, from which the topic counts as present in a document.
PRESENT_FROM = 0.5
# A topic is present only where its words are this many times as frequent as on average.
PRESENT_LIFT = 2.0
# Votes are counted for this many documents at a time, to keep within a few hundred MB.
DOCUMENTS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Affiliation:
    """Where the nodes of one layer belong among the topics of the next layer above.

    Attributes
    ----------
    home : int64 array, shape (n_nodes,)
        The topic that a node belongs to first of all.
    strength : csr_array, shape (n_nodes, n_topics)
        Positive wherever a node may also be linked; of any scale, the larger the better.
    """

    home: Int64Array
    strength: sparse.csr_array


@dataclass(frozen=True)
class Links:
    """The edges between one layer and the next: topic ``topic[e]`` above node ``node[e]``."""

    node: Int64Array
    topic: Int64Array
    strength: FloatArray


def layer_sizes(
    n_tokens: int, n_documents: int, topics: Sequence[int] | None, *, nested: bool = True
) -> tuple[int, ...]:
    """Topics in each layer, from the one above the words upward; chosen here when not given."""
    if n_tokens < 1:
        raise InputError("the corpus has no words, so there is nothing to put topics above")
    if topics is None:
        return _automatic_sizes(n_tokens, n_documents)
    if not topics or not all(isinstance(size, int | np.integer) and size > 0 for size in topics):
        raise InputError(
            f"topics is {topics!r}; expected one whole number above 0 for each layer, such as "
            "(200, 40, 8)"
        )
    sizes = tuple(int(size) for size in topics)
    for below, size in zip((n_tokens, *sizes), sizes, strict=False):
        if nested and size > below:
            raise InputError(
                f"a layer of {size} topics was asked for above {below} words or topics; "
                f"ask for at most {below}, or use the method complete"
            )
    return sizes


def _automatic_sizes(n_tokens: int, n_documents: int) -> tuple[int, ...]:
    first = round(TOPICS_FACTOR * n_tokens**TOPICS_EXPONENT)
    first = min(first, max(n_documents // DOCUMENTS_PER_TOPIC, 2), max(n_tokens // 2, 1))
    n_layers = 1 if first < 2 else 2 if first < THREE_LAYERS_FROM else 3
    return tuple(max(round(first / LAYER_RATIO**layer), 1) for layer in range(n_layers))


def split_budget(n_tokens: int, sizes: Sequence[int], edges: int | None) -> list[int]:
    """Edges that each layer may use: what keeps it connected, and a fair part of the rest.

    Raises
    ------
    InputError
        If ``edges`` is below one for each word and each topic under another, and two for each
        topic.
    """
    below = (n_tokens, *sizes[:-1])
    least = [max(nodes, 2 * size) for nodes, size in zip(below, sizes, strict=True)]
    least = [min(few, n * size) for few, n, size in zip(least, below, sizes, strict=True)]
    wishes = [WORD_PARENTS * n_tokens, *(TOPIC_PARENTS * nodes for nodes in below[1:])]
    wishes = [max(wish, few) for wish, few in zip(wishes, least, strict=True)]
    if edges is None:
        return wishes
    if edges < sum(least):
        raise InputError(
            f"a budget of {edges} edges cannot keep {n_tokens} words and {sum(sizes)} topics "
            f"connected; allow at least {sum(least)} edges, or ask for fewer topics"
        )
    spare, wanted = edges - sum(least), sum(wishes) - sum(least)
    if spare >= wanted:
        return [wishes[0] + spare - wanted, *wishes[1:]]
    return [few + spare * (wish - few) // wanted for few, wish in zip(least, wishes, strict=True)]


def edges_to_choose_from(edges: int, n_words: int) -> int:
    """Edges proposed where the best so many are kept and the documents have so many words.

    A word is counted once in every document.
    """
    least, most = (round(times * edges) for times in EDGES_TO_CHOOSE_FROM)
    return min(max(least, round(n_words / WORDS_FOR_AN_EDGE)), most)


def edges_to_begin_with(n_tokens: int, n_words: int) -> int:
    """Edges to begin with where they grow with the weights, of documents with so many words.

    A word is counted once in every document. Short texts cannot tell as many edges from accidents.
    """
    least = round(LEAST_WORD_PARENTS * n_tokens)
    return max(min(WORD_PARENTS * n_tokens, round(n_words / WORDS_FOR_A_FIRST_EDGE)), least)


def choose_links(affiliation: Affiliation, budget: int, most_parents: int) -> Links:
    """Every node's home, two children for every topic, then the strongest links in the budget.

    ``most_parents`` is at least 3, or two children for every topic may be impossible.
    """
    strength = sparse.coo_array(affiliation.strength)
    n_nodes, n_topics = strength.shape
    home = _share_out(affiliation)
    required = np.concatenate(
        [np.arange(n_nodes) * n_topics + home, _second_children(home, strength, most_parents)]
    )
    key = strength.row.astype(np.int64) * n_topics + strength.col
    order = np.argsort(-strength.data, kind="stable")
    ranked = np.concatenate([required, key[order]])
    _, first = np.unique(ranked, return_index=True)
    kept = ranked[np.sort(first)]
    kept = kept[rank_within(kept // n_topics) < most_parents][:budget]
    kept = np.sort(kept)
    node, topic = kept // n_topics, kept % n_topics
    values = sparse.csr_array(affiliation.strength)[node, topic]
    return Links(node, topic, np.asarray(values, np.float64).reshape(-1))


def _share_out(affiliation: Affiliation) -> Int64Array:
    """Homes, with nodes moved from full topics to those that would have fewer than two."""
    home = affiliation.home.copy()
    n_topics = affiliation.strength.shape[1]
    load = np.bincount(home, minlength=n_topics)
    by_topic = sparse.csc_array(affiliation.strength)
    for topic in np.flatnonzero(load < 2):
        while load[topic] < 2:
            movable = load[home] > 2
            if not movable.any():
                break
            liking = by_topic[:, [topic]].toarray().ravel()
            mover = int(np.argmax(np.where(movable, liking, -1.0)))
            load[home[mover]] -= 1
            home[mover] = topic
            load[topic] += 1
    return home


def _second_children(home: Int64Array, strength: sparse.coo_array, most_parents: int) -> Int64Array:
    """Keys of links that give every topic two children where the nodes must be shared."""
    n_nodes, n_topics = strength.shape
    load = np.bincount(home, minlength=n_topics)
    parents = np.ones(n_nodes, np.int64)
    by_topic = sparse.csc_array(strength)
    keys: list[int] = []
    for topic in np.flatnonzero(load < min(2, n_nodes)):
        liking = by_topic[:, [topic]].toarray().ravel()
        liking[(home == topic) | (parents >= most_parents)] = -1.0
        # Among equals the node with the fewest parents, so that the load is spread.
        best = np.lexsort((parents, -liking))[: min(2, n_nodes) - load[topic]]
        parents[best] += 1
        keys.extend(int(node) * n_topics + int(topic) for node in best)
    return np.array(keys, np.int64)


def rank_within(groups: Int64Array) -> Int64Array:
    """How many earlier entries belong to the same group."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    rank = np.empty(len(groups), np.int64)
    rank[order] = np.arange(len(groups)) - np.searchsorted(ordered, ordered)
    return rank


def topic_presence(presence: sparse.csr_array, links: Links, n_topics: int) -> sparse.csr_array:
    """Documents in which a topic counts as present, judged by the nodes linked to it.

    A node divides one vote among its topics in proportion to the strength of its links. A topic
    is present in a document where the votes of the nodes there add up to at least
    ``PRESENT_FROM``, and to at least ``PRESENT_LIFT`` times what a document with that many nodes
    gives it on average. So a word of one topic speaks for it alone, a word of several only beside
    others, and a topic of common words must stand out.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
    links : Links
    n_topics : int

    Returns
    -------
    csr_array of ones, shape (n_documents, n_topics)
    """
    strength = np.maximum(links.strength, np.finfo(np.float64).tiny)
    vote = strength / np.bincount(links.node, weights=strength)[links.node]
    votes = sparse.csr_array((vote, (links.node, links.topic)), shape=(presence.shape[1], n_topics))
    frequency = np.bincount(presence.indices, minlength=presence.shape[1])
    usual = (frequency @ votes) / max(presence.nnz, 1)
    parts = [
        _present_topics(presence[begin : begin + DOCUMENTS_AT_ONCE], votes, usual)
        for begin in range(0, max(presence.shape[0], 1), DOCUMENTS_AT_ONCE)
    ]
    return sparse.csr_array(sparse.vstack(parts, format="csr"))


def _present_topics(
    presence: sparse.csr_array, votes: sparse.csr_array, usual: FloatArray
) -> sparse.csr_array:
    """Topics of some documents; ``usual`` is what one node gives each topic on average."""
    received = sparse.csr_array(presence @ votes)
    length = np.diff(presence.indptr).astype(np.float64)
    row = np.repeat(np.arange(presence.shape[0]), np.diff(received.indptr))
    needed = np.maximum(PRESENT_LIFT * usual[received.indices] * length[row], PRESENT_FROM)
    kept = received.data >= needed
    return sparse.csr_array(
        (np.ones(int(kept.sum())), (row[kept], received.indices[kept])), shape=received.shape
    )


def join_layers(n_tokens: int, sizes: Sequence[int], layers: Sequence[Links]) -> Graph:
    """Put the layers together into a graph."""
    n_topics = sum(sizes)
    # The top layer comes first, as in the finished graph.
    first = [n_topics - sum(sizes[: layer + 1]) for layer in range(len(sizes))]
    offset_below = [n_topics, *first]
    parents = np.concatenate([links.topic + first[i] for i, links in enumerate(layers)])
    children = np.concatenate([links.node + offset_below[i] for i, links in enumerate(layers)])
    return build_graph(n_tokens, topic_names(sizes), parents, children)[0]


# Ids that `topic_names` gives; every other id is a name that a person gave.
PROPOSED_ID = re.compile(r"L\d+\.\d+")


def topic_names(sizes: Sequence[int]) -> list[str]:
    """Ids of topics from the top layer on: ``L2.7`` is the seventh of the second layer."""
    return [
        f"L{layer + 1}.{number + 1}"
        for layer in range(len(sizes) - 1, -1, -1)
        for number in range(sizes[layer])
    ]


# Training visits every edge of a complete graph for every document.
LARGEST_COMPLETE = 20_000_000
# Enough for a few hundred words; a complete graph is a start for pruning, so it stays small.
DEFAULT_TOPICS = (32, 8)
# Up to so many words it is the best graph to learn a structure from; of more words, far more edges
# than are kept only drown what there is to see in few documents.
SMALL_VOCABULARY = 500


def complete_edges(n_tokens: int, sizes: Sequence[int]) -> int:
    """Edges of the complete graph over words and layers of topics of these sizes."""
    # In Python's integers: what is asked for may be beyond those of numpy.
    below = accumulate((n_tokens, *sizes))
    return sum(n_below * size for n_below, size in zip(below, sizes, strict=False))


def complete_graph(n_tokens: int, sizes: Sequence[int], edges: int | None) -> Graph:
    """Layered graph in which every topic is above all nodes of all layers below its own.

    Raises
    ------
    InputError
        If it has more edges than ``edges`` or than ``LARGEST_COMPLETE``.
    """
    layers = (n_tokens, *sizes)
    n_edges = complete_edges(n_tokens, sizes)
    allowed = LARGEST_COMPLETE if edges is None else min(edges, LARGEST_COMPLETE)
    if n_edges > allowed:
        way_out = "use the method dense-regions"
        if n_edges <= LARGEST_COMPLETE:
            way_out = "train with --learn-structure, which chooses among them"
        raise InputError(
            f"a complete graph of {n_tokens} words and {sum(sizes)} topics has {n_edges} edges, "
            f"and {allowed} are allowed; ask for fewer topics, or {way_out}"
        )
    # Topics are numbered from the top layer on and words follow, so all nodes below a layer are
    # those after its last.
    n_nodes, n_below = sum(layers), np.cumsum(layers)
    below = n_nodes - np.repeat(n_below[:-1][::-1], sizes[::-1])
    parents = np.repeat(np.arange(len(below)), n_nodes - below)
    children = np.concatenate([np.arange(first, n_nodes) for first in below])
    return build_graph(n_tokens, topic_names(sizes), parents, children)[0]
