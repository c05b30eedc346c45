"""The map of topics: nested boxes, each as large as the documents in which its topic is on.

A family of topics is a box: on top the most general topic as a strip of its own, below it what
hangs from it. So every topic, general or specific, has one area, and all areas compare. (Squarified
treemap, Bruls, Huizing and van Wijk 2000; no streamlit.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orrery.app.topics.tree import Tree

# Pixels at which the map is laid out; it is then stretched to the width that there is.
WIDTH = 960.0
HEIGHTS = (260.0, 530.0)
ROOM_PER_TOPIC = 10500.0
# Between boxes of a family, and between families.
GAP, FAMILY_GAP = 3.0, 7.0
# Names are wide and low, and so are the boxes.
ASPECT = 1.8
# A strip lower than this has no room for a name.
STRIP = 23.0
# A smaller box can neither be read nor clicked.
SMALLEST = 1500.0
NARROWEST, LOWEST = 30.0, 20.0
# What is left out is counted in a box of its own that takes at most this part of the room.
REST_SHARE = 0.08
# Where boxes come out too narrow, so much of them is tried next.
STEP = 0.9


@dataclass(frozen=True)
class Spot:
    """A rectangle in pixels, x to the right and y downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Width times height."""
        return self.width * self.height


@dataclass(frozen=True)
class Cell:
    """A box of the map.

    Attributes
    ----------
    topic : int
        The topic, or of a count of what is left out the topic that it hangs from, -1 for none.
    spot : Spot
    depth : int
        How many topics it hangs below.
    folded : int
        How many topics below are not drawn; a cell of its own if ``is_rest``.
    is_rest : bool
        Whether the box is not a topic but counts those that are left out.
    is_strip : bool
        Whether the topic's family is drawn below it.
    """

    topic: int
    spot: Spot
    depth: int
    folded: int = 0
    is_rest: bool = False
    is_strip: bool = False


@dataclass(frozen=True)
class TopicMap:
    """All boxes, and the height of the whole in pixels; the width is ``WIDTH``."""

    cells: tuple[Cell, ...]
    height: float


def map_topics(tree: Tree, root: int = -1, skip: int = 0) -> TopicMap:
    """Lay out a tree, or the family of one topic.

    Parameters
    ----------
    tree : Tree
    root : int
        The topic whose family is shown, -1 for the whole model.
    skip : int
        So many of the largest topics below ``root`` are left out, to see those after them.
    """
    top = tree.roots if root < 0 else tree.below[root]
    drawing = _Drawing(tree, root)
    shown = top[skip:]
    height = _height(len(tree.members(shown)))
    top_strip = 0.0
    if root >= 0:
        share = tree.size[root] / drawing.total[root]
        top_strip = max(STRIP, min(height / 2, share * height))
        drawing.cells.append(Cell(root, Spot(0.0, 0.0, WIDTH, top_strip), 0, is_strip=True))
    if shown:
        room = Spot(0.0, top_strip, WIDTH, height - top_strip)
        drawing.fill(shown, room, root, 0 if root < 0 else 1)
    return TopicMap(tuple(drawing.cells), height)


def _height(n_topics: int) -> float:
    return min(max(n_topics * ROOM_PER_TOPIC / WIDTH, HEIGHTS[0]), HEIGHTS[1])


class _Drawing:
    """The boxes drawn so far."""

    def __init__(self, tree: Tree, root: int) -> None:
        self.tree, self.root = tree, root
        self.total = tree.total()
        self.cells: list[Cell] = []

    def fill(self, topics: Sequence[int], room: Spot, parent: int, depth: int) -> bool:
        """Draw topics with all that hangs from them; False if no box could be read in there."""
        is_top = parent == self.root
        gap = FAMILY_GAP if is_top and any(self.tree.below[topic] for topic in topics) else GAP
        ranked = sorted(topics, key=lambda topic: -self.total[topic])
        # The gap after the last box lies outside, so that the boxes end where their room does.
        room = Spot(room.x, room.y, room.width + gap, room.height + gap)
        spots, n_kept = _readable_spots([self.total[topic] for topic in ranked], room, gap)
        if not n_kept and not is_top:
            return False
        # Counting a single topic would take the room of showing it.
        n_kept += n_kept + 1 == len(ranked)
        for topic, spot in zip(ranked[:n_kept], spots, strict=False):
            self._family(topic, spot, depth)
        if n_kept < len(ranked):
            folded = len(self.tree.members(ranked[n_kept:]))
            self.cells.append(Cell(parent, spots[-1], depth, folded, is_rest=True))
        return True

    def _family(self, topic: int, spot: Spot, depth: int) -> None:
        below = self.tree.below[topic]
        strip = max(STRIP, self.tree.size[topic] / self.total[topic] * spot.height)
        own = Spot(spot.x, spot.y, spot.width, strip)
        rest = Spot(spot.x, spot.y + strip, spot.width, spot.height - strip)
        number = len(self.cells)
        self.cells.append(Cell(topic, own, depth, is_strip=True))
        if not below or not _is_readable(rest) or not self.fill(below, rest, topic, depth + 1):
            self.cells[number] = Cell(topic, spot, depth, len(self.tree.members(below)))


def _is_readable(spot: Spot) -> bool:
    return spot.width >= NARROWEST and spot.height >= LOWEST


def _readable_spots(sizes: Sequence[float], room: Spot, gap: float) -> tuple[list[Spot], int]:
    """Boxes for as many topics as can be read, and their number; one more box is the rest."""
    layouts = (
        ([_inset(spot, gap) for spot in squarify(drawn, room, ASPECT)], n_kept)
        for drawn, n_kept in _ways_to_keep(sizes, room.area)
    )
    return next(layout for layout in layouts if not layout[1] or all(map(_is_readable, layout[0])))


def _ways_to_keep(sizes: Sequence[float], area: float) -> Iterator[tuple[list[float], int]]:
    """Sizes to draw, and how many topics they stand for, from all to none; one more is the rest.

    ``sizes`` are in descending order. The rest is drawn as large as it is, within bounds.
    """
    if sizes[-1] / sum(sizes) * area >= SMALLEST:
        yield list(sizes), len(sizes)
    count = min(len(sizes) - 1, int(area / SMALLEST))
    while count > 0:
        kept = sum(sizes[:count])
        least = SMALLEST / max(area - SMALLEST, 1.0) * kept
        rest = min(max(sum(sizes[count:]), least), max(REST_SHARE * kept, least))
        if sizes[count - 1] / (kept + rest) * area >= SMALLEST:
            yield [*sizes[:count], rest], count
        count = min(count - 1, int(STEP * count))
    yield [1.0], 0


def _inset(spot: Spot, gap: float) -> Spot:
    """The rectangle without the gap to its neighbours."""
    return Spot(spot.x, spot.y, max(spot.width - gap, 1.0), max(spot.height - gap, 1.0))


def squarify(sizes: Sequence[float], room: Spot, aspect: float = 1.0) -> list[Spot]:
    """Fill a rectangle with rectangles of given relative sizes, all of about one shape.

    Parameters
    ----------
    sizes : sequence of float
        Above 0; the result is best where the largest come first.
    room : Spot
    aspect : float
        Width over height that the rectangles should have.

    Returns
    -------
    list of Spot
        In the order of ``sizes``; their areas are in the proportion of the sizes.
    """
    # Squares of a room that is stretched are of the wanted shape when it is pressed back.
    free = Spot(room.x, 0.0, room.width, room.height * aspect)
    left = [size * free.area / sum(sizes) for size in sizes]
    spots: list[Spot] = []
    while left:
        side = min(free.width, free.height)
        count = 1
        while count < len(left) and _worst(left[: count + 1], side) <= _worst(left[:count], side):
            count += 1
        row, left = left[:count], left[count:]
        placed, free = _place_row(row, free)
        spots += placed
    return [
        Spot(spot.x, room.y + spot.y / aspect, spot.width, spot.height / aspect) for spot in spots
    ]


def _worst(row: Sequence[float], side: float) -> float:
    """Highest ratio of long to short side in a row laid along a side (equation in section 3)."""
    total = math.fsum(row)
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * min(row)))


def _place_row(row: Sequence[float], room: Spot) -> tuple[list[Spot], Spot]:
    """Rectangles along the shorter side, and what is left of the room."""
    total = math.fsum(row)
    spots = []
    if room.width >= room.height:
        thick, y = total / room.height, room.y
        for area in row:
            spots.append(Spot(room.x, y, thick, area / thick))
            y += area / thick
        return spots, Spot(room.x + thick, room.y, max(room.width - thick, 0.0), room.height)
    thick, x = total / room.width, room.x
    for area in row:
        spots.append(Spot(x, room.y, area / thick, thick))
        x += area / thick
    return spots, Spot(room.x, room.y + thick, room.width, max(room.height - thick, 0.0))
