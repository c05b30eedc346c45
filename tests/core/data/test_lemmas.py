"""Lemmas: forms of a word are one token, in the texts and in what is typed."""

from __future__ import annotations

import sys
from dataclasses import replace

import pandas as pd
import pytest

from orrery.core.data import languages
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import Corpus, build_corpus
from orrery.core.data.languages import resolve_lemmas
from orrery.core.data.query import token_spans
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe, recipe_from_dict, recipe_to_dict, tokenize
from orrery.core.data.stop_words import LANGUAGES
from orrery.core.utils.errors import InputError

TEXTS = [
    "The children saw stars and a comet",
    "A child sees one star; comets were founded",
    "They found the space shuttles, a space shuttle",
    "Leaves of trees: the child finds a leaf",
    "One tree in the sky, going nowhere",
] * 3
LEMMAS = Recipe(lemmas="english", phrases=False, min_df=1, max_df=1.0)


def made(texts: list[str], recipe: Recipe) -> Corpus:
    table = pd.DataFrame({"text": texts, "id": range(len(texts)), "label": None})
    return build_corpus(RawDocuments(normal_table(table)), recipe)[0]


def tokens(corpus: Corpus, text: str) -> list[str]:
    return [corpus.vocabulary[number] for number in corpus.parse(text)[0]]


def test_forms_are_one_word_in_texts_and_queries() -> None:
    corpus = made(TEXTS, LEMMAS)
    assert {"child", "star", "comet", "tree"} <= set(corpus.vocabulary)
    assert not {"children", "stars", "comets", "trees"} & set(corpus.vocabulary)
    assert tokens(corpus, "Children, stars") == ["child", "star"]
    assert corpus.parse("-stars comets zebras")[1] == ["zebras"]


def test_a_corpus_is_what_its_recipe_makes_of_its_texts() -> None:
    for recipe in (LEMMAS, replace(LEMMAS, phrases=True, min_df=2)):
        corpus = made(TEXTS * 4, recipe)
        known = corpus.token_number
        for row, text in enumerate(corpus.documents["text"]):
            expected = {known[word] for word in tokenize(corpus.recipe, text) if word in known}
            assert set(corpus.tokens_of(row).tolist()) == expected
        again = made(TEXTS * 4, corpus.recipe)
        assert again.vocabulary == corpus.vocabulary
        assert again.recipe == corpus.recipe


def test_forms_make_one_phrase() -> None:
    corpus = made(TEXTS * 4, replace(LEMMAS, phrases=True, min_df=2))
    assert "space_shuttle" in corpus.vocabulary
    assert tokens(corpus, "space shuttles") == ["space_shuttle"]


def test_every_word_of_the_vocabulary_stays_itself_when_it_is_typed() -> None:
    corpus = made(TEXTS, LEMMAS)
    for word in corpus.vocabulary:
        assert tokens(corpus, word) == [word]


def test_stop_words_go_in_every_form() -> None:
    vocabulary = set(made(TEXTS, LEMMAS).vocabulary)
    assert "going" in set(made(TEXTS, replace(LEMMAS, lemmas="")).vocabulary)
    assert not {"going", "go", "the", "were", "be"} & vocabulary


def test_abbreviations_and_words_with_a_hyphen_stay() -> None:
    vocabulary = set(made(["AI by x-rays of an OS"] * 5, LEMMAS).vocabulary)
    assert vocabulary == {"ai", "x-rays", "os"}


def test_words_are_marked_where_their_forms_stand() -> None:
    corpus = made(TEXTS, LEMMAS)
    shown, spans = token_spans(corpus.recipe, corpus.token_number, "Stars of children")
    marked = [(shown[span.begin : span.end], corpus.vocabulary[span.token]) for span in spans]
    assert marked == [("Stars", "star"), ("children", "child")]


def test_a_stored_recipe_needs_no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = made(TEXTS, LEMMAS)
    monkeypatch.setitem(sys.modules, "simplemma", None)
    monkeypatch.setattr(languages, "can_lemmatize", lambda: False)
    recipe = recipe_from_dict(recipe_to_dict(corpus.recipe))
    assert recipe == corpus.recipe
    assert tokenize(recipe, "Children of the stars") == ["child", "star"]
    assert made(TEXTS, recipe).vocabulary == corpus.vocabulary


def test_without_the_package_it_is_reported_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages, "can_lemmatize", lambda: False)
    for ask in (lambda: resolve_lemmas("english"), lambda: made(TEXTS, LEMMAS)):
        with pytest.raises(InputError, match=r"not installed; install it with: .*orrery\[lemmas\]"):
            ask()


def test_a_form_of_a_form_has_no_sure_lemma() -> None:
    recipe = replace(LEMMAS, stop_words=())
    assert set(made(["it was founded", "founded"] * 3, recipe).vocabulary) == {
        "it",
        "be",
        "founded",
    }
    both = set(made(["founded and found"] * 3, recipe).vocabulary)
    assert both == {"founded", "and", "find"}


def test_a_noun_is_distinguished_from_a_verb_by_its_capital() -> None:
    recipe = replace(LEMMAS, lemmas="german", stop_words=())
    assert set(made(["Käse Sonne Sonnen"] * 3, recipe).vocabulary) == {"käse", "sonne"}
    assert set(made(["käse sonne"] * 3, recipe).vocabulary) == {"käsen", "sonnen"}
    # The one would be read as the other, and the other as the one: both stay.
    corpus = made(["ich reise, ich reise, die Reisen", "die Reisen"] * 3, recipe)
    for word in corpus.vocabulary:
        assert tokens(corpus, word) == [word]


def test_case_and_two_languages() -> None:
    german = ["Kinder spielen in Häusern, the stars are shining"] * 5
    both = replace(LEMMAS, lemmas="german,english", stop_words=())
    assert {"kind", "haus", "star"} <= set(made(german, both).vocabulary)
    assert {"Kind", "Haus"} <= set(made(german, replace(both, lowercase=False)).vocabulary)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_lemmas_of_every_language(language: str) -> None:
    from simplemma import lemmatize

    assert resolve_lemmas(language) == language
    assert lemmatize("xyz", lang=languages.CODES.get(language, LANGUAGES[language]))


@pytest.mark.parametrize("choice", ["klingon", "", "english,klingon", "none"])
def test_a_language_without_lemmas_is_refused(choice: str) -> None:
    with pytest.raises(InputError, match=f"no lemmas for '{choice}'; take arabic, "):
        resolve_lemmas(choice)


@pytest.mark.parametrize(
    ("damage", "message"),
    [({"lemma_list": ["star"]}, "damaged at lemma_list"), ({"lemmas": "nix"}, "no lemmas for")],
)
def test_a_damaged_recipe_is_refused(damage: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        recipe_from_dict({**recipe_to_dict(LEMMAS), **damage})
