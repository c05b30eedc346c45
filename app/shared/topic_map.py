"""The tree of topics, and the choice of its topics for the map of nested boxes (no streamlit).

A graph of all topics at once has more links than a screen can keep apart. So each topic is drawn
below its main parent only (`main_links`), and the page says so; a click shows all links.

In the map, a topic with children is a box: a strip with its name, and below it the boxes of its
children. A document may have several topics, so the sizes of children can add up to more than that
of their parent; areas compare among children of the same parent. This module only chooses what the
map contains; the browser, which knows the window, places the boxes (assets/shared/topic-map.js).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from ...core.model.subtrees import main_links
from ...core.model.topic_groups import NO_GROUP, visible_groups

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Smallest size of a topic, as a share of the largest: a topic that is never on still has a box.
MIN_SIZE = 1e-4


@dataclass(frozen=True)
class Tree:
    """Topics below each topic, the largest first.

    Attributes
    ----------
    roots : tuple of int
        Topics without a parent.
    below : dict of int to tuple of int
        For every topic that is shown.
    size : tuple of float
        Size of every topic with all that is below it, shape (n_topics,).
    """

    roots: tuple[int, ...]
    below: dict[int, tuple[int, ...]]
    size: tuple[float, ...]

    @cached_property
    def room(self) -> dict[int, float]:
        """Size of every topic, above 0 and at least that of each of its children."""
        least = MIN_SIZE * max([*self.size, 0.0]) or 1.0
        found: dict[int, float] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = max(self.size[topic], least, *(found[c] for c in self.below[topic]))
        return found

    @cached_property
    def count(self) -> dict[int, int]:
        """Number of topics in the subtree of each topic."""
        found: dict[int, int] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = 1 + sum(found[child] for child in self.below[topic])
        return found

    def members(self, roots: Sequence[int]) -> list[int]:
        """Topics and all below them, each after its parent."""
        found = list(roots)
        for topic in found:
            found += self.below[topic]
        return found


def topic_tree(run: Run, threshold: float, size: Sequence[float]) -> Tree:
    """Tree in which every topic that is shown is below its main parent (`main_links`).

    Links below ``threshold``, hidden topics and their links are left out. If a topic is shown as
    part of another one, that one has its children.

    Parameters
    ----------
    run : Run
    threshold : float
        Probability of the weakest link that counts.
    size : sequence of float, shape (n_topics,)
        Size of every topic with all that is below it.
    """
    left_out = run.hidden_topics | set(run.shown_as)
    shown = [topic for topic in range(run.network.graph.n_topics) if topic not in left_out]
    below: dict[int, list[int]] = {topic: [] for topic in shown}
    roots: list[int] = []
    above, _ = main_links(run.network, threshold, run.hidden_topics, run.shown_as)
    for topic in sorted(shown, key=lambda topic: (-size[topic], topic)):
        (below[above[topic]] if above[topic] >= 0 else roots).append(topic)
    return Tree(tuple(roots), {topic: tuple(found) for topic, found in below.items()}, tuple(size))


# All of them can be reached by zooming in; further topics are on a map of their own.
MAX_TOPICS = 1500


@dataclass(frozen=True)
class Cell:
    """A box of the map.

    Attributes
    ----------
    topic : int
        The topic; of a count of topics that are left out, their parent; -1 for none or a shelf.
    above : int
        Position of its parent among the cells, -1 for none.
    size : float
        Size of the topic with all that is below it, or of the topics that are counted.
    folded : int
        Number of topics that are left out, if the cell counts them.
    shelf : int or None
        Number of the shelf, -1 for the box of topics on no shelf; None if the cell is no shelf.
    """

    topic: int
    above: int
    size: float
    folded: int = 0
    shelf: int | None = None

    @property
    def is_topic(self) -> bool:
        """Whether the box is a topic."""
        return not self.is_rest and self.shelf is None

    @property
    def is_rest(self) -> bool:
        """Whether the box counts topics that are left out."""
        return self.folded > 0


def map_topics(
    tree: Tree, root: int = -1, skip: int = 0, most: int = MAX_TOPICS
) -> tuple[Cell, ...]:
    """Largest topics of a tree, or of the subtree of one topic.

    Parameters
    ----------
    tree : Tree
    root : int
        The topic whose subtree is shown, -1 for the whole model.
    skip : int
        Number of the largest topics below ``root`` to leave out, to see those after them.
    most : int
        Largest number of topics; further ones are counted below their parent.

    Returns
    -------
    tuple of Cell
        Each after its parent.
    """
    room, count = tree.room, tree.count
    top = sorted(tree.roots if root < 0 else tree.below[root], key=lambda t: -room[t])[skip:]
    candidates = tree.members(top)
    # No topic is larger than its parent, so the parent is kept before it.
    kept = set(nlargest(most, candidates, key=room.__getitem__))
    cells = [Cell(root, -1, room[root])] if root >= 0 else []
    place = {root: 0} if root >= 0 else {-1: -1}
    for parent, children in [(root, top), *((t, tree.below[t]) for t in candidates if t in kept)]:
        for topic in (child for child in children if child in kept):
            place[topic] = len(cells)
            cells.append(Cell(topic, place[parent], room[topic]))
        left_out = [child for child in children if child not in kept]
        if left_out:
            size = math.fsum(room[child] for child in left_out)
            folded = sum(count[child] for child in left_out)
            cells.append(Cell(parent, place[parent], size, folded=folded))
    return tuple(cells)


def on_shelves(cells: Sequence[Cell], shelf_of: Sequence[int]) -> tuple[Cell, ...]:
    """Cells with the topics without a parent in boxes of their shelves, two or more in each.

    The others are in a last box, that of no shelf. The size of a shelf is the sum of its topics, so
    areas compare among all topics as before.

    Parameters
    ----------
    cells : sequence of Cell
        Cells of the whole map.
    shelf_of : sequence of int, shape (n_topics,)
        Shelf of every topic; -1 for none (`orrery.core.model.topic_groups`).

    Returns
    -------
    tuple of Cell
        The shelves, and then the others, each after its parent; the same cells if no shelf has two
        topics.
    """
    tops = [cell for cell in cells if cell.above < 0 and cell.is_topic]
    stands = visible_groups(shelf_of, [cell.topic for cell in tops])
    kept = sorted({*stands}, key=lambda shelf: (shelf == NO_GROUP, shelf))
    if kept in ([], [NO_GROUP]):
        return tuple(cells)
    sizes: dict[int, list[float]] = {shelf: [] for shelf in kept}
    for cell, shelf in zip(tops, stands, strict=True):
        sizes[shelf].append(cell.size)
    place = {cell.topic: kept.index(shelf) for cell, shelf in zip(tops, stands, strict=True)}

    def moved(cell: Cell) -> Cell:
        if cell.above >= 0:
            return replace(cell, above=cell.above + len(kept))
        return replace(cell, above=place[cell.topic]) if cell.is_topic else cell

    shelves = (Cell(-1, -1, math.fsum(sizes[shelf]), shelf=shelf) for shelf in kept)
    return (*shelves, *map(moved, cells))
