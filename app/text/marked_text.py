"""A piece of a text in which words are marked (no streamlit)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from orrery.app.text.escaping import html_text
from orrery.core.text.recipe import SPACELESS

LENGTH = 340
ELLIPSIS = "…"
# A cut moves to the next space within so many letters; texts without spaces are cut anywhere.
LONGEST_WORD = 40


@dataclass(frozen=True)
class Span:
    """A stretch of text; ``word`` is the one that it shows, empty where nothing is marked."""

    text: str
    word: str = ""


def marked_excerpt(text: str, weight: Mapping[str, float], length: int = LENGTH) -> list[Span]:
    """Cut out the piece of a text with the weightiest words, and mark them.

    Parameters
    ----------
    text : str
    weight : mapping of str to float
        Words as the vocabulary has them, phrases with ``_``; above 0.
    length : int
        Letters to show at most, ends aside.
    """
    clean = " ".join(text.split())
    found = _places(clean, weight)
    start, end = _window(clean, found, weight, length)
    spans = [Span(ELLIPSIS)] if start > 0 else []
    here = start
    for left, right, word in found:
        if left >= here and right <= end:
            spans += [Span(clean[here:left]), Span(clean[left:right], word)]
            here = right
    spans.append(Span(clean[here:end] + (ELLIPSIS if end < len(clean) else "")))
    return [span for span in spans if span.text]


def _places(text: str, weight: Mapping[str, float]) -> list[tuple[int, int, str]]:
    """Begin, end and word of every place where a word stands, from left to right."""
    if not weight:
        return []
    # The longest first, so that a phrase is found before its words.
    names = sorted(weight, key=len, reverse=True)
    every = "|".join(f"({_pattern(name)})" for name in names)
    pattern = re.compile(every, re.IGNORECASE)
    return [(m.start(), m.end(), names[(m.lastindex or 1) - 1]) for m in pattern.finditer(text)]


def _pattern(name: str) -> str:
    """Pattern of a word or phrase, which stands apart from letters beside it.

    Languages without spaces have nothing between the signs of a phrase or beside them.
    """
    parts = [re.escape(part) for part in name.split("_")]
    if re.match(SPACELESS, name):
        return r"[\W_]*".join(parts)
    phrase = r"[\W_]+".join(parts)
    return rf"(?<![^\W_]){phrase}(?![^\W_])"


def _window(
    text: str, found: list[tuple[int, int, str]], weight: Mapping[str, float], length: int
) -> tuple[int, int]:
    """Ends of the piece that has the most, counting each word once; it ends between words."""
    if len(text) <= length:
        return 0, len(text)
    best, start = -1.0, 0
    for first, *_ in [(0,), *found]:
        # A few letters before the first marked word let one read what it is about.
        left = max(0, min(first - length // 6, len(text) - length))
        words = {word for a, b, word in found if a >= left and b <= left + length}
        worth = sum(weight[word] for word in words)
        if worth > best:
            best, start = worth, left
    if start > 0:
        start = max(start, text.find(" ", start, start + LONGEST_WORD) + 1)
    end = start + length
    if end < len(text):
        space = text.rfind(" ", max(start + 1, end - LONGEST_WORD), end)
        end = space if space > 0 else end
    return start, min(end, len(text))


def marked_html(spans: list[Span], typed: frozenset[str]) -> str:
    """The spans as HTML; words that were typed are marked more strongly."""
    parts = []
    for span in spans:
        kind = "typed" if span.word in typed else "told"
        text = html_text(span.text)
        parts.append(f'<mark class="{kind}">{text}</mark>' if span.word else text)
    return "".join(parts)
