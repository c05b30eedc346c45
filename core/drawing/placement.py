"""Placement around the layered layout: zones side by side, stable positions, routes of arrows.

`with_more` adds boxes to a placement without moving any, since a picture that moves under the
pointer makes a second click hit something else. Arrows run downwards through the gaps between
boxes, never behind a box.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .layout import GAP_X, GAP_Y, LAYER_GAP, ROUNDING, Box, Placement, place_boxes

HEAD = 34.0
# Width of a heading: padding plus letters, up to a maximum; the boxes may make the zone wider.
HEADING_WIDTH = 240.0
HEADING_PADDING = 34.0
HEADING_LETTER = 7.6
# Topics of a zone in one row, and words.
MAX_COLUMNS = 3
MAX_WORDS = 4
# Tolerance for the centres of one row.
SAME_ROW = 1.0


@dataclass(frozen=True)
class Zone:
    """A panel behind boxes: its heading, middle and width."""

    text: str
    x: float
    width: float


@dataclass(frozen=True)
class Spacing:
    """Gap between zones, and padding around the boxes of one."""

    gap: float
    padding: float


SPACIOUS = Spacing(14.0, 16.0)
# With this, three columns of topics fit on a phone at a legible size.
NARROW = Spacing(5.0, 10.0)


def place_zones(
    groups: Sequence[tuple[str, Sequence[Box]]],
    links: Sequence[tuple[str, str]],
    *,
    is_narrow: bool = False,
) -> tuple[Placement, tuple[Zone, ...]]:
    """Place each group in a zone of its own, from left to right; words keep their order.

    Parameters
    ----------
    groups : sequence of (heading, boxes)
    links : sequence of (key, key)
        Parent and child of each edge, within a zone or between two.
    is_narrow : bool
        Whether every zone is a single column, as on a phone.
    """
    spacing = NARROW if is_narrow else SPACIOUS
    padding = spacing.padding
    placed = [
        _column(boxes)
        if is_narrow
        else place_boxes(boxes, links, frozenset({0}), _columns_width(boxes))
        for _, boxes in groups
    ]
    level = _levels(groups, placed)
    least = [
        0.0
        if is_narrow and boxes
        else min(HEADING_WIDTH, HEADING_PADDING + HEADING_LETTER * len(text))
        for text, boxes in groups
    ]
    widths = [
        max(width, part.width + 2 * padding) for width, part in zip(least, placed, strict=True)
    ]
    total = sum(widths) + spacing.gap * (len(groups) - 1)
    height = HEAD + 2 * padding + max((tall - low for low, tall in level.values()), default=0.0)
    centre: dict[str, tuple[float, float]] = {}
    zones = []
    left = -total / 2
    for (text, boxes), part, width in zip(groups, placed, widths, strict=True):
        middle = left + width / 2
        zones.append(Zone(text, middle, width))
        for box in boxes:
            x, y = part.centre[box.key]
            shift = level[box.layer][0] - _bottom(boxes, part, box.layer)
            centre[box.key] = (x + middle, y + shift + height / 2 - padding)
        left += width + spacing.gap
    return Placement(centre, total, height), tuple(zones)


def _column(boxes: Sequence[Box]) -> Placement:
    """Boxes below each other: words as typed; of topics in a layer, the strongest pull lowest."""
    centre: dict[str, tuple[float, float]] = {}
    bottom, layer = 0.0, 0
    upwards = sorted(reversed(boxes), key=lambda box: (box.layer, -box.pull if box.layer else 0.0))
    for box in upwards:
        if centre:
            bottom -= GAP_Y if box.layer == layer else LAYER_GAP
        layer = box.layer
        centre[box.key] = (0.0, bottom - box.height / 2)
        bottom -= box.height
    return Placement(centre, max((box.width for box in boxes), default=0.0), -bottom)


def _columns_width(boxes: Sequence[Box]) -> float:
    """Row width at which the fullest layer has few rows."""
    layers: dict[int, list[Box]] = {}
    for box in boxes:
        layers.setdefault(box.layer, []).append(box)
    widest = 0.0
    for layer, members in layers.items():
        many = math.ceil(math.sqrt(len(members) + 1))
        columns = min(len(members), MAX_COLUMNS, many) if layer else min(len(members), MAX_WORDS)
        widest = max(widest, columns * (max(box.width for box in members) + GAP_X) - GAP_X)
    return widest


def _bottom(boxes: Sequence[Box], part: Placement, layer: int) -> float:
    return max(part.centre[b.key][1] + b.height / 2 for b in boxes if b.layer == layer)


def _levels(
    groups: Sequence[tuple[str, Sequence[Box]]], placed: Sequence[Placement]
) -> dict[int, tuple[float, float]]:
    """Bottom (0 for the lowest layer, negative above) and height of every layer."""
    heights: dict[int, float] = {}
    for (_, boxes), part in zip(groups, placed, strict=True):
        for layer in {box.layer for box in boxes}:
            members = [box for box in boxes if box.layer == layer]
            top = min(part.centre[box.key][1] - box.height / 2 for box in members)
            tall = _bottom(boxes, part, layer) - top
            heights[layer] = max(heights.get(layer, 0.0), tall)
    level, bottom = {}, 0.0
    for layer in sorted(heights):
        level[layer] = (bottom, heights[layer])
        bottom -= heights[layer] + LAYER_GAP
    return level


def with_more(placement: Placement, placed: Sequence[Box], more: Sequence[Box]) -> Placement:
    """Add boxes to a placement without moving any of its own.

    ``placed`` are the boxes of the placement. Each new box is put at the end of a row of its layer
    that is nearest to the middle, so that the picture grows in width only if it must. If its layer
    has no row yet, it is put on the right of all boxes, at the height of its layer. The result
    keeps its origin.
    """
    centre, boxes = dict(placement.centre), list(placed)
    for box in more:
        peers = [other for other in boxes if other.layer == box.layer]
        centre[box.key] = (
            _at_an_end(box, peers, centre) if peers else _beside_all(box, boxes, centre)
        )
        boxes.append(box)
    wide = [2 * (abs(centre[box.key][0]) + box.width / 2) for box in boxes]
    tall = [2 * (abs(centre[box.key][1]) + box.height / 2) for box in boxes]
    return Placement(centre, max([placement.width, *wide]), max([placement.height, *tall]))


def _at_an_end(
    box: Box, peers: Sequence[Box], centre: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Position at the end of a row of its layer nearest to the middle; of equals, on the lowest."""
    ends = []
    for height in {centre[other.key][1] for other in peers}:
        row = [other for other in peers if abs(centre[other.key][1] - height) < SAME_ROW]
        left = min(centre[other.key][0] - other.width / 2 for other in row)
        right = max(centre[other.key][0] + other.width / 2 for other in row)
        step = GAP_X + box.width / 2
        ends += [(left - step, height), (right + step, height)]
    return min(ends, key=lambda end: (round(abs(end[0]) / ROUNDING), -end[1], end[0]))


