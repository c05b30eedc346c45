"""How well topics explain words, against plain loops, and the comparison with other documents."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.known_words import corpus_of_rows
from orrery.core.data.recipe import matrix_recipe
from orrery.core.inference.word_fit import (
    MARKED_SHARE,
    MIN_WINDOW,
    FitReference,
    WordFit,
    fit_reference,
    word_fit,
)
from orrery.core.model.labels import marginals
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
    prior = marginals(network)
    for document, tokens in enumerate(rows):
        only_leak, gain = float(n_unknown[document]), 0.0
        for node in (tokens + graph.n_topics).tolist():
            failure = 1.0
            for edge in range(graph.parent_ptr[node], graph.parent_ptr[node + 1]):
                effect = 1.0 - np.exp(-network.weight[edge])
                failure *= 1.0 - probability[document, graph.parent_idx[edge]] * effect
            present = 1.0 - failure * np.exp(-network.leak[node])
            only_leak += failure * (1.0 - np.exp(-network.leak[node])) / present
            gain += np.log(present / prior[node])
        n_words = max(len(tokens) + n_unknown[document], 1)
        assert found.unexplained[document] == pytest.approx(only_leak / n_words)
        assert found.gain[document] == pytest.approx(gain / n_words, abs=1e-9)


def fits(n_words: np.ndarray, gain: np.ndarray) -> WordFit:
    return WordFit(n_words, np.zeros_like(n_words), np.zeros(len(gain)), gain)


@given(st.integers(0, 2**32 - 1))
def test_documents_of_any_length_are_marked_equally_often(seed: int) -> None:
    """Short texts vary more, but are not marked more often for it."""
    random = np.random.default_rng(seed)

    def drawn(count: int) -> WordFit:
        n_words = random.integers(4, 400, count)
        return fits(n_words, 1.0 + random.normal(size=count) * 3.0 / np.sqrt(n_words))

    reference = fit_reference(drawn(2_000))
    assert reference is not None
    new = drawn(2_000)
    worse = reference.share_below(reference.novelty(new.n_words, new.gain))
    is_short = new.n_known < 100
    for group in (is_short, ~is_short):
        assert (worse[group] < 0.1).mean() == pytest.approx(0.1, abs=0.06)
    lowered = reference.share_below(reference.novelty(new.n_words, new.gain - 9.0))
    assert (lowered < MARKED_SHARE).all()


def test_a_document_without_words_and_a_small_corpus_are_not_compared() -> None:
    few = fits(np.full(MIN_WINDOW - 1, 5), np.zeros(MIN_WINDOW - 1))
    assert fit_reference(few) is None
    reference = FitReference(np.full(60, 5), np.linspace(0.0, 1.0, 60))
    novelty = reference.novelty(np.array([0, 5]), np.array([0.0, 0.5]))
    assert np.isnan(novelty[0])
    assert np.isnan(reference.share_below(novelty)[0])
    assert 0.3 < reference.share_below(novelty)[1] < 0.7
