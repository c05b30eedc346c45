"""The recipe: how a text becomes tokens, stored so that a query is tokenized in the same way.

A recipe may come from anywhere, and a regular expression can take exponential time on a single
line. `check_pattern` therefore accepts only Orrery's own patterns and patterns that run in linear
time: a sequence of single characters, of which only the last may be repeated or have alternatives.
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

# scikit-learn's default pattern; its word boundaries end every repetition where it must end.
_WELL_KNOWN = frozenset({r"(?u)\b\w\w+\b", r"\b\w\w+\b"})
# Hashes of patterns of earlier versions.
_EARLIER = frozenset({"6b7af368bc6d1a64d015e7e4bb8a08fb8f1262a9907f09b4931e1d5732375dfd"})
_SINGLE = frozenset({kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY, kinds.AT})
# Characters that a repetition may require, and characters of a pattern; from each position of a
# text, up to this number of characters may be read without a match.
MAX_REQUIRED, MAX_PATTERN = 100, 1_000


def check_pattern(pattern: str, own: Iterable[str]) -> None:
    """Refuse a pattern that is not known to run in linear time; those in ``own`` are accepted.

    Raises InputError if it is not a regular expression, matches the empty text, or may take
    exponential time.
    """
    digest = sha256(pattern.encode("utf-8", "surrogatepass")).hexdigest()
    if pattern in own or pattern in _WELL_KNOWN or digest in _EARLIER:
        return
    try:
        is_short = len(pattern) <= MAX_PATTERN
        is_linear = _is_linear(parser.parse(pattern), is_last=True) and is_short
        matches_empty = is_linear and re.compile(pattern).match("") is not None
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"the token pattern is not a regular expression: {error}") from None
    if not is_linear:
        raise InputError(
            "the token pattern could take extremely long on some texts; use a sequence of a few "
            r"characters of which only the last may be repeated, as in \w\w+"
        )
    if matches_empty:
        raise InputError("the token pattern matches the empty text; require at least one character")


def _is_linear(parts: Any, is_last: bool) -> bool:
    """Whether each part of a parsed pattern, except the last of all, takes one character."""
    return all(
        kind in _SINGLE or _may_end(kind, value, is_last and position == len(parts) - 1)
        for position, (kind, value) in enumerate(parts)
    )


def _may_end(kind: Any, value: Any, is_last: bool) -> bool:
    """Whether a compound part is allowed, at the end of the pattern or before it."""
    if kind is kinds.SUBPATTERN:
        return _is_linear(value[-1], is_last)
    if kind is kinds.BRANCH:
        return is_last and all(_is_linear(parts, is_last) for parts in value[1])
    if kind is kinds.MAX_REPEAT:
        required, _, repeated = value
        is_single = len(repeated) == 1 and repeated[0][0] in _SINGLE
        return is_last and is_single and required <= MAX_REQUIRED
    return False


# Characters of scripts without spaces between words. Han includes the iteration mark, which repeats
# the preceding character, and two characters with the role of an ideograph.
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA, _KATAKANA = "\u3041-\u3096", "\u30a1-\u30fa\u30fc"
SPACELESS = f"[{_HAN}{_HIRAGANA}{_KATAKANA}]"
_NOT_POSSESSIVE = r"(?![sS](?![^\W_]))"


def _words_of_letters(but: str = "") -> str:
    """Pattern of two or more letters, with digits after the first ("mp3"), without those in `but`.

    An apostrophe inside a word belongs to it, except for the possessive 's. A hyphen divides words,
    except after a single letter ("x-ray", "e-mail").
    """
    # A letter of any script, and the accents and vowel signs that may follow it.
    letter = rf"[^\W\d_{but}]"
    inner = rf"(?:[^\W_{but}]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963])"
    not_inside_a_word = rf"(?<![^\W_{but}])"
    return (
        rf"{not_inside_a_word}{letter}"
        rf"(?:{inner}+|(?<!-.)['-]{_NOT_POSSESSIVE}{letter}{inner}*)(?:'{_NOT_POSSESSIVE}{inner}+)*"
    )


TOKEN_PATTERN = _words_of_letters()
# Each Chinese character by itself, each run of kana, and other words as above.
CHARACTER_PATTERN = (
    f"[{_HAN}]|[{_HIRAGANA}]+|[{_KATAKANA}]+|{_words_of_letters(_HAN + _HIRAGANA + _KATAKANA)}"
)
# The words of a ready-made vocabulary; equivalent to ``str.split``.
_NOT_SPACE = r"\S+"
# Earlier versions used the name "signs" for characters.
PATTERNS = {
    "words": TOKEN_PATTERN,
    "characters": CHARACTER_PATTERN,
    "signs": CHARACTER_PATTERN,
}
# Typographic apostrophes and hyphens become those of a keyboard; soft hyphens are removed.
_TYPOGRAPHY = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None})

# Separator between a form and its lemma.
LEMMA_SEPARATOR = "="

# Begin and end of a word in the text, and the word.
PlacedWord = tuple[int, int, str]


@dataclass(frozen=True)
class Recipe:
    """Conversion of texts to tokens, and choice of the vocabulary.

    Attributes
    ----------
    lowercase : bool
    token_pattern : str
        Regular expression; each match in the normalized text is a word. Use ``SIGN_PATTERN`` for
        Chinese and Japanese, where words of several characters arise as phrases. Other patterns
        must pass `check_pattern`.
    stop_words : tuple of str
        Words that are left out, in lower case.
    phrases : bool
        Join frequent pairs of neighbouring words with ``_``.
    phrase_list : tuple of str
        Phrases of the corpus. If given, they are applied and no phrases are learned.
    min_df, max_df : int or float
        A word of the vocabulary is in at least ``min_df`` and at most ``max_df`` documents; a float
        is a share of the documents.
    max_vocabulary : int
        Largest size of the vocabulary; words in most documents are kept.
    matrix : bool
        The vocabulary is ready-made: a query is only split at white space.
    lemmas : str
        Languages, with commas between them, whose word forms are replaced by lemmas ("stars" by
        "star"); empty for no lemmas.
    lemma_list : tuple of str
        Forms that occur in the corpus, each as ``form=lemma``. If given, they are applied and not
        looked up, so that a query needs no dictionary and is read like the texts.
    strip_headers, strip_quotes : bool
        Reduce the header of a post or mail to its subject; remove quotations and signatures. They
        do not apply to a query.
    text_columns : tuple of str
        Columns of the source that were joined to form the texts, in this order; only a record for a
        later import.
    label_column, date_column : str
        Columns of the source that became ``label`` and ``date``, as a record for pages; empty if
        they had these names already.
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
    label_column: str = ""
    date_column: str = ""

    def column_title(self, column: str) -> str:
        """Name that a column of the corpus had in the source."""
        return {"label": self.label_column, "date": self.date_column}.get(column, "") or column

    def __repr__(self) -> str:
        """Values that differ from the default, shortened."""
        own = [(entry.name, getattr(self, entry.name)) for entry in fields(self)]
        default = Recipe()
        changed = [(name, value) for name, value in own if value != getattr(default, name)]
        return f"Recipe({', '.join(f'{name}={reprlib.repr(value)}' for name, value in changed)})"


