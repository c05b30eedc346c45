"""Nearest documents: BM25 as in the book, similar topics, and the words that topics expect."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import Recipe
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.nearest import (
    LENGTH_SHARE,
    N_TYPICAL,
    SATURATION,
    TOPIC_WEIGHT,
    nearest_documents,
    topic_likeness,
    word_gains,
)
from orrery.core.model.labels import marginals
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets, plain_network, problems, several

SETS = st.lists(st.sets(st.integers(0, 5)), max_size=12)


def with_texts(texts: list[str], words: list[str]) -> Corpus:
    """Corpus of texts over a vocabulary, read by the usual recipe."""
    number = {word: place for place, word in enumerate(words)}
    sets = [{number[word] for word in text.split() if word in number} for text in texts]
    corpus = corpus_of_sets(sets, len(words))
    documents = corpus.documents.assign(text=texts)
    recipe = Recipe(stop_words=(), phrases=False)
    return replace(corpus, vocabulary=tuple(words), documents=documents, recipe=recipe)


def by_the_book(corpus: Corpus, present: list[int], row: int) -> float:
    """BM25 as it is printed, with the number of different words as length of a document."""
    counts = Counter(corpus.documents["text"].iat[row].split())
    lengths = np.diff(corpus.token_ptr)
    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[row] / lengths.mean())
    total = 0.0
    for token in present:
        frequency = corpus.document_frequency()[token]
        rarity = math.log1p((corpus.n_documents - frequency + 0.5) / (frequency + 0.5))
        count = counts[corpus.vocabulary[token]]
        total += rarity * count * (SATURATION + 1) / (count + norm) if count else 0.0
    return total


WORDS = ["aa", "bb", "cc", "dd", "ee", "ff"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
                 min_size=1, max_size=20)  # fmt: skip


@given(TEXTS, st.sets(st.integers(0, 5), min_size=1), st.data())
def test_documents_are_ranked_by_bm25_and_their_topics(texts, requested, data) -> None:
    corpus, present = with_texts(texts, WORDS), sorted(requested)
    numbers = st.lists(st.floats(0, 1), min_size=len(texts), max_size=len(texts))
    likeness = np.array(data.draw(numbers))
    rows, scores = nearest_documents(corpus, len(texts), present, likeness=likeness)
    words = np.array([by_the_book(corpus, present, row) for row in range(len(texts))])
    typical = np.sort(words[words > 0])[-N_TYPICAL:].mean() if words.any() else 1.0
    expected = words / typical + TOPIC_WEIGHT * likeness
    assert scores == pytest.approx(expected[rows])
    assert all(scores[:-1] >= scores[1:])
    assert set(rows.tolist()) == set(np.flatnonzero(expected > 0).tolist())


def test_a_long_text_with_a_word_once_comes_after_a_short_one_with_it_often() -> None:
    filler = " ".join(WORDS[1:])
    texts = [f"aa {filler} {filler}", "aa aa aa bb", "cc dd"]
    rows, _ = nearest_documents(with_texts(texts, WORDS), 3, [0])
    assert rows.tolist() == [1, 0]


@given(SETS, st.lists(st.floats(-3, 3), min_size=6, max_size=6), st.integers(0, 12))
def test_without_topics_the_expected_words_count_and_absent_ones_count_against(
    sets, gains, count
) -> None:
    corpus, expected = corpus_of_sets(sets, 6), np.array(gains)
    rows, scores = nearest_documents(corpus, count, expected=expected)
    assert len(rows) <= count
    assert (scores > 0).all()
    has_any = {row for row, tokens in enumerate(sets) if any(gains[t] > 0 for t in tokens)}
    assert set(rows.tolist()) <= has_any
    away, _ = nearest_documents(corpus, len(sets), absent=[0], expected=np.zeros(6))
    assert not len(away)


def test_likeness_is_the_cosine_of_weighted_topics() -> None:
    random = np.random.default_rng(0)
    table = random.random((5, 4)) * (random.random((5, 4)) < 0.7)
    query, rows = np.array([0.9, 0.0, 0.4, 0.1]), np.array([0, 2, 3, 5, 6])
    found = topic_likeness(sparse.csr_array(table), rows, 8, query)
    weight = np.maximum(-np.log((table.sum(axis=0) + 0.5) / 6), 0)
    for place, row in enumerate(rows):
        own, other = table[place] * weight, query * weight
        norm = np.linalg.norm(own) * np.linalg.norm(other)
        assert found[row] == pytest.approx(own @ other / norm if norm else 0.0)
    assert not found[[1, 4, 7]].any()


@several
@given(problems(), st.booleans())
def test_what_is_present_gains_most_and_what_is_absent_loses_as_much(problem, closed_world):
    network = problem.network
    evidence = Evidence((0,), (1,), closed_world=closed_world)
    gain, probability = word_gains(network, infer(network, evidence))
    prior = np.maximum(marginals(network)[network.graph.n_topics :], 1e-5)
    assert np.isfinite(gain).all()
    assert gain[0] == pytest.approx(-np.log(prior[0]))
    assert gain[1] == pytest.approx(np.log(prior[1]))
    assert (gain <= -np.log(prior) + 1e-12).all()
    assert (probability[0], probability[1]) == (1.0, 0.0)
    others = np.arange(2, len(gain))
    expected = prior[others] * np.exp(gain[others])
    assert np.maximum(probability[others], 1e-5) == pytest.approx(expected)


def test_a_topic_held_on_raises_its_words():
    network = plain_network(np.random.default_rng(0))
    free = word_gains(network, infer(network, Evidence((0,), closed_world=False))).gain
    held = word_gains(network, infer(network, Evidence((0,), closed_world=False, on=(5,)))).gain
    children = network.graph.children(5)
    words = children[children >= network.graph.n_topics] - network.graph.n_topics
    others = words[words != 0]
    assert len(others)
    assert (held[others] > free[others]).all()


def test_another_vocabulary_is_refused():
    with pytest.raises(InputError, match="the model has 5 words and the corpus 6"):
        nearest_documents(corpus_of_sets([{1}], 6), 3, expected=np.zeros(5))
