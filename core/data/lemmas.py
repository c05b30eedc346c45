"""Lemmas: the forms of a word as the one that stands in a dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from ..utils.errors import InputError
from .recipe import LEMMA_SIGN, Recipe, lemma_of_form, split_words
from .stop_words import LANGUAGES, find_languages
from .vocabulary import EncodedTexts, document_limits, encode_texts

MISSING = (
    "lemmas need the package simplemma, which is not installed; install it with: "
    "python -m pip install 'orrery[lemmas]'"
)
# Where simplemma files a language under another code.
CODES = {"croatian": "hbs", "norwegian": "nb"}
# Shorter words are abbreviations as often as not ("ai", "os"), as those with hyphens are names.
SHORTEST = 3
# In lower case a noun of these may be a verb: "Sonne", the sun, and "sonne", I bask.
CAPITALS_TELL = frozenset({"german"})


def can_lemmatize() -> bool:
    """Whether the package that knows the lemmas is installed."""
    return find_spec("simplemma") is not None


def resolve_lemmas(choice: str) -> str:
    """Turn a choice of one language, or several with commas between them, into their full names.

    Raises
    ------
    InputError
        If it is none, or the package that knows the lemmas is not installed.
    """
    languages = find_languages(choice)
    if not languages:
        known = ", ".join(sorted(LANGUAGES))
        raise InputError(f"there are no lemmas for {choice!r}; take {known}, or auto")
    if not can_lemmatize():
        raise InputError(MISSING)
    return ",".join(languages)


def lemmatize(
    texts: EncodedTexts, recipe: Recipe, written: Iterable[str]
) -> tuple[EncodedTexts, tuple[str, ...]]:
    """Put the lemma in the place of every form.

    Parameters
    ----------
    texts : EncodedTexts
        Before phrases are joined.
    recipe : Recipe
        Its lemmas are repeated; where it has none and names a language, they are looked up.
    written : iterable of str
        The texts as they were written, for languages whose capitals tell.

    Returns
    -------
    texts : EncodedTexts
    lemma_list : tuple of str
        As in ``Recipe.lemma_list``: the forms whose lemma is in enough documents for the recipe.
        The others are rarer still, and are left out whatever they are called.

    Raises
    ------
    InputError
        If lemmas are to be looked up and the package that knows them is not installed.
    """
    if not recipe.lemmas:
        return texts, ()
    lemma_list = recipe.lemma_list or _look_up(texts.words, recipe, written)
    lemma_of = lemma_of_form(lemma_list)
    number: dict[str, int] = {}
    names = (lemma_of.get(word, word) for word in texts.words)
    renumbered = np.array([number.setdefault(name, len(number)) for name in names], np.int32)
    texts = EncodedTexts(texts.word_ptr, renumbered[texts.word_idx], tuple(number))
    frequency = np.diff(texts.counts().tocsc().indptr)
    fewest, _ = document_limits(recipe, len(texts.word_ptr) - 1)
    frequent = {name for name, place in number.items() if frequency[place] >= fewest}
    return texts, tuple(pair for pair in lemma_list if pair.split(LEMMA_SIGN)[1] in frequent)


def _look_up(words: Sequence[str], recipe: Recipe, written: Iterable[str]) -> tuple[str, ...]:
    """Forms among the words with their lemmas, alphabetically; stop words stay as they are."""
    if not can_lemmatize():
        raise InputError(MISSING)
    # Imported late: an extra, and its dictionaries take long to open.
    from simplemma import lemmatize as look_up

    names = find_languages(recipe.lemmas)
    codes = tuple(CODES.get(name, LANGUAGES[name]) for name in names)
    spelling: dict[str, str] = {}
    if recipe.lowercase and not CAPITALS_TELL.isdisjoint(names):
        spelling = _usual_spelling(written, recipe)
    stop_words = frozenset(recipe.stop_words)
    lemma_of: dict[str, str] = {}
    for word in words:
        stays = word.lower() in stop_words or len(word) < SHORTEST or "-" in word
        found = word if stays else look_up(spelling.get(word, word), codes)
        lemma = found.lower() if recipe.lowercase else found
        is_its_own = look_up(found, codes) == found
        if lemma != word and is_its_own and _can_be_read(recipe, word, lemma):
            lemma_of[word] = lemma
    # What is a form of yet another word ("founded", "found", "find") has no sure lemma: every
    # lemma is its own, so that a word of the vocabulary stays that word when it is typed.
    sure = sorted(word for word, lemma in lemma_of.items() if lemma not in lemma_of)
    return tuple(f"{word}{LEMMA_SIGN}{lemma_of[word]}" for word in sure)


def _usual_spelling(written: Iterable[str], recipe: Recipe) -> dict[str, str]:
    """Capitals or none, as each word in lower case is written most often."""
    texts = encode_texts(written, replace(recipe, lowercase=False))
    counts = np.bincount(texts.word_idx, minlength=len(texts.words)).tolist()
    by_count = sorted(zip(counts, texts.words, strict=True))
    return {word.lower(): word for _, word in by_count}


def _can_be_read(recipe: Recipe, word: str, lemma: str) -> bool:
    """Whether the lemma is one word for the recipe too, and both can be stored as a pair."""
    is_plain = not any(sign in form for form in (word, lemma) for sign in (LEMMA_SIGN, "_"))
    return is_plain and split_words(recipe, lemma) == [lemma]
