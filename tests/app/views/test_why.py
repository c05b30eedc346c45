"""Why: the bars follow each other and add up; every reason is a plain sentence."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.views.query import strings
from orrery.app.views.query.reasons import (
    NO_WIDTH,
    ROWS,
    _waterfall,
    better_without,
    figures_html,
    label,
    main_reason,
    reasons,
    short_reasons,
    sort_reasons,
    waterfall,
    wrapped,
)
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.links import node_name
from orrery.core.drawing.question import read_question
from orrery.core.drawing.selection import topic_estimate
from orrery.core.drawing.strings import figures_of, percent
from orrery.core.inference.explanation import Message, Omission, explain
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Estimate
from orrery.core.inference.thresholds import (
    MAX_AGAINST,
    MAX_BARS,
    MAX_NAMED,
    MAX_TOPICS,
    MIN_LOG_ODDS,
)
from tests.app.toy import toy_run

RUN = toy_run()
LOG_ODDS = st.floats(-20, 20, allow_nan=False)
SOURCES = st.sampled_from(["parent", "child", "token", "absent"])


@st.composite
def messages(draw):
    """Chance and any number of other messages, some of them next to nothing."""
    found = [Message("leak", None, draw(LOG_ODDS))]
    for _ in range(draw(st.integers(0, 20))):
        log_odds = draw(LOG_ODDS | st.floats(-0.02, 0.02))
        found.append(Message(draw(SOURCES), draw(st.integers(0, 12)), log_odds))
    return found


@given(messages())
def test_bars_follow_each_other_from_nothing_to_the_sum_of_all_messages(found):
    table = reasons(RUN, found)
    total = math.fsum(message.log_odds for message in found)
    *bars, last = table.itertuples()
    assert bars[0].start == 0.0
    assert bars[0].label == explorer_strings.ITSELF
    assert all(before.end == after.start for before, after in itertools.pairwise(bars))
    assert last.kind == "sum"
    assert last.end == pytest.approx(total, abs=MIN_LOG_ODDS)
    assert bars[-1].end == last.end
    assert len(bars) <= MAX_BARS + 1
    assert all((bar.kind == "against") == (bar.log_odds < 0) for bar in bars)


def test_what_is_small_is_folded_and_counted():
    found = [Message("leak", None, -3.0)]
    found += [Message("token", token, 1.0 + token) for token in range(MAX_BARS + 3)]
    labels = reasons(RUN, found)["label"].to_list()
    assert strings.others(4) in labels
    assert strings.reason("token", RUN.vocabulary[0], True) not in labels


def explained(text, topic, closed_world=False):
    """Messages that a topic gets, and its probability."""
    question = read_question(RUN, text)
    posterior = infer(RUN.network, question.evidence(closed_world=closed_world))
    return explain(RUN.network, posterior, topic), topic_estimate(posterior)[topic]


def test_reasons_are_given_in_words():
    closed, _ = explained("nasa -launch", 5, closed_world=True)
    left_open, _ = explained("nasa -launch", 5)
    assert {
        explorer_strings.ITSELF,
        strings.reason("token", "nasa", True),
        strings.reason("absent", "launch", False),
        explorer_strings.ABSENT_WORDS,
    } <= set(reasons(RUN, closed)["label"])
    assert strings.reason("parent", RUN.topic_labels[0], True) in set(
        reasons(RUN, left_open)["label"]
    )


def test_what_no_reason_shows_alone_is_the_last_bar():
    found = [Message("leak", None, -3.0), Message("together", None, 0.5)]
    found += [Message("token", token, 1.0 + token) for token in range(MAX_BARS + 3)]
    labels = reasons(RUN, found)["label"].to_list()
    assert labels[-2] == strings.together(True)
    assert len(labels) <= MAX_BARS + 2


@given(messages(), st.floats(0, 1), st.floats(0, 0.05))
def test_the_sum_is_named_by_the_probability_that_is_shown_everywhere(found, value, error):
    known = Estimate(value, error)
    assert reasons(RUN, found, known)["label"].iat[-1] == strings.total(known)
    assert figures_of(known) in strings.total(known)


def sure(value):
    return Estimate(value, 0.0)


def test_the_sentence_names_words_first():
    sentence = main_reason(RUN, *explained("shuttle", 5), float(RUN.prior[5]))
    assert sentence.startswith("“shuttle” points to this topic")
    leak = Message("leak", None, -2.0)
    probability = 1 / (1 + math.e**2)
    assert main_reason(RUN, [leak], sure(probability), probability) == explorer_strings.RARE.format(
        rate=explorer_strings.RATE.format(share=percent(probability))
    )
    often = Message("leak", None, 2.0)
    assert "It is common" in main_reason(RUN, [often], sure(1 - probability), 1 - probability)
    pulled = [Message("leak", None, -1.0), Message("absent", None, -2.0)]
    assert explorer_strings.ABSENT_WORDS in main_reason(RUN, pulled, sure(0.05), 0.27)


def test_of_a_held_topic_the_sentence_states_what_it_was():
    level = [Message("leak", None, 0.0)]
    assert main_reason(RUN, level, sure(0.0), 0.5, "off") == "You switched it off."
    known = main_reason(RUN, level, sure(1.0), 0.5, "on", free=sure(0.25))
    assert known == "You switched it on. Before: 0.25."


def test_of_an_unsure_topic_both_sides_are_named():
    nasa = RUN.vocabulary.index("nasa")
    found = [Message("leak", None, -2.0), Message("token", nasa, 2.0)]
    shown_text = main_reason(RUN, found, sure(0.5), 0.12)
    assert "“nasa” points to this topic" in shown_text
    assert "it is rare" in shown_text
    found.append(Message("absent", None, -3.0))
    assert explorer_strings.ABSENT_WORDS in main_reason(RUN, found, sure(0.4), 0.12)


def test_words_that_overlap_are_one_bar():
    found = [Message("leak", None, -3.0)]
    found += [Message("token", token, 4.0 + token) for token in range(3)]
    found.append(Message("together", None, -9.0))
    *_, joint, total = short_reasons(RUN, found, 1 / (1 + math.exp(3)), sure(0.95)).itertuples()
    assert "taken together" in joint.label
    assert joint.log_odds == pytest.approx(6.0)
    assert total.end == pytest.approx(3.0)
    found[-1] = Message("together", None, 9.0)
    labels = short_reasons(RUN, found, 0.05)["label"].tolist()
    assert not any("taken together" in label for label in labels)
    assert labels[-2] == strings.together(True)


@pytest.mark.parametrize("value", [0.95, 0.4, 0.1])
def test_a_word_without_which_it_would_be_more_probable_is_no_reason_for_it(value):
    found = [Message("leak", None, -3.0), *(Message("token", n, 4.0 - n) for n in range(2))]
    names = [node_name(RUN, RUN.network.graph.n_topics + token) for token in range(2)]
    first, second = (f"“{name}”" for name in names)
    prior = 1 / (1 + math.exp(3))
    for elsewhere, other, named in (({1}, second, first), ({0}, first, second)):
        said = main_reason(RUN, found, sure(value), prior, elsewhere=frozenset(elsewhere))
        assert said.startswith(f"{named} points to this topic")
        assert explorer_strings.WORDS_ELSEWHERE[0].format(names=other) in said
    both = main_reason(RUN, found, sure(value), prior, elsewhere=frozenset({0, 1}))
    assert both == explorer_strings.WORDS_ELSEWHERE[1].format(names=f"{first} and {second}")
    omissions = [
        Omission("present", 0, sure(value + 0.04)),
        Omission("present", 1, sure(value + 0.0001)),
        Omission("absent", 2, sure(value + 0.04)),
        Omission("present", 3, sure(value - 0.04)),
    ]
    assert better_without(omissions, sure(value)) == {0}


@given(messages(), st.floats(-20, 20), st.booleans(), st.floats(0, 1), st.data())
def test_a_word_that_fits_other_topics_better_has_no_bar_of_its_own(
    found, together, is_dependent, prior, data
):
    found = list({(one.source, one.node): one for one in found}.values())
    if is_dependent:
        found = [*found, Message("together", None, together)]
    words = sort_reasons(found, prior).words
    tokens = [message.node for message in words]
    elsewhere = frozenset(data.draw(st.sets(st.sampled_from(tokens)))) if tokens else frozenset()
    *bars, last = short_reasons(RUN, found, prior, elsewhere=elsewhere).itertuples()
    total = math.fsum(message.log_odds for message in found)
    assert last.end == pytest.approx(total, abs=MIN_LOG_ODDS)
    if len(words) > 1 and elsewhere:
        alone = {label(RUN, message) for message in words if message.node in elsewhere}
        assert not alone & {bar.label for bar in bars}


@given(messages(), st.floats(-20, 20), st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_the_short_bars_add_up_and_no_sentence_contradicts_a_bar(
    found, together, is_joint, probability, prior
):
    found = list({(one.source, one.node): one for one in found}.values())
    if is_joint:
        found = [*found, Message("together", None, together)]
    table = short_reasons(RUN, found, prior, sure(probability))
    total = math.fsum(message.log_odds for message in found)
    *bars, last = table.itertuples()
    assert all(before.end == after.start for before, after in itertools.pairwise(bars))
    assert last.end == pytest.approx(total, abs=MIN_LOG_ODDS)
    assert len(bars) <= 1 + MAX_NAMED + MAX_TOPICS + MAX_AGAINST + 2
    sentence = main_reason(RUN, found, sure(probability), prior)
    assert 1 <= sentence.count(". ") + 1 <= 2
    by_label = {bar.label: bar.log_odds for bar in bars}
    if "to this topic" in sentence:
        words = sort_reasons(found, prior).words
        first = label(RUN, words[0])
        joined = (f"{first}, ", f"{first} and ", f"{first}: ")
        shown = [v for name, v in by_label.items() if name == first or name.startswith(joined)]
        assert min(shown) > 0.0
    against = sort_reasons(found, prior).against
    if "Against it" in sentence:
        assert against[0].log_odds < 0.0
        assert label(RUN, against[0]) in by_label


def test_the_bar_before_any_word_is_the_prior_and_what_remains_counts_circular_parents():
    found = [Message("leak", None, -6.0), Message("parent", 0, 4.0, itself=0.1)]
    found.append(Message("token", 0, 3.0))
    first, _, rest, total = short_reasons(RUN, found, 0.01, sure(0.7)).itertuples()
    assert first.log_odds == pytest.approx(math.log(0.01 / 0.99))
    assert rest.label == strings.others(1)
    assert total.end == pytest.approx(1.0)
    assert percent(0.01) in main_reason(RUN, found, sure(0.4), 0.01)


def test_all_figures_are_a_table_of_plain_text():
    table = reasons(RUN, explained("nasa program star", 5)[0])
    html = figures_html(table)
    assert html.count("<tr>") == len(table) + 1
    assert "<script" not in figures_html(_waterfall([("<script>", 1.0)]))


def test_names_cannot_become_part_of_the_charts_script():
    hostile = [("'];alert(1)//\\", 1.0), ("\N{MUSICAL SYMBOL G CLEF}", 1.0)]
    chart = waterfall(_waterfall(hostile), "green-red")
    (rows,) = chart.pop("datasets").values()
    assert "alert" not in json.dumps(chart)
    assert rows["place"].str.rstrip(NO_WIDTH).to_list() == rows["label"].to_list()


def test_a_long_label_is_on_two_lines():
    long = "“swollen tonsils”, “sore throat”, “fever” and 2 more, taken together"
    assert wrapped(long).replace("\n", " ") == long
    assert wrapped(long).count("\n") == 1
    assert wrapped("short") == "short"
    assert wrapped("word " * 40).endswith("…")


def test_topics_differ_in_their_rows_alone():
    few, many = (waterfall(_waterfall([("a", 1.0)] * n), "green-red") for n in (1, 7))
    assert len(few.pop("datasets")[ROWS]) < len(many.pop("datasets")[ROWS])
    assert few == many


def test_the_keys_of_bars_are_unique_and_read_as_their_labels():
    chart = waterfall(_waterfall([("z", 1.0), *[("a", 1.0)] * 10]), "green-red")
    (rows,) = chart.pop("datasets").values()
    assert rows["place"].is_unique
    assert not any(letter.isdigit() for letter in "".join(rows["place"][:-1]))
    # The axis has the order of the rows, also where a browser keeps some rows of another topic.
    axes = [layer["encoding"]["y"] for layer in chart["layer"] if "y" in layer["encoding"]]
    assert all(axis["sort"] == {"field": "order", "op": "min"} for axis in axes)
    assert rows["order"].to_list() == list(range(len(rows)))
    # Each bar begins where the one above it ends; the sum begins at 0.
    assert rows["start"].to_list() == [0.0, *rows["end"][:-2], 0.0]


@pytest.mark.parametrize("palette", ["green-red", "blue-orange"])
def test_the_chart_has_a_bar_for_every_reason(palette):
    table = reasons(RUN, explained("nasa program star", 5)[0])
    chart = waterfall(table, palette)
    (rows,) = chart["datasets"].values()
    assert rows["label"].to_list() == table["label"].to_list()
    assert {"name": ROWS} in [layer.get("data", chart.get("data")) for layer in chart["layer"]]


def test_the_axes_of_a_chart_fit_its_own_bars_and_no_others():
    for size in (9.0, 1.0):
        (rows,) = waterfall(_waterfall([("a", size), ("b", size)]), "green-red")[
            "datasets"
        ].values()
        assert rows["low"].max() <= 0.0 < 2 * size < rows["high"].min() < 4 * size
