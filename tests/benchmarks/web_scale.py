"""Layered networks and corpora with the counts of the paper's Table 1, sparse and Zipfian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import matrix_recipe
from orrery.core.model.graph import Graph, build_graph

# Topics of each layer, from the one above the words upward, as parts of all.
LAYER_PARTS = (0.8, 0.16, 0.04)
# Parents of a topic, as in the graphs that dense-regions proposes; the words take all other edges,
# which gives them six each at the counts of DBLP and Yelp, as dense-regions does too.
TOPIC_PARENTS = 2
# Popularity of the topics and words falls as rank ** -this.
ZIPF = 0.8
# Topics and words of a document, and how many of its words no topic explains.
TOPICS_PER_DOCUMENT, WORDS_PER_DOCUMENT, LEAK_WORDS = 8, 70, 20

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """Counts of a row of Table 1."""

    topics: int
    words: int
    edges: int
    documents: int


SHAPES = {
    "DBLP": Shape(49_543, 199_861, 1_268_551, 430_213),
    "Yelp": Shape(125_798, 117_702, 960_419, 483_448),
}


def layered_graph(shape: Shape, seed: int = 0) -> Graph:
    """Graph of these counts: a parent at least for everything below the top, all by popularity."""
    rng = np.random.default_rng([seed, 0])
    sizes = [round(part * shape.topics) for part in LAYER_PARTS]
    sizes[0] += shape.topics - sum(sizes)
    # Layers from the top down, as nodes are numbered; the words come last.
    sizes = [*reversed(sizes), shape.words]
    begin = np.cumsum([0, *sizes])
    counts = [TOPIC_PARENTS * size for size in sizes[1:-1]]
    counts.append(shape.edges - sum(counts))
    for above, here, count in zip(sizes[:-1], sizes[1:], counts, strict=True):
        assert here <= count <= above * here, f"{shape} has no room for {count} edges in a layer"
    pairs = [_edges(rng, begin, layer, count) for layer, count in enumerate(counts, 1)]
    parent, child = np.concatenate(pairs, axis=1)
    names = [f"T{topic:06d}" for topic in range(shape.topics)]
    return build_graph(shape.words, names, parent, child)[0]


def _edges(rng: np.random.Generator, begin: Ints, layer: int, count: int) -> Ints:
    """First parents of a layer's nodes, and further ones, each edge once."""
    n_above, n_here = begin[layer] - begin[layer - 1], begin[layer + 1] - begin[layer]
    first = _popular(rng, n_above, n_here) * n_here + np.arange(n_here)
    edges = first
    while len(edges) < count:
        missing = count - len(edges)
        drawn = _popular(rng, n_above, missing) * n_here + rng.integers(n_here, size=missing)
        edges = np.union1d(edges, drawn)
    parent, child = np.divmod(edges, n_here)
    return np.stack([parent + begin[layer - 1], child + begin[layer]])


def _popular(rng: np.random.Generator, n: int, size: int) -> Ints:
    """Numbers below n, the small ones more often."""
    weight = np.arange(1, n + 1) ** -ZIPF
    cumulated = np.cumsum(weight / weight.sum())
    return np.minimum(np.searchsorted(cumulated, rng.random(size)), n - 1)


def corpus_over(graph: Graph, n_documents: int, seed: int = 0) -> Corpus:
    """Documents with the words of a few topics, and some by leak."""
    rng = np.random.default_rng([seed, 1])
    lowest = np.unique(graph.parent_idx[graph.first_token_edge :])
    n_drawn = WORDS_PER_DOCUMENT - LEAK_WORDS
    topics = lowest[_popular(rng, len(lowest), n_documents * TOPICS_PER_DOCUMENT)]
    topics = topics.reshape(n_documents, TOPICS_PER_DOCUMENT)
    chosen = np.take_along_axis(
        topics, rng.integers(TOPICS_PER_DOCUMENT, size=(n_documents, n_drawn)), axis=1
    )
    n_children = np.diff(graph.child_ptr)[chosen]
    slot = graph.child_ptr[chosen] + (rng.random(chosen.shape) * n_children).astype(np.int64)
    explained = graph.child_idx[slot] - graph.n_topics
    leak = _popular(rng, graph.n_tokens, n_documents * LEAK_WORDS)
    tokens = np.concatenate([explained, leak.reshape(n_documents, LEAK_WORDS)], axis=1)
    return _as_corpus(np.sort(tokens, axis=1), graph.n_tokens)


def _as_corpus(tokens: npt.NDArray[Any], n_tokens: int) -> Corpus:
    """Corpus of rows of ascending tokens, in which each counts once."""
    is_first = np.ones(tokens.shape, bool)
    is_first[:, 1:] = tokens[:, 1:] > tokens[:, :-1]
    # The lowest topics have words alone for children, but a token below zero would be none.
    is_first &= tokens >= 0
    pointer = np.concatenate([[0], np.cumsum(is_first.sum(axis=1))]).astype(np.int64)
    names = [str(row) for row in range(len(tokens))]
    return Corpus(
        token_ptr=pointer,
        token_idx=tokens[is_first].astype(np.int32),
        vocabulary=tuple(f"w{token:06d}" for token in range(n_tokens)),
        documents=pd.DataFrame({"id": names, "text": "", "label": None}),
        recipe=matrix_recipe(),
    )
