"""Marked texts: nothing but marks is added, and the weightiest piece is the one that is shown."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.text.marked_text import ELLIPSIS, Span, marked_excerpt, marked_html

WORDS = ["orbit", "solid_state", "star", "c++", "memory"]
WEIGHT = st.dictionaries(st.sampled_from(WORDS), st.floats(0.1, 5))


@given(st.text(max_size=300), WEIGHT)
def test_a_short_text_is_shown_whole(text, weight):
    assert "".join(span.text for span in marked_excerpt(text, weight)) == " ".join(text.split())


@given(st.lists(st.sampled_from([*WORDS, "and", "then", "was"]), min_size=90), WEIGHT)
def test_a_long_text_is_cut_between_words(parts, weight):
    text = " ".join(parts)
    shown = "".join(span.text for span in marked_excerpt(text, weight, 120))
    piece = shown.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)
    assert len(piece) <= 120
    assert f" {piece.strip()} " in f" {text} "


def test_words_are_found_whole_in_any_case_and_phrases_over_any_gap():
    spans = marked_excerpt("Orbital ORBIT, solid-state c++.", dict.fromkeys(WORDS, 1.0))
    assert [(span.text, span.word) for span in spans if span.word] == [
        ("ORBIT", "orbit"),
        ("solid-state", "solid_state"),
        ("c++", "c++"),
    ]


def test_a_phrase_is_found_before_its_words():
    spans = marked_excerpt("solid state, solid", {"solid": 1.0, "solid_state": 1.0})
    assert [span.word for span in spans if span.word] == ["solid_state", "solid"]


def test_the_piece_with_most_weight_is_shown():
    text = "star " + "and then " * 80 + "orbit memory " + "and then " * 80
    spans = marked_excerpt(text, {"star": 1.0, "orbit": 0.8, "memory": 0.8})
    assert {span.word for span in spans} == {"", "orbit", "memory"}
    assert spans[0].text == ELLIPSIS


def test_texts_never_become_markup():
    html = marked_html(marked_excerpt("<b>star</b> & orbit", {"star": 1.0}), frozenset({"star"}))
    assert re.sub(r"</?mark[^>]*>", "", html) == "&lt;b&gt;star&lt;/b&gt; &amp; orbit"
    assert '<mark class="typed">star</mark>' in html
    assert 'class="told"' in marked_html([Span("x", "x")], frozenset())


def test_signs_are_found_though_nothing_stands_between_them():
    spans = marked_excerpt("我们今天去北京看天安门", {"北_京": 1.0, "看": 0.5})
    assert [(span.text, span.word) for span in spans if span.word] == [
        ("北京", "北_京"),
        ("看", "看"),
    ]


def test_a_long_text_without_spaces_is_cut_around_what_is_marked():
    spans = marked_excerpt("字" * 400 + "北京" + "字" * 400, {"北_京": 1.0}, 100)
    assert "北京" in [span.text for span in spans]
    assert 80 <= sum(len(span.text) for span in spans) <= 102
