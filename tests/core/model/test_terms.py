"""Sentences in a model's own words for topics and words."""

from __future__ import annotations

import pytest

from orrery.core.drawing.explorer_strings import explorer_strings, strings_in_terms
from orrery.core.model.terms import Terms, plural_of

MEDICAL = Terms("condition", "symptom")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("No topic is on.", "No condition is on."),
        ("Topics of a word, and words", "Conditions of a symptom, and symptoms"),
        ("Why is “topic word” on for {topic} and {words}?",) * 2,
        ("Wordless topicality",) * 2,
    ],
)
def test_nouns_are_replaced_and_names_and_placeholders_stay(sentence, expected):
    assert MEDICAL.translated(sentence) == expected
    assert Terms().translated(sentence) == sentence


def test_articles_and_plurals_follow_the_noun():
    terms = Terms("illness", "finding")
    assert terms.translated("A topic or a word, topics") == "An illness or a finding, illnesses"
    assert plural_of("allergy") == "allergies"
    assert plural_of("day") == "days"
    assert plural_of("match") == "matches"


def test_the_explorer_speaks_in_the_terms_of_the_model():
    usual, own = explorer_strings(), strings_in_terms(MEDICAL)
    assert strings_in_terms(Terms()) == usual
    assert own.keys() == usual.keys()
    assert own["likeliest_title"] == "Most probable conditions"
    assert own["answer"]["unsure"] == "No condition is on. Unsure: {topics}."
    assert own["topics_for"][0] == "The condition {names} speaks for it."
