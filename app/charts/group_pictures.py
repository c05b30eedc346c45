"""Static SVG of topics in groups, for the offline explorer: the charts of `groups` without clicks.

Colours of text and background are variables of the surrounding page (``--text``, ``--faint``,
``--line`` and ``--ground``); without them the picture is drawn on white.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.drawing.strings import percent
from ...core.drawing.style import BACKGROUND, FAINT_TEXT_COLOURS, TEXT_COLOURS
from ...core.drawing.svg import FONT, xml_text
from ...core.utils.lazy import LazyModule
from . import strings as chart_strings
from .groups import (
    GREY,
    HUES,
    LESS,
    MORE,
    SMALL_CELL,
    hue_of_interval,
    opacity_of,
    place_on_doublings,
)

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Mean width of a letter relative to its height, and width of a full-width character.
LETTER, WIDE_LETTER = 0.54, 1.0
STYLE = (
    f"svg:root {{ background: {BACKGROUND['light']}; }} "
    f"text {{ fill: var(--text, {TEXT_COLOURS['light']}); }} "
    f".faint {{ fill: var(--faint, {FAINT_TEXT_COLOURS['light']}); }} "
    f".line {{ stroke: var(--line, #D9DEE5); fill: none; }} "
    f".halo {{ paint-order: stroke; stroke: var(--ground, {BACKGROUND['light']}); "
    "stroke-width: 4px; stroke-linejoin: round; } "
    # Colours are for a light background, and brighter on a dark one.
    "@media (prefers-color-scheme: dark) { .points { filter: brightness(1.25); } }"
)
# Minimum width at which names are beside their rows; below it they are above.
WIDE = 640.0
LETTERS, CELL_LETTERS = 12.0, 10.0
ROW, NARROW_ROW = 22.0, 19.0
# Share of the width for names, and its maximum; widest and narrowest column.
NAMES_SHARE, MAX_NAMES_SHARE, COLUMN, NARROW_COLUMN = 0.3, 0.5, 64.0, 18.0
UPRIGHT_ROOM, NARROW_UPRIGHT_ROOM = 150.0, 110.0
COURSE, NARROW_COURSE, STACK = 58.0, 46.0, 320.0
_MIDDLE, _END = 'dominant-baseline="central" ', 'text-anchor="end" '
_CENTRED = 'text-anchor="middle" '


class Sheet:
    """Parts of an SVG of a given width, collected from top to bottom."""

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
        """Write a line of text; if it is cut to the ``room``, a tooltip has the whole text.

        ``kind`` is a class of `STYLE`; ``more`` has further attributes, never text of a user.
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
        """Draw a rectangle from its upper left corner; ``look`` has attributes."""
        whole = f"<title>{xml_text(title)}</title>" if title else ""
        self.parts.append(
            f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}" '
            f"{look}>{whole}</rect>"
        )

    def path(
        self, points: list[tuple[float, float]], look: str, *, is_closed: bool = False
    ) -> None:
        """Draw a line through points."""
        through = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{through}{"Z" if is_closed else ""}" {look}/>')

    def svg(self, height: float, description: str) -> str:
        """The whole SVG."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" '
            f'height="{height:.0f}" viewBox="0 0 {self.width:.0f} {height:.0f}" role="group" '
            f'aria-label="{attribute(description)}" font-family="{FONT}"><style>{STYLE}</style>'
            f"{''.join(self.parts)}</svg>"
        )


def attribute(text: str) -> str:
    """Escape a text for an attribute in double quotes."""
    return xml_text(text).replace('"', "&quot;")


def width_of(text: str, size: float) -> float:
    """Approximate width of a text; the exact width is unknown without a browser."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return size * (WIDE_LETTER * wide + LETTER * (len(text) - wide))


