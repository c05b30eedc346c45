"""Sentences in a model's own words for topics and words."""

from __future__ import annotations

import re

import pytest

from orrery.core.drawing.explorer_strings import explorer_strings, strings_in_terms
from orrery.core.model.terms import (
    Terms,
    counted,
    plural_of,
    singular_of,
    terms_of,
    terms_to_values,
    typed_terms,
)

MEDICAL = Terms("condition", "symptom")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("No topic is on.", "No condition is probable."),
        ("on", "probable"),
        ("off 87", "improbable 87"),
        ("On: {topics}.", "Probable: {topics}."),
        ("“a topic is on” is on", "“a topic is on” is present"),
        ("“b” and “c” are off", "“b” and “c” are absent"),
        (
            "Read so, no topic is on; else {count} topics are on.",
            "Read so, no condition is probable; else {count} conditions are probable.",
        ),
        ("1 topic is on.", "1 condition is probable."),
        ("None of the topics is on ({figure}).", "None of the conditions is present ({figure})."),
        ("Words that are on the page, and on it", "Symptoms that are on the page, and on it"),
        ("Topics of a word, and words", "Conditions of a symptom, and symptoms"),
        ("Why “topic word” for {topic} and {words}?",) * 2,
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
    assert own["answer"]["off"] == "Most probable: {topics}. No condition is probable."
    assert own["topics_for"][0] == "The condition {names} speaks for it."
    assert usual["senses_title"] == "{number} senses of {words}"
    assert own["senses_title"] == "{number} conditions that explain {words}"
    assert own["no_state"]["absent"] == "no condition"
    assert own["no_other_shared"] == "No other condition is probable or unsure for both."


def test_the_hint_of_the_query_box_has_a_word_of_the_model():
    assert "-itch means" in strings_in_terms(MEDICAL, vocabulary=("dry_skin", "itch"))["hint"]
    assert "-memory means" in strings_in_terms(MEDICAL, vocabulary=("itch", "memory"))["hint"]


TEXTS = re.compile(r"\b(?:texts?|on or off)\b")
OF_QUERIES = (
    "hint_",
    "offer",
    "read_as_text",
    "ordinary",
    "all_ordinary",
    "next_help",
    "take_offer",
)


def test_a_model_without_texts_speaks_of_none():
    own = strings_in_terms(MEDICAL, has_texts=False)
    said = {name: own[name] for name in own if name.startswith(OF_QUERIES)}
    assert len(said) >= 8
    assert not [one for one in said.values() if TEXTS.search(str(one))]
    assert own["offer"][1].endswith(
        "no condition is probable; if they are unknown, {count} conditions are probable."
    )
    assert own["no_other_shared"] == "No other condition is probable or unsure for both."
    # Each has the placeholders of the one that it stands for.
    placeholders = re.compile(r"\{\w+\}")
    for name, usual in explorer_strings().items():
        assert sorted(placeholders.findall(str(own[name]))) == sorted(
            placeholders.findall(str(usual))
        )


PLURALS = {
    "diagnosis": "diagnoses", "prognosis": "prognoses", "crisis": "crises", "illness": "illnesses",
    "allergy": "allergies", "category": "categories", "virus": "viruses", "foot": "feet",
    "life": "lives", "criterion": "criteria", "phenomenon": "phenomena", "bacterium": "bacteria",
    "risk factor": "risk factors", "disease": "diseases", "cause": "causes", "box": "boxes",
    "branch": "branches", "rash": "rashes", "species": "species", "lens": "lenses", "day": "days",
    "nose": "noses", "dose": "doses", "headache": "headaches", "cache": "caches", "movie": "movies",
    "cookie": "cookies", "size": "sizes", "axis": "axes", "bus": "buses", "hero": "heroes",
    "coach": "coaches", "house": "houses", "campus": "campuses", "sense": "senses", "gas": "gases",
    "enterprise": "enterprises", "necrosis": "necroses", "neurosis": "neuroses", "quiz": "quizzes",
    "metastasis": "metastases", "phase": "phases", "fuse": "fuses", "wisdom tooth": "wisdom teeth",
    "tomato": "tomatoes", "potato": "potatoes", "pelvis": "pelves", "corpus": "corpora",
    "appendix": "appendices", "data": "data", "media": "media", "staff": "staff", "fish": "fish",
}  # fmt: skip


@pytest.mark.parametrize(("one", "several"), PLURALS.items())
def test_plurals_follow_the_rules_of_english(one, several):
    assert plural_of(one) == several
    assert singular_of(several) == one
    assert counted(1, one) == f"1 {one}"
    assert counted(2, one) == f"2 {several}"


@pytest.mark.parametrize(
    "noun", ["diagnosis", "status", "virus", "analysis", "news", "gas", "class", "diabetes"]
)
def test_a_singular_stays_as_it_is(noun):
    assert singular_of(noun) == noun


def test_a_plural_stays_as_it_is():
    assert plural_of("diseases") == "diseases"


def test_both_forms_can_be_typed_and_are_kept():
    terms = typed_terms("Befund/Befunde", "diagnosis/diagnoses")
    assert terms == Terms("Befund", "diagnosis", "Befunde")
    assert terms_of({"terms": terms_to_values(terms)}) == terms
    assert terms.translated("A topic, topics, words") == "A Befund, Befunde, diagnoses"
