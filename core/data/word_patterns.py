r"""Patterns of words, and refusal of patterns that could take extremely long.

A letter is a letter of any script, with the marks that follow it (accents, vowel signs) and the
joiners between letters. A recipe may come from anywhere, and a regular expression can take
exponential time on a single line. `check_pattern` therefore accepts only Orrery's own patterns and
patterns that run in linear time: a sequence of single characters, of which only the last may be
repeated or have alternatives, and a few may be optional.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import regex

from ..utils.errors import InputError

# Syntax that ``regex`` and JavaScript have in common: the offline explorer uses the same patterns.
_INNER = r"[\p{L}\p{M}\p{N}]"
# Between letters: joiners, the middle dot of Catalan's "col·legi", and Hebrew gershayim.
_JOINED = rf"(?:[\u200c\u200d]|(?<=[lL])\u00b7(?=[lL])|\u05f4)(?={_INNER})"
_NOT_POSSESSIVE = r"(?![sS](?![\p{L}\p{M}\p{N}]))"


def _words_of_letters(but: str = "") -> str:
    """Pattern of two or more letters, with digits after the first ("mp3"), without those in `but`.

    An apostrophe inside a word belongs to it, except for the possessive 's. A hyphen divides words,
    except after a single letter ("x-ray", "e-mail"). One letter with a vowel sign is a word.
    """
    apart = rf"(?!{but})" if but else ""
    letter = rf"{apart}[\p{{L}}\p{{Nl}}]"
    more = rf"(?:{apart}{_INNER}|{_JOINED})"
    not_inside_a_word = rf"(?<!{apart}[\p{{L}}\p{{N}}])"
    return (
        rf"{not_inside_a_word}{letter}"
        rf"(?:{more}+|(?<!-.)['-]{_NOT_POSSESSIVE}{letter}{more}*)(?:'{_NOT_POSSESSIVE}{more}+)*"
    )


TOKEN_PATTERN = _words_of_letters()
HAN, HIRAGANA, KATAKANA = r"\p{sc=Han}", r"\p{sc=Hiragana}", r"[\p{sc=Katakana}\u30fc]"
# Each Chinese character by itself, each run of kana, and other words as above.
CHARACTER_PATTERN = (
    f"{HAN}|{HIRAGANA}+|{KATAKANA}+|{_words_of_letters(f'(?:{HAN}|{HIRAGANA}|{KATAKANA})')}"
)
# Earlier versions used the name "signs" for characters.
PATTERNS = {
    "words": TOKEN_PATTERN,
    "characters": CHARACTER_PATTERN,
    "signs": CHARACTER_PATTERN,
}


def _earlier_words(but: str = "") -> str:
    letter = rf"[^\W\d_{but}]"
    inner = rf"(?:[^\W_{but}]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963])"
    not_possessive = r"(?![sS](?![^\W_]))"
    return (
        rf"(?<![^\W_{but}]){letter}"
        rf"(?:{inner}+|(?<!-.)['-]{not_possessive}{letter}{inner}*)(?:'{not_possessive}{inner}+)*"
    )


# Letters by lists of scripts, in recipes that were saved before version 0.3. They are compiled by
# ``re``, whose \w differs from ``regex``. On texts in ASCII, both definitions give the same words.
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096", "\u30a1-\u30fa\u30fc"
EARLIER_TOKEN_PATTERN = _earlier_words()
EARLIER_CHARACTER_PATTERN = (
    f"[{_HAN}]|[{_KANA[0]}]+|[{_KANA[1]}]+|{_earlier_words(_HAN + _KANA[0] + _KANA[1])}"
)
EARLIER_PATTERNS = {"words": EARLIER_TOKEN_PATTERN, "characters": EARLIER_CHARACTER_PATTERN}
# Characters of scripts without spaces between words, in the syntax of ``re``: Han, kana, Thai, Lao,
# Burmese and Khmer.
SPACELESS = rf"[{_HAN}{_KANA[0]}{_KANA[1]}\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]"


@lru_cache(maxsize=32)
def compiled(pattern: str) -> Any:
    """Return the compiled pattern of words, by the library that its syntax is made for."""
    return regex.compile(pattern) if pattern in PATTERNS.values() else re.compile(pattern)


@lru_cache(maxsize=32)
def compiled_for_ascii(pattern: str) -> Any:
    """Return a compiled pattern that gives the same words on a text in ASCII, and is faster."""
    if pattern in PATTERNS.values():
        pattern = EARLIER_TOKEN_PATTERN
    return re.compile(pattern)


def _earlier_in_browser(but: str = "") -> str:
    """Earlier pattern of words in the syntax of JavaScript."""
    apart = rf"(?![{but}])" if but else ""
    letter = rf"{apart}[\p{{L}}\p{{Nl}}\p{{No}}]"
    marks = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963"
    inner = rf"(?:{apart}[\p{{L}}\p{{N}}{marks}])"
    not_possessive = r"(?![sS](?![\p{L}\p{N}]))"
    return (
        rf"(?<!{apart}[\p{{L}}\p{{N}}]){letter}"
        rf"(?:{inner}+|(?<!-.)['-]{not_possessive}{letter}{inner}*)(?:'{not_possessive}{inner}+)*"
    )


_IN_BROWSER = {
    EARLIER_TOKEN_PATTERN: _earlier_in_browser(),
    EARLIER_CHARACTER_PATTERN: f"[{_HAN}]|[{_KANA[0]}]+|[{_KANA[1]}]+|"
    + _earlier_in_browser(_HAN + _KANA[0] + _KANA[1]),
    **{pattern: pattern for pattern in PATTERNS.values()},
}


def browser_pattern(pattern: str) -> str:
    """Pattern in the syntax of JavaScript, for the offline explorer.

    Where a recipe has a pattern of its own, the explorer splits a query into words of letters.
    """
    return _IN_BROWSER.get(pattern, TOKEN_PATTERN)


# scikit-learn's default pattern; its word boundaries end every repetition where it must end.
_WELL_KNOWN = frozenset({r"(?u)\b\w\w+\b", r"\b\w\w+\b"})
# Hashes of patterns of earlier versions.
_EARLIER = frozenset({"6b7af368bc6d1a64d015e7e4bb8a08fb8f1262a9907f09b4931e1d5732375dfd"})
_SINGLE = frozenset({kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY, kinds.AT})
# Characters that a repetition may require, and characters of a pattern; from each position of a
# text, up to this number of characters may be read without a match.
MAX_REQUIRED, MAX_PATTERN = 100, 1_000
# Optional characters before the end of a pattern; each doubles the ways to match.
MAX_OPTIONAL = 3


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that is not known to run in linear time; Orrery's own are accepted.

    Raises InputError if it is not a regular expression, matches the empty text, or may take
    exponential time.
    """
    digest = sha256(pattern.encode("utf-8", "surrogatepass")).hexdigest()
    own = (*PATTERNS.values(), *EARLIER_PATTERNS.values())
    if pattern in own or pattern in _WELL_KNOWN or digest in _EARLIER:
        return
    try:
        parsed = parser.parse(pattern)
        is_short = len(pattern) <= MAX_PATTERN
        is_linear = is_short and _is_linear(parsed, is_last=True)
        is_linear = is_linear and _n_optional(parsed) <= MAX_OPTIONAL
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
    """Whether each part of a parsed pattern, except the last, takes at most one character."""
    return all(
        kind in _SINGLE or _may_be(kind, value, is_last and position == len(parts) - 1)
        for position, (kind, value) in enumerate(parts)
    )


def _may_be(kind: Any, value: Any, is_last: bool) -> bool:
    """Whether a compound part is allowed, at the end of the pattern or before it."""
    if kind is kinds.SUBPATTERN:
        return _is_linear(value[-1], is_last)
    if kind is kinds.BRANCH:
        return is_last and all(_is_linear(parts, is_last) for parts in value[1])
    if kind is kinds.MAX_REPEAT:
        required, most, repeated = value
        is_single = len(repeated) == 1 and repeated[0][0] in _SINGLE
        return is_single and ((is_last and required <= MAX_REQUIRED) or (required, most) == (0, 1))
    return False


def _n_optional(parts: Any) -> int:
    """Number of optional characters in a parsed pattern that has the form of `_is_linear`."""
    count = 0
    for kind, value in parts:
        if kind is kinds.SUBPATTERN:
            count += _n_optional(value[-1])
        elif kind is kinds.BRANCH:
            count += sum(map(_n_optional, value[1]))
        elif kind is kinds.MAX_REPEAT:
            count += value[:2] == (0, 1)
    return count
