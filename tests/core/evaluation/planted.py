"""Documents of known themes, and the network that made them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests.random_networks import corpus_of_sets

THEMES = ("garden", "harbour", "kitchen", "library")
WORDS_PER_THEME = 15


def planted(n_documents=400, seed=0):
    """A topic for every theme, and documents about one theme each, which is their label.

    Words of the theme come with probability 0.4, others with 0.02.
    """
    rng = np.random.default_rng(seed)
    n_tokens = len(THEMES) * WORDS_PER_THEME
    topic = np.repeat(np.arange(len(THEMES)), WORDS_PER_THEME)
    tokens = len(THEMES) + np.arange(n_tokens)
    graph, _ = build_graph(n_tokens, THEMES, topic, tokens)
    leak = np.full(graph.n_nodes, 0.02)
    leak[: len(THEMES)] = 0.3
    # No two words quite alike, so that they have an order.
    network = build_network(graph, rng.uniform(0.45, 0.55, graph.n_edges), leak)
    theme = rng.integers(len(THEMES), size=n_documents)
    probability = np.where(topic == theme[:, None], 0.4, 0.02)
    is_present = rng.random(probability.shape) < probability
    corpus = corpus_of_sets([set(np.flatnonzero(row).tolist()) for row in is_present], n_tokens)
    table = corpus.documents.assign(label=[THEMES[number] for number in theme])
    return network, replace(corpus, documents=table)