def _beside_all(
    box: Box, boxes: Sequence[Box], centre: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Position on the right of all boxes, below higher layers and above lower ones."""
    right = max((centre[other.key][0] + other.width / 2 for other in boxes), default=0.0)
    step = LAYER_GAP + box.height
    higher = [centre[other.key][1] for other in boxes if other.layer > box.layer]
    lower = [centre[other.key][1] for other in boxes if other.layer < box.layer]
    above = max(higher, default=min(lower, default=0.0) - 2 * step)
    below = min(lower, default=above + 2 * step)
    return right + GAP_X + box.width / 2, (above + below) / 2


Point = tuple[float, float]

# Distance of an arrow from boxes that it passes: it is in the middle between two neighbours.
MARGIN = GAP_X / 2
# An arrow that passes a row straight and this far from its boxes needs no route.
CLEARANCE = 60.0


@dataclass(frozen=True)
class _Row:
    """Boxes at one height: top, bottom and the gaps between boxes, including the outer ones."""

    top: float
    bottom: float
    gaps: tuple[tuple[float, float], ...]

    def nearest(self, x: float) -> float:
        """Position in a gap that is nearest to ``x``."""
        places = (min(max(x, low), high) for low, high in self.gaps)
        # The left one of two that are equally near up to rounding.
        return min(places, key=lambda place: round(abs(place - x) / ROUNDING))

    def clearance(self, x: float) -> float:
        """Distance of ``x`` from the nearest box."""
        return max(min(x - low, high - x) for low, high in self.gaps)


def route_edges(
    boxes: Iterable[Box], centre: Mapping[str, Point], ends: Iterable[tuple[str, str]]
) -> list[list[Point]]:
    """Route every edge from the bottom of its parent to the top of its child.

    Parameters
    ----------
    centre : mapping of str to (x, y)
        Centre of each box, y growing downwards; boxes of one row have the same y.
    ends : iterable of (key, key)
        Parent and child of each edge.

    Returns
    -------
    list of list of (x, y)
        Points on each edge from top to bottom, in pairs: where it enters a row and where it leaves
        it. Empty if no box is in the way, or if the child is not below its parent.
    """
    by_key = {box.key: box for box in boxes}
    rows = _rows(by_key, centre)
    return [_route(by_key[parent], by_key[child], centre, rows) for parent, child in ends]


def _rows(boxes: Mapping[str, Box], centre: Mapping[str, Point]) -> list[_Row]:
    at_height: dict[float, list[Box]] = {}
    for key, box in boxes.items():
        at_height.setdefault(round(centre[key][1], 3), []).append(box)
    rows = []
    for y, members in sorted(at_height.items()):
        half = max(box.height for box in members) / 2
        sides = sorted(
            (centre[b.key][0] - b.width / 2 - MARGIN, centre[b.key][0] + b.width / 2 + MARGIN)
            for b in members
        )
        lows = [-math.inf, *(right for _, right in sides)]
        highs = [*(left for left, _ in sides), math.inf]
        gaps = tuple(
            (low, high) for low, high in zip(lows, highs, strict=True) if low <= high + ROUNDING
        )
        rows.append(_Row(y - half, y + half, gaps))
    return rows


def _route(parent: Box, child: Box, centre: Mapping[str, Point], rows: list[_Row]) -> list[Point]:
    x, y = centre[parent.key][0], centre[parent.key][1] + parent.height / 2
    goal_x, goal_y = centre[child.key][0], centre[child.key][1] - child.height / 2
    points: list[Point] = []
    for row in rows:
        if row.top <= y or row.bottom >= goal_y:
            continue
        share = ((row.top + row.bottom) / 2 - y) / (goal_y - y)
        straight = x + (goal_x - x) * share
        if row.clearance(straight) < CLEARANCE - ROUNDING:
            x, y = row.nearest(straight), row.bottom
            points += [(x, row.top), (x, row.bottom)]
    return points
