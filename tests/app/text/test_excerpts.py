"""Marked texts: nothing but marks is added, and the weightiest piece is the one that is shown."""

from __future__ import annotations

import re
from random import Random
from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.text.safe_text import (
    ELLIPSIS,
    Part,
    excerpt,
    excerpt_html,
    wanted_terms,
    wanted_words,
)
from orrery.app.workspace.search_index import read_terms

WORDS = ["orbit", "solid_state", "star", "c++", "memory"]
WEIGHT = st.dictionaries(st.sampled_from(WORDS), st.floats(0.1, 5))


@given(st.text(max_size=300), WEIGHT)
def test_a_short_text_is_shown_whole(text, weight):
    assert "".join(part.text for part in excerpt(text, wanted_words(weight))) == " ".join(
        text.split()
    )


@given(st.lists(st.sampled_from([*WORDS, "and", "then", "was"]), min_size=90), WEIGHT)
def test_a_long_text_is_cut_between_words(parts, weight):
    text = " ".join(parts)
    shown = "".join(part.text for part in excerpt(text, wanted_words(weight), 120))
    piece = shown.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)
    assert len(piece) <= 120
    assert f" {piece.strip()} " in f" {text} "


def test_words_are_found_whole_in_any_case_and_phrases_over_any_gap():
    parts = excerpt("Orbital ORBIT, solid-state c++.", wanted_words(dict.fromkeys(WORDS, 1.0)))
    assert [(part.text, part.word) for part in parts if part.word] == [
        ("ORBIT", "orbit"),
        ("solid-state", "solid_state"),
        ("c++", "c++"),
    ]


def test_a_phrase_is_found_before_its_words():
    parts = excerpt("solid state, solid", wanted_words({"solid": 1.0, "solid_state": 1.0}))
    assert [part.word for part in parts if part.word] == ["solid_state", "solid"]


def test_the_piece_with_most_weight_is_shown():
    text = "star " + "and then " * 80 + "orbit memory " + "and then " * 80
    parts = excerpt(text, wanted_words({"star": 1.0, "orbit": 0.8, "memory": 0.8}))
    assert {part.word for part in parts} == {"", "orbit", "memory"}
    assert parts[0].text == ELLIPSIS


def test_what_the_window_has_left_behind_counts_no_more():
    text = "star orbit " + "and then " * 80 + "memory " + "and then " * 80
    parts = excerpt(text, wanted_words({"star": 1.0, "orbit": 1.0, "memory": 1.5}))
    assert {part.word for part in parts} == {"", "star", "orbit"}


def test_the_window_is_the_best_of_all_that_begin_at_a_word():
    random = Random(3)
    for _ in range(60):
        text = " ".join(random.choices([*WORDS, "and", "then", "was"], k=80))
        weight = {word: random.uniform(0.1, 5.0) for word in random.sample(WORDS, 3)}
        wanted = wanted_words(weight)
        shown = {part.word for part in excerpt(text, wanted, 120) if part.word}
        begins = [max(match.start() - 20, 0) for match in re.finditer(r"\S+", text)]
        cuts = [text[min(begin, len(text) - 120) :][:120] for begin in begins]
        best = max(sum(weight[w.name] for w in wanted if re.search(w.pattern, cut)) for cut in cuts)
        # Whole words at the ends of the window may take one that is cut in two.
        assert sum(weight[word] for word in shown) >= best - max(weight.values())


def test_words_of_a_search_are_marked_whole_and_in_any_case():
    def marked(text, typed):
        parts = excerpt(text, wanted_terms(read_terms(typed).present))
        return [part.text for part in parts if part.word]

    text = "A Star, stars & the new  York <b>star</b>"
    assert marked(text, 'star "new york" -a') == ["Star", "new York", "star"]
    assert marked("stars starry", "star*") == ["stars", "starry"]
    assert marked("stars starry", "") == []


@given(st.text(max_size=60), st.text(max_size=8))
def test_any_search_shows_a_short_text_whole(text, typed):
    parts = excerpt(text, wanted_terms(read_terms(typed).present))
    assert "".join(part.text for part in parts) == " ".join(text.split())


def test_without_a_search_it_is_the_beginning():
    text = " ".join(f"word{number}" for number in range(300))
    (part,) = excerpt(text, wanted_terms(()))
    assert part.text.startswith("word0 word1 ")
    assert part.text.endswith(ELLIPSIS)


def test_many_finds_take_no_longer_than_reading():
    text = "star and orbit " * 20_000
    begin = perf_counter()
    excerpt(text, wanted_words({"star": 1.0, "orbit": 0.5}))
    assert perf_counter() - begin < 10.0


def test_texts_never_become_markup():
    html = excerpt_html(
        excerpt("<b>star</b> & orbit", wanted_words({"star": 1.0})), frozenset({"star"})
    )
    assert re.sub(r"</?mark[^>]*>", "", html) == "&lt;b&gt;star&lt;/b&gt; &amp; orbit"
    assert '<mark class="typed">star</mark>' in html
    assert 'class="keyword"' in excerpt_html([Part("x", "x")], frozenset())


def test_signs_are_found_though_nothing_stands_between_them():
    parts = excerpt("我们今天去北京看天安门", wanted_words({"北_京": 1.0, "看": 0.5}))
    assert [(part.text, part.word) for part in parts if part.word] == [
        ("北京", "北_京"),
        ("看", "看"),
    ]


def test_a_long_text_without_spaces_is_cut_around_what_is_marked():
    parts = excerpt("字" * 400 + "北京" + "字" * 400, wanted_words({"北_京": 1.0}), 100)
    assert "北京" in [part.text for part in parts]
    assert 80 <= sum(len(part.text) for part in parts) <= 102
