"""Passages that the documents of a topic repeat are found; not in ordinary texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.evaluation.repeated_passages import (
    MAX_CHARACTERS,
    MAX_READ,
    MIN_DOCUMENTS,
    _repeated,
    _shingles,
    passages_of_topics,
)
from orrery.core.storage.activations import Activations
from tests.random_networks import corpus_of_sets

NOTICE = "The Observer's notice: this piece first appeared in our Sunday magazine, and is free."


def texts_of(random: np.random.Generator, count: int, share: float) -> list[str]:
    """Random words; that share of the texts ends with the notice."""
    words = [f"w{number}" for number in range(300)]
    texts = [" ".join(random.choice(words, 60)) for _ in range(count)]
    return [text + ".  " + NOTICE if n < share * count else text for n, text in enumerate(texts)]


def repeated_passage(texts, others):
    return _repeated(texts, [_shingles(text) for text in others])


@given(st.integers(0, 10_000), st.integers(4, 40), st.floats(0.55, 1.0))
def test_a_passage_of_most_texts_is_found_as_it_is_written(seed, count, share) -> None:
    random = np.random.default_rng(seed)
    texts = texts_of(random, count, share)
    n_with = sum(NOTICE in text for text in texts)
    found = repeated_passage(texts, texts_of(random, 30, 0.0))
    if n_with < MIN_DOCUMENTS:
        assert found is None
    else:
        assert (found.documents, found.read) == (n_with, count)
        assert found.text in NOTICE
        assert found.text.startswith("The Observer's notice")


@given(st.integers(0, 10_000), st.integers(1, 40))
def test_ordinary_texts_repeat_nothing(seed, count) -> None:
    random = np.random.default_rng(seed)
    assert repeated_passage(texts_of(random, count, 0.0), texts_of(random, 10, 0.0)) is None


def test_what_other_texts_repeat_as_often_is_nothing_of_the_topic() -> None:
    random = np.random.default_rng(0)
    assert repeated_passage(texts_of(random, 20, 0.8), texts_of(random, 20, 0.7)) is None
    assert repeated_passage(texts_of(random, 20, 0.8), texts_of(random, 20, 0.1)) is not None


def test_the_topic_of_a_passage_is_marked_and_no_other() -> None:
    random = np.random.default_rng(1)
    texts = texts_of(random, 90, 0.3)
    corpus = corpus_of_sets([{0}] * 90, 1)
    documents = corpus.documents.assign(text=texts)
    corpus = type(corpus)(
        corpus.token_ptr, corpus.token_idx, corpus.vocabulary, documents, corpus.recipe
    )
    on = np.zeros((90, 3), np.float32)
    on[:27, 0] = on[::2, 1] = 0.9
    found = passages_of_topics(corpus, Activations(np.arange(90), sparse.csr_array(on)))
    assert set(found) == {0}
    assert found[0].documents == found[0].read == min(27, MAX_READ)
    # Only the beginning of a long text is read.
    late = documents.assign(text="-" * MAX_CHARACTERS + documents["text"])
    corpus = replace(corpus, documents=late)
    assert passages_of_topics(corpus, Activations(np.arange(90), sparse.csr_array(on))) == {}


def test_a_letter_whose_lower_case_has_two_characters_splits_no_word() -> None:
    random = np.random.default_rng(2)
    notice = "BİLGİ notu: bu yazı ilk kez pazar ekimizde çıkmıştır ve ücretsizdir"
    texts = [text.replace(NOTICE, notice) for text in texts_of(random, 20, 0.9)]
    found = repeated_passage(texts, texts_of(random, 30, 0.0))
    assert found is not None
    assert found.text == notice
