"""Which patterns may look for words: those that take time in proportion to the text.

Regular expressions can take for ever on a text of a line, and a recipe may come from anywhere. So
besides the patterns of Orrery's own, only those are followed that never have to look back far: what
may be repeated, or be one thing or another, stands at the end, and a few signs are enough.

The recipe: how a text becomes tokens, written down so that a query can repeat it.
"""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from hashlib import sha256
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from ..utils.errors import InputError
from .stop_words import english_stop_words, find_languages

# The usual pattern of scikit-learn, which ends where its repetition cannot but end.
_WELL_KNOWN = frozenset({r"(?u)\b\w\w+\b", r"\b\w\w+\b"})
# Hashes of patterns that earlier versions wrote.
_EARLIER = frozenset({"6b7af368bc6d1a64d015e7e4bb8a08fb8f1262a9907f09b4931e1d5732375dfd"})
_ONE_SIGN = frozenset({kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY, kinds.AT})
# Signs that a match may need at least, and a pattern may have: from every place so many may be read
# in vain.
MOST_NEEDED, LONGEST_PATTERN = 100, 1_000


def check_pattern(pattern: str, own: Iterable[str]) -> None:
    """Refuse a pattern that cannot be followed in time.

    Parameters
    ----------
    pattern : str
    own : iterable of str
        Patterns that are followed whatever they look like.

    Raises
    ------
    InputError
        If it is no regular expression, matches the empty text, or could take for ever.
    """
    if pattern in own or pattern in _WELL_KNOWN or _hash(pattern) in _EARLIER:
        return
    try:
        is_short = len(pattern) <= LONGEST_PATTERN
        is_linear = _never_looks_back(parser.parse(pattern), is_last=True) and is_short
        matches_nothing = is_linear and re.compile(pattern).match("") is not None
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"the token pattern is not a regular expression: {error}") from None
    if not is_linear:
        raise InputError(
            "the token pattern could take for ever on some texts; ask for signs one after the "
            r"other, few of them, of which the last may be repeated, as in \w\w+"
        )
    if matches_nothing:
        raise InputError("the token pattern matches the empty text; ask for one character or more")


def _never_looks_back(parts: Any, is_last: bool) -> bool:
    """Whether all parts of a parsed pattern take one sign, but for the last of all."""
    return all(
        kind in _ONE_SIGN or _ends_soon(kind, value, is_last and position == len(parts) - 1)
        for position, (kind, value) in enumerate(parts)
    )


def _ends_soon(kind: Any, value: Any, is_last: bool) -> bool:
    if kind is kinds.SUBPATTERN:
        return _never_looks_back(value[-1], is_last)
    if kind is kinds.BRANCH:
        return is_last and all(_never_looks_back(parts, is_last) for parts in value[1])
    if kind is kinds.MAX_REPEAT:
        least, _, repeated = value
        is_one_sign = len(repeated) == 1 and repeated[0][0] in _ONE_SIGN
        return is_last and is_one_sign and least <= MOST_NEEDED
    return False


def _hash(pattern: str) -> str:
    return sha256(pattern.encode("utf-8", "surrogatepass")).hexdigest()


# Signs of scripts that are written without spaces.
# With the sign that repeats the one before it, and the two that stand for one.
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA, _KATAKANA = "\u3041-\u3096", "\u30a1-\u30fa\u30fc"
SPACELESS = f"[{_HAN}{_HIRAGANA}{_KATAKANA}]"
_NOT_POSSESSIVE = r"(?![sS](?![^\W_]))"


def _words_of_letters(but: str = "") -> str:
    """Pattern of two letters or more, digits allowed after the first ("mp3"), but these letters.

    An apostrophe inside stays, but the possessive 's goes; a hyphen splits, save behind a single
    letter ("x-ray", "e-mail").
    """
    # A letter of any script, with the accents and vowel signs that may follow it.
    letter = rf"[^\W\d_{but}]"
    inner = rf"(?:[^\W_{but}]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963])"
    not_inside_a_word = rf"(?<![^\W_{but}])"
    return (
        rf"{not_inside_a_word}{letter}"
        rf"(?:{inner}+|(?<!-.)['-]{_NOT_POSSESSIVE}{letter}{inner}*)(?:'{_NOT_POSSESSIVE}{inner}+)*"
    )


