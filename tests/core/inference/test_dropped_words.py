"""A word that the recipe dropped is answered from the documents that contain it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.corpus import Corpus, build_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.data.word_patterns import PATTERNS
from orrery.core.inference import dropped_words
from orrery.core.inference.dropped_words import documents_with, dropped_word
from orrery.core.storage.activations import Activations


def corpus_of(texts: list[str], **recipe: object) -> Corpus:
    ids = [str(row) for row in range(len(texts))]
    table = pd.DataFrame({"id": ids, "text": texts, "label": None})
    settings = {"min_df": 1, "max_df": 1.0, "phrases": False, **recipe}
    return build_corpus(RawDocuments(table), Recipe(**settings))[0]  # type: ignore[arg-type]


TEXTS = ["the Cat sat", "a cat's tail", "concatenate it", "dog and cat", "dog, dog", "sat-cat up"]


def activations_of(corpus: Corpus, rows: list[int], seed: int = 0) -> Activations:
    probability = np.random.default_rng(seed).random((len(rows), 3))
    return Activations(np.array(rows, np.int64), sparse.csr_array(probability))


def test_a_word_is_found_as_a_word() -> None:
    corpus = corpus_of(TEXTS)
    assert documents_with(corpus, "cat").tolist() == [0, 1, 3, 5]
    assert documents_with(corpus, "CAT").tolist() == [0, 1, 3, 5]
    assert documents_with(corpus, "dog_and").tolist() == [3]
    for word in ("ca", "", " ", "?", "zebra"):
        assert documents_with(corpus, word).tolist() == []


def test_without_spaces_a_word_is_found_anywhere() -> None:
    texts = ["我爱北京天安门", "上海很大", "北京很大"]
    corpus = corpus_of(texts, token_pattern=PATTERNS["characters"], stop_words=())
    assert documents_with(corpus, "北京").tolist() == [0, 2]
    segmented = replace(
        corpus, recipe=replace(corpus.recipe, token_pattern=r"\w+", segments=("zh",))
    )
    assert documents_with(segmented, "北京").tolist() == [0, 2]


def test_a_vowel_sign_belongs_to_its_word() -> None:
    corpus = corpus_of(["কলা খাই আজ", "কল ভাঙা ছিল"])
    assert documents_with(corpus, "কল").tolist() == [1]


@given(st.sets(st.integers(0, 5)), st.integers(0, 9))
def test_the_mean_is_that_of_the_documents_with_the_word(stored: set[int], seed: int) -> None:
    corpus = corpus_of(TEXTS)
    activations = activations_of(corpus, sorted(stored), seed)
    rows = [row for row in (0, 1, 3, 5) if row in stored]
    found = dropped_word(corpus, activations.probability, activations.rows, "cat")
    if not rows:
        assert found is None
        return
    assert found is not None
    assert (found.n_documents, found.n_read) == (4, len(rows))
    values = activations.probability.toarray()[[sorted(stored).index(row) for row in rows]]
    np.testing.assert_allclose(found.probability, values.mean(axis=0))
    if len(rows) > 1:
        error = values.std(axis=0, ddof=1) / np.sqrt(len(rows))
        np.testing.assert_allclose(found.error, error, atol=1e-9)
    assert "4 texts" in found.sentence


def test_at_most_so_many_documents_are_averaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropped_words, "MAX_DOCUMENTS", 2)
    corpus = corpus_of(TEXTS)
    activations = activations_of(corpus, [*range(6)])
    found = dropped_word(corpus, activations.probability, activations.rows, "cat")
    assert found is not None
    assert (found.n_documents, found.n_read) == (4, 2)
