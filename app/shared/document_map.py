"""Points and labels of the map, as they are drawn (no streamlit).

An area of the map, as it stands in the address, and what lies in it (no streamlit).

What the colours of the map say: topics, labels or years (no streamlit).

Which documents of the map are lit: all that was asked for at once (no streamlit).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap
from ...core.drawing.links import whole
from ...core.utils.parsing import csv_bytes
from ..workspace.facets import NO_YEAR, Facets

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Places are numbers of 16 bits on either axis.
SIDE = 65535
# Documents are counted in squares of so many on a side, each with those around it: fewer where
# there are few documents, so that a handful makes no difference.
FEWEST_SQUARES, MOST_SQUARES = 8, 64

PlaceArray = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class PlaceLabel:
    """Name of a topic where its documents are thickest."""

    topic: int
    text: str
    x: int
    y: int
    documents: int


@dataclass(frozen=True)
class Points:
    """Documents that have a place, in the order in which they are drawn.

    Attributes
    ----------
    rows : int64 array, shape (n_points,)
        Which documents of the corpus these are.
    place : uint16 array, shape (n_points, 2)
    topic : int32 array, shape (n_points,)
        What they are about most, parts as the topic that they are shown as.
    labels : tuple of PlaceLabel
        Of the topics that are shown, those of most documents first.
    n_documents : int
        Of the corpus, without a place too.
    """

    rows: npt.NDArray[np.int64]
    place: PlaceArray
    topic: npt.NDArray[np.int32]
    labels: tuple[PlaceLabel, ...]
    n_documents: int


def points_of(found: DocumentMap, run: Run) -> Points:
    """Bring a map into the form in which it is drawn."""
    rows = np.flatnonzero(found.topic >= 0)
    # Drawn in any other order, what comes last would hide the rest.
    rows = rows[np.random.default_rng(0).permutation(len(rows))].astype(np.int64)
    shown_as = np.array([whole(run, topic) for topic in range(found.on.shape[1])], np.int32)
    place, topic = _scaled(found.place[rows]), shown_as[found.topic[rows]]
    return Points(rows, place, topic, _labels(place, topic, run), len(found.topic))


def _scaled(place: npt.NDArray[np.float32]) -> PlaceArray:
    """The same place in a square of `SIDE`, one scale for both axes."""
    if not len(place):
        return np.empty((0, 2), np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    span = max(float((high - low).max()), 1e-6)
    middle = (low + high) / 2.0
    whole = np.round((((place - middle) / span) + 0.5) * SIDE).clip(0, SIDE)
    return np.asarray(whole, np.uint16)


def _labels(place: PlaceArray, topic: npt.NDArray[np.int32], run: Run) -> tuple[PlaceLabel, ...]:
    if not len(place):
        return ()
    own, middle = _thickest(place, topic)
    count = np.bincount(topic, minlength=int(own.max()) + 1)
    found = [
        PlaceLabel(number, run.topic_labels[number], int(x), int(y), int(count[number]))
        for number, (x, y) in zip(own.tolist(), middle, strict=True)
        if number not in run.hidden_topics
    ]
    return tuple(sorted(found, key=lambda label: (-label.documents, label.topic)))


def _thickest(
    place: PlaceArray, topic: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Topics, and the middle of the documents of each in and around its fullest square."""
    squares = int(np.clip(np.sqrt(len(place)) / 2.0, FEWEST_SQUARES, MOST_SQUARES))
    side = squares + 2
    square = (place.astype(np.int64) * squares) // (SIDE + 1) + 1
    around = np.array([side * dx + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
    key = topic.astype(np.int64) * side * side + square[:, 0] * side + square[:, 1]
    keys, count = np.unique(key, return_counts=True)
    _, into = np.unique((keys[:, None] + around).ravel(), return_inverse=True)
    total = np.bincount(into, np.repeat(count, len(around)))
    # Of every topic the fullest, by its own square.
    into = into.reshape(-1, len(around))
    full = total[into[:, len(around) // 2]]
    order = np.lexsort((keys, -full, keys // (side * side)))
    own, first = np.unique(keys[order] // (side * side), return_index=True)
    best = keys[order[first]]
    middle = np.zeros((len(own), 2))
    number = np.searchsorted(own, topic)
    is_near = np.isin(key - best[number], around)
    for axis in (0, 1):
        sums = np.bincount(number[is_near], place[is_near, axis], len(own))
        middle[:, axis] = sums / np.bincount(number[is_near], minlength=len(own))
    return own, middle


# A hand draws no more corners than this that matter; an address has room for so many.
MOST_CORNERS = 64
_AREA = re.compile(rf"[0-9]{{1,5}}(?:\.[0-9]{{1,5}}){{5,{2 * MOST_CORNERS - 1}}}")


def read_area(text: str) -> npt.NDArray[np.int64] | None:
    """Corners ``x.y.x.y…`` of an area, shape (n_corners, 2); None where this is none."""
    if not _AREA.fullmatch(text) or text.count(".") % 2 == 0:
        return None
    corners = np.array([int(part) for part in text.split(".")], np.int64).reshape(-1, 2)
    return corners if (corners <= SIDE).all() else None


def is_inside(place: PlaceArray, corners: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether points lie in a polygon, by the crossings of a ray from each (even: outside)."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    near = np.flatnonzero(((place >= low) & (place <= high)).all(axis=1))
    x, y = place[near, 0].astype(np.float64), place[near, 1].astype(np.float64)
    inside = np.zeros(len(near), np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = (y < y0) != (y < y1)
        inside ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    found = np.zeros(len(place), np.bool_)
    found[near] = inside
    return found


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


@dataclass(frozen=True)
class Asked:
    """What documents are asked for; every condition must hold.

    Attributes
    ----------
    found : int64 array or None
        Rows that the search found; None where nothing was searched for.
    topic : int
        A topic that is on in them, or one that is shown as it; -1 for any.
    only : tuple of str
        Entries of the legend; empty for all.
    area : int64 array or None, shape (n_corners, 2)
    """

    found: npt.NDArray[np.int64] | None = None
    topic: int = -1
    only: tuple[str, ...] = ()
    area: npt.NDArray[np.int64] | None = None

    def anything(self) -> bool:
        """Whether there is any condition."""
        return self.found is not None or self.topic >= 0 or bool(self.only) or self.area is not None


def lit_points(
    asked: Asked, points: Points, colouring: Colouring, found: DocumentMap, run: Run
) -> npt.NDArray[np.bool_]:
    """Whether each point is lit, shape (n_points,)."""
    lit = colouring.is_among(asked.only)
    if asked.found is not None:
        is_found = np.zeros(points.n_documents, np.bool_)
        is_found[asked.found] = True
        lit &= is_found[points.rows]
    if asked.topic >= 0:
        is_on = found.on[:, run.parts_of(asked.topic)].astype(np.int32).sum(axis=1) > 0
        lit &= np.asarray(is_on)[points.rows]
    if asked.area is not None:
        lit &= is_inside(points.place, asked.area)
    return lit


def table_of(corpus: Corpus, rows: npt.NDArray[np.int64], found: DocumentMap, run: Run) -> bytes:
    """CSV of some documents: their columns, and the topic that each is about most."""
    topic = [run.topic_labels[number] if number >= 0 else "" for number in found.topic[rows]]
    table: pd.DataFrame = corpus.documents.iloc[rows].reset_index(drop=True)
    table.insert(len(table.columns), "topic", topic, allow_duplicates=True)
    return csv_bytes(table)
