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

# Scripts and the languages that are written in them without blanks. Each has the mean length in
# characters of what stands between blanks, above which it is more than a word.
SCRIPTS = {
    "Han": ("Chinese or Japanese", 4),
    "Hiragana": ("Japanese", 4),
    "Katakana": ("Japanese", 8),
    "Thai": ("Thai", 12),
    "Lao": ("Lao", 12),
    "Khmer": ("Khmer", 14),
    "Myanmar": ("Burmese", 18),
}
_EAST_ASIAN = r"[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]"
_SOUTH_EAST_ASIAN = r"[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}]"
_RUN = regex.compile(rf"(?=\p{{L}})(?:{_EAST_ASIAN}+|{_SOUTH_EAST_ASIAN}+)")
_LETTER, _MARK, _HAN = map(regex.compile, (r"\p{L}", r"\p{M}", r"\p{sc=Han}"))
_OF_SCRIPT = {script: regex.compile(rf"\p{{sc={script}}}") for script in SCRIPTS}
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
    letters, n_letters, lengths = Counter[str](), 0, Counter[str]()
    runs = Counter[str]()
    for text in texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]:
        if text.isascii():
            n_letters += sum(map(str.isalpha, text))
            continue
        n_letters += len(_LETTER.findall(text))
        for match in _RUN.finditer(text):
            script = _script(match[0])
            letters[script] += len(_LETTER.findall(match[0]))
            lengths[script] += len(match[0])
            runs[script] += 1
    found = [
        SCRIPTS[script][0]
        for script, count in letters.most_common()
        if count >= MIN_SHARE * n_letters and lengths[script] > SCRIPTS[script][1] * runs[script]
    ]
    if "Japanese" in found or letters["Hiragana"] > MIN_SHARE * letters["Han"]:
        found = ["Japanese" if "Japanese" in name else name for name in found]
    return tuple(dict.fromkeys(name.replace(" or Japanese", "") for name in found))


def _script(run: str) -> str:
    """Most frequent script of a run of letters."""
    return max(SCRIPTS, key=lambda script: len(_OF_SCRIPT[script].findall(run)))


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
