"""Layout of the hierarchy: every topic beside its main parent, as trees from left to right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from ..model.network import Network
from ..model.subtrees import find_subtrees, main_links, subtree_prior
from ..model.topic_groups import NO_GROUP
from ..utils.types import FloatArray

# As many as a person can take in; the picture reports how many topics it leaves out.
MAX_TOPICS = 300
BOX_WIDTH, BOX_HEIGHT = 196.0, 38.0
COLUMN_PITCH, ROW_PITCH, SUBTREE_GAP = 256.0, 52.0, 18.0
# Space above a heading, and above the first heading.
APART_GAP, HEADING_ROOM = 64.0, 30.0
# Columns of trees, and columns of topics.
MAX_COLUMNS, MAX_BOXES_ABREAST = 12, 36
# Preferred width over height, as of a screen or a sheet of paper.
ASPECT = 1.4


@dataclass(frozen=True)
class Place:
    """Centre of a topic's box, and the topic's main parent with the strength of their link."""

    topic: int
    x: float
    y: float
    parent: int = -1
    probability: float = 0.0


@dataclass(frozen=True)
class Forest:
    """Positions of all topics."""

    places: tuple[Place, ...]
    width: float  # of the whole picture, in pixels, as is the height
    height: float
    left_out: int  # topics that did not fit
    # Top of each topic group and its number. It is NO_GROUP for topics in no group and, if there
    # are no groups, for topics without links, which are placed below all others.
    headings: tuple[tuple[float, int], ...] = ()


@dataclass(frozen=True)
class _Subtree:
    """A tree of topics, placed with its top left corner at the origin."""

    places: tuple[Place, ...]
    depth: int
    height: float

    @property
    def root(self) -> int:
        return self.places[0].topic


def place_forest(
    network: Network,
    hidden: frozenset[int] = frozenset(),
    shown_as: Mapping[int, int] = MappingProxyType({}),
    topic_group_of: Sequence[int] = (),
    max_topics: int = MAX_TOPICS,
    set_aside: frozenset[int] = frozenset(),
) -> Forest:
    """Place the topics that are neither hidden nor part of another, most frequent trees first.

    With the group of every topic in ``topic_group_of`` (`TopicModel.topic_group_of`), the trees are
    placed group by group. Topics with neither parent nor children are placed below the trees:
    beside them they would look like a layer.

    In a large model only the ``max_topics`` most probable topics are placed, where the prior of a
    topic is that of its subtree (`core.model.subtrees`). A topic whose main parent is left out is
    attached to the nearest ancestor that is kept. Topics that are ``set_aside`` have no links and
    come last.
    """
    unlinked = hidden | set_aside
    prior = subtree_prior(network, find_subtrees(network, hidden=unlinked, shown_as=shown_as))
    left_out = hidden | set(shown_as)
    shown = [topic for topic in range(network.graph.n_topics) if topic not in left_out]
    kept = sorted(shown, key=lambda topic: (topic in set_aside, -prior[topic]))[:max_topics]
    holds = _main_parents(network, frozenset(kept), unlinked, shown_as)
    holds.update(dict.fromkeys(set_aside & set(kept), (-1, 0.0)))
    below: dict[int, list[int]] = {topic: [] for topic in [-1, *kept]}
    for topic in kept:
        below[holds[topic][0]].append(topic)
    subtrees = [_place_subtree(root, below, holds) for root in below[-1]]
    if any(topic_group_of[subtree.root] != NO_GROUP for subtree in subtrees if topic_group_of):
        groups = _by_topic_group(subtrees, topic_group_of, prior)
        forest = _best([_place_groups(groups, 1 + n) for n in range(MAX_BOXES_ABREAST)])
    else:
        linked, alone = _apart(subtrees)
        forest = _in_columns(linked or alone)
        if linked and alone:
            # In rows below the trees, not wider than the trees.
            n_columns = max(round((forest.width + COLUMN_PITCH - BOX_WIDTH) / COLUMN_PITCH), 1)
            top = forest.height + APART_GAP
            forest = _with_rows(forest, alone, n_columns, top)
            forest = replace(forest, headings=((top, NO_GROUP),))
    return replace(forest, left_out=len(shown) - len(kept))


def _apart(subtrees: Sequence[_Subtree]) -> tuple[list[_Subtree], list[_Subtree]]:
    """Separate trees of several topics from single topics."""
    linked = [subtree for subtree in subtrees if len(subtree.places) > 1]
    return linked, [subtree for subtree in subtrees if len(subtree.places) == 1]


def _with_rows(forest: Forest, alone: Sequence[_Subtree], n_columns: int, top: float) -> Forest:
    places = tuple(
        Place(
            subtree.root,
            number % n_columns * COLUMN_PITCH + BOX_WIDTH / 2,
            top + (number // n_columns + 0.5) * ROW_PITCH,
        )
        for number, subtree in enumerate(alone)
    )
    right = (min(n_columns, len(alone)) - 1) * COLUMN_PITCH + BOX_WIDTH
    height = top + -(-len(alone) // n_columns) * ROW_PITCH
    width = max(forest.width, right)
    return replace(forest, places=(*forest.places, *places), width=width, height=height)


def _by_topic_group(
    subtrees: Sequence[_Subtree], topic_group_of: Sequence[int], prior: FloatArray
) -> list[tuple[int, list[_Subtree]]]:
    """Group the trees; the most frequent group comes first, trees in no group come last."""
    groups: dict[int, list[_Subtree]] = {}
    for subtree in subtrees:
        groups.setdefault(topic_group_of[subtree.root], []).append(subtree)

    def place(group: int) -> tuple[bool, float]:
        return group == NO_GROUP, -math.fsum(prior[subtree.root] for subtree in groups[group])

    return [(group, groups[group]) for group in sorted(groups, key=place)]


def _place_groups(groups: Sequence[tuple[int, list[_Subtree]]], n_columns: int) -> Forest:
    """Place groups below each other; within each, single topics are below the trees."""
    forest, top = Forest((), 0.0, 0.0, 0), HEADING_ROOM
    for group, subtrees in groups:
        headings = (*forest.headings, (top, group))
        linked, alone = _apart(subtrees)
        if linked:
            deepest = max(subtree.depth for subtree in linked)
            stack = _stack(linked, max(n_columns // deepest, 1))
            places = (*forest.places, *(replace(p, y=top + p.y) for p in stack.places))
            width, height = max(forest.width, stack.width), top + stack.height
            forest = replace(forest, places=places, width=width, height=height)
            top = height + ROW_PITCH
        if alone:
            forest = _with_rows(forest, alone, n_columns, top)
        forest, top = replace(forest, headings=headings), forest.height + APART_GAP
    return forest


def _main_parents(
    network: Network, kept: frozenset[int], hidden: frozenset[int], shown_as: Mapping[int, int]
) -> dict[int, tuple[int, float]]:
    """Nearest kept ancestor of each topic along main parents (-1 if none), and their link."""
    links = main_links(network, hidden=hidden, shown_as=shown_as)
    holds = list(zip(*(array.tolist() for array in links), strict=True))
    found = {}
    for topic in kept:
        above, probability = holds[topic]
        while above >= 0 and above not in kept:
            above, probability = holds[above]
        found[topic] = above, probability
    return found


def _place_subtree(
    root: int, below: dict[int, list[int]], holds: dict[int, tuple[int, float]]
) -> _Subtree:
    """Give every leaf a row of its own, and centre every other topic on its children."""
    y: dict[int, float] = {}
    depth: dict[int, int] = {root: 0}
    order = [root]
    for topic in order:
        for child in below[topic]:
            depth[child] = depth[topic] + 1
            order.append(child)
    n_rows = 0
    waiting = [root]
    while waiting:  # depth first
        topic = waiting.pop()
        waiting += reversed(below[topic])
        if not below[topic]:
            y[topic] = (n_rows + 0.5) * ROW_PITCH
            n_rows += 1
    for topic in reversed(order):
        if below[topic]:
            y[topic] = (y[below[topic][0]] + y[below[topic][-1]]) / 2
    places = tuple(
        Place(topic, depth[topic] * COLUMN_PITCH + BOX_WIDTH / 2, y[topic], *holds[topic])
        for topic in order
    )
    return _Subtree(places, max(depth.values()) + 1, n_rows * ROW_PITCH)


def _in_columns(subtrees: Sequence[_Subtree]) -> Forest:
    """Place trees below each other, in the number of columns that suits the aspect best."""
    if not subtrees:
        return Forest((), 0.0, 0.0, 0)
    most = min(MAX_COLUMNS, len(subtrees))
    return _best([_stack(subtrees, n_columns) for n_columns in range(1, most + 1)])


def _best(forests: Sequence[Forest]) -> Forest:
    """Return the layout whose aspect ratio is closest to ``ASPECT``."""
    return min(forests, key=lambda forest: abs(np.log(forest.width / forest.height / ASPECT)))


def _stack(subtrees: Sequence[_Subtree], n_columns: int) -> Forest:
    total = sum(subtree.height + SUBTREE_GAP for subtree in subtrees)
    places: list[Place] = []
    left = right = top = bottom = done = 0.0
    for subtree in subtrees:
        # Start the next column once this one has its share of the height.
        if top and done >= total / n_columns:
            left, top, done = right + COLUMN_PITCH - BOX_WIDTH, 0.0, done - total / n_columns
        places += [
            Place(p.topic, left + p.x, top + p.y, p.parent, p.probability) for p in subtree.places
        ]
        right = max(right, left + (subtree.depth - 1) * COLUMN_PITCH + BOX_WIDTH)
        top += subtree.height + SUBTREE_GAP
        done += subtree.height + SUBTREE_GAP
        bottom = max(bottom, top - SUBTREE_GAP)
    return Forest(tuple(places), right, bottom, 0)
