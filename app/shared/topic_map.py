"""The tree of topics: each hangs from the parent that brings it most often (no streamlit).

A graph of all topics at once has more links than a screen can keep apart. So each topic hangs from
one parent here, which makes a forest, and the page says so; a click shows all links.

The map of topics: nested boxes, of neighbours the larger the one on in more documents.

A family of topics is a box: on top the most general topic as a strip of its own, below it what
hangs from it, which shares its room. A document may have several topics, so what is inside adds up
to more than the family; areas compare among those that hang from the same one. Here is
chosen what goes into the map; the browser, which knows the window, places it and zooms in. (No
streamlit.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from ...core.model.subtrees import main_links
from ...core.model.topic_groups import NO_SHELF, standing

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Part of the largest topic; one that is never on still has a place.
LEAST_SIZE = 1e-4


@dataclass(frozen=True)
class Tree:
    """Topics below each topic, those of the largest size first.

    Attributes
    ----------
    roots : tuple of int
        Topics that hang from nothing.
    below : dict of int to tuple of int
        For every topic that is shown.
    size : tuple of float
        Of every topic with all that is below it, shape (n_topics,).
    """

    roots: tuple[int, ...]
    below: dict[int, tuple[int, ...]]
    size: tuple[float, ...]

    @cached_property
    def room(self) -> dict[int, float]:
        """Size of every topic, never quite 0 and never less than that of one that hangs from it."""
        least = LEAST_SIZE * max([*self.size, 0.0]) or 1.0
        found: dict[int, float] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = max(self.size[topic], least, *(found[c] for c in self.below[topic]))
        return found

    @cached_property
    def count(self) -> dict[int, int]:
        """How many topics each is with all that hangs from it."""
        found: dict[int, int] = {}
        for topic in reversed(self.members(self.roots)):
            found[topic] = 1 + sum(found[child] for child in self.below[topic])
        return found

    def members(self, roots: Sequence[int]) -> list[int]:
        """Topics and all that hang from them, each after what it hangs from."""
        found = list(roots)
        for topic in found:
            found += self.below[topic]
        return found


def topic_tree(run: Run, threshold: float, size: Sequence[float]) -> Tree:
    """Hang every topic that is shown from its main parent (`main_links`).

    A link below ``threshold`` is none. A topic that is hidden is not there, nor is its link; one
    that is shown as another is not there, and that one holds what hangs from it.

    Parameters
    ----------
    run : Run
    threshold : float
        Probability of the weakest link that counts.
    size : sequence of float, shape (n_topics,)
        Of every topic with all that is below it.
    """
    left_out = run.hidden_topics | set(run.shown_as)
    shown = [topic for topic in range(run.network.graph.n_topics) if topic not in left_out]
    below: dict[int, list[int]] = {topic: [] for topic in shown}
    roots: list[int] = []
    above, _ = main_links(run.network, threshold, run.hidden_topics, run.shown_as)
    for topic in sorted(shown, key=lambda topic: (-size[topic], topic)):
        (below[above[topic]] if above[topic] >= 0 else roots).append(topic)
    return Tree(tuple(roots), {topic: tuple(found) for topic, found in below.items()}, tuple(size))


# All of them can be reached by zooming in; what is beyond is a map of its own.
MOST_TOPICS = 1500


@dataclass(frozen=True)
class Cell:
    """A box of the map.

    Attributes
    ----------
    topic : int
        The topic, or of a count of what is left out the topic that it hangs from, -1 for none, as
        for a shelf.
    above : int
        Place among the cells of the one that it hangs from, -1 for none.
    size : float
        Of the topic with all that is below it, and of a count of those that it counts.
    folded : int
        How many topics it stands for, where it counts those that are left out.
    shelf : int or None
        Number of the shelf that it is, -1 where it holds those of no shelf; None for all that is
        no shelf.
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
        """Whether the box is not a topic but counts those that are left out."""
        return self.folded > 0


def map_topics(
    tree: Tree, root: int = -1, skip: int = 0, most: int = MOST_TOPICS
) -> tuple[Cell, ...]:
    """Choose the largest topics of a tree, or of the family of one topic.

    Parameters
    ----------
    tree : Tree
    root : int
        The topic whose family is shown, -1 for the whole model.
    skip : int
        So many of the largest topics below ``root`` are left out, to see those after them.
    most : int
        At most so many topics; those beyond are counted where they would stand.

    Returns
    -------
    tuple of Cell
        Each after the one that it hangs from.
    """
    room, count = tree.room, tree.count
    top = sorted(tree.roots if root < 0 else tree.below[root], key=lambda t: -room[t])[skip:]
    candidates = tree.members(top)
    # No topic is larger than the one that it hangs from, so that one is kept before it.
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
    """Put the topics that hang from nothing into boxes of their shelves, two or more in each.

    The others stand in a box of those on no shelf, the last. What is on a shelf adds up to it, so
    areas compare among all topics as before.

    Parameters
    ----------
    cells : sequence of Cell
        Of the whole map.
    shelf_of : sequence of int, shape (n_topics,)
        Shelf of every topic; -1 for none (`orrery.core.model.topic_groups`).

    Returns
    -------
    tuple of Cell
        The shelves, and then the others, each after the one that it hangs from; the cells as they
        are where there would be no shelf.
    """
    tops = [cell for cell in cells if cell.above < 0 and cell.is_topic]
    stands = standing(shelf_of, [cell.topic for cell in tops])
    kept = sorted({*stands}, key=lambda shelf: (shelf == NO_SHELF, shelf))
    if kept in ([], [NO_SHELF]):
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
