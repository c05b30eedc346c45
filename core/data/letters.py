"""Log-likelihood of texts in languages, from their letters and stop words.

A decoder compares texts that one file could hold: the right one has words of a language, and the
others have signs and foreign letters within words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from ..utils.types import BoolArray, FloatArray, Int64Array

_GREEK = "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"
_RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةى"
_MARKS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0640"
# Letters outside ASCII of each language, by its code in stopwords-iso. Lists of stop words lack
# rare letters, and some contain words that were decoded wrongly.
ALPHABETS = {
    "af": "áéèêëíïîóôöúûü",
    "ar": _ARABIC + _MARKS,
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "br": "âàêèéñôùü",
    "ca": "àçèéíïòóúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøåéü",
    "de": "äöüßé",
    "el": _GREEK,
    "en": "éèïçêñöüàâáíóô",
    "eo": "ĉĝĥĵŝŭ",
    "es": "áéíñóúüºª",
    "et": "äõöüšž",
    "fa": "ابتثجحخدذرزسشصضطظعغفقلمنهوپچژکگیءآأؤئةكي\u200c۰۱۲۳۴۵۶۷۸۹" + _MARKS,
    "fi": "äöåšž",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "ga": "áéíóú",
    "gl": "áéíñóúüï",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "id": "é",
    "it": "àèéìíîòóùú",
    "ja": "",
    "ko": "",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "nl": "áéëèïóöüçú",
    "no": "æøåéòôàó",
    "pl": "ąćęłńóśźż",
    "pt": "áàâãçéêíóôõúüºª",
    "ro": "ăâîșțşţ",
    "ru": _RUSSIAN,
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšžć",
    "sv": "åäöéü",
    "th": "".join(map(chr, (*range(0xE01, 0xE3B), *range(0xE40, 0xE5B)))),
    "tr": "çğıöşüâîû",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "ur": "ابتثجحخدذرزسشصضطظعغفقكلمنوهيءآأؤئةىٹپچڈڑکگںھہیےۓۂ" + _MARKS,
    "vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "zh": "",
}
LANGUAGES = tuple(ALPHABETS)
# Rows of the common characters in the standards of Chinese, Japanese and Korean, as an encoding,
# first bytes and second bytes. Each language writes mostly these.
_IDEOGRAPHS = {
    "zh": (
        ("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF)),
        ("big5", range(0xA4, 0xC7), (*range(0x40, 0x7F), *range(0xA1, 0xFF))),
    ),
    "ja": (
        ("euc_jp", range(0xB0, 0xD0), range(0xA1, 0xFF)),
        ("euc_jp", range(0xA4, 0xA6), range(0xA1, 0xFF)),
    ),
    "ko": (("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF)),),
}
# Signs outside ASCII that are common in prose of all languages.
PROSE_SIGNS = frozenset(
    "“”‘’„‚«»‹›–—…•·°€£§©®™\xa0¿¡№、。，！？：；（）「」『』《》〈〉ー،؛؟।\u200e\u200f"
)
# Log-probability of a letter that a language uses, at least, and of one that it does not use.
RARE_LETTER, OTHER_LETTER = -8.5, -11.0
# Log-probability of a sign of prose, another sign, and a character that no text has.
PROSE_SIGN, OTHER_SIGN, NO_SIGN = -6.0, -11.0, -16.0
# For a capital after a small letter, of one after another, and of one at the beginning of a word.
INNER_CAPITAL, NEXT_CAPITAL, FIRST_CAPITAL = -5.0, -0.7, -2.0
# For a sign between two letters, in addition.
INNER_SIGN = -3.0
_INNER_SIGNS = re.compile(r"(?<=[^\W\d_])[„“”‘‚«»‹›…•°€£§©®™¿¡](?=[^\W\d_])")
# Weight of the frequencies of single letters in the frequencies of pairs, in occurrences.
SMOOTHING = 20.0
# Occurrences of a letter of the alphabet in addition to those in the stop words.
PSEUDO_COUNT = 3.0
# For a letter after a letter of another script.
OTHER_SCRIPT = -5.0
# Per letter, for words in ASCII in a language of another script.
FOREIGN_WORD = -3.3
# More than any code point of Unicode.
_N_CODES = 0x110000


class _Models(NamedTuple):
    """Frequencies of letters; each array has shape (n_languages,)."""

    single: dict[str, FloatArray]  # probability of each letter
    # Occurrences of pairs of letters in stop words, and of letters as the first one of a pair; a
    # blank ends a word.
    pairs: dict[str, FloatArray]
    first: dict[str, FloatArray]
    is_latin: BoolArray


class Scores(NamedTuple):
    """Fit of the lines of a text to the languages."""

    # Log-likelihood of each line in each language, shape (n_lines, n_languages).
    lines: FloatArray
    foreign: FloatArray  # characters that each language does not use, same shape
    n_foreign_total: int  # characters outside ASCII


@cache
def _models() -> _Models:
    from stopwordsiso import stopwords

    single_of, pairs_of, first_of = (
        defaultdict[str, FloatArray](lambda: np.zeros(len(LANGUAGES))) for _ in range(3)
    )
    models = _Models(single_of, pairs_of, first_of, np.zeros(len(LANGUAGES), bool))
    for number, (code, alphabet) in enumerate(ALPHABETS.items()):
        usual = _usual_characters(code)
        is_latin = not usual and _script(alphabet[0]) == "LATIN"
        models.is_latin[number] = is_latin
        allowed = {*_plain(alphabet), *usual, *map(chr, range(128))}
        counts = dict.fromkeys(
            _plain(alphabet) + (ascii_lowercase if is_latin else ""), PSEUDO_COUNT
        )
        single = Counter[str]()
        for word in map(_plain, stopwords(code)):
            if allowed.issuperset(word):
                letters = [c if _kind(c) == "letter" else " " for c in f" {word} "]
                single.update(letters[1:])
                for before, letter in pairwise(letters):
                    models.pairs[before + letter][number] += 1
                    models.first[before][number] += 1
        if usual:
            # A list of stop words has few of the characters; half of a text are others.
            counts = dict.fromkeys(usual, single.total() / len(usual))
        total = single.total() + sum(counts.values())
        for letter in {*single, *counts}:
            count = single[letter] + counts.get(letter, 0.0)
            models.single[letter][number] = count / total
    return models


@cache
def _usual_characters(code: str) -> frozenset[str]:
    """Common characters of a language without an alphabet."""
    return frozenset(
        character
        for encoding, firsts, seconds in _IDEOGRAPHS.get(code, ())
        for first in firsts
        for second in seconds
        for character in bytes((first, second)).decode(encoding, "ignore")
    )


def _plain(word: str) -> str:
    return "".join(map(_lower, unicodedata.normalize("NFC", word)))


@cache
def _kind(character: str) -> str:
    """Kind of a character: blank, letter, prose sign, other sign, or none of a text."""
    if character < "\x80":
        return "letter" if character.isalpha() else "blank"
    category = unicodedata.category(character)
    if category[0] in "LM" or category == "Nd" or character in "\u200c\u200d":
        return "other sign" if character in "ªº" else "letter"
    if character in PROSE_SIGNS:
        return "prose sign"
    # Lines and blocks of the old terminals occur in no prose.
    is_block = "\u2500" <= character <= "\u259f"
    return "none" if is_block or category in ("Cc", "Cn", "Co", "Cs") else "other sign"


@cache
def _script(character: str) -> str:
    """First word of the name of a letter, which is its script; Chinese and Japanese are one."""
    name = unicodedata.name(character, "").partition(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else name


@cache
def _lower(character: str) -> str:
    # Romanian has a comma below, for which old code pages have a cedilla.
    return _LOWER.get(character, character.lower()[0])


_LOWER = {"İ": "i", "ş": "ș", "Ş": "ș", "ţ": "ț", "Ţ": "ț"}
_NON_LETTER = {"prose sign": PROSE_SIGN, "other sign": OTHER_SIGN, "none": NO_SIGN}


@cache
def _pair_row(before: str, character: str) -> FloatArray:
    """Log-probability of a character after another in each language, shape (n_languages,)."""
    kind, kind_before = _kind(character), _kind(before)
    row = np.zeros(len(LANGUAGES))
    if kind == "blank" and kind_before != "letter":
        return row
    if kind in _NON_LETTER and character not in "ªº":
        row[:] = _NON_LETTER[kind]
        for number, alphabet in enumerate(ALPHABETS.values()):
            if character in alphabet:
                row[number] = PROSE_SIGN
        return row + (INNER_SIGN if kind_before == "letter" and kind != "prose sign" else 0.0)
    case = 0.0
    if character.isupper():
        is_inner = kind_before == "letter" and before.islower()
        after_capital = kind_before == "letter" and before.isupper()
        case = INNER_CAPITAL if is_inner else NEXT_CAPITAL if after_capital else FIRST_CAPITAL
    lower = " " if kind == "blank" else _lower(character)
    lower_before = _lower(before) if kind_before == "letter" else " "
    inner = INNER_SIGN if kind_before in ("other sign", "none") and kind == "letter" else 0.0
    if kind == kind_before == "letter" and _script(before) != _script(character):
        inner += OTHER_SCRIPT
    models = _models()
    first = models.first.get(lower_before, _nothing())
    share = models.single.get(lower, _nothing())
    together = models.pairs.get(lower_before + lower, _nothing()) + SMOOTHING * share
    floor = np.where(share > 0, RARE_LETTER, OTHER_LETTER)
    row = np.log(np.maximum(together / (first + SMOOTHING), np.exp(floor)))
    if character < "\x80" and before < "\x80":
        row[~models.is_latin] = FOREIGN_WORD
    return row + case + inner


@cache
def _nothing() -> FloatArray:
    return np.zeros(len(LANGUAGES))


@cache
def _foreign_row(character: str) -> FloatArray:
    """1 for each language that does not use a character, shape (n_languages,)."""
    lower, kind = _lower(character), _kind(character)
    return np.array(
        [
            float(
                kind != "prose sign"
                and lower not in _plain(alphabet)
                and lower not in _usual_characters(code)
            )
            for code, alphabet in ALPHABETS.items()
        ]
    )


def score_lines(lines: list[str]) -> Scores:
    """Fit of lines to the languages, from their letters and signs."""
    texts = [f" {unicodedata.normalize('NFC', line)} " for line in lines]
    text = "".join(texts)
    starts = np.cumsum([0, *map(len, texts)])[:-1]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    # Each pair of characters once, as one number.
    pairs, index = np.unique(codes[:-1] * _N_CODES + codes[1:], return_inverse=True)
    both = zip(*(map(chr, half.tolist()) for half in divmod(pairs, _N_CODES)), strict=True)
    rows = np.concatenate([_pair_row(before, character) for before, character in both])
    likelihood = np.add.reduceat(rows.reshape(-1, len(LANGUAGES))[index], starts, axis=0)
    likelihood += INNER_SIGN * _count_inner_signs(lines)[:, np.newaxis]
    outside = np.flatnonzero(codes > 0x7F)
    foreign = np.zeros_like(likelihood)
    if len(outside):
        characters, index = np.unique(codes[outside], return_inverse=True)
        uses_not = np.array([_foreign_row(chr(code)) for code in characters.tolist()])
        line = np.searchsorted(starts, outside, side="right") - 1
        first = np.flatnonzero(np.diff(line, prepend=-1))
        foreign[line[first]] = np.add.reduceat(uses_not[index], first, axis=0)
    return Scores(likelihood, foreign, len(outside))


def _count_inner_signs(lines: list[str]) -> Int64Array:
    """Number of signs between two letters in each line, shape (n_lines,)."""
    ends = np.cumsum([len(line) + 1 for line in lines])
    places = [found.start() for found in _INNER_SIGNS.finditer("\n".join(lines))]
    line = np.searchsorted(ends, places, side="right")
    return np.bincount(line, minlength=len(lines))
