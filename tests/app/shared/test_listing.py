"""Facets equal the columns; every listed document meets all conditions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.app.shared import strings as shared_strings
from orrery.app.shared.listing import (
    UNSURE,
    UNSURE_NAME,
    WITHOUT_TOPIC,
    WITHOUT_TOPIC_NAME,
    Choice,
    TopicCounts,
    chosen_rows,
    count_documents,
    documents_with_topic,
    in_order,
    orders,
    rows_of_topic,
    topic_chosen,
    topics_on,
)
from orrery.app.shared.topic_facts import on_table
from orrery.app.workspace import facets as document_facets
from orrery.app.workspace.facets import (
    MAX_HEADLINE,
    MAX_TITLE,
    Facets,
    is_headline,
    read_facets,
    title_of,
)
from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import Recipe
from orrery.core.inference.nearest import topic_keywords, typical_documents
from orrery.core.storage.activations import Activations
from tests.app.toy import edited, toy_run
from tests.random_networks import corpus_of_sets

RUN = toy_run()


def corpus_of(sets: list[list[int]]) -> Corpus:
    """Corpus of the vocabulary of the run with these words in its documents."""
    return replace(corpus_of_sets(sets, len(RUN.vocabulary)), vocabulary=RUN.vocabulary)


def corpus_like(facets: Facets) -> Corpus:
    """Corpus with a document of one word for each row of the facets."""
    return corpus_of([[row % len(RUN.vocabulary)] for row in range(len(facets.label))])


def table(n: int = 8, **columns: list) -> pd.DataFrame:
    base = {"id": [str(row) for row in range(n)], "text": ["a"] * n, "label": [None] * n}
    return pd.DataFrame(base | columns)


def test_labels_are_offered_in_order_and_none_is_none():
    facets = read_facets(table(4, label=["b", None, "A", "b"]))
    assert facets.labels == ("A", "b")
    assert facets.label.tolist() == ["b", "", "A", "b"]


@pytest.mark.parametrize("label", [[None] * 3, ["a"] * 3])
def test_one_label_or_none_is_no_choice(label):
    assert read_facets(table(3, label=label)).labels == ()


def test_too_many_labels_are_no_choice(monkeypatch):
    monkeypatch.setattr(document_facets, "MAX_LABELS", 2)
    assert read_facets(table(3, label=["a", "b", "c"])).labels == ()


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("year", ["1999", "2001", "2000"], [1999, 2001, 2000]),
        ("Date", ["3 May 1999", "2001-07-09T10:00", "1.2.2000"], [1999, 2001, 2000]),
        ("year", [1999, 2001, 2000], [1999, 2001, 2000]),
        ("year", ["12", "x", "19995"], [0, 0, 0]),
        ("pages", ["1999", "2001", "2000"], [0, 0, 0]),
    ],
)
def test_years_are_read_from_columns_of_dates(column, values, expected):
    facets = read_facets(table(3, **{column: values}))
    assert facets.year.tolist() == expected
    assert facets.years == ((1999, 2001) if any(expected) else ())


def test_a_column_that_is_mostly_no_years_is_none():
    assert read_facets(table(4, year=["1999", None, "x", "y"])).years == ()


def test_titles_are_texts():
    assert read_facets(table(2, Title=["One", None])).title.tolist() == ["One", ""]
    assert read_facets(table(2)).title.tolist() == ["", ""]


@st.composite
def situations(draw):
    n, n_topics = draw(st.integers(1, 12)), 3
    leak = np.random.default_rng(draw(st.integers(0, 999)))
    facets = read_facets(
        table(
            n,
            label=leak.choice(["a", "b"], n).tolist(),
            year=leak.integers(1990, 1994, n).tolist(),
        )
    )
    known = np.flatnonzero(leak.random(n) < 0.7).astype(np.int64)
    dense = leak.random((len(known), n_topics)) * (leak.random((len(known), n_topics)) < 0.7)
    dense = dense.astype(np.float32)
    activations = Activations(known, sparse.csr_array(dense))
    merged = draw(st.sampled_from([{}, {0: 2}]))
    run = edited(RUN, draw(st.sampled_from([(), (1,), (2,)])), merged)
    shown = dense.copy()
    for part, topic in run.shown_as.items():
        shown[:, topic] = np.maximum(shown[:, part], shown[:, topic])
        shown[:, part] = 0.0
    found = None
    if draw(st.booleans()):
        found = leak.permutation(n)[: draw(st.integers(0, n))].astype(np.int64)
    choice = Choice(
        found,
        draw(st.sampled_from([-1, 0, 1, 2])),
        draw(st.sampled_from([(), ("a",), ("b", "gone"), ("a", "b")])),
        draw(st.sampled_from([(), (1991, 1992), (1990, 1990)])),
    )
    return choice, facets, run, activations, shown


@given(situations())
def test_all_conditions_hold_of_what_is_listed_and_of_nothing_else(situation):
    choice, facets, run, activations, dense = situation

    def is_wanted(row: int) -> bool:
        known = activations.rows.tolist()
        return (
            (choice.found is None or row in choice.found)
            and (not choice.labels or facets.label[row] in choice.labels)
            and (not choice.years or choice.years[0] <= facets.year[row] <= choice.years[1])
            and (choice.topic < 0 or (row in known and dense[known.index(row), choice.topic] > 0.5))
        )

    rows = chosen_rows(choice, facets, run, activations, corpus_like(facets)).tolist()
    assert sorted(rows) == [row for row in range(len(facets.label)) if is_wanted(row)]
    if choice.found is not None:
        places = [choice.found.tolist().index(row) for row in rows]
        assert places == sorted(places)
    elif choice.topic < 0:
        assert rows == sorted(rows)


@given(situations())
def test_documents_of_a_topic_come_with_the_most_typical_first(situation):
    _, facets, run, activations, dense = situation
    corpus = corpus_like(facets)
    for topic in range(dense.shape[1]):
        rows = rows_of_topic(run, activations, topic, corpus)
        probability = np.zeros(corpus.n_documents)
        probability[activations.rows] = dense[:, topic]
        keywords = topic_keywords(run, topic)
        assert rows.tolist() == typical_documents(corpus, probability, keywords)
        assert documents_with_topic(on_table(run, activations))[topic] == len(rows)


@given(situations())
def test_topics_of_a_document_are_those_that_are_shown_as_on(situation):
    _, facets, run, activations, dense = situation
    dense[:, list(run.hidden_topics)] = 0.0
    for place, row in enumerate(activations.rows.tolist()):
        on = topics_on(run, activations, row, 2, corpus_like(facets))
        assert (
            on
            == [
                topic
                for topic in np.argsort(-dense[place].round(2), kind="stable")
                if dense[place, topic] > 0.5
            ][:2]
        )
    assert topics_on(run, activations, 99, 2, corpus_like(facets)) == []
    assert topics_on(run, None, 0, 2, corpus_like(facets)) == []


def test_what_is_practically_certain_is_not_in_the_order_of_the_source():
    graph = RUN.network.graph
    topic, other = 0, 1
    best = [RUN.token_number[word] for word in list(topic_keywords(RUN, topic))[:3]]
    unlike = sorted(
        {*range(graph.n_tokens)} - {RUN.token_number[w] for w in topic_keywords(RUN, topic)}
    )
    corpus = corpus_of([unlike[:3], [best[0], *unlike[:2]], best])
    sure = np.zeros((3, graph.n_topics), np.float32)
    # The more certain by the fourth digit is the less typical.
    sure[:, topic] = [0.9999, 0.9998, 0.9997]
    run, stored = edited(RUN, (), {}), Activations(np.arange(3), sparse.csr_array(sure))
    assert rows_of_topic(run, stored, topic, corpus).tolist() == [2, 1, 0]
    # So are the topics of a document: the one that explains its words comes first.
    sure[:, other] = 0.99999
    stored = Activations(np.arange(3), sparse.csr_array(sure))
    assert topics_on(run, stored, 2, 2, corpus) == [topic, other]


@given(situations())
def test_documents_without_a_topic_can_be_listed(situation):
    _, facets, run, activations, dense = situation
    without = activations.rows[~dense.any(axis=1)]
    choice = Choice(topic=WITHOUT_TOPIC)
    assert (
        chosen_rows(choice, facets, run, activations, corpus_like(facets)).tolist()
        == without.tolist()
    )
    assert len(chosen_rows(choice, facets, None, None, corpus_like(facets))) == 0


@given(situations())
def test_documents_of_all_topics_unsure_ones_and_those_without_are_all_documents(situation):
    _, facets, run, activations, dense = situation
    corpus = corpus_like(facets)

    def listed(topic: int) -> set[int]:
        rows = chosen_rows(Choice(topic=topic), facets, run, activations, corpus)
        return set(rows.tolist())

    on = on_table(run, activations)
    n_of_topic = documents_with_topic(on)
    shown = [t for t in np.flatnonzero(n_of_topic).tolist() if t not in run.hidden_topics]
    of_topics = set().union(*map(listed, shown)) if shown else set()
    unsure, without = listed(UNSURE), listed(WITHOUT_TOPIC)
    counts = count_documents(run, activations, on)
    assert (counts.shown, counts.unsure, counts.without) == (
        len(of_topics), len(unsure), len(without),
    )  # fmt: skip
    assert counts.on == sum(int(n_of_topic[topic]) for topic in shown)
    assert not of_topics & (unsure | without)
    assert not unsure & without
    rest = set(activations.rows.tolist()) - of_topics - unsure - without
    assert counts.hidden == len(rest)
    hidden = sorted(run.hidden_topics)
    assert all((dense[activations.rows.tolist().index(row)][hidden] > 0.5).any() for row in rest)


def test_the_counts_of_documents_are_one_sentence_that_adds_up():
    text = shared_strings.documents_by_topics(TopicCounts(2942, 0, 14, 20, 16064))
    assert text == (
        "2,942 documents with a topic, 14 unsure, 20 without; 2,976 in all. Each document with a "
        "topic counts for each of its topics, 5.5 on average."
    )
    alone = shared_strings.documents_by_topics(TopicCounts(1, 2, 0, 0, 1))
    assert alone == "1 document with a topic, 2 with hidden topics only; 3 in all."
    assert shared_strings.documents_by_topics(TopicCounts(3, 0, 0, 0, 3)) == (
        "3 documents with a topic."
    )
    few = shared_strings.documents_by_topics(TopicCounts(1000, 0, 0, 0, 1001))
    assert few == "1,000 documents with a topic."


def test_an_address_names_the_documents_without_a_topic():
    assert topic_chosen(RUN, WITHOUT_TOPIC_NAME) == WITHOUT_TOPIC
    assert topic_chosen(RUN, UNSURE_NAME) == UNSURE
    assert topic_chosen(RUN, "gone") == -1
    assert topic_chosen(RUN, RUN.network.graph.topic_ids[1]) == 1


def test_without_activations_no_document_has_a_topic():
    assert len(rows_of_topic(RUN, None, 0, corpus_of([]))) == 0


@pytest.mark.parametrize("title", [None, "x" * 10**6, "word " * 10**5])
@pytest.mark.parametrize("text", ["", "few words", "y" * 10**6, "a" * 30 + " b" * 10**5])
def test_titles_are_short(title, text):
    shown = title_of(read_facets(table(1, title=[title])), 0, text)
    assert len(shown) <= MAX_TITLE
    if len(title or text) > MAX_TITLE:
        assert shown.endswith(" …")
    else:
        assert shown == (title or text)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "1999", "2001", "2010"]),
            st.sampled_from(["b", "a", "C"]),
            st.sets(st.integers(0, 5)),
        ),
        min_size=2,
        max_size=15,
    ),
    st.sampled_from(["", "newest", "oldest", "title", "label", "longest", "shortest", "nothing"]),
)
def test_an_order_keeps_all_documents_and_sorts_by_what_it_names(documents, order):
    years, labels, sets = zip(*documents, strict=True)
    n = len(documents)
    frame = table(n, year=list(years), label=list(labels), text=[f"text {name}" for name in labels])
    facets, corpus = read_facets(frame), corpus_of_sets(list(sets), 6)
    corpus = replace(corpus, documents=frame)
    rows = np.random.default_rng(n).permutation(n)
    found = in_order(rows, order, facets, corpus)
    assert sorted(found.tolist()) == list(range(n))
    if order not in orders(facets) or not order:
        assert found.tolist() == rows.tolist()
        return
    lengths = np.diff(corpus.token_ptr)
    key = {
        "newest": lambda row: -int(years[row] or -9999),
        "oldest": lambda row: int(years[row] or 9999),
        "title": lambda row: labels[row].casefold(),
        "label": lambda row: labels[row].casefold(),
        "longest": lambda row: -int(lengths[row]),
        "shortest": lambda row: int(lengths[row]),
    }[order]
    keys = [key(row) for row in found.tolist()]
    assert keys == sorted(keys)


def test_a_short_text_without_a_title_is_its_own_title():
    facets = read_facets(table(3, text=["a short headline", "a " * MAX_HEADLINE, "a text"],
                               title=["", "", "another title"]))  # fmt: skip
    texts = ["a short headline", "a " * MAX_HEADLINE, "a text"]
    assert [is_headline(facets, row, text) for row, text in enumerate(texts)] == [
        True,
        False,
        False,
    ]


def test_own_names_of_columns_are_those_of_the_source():
    frame = table(3, label=["a", "b", "a"], date=["1999", "2000", "2001"])
    named = read_facets(frame, Recipe(label_column="section", date_column="published"))
    assert (named.label_name, named.date_name) == ("section", "published")
    plain = read_facets(frame, Recipe())
    assert (plain.label_name, plain.date_name) == ("", "")
    year = read_facets(table(3, year=["1999", "2000", "2001"]), Recipe())
    assert year.date_name == "year"
