"""Queries: what is typed becomes the tokens that an import would have made of it."""

from dataclasses import replace

from orrery.core.data.query import parse_query
from orrery.core.data.recipe import Recipe, matrix_recipe

RECIPE = Recipe(stop_words=("the", "of"), phrase_list=("space_shuttle", "lost_phrase"))
NUMBER = {"space_shuttle": 0, "program": 1, "space": 2, "lost": 3}


def parsed(recipe: Recipe, number: dict[str, int], text: str) -> tuple[list[int], list[str]]:
    present, unknown = parse_query(recipe, number, text)
    return present.tolist(), unknown


def test_phrases_typed_with_spaces_or_underscores() -> None:
    assert parsed(RECIPE, NUMBER, "Program of the Space Shuttle") == ([1, 0], [])
    assert parsed(RECIPE, NUMBER, "space_shuttle") == ([0], [])


def test_a_comma_keeps_words_apart_and_leaves_numbers_whole() -> None:
    number = {**NUMBER, "space": 7, "shuttle": 8, "1,000": 9}
    assert parsed(RECIPE, number, "space, shuttle") == ([7, 8], [])
    assert parsed(RECIPE, number, "space shuttle, program,") == ([0, 1], [])
    recipe = replace(RECIPE, token_pattern=r"[\w,]+")
    assert parsed(recipe, number, "1,000") == ([9], [])


def test_unknown_words_are_named_once_in_order_and_stop_words_are_not() -> None:
    assert parsed(RECIPE, NUMBER, "the zebra program apple Zebra program") == (
        [1],
        ["zebra", "apple"],
    )


def test_a_phrase_that_is_no_token_is_looked_up_by_its_words() -> None:
    assert parsed(RECIPE, NUMBER, "lost phrase") == ([3], ["phrase"])


def test_words_of_texts_are_taken_as_the_recipe_makes_them() -> None:
    recipe = Recipe(lowercase=False, stop_words=(), phrases=False)
    assert parsed(recipe, {"space": 0, "hot_dog": 1}, "Space hot dog") == (
        [],
        ["Space", "hot", "dog"],
    )


def test_nothing_typed() -> None:
    assert parsed(RECIPE, NUMBER, " \n") == ([], [])


def test_matrix_words_in_any_case_with_punctuation_about_them() -> None:
    number = {"NASA": 0, "space": 1, "machine_learning": 2, "ice cream": 3, "c++": 4, "u.s.": 5}
    text = "Space, NASA: Machine learning (ice cream) C++ U.S. nasa nix"
    assert parsed(matrix_recipe(), number, text) == ([1, 0, 2, 3, 4, 5], ["nix"])


def test_matrix_words_joined_by_an_underscore_are_found_apart() -> None:
    assert parsed(matrix_recipe(), {"hot": 0}, "hot_dog") == ([0], ["dog"])


def test_the_longest_phrase_of_a_ready_made_vocabulary_is_found_first() -> None:
    number = {"pain": 0, "back pain": 1, "pain in upper abdomen": 2, "back": 3, "upper": 4}
    found = {
        "pain in upper abdomen": [2],
        "Back pain in upper abdomen": [1, 4],
        "back, pain in upper abdomen": [3, 2],
        "back , pain": [3, 0],
        "upper back pain": [4, 1],
    }
    for text, tokens in found.items():
        assert parsed(matrix_recipe(), number, text)[0] == tokens
        assert parse_query(matrix_recipe(), number, text, 4)[0].tolist() == tokens
    assert parsed(matrix_recipe(), number, "back , rash, (hives)") == ([3], ["rash", "hives"])
