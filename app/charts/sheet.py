"""A drawing that follows the theme of the page that it stands in (no streamlit).

Its colours of text and ground are variables of that page, ``--text``, ``--faint``, ``--line`` and
``--ground``; by itself it is drawn on white.
"""

from __future__ import annotations

import unicodedata

from orrery.app.graph.style import BACKGROUND, FAINT_TEXT, TEXT
from orrery.core.exporting.as_svg import FONT, xml_text

# Width of a letter as part of its height, and of one that is as wide as it is high.
LETTER, WIDE_LETTER = 0.54, 1.0
STYLE = (
    f"svg:root {{ background: {BACKGROUND['light']}; }} "
    f"text {{ fill: var(--text, {TEXT['light']}); }} "
    f".faint {{ fill: var(--faint, {FAINT_TEXT['light']}); }} "
    f".line {{ stroke: var(--line, #D9DEE5); fill: none; }} "
    f".halo {{ paint-order: stroke; stroke: var(--ground, {BACKGROUND['light']}); "
    "stroke-width: 4px; stroke-linejoin: round; } "
    # Colours for a light ground, brighter on a dark one.
    "@media (prefers-color-scheme: dark) { .points { filter: brightness(1.25); } }"
)


class Sheet:
    """Parts of a drawing of a given width, collected from top to bottom."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.parts: list[str] = []

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: float = 12.0,
        *,
        room: float = 0.0,
        kind: str = "",
        more: str = "",
    ) -> None:
        """Write a line of text, cut to a room where there is one; the whole is beside the pointer.

        ``kind`` is a class of `STYLE`; ``more`` holds further attributes, never anybody's text.
        """
        short = cut(text, room, size) if room else text
        whole = f"<title>{xml_text(text)}</title>" if short != text else ""
        named = f' class="{kind}"' if kind else ""
        self.parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}"{named} {more}>'
            f"{xml_text(short)}{whole}</text>"
        )

    def rectangle(
        self, at: tuple[float, float], size: tuple[float, float], look: str, title: str = ""
    ) -> None:
        """Draw a rectangle from its upper left corner; ``look`` holds attributes."""
        whole = f"<title>{xml_text(title)}</title>" if title else ""
        self.parts.append(
            f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}" '
            f"{look}>{whole}</rect>"
        )

    def path(
        self, points: list[tuple[float, float]], look: str, *, is_closed: bool = False
    ) -> None:
        """Draw a line through some points."""
        through = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{through}{"Z" if is_closed else ""}" {look}/>')

    def svg(self, height: float, description: str) -> str:
        """The whole drawing."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" '
            f'height="{height:.0f}" viewBox="0 0 {self.width:.0f} {height:.0f}" role="group" '
            f'aria-label="{attribute(description)}" font-family="{FONT}"><style>{STYLE}</style>'
            f"{''.join(self.parts)}</svg>"
        )


def attribute(text: str) -> str:
    """Text as the value of an attribute in double quotes."""
    return xml_text(text).replace('"', "&quot;")


def width_of(text: str, size: float) -> float:
    """How wide a text is about; without a browser nobody knows it better."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return size * (WIDE_LETTER * wide + LETTER * (len(text) - wide))


def cut(text: str, room: float, size: float) -> str:
    """As much of a text as has room, with "…" where that is not all."""
    if width_of(text, size) <= room:
        return text
    kept = text
    while kept and width_of(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
