"""Another model is asked the same questions as ours."""

from __future__ import annotations

import numpy as np
import pytest

import orrery.core.evaluation.completion
from orrery.core.evaluation.coherence import mean_npmi
from orrery.core.evaluation.completion import (
    complete,
    mean_reciprocal_rank,
    recall_of_ten,
)
from orrery.core.evaluation.evaluate import evaluate_other
from tests.random_networks import corpus_of_sets, plain_network, sampled_corpus


def test_one_that_expects_frequent_words_is_the_baseline(monkeypatch):
    rng = np.random.default_rng(2)
    network = plain_network(rng, n_topics=5, n_tokens=9)
    corpus = sampled_corpus(network, 200, rng)
    rows = np.arange(150)
    counts = corpus.subset(np.arange(150, 200)).document_frequency().astype(float)
    ours = complete(network, corpus, rows, 4)
    # However the documents are divided.
    for size in (4, 100, 10**6):
        monkeypatch.setattr(orrery.core.evaluation.completion, "TABLE_SIZE", size)
        figures = evaluate_other(
            counts[None],
            lambda documents, some: np.tile(counts, (len(some), 1)),
            corpus,
            rows,
            4,
        )
        assert figures.completion_mrr == pytest.approx(mean_reciprocal_rank(ours.baseline))
        assert figures.completion_recall10 == recall_of_ten(ours.baseline)
    assert figures.npmi == pytest.approx(mean_npmi(corpus.to_csr(), [np.argsort(-counts)]))
    assert figures.diversity == 1.0


def test_one_that_knows_the_hidden_word_is_always_right():
    corpus = corpus_of_sets([{k, (k + 1) % 30} for k in range(30)], 30)

    def neighbours(documents, rows):
        known = np.array([documents.tokens_of(row)[0] for row in rows])
        expected = np.zeros((len(rows), 30))
        expected[np.arange(len(rows)), (known + 1) % 30] = 1.0
        expected[np.arange(len(rows)), (known - 1) % 30] = 1.0
        return expected

    figures = evaluate_other(np.eye(30), neighbours, corpus, np.arange(30), 0)
    # One of two places, which both words next to the known one share.
    assert figures.completion_mrr == pytest.approx(1 / 1.5)
    assert figures.completion_recall10 == 1.0


def test_without_two_words_in_a_document_there_is_nothing_to_hide():
    corpus = corpus_of_sets([{0}, {1}, set()], 3)
    figures = evaluate_other(
        np.eye(3), lambda c, rows: np.ones((len(rows), 3)), corpus, np.arange(3), 0
    )
    assert figures.completion_mrr is None
    assert figures.completion_recall10 is None
