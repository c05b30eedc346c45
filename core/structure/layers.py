"""Sizes and edge budgets of layers, choice of edges, and the complete graph."""

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

# Mean number of parents of a word, and of a topic, without a budget.
WORD_PARENTS = 6
TOPIC_PARENTS = 2
# With more parents than this, a topic has no specific meaning.
MAX_TOPIC_PARENTS = 3
# Edges proposed per edge that is kept when the structure is learned (minimum, maximum). Between the
# two, one edge is proposed per this number of words in the documents: fewer words do not
# distinguish good edges from bad ones.
EDGES_TO_CHOOSE_FROM = (1.5, 3.0)
WORDS_FOR_AN_EDGE = 3.0
# Initial edges when edges grow with the weights: one per this number of words in the documents, and
# at least this number of parents per word on average.
WORDS_FOR_A_FIRST_EDGE = 8.0
MIN_WORD_PARENTS = 1.5
# 200 topics for 5,000 words, 20 for 100, 800 for 50,000, fewer if there are few documents.
TOPICS_FACTOR, TOPICS_EXPONENT, DOCUMENTS_PER_TOPIC = 1.2, 0.6, 15
# Each layer has a fifth of the topics of the layer below; below 80 topics two layers are enough.
LAYER_RATIO, THREE_LAYERS_FROM = 5, 80
# Sum of votes, in words of the topic, from which a topic counts as present in a document.
PRESENT_FROM = 0.5
# A topic is present only if its words are at least this many times as frequent as on average.
PRESENT_LIFT = 2.0
# Number of documents whose votes are counted at a time, to stay within a few hundred MB.
DOCUMENTS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Affiliation:
    """Membership of the nodes of one layer in the topics of the next layer."""

    home: Int64Array  # shape (n_nodes,): main topic of every node
    # Shape (n_nodes, n_topics): positive wherever a node may also be linked, on any scale; larger
    # is stronger.
    strength: sparse.csr_array


@dataclass(frozen=True)
class Links:
    """Edges between one layer and the next: topic ``topic[e]`` above node ``node[e]``."""

    node: Int64Array
    topic: Int64Array
    strength: FloatArray


