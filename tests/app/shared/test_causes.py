"""A word has the colour of the topic that explains it most, and no colour if that is chance."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from orrery.app.shared.answers import ask
from orrery.app.shared.document_causes import (
    HUES,
    MAX_QUERY_LETTERS,
    OTHER_HUE,
    PICTURE_WORDS,
    picture_words,
    question,
    read_document,
)
from orrery.core.drawing.answer import answer_groups
from orrery.core.drawing.question import read_typed
from orrery.core.inference.explanation import word_causes
from orrery.core.model.overlay import Overlay
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
ROWS = (0, 17, 211, 640)


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(SAMPLE / "corpus")


@pytest.fixture(scope="module")
def run():
    return load_run(SAMPLE / "run")


@pytest.mark.parametrize("row", ROWS)
def test_words_belong_to_their_strongest_cause(run, corpus, row):
    reading = read_document(run, corpus, row)
    local = reading.posterior.local
    causes = word_causes(run.network, reading.posterior)
    shares = causes.topic.toarray()
    shares[:, reading.posterior.probability <= 0.5] = 0.0
    owner = {word: topic.topic for topic in reading.topics for word in topic.words}
    assert len(owner) == sum(len(topic.words) for topic in reading.topics)
    for place, token in enumerate(local.tokens.tolist()):
        word = run.vocabulary[token].replace("_", " ")
        best = int(shares[place].argmax())
        if shares[place, best] > causes.leak[place]:
            assert owner[word] == local.topics[best]
        else:
            assert word not in owner


@pytest.mark.parametrize("row", ROWS)
def test_every_coloured_piece_is_a_word_of_its_topic(run, corpus, row):
    reading = read_document(run, corpus, row)
    by_key = {topic.key: topic for topic in reading.topics}
    assert {key for key in reading.keys} == set(by_key)
    for piece, key in zip(reading.pieces, reading.keys, strict=True):
        word = reading.text[piece.begin : piece.end].lower()
        assert word in by_key[key].words
        assert piece.hue == by_key[key].hue
        assert by_key[key].label in piece.title


def test_hues_are_used_once_and_the_rest_is_grey(run, corpus, monkeypatch):
    monkeypatch.setattr("orrery.app.shared.document_causes.HUES", HUES[:1])
    reading = next(
        reading
        for row in range(100)
        if len((reading := read_document(run, corpus, row)).topics) > 2
    )
    assert [topic.hue for topic in reading.topics] == [HUES[0]] + [OTHER_HUE] * (
        len(reading.topics) - 1
    )


def test_a_selected_topic_leaves_only_its_own_words_in_colour(run, corpus):
    reading = read_document(run, corpus, 0)
    chosen = reading.topics[0]
    shown = {reading.text[p.begin : p.end].lower() for p in reading.shown_pieces(chosen.key)}
    assert shown == set(chosen.words)
    assert reading.shown_pieces("topic:gone") == list(reading.pieces)


def test_the_question_is_the_whole_document_and_has_its_topics(run, corpus):
    for row in range(0, corpus.n_documents, corpus.n_documents // 60):
        reading = read_document(run, corpus, row)
        asked = read_typed(run, question(run, reading), closed_world=True)
        answer = ask(run, asked, {})
        assert answer_groups(run, answer.posterior) == answer_groups(run, reading.posterior)


def test_a_book_is_queried_by_the_list_of_its_words(run, corpus):
    reading = read_document(run, corpus, 17)
    long = replace(reading, text=reading.text * 1000)
    tokens = {word.token for word in read_typed(run, question(run, long), closed_world=True).typed}
    assert tokens == set(corpus.tokens_of(17).tolist())
    # A letter takes up to nine characters of an address.
    foreign = replace(reading, text=reading.text + "界" * (MAX_QUERY_LETTERS // 8))
    assert "界" not in question(run, foreign)


def test_the_picture_has_the_best_explained_words(run, corpus):
    reading = read_document(run, corpus, 17)
    drawn = [word.token for word in picture_words(run, reading)]
    assert sorted(drawn) == sorted(reading.ranked[:PICTURE_WORDS])
    assert set(reading.ranked) == set(corpus.tokens_of(17).tolist())


def test_a_document_without_text_is_its_words(run, corpus):
    documents = corpus.documents.assign(text="")
    reading = read_document(run, replace(corpus, documents=documents), 3)
    assert reading.text.split() == [corpus.vocabulary[token] for token in corpus.tokens_of(3)]
    assert np.diff([piece.begin for piece in reading.pieces]).min() > 0


def owned(reading):
    return {word: topic.topic for topic in reading.topics for word in topic.words}


def test_the_words_of_a_hidden_topic_are_plain_and_the_others_as_they_were(run, corpus):
    reading = read_document(run, corpus, 0)
    first = reading.topics[0]
    hidden = frozenset([run.network.graph.topic_ids[first.topic]])
    less = read_document(replace(run, overlay=Overlay(hidden=hidden)), corpus, 0)
    assert owned(less) == {w: topic for w, topic in owned(reading).items() if topic != first.topic}
    assert set(less.keys) == {topic.key for topic in reading.topics[1:]}


def test_topics_shown_as_one_have_one_colour_and_all_their_words(run, corpus):
    height = run.network.graph.heights()
    row, before, part, whole = next(
        (row, reading, *pair)
        for row in range(100)
        for reading in [read_document(run, corpus, row)]
        for pair in itertools.combinations(reading.topics, 2)
        if height[pair[0].topic] == height[pair[1].topic]
    )
    names = run.network.graph.topic_ids
    merged = Overlay(merged={names[part.topic]: names[whole.topic]})
    reading = read_document(replace(run, overlay=merged), corpus, row)
    joined = next(topic for topic in reading.topics if topic.topic == whole.topic)
    assert {*part.words, *whole.words} <= set(joined.words)
    assert part.topic not in owned(reading).values()
    assert joined.known.value >= max(part.known.value, whole.known.value) - 1e-9
    assert set(owned(before)) <= set(owned(reading))
