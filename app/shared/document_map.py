"""The map of the documents: points with labels, an area, colours, and highlighted documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap
from ...core.drawing.links import whole
from ...core.model.subtrees import joined
from ...core.model.topic_model import Run
from ...core.utils.lazy import LazyModule
from ...core.utils.parsing import csv_bytes
from ..workspace.facets import NO_YEAR, Facets

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


# Coordinates are 16-bit numbers.
SIDE = 65535
# Squares per side in which documents are counted for labels; fewer if there are few documents, so
# that a handful makes no difference.
MIN_SQUARES, MAX_SQUARES = 8, 64
# Corners of a selected area; more would not fit into a URL.
MAX_CORNERS = 64
_AREA = re.compile(rf"[0-9]{{1,5}}(?:\.[0-9]{{1,5}}){{5,{2 * MAX_CORNERS - 1}}}")
# Labels or topics in the legend, each with a colour of its own, and spans of years.
MAX_LISTED, MAX_SPANS = 16, 10
# Pale hues of the other topics around the middle of the map, and rings that distinguish the
# distance from it.
HUES, RINGS = 30, 3
# Lightness of colours on a light and on a dark background.
LIGHTNESS = {"light": 0.62, "dark": 0.74}

PlaceArray = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class PlaceLabel:
    """Name of a topic, at the densest place of the documents in which it is on."""

    topic: int
    text: str
    x: int
    y: int
    documents: int


@dataclass(frozen=True)
class Points:
    """Documents that have a position, in the order in which they are drawn."""

    rows: npt.NDArray[np.int64]  # in the corpus, shape (n_points,)
    place: PlaceArray  # shape (n_points, 2)
    topic: npt.NDArray[np.int32]  # main topic as displayed, shape (n_points,)
    # Whether a topic, or one displayed as it, is on: bool, shape (n_points, n_topics).
    on: sparse.csr_array
    # Displayed topics: those with most documents first and unclear ones last.
    labels: tuple[PlaceLabel, ...]
    n_documents: int  # of the corpus, including those without a position


def points_of(found: DocumentMap, run: Run) -> Points:
    """Points and labels of a map for drawing."""
    rows = np.flatnonzero(found.topic >= 0)
    # In random order, since later points hide earlier ones.
    rows = rows[np.random.default_rng(0).permutation(len(rows))].astype(np.int64)
    shown_as = np.array([whole(run, topic) for topic in range(found.on.shape[1])], np.int32)
    place, topic = _scaled(found.place[rows]), shown_as[found.topic[rows]]
    on = sparse.csr_array(joined(found.on[rows], run.shown_as))
    return Points(rows, place, topic, on, _labels(place, on, run), len(found.topic))


def _scaled(place: npt.NDArray[np.float32]) -> PlaceArray:
    """Scale positions to a square of ``SIDE``, with one scale for both axes."""
    if not len(place):
        return np.empty((0, 2), np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    span = max(float((high - low).max()), 1e-6)
    middle = (low + high) / 2.0
    whole = np.round((((place - middle) / span) + 0.5) * SIDE).clip(0, SIDE)
    return np.asarray(whole, np.uint16)


def _labels(place: PlaceArray, on: sparse.csr_array, run: Run) -> tuple[PlaceLabel, ...]:
    if not on.nnz:
        return ()
    # A document counts for each of its topics, as the largest are rarely the main topic of any.
    point, topic = on.tocoo().coords
    own, middle = _densest(place[point], topic.astype(np.int32))
    count = np.bincount(topic, minlength=int(own.max()) + 1)
    found = [
        PlaceLabel(number, run.topic_labels[number], int(x), int(y), int(count[number]))
        for number, (x, y) in zip(own.tolist(), middle, strict=True)
        if number not in run.hidden_topics
    ]
    unclear = run.unclear_topics
    return tuple(
        sorted(found, key=lambda label: (label.topic in unclear, -label.documents, label.topic))
    )


def _densest(
    place: PlaceArray, topic: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Topics, and the mean position of their documents in and around their fullest square."""
    squares = int(np.clip(np.sqrt(len(place)) / 2.0, MIN_SQUARES, MAX_SQUARES))
    side = squares + 2
    square = (place.astype(np.int64) * squares) // (SIDE + 1) + 1
    around = np.array([side * dx + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
    key = topic.astype(np.int64) * side * side + square[:, 0] * side + square[:, 1]
    keys, count = np.unique(key, return_counts=True)
    _, into = np.unique((keys[:, None] + around).ravel(), return_inverse=True)
    total = np.bincount(into, np.repeat(count, len(around)))
    # The fullest square of every topic that has documents of the topic in its middle.
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


def read_area(text: str) -> npt.NDArray[np.int64] | None:
    """Corners of an area ``x.y.x.y…`` in a URL, shape (n_corners, 2); None if it is invalid."""
    if not _AREA.fullmatch(text) or text.count(".") % 2 == 0:
        return None
    corners = np.array([int(part) for part in text.split(".")], np.int64).reshape(-1, 2)
    return corners if (corners <= SIDE).all() else None


def is_inside(place: PlaceArray, corners: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether points are in a polygon: a ray from such a point crosses an odd number of edges."""
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


@dataclass(frozen=True)
class Entry:
    """A line of the legend with its number of points, and the number of its colour."""

    key: str
    name: str
    count: int
    colour: int


@dataclass(frozen=True)
class Colouring:
    """A colour for every point."""

    colour: npt.NDArray[np.uint8]  # index into the palette below 128, 0 is grey; shape (n_points,)
    kind: npt.NDArray[np.int32]  # index of the legend entry or -1, shape (n_points,)
    entries: tuple[Entry, ...]
    palette: dict[str, list[str]]  # #RRGGBB for the themes light and dark
    # Whether a point belongs to an entry, shape (n_points, n_entries), if it may belong to several;
    # it has the colour of one of them.
    member: sparse.csr_array | None = None

    def is_among(self, keys: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether each point belongs to one of the entries with these keys; all if none exists."""
        wanted = [number for number, entry in enumerate(self.entries) if entry.key in keys]
        if not wanted:
            return np.ones(len(self.kind), np.bool_)
        if self.member is None:
            return np.isin(self.kind, wanted)
        return np.asarray(self.member[:, wanted].sum(axis=1) > 0)


def ways(facets: Facets) -> list[str]:
    """Properties of these documents that colours can show."""
    return ["topic", *(["label"] if facets.labels else []), *(["year"] if facets.years else [])]


def coloured(by: str, points: Points, run: Run, facets: Facets) -> Colouring:
    """Colour the points by one of the `ways`."""
    if by == "label":
        return by_label(points, facets)
    return by_year(points, facets) if by == "year" else by_topic(points, run)


def by_topic(points: Points, run: Run) -> Colouring:
    """Colour by topic: the largest have colours of their own, others pale ones by their direction.

    A point has the colour of its main topic or, if that is not among the largest, of the smallest
    of these that is on; it belongs to all that are on.
    """
    n_topics = run.network.graph.n_topics
    listed = points.labels[:MAX_LISTED]
    numbers = [label.topic for label in listed]
    kind_of = np.full(n_topics, -1, np.int32)
    kind_of[numbers] = np.arange(len(listed))
    member = sparse.csr_array(points.on[:, numbers])
    kind = kind_of[points.topic]
    if listed:
        # The last entry is the smallest.
        numbered = sparse.csr_array(member @ sparse.diags_array(np.arange(1.0, len(listed) + 1.0)))
        smallest = np.asarray(numbered.max(axis=1).todense()).ravel() - 1
        kind = np.where(kind >= 0, kind, smallest).astype(np.int32)
    pale_of = np.zeros(n_topics, np.int64)
    for label in points.labels:
        pale_of[label.topic] = MAX_LISTED + _by_direction(label.x, label.y)
    colour = np.where(kind >= 0, kind + 1, pale_of[points.topic]).astype(np.uint8)
    ids = run.network.graph.topic_ids
    entries = tuple(
        Entry(ids[label.topic], label.text, label.documents, place + 1)
        for place, label in enumerate(listed)
    )
    pale = [(1.1 - 0.07 * ring, 0.05, hue / HUES) for ring in range(RINGS) for hue in range(HUES)]
    palette = _palette([*_apart(MAX_LISTED), *pale])
    return Colouring(colour, kind, entries, palette, member)


def by_label(points: Points, facets: Facets) -> Colouring:
    """Colour the most frequent labels; the others are grey."""
    names, kind, count = np.unique(
        facets.label[points.rows].astype(str), return_inverse=True, return_counts=True
    )
    order = [number for number in np.argsort(-count, kind="stable") if names[number]][:MAX_LISTED]
    place_of = np.full(len(names), -1, np.int32)
    place_of[order] = np.arange(len(order))
    entries = tuple(
        Entry(str(names[number]), str(names[number]), int(count[number]), place + 1)
        for place, number in enumerate(order)
    )
    palette = _palette(_apart(len(order)))
    own = place_of[kind]
    return Colouring((own + 1).astype(np.uint8), own, entries, palette)


def _apart(count: int) -> list[tuple[float, float, float]]:
    """Colours for `_palette`: every fifth hue, so that neighbours in the legend are far apart."""
    return [
        (0.9 + 0.2 * (place % 2), 0.16, (5 * place % MAX_LISTED) / MAX_LISTED)
        for place in range(count)
    ]


def by_year(points: Points, facets: Facets) -> Colouring:
    """Colour by year, in a few spans with equal numbers of documents, from dark to bright."""
    year = facets.year[points.rows]
    known = np.sort(year[year != NO_YEAR])
    if not len(known):
        return Colouring(np.zeros(len(year), np.uint8), np.full(len(year), -1, np.int32), (), {})
    starts = np.unique(known[np.arange(MAX_SPANS) * len(known) // MAX_SPANS])
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


def _by_direction(x: int, y: int) -> int:
    """Index of the colour of a position, from its angle and its distance from the middle."""
    right, up = x / SIDE - 0.5, y / SIDE - 0.5
    turn = (np.arctan2(up, right) / (2.0 * pi)) % 1.0
    ring = min(int(hypot(right, up) * 2.0 * RINGS), RINGS - 1)
    return 1 + ring * HUES + int(turn * HUES) % HUES


def _palette(colours: Sequence[tuple[float, float, float]]) -> dict[str, list[str]]:
    """Grey and the colours, given as relative lightness, chroma, and hue as a share of a turn."""
    with_grey = [(1.0, 0.0, 0.0), *colours]
    return {
        theme: [oklch(LIGHTNESS[theme] * light, chroma, hue) for light, chroma, hue in with_grey]
        for theme in LIGHTNESS
    }


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """``#RRGGBB`` of a colour in OKLCH (Ottosson, 2020), with the hue as a share of a turn."""
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
class MapSelection:
    """Conditions on documents, all of which must hold."""

    found: npt.NDArray[np.int64] | None = None  # rows that a search found; None without a search
    topic: int = -1  # is on, or one that is displayed as it; -1 for any
    only: tuple[str, ...] = ()  # entries of the legend; empty for all
    area: npt.NDArray[np.int64] | None = None  # shape (n_corners, 2)

    def anything(self) -> bool:
        """Whether there is any condition."""
        return self.found is not None or self.topic >= 0 or bool(self.only) or self.area is not None


def highlighted_points(
    selection: MapSelection, points: Points, colouring: Colouring, found: DocumentMap, run: Run
) -> npt.NDArray[np.bool_]:
    """Whether each point meets all conditions and is highlighted, shape (n_points,)."""
    highlighted = colouring.is_among(selection.only)
    if selection.found is not None:
        is_found = np.zeros(points.n_documents, np.bool_)
        is_found[selection.found] = True
        highlighted &= is_found[points.rows]
    if selection.topic >= 0:
        is_on = found.on[:, run.parts_of(selection.topic)].astype(np.int32).sum(axis=1) > 0
        highlighted &= np.asarray(is_on)[points.rows]
    if selection.area is not None:
        highlighted &= is_inside(points.place, selection.area)
    return highlighted


def table_of(corpus: Corpus, rows: npt.NDArray[np.int64], found: DocumentMap, run: Run) -> bytes:
    """CSV of some documents: their columns, and their main topic as displayed.

    The topic is empty for documents without one, and for a hidden topic.
    """
    shown, unnamed = (whole(run, topic) for topic in found.topic[rows].tolist()), run.hidden_topics
    names = ["" if topic < 0 or topic in unnamed else run.topic_labels[topic] for topic in shown]
    table: pd.DataFrame = corpus.documents.iloc[rows].reset_index(drop=True)
    table.insert(len(table.columns), "topic", names, allow_duplicates=True)
    return csv_bytes(table)
