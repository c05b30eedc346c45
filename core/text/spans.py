"""Where the tokens of a document stand in its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orrery.core.text.recipe import Recipe, normalised, place_tokens


class TokenSpan(NamedTuple):
    """A token in a text: ``text[begin:end]``."""

    begin: int
    end: int
    token: int


def token_spans(
    recipe: Recipe, token_number: Mapping[str, int], text: str
) -> tuple[str, list[TokenSpan]]:
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
    spans : list of TokenSpan
        In their order, none over another; the tokens are those of
        ``orrery.core.text.recipe.tokenize`` that are in the vocabulary.
    """
    read = normalised(recipe, text)
    shown = text if _letter_by_letter(recipe, text, read) else read
    return shown, [
        TokenSpan(begin, end, token_number[word])
        for begin, end, word in place_tokens(recipe, read)
        if word in token_number
    ]


def _letter_by_letter(recipe: Recipe, text: str, read: str) -> bool:
    """Whether every letter of the text is one letter of what is read, in the same place."""
    if text.isascii():
        return True
    is_one = all(len(normalised(recipe, letter)) == 1 for letter in set(text))
    return is_one and len(text) == len(read)