TOKEN_PATTERN = _words_of_letters()
# Every Chinese sign for itself, kana as long as they run, other words as above.
SIGN_PATTERN = (
    f"[{_HAN}]|[{_HIRAGANA}]+|[{_KATAKANA}]+|{_words_of_letters(_HAN + _HIRAGANA + _KATAKANA)}"
)
# The words of a ready-made vocabulary; the same as ``str.split``.
_NOT_SPACE = r"\S+"
# Earlier versions called characters signs.
PATTERNS = {
    "words": TOKEN_PATTERN,
    "characters": SIGN_PATTERN,
    "signs": SIGN_PATTERN,
}
# Typographic apostrophes and hyphens as typed on a keyboard; soft hyphens vanish.
_TYPOGRAPHY = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None})

# Between a form and its lemma.
LEMMA_SIGN = "="

# Where a word begins and ends, and the word.
PlacedWord = tuple[int, int, str]


@dataclass(frozen=True)
class Recipe:
    """How texts become tokens and which of those make the vocabulary.

    Attributes
    ----------
    lowercase : bool
    token_pattern : str
        Regular expression; every match in the normalised text is a word. ``SIGN_PATTERN`` is for
        Chinese and Japanese, where joined phrases are the words of several signs. One of your own
        must be of those that `orrery.core.data.recipe` follows.
    stop_words : tuple of str
        Words that are left out, in lower case.
    phrases : bool
        Join frequent pairs of neighbouring words with ``_``.
    phrase_list : tuple of str
        The phrases learned when the corpus was read; when given, they are repeated, not learned.
    min_df, max_df : int or float
        A word stays if it is in at least ``min_df`` and at most ``max_df`` documents; a float is
        a share of the documents.
    max_vocabulary : int
        Only this many words, those in most documents, stay.
    matrix : bool
        The vocabulary came ready-made: a query is split at white space and nothing else.
    lemmas : str
        Languages, with commas between them, whose forms are read as their lemmas ("stars" as
        "star"); none where empty.
    lemma_list : tuple of str
        The forms met when the corpus was read, each as ``form=lemma``; when given, they are
        repeated, not looked up, so that a query needs no dictionary and is read as the texts were.
    strip_headers, strip_quotes : bool
        Documents begin with the header of a post or mail, of which only the subject is kept; what
        they quote, and their signatures, are left out. A query is no post: it stays as typed.
    text_columns : tuple of str
        Columns of the source that were joined to the texts, in this order. A note for whoever
        reads the source again; it changes nothing here.
    """

    lowercase: bool = True
    token_pattern: str = TOKEN_PATTERN
    stop_words: tuple[str, ...] = field(default_factory=english_stop_words)
    phrases: bool = True
    phrase_list: tuple[str, ...] = ()
    min_df: int | float = 5
    max_df: int | float = 0.5
    max_vocabulary: int = 20_000
    matrix: bool = False
    lemmas: str = ""
    lemma_list: tuple[str, ...] = ()
    strip_headers: bool = False
    strip_quotes: bool = False
    text_columns: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """What departs from the usual; the lists of words are long."""
        own = [(entry.name, getattr(self, entry.name)) for entry in fields(self)]
        usual = Recipe()
        odd = [(name, value) for name, value in own if value != getattr(usual, name)]
        return f"Recipe({', '.join(f'{name}={reprlib.repr(value)}' for name, value in odd)})"


# What recipes did not have at first: not stored where it says nothing, so that the recipe of an
# earlier corpus is still whole, and a new one that uses none of it can be read by an older Orrery.
ADDED = ("lemmas", "lemma_list", "strip_headers", "strip_quotes", "text_columns")


def matrix_recipe() -> Recipe:
    """Return the recipe of a ready-made matrix, which leaves everything as it is."""
    return Recipe(lowercase=False, stop_words=(), phrases=False, min_df=1, max_df=1.0, matrix=True)


def tokenize(recipe: Recipe, text: str) -> list[str]:
    """Split a text into tokens, repeats included, exactly as when the corpus was read."""
    return [word for _, _, word in place_tokens(recipe, normalised(recipe, text))]


def place_tokens(recipe: Recipe, read: str) -> list[PlacedWord]:
    """Tokens of a normalised text, repeats included, with where they begin and end in it."""
    pattern = _compile(_NOT_SPACE if recipe.matrix else recipe.token_pattern)
    words = [(match.start(), match.end(), match[0]) for match in pattern.finditer(read)]
    if recipe.matrix:
        return words
    if recipe.lemmas and recipe.lemma_list:
        lemma_of = lemma_of_form(recipe.lemma_list)
        words = [(begin, end, lemma_of.get(word, word)) for begin, end, word in words]
    if recipe.phrases and recipe.phrase_list:
        words = _join_phrases(words, phrase_pairs(recipe.phrase_list))
    stop_words = _word_set(recipe.stop_words)
    return [word for word in words if word[2].lower() not in stop_words]


