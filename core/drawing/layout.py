"""Layered layout of a topic graph: order in a layer with few crossings, rows without overlap.

If a layer needs several rows, a band behind them shows that they are one layer.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

SWEEPS = 8
# Decimals of a barycentre, so that ties do not depend on the order of summation.
DIGITS = 9
GAP_X = 12.0
GAP_Y = 16.0
# Room between two layers, so that edges are distinguishable.
LAYER_GAP = 62.0
# Width of the picture's column at 1280 px: a picture of this width is shown at full size.
ROOM = 690.0
# Width over height of a larger picture.
ROOM_SHARE = 1.1
# Tolerance for sums of widths.
ROUNDING = 1e-6
# Space of a band above and below its boxes.
EDGE = GAP_Y / 2
# Tolerance for the centres of one row.
SAME_ROW = 1.0

# Keys of every layer from left to right.
Order = dict[int, list[str]]
# Middle and height.
Band = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A box to place; ``pull`` moves it to the lower rows of a layer with several rows."""

    key: str
    layer: int
    width: float
    height: float
    pull: float = 0.0


@dataclass(frozen=True)
class Placement:
    """Centres of all boxes (y grows downwards, origin in the middle) and the size of the whole."""

    centre: Mapping[str, tuple[float, float]]
    width: float
    height: float


def reduce_crossings(
    order: Order, links: Sequence[tuple[str, str]], keep_order: frozenset[int]
) -> Order:
    """Order layers by the barycentre of their neighbours, in sweeps up and down.

    Return the best order found, which never has more crossings than ``order``.
    """
    layer_of = {key: layer for layer, keys in order.items() for key in keys}
    upper: dict[str, list[str]] = {key: [] for key in layer_of}
    lower: dict[str, list[str]] = {key: [] for key in layer_of}
    for parent, child in links:
        if layer_of[parent] != layer_of[child]:
            upper[child].append(parent)
            lower[parent].append(child)
    best, fewest = order, count_crossings(order, links)
    current = {layer: list(keys) for layer, keys in order.items()}
    layers = sorted(order)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        upward = sweep % 2 == 0
        for layer in layers if upward else reversed(layers):
            if layer not in keep_order:
                # Barycentres of the neighbours; a box without neighbours stays.
                place, neighbours = _relative_places(current), lower if upward else upper
                means = {
                    key: round(fmean(place[n] for n in neighbours[key] or (key,)), DIGITS)
                    for key in current[layer]
                }
                current[layer] = sorted(current[layer], key=means.__getitem__)
        crossings = count_crossings(current, links)
        if crossings < fewest:
            best, fewest = {layer: list(keys) for layer, keys in current.items()}, crossings
    return best


def _relative_places(order: Order) -> dict[str, float]:
    """Position of every key in its layer: 0 at the left end, 1 at the right."""
    return {
        key: (number + 0.5) / len(keys)
        for keys in order.values()
        for number, key in enumerate(keys)
    }


def count_crossings(order: Order, links: Sequence[tuple[str, str]]) -> int:
    """Number of pairs of edges that join the same two layers and cross."""
    place = _relative_places(order)
    layer_of = {key: layer for layer, keys in order.items() for key in keys}
    groups: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for parent, child in links:
        between = (layer_of[parent], layer_of[child])
        if between[0] != between[1]:
            groups.setdefault(between, []).append((place[parent], place[child]))
    crossings = 0
    for ends in groups.values():
        above, beneath = np.array(ends).T
        swapped = np.subtract.outer(above, above) * np.subtract.outer(beneath, beneath) < 0
        crossings += int(swapped.sum()) // 2
    return crossings


