"""Weights and leaks that training starts from: random and weak, words mostly by chance."""

from __future__ import annotations

import numpy as np

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.corpus import Corpus
from orrery.core.graph import Graph
from orrery.core.network import Network, StartValues, build_network

# Topics start rare and weak, words mostly by chance; training finds the rest.
START_TOPIC_LEAK = 0.02
START_WEIGHT = 0.05
START_CHANCE_SHARE = 0.5
# A topic above very many words would switch on more than a document has, be off everywhere from
# the first sweep on, and learn nothing: it starts with this share of a document's words, or with so
# many where that is more.
START_TOPIC_SHARE, START_TOPIC_WORDS = 0.25, 3.0


def starting_network(
    graph: Graph,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
    given: StartValues | None = None,
) -> Network:
    """Weights and leaks to start from: those that are given, the others at random.

    Equal weights would keep topics with equal children alike for ever, so they are drawn from a
    Gamma distribution (MATH §9.2); those of a topic above many words are in proportion to the
    words' frequency too, and small enough for a document to hold them.
    """
    rng = np.random.default_rng([seed, 0])
    frequency = document_frequency(corpus, rows)
    weight = START_WEIGHT * rng.gamma(2.0, 0.5, graph.n_edges)
    weight = _within_a_document(graph, weight, frequency)
    has_parents = np.diff(graph.parent_ptr)[graph.n_topics :] > 0
    by_chance = -np.log1p(-frequency) * np.where(has_parents, START_CHANCE_SHARE, 1.0)
    leak = np.concatenate([np.full(graph.n_topics, START_TOPIC_LEAK), by_chance])
    if given is not None:
        weight = np.where(np.isnan(given.weight), weight, given.weight)
        leak = np.where(np.isnan(given.leak), leak, given.leak)
    return build_network(graph, weight, leak)


def _within_a_document(graph: Graph, weight: FloatArray, frequency: FloatArray) -> FloatArray:
    """Weights of which no topic has more in all, into words, than a document could hold.

    Those of a topic that had more than its share are in proportion to the frequency of the words,
    and add up to the share, or to a few words where that is more.
    """
    child = graph.edge_children()
    is_into_word = child >= graph.n_topics
    of_word = np.where(is_into_word, weight, 0.0)
    total = np.bincount(graph.parent_idx, of_word, graph.n_topics)
    most = START_TOPIC_SHARE * float(frequency.sum())
    of_word[is_into_word] *= frequency[child[is_into_word] - graph.n_topics]
    target = np.minimum(total, max(most, START_TOPIC_WORDS))
    scale = target / np.maximum(np.bincount(graph.parent_idx, of_word, graph.n_topics), 1e-300)
    is_too_much = is_into_word & (total > most)[graph.parent_idx]
    return np.where(is_too_much, of_word * scale[graph.parent_idx], weight)


def document_frequency(corpus: Corpus, rows: Int64Array) -> FloatArray:
    """Share of the documents that hold each token, with half a document added either way."""
    counts = np.asarray(corpus.to_csr()[rows].sum(axis=0)).ravel()
    return np.asarray((counts + 0.5) / (len(rows) + 1.0), np.float64)