def cut(text: str, room: float, size: float) -> str:
    """Cut a text to the room, with "…" at the end."""
    if width_of(text, size) <= room:
        return text
    kept = text
    while kept and width_of(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


@dataclass(frozen=True)
class Section:
    """Topics under a heading, each a row of `intervals`, and a note below the heading, or ""."""

    title: str
    note: str
    rows: Sequence[Mapping[str, Any]]


def heat_map(
    table: pd.DataFrame,
    topics: Sequence[str],
    groups: Sequence[str],
    sizes: Sequence[float],
    width: float,
) -> str:
    """Draw the table of `groups.heat_map`, with a cell for each topic and group."""
    sheet, left = Sheet(width), NAMES_SHARE * width
    if width < WIDE:
        # On a phone, few groups leave room for longer names.
        left = min(max(left, width - NARROW_COLUMN * len(groups)), MAX_NAMES_SHARE * width)
    row = ROW if width >= WIDE else NARROW_ROW
    step = min((width - left) / max(len(groups), 1), COLUMN)
    middles = [left + (n + 0.5) * step for n in range(len(groups))]
    top = _heads(sheet, groups, middles, step)
    for middle, size in zip(middles, sizes, strict=True):
        if width_of(f"{size:,.0f}", CELL_LETTERS) <= step:
            more = _CENTRED + _MIDDLE
            sheet.text((middle, top + 7.0), f"{size:,.0f}", CELL_LETTERS, kind="faint", more=more)
    top += 16.0
    for number, name in enumerate(topics):
        at = (left - 8.0, top + (number + 0.5) * row)
        sheet.text(at, name, LETTERS, room=left - 10.0, more=_MIDDLE + _END)
    place = {name: number for number, name in enumerate(topics)}
    column = {name: number for number, name in enumerate(groups)}
    for cell in table.to_dict("records"):
        corner = (left + column[cell["group"]] * step, top + place[cell["name"]] * row)
        hue, strength = MORE if cell["more"] else LESS, opacity_of(float(cell["strength"]))
        look = f'fill="{hue}" fill-opacity="{strength:.3f}" stroke="{GREY}" stroke-opacity="0.12"'
        inset = (1.0 - SMALL_CELL) / 2.0 * step if cell["small"] else 0.0
        sheet.rectangle((corner[0] + inset, corner[1]), (step - 2.0 * inset, row), look,
                        _title(cell))  # fmt: skip
        if width_of(cell["value"], CELL_LETTERS) <= step:
            at = (corner[0] + step / 2.0, corner[1] + row / 2.0)
            sheet.text(at, cell["value"], CELL_LETTERS, more=_CENTRED + _MIDDLE)
    return sheet.svg(top + len(topics) * row + 2.0, chart_strings.MAP_ALT)


def _heads(sheet: Sheet, names: Sequence[str], at: Sequence[float], step: float) -> float:
    """Name columns at the top, vertically if they are narrow; return the top of the cells."""
    longest = max((width_of(name, LETTERS) for name in names), default=0.0)
    if longest <= step - 4.0:
        for name, x in zip(names, at, strict=True):
            sheet.text((x, 14.0), name, LETTERS, kind="faint", more=_CENTRED)
        return 22.0
    room = min(longest, UPRIGHT_ROOM if sheet.width >= WIDE else NARROW_UPRIGHT_ROOM)
    # Leave out names that would touch, at regular steps.
    every = max(1, round((LETTERS + 1.0) / max(step, 1e-6) + 0.49))
    for name, x in list(zip(names, at, strict=True))[::every]:
        turned = f'transform="rotate(-90 {x:.1f} {room + 4:.1f})" '
        sheet.text((x, room + 4.0), name, LETTERS, room=room, kind="faint", more=_MIDDLE + turned)
    return room + 10.0


def courses(tables: Sequence[pd.DataFrame], groups: Sequence[str], width: float) -> str:
    """Draw a small chart for each topic, below each other, each with its own scale."""
    sheet, is_wide = Sheet(width), width >= WIDE
    left = NAMES_SHARE * width if is_wide else 0.0
    tall, above = (COURSE, 0.0) if is_wide else (NARROW_COURSE, 34.0)
    at = _spread(len(groups), left + 6.0, width - 6.0)
    top = 20.0
    _periods(sheet, groups, at, 12.0)
    for table in tables:
        name, most = str(table["name"].iat[0]), int(table["share"].to_numpy().argmax())
        highest = chart_strings.highest(
            float(table["share"].to_numpy()[most]), str(table["group"].iat[most])
        )
        room = left - 16.0 if is_wide else width
        sheet.text((0.0, top + 16.0), name, LETTERS + 1, room=room, more='font-weight="600"')
        sheet.text((0.0, top + 31.0), highest, LETTERS - 1, room=room, kind="faint")
        _course(sheet, table, at, (top + above, tall))
        top += above + tall + 14.0
    _periods(sheet, groups, at, top)
    return sheet.svg(top + 6.0, chart_strings.COURSE_ALT)


def _course(
    sheet: Sheet, table: pd.DataFrame, at: Sequence[float], room: tuple[float, float]
) -> None:
    """Draw one topic: an area with its outline, and points with tooltips."""
    floor = room[0] + room[1]
    share = table["share"].to_numpy(float)
    scale = (room[1] - 6.0) / max(float(share.max()), 1e-9)
    line = [(x, floor - scale * y) for x, y in zip(at, share.tolist(), strict=True)]
    area = [(at[0], floor), *line, (at[-1], floor)]
    sheet.path(area, f'fill="{MORE}" fill-opacity="0.25"', is_closed=True)
    sheet.path(line, f'fill="none" stroke="{MORE}" stroke-width="1.5"')
    sheet.path([(at[0], floor), (at[-1], floor)], 'class="line"')
    for (x, y), row in zip(line, table.to_dict("records"), strict=True):
        look = f'rx="2.5" fill="{MORE}"'
        sheet.rectangle((x - 2.5, y - 2.5), (5.0, 5.0), look, _title(row))


def stacked(table: pd.DataFrame, groups: Sequence[str], topics: Sequence[str], width: float) -> str:
    """Draw stacked shares of several topics over time, the first at the bottom."""
    sheet, left, floor = Sheet(width), 44.0, 12.0 + STACK
    at = _spread(len(groups), left, width - 12.0)
    shares = [table.loc[table["name"] == name, "share"].to_numpy(float) for name in topics]
    highest = max(float(np.sum(shares, axis=0).max()), 1e-9)
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = floor - part * STACK
        sheet.path([(left, y), (width - 12.0, y)], 'class="line"')
        sheet.text((left - 6.0, y), percent(part * highest), 11.0, kind="faint",
                   more=_MIDDLE + _END)  # fmt: skip
    below = [0.0] * len(groups)
    for name, share, hue in zip(topics, shares, HUES, strict=False):
        upper = [low + one for low, one in zip(below, share.tolist(), strict=True)]
        edges = [
            [(x, floor - STACK * y / highest) for x, y in zip(at, ends, strict=True)]
            for ends in (upper, below)
        ]
        look = f'fill="{hue}" fill-opacity="0.85"'
        sheet.path([*edges[0], *edges[1][::-1]], look, is_closed=True)
        rows = table[table["name"] == name].to_dict("records")
        for (x, y), row in zip(edges[0], rows, strict=True):
            look = 'rx="2" style="fill:var(--text)"'
            sheet.rectangle((x - 2.0, y - 2.0), (4.0, 4.0), look, _title(row))
        below = upper
    _periods(sheet, groups, at, floor + 16.0)
    top = _legend(sheet, topics, floor + 42.0)
    return sheet.svg(top, chart_strings.COURSE_ALT)


def _legend(sheet: Sheet, topics: Sequence[str], top: float) -> float:
    """Name the colours, in two columns if there is room; return the bottom of the legend."""
    columns = 2 if sheet.width >= WIDE else 1
    wide = sheet.width / columns
    for number, (name, hue) in enumerate(zip(topics, HUES, strict=False)):
        x, y = (number % columns) * wide, top + (number // columns) * 20.0
        sheet.rectangle((x, y - 6.0), (12.0, 12.0), f'rx="2" fill="{hue}"')
        sheet.text((x + 20.0, y), name, LETTERS, room=wide - 28.0, more=_MIDDLE)
    return top + -(-len(topics) // columns) * 20.0


def _title(row: Mapping[Any, Any]) -> str:
    return f"{row['label']} · {row['group']}: {percent(row['share'])}, {row['note']}"


def _spread(count: int, left: float, right: float) -> list[float]:
    """Equidistant positions from left to right; a single one is in the middle."""
    if count == 1:
        return [(left + right) / 2.0]
    return [left + n * (right - left) / (count - 1) for n in range(count)]


def _periods(sheet: Sheet, names: Sequence[str], at: Sequence[float], y: float) -> None:
    """Name as many periods as fit, the first and the last at their ends."""
    longest = max((width_of(name, LETTERS) for name in names), default=1.0) + 12.0
    fits = max(1, int((at[-1] - at[0]) / longest))
    every = max(1, -(-(len(names) - 1) // fits))
    for number in range(0, len(names), every):
        anchor = "start" if number == 0 and len(names) > 1 else "middle"
        anchor = "end" if number == len(names) - 1 > 0 else anchor
        more = f'text-anchor="{anchor}" '
        sheet.text((at[number], y), names[number], LETTERS - 1, kind="faint", more=more)


def intervals(sections: Sequence[Section], width: float) -> str:
    """Draw topics with how many times as often they are on, and the interval of each.

    Rows have the texts ``name``, ``note``, ``figures``, and ``lift``, ``low``,
    ``high``.
    """
    sheet, top = Sheet(width), 6.0
    for section in sections:
        sheet.text((0.0, top + 12.0), section.title, 14.0, room=width, more='font-weight="600"')
        top += 24.0
        if section.note:
            sheet.text((0.0, top + 12.0), section.note, LETTERS, room=width, kind="faint")
            top += 24.0
        if section.rows:
            draw = _beside if width >= WIDE else _below
            top = draw(sheet, section.rows, top)
        top += 16.0
    return sheet.svg(top, chart_strings.INTERVAL_ALT)


def _beside(sheet: Sheet, rows: Sequence[Mapping[str, Any]], top: float) -> float:
    """Draw name, certain change, figures and interval of each topic in a line."""
    width = sheet.width
    name, mark = 0.27 * width, 0.26 * width
    _scale(sheet, (width - mark, width), top)
    top += 18.0
    for row in rows:
        middle = top + 18.0
        sheet.text((0.0, middle), row["name"], 13.0, room=name - 14.0, more=_MIDDLE)
        room = width - mark - name - 16.0
        sheet.text((name, middle - 8.0), row["note"], LETTERS, room=room, more=_MIDDLE)
        sheet.text(
            (name, middle + 8.0), row["figures"], 11.0, room=room, kind="faint", more=_MIDDLE
        )
        _interval(sheet, row, (width - mark, width), middle)
        top += 38.0
    return top


def _below(sheet: Sheet, rows: Sequence[Mapping[str, Any]], top: float) -> float:
    """Draw name, certain change, figures and interval of each topic below each other."""
    _scale(sheet, (0.0, sheet.width), top)
    top += 18.0
    for row in rows:
        sheet.text((0.0, top + 14.0), row["name"], 13.0, room=sheet.width, more='font-weight="600"')
        sheet.text((0.0, top + 30.0), row["note"], LETTERS, room=sheet.width)
        sheet.text((0.0, top + 45.0), row["figures"], 11.0, room=sheet.width, kind="faint")
        _interval(sheet, row, (0.0, sheet.width), top + 60.0)
        top += 80.0
    return top


def _scale(sheet: Sheet, ends: tuple[float, float], y: float) -> None:
    for ratio, text in ((1 / 16, "1/16"), (1 / 4, "1/4"), (1.0, "1"), (4.0, "4"), (16.0, "16")):
        more = _CENTRED + _MIDDLE
        sheet.text((_at(ratio, ends), y + 6.0), f"{text}×", 10.5, kind="faint", more=more)


def _interval(
    sheet: Sheet, row: Mapping[str, Any], ends: tuple[float, float], middle: float
) -> None:
    ratio, low, high = (float(row[name]) for name in ("lift", "low", "high"))
    hue = hue_of_interval(low, high)
    begin, end, dot = (_at(value, ends) for value in (low, high, ratio))
    one, title = _at(1.0, ends), chart_strings.interval(ratio, low, high)
    sheet.path([(one, middle - 10.0), (one, middle + 10.0)], f'stroke="{GREY}"')
    size = (max(end - begin, 1.0), 3.0)
    sheet.rectangle((begin, middle - 1.5), size, f'rx="1.5" fill="{hue}" fill-opacity="0.55"')
    sheet.rectangle((dot - 4.5, middle - 4.5), (9.0, 9.0), f'rx="4.5" fill="{hue}"', title)


def _at(ratio: float, ends: tuple[float, float]) -> float:
    return ends[0] + place_on_doublings(ratio) * (ends[1] - ends[0]) / 100.0
