"""Spans are the tokens of the recipe, each at its place in the text."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.query import token_spans
from orrery.core.data.recipe import Recipe, matrix_recipe, tokenize

RECIPE = Recipe(stop_words=("the", "of"), phrases=True, phrase_list=("new_york", "red_star"))
WORDS = [
    "the",
    "of",
    "New",
    "york",
    "RED",
    "star",
    "x-ray",
    "Größe",
    "ﬁne",
    "don’t",
    "9",
    "İx",
    "so\u00adft",
    "Ma\u0308rz",
]
TEXTS = st.lists(st.sampled_from([*WORDS, ",", " ", "\n", "<b>"]) | st.text(max_size=3)).map(
    " ".join
)


def numbered(recipe, text):
    return {word: number for number, word in enumerate(dict.fromkeys(tokenize(recipe, text)))}


@given(TEXTS, st.booleans(), st.booleans())
def test_they_are_the_tokens_of_the_recipe_in_their_order(text, lowercase, is_matrix):
    recipe = matrix_recipe() if is_matrix else replace(RECIPE, lowercase=lowercase)
    numbers = numbered(recipe, text)
    _, spans = token_spans(recipe, numbers, text)
    assert [span.token for span in spans] == [numbers[word] for word in tokenize(recipe, text)]


@given(TEXTS)
def test_they_stand_where_they_state_and_do_not_overlap(text):
    numbers = numbered(RECIPE, text)
    words = list(numbers)
    shown, spans = token_spans(RECIPE, numbers, text)
    end = 0
    for span in spans:
        assert end <= span.begin < span.end <= len(shown)
        end = span.end
        # Read again alone, the marked piece is the same token.
        assert tokenize(RECIPE, shown[span.begin : span.end]) == [words[span.token]]


def test_a_plain_text_is_shown_as_it_is():
    text = "The Red   Star of New\nYork"
    numbers = {"red_star": 0, "new_york": 1}
    assert token_spans(RECIPE, numbers, text) == (text, [(4, 14, 0), (18, 26, 1)])


def test_words_outside_the_vocabulary_are_passed_over():
    assert token_spans(RECIPE, {"star": 3}, "a pale star") == ("a pale star", [(7, 11, 3)])
