"""How well topics explain words, against plain loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orrery.core.data.known_words import corpus_of_rows
from orrery.core.data.recipe import matrix_recipe
from orrery.core.inference.word_fit import word_fit
from tests.random_networks import random_network


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_is_that_of_plain_loops(seed: int) -> None:
    random = np.random.default_rng(seed)
    network = random_network(random, 4, 12)
    graph = network.graph
    n_documents = 6
    rows = [
        np.flatnonzero(random.random(graph.n_tokens) < share).astype(np.int32)
        for share in np.linspace(0.0, 0.9, n_documents)
    ]
    table = pd.DataFrame({"id": [str(row) for row in range(n_documents)], "text": ""})
    vocabulary = tuple(f"w{token}" for token in range(graph.n_tokens))
    corpus = corpus_of_rows(rows, vocabulary, table, matrix_recipe())
    probability = random.random((n_documents, graph.n_topics))
    n_unknown = random.integers(0, 4, n_documents)
    found = word_fit(network, corpus, sparse.csr_array(probability), n_unknown)
    for document, tokens in enumerate(rows):
        only_leak = float(n_unknown[document])
        for node in (tokens + graph.n_topics).tolist():
            failure = 1.0
            for edge in range(graph.parent_ptr[node], graph.parent_ptr[node + 1]):
                effect = 1.0 - np.exp(-network.weight[edge])
                failure *= 1.0 - probability[document, graph.parent_idx[edge]] * effect
            present = 1.0 - failure * np.exp(-network.leak[node])
            only_leak += failure * (1.0 - np.exp(-network.leak[node])) / present
        n_words = max(len(tokens) + n_unknown[document], 1)
        assert found.unexplained[document] == pytest.approx(only_leak / n_words)
