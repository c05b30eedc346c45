"""The text of a document as safe HTML, some of its words in colours (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orrery.app.text.escaping import html_text

# Opacity of the strongest colour, of 255: the letters stay readable on both backgrounds.
STRONGEST = 80
UNDERLINED = 0.75


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
    strength : float
        How strong the colour is, 0 … 1; from `UNDERLINED` on the word has a line below too.
    """

    begin: int
    end: int
    hue: str
    title: str
    strength: float = 1.0


def coloured(text: str, pieces: Sequence[Piece]) -> str:
    """HTML of a text, some of its words on a coloured background.

    Pieces are in their order and none overlaps another. Paragraphs stay.
    """
    parts, end = [], 0
    for piece in pieces:
        style = f"background:{piece.hue}{round(STRONGEST * piece.strength):02x}"
        if piece.strength >= UNDERLINED:
            style += f";border-bottom:2px solid {piece.hue}"
        parts.append(html_text(text[end : piece.begin]))
        parts.append(
            f'<span style="{style}" title="{html_text(piece.title)}">'
            f"{html_text(text[piece.begin : piece.end])}</span>"
        )
        end = piece.end
    return "".join([*parts, html_text(text[end:])])
