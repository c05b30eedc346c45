"""Query page: explanations, the next question, and the figures that an answer depends on."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from orrery.app.shared.answers import most_probable_of, questions_of, sensitivity_of
from orrery.app.views.query import strings
from orrery.app.views.query.next_question import open_topics
from orrery.app.views.query.taken_together import ShownState, all_are_improbable, shown_states
from orrery.app.views.query.tornado import chart, table
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.question import read_typed
from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.inference.sensitivity import sensitivity
from tests.app.pages import open_page
from tests.app.toy import edited, toy_run

RUN = toy_run()


def page():
    from orrery.app.shared.answers import ask
    from orrery.app.views.query import next_question, taken_together
    from orrery.core.drawing.question import read_typed
    from tests.app.toy import toy_run

    run = toy_run()
    import streamlit as st

    answer = ask(run, read_typed(run, st.query_params["q"]), {})
    taken_together.show(run, answer)
    next_question.show(run, answer)


opened = partial(open_page, page)


def test_an_answer_to_a_question_becomes_a_word_of_the_query():
    app = opened(q="program")
    found = questions_of(RUN.network, infer(RUN.network, evidence("program")).evidence, 1)
    word = RUN.vocabulary[found.questions[0].node]
    for state, written in (("present", f"program {word}"), ("absent", f"program -{word}")):
        app = opened(q="program")
        app.button(key=f"next-{state}-{word}").click().run()
        assert app.query_params["q"] in (written, [written])


def test_a_skipped_word_is_not_asked_for_again():
    found = questions_of(RUN.network, evidence("program"), 1)
    word = RUN.vocabulary[found.questions[0].node]
    question = read_typed(RUN, "program")
    again = questions_of(RUN.network, evidence(question.with_word(RUN, word, "unknown")), 100)
    assert found.questions[0].node not in [one.node for one in again.questions]


def evidence(text):
    return read_typed(RUN, text).evidence(closed_world=False)


def test_the_states_that_are_shown_have_the_probabilities_of_their_states():
    found = most_probable_of(RUN.network, evidence("program"))
    lines = shown_states(RUN, found)
    assert sum(line.share for line in lines) == pytest.approx(found.probability.sum())
    assert len({line.on for line in lines}) == len(lines)
    assert not any(line.is_bound for line in lines)


@pytest.mark.parametrize("text", ["program", "program gene", "music program"])
def test_joined_states_are_sorted_and_lower_bounds(text):
    posterior = infer(RUN.network, evidence(text))
    topics = posterior.local.topics.tolist()
    ranked = sorted(topics, key=lambda topic: -posterior.probability[topics.index(topic)])
    run = edited(RUN, hidden=ranked[1:2], merged={ranked[2]: ranked[0]})
    lines = shown_states(run, most_probable_of(run.network, posterior.evidence))
    every = shown_states(run, most_probable(run.network, posterior, 2 ** len(topics)))
    true = {line.on: line.share for line in every}
    assert not any(line.is_bound for line in every)
    assert [line.share for line in lines] == sorted((line.share for line in lines), reverse=True)
    for line in lines:
        assert not line.on & {ranked[1], ranked[2]}
        assert line.share <= true[line.on] + 1e-9
        assert line.is_bound or line.share == pytest.approx(true[line.on], abs=0.005)


def test_neither_part_is_shown_without_topics():
    assert not opened(q="?program").markdown
    assert "no other topic of these words" in strings.most_probable(
        ["a"], "0.9", closed_world=False
    )
    assert "nothing else" in strings.most_probable(["a"], "0.9", closed_world=True)


@pytest.mark.parametrize("is_unlikely", [False, True])
@pytest.mark.parametrize("names", [[], ["a"]])
def test_the_best_of_improbable_combinations_is_not_said_to_be_likely(names, is_unlikely):
    said = strings.most_probable(names, "0.14", closed_world=True, is_unlikely=is_unlikely)
    assert said.startswith("Of all combinations, the most probable one (0.14) is ")
    assert ("It is more probable, though, that another one is true" in said) == is_unlikely


@pytest.mark.parametrize("is_unlikely", [False, True])
def test_a_combination_of_one_half_is_as_probable_as_all_others(is_unlikely):
    said = strings.most_probable(["a"], "0.50", closed_world=True, is_unlikely=is_unlikely)
    assert said.endswith("It is about as probable that another one is true.")


def test_lines_without_digits_are_left_out():
    def figures(word):
        found = most_probable_of(RUN.network, evidence(word))
        return [line.share for line in shown_states(RUN, found)]

    text = next(word for word in RUN.vocabulary if min(figures(word)) < 0.01 < max(figures(word)))
    assert not any("- <0.01" in each.value for each in opened(q=text).markdown)


@pytest.mark.parametrize(
    ("more", "fewer", "text"),
    [
        (["a"], [], "with “a”"),
        ([], ["a", "b"], "without “a” and “b”"),
        (["a"], ["b"], "“a” instead of “b”"),
    ],
)
def test_the_change_of_a_state_is_named(more, fewer, text):
    assert strings.change(more, fewer) == text


@pytest.mark.parametrize(
    ("share", "is_bound", "is_improbable"),
    [(0.09, False, True), (0.1, False, False), (0.009, True, False)],
)
def test_states_that_are_all_improbable_are_not_listed(share, is_bound, is_improbable):
    lines = [ShownState(frozenset({0}), share, is_bound), ShownState(frozenset(), 0.001, False)]
    assert all_are_improbable(lines) == is_improbable


def test_a_state_that_may_be_missed_is_named():
    assert strings.no_best_state(0.09) == explorer_strings.NO_BEST_STATE
    assert strings.no_best_state(0.14).endswith("of up to 0.14.")


def test_a_held_or_hidden_topic_does_not_end_the_questions():
    free = infer(RUN.network, evidence("program"))
    first, second = free.local.topics[free.probability.argsort()[::-1][:2]].tolist()
    held = infer(RUN.network, replace(evidence("program"), on=(first,)))
    assert held.position(first) >= 0
    assert first not in open_topics(RUN, held)
    assert second in open_topics(RUN, held)
    assert second not in open_topics(edited(RUN, hidden=[second]), held)


@pytest.mark.parametrize(
    ("times", "words"),
    [(None, "query."), (20.0, "20 times as many"), (0.1, "10 times fewer"), (1.1, "about as")],
)
def test_the_probability_of_the_query_is_a_sentence(times, words):
    assert "1 of 120 texts" in strings.how_often(1.0 / 120.0, times)
    assert words in strings.how_often(1.0 / 120.0, times)


def test_the_tornado_chart_has_a_bar_for_each_figure():
    posterior = infer(RUN.network, evidence("program"))
    topic = int(posterior.local.topics[posterior.probability.argmax()])
    rows = table(RUN, sensitivity(RUN.network, posterior, topic))
    width = (rows["doubled"] - rows["halved"]).abs()
    assert width.is_monotonic_decreasing
    rows["name"] = "one name for all"
    drawn = chart(rows, 0.5, "green-red", "Probability").to_dict()
    assert drawn["mark"]["type"] == "bar"
    (data,) = drawn["datasets"].values()
    bars = {(each["row"], each["kind"]): each["end"] for each in data}
    assert len(bars) == len(data) == 2 * len(rows)
    assert [bars[row, strings.HALVED] for row in rows.index] == rows["halved"].tolist()
    assert drawn["encoding"]["y"]["field"] == "row"
    assert (
        json.loads(drawn["encoding"]["y"]["axis"]["labelExpr"].removesuffix("[datum.value]"))
        == rows["name"].tolist()
    )


def test_the_sensitivity_is_computed_once():
    topic = int(infer(RUN.network, evidence("program")).local.topics[0])
    first = sensitivity_of(RUN.network, evidence("program"), topic)
    assert sensitivity_of(RUN.network, evidence("program"), topic) is first
