"""Topic tree, and selection of its topics for the map of nested boxes (no Streamlit).

A graph of all topics has too many links to be legible. So each topic is drawn below its main parent
only (`main_links`), and the page explains this; a click shows all links.

In the map, a topic with children is a box: a strip with its label, and below it the boxes of its
children. A document may have several topics, so the sizes of the children can add up to more than
the size of their parent; areas are comparable among children of the same parent. This module only
selects the content of the map; the browser, which knows the window size, places the boxes
(assets/shared/topic-map.js).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest

from ...core.drawing.style import ASIDE_SHARE
from ...core.model.subtrees import main_links
from ...core.model.topic_groups import NO_GROUP, visible_groups
from ...core.model.topic_model import Run

# Minimum size of a topic, as a share of the largest, so that a topic that is never on has a box.
MIN_SIZE = 1e-4


@dataclass(frozen=True)
class Tree:
    """Topics below each topic, the largest first."""

    roots: tuple[int, ...]  # topics without a parent
    aside: tuple[int, ...]  # topics that are set aside, which have neither a parent nor children
    below: dict[int, tuple[int, ...]]  # children of every displayed topic
    size: tuple[float, ...]  # size of the subtree of every topic, shape (n_topics,)

    @property
    def tops(self) -> tuple[int, ...]:
        """Topics without a parent, topics that are set aside last."""
        return self.roots + self.aside

    @cached_property
    def room(self) -> dict[int, float]:
        """Size of every topic: above 0, and at least the size of each of its children."""
        least = MIN_SIZE * max([*self.size, 0.0]) or 1.0
        found: dict[int, float] = {}
        for topic in reversed(self.members(self.tops)):
            found[topic] = max(self.size[topic], least, *(found[c] for c in self.below[topic]))
        return found

    @cached_property
    def count(self) -> dict[int, int]:
        """Number of topics in the subtree of each topic."""
        found: dict[int, int] = {}
        for topic in reversed(self.members(self.tops)):
            found[topic] = 1 + sum(found[child] for child in self.below[topic])
        return found

    def most_frequent(self, own: Sequence[float]) -> dict[int, int]:
        """Topic of each subtree that is largest by itself.

        Among equals it is the topic at the root, then the first one, as in the offline explorer.

        ``own``, shape (n_topics,), has the size of every topic without its subtree.
        """
        found: dict[int, int] = {}
        for topic in reversed(self.members(self.tops)):
            inside = [topic, *sorted(found[child] for child in self.below[topic])]
            found[topic] = max(inside, key=own.__getitem__)
        return found

    def members(self, roots: Sequence[int]) -> list[int]:
        """Topics of the subtrees of ``roots``, each after its parent."""
        found = list(roots)
        for topic in found:
            found += self.below[topic]
        return found


def topic_tree(run: Run, threshold: float, size: Sequence[float]) -> Tree:
    """Tree in which every displayed topic is below its main parent (`main_links`).

    Links below ``threshold``, hidden topics and their links are left out, as are the links of
    topics that are set aside. If a topic is shown as part of another topic, its children are
    children of the other topic.

    Parameters
    ----------
    run : Run
    threshold : float
        Probability of the weakest link that is used.
    size : sequence of float, shape (n_topics,)
        Size of the subtree of every topic.
    """
    shown = run.displayed_topics
    below: dict[int, list[int]] = {topic: [] for topic in shown}
    roots: list[int] = []
    aside: list[int] = []
    above, _ = main_links(run.network, threshold, run.unlinked_topics, run.shown_as)
    for topic in sorted(shown, key=lambda topic: (-size[topic], topic)):
        if topic in run.set_aside_topics:
            aside.append(topic)
        else:
            (below[above[topic]] if above[topic] >= 0 else roots).append(topic)
    children = {topic: tuple(found) for topic, found in below.items()}
    return Tree(tuple(roots), tuple(aside), children, tuple(size))


# Number of the box with the topics that are set aside.
ASIDE = -2
# Maximum number of topics on a map, all reachable by zooming in; further topics have their own map.
MAX_TOPICS = 1500


@dataclass(frozen=True)
class Cell:
    """A box of the map."""

    # The topic. For a cell that counts omitted topics, their parent or -1; for a topic group, -1.
    topic: int
    above: int  # position of the parent among the cells; -1 without a parent
    size: float  # size of the subtree of the topic, or of the topics that are counted
    folded: int = 0  # number of omitted topics, if the cell counts them
    # Number of the topic group, -1 for the box of topics without a group, ``ASIDE`` for the topics
    # that are set aside; None if the cell is not a topic group.
    group: int | None = None

    @property
    def is_topic(self) -> bool:
        """Whether the box is a topic."""
        return not self.is_rest and self.group is None

    @property
    def is_rest(self) -> bool:
        """Whether the box counts omitted topics."""
        return self.folded > 0


def map_topics(
    tree: Tree, root: int = -1, skip: int = 0, most: int = MAX_TOPICS
) -> tuple[Cell, ...]:
    """Largest topics of a tree, or of the subtree of one topic.

    On the map of the whole model, the topics that are set aside are in a small box of their own.

    Parameters
    ----------
    tree : Tree
    root : int
        The topic whose subtree is shown, -1 for the whole model.
    skip : int
        Number of the largest topics below ``root`` to leave out, to see those after them.
    most : int
        Maximum number of topics; further topics are counted below their parent.

    Returns
    -------
    tuple of Cell
        Cells, each after its parent.
    """
    room, count = tree.room, tree.count
    top = sorted(tree.roots if root < 0 else tree.below[root], key=lambda t: -room[t])[skip:]
    candidates = tree.members(top)
    # No topic is larger than its parent, so a topic is kept only if its parent is kept.
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
    if root < 0 and tree.aside:
        size = ASIDE_SHARE * math.fsum(cell.size for cell in cells if cell.above < 0)
        cells.append(Cell(-1, -1, size, group=ASIDE))
        holder = len(cells) - 1
        cells += [Cell(topic, holder, room[topic]) for topic in tree.aside]
    return tuple(cells)


def in_topic_groups(cells: Sequence[Cell], topic_group_of: Sequence[int]) -> tuple[Cell, ...]:
    """Cells with the root topics in boxes of their topic groups, at least two in each.

    The other root topics are in a last box without a group. The size of a group is the sum of the
    sizes of its topics, so areas remain comparable among all root topics.

    Parameters
    ----------
    cells : sequence of Cell
        Cells of the whole map.
    topic_group_of : sequence of int, shape (n_topics,)
        Topic group of every topic; -1 without a group (`orrery.core.model.topic_groups`).

    Returns
    -------
    tuple of Cell
        The topic groups, then the other cells, each after its parent; the same cells if no group
        has two topics.
    """
    tops = [cell for cell in cells if cell.above < 0 and cell.is_topic]
    group_of_top = visible_groups(topic_group_of, [cell.topic for cell in tops])
    kept = sorted({*group_of_top}, key=lambda group: (group == NO_GROUP, group))
    if kept in ([], [NO_GROUP]):
        return tuple(cells)
    sizes: dict[int, list[float]] = {group: [] for group in kept}
    for cell, group in zip(tops, group_of_top, strict=True):
        sizes[group].append(cell.size)
    place = {cell.topic: kept.index(group) for cell, group in zip(tops, group_of_top, strict=True)}

    def moved(cell: Cell) -> Cell:
        if cell.above >= 0:
            return replace(cell, above=cell.above + len(kept))
        return replace(cell, above=place[cell.topic]) if cell.is_topic else cell

    groups = (Cell(-1, -1, math.fsum(sizes[group]), group=group) for group in kept)
    return (*groups, *map(moved, cells))
