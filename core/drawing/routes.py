"""Routes of the arrows: down through the gaps between boxes, never behind one (no streamlit)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .layout import GAP_X, ROUNDING, Box

Point = tuple[float, float]

# An arrow keeps this far from the boxes that it passes: between neighbours it runs in the middle.
MARGIN = GAP_X / 2
# An arrow that runs straight and this far from all boxes of a row need not be led through it.
CLEARANCE = 60.0


@dataclass(frozen=True)
class _Row:
    """Boxes at one height: upper and lower edge, and the gaps between them, outer ones too."""

    top: float
    bottom: float
    gaps: tuple[tuple[float, float], ...]

    def nearest(self, x: float) -> float:
        """The place in a gap that is nearest to another."""
        places = (min(max(x, low), high) for low, high in self.gaps)
        # Of two that are equally near up to rounding, the left one.
        return min(places, key=lambda place: round(abs(place - x) / ROUNDING))

    def clearance(self, x: float) -> float:
        """How far a place is from the boxes."""
        return max(min(x - low, high - x) for low, high in self.gaps)


def route_edges(
    boxes: Iterable[Box], centre: Mapping[str, Point], ends: Iterable[tuple[str, str]]
) -> list[list[Point]]:
    """Route every edge from the bottom of its parent to the top of its child.

    Parameters
    ----------
    boxes : iterable of Box
    centre : mapping of str to (x, y)
        Where each box stands, y growing downwards; boxes of one row have the same y.
    ends : iterable of (key, key)
        Parent and child of each edge.

    Returns
    -------
    list of list of (x, y)
        Points that each edge passes from above to below, in pairs: where it enters the height of
        a row and where it leaves it. No points where nothing is in the way, or where the child
        does not stand below its parent.
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
