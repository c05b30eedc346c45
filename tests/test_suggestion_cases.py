"""Suggestions for unknown words are the same in Python and in the offline explorer.

``suggestion_cases.json`` has the cases; ``javascript/suggestion-cases.test.js`` reads them too.
"""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data import suggestions, word_vectors
from orrery.core.data.clauses import INNER
from orrery.core.data.query import longest_phrase, parse_query
from orrery.core.data.recipe import matrix_recipe
from orrery.core.data.suggestions import complete, suggest, suggest_for, with_word
from orrery.core.data.term_suggestions import near_terms
from tests.conftest import ROOT

TABLE = json.loads((ROOT / "tests/suggestion_cases.json").read_text("utf-8"))
LETTERS = st.text("abcde", min_size=5, max_size=12)


def model_of(words: list[str]) -> Any:
    return SimpleNamespace(vocabulary=tuple(words))


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "nearest", lambda vocabulary, word, count: [])


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["word"])
def test_suggestions_follow_the_table(case: dict[str, Any]) -> None:
    words = TABLE["vocabularies"][case["vocabulary"]]
    found = suggest(model_of(words), case["word"])
    assert [[near.word, near.why] for near in found] == case["near"]
    assert all(words[near.token].replace("_", " ") == near.word for near in found)


def test_the_script_completes_with_the_same_words_within_terms() -> None:
    script = (ROOT / "assets/shared/suggest.js").read_text("utf-8")
    (words,) = re.findall(r'const INNER = new Set\("([a-z ]+)"', script)
    assert set(words.split()) == INNER


@pytest.mark.parametrize("case", TABLE["texts"], ids=lambda case: case["text"])
def test_neighbours_that_misspell_a_phrase_are_one_entry(case: dict[str, Any]) -> None:
    model = model_of(TABLE["vocabularies"][case["vocabulary"]])
    found = suggest_for(model, case["text"], case["unknown"])
    assert {near.word: [known.word for known in near.known] for near in found} == case["near"]


@pytest.mark.parametrize("case", TABLE["term_texts"], ids=lambda case: case["text"])
def test_terms_near_a_query_follow_the_table(case: dict[str, Any]) -> None:
    words = TABLE["terms"]
    number = {word: token for token, word in enumerate(words)}
    recipe = matrix_recipe()
    model = SimpleNamespace(
        vocabulary=tuple(words),
        recipe=recipe,
        token_number=number,
        longest_phrase=longest_phrase(words),
        parse=lambda text: parse_query(recipe, number, text),
    )
    found = near_terms(model, case["text"])
    assert {near.word: [known.word for known in near.known] for near in found} == case["near"]


@pytest.mark.parametrize("word", ["never", "Never", "don't", "don’t"])
def test_a_word_that_denies_is_no_misspelling(word: str) -> None:
    model = model_of(["fever", "donut", "do not"])
    assert suggest(model, "never")
    assert suggest_for(model, f"{word} cough", [word]) == []


@pytest.mark.parametrize("case", TABLE["replacements"], ids=lambda case: case["text"])
def test_a_suggestion_is_put_in_place_of_the_word(case: dict[str, Any]) -> None:
    assert with_word(case["text"], case["unknown"], case["known"]) == case["result"]


@pytest.mark.parametrize("case", TABLE["completions"], ids=lambda case: case["typed"])
def test_completions_follow_the_table(case: dict[str, Any]) -> None:
    model = model_of(TABLE["vocabularies"][case["vocabulary"]])
    assert [near.word for near in complete(model, case["typed"])] == case["words"]


@given(LETTERS, st.data())
def test_one_wrong_letter_leads_to_the_word(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(word) - 1))
    wrong = data.draw(
        st.sampled_from(
            [
                word[:place] + word[place + 1 :],
                word[:place] + "z" + word[place:],
                word[:place] + "z" + word[place + 1 :],
                word[:place] + word[place : place + 2][::-1] + word[place + 2 :],
            ]
        )
    )
    assert [near.word for near in suggest(model_of(["zzzzz", word]), wrong)] == [word]


@given(LETTERS, LETTERS)
def test_the_filter_by_letters_leaves_out_no_word(word: str, known: str) -> None:
    distance = suggestions.edits(word, known)
    assert distance == suggestions.edits(known, word)
    is_near = distance <= (1.0 - suggestions.MIN_SIMILARITY) * max(len(word), len(known)) + 1e-9
    assert suggestions._index((known,)).share_letters(word)[0] or not is_near


# Words and phrases of few letters, so that many are near each other.
FEW = st.text(alphabet="abct", min_size=1, max_size=9)
PHRASES = st.lists(FEW, min_size=1, max_size=3).map(" ".join)
VOCABULARIES = st.lists(PHRASES, min_size=1, max_size=25, unique=True)


@settings(deadline=None)
@given(VOCABULARIES, st.data())
def test_the_index_gives_the_answers_of_a_comparison_with_all_words(
    vocabulary: list[str], data: st.DataObject
) -> None:
    parts = sorted({part for text in vocabulary for part in text.split(" ")})
    words = data.draw(st.lists(FEW | st.sampled_from(parts), min_size=1, max_size=4))
    model, text = model_of(vocabulary), " ".join(words)
    with pytest.MonkeyPatch.context() as patched:
        found = suggestions.suggest_for(model, text, words), suggest(model, text)
        size = len(vocabulary)
        patched.setattr(suggestions._Index, "may_be_near", lambda *_: range(size))
        patched.setattr(suggestions._Index, "may_have_part", lambda *_: range(size))
        patched.setattr(
            suggestions._Index,
            "share_letters",
            lambda _, word, tokens=None: np.ones(size if tokens is None else len(tokens), bool),
        )
        plain = suggestions.suggest_for(model, text, words), suggest(model, text)
    assert found == plain


@pytest.mark.parametrize("word", ["zebra", "Paris", "xqzzz"])
def test_one_word_is_found_where_all_are(word: str) -> None:
    folder = word_vectors._folder()
    if folder is None:
        pytest.skip("the vectors are not installed")
    assert word_vectors._place(folder, word) == word_vectors._places(folder, (word,))


def test_words_of_a_similar_meaning_follow_clear_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(["doctor", "physicians", "physics", "nurse"])
    monkeypatch.setattr(word_vectors, "nearest", lambda vocabulary, word, count: [0, 3])
    found = suggest(model, "physician")
    assert [(near.word, near.why) for near in found] == [
        ("physicians", "form"), ("doctor", "meaning"), ("nurse", "meaning"), ("physics", "form"),
    ]  # fmt: skip
