r"""Normal form of a text: one spelling of a word, whatever its keyboard, font, marks or case.

The normal form is a sequence of steps, and the offline explorer (``text.js``) repeats the same
sequence in the browser. Patterns are therefore in the syntax that Python's ``regex`` and JavaScript
have in common. Characters are described by properties of Unicode.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

# Apostrophes and hyphens of print become the characters of a keyboard; soft hyphens are removed.
TYPOGRAPHY = {"\u2019": "'", "\u2010": "-", "\u2011": "-", "\u00ad": ""}
# Before compatibility forms are replaced, which would make an accent and letters of these.
_BEFORE = {"\u00b4": "'", "\u2120": " ", "\u2122": " "}
# Apostrophes: quotation mark, modifier letter, Hebrew geresh. Arabic tatweel lengthens a line.
_AFTER = {
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u05f3": "'",
    "\u2010": "-", "\u2011": "-", "\u0640": "",
}  # fmt: skip
# Sequences with one letter of their own: Thai and Lao am, and Lao no and mo, which compatibility
# forms divide, and the final consonants of Malayalam.
_COMPOSED = {
    "\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3",
    "\u0eab\u0e99": "\u0edc", "\u0eab\u0ea1": "\u0edd",
    "\u0d23\u0d4d\u200d": "\u0d7a", "\u0d28\u0d4d\u200d": "\u0d7b", "\u0d30\u0d4d\u200d": "\u0d7c",
    "\u0d32\u0d4d\u200d": "\u0d7d", "\u0d33\u0d4d\u200d": "\u0d7e", "\u0d15\u0d4d\u200d": "\u0d7f",
}  # fmt: skip
# A soft hyphen at the end of a line divides a word.
_SOFT_HYPHEN_AT_LINE_END = r"\u00ad(?=[ \t]*\r?\n)"
# Characters without a shape, such as marks of direction. Joiners and the space of no width stay.
_INVISIBLE = r"(?![\u200b-\u200d])\p{Default_Ignorable_Code_Point}"
# Points of Hebrew, and vowel marks of Arabic and marks of recitation.
_POINTS = (
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"
)
_REPEATED_JOINER = r"(?<=[\u200c\u200d])[\u200c\u200d]+"
# An i has one dot, also below an accent (Lithuanian), and also as the small letter of İ.
_SECOND_DOT = r"(?<=[ij\u012f])\u0307"
# The quotation mark of a keyboard in an abbreviation ("צה"ל").
_GERSHAYIM = r'(?<=\p{sc=Hebrew})"(?=\p{sc=Hebrew}(?!\p{L}))'

# Languages in which the capital of ı is I, and the capital of i is İ.
DOTLESS = ("turkish", "azerbaijani")
_DOTLESS_CASE = {"I": "\u0131", "\u0130": "i"}
# Letters that are typed for another, because old keyboards and fonts lack it.
_LETTERS = {
    "persian": {"\u064a": "\u06cc", "\u0649": "\u06cc", "\u0643": "\u06a9"},
    "romanian": {"\u015f": "\u0219", "\u0163": "\u021b", "\u015e": "\u0218", "\u0162": "\u021a"},
}
# Words that lose their last vowel before another word: "l'examen".
ELIDED = {
    "catalan": "d l m n s t",
    "french": "c d j jusqu l lorsqu m n puisqu qu quoiqu s t",
    "italian": "agl alcun all anch c ciascun coll com cos d dagl dall degl dell dov gl l m negl "
    "nell nessun nient quand quant quell quest s senz sugl sull t tant tutt un v",
}  # fmt: skip
# Pronouns after a Catalan verb ("veure'l"), and other signs for its middle dot.
_ENCLITIC = r"(?<=\p{L})'(?:ls|ns|l|m|n|s|t)(?![\p{L}\p{M}\p{N}'])"
_MIDDLE_DOT = r"(?<=[lL])[.\u2022\u2219\u22c5](?=[lL])"


@dataclass(frozen=True)
class Step:
    """One step to the normal form.

    Attributes
    ----------
    kind : str
        ``nfkc`` replaces compatibility forms, ``lower`` capitals, and ``replace`` each match of a
        pattern; ``blank`` replaces each match by as many spaces.
    pattern : str
    becomes : tuple of pairs of str
        Matches and their replacements; other matches are removed.
    with_ascii : bool
        Whether the step can change a text in ASCII.
    """

    kind: str
    pattern: str = ""
    becomes: tuple[tuple[str, str], ...] = ()
    with_ascii: bool = False

    @property
    def apply(self) -> Callable[[str], str]:
        """Function from a text to the text after this step."""
        return _function(self)


@cache
def _function(step: Step) -> Callable[[str], str]:
    if step.kind == "nfkc":
        return lambda text: unicodedata.normalize("NFKC", text)
    if step.kind == "lower":
        return str.lower
    found = regex.compile(step.pattern, regex.IGNORECASE * (step.kind == "blank"))
    if step.kind == "blank":
        return lambda text: found.sub(lambda match: " " * len(match[0]), text)
    replacement = dict(step.becomes)
    return lambda text: found.sub(lambda match: replacement.get(match[0], ""), text)


@lru_cache(maxsize=64)
def spelling_steps(
    lowercase: bool, languages: tuple[str, ...], fold: bool = True
) -> Sequence[Step]:
    """Steps from a text to its normal form.

    Parameters
    ----------
    lowercase : bool
    languages : tuple of str
        Languages of the texts, the most frequent first, which determines case.
    fold : bool
        False for the normal form of earlier versions.
    """
    lower = [Step("lower", with_ascii=True)] if lowercase else []
    if not fold:
        return (_replacing(TYPOGRAPHY), Step("nfkc"), *lower)
    steps = [
        Step("replace", _SOFT_HYPHEN_AT_LINE_END, (("\u00ad", "-"),)),
        _replacing(_BEFORE),
        Step("replace", _INVISIBLE),
        Step("nfkc"),
        _replacing(_AFTER),
        Step("replace", _POINTS),
        Step("replace", _GERSHAYIM, (('"', "\u05f4"),)),
    ]
    if lowercase:
        if languages[:1] and languages[0] in DOTLESS:
            steps.append(_replacing(_DOTLESS_CASE, with_ascii=True))
        steps += [*lower, Step("replace", _SECOND_DOT), Step("nfkc")]
    steps += [
        _replacing(_COMPOSED),
        Step("replace", _REPEATED_JOINER),
    ]
    for language in languages:
        if language in _LETTERS and language == languages[0]:
            steps.append(_replacing(_LETTERS[language]))
        if language == "catalan":
            dots = tuple((sign, "\u00b7") for sign in ".\u2022\u2219\u22c5")
            steps.append(Step("replace", _MIDDLE_DOT, dots, with_ascii=True))
            steps.append(Step("blank", _ENCLITIC, with_ascii=True))
        if language in ELIDED:
            steps.append(Step("blank", _elision(language), with_ascii=True))
    return tuple(steps)


def _elision(language: str) -> str:
    """Pattern of elided words before a letter, at the beginning of a word."""
    words = "|".join(ELIDED[language].split())
    return rf"(?<![\p{{L}}\p{{M}}\p{{N}}'])(?:(?:{words})')+(?=\p{{L}})"


def _replacing(table: dict[str, str], with_ascii: bool = False) -> Step:
    """Step that replaces the keys of a table by their values."""
    return Step("replace", "|".join(table), tuple(table.items()), with_ascii)


def folded(
    text: str, lowercase: bool = True, languages: tuple[str, ...] = (), fold: bool = True
) -> str:
    """Normal form of a text; see `spelling_steps`."""
    is_ascii = text.isascii()
    for step in spelling_steps(lowercase, languages, fold):
        if step.with_ascii or not is_ascii:
            text = step.apply(text)
    return text
