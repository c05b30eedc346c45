"""The course of a topic: shares that add up, spans of years, and its documents."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.topic_documents import (
    MAX_LABELS,
    MAX_MARKED,
    labels_chart,
    labels_shown,
    marked_words,
    shares,
    year_shares,
    years_chart,
)
from orrery.app.workspace.facets import NO_YEAR
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.dates import MAX_BARS
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.inference.nearest import MIN_KEYWORD_LIFT, topic_keywords, typical_documents
from tests.app.toy import toy_run

DOCUMENTS = st.lists(st.tuples(st.booleans(), st.sampled_from(["", "a", "b", "c"])), max_size=40)
DATED = st.lists(st.tuples(st.booleans(), st.integers(1000, 2099)), min_size=1, max_size=40)


def columns(pairs, kind=object):
    return np.array([p[0] for p in pairs], bool), np.array([p[1] for p in pairs], kind)


@given(DOCUMENTS)
def test_shares_are_counted_in_each_group(pairs):
    table = shares(*columns(pairs))
    assert set(table["group"]) == {name for _, name in pairs} - {""}
    for row in table.itertuples():
        members = [is_on for is_on, name in pairs if name == row.group]
        assert row.documents == len(members)
        assert row.on == sum(members)
        assert row.share == pytest.approx(np.mean(members))


@given(DATED)
def test_every_document_is_in_the_span_of_its_year_and_bars_are_few(pairs):
    on, year = columns(pairs, np.int32)
    table = year_shares(on, year)
    assert table["documents"].sum() == len(pairs)
    assert len(table) <= MAX_BARS + 1
    for first, until, documents in table[["group", "until", "documents"]].itertuples(index=False):
        assert documents == ((year >= first) & (year < until)).sum()


def test_documents_without_a_year_do_not_count():
    table = year_shares(np.array([True, True, False]), np.array([NO_YEAR, 2001, 2001], np.int32))
    assert table["documents"].tolist() == [2]
    assert table["share"].tolist() == [0.5]


def test_the_charts_hold_what_was_counted():
    on = np.arange(60) % 3 == 0
    years = years_chart(year_shares(on, (1990 + np.arange(60) % 5).astype(np.int32))).to_dict()
    assert sum(map(len, years["datasets"].values())) == 5
    names = np.array([f"l{number % 20}" for number in range(60)], object)
    table = shares(on, names)
    labels = labels_chart(table).to_dict()
    assert {len(rows) for rows in labels["datasets"].values()} == {MAX_LABELS}
    assert labels_shown(table)["share"].min() >= table["share"].median()


def test_labels_without_the_topic_are_not_drawn():
    table = pd.DataFrame({"group": list("abc"), "documents": 4, "on": [0, 2, 0]})
    table["share"] = table["on"] / table["documents"]
    assert labels_shown(table)["group"].tolist() == ["b"]
    assert len(labels_shown(table.assign(on=0, share=0.0))) == 1


def corpus_of(texts):
    table = pd.DataFrame({"text": texts, "label": None})
    table["id"] = [f"d{row}" for row in range(len(texts))]
    raw = RawDocuments(normal_table(table))
    return build_corpus(raw, Recipe(min_df=1, max_df=1.0))[0]


def test_the_documents_with_its_words_come_first_and_its_words_are_marked():
    run = toy_run()
    corpus = corpus_of(
        ["orbit shuttle nasa launch", "orbit bread", "bread rain", "orbit shuttle", "nasa"]
    )
    reported = topic_keywords(run, 5)
    assert {"orbit", "shuttle", "nasa"} <= set(reported)
    every = run.shown_words(5, len(run.vocabulary))
    assert reported == {
        word: chance * np.log(lift) for word, chance, lift in every if lift >= MIN_KEYWORD_LIFT
    }
    probability = np.array([0.9, 0.9, 0.9, 0.2, 0.9])
    best = typical_documents(corpus, probability, reported, 3)
    assert best[0] == 0
    assert 3 not in best
    assert 2 not in best
    marked = marked_words(corpus, 1, reported)
    assert set(marked) == {"orbit"}
    assert len(marked_words(corpus, 0, reported)) <= MAX_MARKED


def test_rare_words_do_not_outweigh_the_words_of_most_documents(monkeypatch):
    run = toy_run()
    shown = [("court", 0.6, 8.0), ("judge", 0.5, 8.0), *((f"doping{n}", 0.02, 40.0) for n in "ab")]
    monkeypatch.setattr(type(run), "shown_words", lambda *_: shown)
    corpus = corpus_of(["court judge ruling verdict", "court dopinga dopingb verdict"])
    assert typical_documents(corpus, np.full(2, 0.9), topic_keywords(run, 0)) == [0, 1]


def test_a_long_text_is_no_more_typical_for_its_length():
    many = " ".join(f"other{chr(97 + number)}" for number in range(26))
    corpus = corpus_of([f"orbit shuttle {many}", "orbit shuttle", f"orbit {many}", "rain"])
    best = typical_documents(corpus, np.full(4, 0.9), {"orbit": 2.0, "shuttle": 2.0}, 3)
    assert best == [1, 0, 2]
