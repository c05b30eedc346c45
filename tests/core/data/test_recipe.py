"""The recipe: what counts as a word, and that it survives being stored."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.recipe import (
    ADDED,
    Recipe,
    check_recipe,
    matrix_recipe,
    recipe_from_dict,
    recipe_to_dict,
    split_words,
    tokenize,
)
from orrery.core.data.word_patterns import CHARACTER_PATTERN, TOKEN_PATTERN
from orrery.core.utils.errors import InputError

PLAIN = Recipe(stop_words=(), phrases=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The dog's bone", ["the", "dog", "bone"]),
        ("Don't panic, o'clock!", ["don't", "panic", "o'clock"]),
        ("real-time x-ray e-mail", ["real", "time", "x-ray", "e-mail"]),
        ("it\u2019s what we\u2019ve got", ["it", "what", "we've", "got"]),
        ("a b 1 22 3d 10th", []),
        ("mp3 and x11", ["mp3", "and", "x11"]),
        ("_under_ **star** (paren)", ["under", "star", "paren"]),
        ("na\u00efve nai\u0308ve", ["naïve", "naïve"]),
        ("\ufb01re co\u00adoperate", ["fire", "cooperate"]),
        ("Привет мир", ["привет", "мир"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("vis-à-vis", ["vis", "vis"]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert split_words(PLAIN, text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("机器学习很有趣。", ["机", "器", "学", "习", "很", "有", "趣"]),
        ("AI技术 and GPU的速度", ["ai", "技", "术", "and", "gpu", "的", "速", "度"]),
        ("東京タワーへ行きました", ["東", "京", "タワー", "へ", "行", "きました"]),
        ("don't, real-time x-ray of the dog's bone", ["don't", "real", "time", "x-ray", "of",
                                                      "the", "dog", "bone"]),
        ("𠮷野家", ["𠮷", "野", "家"]),
        ("人々は〇一", ["人", "々", "は", "〇", "一"]),
        ("3 a ―", []),
    ],
)  # fmt: skip
def test_signs_of_scripts_without_spaces(text: str, words: list[str]) -> None:
    assert split_words(replace(PLAIN, token_pattern=CHARACTER_PATTERN), text) == words


# There are no signs below this code point, and normalisation produces none.
@given(st.text(st.characters(max_codepoint=0x2DFF)))
def test_signs_change_nothing_where_there_are_none(text: str) -> None:
    assert split_words(replace(PLAIN, token_pattern=CHARACTER_PATTERN), text) == split_words(
        PLAIN, text
    )


def test_case_stays_on_request() -> None:
    recipe = Recipe(lowercase=False, stop_words=("the",), phrases=False)
    assert tokenize(recipe, "The NASA probe, the Moon") == ["NASA", "probe", "Moon"]


def test_phrases_are_joined_from_the_left_and_not_over_stop_words() -> None:
    recipe = Recipe(stop_words=("of",), phrase_list=("hot_dog", "dog_house", "bank_england"))
    assert tokenize(recipe, "Hot dog house, bank of England") == [
        "hot_dog",
        "house",
        "bank",
        "england",
    ]


def test_phrases_switched_off_are_not_joined() -> None:
    recipe = Recipe(phrases=False, phrase_list=("hot_dog",))
    assert tokenize(recipe, "hot dog") == ["hot", "dog"]


def test_matrix_recipe_splits_at_white_space_only() -> None:
    assert tokenize(matrix_recipe(), " C++  the\tGNU ") == ["C++", "the", "GNU"]


def test_a_pattern_with_a_group_gives_whole_matches() -> None:
    recipe = Recipe(token_pattern=r"(\w)\w+", stop_words=(), phrases=False)
    assert tokenize(recipe, "ab cde") == ["ab", "cde"]


@given(st.text(), st.booleans(), st.sampled_from([TOKEN_PATTERN, CHARACTER_PATTERN, r"(\w)(\w+)"]))
def test_a_query_and_a_corpus_are_split_into_the_same_words(
    text: str, lowercase: bool, pattern: str
) -> None:
    recipe = replace(PLAIN, lowercase=lowercase, token_pattern=pattern)
    assert tokenize(recipe, text) == split_words(recipe, text)
    assert tokenize(matrix_recipe(), text) == text.split()


@given(st.text())
def test_tokens_are_words_of_the_pattern_in_lower_case(text: str) -> None:
    recipe = Recipe(phrases=False)
    for token in tokenize(recipe, text):
        assert len(token) >= 2
        assert "_" not in token
        assert not re.search(r"\s", token)
        assert token not in recipe.stop_words


@given(
    st.builds(
        Recipe,
        lowercase=st.booleans(),
        stop_words=st.lists(st.text(max_size=5), max_size=4).map(tuple),
        phrases=st.booleans(),
        phrase_list=st.lists(st.text(max_size=5), max_size=4).map(tuple),
        min_df=st.one_of(st.integers(1, 9), st.floats(0, 0.2)),
        max_df=st.one_of(st.integers(10, 99), st.floats(0.3, 1)),
        max_vocabulary=st.integers(1, 10**6),
        matrix=st.booleans(),
        strip_headers=st.booleans(),
        strip_quotes=st.booleans(),
        text_columns=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    )
)
def test_stored_recipe_is_the_same_recipe(recipe: Recipe) -> None:
    stored = json.loads(json.dumps(recipe_to_dict(recipe)))
    again = recipe_from_dict(stored)
    assert again == recipe
    assert type(again.min_df) is type(recipe.min_df)
    assert type(again.max_df) is type(recipe.max_df)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"token_pattern": "("}, "not a regular expression"),
        ({"token_pattern": "a*"}, "matches the empty text"),
        ({"min_df": 0}, "min_df is 0"),
        ({"max_df": 1.5}, r"max_df is 1\.5"),
        ({"min_df": float("nan")}, "min_df is nan"),
        ({"min_df": 9, "max_df": 3}, "no word can satisfy both"),
        ({"max_vocabulary": 0}, "max_vocabulary is 0"),
    ],
)
def test_recipes_that_cannot_be_followed_are_refused(change: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_recipe(Recipe(**change))


def test_a_recipe_stored_before_there_was_more_to_state_still_loads() -> None:
    earlier = replace(PLAIN, fold=False, languages="", segmenter="", join_line_ends=False)
    stored = recipe_to_dict(earlier)
    assert not set(ADDED) & set(stored)
    assert recipe_from_dict(stored) == earlier
    named = replace(PLAIN, text_columns=("title", "abstract"))
    assert recipe_from_dict(json.loads(json.dumps(recipe_to_dict(named)))) == named


@pytest.mark.parametrize(
    "damage",
    [
        {"lowercase": 1},
        {"stop_words": "the"},
        {"phrase_list": [1]},
        {"token_pattern": None},
        {"max_df": "0.5"},
        {"max_vocabulary": True},
        {"text_columns": "title"},
        {"surplus": 1},
    ],
)
def test_damaged_recipes_are_refused(damage: dict) -> None:
    with pytest.raises(InputError, match=f"recipe is damaged at {next(iter(damage))}"):
        recipe_from_dict({**recipe_to_dict(PLAIN), **damage})
