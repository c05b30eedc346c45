"""The recipe: how a text becomes tokens, stored so that a query is tokenized in the same way."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from numbers import Integral, Real
from typing import Any

from ..utils.errors import InputError
from .line_ends import join_line_ends
from .segments import divide
from .spelling import DOTLESS, Step, folded, spelling_steps
from .stop_words import LANGUAGES, english_stop_words, find_languages, resolve_stop_words
from .word_patterns import (
    TOKEN_PATTERN,
    check_pattern,
    compiled,
    compiled_for_ascii,
)

# The words of a ready-made vocabulary; equivalent to ``str.split``.
_NOT_SPACE = r"\S+"
# Languages whose rules apply are detected in the texts.
AUTO = "auto"
# Languages that a recipe can name.
CASE_LANGUAGES = (*sorted({*LANGUAGES, *DOTLESS}),)
SEGMENTERS = (AUTO, "icu", "none", "")
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
        Regular expression; each match in the normalized text is a word. With
        ``CHARACTER_PATTERN``, each character of Chinese and Japanese is a word, and words of
        several characters arise as phrases. Other patterns must pass `check_pattern`.
    stop_words : tuple of str
        Words that are left out. A string is a choice of `resolve_stop_words`, such as "german".
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
    strip_markup : bool
        Remove tags, web addresses and user names, and read codes such as ``&amp;`` and
        ``(cid:12)`` as their characters. It does not apply to a query.
    text_columns : tuple of str
        Columns of the source that were joined to form the texts, in this order; only a record for a
        later import.
    fold : bool
        Replace compatibility forms, and remove vowel marks of Arabic and points of Hebrew; see
        `spelling_steps`. False in recipes of earlier versions.
    languages : str
        Languages, with commas between them, whose rules of case and elision apply. "auto" stands
        for the languages of the stop words, if they are given by name, or else for the languages
        that the import recognises.
    segmenter : str
        "icu" divides texts of languages without blanks between words, "none" does not, and "auto"
        divides them if the package icu4py is installed. CHARACTER_PATTERN is never divided further.
    segments : tuple of str
        Words of these languages that the segmenter found. If given, texts and queries are divided
        by this list, and no segmenter is needed.
    join_line_ends : bool
        Join a word that is divided by a hyphen at the end of a line, if it occurs undivided.
    line_ends : tuple of str
        The words to be joined, with the hyphen. If given, no others are looked up.
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
    strip_markup: bool = False
    text_columns: tuple[str, ...] = ()
    fold: bool = True
    languages: str = AUTO
    segmenter: str = AUTO
    segments: tuple[str, ...] = ()
    join_line_ends: bool = True
    line_ends: tuple[str, ...] = ()
    label_column: str = ""
    date_column: str = ""

    def __post_init__(self) -> None:
        """Resolve stop words by name, and refuse values of a wrong type with an InputError."""
        set_value = object.__setattr__
        if isinstance(self.stop_words, str):
            named = find_languages(self.stop_words)
            if named and self.languages == AUTO:
                set_value(self, "languages", ",".join(named))
            set_value(self, "stop_words", resolve_stop_words(self.stop_words))
        if isinstance(self.languages, str) and (codes := find_languages(self.languages)):
            set_value(self, "languages", ",".join(codes))
        for entry in fields(self):
            set_value(self, entry.name, _typed(entry.name, getattr(self, entry.name)))

    def column_title(self, column: str) -> str:
        """Name that a column of the corpus had in the source."""
        return {"label": self.label_column, "date": self.date_column}.get(column, "") or column

    def stored_column(self, title: str) -> str:
        """Name that a column of the source has in the corpus, the reverse of `column_title`."""
        return {self.date_column: "date", self.label_column: "label", "": ""}.get(title, title)

    def __repr__(self) -> str:
        """Values that differ from the default, shortened."""
        own = [(entry.name, getattr(self, entry.name)) for entry in fields(self)]
        default = Recipe()
        changed = [(name, value) for name, value in own if value != getattr(default, name)]
        return f"Recipe({', '.join(f'{name}={reprlib.repr(value)}' for name, value in changed)})"


# Fields that earlier versions do not have. An empty one is not stored, so that old recipes remain
# complete and new recipes that do not use these fields can be read by an older version.
ADDED = (
    "lemmas",
    "lemma_list",
    "strip_headers",
    "strip_quotes",
    "strip_markup",
    "text_columns",
    "label_column",
    "date_column",
    "fold",
    "languages",
    "segmenter",
    "segments",
    "join_line_ends",
    "line_ends",
)


def _typed(name: str, value: Any) -> Any:
    """Return a value of a recipe in the type of its field, or raise an InputError."""
    # Annotations are strings in this module.
    wanted = str(Recipe.__dataclass_fields__[name].type)
    if wanted == "bool" and isinstance(value, bool):
        return value
    if wanted == "str" and isinstance(value, str):
        return value
    if wanted in ("int", "int | float") and not isinstance(value, bool):
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Real) and wanted == "int | float":
            return float(value)
    if wanted.startswith("tuple") and isinstance(value, list | tuple | set | frozenset):
        words = tuple(sorted(value) if isinstance(value, set | frozenset) else value)
        if all(isinstance(word, str) for word in words):
            return words
    expected = {"bool": "True or False", "str": "a text", "int": "a whole number"}
    expected["int | float"] = "a number"
    raise InputError(
        f"{name} of the recipe is {reprlib.repr(value)}; expected "
        f"{expected.get(wanted, 'a list of texts')}"
    )


def matrix_recipe() -> Recipe:
    """Return the recipe of a ready-made matrix, which changes nothing."""
    return Recipe(
        lowercase=False,
        stop_words=(),
        phrases=False,
        min_df=1,
        max_df=1.0,
        matrix=True,
        fold=False,
        languages="",
        segmenter="",
        join_line_ends=False,
    )


def without_learned(recipe: Recipe) -> Recipe:
    """Return the recipe without what an import learned from its texts."""
    recipe = replace(
        recipe,
        phrase_list=(),
        lemma_list=(),
        text_columns=(),
        label_column="",
        date_column="",
        segments=(),
        line_ends=(),
    )
    if not recipe.fold:
        return recipe
    # Languages were named if their stop words were.
    named = find_languages(recipe.languages)
    is_named = bool(named) and recipe.stop_words == resolve_stop_words(",".join(named))
    is_kept = is_named and named != ("english",)
    return replace(
        recipe,
        languages=recipe.languages if is_kept else AUTO,
        segmenter="none" if recipe.segmenter == "none" else AUTO,
    )


def tokenize(recipe: Recipe, text: str) -> list[str]:
    """Split a text into tokens, including repetitions, exactly as when the corpus was read."""
    return [word for _, _, word in place_tokens(recipe, normalised(recipe, text))]


def place_tokens(recipe: Recipe, read: str) -> list[PlacedWord]:
    """Tokens of a normalized text, including repetitions, with their begin and end in it."""
    if recipe.matrix:
        return [(match.start(), match.end(), match[0]) for match in re.finditer(_NOT_SPACE, read)]
    words = _place_words(recipe, read)
    if recipe.lemmas and recipe.lemma_list:
        lemma_of = lemma_of_form(recipe.lemma_list)
        words = [(begin, end, lemma_of.get(word, word)) for begin, end, word in words]
    if recipe.phrases and recipe.phrase_list:
        words = _join_phrases(words, phrase_pairs(recipe.phrase_list))
    stop_words = stop_set(recipe)
    return [word for word in words if word[2].lower() not in stop_words]


def _place_words(recipe: Recipe, read: str) -> list[PlacedWord]:
    """All words of a normalized text, before lemmas and phrases."""
    pattern = _pattern_for(recipe, read)
    words = [(match.start(), match.end(), match[0]) for match in pattern.finditer(read)]
    if recipe.segments and not read.isascii():
        words = divide(words, recipe.segments)
    if recipe.line_ends:
        words = join_line_ends(words, read, recipe.line_ends)
    return words


def word_spans(recipe: Recipe, read: str) -> list[tuple[int, int]]:
    """Begin and end of all words of a normalized text, including stop words."""
    return [(begin, end) for begin, end, _ in _place_words(recipe, read)]


def _pattern_for(recipe: Recipe, read: str) -> Any:
    return (compiled_for_ascii if read.isascii() else compiled)(recipe.token_pattern)


def split_words(recipe: Recipe, text: str) -> list[str]:
    """All words of a text in order, including stop words, before lemmas and phrases.

    Faster than `place_tokens`, for whole corpora.
    """
    text = normalised(recipe, text)
    pattern = _pattern_for(recipe, text)
    if pattern.groups or recipe.segments or recipe.line_ends:
        return [word for _, _, word in _place_words(recipe, text)]
    words: list[str] = pattern.findall(text)
    return words


def steps_of(recipe: Recipe) -> Sequence[Step]:
    """Steps from a text to its normal form."""
    return spelling_steps(recipe.lowercase, named_languages(recipe), recipe.fold)


def named_languages(recipe: Recipe) -> tuple[str, ...]:
    """Languages whose rules apply; empty if they are not recognised yet."""
    return () if recipe.languages in ("", AUTO) else tuple(recipe.languages.split(","))


def normalised(recipe: Recipe, text: str) -> str:
    """Text with one spelling of letters, punctuation and case, ready to be split into words."""
    if recipe.matrix:
        return text
    return folded(text, recipe.lowercase, named_languages(recipe), recipe.fold)


def stop_set(recipe: Recipe) -> frozenset[str]:
    """Stop words in lower case, as they were given and as the recipe reads them."""
    return _stop_set(recipe.stop_words, named_languages(recipe), recipe.fold)


@lru_cache(maxsize=16)
def _stop_set(words: tuple[str, ...], languages: tuple[str, ...], fold: bool) -> frozenset[str]:
    if not fold:
        return frozenset(words)
    read = {word.strip() for word in folded("\n".join(words), True, languages).split("\n")}
    # Where capitals stay, they are put in lower case without the rules of a language.
    capitals = {"i": "i\u0307", "\u0131": "i"} if languages[:1] in (("turkish",),) else {}
    capital = {capitals[word[0]] + word[1:] for word in read if word[:1] in capitals}
    return frozenset((*words, *read, *capital))


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


def check_recipe(recipe: Recipe) -> None:
    """Refuse a recipe that is not valid.

    Raises InputError if the pattern is refused (see `check_pattern`), or limits are out of range or
    contradict each other.
    """
    check_pattern(recipe.token_pattern)
    if not all(name in CASE_LANGUAGES for name in named_languages(recipe)):
        raise InputError(
            f"the recipe has no rules for the language {recipe.languages!r}; take "
            f"{', '.join(CASE_LANGUAGES)}, or auto"
        )
    if recipe.segmenter not in SEGMENTERS:
        raise InputError(f"there is no segmenter {recipe.segmenter!r}; take icu, none or auto")
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