def place_boxes(
    boxes: Sequence[Box],
    links: Iterable[tuple[str, str]],
    keep_order: frozenset[int] = frozenset(),
    room: float | None = None,
) -> Placement:
    """Place boxes in layers, the highest layer on top.

    Parameters
    ----------
    boxes : sequence of Box
        Layers in ``keep_order`` keep this order from left to right.
    links : iterable of (key, key)
        Parent and child of each edge; edges within a layer have no effect.
    keep_order : frozenset of int
        Layers whose order is given, such as typed words. A layer too wide for one row is ordered
        like the others: rows in reading order would separate boxes with common parents.
    room : float, optional
        Width of a row; by default one that makes the picture about as tall as wide.
    """
    if not boxes:
        return Placement({}, 0.0, 0.0)
    by_key = {box.key: box for box in boxes}
    order: Order = {}
    for box in boxes:
        order.setdefault(box.layer, []).append(box.key)
    pairs = [pair for pair in links if pair[0] in by_key and pair[1] in by_key]
    # By default a large picture is not much taller than wide.
    area = sum((box.width + GAP_X) * (box.height + GAP_Y) for box in boxes)
    room = room or max(ROOM, math.sqrt(ROOM_SHARE * area))
    # In a layer of given order, later boxes are pulled to the lower rows.
    for layer in keep_order & set(order):
        for number, key in enumerate(order[layer]):
            by_key[key] = replace(by_key[key], pull=number)
    fitting = {
        layer
        for layer in keep_order & set(order)
        if _length(by_key[key] for key in order[layer]) <= room + ROUNDING
    }
    order = reduce_crossings(order, pairs, frozenset(fitting))
    centre: dict[str, tuple[float, float]] = {}
    below: dict[str, list[str]] = {key: [] for key in by_key}
    for parent, child in pairs:
        if by_key[parent].layer > by_key[child].layer:
            below[parent].append(child)
    top = 0.0
    for layer in sorted(order):
        layer_boxes = [by_key[key] for key in order[layer]]
        rows = [_line(layer_boxes)] if layer in fitting else _rows(layer_boxes, room)
        placed: dict[str, tuple[float, float]] = {}
        if len(rows) == 1 and layer not in fitting:
            rows = [_near_children(rows[0], centre, below)]
        for row in reversed(rows):
            height = max(box.height for box, _ in row)
            placed.update({box.key: (x, top - height / 2) for box, x in row})
            top -= height + GAP_Y
        centre.update(_within(placed, room, by_key))
        top -= LAYER_GAP - GAP_Y
    return _centred(centre, by_key)


