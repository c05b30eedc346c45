"""Texts of documents as safe HTML: snippets with marked words, words in colours (no streamlit)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orrery.app.text.escaping import html_text
from orrery.app.workspace.search_index import SearchTerms

SNIPPET_LETTERS = 260
# How far before the first word found a snippet begins.
LEAD_LETTERS = 70
ELLIPSIS = "…"
MARK = '<mark style="background:rgba(47,158,95,.28);color:inherit;border-radius:2px">'


@dataclass(frozen=True)
class Piece:
    """A part of a text that is shown in a colour.

    Attributes
    ----------
    begin, end : int
        ``text[begin:end]``.
    hue : str
        ``#RRGGBB``.
    title : str
        Shown beside the pointer.
    """

    begin: int
    end: int
    hue: str
    title: str


def snippet(text: str, terms: SearchTerms) -> str:
    """HTML of the part of a text that a search is about, its words marked."""
    line = " ".join(text.split())
    pattern = _pattern(terms)
    first = pattern.search(line) if pattern else None
    begin = _word_begin(line, max(first.start() - LEAD_LETTERS, 0) if first else 0)
    end = word_end(line, begin + SNIPPET_LETTERS)
    shown = _marked(line[begin:end], pattern)
    return f"{ELLIPSIS + ' ' if begin else ''}{shown}{' ' + ELLIPSIS if end < len(line) else ''}"


def _pattern(terms: SearchTerms) -> re.Pattern[str] | None:
    """Whole words of the search, in any case; a final star stands for any ending."""
    parts = []
    for term in terms.present:
        words = re.findall(r"\w+", term)
        if words:
            ending = r"\w*" if term.endswith("*") else ""
            parts.append(r"\W+".join(map(re.escape, words)) + ending)
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE) if parts else None


def _marked(text: str, pattern: re.Pattern[str] | None) -> str:
    if pattern is None:
        return html_text(text)
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [html_text(text[end : match.start()]), f"{MARK}{html_text(match[0])}</mark>"]
        end = match.end()
    return "".join([*parts, html_text(text[end:])])


def _word_begin(line: str, place: int) -> int:
    """Begin of the first whole word at or after a place."""
    return line.find(" ", place) + 1 if place and " " in line[place : place + 40] else place


def word_end(line: str, place: int) -> int:
    """End of the last whole word before a place; the place itself in a very long word."""
    if place >= len(line):
        return len(line)
    space = line.rfind(" ", place - 40, place)
    return space if space > 0 else place


def coloured(text: str, pieces: Sequence[Piece]) -> str:
    """HTML of a text with some of its words on a ground of their colour.

    Pieces are in their order and none overlaps another. Paragraphs stay.
    """
    parts, end = [], 0
    for piece in pieces:
        style = f"background:{piece.hue}33;border-bottom:2px solid {piece.hue}"
        parts.append(html_text(text[end : piece.begin]))
        parts.append(
            f'<span style="{style}" title="{html_text(piece.title)}">'
            f"{html_text(text[piece.begin : piece.end])}</span>"
        )
        end = piece.end
    return "".join([*parts, html_text(text[end:])])
