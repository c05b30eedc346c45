"""Shuffled words: as many documents for each as before, and no ties between them."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from tests.benchmarks.data import binary_corpus
from tests.benchmarks.parts.shuffled import show, shuffled


def test_words_keep_their_documents_count_and_lose_their_company() -> None:
    rng = np.random.default_rng(0)
    theme = rng.random((2_000, 3)) < 0.3
    presence = rng.random((2_000, 12)) < np.where(np.repeat(theme, 4, axis=1), 0.8, 0.05)
    corpus = binary_corpus(sparse.csr_array(presence.astype(float)), [f"w{n}" for n in range(12)])
    one, other = (shuffled(corpus, seed).to_csr().toarray() for seed in (0, 1))
    assert np.array_equal(one.sum(axis=0), corpus.to_csr().sum(axis=0))
    assert not np.array_equal(one, other)
    ties = np.corrcoef(one.T)[np.triu_indices(12, 1)]
    # Five standard errors of a correlation between words that have nothing to do with each other.
    assert np.abs(ties).max() < 5.0 / np.sqrt(len(one))
    assert np.corrcoef(corpus.to_csr().toarray().T)[0, 1] > 0.5


def test_a_layer_above_another_is_an_invented_hierarchy() -> None:
    row = {"documents": 9, "words": 5, "topics": 3, "edges": 10, "gain": -0.1}
    page = show({"rows": {"bbc": [{**row, "layers": 1}, {**row, "layers": 2, "gain": 0.5}]}})
    assert "| 1 of 2 |" in page
    assert "0.50" in page
