"""The rules of a query: its words as tokens with states, by the recipe of the corpus.

A word is present; ``-word`` is absent and ``?word`` unknown. The command, the Python API and the
app read a query with `read_query`. The offline explorer has the same rules in ``question.js`` and
``text.js``; ``tests/query_cases.json`` has the cases that all of them are tested with.

Where the tokens of a document stand in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..utils.errors import InputError
from ..utils.types import Int32Array
from .recipe import Recipe, normalised, place_tokens, tokenize

# Ready-made vocabularies join words with these.
JOINTS = ("_", " ")
# Ready-made vocabularies write words in their own case, people type them in any.
CHANGES_OF_CASE = (str, str.lower, str.capitalize, str.title, str.upper)
# "-memory" or ?"solid state": a sign at the start of a word, not the hyphen inside one.
_SIGNED = re.compile(r'(?<!\S)([-?])(?:"([^"]*)"|(\S+))')
SIGNS = {"present": "", "absent": "-", "unknown": "?"}
# A query that gives a word two states is refused everywhere. No answer is right: the evidence has
# probability 0, and whichever state were kept, the answer would be that of another query.
CONTRADICTION = "{word} is given as {first} and as {second}; leave one of them out"
# Not the one inside a number.
_COMMA = re.compile(r",(?=\s|$)")
_PUNCTUATION = ".,;:!?\"'()[]{}"


class HasVocabulary(Protocol):
    """A corpus or a model: it knows words."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """Words by token number."""

    def parse(self, text: str) -> tuple[Int32Array, list[str]]:
        """Token numbers and unknown words of a text without signs (`parse_query`)."""


class Contradiction(NamedTuple):
    """A word with two states, as a person reads it."""

    word: str
    first: str
    second: str

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, for an error."""
        return CONTRADICTION.format(word=repr(self.word), first=self.first, second=self.second)


@dataclass(frozen=True)
class QueryTokens:
    """Tokens of a query by state.

    Attributes
    ----------
    tokens : dict of str to tuple of int
        Token numbers of ``present``, ``absent`` and ``unknown`` words, each once, in typed order.
    unknown_words : tuple of str
        Words that are not in the vocabulary, each once, under whatever sign.
    contradictions : tuple of Contradiction
        Words with two states, which are in ``tokens`` under both.
    """

    tokens: dict[str, tuple[int, ...]]
    unknown_words: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]

    def check(self) -> None:
        """Raise `InputError` for the first contradiction."""
        for contradiction in self.contradictions:
            raise InputError(contradiction.sentence)


def read_query(model: HasVocabulary, text: str, absent: str = "") -> QueryTokens:
    """Read a query with signs.

    Parameters
    ----------
    model : HasVocabulary
    text : str
        What a person typed.
    absent : str
        Further words that are absent, without a sign.
    """
    pieces = {state: stretches_of(text, state) for state in SIGNS}
    pieces["absent"].append(absent)
    tokens: dict[str, tuple[int, ...]] = {}
    unknown_words: dict[str, None] = {}
    first: dict[int, str] = {}
    contradictions = []
    for state, texts in pieces.items():
        parsed = [model.parse(piece) for piece in texts]
        tokens[state] = tuple(dict.fromkeys(int(token) for found, _ in parsed for token in found))
        unknown_words |= dict.fromkeys(word for _, unknown in parsed for word in unknown)
        for token in tokens[state]:
            if first.setdefault(token, state) != state:
                word = model.vocabulary[token].replace("_", " ")
                contradictions.append(Contradiction(word, first[token], state))
    return QueryTokens(tokens, tuple(unknown_words), tuple(contradictions))


def no_words(text: str, unknown_words: Sequence[str]) -> str:
    """Sentence for an error: a query without a word that the model knows."""
    if not any(letter.isalnum() for letter in text):
        return "the query has no words; type some that a topic could be about"
    if not unknown_words:
        return "the query has no words but stop words; type words that a topic could be about"
    return f"the model knows none of these words: {', '.join(unknown_words)}; try others"


def stretches_of(text: str, state: str) -> list[str]:
    """What was typed with the sign of a state, or without a sign, in pieces that stand apart.

    The words around one that has a sign are no phrase, nor are two that have one each.
    """
    if state == "present":
        pieces = _SIGNED.sub("\n", text).split("\n")
    else:
        signed = _SIGNED.findall(text)
        pieces = [quoted or word for sign, quoted, word in signed if sign == SIGNS[state]]
    return [piece for piece in pieces if piece.strip()]


def parse_query(
    recipe: Recipe,
    token_number: Mapping[str, int],
    text: str,
    longest: int | None = None,
) -> tuple[Int32Array, list[str]]:
    """Find the tokens of a query.

    Of a ready-made vocabulary the longest phrase that stands in the query is found first. A comma
    between two words keeps them apart.

    Parameters
    ----------
    recipe : Recipe
        Of the corpus.
    token_number : mapping of str to int
        The vocabulary.
    text : str
        What a person typed; stop words in it are passed over.
    longest : int, optional
        Words of the longest phrase of the vocabulary (`longest_phrase`), where that is known.

    Returns
    -------
    present : int32 array
        Token numbers in the order typed, each once.
    unknown_words : list of str
        Words that are not in the vocabulary, in the order typed, each once.
    """
    present: dict[int, None] = {}
    unknown: dict[str, None] = {}
    # Those of a ready-made vocabulary keep their commas, with which they make no phrase.
    stretches = [text] if recipe.matrix else _COMMA.split(text)
    words = [word for stretch in stretches for word in tokenize(recipe, stretch)]
    if not recipe.matrix or len(words) < 2:
        longest = 1
    elif longest is None:
        longest = longest_phrase(token_number)
    position = 0
    while position < len(words):
        for size, candidate in _candidates(recipe, words[position : position + longest]):
            if candidate in token_number:
                present[token_number[candidate]] = None
                position += size
                break
        else:
            # A phrase that is no token of its own is looked up word by word.
            parts = words[position].split("_")
            for part in parts:
                if len(parts) > 1 and part in token_number:
                    present[token_number[part]] = None
                elif part.strip(_PUNCTUATION):
                    unknown[part.strip(_PUNCTUATION)] = None
            position += 1
    return np.fromiter(present, dtype=np.int32, count=len(present)), list(unknown)


def longest_phrase(vocabulary: Iterable[str]) -> int:
    """Words of the longest phrase of a vocabulary."""
    return max((1 + sum(map(phrase.count, JOINTS)) for phrase in vocabulary), default=1)


def _candidates(recipe: Recipe, words: list[str]) -> Iterator[tuple[int, str]]:
    """Spellings to look up, the longest phrase first, and how many words each takes."""
    if not recipe.matrix:
        yield 1, words[0]
        return
    for size in range(len(words), 0, -1):
        for joint in JOINTS if size > 1 else JOINTS[:1]:
            exact = joint.join(words[:size])
            for spelling in dict.fromkeys((exact, exact.strip(_PUNCTUATION))):
                for change in CHANGES_OF_CASE:
                    yield size, change(spelling)


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
        ``orrery.core.data.recipe.tokenize`` that are in the vocabulary.
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
