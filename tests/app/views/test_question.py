"""Typed queries: present, absent and unknown words, in the order of typing."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.examples import _apart, example_queries, examples_of
from orrery.app.text.safe_text import html_text, markdown_text
from orrery.app.views.graph.path import find_nodes
from orrery.core.drawing.local_model import TypedWord
from orrery.core.drawing.question import _in_typed_order, read_question, written
from orrery.core.drawing.selection import shown_probability
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.thresholds import ON_THRESHOLD
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests.app.toy import edited, large_run, toy_run

RUN = toy_run()


def lettered(run):
    """The run with words of three letters, which are allowed in examples."""
    size = len(run.vocabulary)
    names = ("".join(chr(97 + int(d)) for d in f"{token:03}") for token in range(size))
    return replace(run, vocabulary=tuple(names))


@given(
    st.lists(st.sampled_from([*"ab-' ", "ab", "ÄB", "b-a"]), max_size=12).map("".join),
    st.lists(st.from_regex(r"[-']?[abä](-?[ab']){0,2}", fullmatch=True), unique=True),
)
def test_the_order_is_that_of_the_first_place_as_a_word_of_its_own(
    text: str, words: list[str]
) -> None:
    lowered = " ".join(text.lower().split())

    def place(word: str) -> int:
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lowered)
        return found.start() if found else len(lowered)

    typed = [TypedWord(word, "present") for word in words]
    assert [word.text for word in _in_typed_order(typed, text)] == sorted(words, key=place)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("program nasa", [("program", "present"), ("nasa", "present")]),
        ("NASA  Program", [("nasa", "present"), ("program", "present")]),
        ("nasa -memory", [("nasa", "present"), ("memory", "absent")]),
        ("-memory nasa", [("memory", "absent"), ("nasa", "present")]),
        ("zebra nasa", [("zebra", "unknown"), ("nasa", "present")]),
        ("cell phone", [("cell phone", "present")]),
        ('-"cell phone" nasa', [("cell phone", "absent"), ("nasa", "present")]),
        ("nasa nasa", [("nasa", "present")]),
        ("nasa ?memory", [("nasa", "present"), ("memory", "unknown")]),
        ('?"cell phone"', [("cell phone", "unknown")]),
        ("cell -nasa phone", [("cell", "present"), ("nasa", "absent"), ("phone", "unknown")]),
        ("-cell -phone", [("cell", "absent"), ("phone", "unknown")]),
        ("nasa -zebra", [("nasa", "present"), ("zebra", "unknown")]),
        ("  ", []),
        ("-", [("-", "unknown")]),
    ],
)
def test_words_are_read_in_typed_order(text, expected):
    typed = read_question(RUN, text).typed
    assert [(word.text, word.state) for word in typed] == expected


def test_a_hyphen_inside_a_word_is_no_minus():
    typed = read_question(RUN, "well-known nasa").typed
    assert [(word.text, word.state) for word in typed] == [
        ("well-known", "unknown"),
        ("nasa", "present"),
    ]


def test_evidence_has_each_token_once():
    question = read_question(RUN, "nasa program -memory -disk program zebra")
    evidence = question.evidence(closed_world=False)
    names = [RUN.vocabulary[token] for token in evidence.present + evidence.absent]
    assert names == ["nasa", "program", "memory", "disk"]
    assert not evidence.closed_world
    infer(RUN.network, evidence)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["nasa", "cell_phone", "memory", "star", "zebra"]),
            st.sampled_from(["", "-", "?"]),
        ),
        unique_by=lambda pair: pair[0],
    )
)
def test_what_is_written_reads_as_it_was(pairs):
    text = " ".join(f'{sign}"{word.replace("_", " ")}"' if sign else word for word, sign in pairs)
    question = read_question(RUN, text.replace("_", " "))
    assert read_question(RUN, written(question.typed)) == question


def test_a_switched_word_changes_alone():
    question = read_question(RUN, "nasa -memory cell phone zebra")
    assert question.switched(RUN, "word:cell phone", "absent") == 'nasa -memory -"cell phone" zebra'
    assert question.switched(RUN, "word:memory", "unknown") == "nasa ?memory cell phone zebra"
    assert question.word("unknown:zebra") is None


def test_commas_keep_words_apart_that_would_be_a_phrase():
    question = read_question(RUN, "cell, phone, nasa")
    assert question.switched(RUN, "word:nasa", "absent") == "cell, phone, -nasa"
    assert read_question(RUN, "-cell phone").switched(RUN, "word:cell", "present") == "cell, phone"
    again = read_question(RUN, "cell, phone, -nasa")
    assert [(word.text, word.state) for word in again.typed] == [
        ("cell", "present"),
        ("phone", "unknown"),
        ("nasa", "absent"),
    ]


def test_a_word_left_open_is_unknown_in_a_closed_world_too():
    evidence = read_question(RUN, "nasa ?memory").evidence(closed_world=True, clamped={4: "on"})
    assert [RUN.vocabulary[token] for token in evidence.unknown] == ["memory"]
    assert evidence.on == (4,)
    assert evidence.off == ()


def test_a_word_typed_both_ways_is_named_and_has_no_answer():
    question = read_question(RUN, "nasa -nasa orbit")
    assert question.contradictions == (("nasa", "present", "absent"),)
    with pytest.raises(InputError, match="'nasa' is given as present and as absent"):
        question.evidence(closed_world=False)


def probability(run, tokens):
    posterior = infer(run.network, Evidence(tokens, closed_world=False))
    return dict(zip(posterior.local.topics.tolist(), posterior.probability.tolist(), strict=True))


def on(run, tokens):
    return {topic for topic, value in probability(run, tokens).items() if value > 0.5}


def test_examples_are_words_in_two_senses():
    found = example_queries(RUN)
    in_two = [example for example in found if len(example.queries) == 2]
    assert in_two
    for example in in_two:
        first, second = (on(RUN, query) for query in example.queries)
        assert example.token == example.queries[0][0] == example.queries[1][0]
        assert not set(example.companions[0]) & set(example.companions[1])
        assert first - second
        assert second - first


def test_the_senses_of_a_word_are_distinguished_by_its_queries():
    known = 0
    for token, word in enumerate(RUN.vocabulary):
        for found in examples_of(RUN, token):
            known += 1
            assert (found.token, len(found.queries)) == (token, 2)
            first, second = (on(RUN, query) for query in found.queries)
            assert first - second
            assert second - first
            assert all(query[0] == token and len(set(query)) == 3 for query in found.queries), word
    assert known > 5


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_of_senses_has_a_new_one(seed):
    run = lettered(large_run(60, 500, seed))
    # Links that nearly always act make sure of a sense.
    sure = build_network(run.network.graph, 2.0 * run.network.weight, run.network.leak)
    run = replace(run, network=sure)
    counts = set()
    for token in range(0, 500, 2):
        found = examples_of(run, token, count=2)
        known: set[int] = set()
        for example in found:
            assert len(set(example.queries)) == len(set(example.topics)) == 2
            assert not known.issuperset(example.topics)
            known.update(example.topics)
        counts.add(len(found))
    assert counts == {0, 1, 2}


def test_a_word_of_one_topic_has_no_two_senses():
    for word in ("nasa", "hermit"):
        assert examples_of(RUN, RUN.vocabulary.index(word)) == []


@pytest.mark.parametrize("seed", range(3))
def test_topics_shown_as_one_are_one_sense_and_hidden_ones_none(seed):
    run = lettered(large_run(60, 500, seed))
    (example, *_) = (found for found in example_queries(run) if len(found.queries) == 2)
    token = example.token
    parents = run.network.graph.parents(run.network.graph.n_topics + token).tolist()
    assert examples_of(run, token)
    for other in (
        edited(run, merged=dict.fromkeys(parents[1:], parents[0])),
        edited(run, hidden=parents[1:]),
        # Part of a hidden topic.
        edited(run, hidden=parents[2:], merged={parents[1]: parents[2]}),
    ):
        assert examples_of(other, token) == []
        assert all(found.token != token for found in example_queries(other))


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_two_queries_that_show_a_topic_in_common_are_no_two_senses_of_it(seed):
    run = lettered(large_run(60, 500, seed))
    tried, heights = 0, run.network.graph.heights()
    for example in example_queries(run):
        senses = [on(run, query) for query in example.queries]
        if [len(topics) for topics in senses] != [1, 1]:
            continue
        (first,), (second,) = senses
        # A layer but for one topic as one: each is a little on in either query, together on.
        parts = set(np.flatnonzero(heights[:60] == heights[first]).tolist()) - {first, second}
        other = edited(run, merged=dict.fromkeys(parts, first))
        if first in shown_on(other, example.queries[1]):
            tried += 1
            assert example.queries not in queries_for(other, example.token)
        # The name of another topic still distinguishes it if that topic is off.
        renamed = edited(run, merged={first: min(parts)})
        stays = example.queries in queries_for(run, example.token)
        if stays and is_clear(renamed, example, (min(parts), second)):
            assert queries_for(renamed, example.token)
    assert tried


def queries_for(run, token):
    return [example.queries for example in examples_of(run, token)]


def is_clear(run, example, topics):
    """Whether each query switches one of two shown topics clearly on, the other clearly off."""
    for query, on_topic, off_topic in zip(example.queries, topics, topics[::-1], strict=True):
        shown = shown_probability(run, infer(run.network, Evidence(query, closed_world=False)))
        if shown[on_topic] < 0.7 or shown.get(off_topic, 0.0) > 0.3:
            return False
    return True


def shown_on(run, query):
    """Topics that the picture of a query shows as on."""
    shown = shown_probability(run, infer(run.network, Evidence(query, closed_world=False)))
    return {topic for topic, probability in shown.items() if probability > ON_THRESHOLD}


def test_companions_are_no_other_forms_of_the_word_or_of_each_other():
    vocabulary = ("drive", "drives", "disk", "disks", "car", "driver")
    assert _apart(vocabulary, 0, [1, 3, 2, 5, 4]) == (3, 4)


def test_phrases_and_abbreviations_are_no_examples():
    run = lettered(large_run(60, 500, 0))
    letters = run.vocabulary
    names = tuple(("a_phrase", "tv", letters[token])[token % 3] for token in range(500))
    examples = example_queries(replace(run, vocabulary=names))
    assert examples
    tokens = {token for example in examples for query in example.queries for token in query}
    assert {token % 3 for token in tokens} == {2}


@pytest.mark.parametrize("seed", range(6))
def test_examples_are_different_queries_of_any_model(seed):
    run = lettered(large_run(60, 500, seed))
    examples = example_queries(run)
    queries = [query for example in examples for query in example.queries]
    assert len(examples) == 3
    assert len(set(queries)) == len(queries)
    assert all(len(set(query)) == 3 for query in queries)
    for example in examples:
        if len(example.queries) == 2:
            first, second = (on(run, query) for query in example.queries)
            assert first - second
            assert second - first


def test_a_model_without_distinctive_words_has_no_examples():
    run = large_run(10, 40, 0)
    assert example_queries(replace(run, vocabulary=("a_b",) * 40)) == []


def test_finding_by_name_by_id_and_by_word():
    found = find_nodes(RUN, "program")
    keys = [finding.key for finding in found]
    assert "program" in RUN.topic_labels[7]
    assert keys[0] == "topic:T0007"
    assert {"word:program", "topic:T0005", "topic:T0010"} < set(keys)
    parents = [finding for finding in found if finding.key in ("topic:T0005", "topic:T0010")]
    assert all(finding.reason.startswith("program ") for finding in parents)
    assert [finding.key for finding in find_nodes(RUN, " t0003 ")] == ["topic:T0003"]
    assert find_nodes(RUN, "zebra") == []
    assert find_nodes(RUN, "  ") == []
    assert "word:cell phone" in {finding.key for finding in find_nodes(RUN, "cell phone")}


def test_text_stays_text_in_markdown_and_html():
    assert markdown_text("a*b_[x](y) $z$ :red[w] <b>") == (
        "a\\*b\\_\\[x\\]\\(y\\) \\$z\\$ \\:red\\[w\\] \\<b\\>"
    )
    assert html_text('<img src="x" onerror=1>') == "&lt;img src=&quot;x&quot; onerror=1&gt;"
