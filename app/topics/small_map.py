"""The map of topics as a small drawing: what a model is about, at a glance (no streamlit).

It shows the top two levels of the map of the Graph page, on a light ground and on a dark one.
"""

from __future__ import annotations

from collections.abc import Sequence

from orrery.app.graph.style import TEXT
from orrery.app.topics.topic_map import Cell
from orrery.core.exporting.as_svg import FONT as FONT_FAMILY
from orrery.core.exporting.as_svg import xml_text

Spot = tuple[float, float, float, float]

WIDTH, HEIGHT = 400.0, 150.0
# More topics than that are specks.
MOST_TOPICS = 40
# Names are wide and low, and so are the boxes.
ASPECT = 2.0
GAP = 2.0
# A rarer topic is seen as well.
LEAST = 0.5
# What the top of a family takes of its box for its name, and at most what part of it.
STRIP, STRIP_SHARE = 16.0, 0.6
HUE = "#5B6FA8"
FAMILY, SINGLE, INSIDE = 0.34, 0.2, 0.16
# A phone shows it five sixths as large; letters can be read there too.
FONT, LETTER = 13.2, 7.7
STYLE = (
    f"text {{ fill: {TEXT['light']}; }} "
    f"@media (prefers-color-scheme: dark) {{ text {{ fill: {TEXT['dark']}; }} }}"
)


def squarified(sizes: Sequence[float], room: Spot) -> list[Spot]:
    """Fill a room by rectangles of given relative sizes, all of about one shape.

    Squarified treemap (Bruls, Huizing and van Wijk 2000), with their rule for when a row ends: when
    one more would make its worst rectangle longer.

    Parameters
    ----------
    sizes : sequence of float
        Above zero, the largest first.
    room : tuple of float
        Left, top, width and height.
    """
    left, top, wide, tall = room
    # Squares of a room that is stretched are of the wanted shape when it is pressed back.
    tall *= ASPECT
    scale = wide * tall / sum(sizes) if sizes else 0.0
    x, y, spots = left, 0.0, list[Spot]()
    rest = [size * scale for size in sizes]
    while rest:
        side = min(wide, tall)
        count = 1
        while count < len(rest) and _worst(rest[: count + 1], side) <= _worst(rest[:count], side):
            count += 1
        row, rest = rest[:count], rest[count:]
        thick = sum(row) / side
        along = y if wide >= tall else x
        for area in row:
            long = area / thick
            spots.append((x, along, thick, long) if wide >= tall else (along, y, long, thick))
            along += long
        if wide >= tall:
            x, wide = x + thick, wide - thick
        else:
            y, tall = y + thick, tall - thick
    return [(a, top + b / ASPECT, w, h / ASPECT) for a, b, w, h in spots]


def _worst(row: Sequence[float], side: float) -> float:
    """Highest ratio of long to short side in a row that is laid along a side (section 3)."""
    square = sum(row) ** 2
    return max(side**2 * max(row) / square, square / (side**2 * min(row)))


def small_map(cells: Sequence[Cell], labels: Sequence[str], description: str) -> str:
    """Draw the top two levels as SVG.

    Parameters
    ----------
    cells : sequence of Cell
        Of `map_topics`, each after the one that it hangs from.
    labels : sequence of str, shape (n_topics,)
    description : str
    """
    below = _below(cells)
    parts = list[str]()
    for cell, spot in _placed(cells, below[-1], (0.0, 0.0, WIDTH + GAP, HEIGHT + GAP)):
        inside = [child for child in below[cell] if not cells[child].is_rest]
        label = "" if cells[cell].is_rest else labels[cells[cell].topic]
        x, y, wide, tall = spot
        strip = min(STRIP, STRIP_SHARE * tall) if inside else tall
        parts += _box(spot, label, FAMILY if inside else SINGLE, strip)
        within = (x + GAP, y + strip, max(wide - GAP, LEAST), tall - strip)
        for child, place in _placed(cells, inside, within):
            parts += _box(place, labels[cells[child].topic], INSIDE, place[3])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-size="{FONT:g}" font-family="{FONT_FAMILY}">'
        f"<title>{xml_text(description)}</title><style>{STYLE}</style>{''.join(parts)}</svg>"
    )


def _below(cells: Sequence[Cell]) -> dict[int, list[int]]:
    """Places of the cells that hang from each, -1 for those that hang from none."""
    below: dict[int, list[int]] = {-1: [], **{place: [] for place in range(len(cells))}}
    for place, cell in enumerate(cells):
        below[cell.above].append(place)
    return below


def _placed(cells: Sequence[Cell], places: Sequence[int], room: Spot) -> list[tuple[int, Spot]]:
    ordered = sorted(places, key=lambda place: (cells[place].is_rest, -cells[place].size))
    kept = [place for place in ordered if cells[place].size > 0]
    found = squarified([cells[place].size for place in kept], room)
    return [
        (place, (x, y, max(wide - GAP, LEAST), max(tall - GAP, LEAST)))
        for place, (x, y, wide, tall) in zip(kept, found, strict=True)
    ]


def _box(spot: Spot, label: str, strength: float, height: float) -> list[str]:
    """A rectangle, with as many words of its name as there is room for in its first ``height``."""
    x, y, wide, tall = spot
    box = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="2.5" '
        f'fill="{HUE}" fill-opacity="{strength}"/>'
    )
    said = _fitting(label, wide - 6.0) if height >= FONT + 2 else ""
    if not said:
        return [box]
    middle = y + height / 2 + FONT * 0.35
    return [
        box,
        f'<text x="{x + wide / 2:.1f}" y="{middle:.1f}" text-anchor="middle">'
        f"{xml_text(said)}</text>",
    ]


def _fitting(label: str, wide: float) -> str:
    """The first words of a name that fit; none where not even one does."""
    words = label.split(" · ")
    fitting = [" · ".join(words[:count]) for count in range(len(words), 0, -1)]
    return next((said for said in fitting if len(said) * LETTER <= wide), "")
