"""Languages recognised by their common words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.languages import adapted, languages_of, word_guesses
from orrery.core.data.recipe import Recipe, recipe_from_dict, recipe_to_dict, split_words
from orrery.core.data.segments import can_segment, languages_without_blanks
from orrery.core.data.stop_words import LANGUAGES
from orrery.core.data.word_patterns import CHARACTER_PATTERN
from orrery.core.utils.errors import InputError
from tests.conftest import ROOT

CASES = json.loads((ROOT / "tests/word_cases.json").read_text("utf-8"))
SENTENCES = {name: CASES["sentences"][name] for name in LANGUAGES}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_shows_its_language(language: str) -> None:
    assert languages_of([SENTENCES[language]] * 3) == (language,)


def test_two_languages_are_both_found_the_more_frequent_first() -> None:
    texts = [SENTENCES["german"]] * 20 + [SENTENCES["english"]] * 30 + [SENTENCES["dutch"]] * 2
    assert languages_of(texts) == ("english", "german")


@pytest.mark.parametrize(
    "texts", [[], [""], ["moon"], ["moon " * 50] * 10, ["www zyzzyva quux xyzzy"], ["12 34 56"]]
)
def test_texts_without_common_words_are_in_no_language(texts: list[str]) -> None:
    assert languages_of(texts) == ()


def test_of_many_texts_some_are_looked_at_evenly() -> None:
    texts = [SENTENCES["german"]] * 5_000 + [SENTENCES["french"]] * 5_000
    assert set(languages_of(texts)) == {"german", "french"}


PLAIN = Recipe(stop_words=(), phrases=False)


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("IĞDIR ISPARTA IŞIK kırmızı ıspanak", "turkish"),
        (CASES["sentences"]["azerbaijani"], "azerbaijani"),
        (SENTENCES["french"], "french"),
        (SENTENCES["english"], "english"),
        ("star orbit", ""),
    ],
)
def test_an_import_stores_the_languages_whose_rules_apply(text: str, languages: str) -> None:
    assert adapted(PLAIN, [text] * 3).languages == languages
    # Given values are not changed.
    assert adapted(replace(PLAIN, languages="german"), [text] * 3).languages == "german"


def test_a_few_turkish_texts_do_not_change_the_capitals_of_english() -> None:
    texts = [SENTENCES["english"]] * 8 + [SENTENCES["turkish"]] * 2
    recipe = adapted(PLAIN, texts)
    assert recipe.languages.startswith("english")
    assert split_words(recipe, "It IS") == ["it", "is"]


# Without letters that a language may change or leave out.
WORDS = st.text(st.sampled_from("abekmorst"), min_size=4, max_size=9)


@given(WORDS, WORDS, st.sampled_from(["-\n", "-\r\n", "- \n  ", "\u00ad\n", "\u2010\n"]))
def test_a_word_divided_at_a_line_end_is_joined_if_it_occurs(
    first: str, second: str, line_end: str
) -> None:
    texts = [f"zz {first}{line_end}{second} zz", f"zz {first}{second} zz"]
    recipe = adapted(PLAIN, texts)
    assert recipe.line_ends == (f"{first}-{second}",)
    assert split_words(recipe, texts[0]) == split_words(recipe, texts[1])
    assert "joined" in word_guesses(recipe, texts)[0].value
    stored = recipe_from_dict(recipe_to_dict(recipe))
    assert split_words(stored, texts[0]) == split_words(recipe, texts[1])
    for other in (texts[:1], [texts[0], f"{first} {second}"], [*texts, *[f"{first}-{second}"] * 2]):
        assert adapted(PLAIN, other).line_ends == ()
    assert adapted(replace(PLAIN, join_line_ends=False), texts).line_ends == ()


def test_a_hyphen_within_a_line_divides_as_before() -> None:
    recipe = adapted(PLAIN, ["toma-\ntoes tomatoes"])
    assert split_words(recipe, "toma-toes toma- toes toma-\n\ntoes") == ["toma", "toes"] * 3


UNSPACED = {
    "Thai": "หนังสือบทกวีเล่มฉบับหนังสือห้องสมุดผู้เขียน",
    "Lao": "ຂ້ອຍຮັກພາສາລາວແລະອ່ານປຶ້ມຢູ່ຫ້ອງສະໝຸດ",
    "Khmer": "ខ្ញុំស្រឡាញ់ភាសាខ្មែរហើយអានសៀវភៅនៅបណ្ណាល័យ",
    "Burmese": "ကျွန်တော်မြန်မာစာဖတ်တယ်စာကြည့်တိုက်မှာ",
    "Chinese": "我们在图书馆学习机器学习和诗歌",
    "Japanese": "私たちは図書館で機械学習を勉強しています",
}


@pytest.mark.parametrize("language", UNSPACED)
def test_languages_without_blanks_are_recognised(language: str) -> None:
    assert languages_without_blanks([UNSPACED[language]] * 5) == (language,)


@pytest.mark.parametrize("language", sorted(CASES["sentences"]))
def test_languages_with_blanks_are_not_divided(language: str) -> None:
    assert languages_without_blanks([CASES["sentences"][language]] * 5) == ()


@pytest.mark.parametrize("language", UNSPACED)
def test_a_missing_segmenter_is_reported_in_one_sentence(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.core.data.languages.can_segment", lambda: False)
    texts = [UNSPACED[language]] * 3
    recipe = adapted(PLAIN, texts)
    assert recipe.segments == ()
    note = word_guesses(recipe, texts)[0].value
    assert note.startswith(f"not divided: {language} has no blanks between words")
    assert "orrery[segmentation]" in note
    assert ("--tokens characters" in note) == (language in ("Chinese", "Japanese"))
    with pytest.raises(InputError, match=r"needs the package icu4py; install it with: .*"):
        adapted(replace(PLAIN, segmenter="icu"), texts)


@pytest.mark.skipif(not can_segment(), reason="needs icu4py")
@pytest.mark.parametrize("language", UNSPACED)
def test_a_segmenter_divides_texts_and_a_query_needs_none(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [UNSPACED[language]] * 3
    recipe = recipe_from_dict(recipe_to_dict(adapted(PLAIN, texts)))
    assert "icu" in word_guesses(recipe, texts)[0].value
    monkeypatch.setitem(__import__("sys").modules, "icu4py", None)
    words = split_words(recipe, texts[0])
    assert len(words) >= 4
    assert set(words) <= set(recipe.segments)
    for choice in ({"segmenter": "none"}, {"token_pattern": CHARACTER_PATTERN}):
        assert adapted(replace(PLAIN, **choice), texts).segments == ()