# Fields that earlier versions do not have. An empty one is not stored, so that old recipes remain
# complete and new recipes that do not use these fields can be read by an older version.
ADDED = (
    *("lemmas", "lemma_list", "strip_headers", "strip_quotes"),
    *("text_columns", "label_column", "date_column"),
)


def matrix_recipe() -> Recipe:
    """Return the recipe of a ready-made matrix, which changes nothing."""
    return Recipe(lowercase=False, stop_words=(), phrases=False, min_df=1, max_df=1.0, matrix=True)


def tokenize(recipe: Recipe, text: str) -> list[str]:
    """Split a text into tokens, including repetitions, exactly as when the corpus was read."""
    return [word for _, _, word in place_tokens(recipe, normalised(recipe, text))]


def place_tokens(recipe: Recipe, read: str) -> list[PlacedWord]:
    """Tokens of a normalized text, including repetitions, with their begin and end in it."""
    pattern = re.compile(_NOT_SPACE if recipe.matrix else recipe.token_pattern)
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
    """All words of a text in order, including stop words, before lemmas and phrases.

    Faster than `place_tokens`, for whole corpora.
    """
    text = normalised(recipe, text)
    pattern = re.compile(recipe.token_pattern)
    if pattern.groups:
        return [match[0] for match in pattern.finditer(text)]
    return pattern.findall(text)


def normalised(recipe: Recipe, text: str) -> str:
    """Text with one spelling of letters, punctuation and case, ready to be split into words."""
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
    """Return the lemma of each form in a list."""
    parted = (pair.partition(LEMMA_SEPARATOR) for pair in lemma_list)
    return {form: lemma for form, _, lemma in parted}


@lru_cache(maxsize=16)
def phrase_pairs(phrase_list: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return the pairs of words that form phrases."""
    return frozenset(tuple(phrase.split("_")) for phrase in phrase_list if phrase.count("_") == 1)


@lru_cache(maxsize=16)
def _word_set(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


def check_recipe(recipe: Recipe) -> None:
    """Refuse a recipe that is not valid.

    Raises InputError if the pattern is refused (see `check_pattern`), or limits are out of range or
    contradict each other.
    """
    check_pattern(recipe.token_pattern, PATTERNS.values())
    if any(pair.count(LEMMA_SEPARATOR) != 1 for pair in recipe.lemma_list):
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
    """Return the recipe as values for JSON."""
    values = asdict(recipe)
    return {name: value for name, value in values.items() if value or name not in ADDED}


def recipe_from_dict(values: Mapping[str, Any]) -> Recipe:
    """Build a recipe from values read from JSON.

    Raises InputError if a value is missing, unknown, of the wrong type or out of range.
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
