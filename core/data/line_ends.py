r"""Words that a hyphen divides at the end of a line ("toma-\ntoes")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import regex

# Between the two parts of a word: the hyphen, the end of the line, and the indentation.
_LINE_END = regex.compile(r"-[ \t]*\r?\n[ \t]*")
_DIVIDED = regex.compile(r"[\p{L}\p{M}]-[ \t]*\r?\n[ \t]*\p{L}")
# In a text before its normal form, with hyphens of print and soft hyphens.
_MAY_BE_DIVIDED = regex.compile(r"[-\u2010\u2011\u00ad][ \t]*\r?\n")
_WITH_HYPHEN = regex.compile(r"([\p{L}\p{M}]+)-(?=([\p{L}\p{M}]+))")

PlacedWord = tuple[int, int, str]


def join_line_ends(
    words: list[PlacedWord], read: str, line_ends: tuple[str, ...]
) -> list[PlacedWord]:
    """Join two words with a hyphen and the end of a line between them, if they are in the list."""
    if not _DIVIDED.search(read):
        return words
    known, joined = _as_set(line_ends), list[PlacedWord]()
    for begin, end, word in words:
        if joined and f"{joined[-1][2]}-{word}" in known:
            first, last, before = joined[-1]
            if _LINE_END.fullmatch(read, last, begin):
                joined[-1] = (first, end, before + word)
                continue
        joined.append((begin, end, word))
    return joined


@lru_cache(maxsize=16)
def _as_set(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


def learn_line_ends(
    texts: Sequence[str],
    normalised: Callable[[str], str],
    placed: Callable[[str], list[PlacedWord]],
) -> tuple[str, ...]:
    """Find the divided words of texts that also occur undivided.

    They occur undivided at least as often as with a hyphen within a line.

    Parameters
    ----------
    texts : sequence of str
    normalised : callable
        Function from a text to its normal form.
    placed : callable
        Function from a normal form to its words.

    Returns
    -------
    line_ends : tuple of str
        Words with the hyphen, alphabetically.
    """
    divided: set[tuple[str, str]] = set()
    for text in filter(_MAY_BE_DIVIDED.search, texts):
        read = normalised(text)
        words = placed(read)
        for (_, end, before), (begin, _, after) in pairwise(words):
            if _LINE_END.fullmatch(read, end, begin):
                divided.add((before, after))
    if not divided:
        return ()
    undivided, with_hyphen = Counter[str](), Counter[tuple[str, str]]()
    possible = {before + after for before, after in divided}
    for read in map(normalised, texts):
        undivided.update(word for _, _, word in placed(read) if word in possible)
        with_hyphen.update(
            pair for match in _WITH_HYPHEN.finditer(read) if (pair := match.groups()) in divided
        )
    return tuple(
        sorted(
            f"{before}-{after}"
            for before, after in divided
            if undivided[before + after] > 0
            and undivided[before + after] >= with_hyphen[before, after]
        )
    )
