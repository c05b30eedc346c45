"""Layered networks that grow by whole galaxies, so that a document's local model never changes.

A galaxy has 20 upper topics, 80 lower topics and 1,000 words of its own. Every word has four random
parents among the lower topics of its galaxy, every lower topic two among the upper ones.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from tests.benchmarks.data import binary_corpus

UPPER, LOWER, WORDS = 20, 80, 1_000
TOPICS = UPPER + LOWER
WORD_PARENTS, TOPIC_PARENTS = 4, 2
WORDS_PER_DOCUMENT = 20
TOPIC_LEAK, WORD_LEAK = 0.02, 0.01
MEAN_WEIGHT = 0.5


def galaxies(count: int) -> Network:
    """Network of ``count`` galaxies; the first ones are the same for any number."""
    parents, children, weights = [], [], []
    for galaxy in range(count):
        rng = np.random.default_rng([0, galaxy])
        upper = galaxy * TOPICS + _choices(rng, LOWER, UPPER, TOPIC_PARENTS)
        lower = galaxy * TOPICS + UPPER + _choices(rng, WORDS, LOWER, WORD_PARENTS)
        topics = galaxy * TOPICS + UPPER + np.arange(LOWER)
        words = count * TOPICS + galaxy * WORDS + np.arange(WORDS)
        parents += [upper.ravel(), lower.ravel()]
        children += [np.repeat(topics, TOPIC_PARENTS), np.repeat(words, WORD_PARENTS)]
        weights.append(MEAN_WEIGHT * rng.gamma(2.0, 0.5, upper.size + lower.size))
    n_topics = count * TOPICS
    names = [f"topic {number}" for number in range(n_topics)]
    graph, order = build_graph(
        count * WORDS, names, np.concatenate(parents), np.concatenate(children)
    )
    leak = np.repeat([TOPIC_LEAK, WORD_LEAK], [n_topics, count * WORDS])
    return build_network(graph, np.concatenate(weights)[order], leak)


def _choices(rng: np.random.Generator, rows: int, among: int, count: int) -> np.ndarray:
    """Different numbers below ``among`` in each row, shape (rows, count)."""
    return np.argsort(rng.random((rows, among)), axis=1)[:, :count]


def documents_of_first(n_documents: int, n_galaxies: int) -> Corpus:
    """Documents of 20 words of the first galaxy, over the vocabulary of ``n_galaxies``."""
    tokens = _choices(np.random.default_rng(1), n_documents, WORDS, WORDS_PER_DOCUMENT)
    pointer = np.arange(n_documents + 1) * WORDS_PER_DOCUMENT
    shape = (n_documents, n_galaxies * WORDS)
    return binary_corpus(sparse.csr_array((np.ones(tokens.size), tokens.ravel(), pointer), shape))