def split_words(recipe: Recipe, text: str) -> list[str]:
    """All words of a text in order, stop words included, before lemmas and phrases.

    Those of `place_tokens`, without their places: for whole corpora.
    """
    text = normalised(recipe, text)
    pattern = _compile(recipe.token_pattern)
    if pattern.groups:
        return [match[0] for match in pattern.finditer(text)]
    return pattern.findall(text)


def normalised(recipe: Recipe, text: str) -> str:
    """The text as its words are looked for: one spelling of letters and signs, and of case."""
    if recipe.matrix:
        return text
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY))
    return text.lower() if recipe.lowercase else text


def _join_phrases(words: list[PlacedWord], pairs: frozenset[tuple[str, ...]]) -> list[PlacedWord]:
    """Join phrases greedily from the left."""
    joined: list[PlacedWord] = []
    position = 0
    while position < len(words):
        here = words[position : position + 2]
        pair = tuple(word for _, _, word in here)
        is_phrase = pair in pairs
        joined.append((here[0][0], here[1][1], "_".join(pair)) if is_phrase else here[0])
        position += 2 if is_phrase else 1
    return joined


@lru_cache(maxsize=16)
def lemma_of_form(lemma_list: tuple[str, ...]) -> Mapping[str, str]:
    """Return the lemma of every form of a list."""
    parted = (pair.partition(LEMMA_SIGN) for pair in lemma_list)
    return {form: lemma for form, _, lemma in parted}


@lru_cache(maxsize=16)
def phrase_pairs(phrase_list: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return the pairs of words that a list of phrases joins."""
    return frozenset(tuple(phrase.split("_")) for phrase in phrase_list if phrase.count("_") == 1)


@lru_cache(maxsize=16)
def _word_set(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


@lru_cache(maxsize=16)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def check_recipe(recipe: Recipe) -> None:
    """Refuse a recipe that cannot be followed.

    Raises
    ------
    InputError
        For a pattern that cannot be followed (see `check_pattern`), limits out of range, or limits
        that leave no room between them.
    """
    check_pattern(recipe.token_pattern, PATTERNS.values())
    if any(pair.count(LEMMA_SIGN) != 1 for pair in recipe.lemma_list):
        raise InputError("the recipe is damaged at lemma_list; import the corpus again")
    if recipe.lemmas and not find_languages(recipe.lemmas):
        raise InputError(f"there are no lemmas for {recipe.lemmas!r}; name a language")
    for name, limit in (("min_df", recipe.min_df), ("max_df", recipe.max_df)):
        is_share = isinstance(limit, float)
        if not (0 <= limit <= 1 if is_share else limit >= 1):
            raise InputError(
                f"{name} is {limit}; expected a whole number of documents from 1 "
                "or a share between 0.0 and 1.0"
            )
    if type(recipe.min_df) is type(recipe.max_df) and recipe.min_df > recipe.max_df:
        raise InputError(
            f"min_df {recipe.min_df} is above max_df {recipe.max_df}; no word can satisfy both"
        )
    if not (isinstance(recipe.max_vocabulary, int) and recipe.max_vocabulary >= 1):
        raise InputError(
            f"max_vocabulary is {recipe.max_vocabulary}; expected a whole number from 1"
        )


def recipe_to_dict(recipe: Recipe) -> dict[str, Any]:
    """Return the recipe as plain values for JSON."""
    values = asdict(recipe)
    return {name: value for name, value in values.items() if value or name not in ADDED}


def recipe_from_dict(values: Mapping[str, Any]) -> Recipe:
    """Build a recipe from plain values, as read from JSON.

    Raises
    ------
    InputError
        If a value is missing, unknown, of the wrong type or out of range.
    """
    blank = matrix_recipe()
    expected = {entry.name: getattr(blank, entry.name) for entry in fields(Recipe)}
    values = {**{name: expected[name] for name in ADDED}, **values}
    if set(values) != set(expected):
        odd = sorted(set(values) ^ set(expected))
        raise InputError(f"the recipe is damaged at {', '.join(odd)}; import the corpus again")
    checked: dict[str, Any] = {}
    for name, example in expected.items():
        checked[name] = _checked_value(name, values[name], example)
    recipe = replace(blank, **checked)
    check_recipe(recipe)
    return recipe


def _checked_value(name: str, value: Any, example: Any) -> Any:
    if isinstance(example, tuple):
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            return tuple(value)
    elif isinstance(example, bool | str):
        if isinstance(value, type(example)):
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise InputError(f"the recipe is damaged at {name}; import the corpus again")
