"""Words of languages without blanks between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.

A segmenter finds the words of a corpus. The recipe stores these words, and texts and queries are
divided by the longest of them, so that a query needs no segmenter and is read like the texts, also
in the offline explorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec

import regex

# Mean length in characters of what stands between blanks, above which it is more than a word.
MAX_WORD = {"Chinese": 4, "Japanese": 5, "Thai": 12, "Lao": 12, "Khmer": 14, "Burmese": 18}
_EAST_ASIAN = r"[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]"
_SOUTH_EAST_ASIAN = r"[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}]"
_RUN = regex.compile(rf"(?=\p{{L}})(?:{_EAST_ASIAN}+|{_SOUTH_EAST_ASIAN}+)")
_LETTER, _MARK, _HAN = map(regex.compile, (r"\p{L}", r"\p{M}", r"\p{sc=Han}"))
_KANA = regex.compile(r"[\p{sc=Hiragana}\p{sc=Katakana}]")
_SCRIPTS = {"Thai": "Thai", "Lao": "Lao", "Khmer": "Khmer", "Myanmar": "Burmese"}
_BY_SCRIPT = {
    language: regex.compile(rf"\p{{sc={script}}}") for script, language in _SCRIPTS.items()
}
# Share of all letters; fewer are quotations and names.
MIN_SHARE = 0.1
# Documents that are examined, evenly spaced.
SAMPLE_DOCUMENTS = 400

EXTRA = "segmentation"
INSTALL = f"python -m pip install 'orrery[{EXTRA}]'"

PlacedWord = tuple[int, int, str]


def can_segment() -> bool:
    """Whether the optional package icu4py is installed."""
    return find_spec("icu4py") is not None


def languages_without_blanks(texts: Sequence[str]) -> tuple[str, ...]:
    """Languages that are a considerable part of the texts and have no blanks between words."""
    n_letters, letters = 0, Counter[str]()
    lengths, runs = Counter[str](), Counter[str]()
    for text in texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]:
        n_letters += sum(map(str.isalpha, text))
        for match in [] if text.isascii() else _RUN.finditer(text):
            language = _language(match[0])
            letters[language] += sum(map(str.isalpha, match[0]))
            lengths[language] += len(match[0])
            runs[language] += 1
    # Japanese has passages without kana.
    if letters["Japanese"] > MIN_SHARE * letters["Chinese"]:
        for counts in (letters, lengths, runs):
            counts["Japanese"] += counts.pop("Chinese", 0)
    return tuple(
        language
        for language, count in letters.most_common()
        if count >= MIN_SHARE * n_letters
        and lengths[language] > MAX_WORD[language] * runs[language]
    )


def _language(run: str) -> str:
    """Language of a run of letters of East or South East Asia."""
    for language, script in _BY_SCRIPT.items():
        if script.match(run):
            return language
    return "Japanese" if _KANA.search(run) else "Chinese"


def learn_segments(texts: Iterable[str], normalised: Callable[[str], str]) -> tuple[str, ...]:
    """Words of languages without blanks that the segmenter finds in texts, alphabetically.

    Raises ImportError if icu4py is not installed.
    """
    # Imported here because it is optional.
    from icu4py.breakers import WordBreaker

    words: set[str] = set()
    for text in texts:
        if not text.isascii():
            for match in _RUN.finditer(normalised(text)):
                words.update(map(str, WordBreaker(match[0], "en")))
    return tuple(sorted(word for word in words if _LETTER.match(word)))


def divide(words: list[PlacedWord], segments: tuple[str, ...]) -> list[PlacedWord]:
    """Divide each word from the left into the longest words of a list and what is between them."""
    known, longest = _known(segments)
    parts: list[PlacedWord] = []
    for begin, end, word in words:
        if word.isascii() or not _RUN.search(word):
            parts.append((begin, end, word))
            continue
        start = here = 0
        while here <= len(word):
            size = _longest(word, here, known, longest)
            if (size or here == len(word)) and here - start >= 2:
                parts.append((begin + start, begin + here, word[start:here]))
            if size:
                if size >= 2 or _HAN.match(word, here):
                    parts.append((begin + here, begin + here + size, word[here : here + size]))
                start = here + size
            here += size or 1
    return parts


def _longest(word: str, here: int, known: frozenset[str], longest: int) -> int:
    """Length of the longest known word that begins here and does not end before a mark."""
    for size in range(min(longest, len(word) - here), 0, -1):
        if word[here : here + size] in known and not _MARK.match(word, here + size):
            return size
    return 0


@lru_cache(maxsize=16)
def _known(segments: tuple[str, ...]) -> tuple[frozenset[str], int]:
    return frozenset(segments), max(map(len, segments), default=0)
