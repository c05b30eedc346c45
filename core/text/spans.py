"""Where the tokens of a document stand in its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from core.text.recipe import Recipe, normalised, phrase_pairs

_NOT_SPACE = re.compile(r"\S+")


class Span(NamedTuple):
    """A token in a text: ``text[begin:end]``."""

    begin: int
    end: int
    token: int


def token_spans(
    recipe: Recipe, token_number: Mapping[str, int], text: str
) -> tuple[str, list[Span]]:
    """Find every token of a text, repeats included.

    Parameters
    ----------
    recipe : Recipe
        Of the corpus.
    token_number : mapping of str to int
        The vocabulary.
    text : str

    Returns
    -------
    text : str
        The text that the spans are about: the given one, or its normal form where letters had to
        be joined or parted to read it.
    spans : list of Span
        In their order, none over another; the tokens are those of ``core.text.recipe.tokenize``
        that are in the vocabulary.
    """
    if recipe.matrix:
        matches = list(_NOT_SPACE.finditer(text))
        return text, _known([(m.start(), m.end(), m[0]) for m in matches], token_number)
    read = normalised(recipe, text)
    shown = text if _letter_by_letter(recipe, text, read) else read
    words = [(m.start(), m.end(), m[0]) for m in re.finditer(recipe.token_pattern, read)]
    stop_words = frozenset(recipe.stop_words)
    joined = _joined(words, recipe) if recipe.phrases and recipe.phrase_list else words
    kept = [word for word in joined if word[2].lower() not in stop_words]
    return shown, _known(kept, token_number)


def _letter_by_letter(recipe: Recipe, text: str, read: str) -> bool:
    """Whether every letter of the text is one letter of what is read, in the same place."""
    if text.isascii():
        return True
    is_one = all(len(normalised(recipe, letter)) == 1 for letter in set(text))
    return is_one and len(text) == len(read)


def _joined(words: list[tuple[int, int, str]], recipe: Recipe) -> list[tuple[int, int, str]]:
    """Join phrases greedily from the left, as ``tokenize`` does."""
    pairs = phrase_pairs(recipe.phrase_list)
    joined = []
    position = 0
    while position < len(words):
        here = words[position : position + 2]
        if tuple(word for _, _, word in here) in pairs:
            joined.append((here[0][0], here[1][1], "_".join(word for _, _, word in here)))
            position += 2
        else:
            joined.append(here[0])
            position += 1
    return joined


def _known(words: list[tuple[int, int, str]], token_number: Mapping[str, int]) -> list[Span]:
    return [
        Span(begin, end, token_number[word]) for begin, end, word in words if word in token_number
    ]