def _rows(boxes: list[Box], room: float) -> list[list[tuple[Box, float]]]:
    """Rows of one layer from top to bottom, each box with the x of its centre.

    Rows are offset like bricks, so that arrows from above pass between boxes. The order of the
    boxes is kept from left to right, and boxes with the strongest pull are in the lowest row.
    """
    pitch = max(box.width for box in boxes) + GAP_X
    per_row = max(2, int((room + GAP_X + ROUNDING) // pitch))
    if len(boxes) <= per_row:
        return [list(zip(boxes, _even(len(boxes), pitch), strict=True))]
    return _bricks(boxes, per_row, pitch)


def _even(count: int, pitch: float) -> list[float]:
    return [pitch * (number - (count - 1) / 2) for number in range(count)]


def _length(boxes: Iterable[Box]) -> float:
    """Width of boxes in a row."""
    return sum(box.width + GAP_X for box in boxes) - GAP_X


def _line(boxes: list[Box]) -> list[tuple[Box, float]]:
    """One row in the given order; boxes keep their own widths."""
    left = -_length(boxes) / 2
    line = []
    for box in boxes:
        line.append((box, left + box.width / 2))
        left += box.width + GAP_X
    return line


def _bricks(boxes: list[Box], per_row: int, pitch: float) -> list[list[tuple[Box, float]]]:
    """Rows of n, n - 1, n, … boxes from the bottom up; the top row has the remainder."""
    counts = _brick_counts(len(boxes), per_row)
    # The narrowest rows for this number of rows, so that no row has a single box unless it must.
    while len(_brick_counts(len(boxes), per_row - 1)) == len(counts):
        per_row -= 1
        counts = _brick_counts(len(boxes), per_row)
    # Shift rows by half a pitch where they would otherwise form columns.
    places = sorted(
        (x + (pitch / 2 if (count - per_row + row) % 2 else 0.0), row)
        for row, count in enumerate(counts)
        for x in _even(count, pitch)
    )
    rows: list[list[tuple[Box, float]]] = [[] for _ in counts]
    for start in range(0, len(boxes), len(counts)):
        near = sorted(places[start : start + len(counts)], key=lambda place: place[1])
        strongest = sorted(boxes[start : start + len(counts)], key=lambda box: -box.pull)
        for box, (x, row) in zip(strongest, near, strict=True):
            rows[row].append((box, x))
    return [sorted(row, key=lambda place: place[1]) for row in reversed(rows)]


def _brick_counts(n_boxes: int, per_row: int) -> list[int]:
    """Number of boxes in each row, from the bottom up; every second row has one less."""
    counts: list[int] = []
    while (left := n_boxes - sum(counts)) > 0:
        counts.append(min(left, max(1, per_row - len(counts) % 2)))
    return counts


def _near_children(
    row: list[tuple[Box, float]],
    centre: Mapping[str, tuple[float, float]],
    below: Mapping[str, list[str]],
) -> list[tuple[Box, float]]:
    """Move the boxes of a layer's only row above their children."""
    placed = [[centre[key][0] for key in below[box.key] if key in centre] for box, _ in row]
    if not any(placed):
        return row
    wanted = [float(np.mean(xs)) if xs else x for xs, (_, x) in zip(placed, row, strict=True)]
    pitch = max(box.width for box, _ in row) + GAP_X
    xs = nearest_without_overlap(wanted, pitch)
    return [(box, x) for (box, _), x in zip(row, xs, strict=True)]


def _within(
    placed: dict[str, tuple[float, float]], room: float, boxes: Mapping[str, Box]
) -> dict[str, tuple[float, float]]:
    """Shift a layer that sticks out on one side inside the room; centre it if it is wider."""
    left = min(x - boxes[key].width / 2 for key, (x, _) in placed.items())
    right = max(x + boxes[key].width / 2 for key, (x, _) in placed.items())
    if right - left > room:
        shift = -(left + right) / 2
    else:
        shift = max(0.0, -room / 2 - left) - max(0.0, right - room / 2)
    return {key: (x + shift, y) for key, (x, y) in placed.items()}


def nearest_without_overlap(wanted: Sequence[float], pitch: float) -> list[float]:
    """Positions at least ``pitch`` apart, in the given order, nearest to those wanted.

    Least squares, by isotonic regression of ``wanted[i] - i * pitch``.
    """
    if not len(wanted):
        return []
    steps = (pitch * np.arange(len(wanted))).tolist()
    values = [float(value) - step for value, step in zip(wanted, steps, strict=True)]
    # Blocks of equal results ("pool adjacent violators"), with the sums in the order of SciPy's
    # isotonic_regression, whose import takes longer than a page.
    means: list[float] = []
    sizes: list[int] = []
    left = deque(values)
    while left:
        mean, size = left.popleft(), 1
        if means and means[-1] >= mean:
            total, size = sizes[-1] * means.pop() + mean, size + sizes.pop()
            mean = total / size
            while left and mean >= left[0]:
                total, size = total + left.popleft(), size + 1
                mean = total / size
            while means and means[-1] >= mean:
                total, size = total + sizes[-1] * means.pop(), size + sizes.pop()
                mean = total / size
        means.append(mean)
        sizes.append(size)
    places = np.repeat(means, sizes).tolist()
    return [place + step for place, step in zip(places, steps, strict=True)]


def _centred(centre: Mapping[str, tuple[float, float]], boxes: Mapping[str, Box]) -> Placement:
    left = min(centre[key][0] - box.width / 2 for key, box in boxes.items())
    right = max(centre[key][0] + box.width / 2 for key, box in boxes.items())
    top = min(centre[key][1] - box.height / 2 for key, box in boxes.items())
    bottom = max(centre[key][1] + box.height / 2 for key, box in boxes.items())
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    moved = {key: (x - middle_x, y - middle_y) for key, (x, y) in centre.items()}
    return Placement(moved, right - left, bottom - top)


def layer_bands(boxes: Sequence[Box], placement: Placement) -> tuple[Band, ...]:
    """Middle and height of the band of every layer, lowest layer first.

    Empty if every layer is a single row, since bands are then not needed.
    """
    layers: dict[int, list[Box]] = {}
    for box in boxes:
        layers.setdefault(box.layer, []).append(box)
    middles = {
        layer: [placement.centre[box.key][1] for box in members]
        for layer, members in layers.items()
    }
    if all(max(ys) - min(ys) < SAME_ROW for ys in middles.values()):
        return ()
    bands = []
    for layer in sorted(layers):
        sides = [(y, box.height / 2) for y, box in zip(middles[layer], layers[layer], strict=True)]
        top = min(y - half for y, half in sides) - EDGE
        bottom = max(y + half for y, half in sides) + EDGE
        bands.append(((top + bottom) / 2, bottom - top))
    return tuple(bands)