def layer_sizes(
    n_tokens: int, n_documents: int, topics: Sequence[int] | None, *, nested: bool = True
) -> tuple[int, ...]:
    """Number of topics in each layer, from the one above the words upward; by default automatic."""
    if n_tokens < 1:
        raise InputError("the corpus has no words, so there is nothing to put topics above")
    if topics is None:
        first = round(TOPICS_FACTOR * n_tokens**TOPICS_EXPONENT)
        first = min(first, max(n_documents // DOCUMENTS_PER_TOPIC, 2), max(n_tokens // 2, 1))
        n_layers = 1 if first < 2 else 2 if first < THREE_LAYERS_FROM else 3
        return tuple(max(round(first / LAYER_RATIO**layer), 1) for layer in range(n_layers))
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


def split_budget(n_tokens: int, sizes: Sequence[int], edges: int | None) -> list[int]:
    """Edge budget of each layer: the edges that keep it connected, and a share of the rest.

    Raises `InputError` if ``edges`` is too small for one edge for each word and each topic below
    another, and two for each topic.
    """
    below = (n_tokens, *sizes[:-1])
    required = [max(nodes, 2 * size) for nodes, size in zip(below, sizes, strict=True)]
    required = [min(few, n * size) for few, n, size in zip(required, below, sizes, strict=True)]
    wishes = [WORD_PARENTS * n_tokens, *(TOPIC_PARENTS * nodes for nodes in below[1:])]
    wishes = [max(wish, few) for wish, few in zip(wishes, required, strict=True)]
    if edges is None:
        return wishes
    if edges < sum(required):
        raise InputError(
            f"a budget of {edges} edges cannot keep {n_tokens} words and {sum(sizes)} topics "
            f"connected; allow at least {sum(required)} edges, or ask for fewer topics"
        )
    spare, wanted = edges - sum(required), sum(wishes) - sum(required)
    if spare >= wanted:
        return [wishes[0] + spare - wanted, *wishes[1:]]
    pairs = zip(required, wishes, strict=True)
    return [few + spare * (wish - few) // wanted for few, wish in pairs]


def edges_to_choose_from(edges: int, n_words: int) -> int:
    """Number of edges to propose if the best ``edges`` are kept.

    ``n_words`` is the number of words in the documents, each counted once in every document.
    """
    lower, upper = (round(times * edges) for times in EDGES_TO_CHOOSE_FROM)
    return min(max(lower, round(n_words / WORDS_FOR_AN_EDGE)), upper)


def edges_to_begin_with(n_tokens: int, n_words: int) -> int:
    """Number of initial edges if edges grow with the weights.

    ``n_words`` is the number of words in the documents, each counted once in every document. Short
    texts do not distinguish as many edges from coincidences.
    """
    lower = round(MIN_WORD_PARENTS * n_tokens)
    return max(min(WORD_PARENTS * n_tokens, round(n_words / WORDS_FOR_A_FIRST_EDGE)), lower)


def choose_links(affiliation: Affiliation, budget: int, max_parents: int) -> Links:
    """Links to every node's home, two children for every topic, then the strongest other links.

    ``max_parents`` is at least 3; otherwise two children for every topic may be impossible.
    """
    strength = sparse.coo_array(affiliation.strength)
    n_nodes, n_topics = strength.shape
    home = _share_out(affiliation)
    required = np.concatenate(
        [np.arange(n_nodes) * n_topics + home, _second_children(home, strength, max_parents)]
    )
    key = strength.row.astype(np.int64) * n_topics + strength.col
    order = np.argsort(-strength.data, kind="stable")
    ranked = np.concatenate([required, key[order]])
    _, first = np.unique(ranked, return_index=True)
    kept = ranked[np.sort(first)]
    kept = kept[rank_within(kept // n_topics) < max_parents][:budget]
    kept = np.sort(kept)
    node, topic = kept // n_topics, kept % n_topics
    values = sparse.csr_array(affiliation.strength)[node, topic]
    return Links(node, topic, np.asarray(values, np.float64).reshape(-1))


def _share_out(affiliation: Affiliation) -> Int64Array:
    """Homes, after moving nodes from large topics to those with fewer than two nodes."""
    home = affiliation.home.copy()
    n_topics = affiliation.strength.shape[1]
    load = np.bincount(home, minlength=n_topics)
    by_topic = sparse.csc_array(affiliation.strength)
    for topic in np.flatnonzero(load < 2):
        while load[topic] < 2:
            movable = load[home] > 2
            if not movable.any():
                break
            preference = by_topic[:, [topic]].toarray().ravel()
            mover = int(np.argmax(np.where(movable, preference, -1.0)))
            load[home[mover]] -= 1
            home[mover] = topic
            load[topic] += 1
    return home


def _second_children(home: Int64Array, strength: sparse.coo_array, max_parents: int) -> Int64Array:
    """Keys of links that give every topic two children if nodes must be shared for that."""
    n_nodes, n_topics = strength.shape
    load = np.bincount(home, minlength=n_topics)
    parents = np.ones(n_nodes, np.int64)
    by_topic = sparse.csc_array(strength)
    keys: list[int] = []
    for topic in np.flatnonzero(load < min(2, n_nodes)):
        preference = by_topic[:, [topic]].toarray().ravel()
        preference[(home == topic) | (parents >= max_parents)] = -1.0
        # Among equal nodes the one with the fewest parents, to spread the load.
        best = np.lexsort((parents, -preference))[: min(2, n_nodes) - load[topic]]
        parents[best] += 1
        keys.extend(int(node) * n_topics + int(topic) for node in best)
    return np.array(keys, np.int64)


def rank_within(groups: Int64Array) -> Int64Array:
    """Number of earlier entries of the same group, for every entry."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    rank = np.empty(len(groups), np.int64)
    rank[order] = np.arange(len(groups)) - np.searchsorted(ordered, ordered)
    return rank


def topic_presence(presence: sparse.csr_array, links: Links, n_topics: int) -> sparse.csr_array:
    """Indicator matrix (ones) of the topics present in each document, by the nodes linked to them.

    A node divides one vote among its topics in proportion to the strength of its links. A topic is
    present in a document if the votes of the nodes there add up to at least ``PRESENT_FROM``, and
    to at least ``PRESENT_LIFT`` times the mean of documents with the same number of nodes. A word
    of one topic therefore suffices alone, a word of several topics only together with others, and a
    topic of common words must exceed its average.

    ``presence`` has shape (n_documents, n_nodes), the result (n_documents, n_topics).
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
    """Present topics of some documents; ``usual`` is the mean vote of one node for each topic."""
    received = sparse.csr_array(presence @ votes)
    length = np.diff(presence.indptr).astype(np.float64)
    row = np.repeat(np.arange(presence.shape[0]), np.diff(received.indptr))
    needed = np.maximum(PRESENT_LIFT * usual[received.indices] * length[row], PRESENT_FROM)
    kept = received.data >= needed
    return sparse.csr_array(
        (np.ones(int(kept.sum())), (row[kept], received.indices[kept])), shape=received.shape
    )


def join_layers(n_tokens: int, sizes: Sequence[int], layers: Sequence[Links]) -> Graph:
    """Graph of all layers."""
    n_topics = sum(sizes)
    # The top layer comes first, as in the finished graph.
    first = [n_topics - sum(sizes[: layer + 1]) for layer in range(len(sizes))]
    offset_below = [n_topics, *first]
    parents = np.concatenate([links.topic + first[i] for i, links in enumerate(layers)])
    children = np.concatenate([links.node + offset_below[i] for i, links in enumerate(layers)])
    return build_graph(n_tokens, topic_names(sizes), parents, children)[0]


# Ids that `topic_names` gives; a user gave every other id.
PROPOSED_ID = re.compile(r"L\d+\.\d+")


def topic_names(sizes: Sequence[int]) -> list[str]:
    """Ids of topics from the top layer down: ``L2.7`` is the seventh of the second layer."""
    return [
        f"L{layer + 1}.{number + 1}"
        for layer in range(len(sizes) - 1, -1, -1)
        for number in range(sizes[layer])
    ]


# Maximal size of a complete graph, because training visits every edge for every document.
MAX_COMPLETE = 20_000_000
# Enough topics for a few hundred words; a complete graph is pruned later, so it stays small.
DEFAULT_TOPICS = (32, 8)
# Up to this number of words, structure learning starts best from a complete graph. With more words
# and few documents, the many superfluous edges hide the useful ones.
SMALL_VOCABULARY = 500


def complete_edges(n_tokens: int, sizes: Sequence[int]) -> int:
    """Number of edges of the complete graph over words and layers of topics of these sizes."""
    # Python's integers, because the requested sizes may overflow.
    below = accumulate((n_tokens, *sizes))
    return sum(n_below * size for n_below, size in zip(below, sizes, strict=False))


def complete_graph(n_tokens: int, sizes: Sequence[int], edges: int | None) -> Graph:
    """Layered graph in which every topic is above all nodes of all lower layers.

    Raises `InputError` if the graph has more edges than ``edges`` or than ``MAX_COMPLETE``.
    """
    layers = (n_tokens, *sizes)
    n_edges = complete_edges(n_tokens, sizes)
    allowed = MAX_COMPLETE if edges is None else min(edges, MAX_COMPLETE)
    if n_edges > allowed:
        way_out = "use the method dense-regions"
        if n_edges <= MAX_COMPLETE:
            way_out = "train with --learn-structure, which chooses among them"
        raise InputError(
            f"a complete graph of {n_tokens} words and {sum(sizes)} topics has {n_edges} edges, "
            f"and {allowed} are allowed; ask for fewer topics, or {way_out}"
        )
    # Topics are numbered from the top layer down and words follow, so the nodes below a layer are
    # all nodes after its last.
    n_nodes, n_below = sum(layers), np.cumsum(layers)
    below = n_nodes - np.repeat(n_below[:-1][::-1], sizes[::-1])
    parents = np.repeat(np.arange(len(below)), n_nodes - below)
    children = np.concatenate([np.arange(first, n_nodes) for first in below])
    return build_graph(n_tokens, topic_names(sizes), parents, children)[0]
