"""Leaving out: the list shows the answer without each piece, and nothing is markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.answers import bare_posterior_of
from orrery.app.views.query.reasons import (
    COLOURS,
    Without,
    screened_sentences,
    without_each,
    without_html,
)
from orrery.core.drawing.question import read_question
from orrery.core.drawing.selection import topic_estimate
from orrery.core.inference.explanation import leave_one_out
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Estimate
from orrery.core.inference.screening import Screened
from tests.app.toy import toy_run

RUN = toy_run()
SHARES = st.floats(0, 1)


def test_each_piece_is_named_as_it_was_given_with_what_the_model_answers_without_it():
    question = read_question(RUN, "nasa program -memory")
    posterior = infer(RUN.network, question.evidence(closed_world=False, clamped={10: "off"}))
    found = leave_one_out(RUN.network, posterior, 5, bare_posterior_of)
    rows = {row.name: row for row in without_each(RUN, found)}
    held = f"{RUN.topic_labels[10]} (switched off)"
    assert set(rows) == {"nasa", "program", "memory (absent)", held}
    assert [name for name, row in rows.items() if not row.is_word] == [held]
    for text, name in (("program -memory", "nasa"), ("nasa program", "memory (absent)")):
        evidence = read_question(RUN, text).evidence(closed_world=False, clamped={10: "off"})
        expected = topic_estimate(infer(RUN.network, evidence))[5]
        assert rows[name].known.value == pytest.approx(expected.value, abs=0.01)


@given(SHARES, SHARES)
def test_bars_lead_from_now_to_then_and_their_colour_states_what_the_word_does(now, then):
    html = without_html([Without("a", Estimate(then, 0.0), True)], Estimate(now, 0.0), "green-red")
    left, width = (float(re.search(rf"{key}:([\d.]+)%", html)[1]) for key in ("left", "width"))
    assert left == pytest.approx(100 * min(now, then), abs=0.1)
    assert width == pytest.approx(100 * abs(now - then), abs=0.1)
    speaks_for, against, _ = COLOURS["green-red"]
    assert (speaks_for if then < now else against) in html


def test_names_are_no_markup():
    html = without_html(
        [Without("<b>&", Estimate(0.5, 0.0), True)], Estimate(0.5, 0.0), "green-red"
    )
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;" in html


def test_evidence_that_adds_nothing_is_named_with_what_screens_it_off():
    words = {word: token for token, word in enumerate(RUN.vocabulary)}
    topic, other = RUN.topic_labels[5], RUN.topic_labels[10]
    few, many = Estimate(0.03, 0.0), Estimate(0.95, 0.0)
    screened = [
        Screened("present", words["nasa"], (("on", 10), ("absent", words["memory"]))),
        Screened("absent", words["memory"], ()),
        Screened("present", words["program"], (), few, many),
    ]
    assert screened_sentences(RUN, 5, screened) == [
        f"With “{other} (switched on)” and “memory (absent)” known, “nasa” adds nothing about "
        f"“{topic}”.",
        f"“memory (absent)” has no connection with “{topic}” and adds nothing about it.",
        f"Given the rest of the query, “program” adds almost nothing about “{topic}”; alone, it "
        "would change its probability from 0.03 to 0.95.",
    ]
