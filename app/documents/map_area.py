"""An area of the map, as it stands in the address, and what lies in it (no streamlit)."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from orrery.app.documents.map_points import SIDE, PlaceArray

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
