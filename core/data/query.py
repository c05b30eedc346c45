"""Conversion of a query to tokens with states, and positions of the tokens in a document's text.

A word is present; ``-word`` is absent and ``?word`` unknown (`WORD_STATES`). The recipe of the
corpus converts words to tokens; a query to a ready-made vocabulary is read by
`orrery.core.data.clauses`. The command, the Python API and the app parse a query with `read_query`.
The offline explorer implements the same rules in ``question.js`` and ``text.js``;
``tests/query_cases.json`` contains the test cases of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from ..utils.errors import InputError
from ..utils.types import Int32Array
from .clauses import DIVIDER, PRESENT_SIGN, Found, Item, is_negation, read_clauses
from .recipe import Recipe, normalised, place_tokens, tokenize
from .stop_words import english_stop_words

# Characters that join the words of a phrase in ready-made vocabularies.
JOINTS = ("_", " ")
# Ready-made vocabularies have words in any case, and users type them in any case.
CHANGES_OF_CASE = (str, str.lower, str.capitalize, str.title, str.upper)
# A query of a few words that gives a word two states is an error, because this evidence has
# probability 0. If only one of the states were used, the result would belong to a different query.
# In a whole text, a state that is given replaces the one that is read from the text.
CONTRADICTION = "{word} is given as {first} and as {second}; leave one of them out"
# A comma after a word, but not inside a number.
_COMMA = re.compile(r",(?=\s|$)")
_PUNCTUATION = ".,;:!?\"'()[]{}"


@dataclass(frozen=True)
class WordState:
    """A state that a query can give a word.

    Attributes
    ----------
    name : str
        Name for users; also a field of `orrery.core.inference.evidence.Evidence`, and a kind of box
        in `orrery.core.drawing.style`.
    sign : str
        Character before the word, "" for present words.
    meaning : str
        Text in the legend and in tooltips.
    hint : str
        Part of the hint in an empty query box.
    """

    name: str
    sign: str
    meaning: str
    hint: str = ""


# A click switches a word to the next state, and from the last to the first.
WORD_STATES = (
    WordState("present", "", "word"),
    WordState("absent", "-", "absent word", "-memory means that a word is absent"),
    WordState("unknown", "?", "word left open", "?memory leaves it open"),
)
SIGNS = {state.name: state.sign for state in WORD_STATES}
# States by sign, of a query to a ready-made vocabulary.
STATE_OF_SIGN = {state.sign or PRESENT_SIGN: state.name for state in WORD_STATES}
# "-memory" or ?"solid state": a sign at the start of a word, not the hyphen inside one.
_SIGNED = re.compile(rf'(?<!\S)([{re.escape("".join(SIGNS.values()))}])(?:"([^"]*)"|(\S+))')


class HasVocabulary(Protocol):
    """A corpus or a model: an object with a vocabulary."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """Words by token number."""

    @property
    def recipe(self) -> Recipe:
        """Recipe that converts a text to words."""

    @property
    def token_number(self) -> dict[str, int]:
        """Number of each word of the vocabulary."""

    @property
    def longest_phrase(self) -> int:
        """Number of words of the longest phrase of the vocabulary."""

    def parse(self, text: str) -> tuple[Int32Array, list[str]]:
        """Token numbers and unknown words of a text without signs (`parse_query`)."""


class Contradiction(NamedTuple):
    """A word with two states, as it is displayed: with spaces for underscores."""

    word: str
    first: str
    second: str

    @property
    def sentence(self) -> str:
        """Error message with the contradiction and its correction."""
        return CONTRADICTION.format(word=repr(self.word), first=self.first, second=self.second)


@dataclass(frozen=True)
class QueryTokens:
    """Tokens of a query by state.

    Attributes
    ----------
    tokens : dict of str to tuple of int
        Token numbers of the words with each of `WORD_STATES`, each once, in typed order.
    unknown_words : tuple of str
        Words that are not in the vocabulary, each once, with any sign or without.
    contradictions : tuple of Contradiction
        Words with two states, which are in ``tokens`` under both.
    left_out : tuple of str
        Ordinary words of a query to a ready-made vocabulary. They are not unknown words.
    items : tuple of orrery.core.data.clauses.Item
        Terms of a query to a ready-made vocabulary, in typed order; empty for other models. A
        denial of a term that also has a sign is left out of its item.
    """

    tokens: dict[str, tuple[int, ...]]
    unknown_words: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]
    left_out: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()

    def check(self) -> None:
        """Raise `InputError` for the first contradiction."""
        for contradiction in self.contradictions:
            raise InputError(contradiction.sentence)


def read_query(model: HasVocabulary, text: str, absent: str = "") -> QueryTokens:
    """Parse a query with signs.

    Parameters
    ----------
    model : HasVocabulary
    text : str
        Typed query.
    absent : str
        Further absent words, without signs.
    """
    if model.recipe.matrix:
        return _read_terms(model, text, absent)
    pieces = {state: stretches_of(text, state) for state in SIGNS}
    pieces["absent"].append(absent)
    tokens: dict[str, tuple[int, ...]] = {}
    unknown_words: dict[str, None] = {}
    for state, texts in pieces.items():
        parsed = [model.parse(piece) for piece in texts]
        tokens[state] = tuple(dict.fromkeys(int(token) for found, _ in parsed for token in found))
        unknown_words |= dict.fromkeys(word for _, unknown in parsed for word in unknown)
    return QueryTokens(tokens, tuple(unknown_words), _contradictions(model, tokens))


def _read_terms(model: HasVocabulary, text: str, absent: str) -> QueryTokens:
    """Parse a query to a ready-made vocabulary, where denied words are absent."""
    recipe, known = model.recipe, model.token_number

    def lookup(words: list[str]) -> Found | None:
        for size, candidate in _candidates(recipe, words):
            if candidate in known:
                raw = [joint.join(words[:size]) for joint in JOINTS]
                is_exact = any(spelling.strip(_PUNCTUATION) != spelling for spelling in raw)
                is_exact &= len(candidate) == len(raw[0])
                return Found(size, known[candidate], is_exact)
        return None

    common = left_out_words(recipe)
    items, left_out = read_clauses(
        text,
        model.longest_phrase,
        lookup,
        common,
        STATE_OF_SIGN,
        is_divided=not _have_dividers(tuple(model.vocabulary)),
    )
    # A sign is no guess, so it overrides a denial elsewhere.
    signed = {item.token for item in items if item.is_signed and item.token >= 0}
    items = tuple(
        item._replace(state="", denial="") if item.denial and item.token in signed else item
        for item in items
    )
    found = [(item.token, item.state) for item in items if item.token >= 0 and item.state]
    further, unknown_absent = model.parse(absent)
    found += [(token, "absent") for token in further.tolist()]
    tokens = {
        state: tuple(dict.fromkeys(token for token, given in found if given == state))
        for state in SIGNS
    }
    unknown = dict.fromkeys([item.text for item in items if item.token < 0] + unknown_absent)
    return QueryTokens(tokens, tuple(unknown), _contradictions(model, tokens), left_out, items)


@lru_cache(maxsize=16)
def _have_dividers(vocabulary: tuple[str, ...]) -> bool:
    """Whether a term contains a comma that would divide words of a query."""
    return any(map(DIVIDER.search, vocabulary))


def _contradictions(
    model: HasVocabulary, tokens: Mapping[str, tuple[int, ...]]
) -> tuple[Contradiction, ...]:
    first: dict[int, str] = {}
    found = []
    for state, given in tokens.items():
        for token in given:
            if first.setdefault(token, state) != state:
                word = model.vocabulary[token].replace("_", " ")
                found.append(Contradiction(word, first[token], state))
    return tuple(found)


def left_out_words(recipe: Recipe) -> frozenset[str]:
    """English stop words without `NEGATIONS`, if the vocabulary is ready-made; else no words.

    A ready-made vocabulary has no stop words of its own, because the names of its columns or nodes
    contain some ("shortness of breath"). The recipe of a corpus removes its own stop words.
    """
    if not recipe.matrix:
        return frozenset()
    return frozenset(word for word in english_stop_words() if not is_negation(word))


def no_words(text: str, unknown_words: Sequence[str]) -> str:
    """Error message for a query without a word of the vocabulary."""
    if not any(letter.isalnum() for letter in text):
        return "the query has no words; type some that a topic could be about"
    if not unknown_words:
        return "the query has no words but stop words; type words that a topic could be about"
    return f"the model knows none of these words: {', '.join(unknown_words)}; try others"


def stretches_of(text: str, state: str) -> list[str]:
    """Pieces of a query with the sign of a state; ``present`` has no sign.

    Words in different pieces form no phrase: a signed word separates the words around it.
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

    With a ready-made vocabulary, the longest phrase is found first. Two words with a comma between
    them form no phrase.

    Parameters
    ----------
    recipe : Recipe
        Recipe of the corpus.
    token_number : mapping of str to int
        Token number of each word of the vocabulary.
    text : str
        Typed words; stop words are ignored.
    longest : int, optional
        Number of words of the longest phrase (`longest_phrase`); computed by default.

    Returns
    -------
    present : int32 array
        Token numbers in the order typed, each once.
    unknown_words : list of str
        Words that are not in the vocabulary, in the order typed, each once.
    """
    present: dict[int, None] = {}
    unknown: dict[str, None] = {}
    # With a ready-made vocabulary, words keep their commas, so they form no phrase.
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
            # A phrase that is not a token is looked up word by word.
            parts = words[position].split("_")
            for part in parts:
                if len(parts) > 1 and part in token_number:
                    present[token_number[part]] = None
                elif part.strip(_PUNCTUATION):
                    unknown[part.strip(_PUNCTUATION)] = None
            position += 1
    return np.fromiter(present, dtype=np.int32, count=len(present)), list(unknown)


def longest_phrase(vocabulary: Iterable[str]) -> int:
    """Number of words of the longest phrase of a vocabulary."""
    return max((1 + sum(map(phrase.count, JOINTS)) for phrase in vocabulary), default=1)


def _candidates(recipe: Recipe, words: list[str]) -> Iterator[tuple[int, str]]:
    """Number of words and spelling of each candidate, the longest phrases first."""
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
    """Find every occurrence of a token in a text.

    Parameters
    ----------
    recipe : Recipe
        Recipe of the corpus.
    token_number : mapping of str to int
        Token number of each word of the vocabulary.
    text : str

    Returns
    -------
    text : str
        Text to which the spans refer: the given text, or its normal form if normalisation joins
        or splits letters.
    spans : list of TokenSpan
        Spans in order, without overlap; the tokens of ``orrery.core.data.recipe.tokenize`` that
        are in the vocabulary.
    """
    read = normalised(recipe, text)
    shown = text if _letter_by_letter(recipe, text, read) else read
    return shown, [
        TokenSpan(begin, end, token_number[word])
        for begin, end, word in place_tokens(recipe, read)
        if word in token_number
    ]


def _letter_by_letter(recipe: Recipe, text: str, read: str) -> bool:
    """Whether each letter of the text is one letter of its normal form, at the same position."""
    if text.isascii():
        return True
    is_one = all(len(normalised(recipe, letter)) == 1 for letter in set(text))
    return is_one and len(text) == len(read)
