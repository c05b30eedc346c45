"""The text of a document as safe HTML, some of its words in colours (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orrery.app.text.escaping import html_text

# Opacity of the strongest colour, of 255: the letters stay readable on both backgrounds.
STRONGEST = 80
UNDERLINED = 0.75
# A whole book as one document is megabytes of markup, so its text is shown piece by piece.
FIRST_LETTERS = 20_000


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

    @property
    def ground(self) -> str:
        """Colour behind the word, ``#RRGGBBAA``."""
        return f"{self.hue}{round(STRONGEST * self.strength):02x}"

    @property
    def line(self) -> str:
        """Colour of the line below the word, empty without one."""
        return self.hue if self.strength >= UNDERLINED else ""


def coloured(text: str, pieces: Sequence[Piece]) -> str:
    """HTML of a text, some of its words on a coloured background.

    Pieces are in their order and none overlaps another. Paragraphs stay.
    """
    parts, end = [], 0
    for piece in pieces:
        style = f"background:{piece.ground}"
        if piece.line:
            style += f";border-bottom:2px solid {piece.line}"
        parts.append(html_text(text[end : piece.begin]))
        parts.append(
            f'<span style="{style}" title="{html_text(piece.title)}">'
            f"{html_text(text[piece.begin : piece.end])}</span>"
        )
        end = piece.end
    return "".join([*parts, html_text(text[end:])])
