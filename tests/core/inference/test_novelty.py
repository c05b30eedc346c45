"""Resemblance to training documents, against plain loops, and the comparison of documents by it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.data.known_words import corpus_of_rows
from orrery.core.data.recipe import matrix_recipe
from orrery.core.inference import novelty
from orrery.core.inference.novelty import (
    MARKED_SHARE,
    MIN_COSINE,
    MIN_WINDOW,
    N_NEAREST,
    FitReference,
    fit_reference,
    training_words,
    word_fit,
)
from tests.random_networks import random_network

N_TOKENS = 30
VOCABULARY = tuple(f"w{token}" for token in range(N_TOKENS))


def corpus_of(rows: list[np.ndarray]) -> Corpus:
    table = pd.DataFrame({"id": [str(row) for row in range(len(rows))], "text": ""})
    return corpus_of_rows(rows, VOCABULARY, table, matrix_recipe())


def drawn_rows(random: np.random.Generator, count: int) -> list[np.ndarray]:
    return [
        np.flatnonzero(random.random(N_TOKENS) < share).astype(np.int32)
        for share in random.choice([0.0, 0.1, 0.3], count)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_resemblance_is_that_of_plain_loops(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(novelty, "BLOCK", 7)
    random = np.random.default_rng(seed)
    trained, new = drawn_rows(random, 40), drawn_rows(random, 20)
    n_unknown = random.integers(0, 4, len(new))
    corpus = corpus_of(trained)
    words = training_words(corpus)
    found = words.resemblance(corpus_of(new), n_unknown)
    frequency = np.maximum(corpus.document_frequency(), 1)
    rarity = np.log(len(trained) / frequency)

    def cosine(one: np.ndarray, other: np.ndarray, unknown: int) -> float:
        common = sum(rarity[token] ** 2 for token in one if token in other)
        length = (rarity[one] ** 2).sum() + unknown * np.log(len(trained)) ** 2
        return float(common / max(np.sqrt(length * (rarity[other] ** 2).sum()), 1e-12))

    for row, tokens in enumerate(new):
        nearest = sorted(cosine(tokens, other, int(n_unknown[row])) for other in trained)
        mean = np.mean(nearest[-N_NEAREST:])
        assert found[row] == pytest.approx(np.log(max(mean, MIN_COSINE)), abs=1e-6)


@pytest.mark.parametrize("most", [1000, 25])
def test_a_training_document_is_not_compared_with_itself(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(novelty, "MAX_DOCUMENTS", most)
    monkeypatch.setattr(novelty, "BLOCK", 7)
    # Each document has its own words.
    rows = [np.array([token], np.int32) for token in range(N_TOKENS)]
    corpus = corpus_of(rows)
    words = training_words(corpus)
    own = np.arange(N_TOKENS)
    zeros = np.zeros(N_TOKENS, np.int64)
    assert np.exp(words.resemblance(corpus, zeros, own)) == pytest.approx(MIN_COSINE)
    copies = np.exp(words.resemblance(corpus, zeros))
    assert (copies > 2 * MIN_COSINE).sum() == len(words.rows) == min(most, N_TOKENS)


@given(st.integers(0, 2**32 - 1))
def test_documents_of_any_length_are_marked_equally_often(seed: int) -> None:
    """Short texts vary more, but are not marked more often for it."""
    random = np.random.default_rng(seed)

    def drawn(count: int) -> tuple[np.ndarray, np.ndarray]:
        n_words = random.integers(4, 400, count)
        return n_words, 1.0 + random.normal(size=count) * 3.0 / np.sqrt(n_words)

    reference = fit_reference(*drawn(2_000))
    assert reference is not None
    n_words, resemblance = drawn(2_000)
    worse = reference.share_below(reference.novelty(n_words, resemblance))
    is_short = n_words < 100
    for group in (is_short, ~is_short):
        assert (worse[group] < 0.1).mean() == pytest.approx(0.1, abs=0.06)
    lowered = reference.share_below(reference.novelty(n_words, resemblance - 9.0))
    assert (lowered < MARKED_SHARE).all()


def test_a_document_without_words_and_a_small_corpus_are_not_compared() -> None:
    assert fit_reference(np.full(MIN_WINDOW - 1, 5), np.zeros(MIN_WINDOW - 1)) is None
    reference = FitReference(np.full(60, 5), np.linspace(0.0, 1.0, 60))
    found = reference.novelty(np.array([0, 5]), np.array([0.0, 0.5]))
    assert np.isnan(found[0])
    assert np.isnan(reference.share_below(found)[0])
    assert 0.3 < reference.share_below(found)[1] < 0.7


def test_the_order_of_equally_long_documents_has_no_effect():
    n_words, resemblance = np.full(3_000, 5), np.repeat([-2.0, -0.5], 1_500)
    order = np.random.default_rng(0).permutation(3_000)
    for values in (resemblance, resemblance[order]):
        found = fit_reference(n_words, values)
        assert found is not None
        assert found.novelty(np.array([5]), np.array([-1.25])) == pytest.approx([0.0], abs=1e-9)
        assert found.novelty(n_words, values).std() == pytest.approx(1.0)


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
