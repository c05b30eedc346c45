"""No pattern of words that is followed takes longer than the text is long, by much."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.recipe import Recipe, recipe_from_dict, recipe_to_dict, split_words
from orrery.core.data.word_patterns import EARLIER_PATTERNS, PATTERNS, check_pattern
from orrery.core.utils.errors import InputError
from tests.opening import in_time

PIECES = [
    "a",
    ".",
    r"\w",
    "[ab]",
    "(",
    ")",
    "|",
    "*",
    "+",
    "?",
    "{2,}",
    "{9}",
    "$",
    r"\b",
    "(?!",
    "(?=",
]
# Each makes some pattern look back from every place to the end, or choose anew at every sign.
TEXTS = ["a" * 20_000, "ab" * 10_000, "a" * 20_000 + "!", " " * 20_000]


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(a+)+$", r"(a|a)*b", r"a*a*a*b", r"\w+\d+x", r"(?=(\w+)+x)\w", r"(\w)\1+!", "a+b"),
        *("(a|a)" * 30 + "b", "a?" * 40 + "a" * 40, r"[\w-]+\b", r"\w+?x", "(?:ab)+", "x{1,9}y"),
        # From every place to the end of what is not long enough.
        *(r"\w{20000,}", r"a|\w{20000}", r"\w" * 20_000),
    ],
)
def test_a_pattern_that_may_take_for_ever_is_refused(pattern):
    stored = recipe_to_dict(Recipe(phrases=False)) | {"token_pattern": pattern}
    with pytest.raises(InputError, match="could take extremely long"):
        recipe_from_dict(stored)


@pytest.mark.parametrize("pattern", ["(", "[", "(" * 100_000, "a{99999999999999999999}", "(?P<a"])
def test_what_is_no_pattern_is_named(pattern):
    with pytest.raises(InputError, match="not a regular expression"):
        check_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *(*PATTERNS.values(), *EARLIER_PATTERNS.values(), r"(?u)\b\w\w+\b", r"\S+", r"[\w,]+"),
        *(r"(\w)\w+", "[a-z]{3,}", "ab|[cd]+", r"#?\w+", r"-?\$?\d+"),
    ],
)
def test_patterns_in_use_are_followed_in_time(pattern):
    recipe = recipe_from_dict(recipe_to_dict(Recipe(phrases=False)) | {"token_pattern": pattern})
    for text in TEXTS:
        with in_time():
            split_words(recipe, text)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_whatever_is_followed_is_followed_in_time(pattern):
    try:
        check_pattern(pattern)
    except InputError:
        return
    for text in TEXTS:
        with in_time(20):
            sum(1 for _ in re.finditer(pattern, text))
