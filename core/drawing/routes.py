"""Routes of the arrows: downwards through the gaps between boxes, never behind a box."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .layout import GAP_X, ROUNDING, Box

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
    boxes : iterable of Box
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
