"""What the colours of the map say: topics, labels or years (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from orrery.app.documents.facets import NO_YEAR, Facets
from orrery.app.documents.map_points import SIDE, Points

if TYPE_CHECKING:
    from orrery.core.run import Run

# A legend of more is a list nobody reads; the others are found by the search.
MOST_LISTED = 16
# Topics have their names on the map.
MOST_TOPICS = 8
# Steps from the first year to the last.
MOST_SPANS = 10
# Hues around the middle of the map, and rings that tell what is further in.
HUES, RINGS = 30, 4
# Lightness of colours on a light and on a dark ground.
LIGHTNESS = {"light": 0.62, "dark": 0.74}


@dataclass(frozen=True)
class Entry:
    """A line of the legend: what it is called, how many points it has, and its colour's number."""

    key: str
    name: str
    count: int
    colour: int


@dataclass(frozen=True)
class Colouring:
    """A colour for every point.

    Attributes
    ----------
    colour : uint8 array, shape (n_points,)
        Below 128; 0 is grey.
    kind : int32 array, shape (n_points,)
        Which entry of the legend a point belongs to; -1 for none.
    entries : tuple of Entry
    palette : dict of str to list of str
        Colours as ``#RRGGBB`` for the themes ``light`` and ``dark``.
    """

    colour: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.int32]
    entries: tuple[Entry, ...]
    palette: dict[str, list[str]]

    def is_among(self, keys: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether each point belongs to one of these entries; all where none of them is here."""
        wanted = [number for number, entry in enumerate(self.entries) if entry.key in keys]
        return np.isin(self.kind, wanted) if wanted else np.ones(len(self.kind), np.bool_)


def ways(facets: Facets) -> list[str]:
    """What the colours can say of these documents."""
    return ["topic", *(["label"] if facets.labels else []), *(["year"] if facets.years else [])]


def coloured(by: str, points: Points, run: Run, facets: Facets) -> Colouring:
    """Colours by one of the `ways`."""
    if by == "label":
        return by_label(points, facets)
    return by_year(points, facets) if by == "year" else by_topic(points, run)


def by_topic(points: Points, run: Run) -> Colouring:
    """Topics that lie in the same direction from the middle have the same hue."""
    colour_of = np.zeros(run.network.graph.n_topics, np.uint8)
    for label in points.labels:
        colour_of[label.topic] = _by_direction(label.x, label.y)
    listed = points.labels[:MOST_TOPICS]
    kind_of = np.full(len(colour_of), -1, np.int32)
    kind_of[[label.topic for label in listed]] = np.arange(len(listed))
    ids = run.network.graph.topic_ids
    entries = tuple(
        Entry(ids[label.topic], label.text, label.documents, int(colour_of[label.topic]))
        for label in listed
    )
    hues = [(hue / HUES, ring) for ring in range(RINGS) for hue in range(HUES)]
    palette = _palette([(1.0 - 0.07 * ring, 0.16 - 0.02 * (ring % 2), hue) for hue, ring in hues])
    return Colouring(colour_of[points.topic], kind_of[points.topic], entries, palette)


def by_label(points: Points, facets: Facets) -> Colouring:
    """The labels of most documents, each in a colour; the others are grey."""
    names, kind, count = np.unique(
        facets.label[points.rows].astype(str), return_inverse=True, return_counts=True
    )
    order = [number for number in np.argsort(-count, kind="stable") if names[number]]
    return _listed(order[:MOST_LISTED], names, kind.astype(np.int32), count)


def by_year(points: Points, facets: Facets) -> Colouring:
    """Years from the first to the last in a few spans of as many documents, dark to bright."""
    year = facets.year[points.rows]
    known = np.sort(year[year != NO_YEAR])
    if not len(known):
        return Colouring(np.zeros(len(year), np.uint8), np.full(len(year), -1, np.int32), (), {})
    starts = np.unique(known[np.arange(MOST_SPANS) * len(known) // MOST_SPANS])
    ends = [*(starts[1:] - 1), known[-1]]
    kind = np.where(year == NO_YEAR, -1, np.searchsorted(starts, year, side="right") - 1)
    names = [f"{a}" if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True)]
    count = np.bincount(kind[kind >= 0], minlength=len(names))
    entries = tuple(
        Entry(name, name, int(number), place + 1)
        for place, (name, number) in enumerate(zip(names, count, strict=True))
    )
    steps = [place / max(len(names) - 1, 1) for place in range(len(names))]
    palette = _palette([(0.72 + 0.5 * step, 0.13, 0.78 - 0.55 * step) for step in steps])
    return Colouring((kind + 1).astype(np.uint8), kind.astype(np.int32), entries, palette)


def _listed(
    order: Sequence[int],
    names: npt.NDArray[np.str_],
    kind: npt.NDArray[np.int32],
    count: npt.NDArray[np.int64],
) -> Colouring:
    place_of = np.full(len(names), -1, np.int32)
    place_of[order] = np.arange(len(order))
    entries = tuple(
        Entry(str(names[number]), str(names[number]), int(count[number]), place + 1)
        for place, number in enumerate(order)
    )
    # Every fifth hue, so that neighbours in the legend are far apart.
    palette = _palette(
        [(0.9 + 0.2 * (place % 2), 0.16, (5 * place % MOST_LISTED) / MOST_LISTED)
         for place in range(len(order))]
    )  # fmt: skip
    own = place_of[kind]
    return Colouring((own + 1).astype(np.uint8), own, entries, palette)


def _by_direction(x: int, y: int) -> int:
    """Number of the colour of a place, from its angle and its distance from the middle."""
    right, up = x / SIDE - 0.5, y / SIDE - 0.5
    turn = (np.arctan2(up, right) / (2.0 * pi)) % 1.0
    ring = min(int(hypot(right, up) * 2.0 * RINGS), RINGS - 1)
    return 1 + ring * HUES + int(turn * HUES) % HUES


def _palette(colours: Sequence[tuple[float, float, float]]) -> dict[str, list[str]]:
    """Grey and the colours: part of the theme's lightness, chroma, and hue as part of a turn."""
    with_grey = [(1.0, 0.0, 0.0), *colours]
    return {
        theme: [oklch(LIGHTNESS[theme] * light, chroma, hue) for light, chroma, hue in with_grey]
        for theme in LIGHTNESS
    }


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """``#RRGGBB`` of a colour by its perceived lightness, chroma and hue (Ottosson, 2020)."""
    a, b = chroma * cos(2.0 * pi * hue), chroma * sin(2.0 * pi * hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    parts = [
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        for part in (min(max(part, 0.0), 1.0) for part in linear)
    ]
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
