"""Where the topics stand when each hangs from its main parent: a forest, left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from orrery.core.families import family_prior, find_families, main_links
from orrery.core.network import Network

# What a person can take in; the picture says how many topics it leaves out.
MOST_TOPICS = 300
BOX_WIDTH, BOX_HEIGHT = 196.0, 38.0
COLUMN_PITCH, ROW_PITCH, FAMILY_GAP = 256.0, 52.0, 18.0
# Above the topics that stand by themselves, with room for a line that says what they are.
APART_GAP = 64.0
# Width over height of a picture that fills a screen or a sheet of paper.
ASPECT = 1.4


@dataclass(frozen=True)
class Place:
    """A topic, the middle of its box, and the topic that it hangs from with how often it acts."""

    topic: int
    x: float
    y: float
    parent: int = -1
    probability: float = 0.0


@dataclass(frozen=True)
class Forest:
    """Where everything is.

    Attributes
    ----------
    places : tuple of Place
    width, height : float
        Of the whole, in pixels.
    left_out : int
        Topics that did not fit.
    apart : float
        Where the topics begin that stand by themselves, below the others; 0 where there are none of
        the one or of the other kind.
    """

    places: tuple[Place, ...]
    width: float
    height: float
    left_out: int
    apart: float = 0.0


@dataclass(frozen=True)
class _Family:
    """A tree placed with its top left corner at the origin."""

    places: tuple[Place, ...]
    depth: int
    height: float


def place_forest(
    network: Network,
    hidden: frozenset[int] = frozenset(),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> Forest:
    """Place the topics that are not hidden or part of another, the most frequent families first.

    Topics that hang from none and hold none stand apart, below: beside the others they would look
    like one of their layers.

    Of a large model the ``MOST_TOPICS`` most probable topics are placed, each with those below it
    (`orrery.core.families`); one whose main parent was left out as too rare hangs from the next one
    above.
    """
    prior = family_prior(network, find_families(network, hidden=hidden, shown_as=shown_as))
    left_out = hidden | set(shown_as)
    shown = [topic for topic in range(network.graph.n_topics) if topic not in left_out]
    kept = sorted(shown, key=lambda topic: -prior[topic])[:MOST_TOPICS]
    holds = _main_parents(network, frozenset(kept), hidden, shown_as)
    below: dict[int, list[int]] = {topic: [] for topic in [-1, *kept]}
    for topic in kept:
        below[holds[topic][0]].append(topic)
    linked = [root for root in below[-1] if below[root]]
    alone = [root for root in below[-1] if not below[root]]
    families = [_place_family(root, below, holds) for root in linked or alone]
    forest = _in_columns(families, len(shown) - len(kept))
    return _with_those_alone(forest, alone) if linked and alone else forest


def _with_those_alone(forest: Forest, alone: Sequence[int]) -> Forest:
    """Stand topics in rows below the others, as wide as these."""
    n_columns = max(round((forest.width + COLUMN_PITCH - BOX_WIDTH) / COLUMN_PITCH), 1)
    top = forest.height + APART_GAP
    places = [
        Place(
            topic,
            number % n_columns * COLUMN_PITCH + BOX_WIDTH / 2,
            top + (number // n_columns + 0.5) * ROW_PITCH,
        )
        for number, topic in enumerate(alone)
    ]
    height = top + -(-len(alone) // n_columns) * ROW_PITCH
    return replace(forest, places=(*forest.places, *places), height=height, apart=top)


def _main_parents(
    network: Network,
    kept: frozenset[int],
    hidden: frozenset[int],
    shown_as: Mapping[int, int],
) -> dict[int, tuple[int, float]]:
    """The kept topic that each topic hangs from (-1 for none), and how often it acts."""
    links = main_links(network, hidden=hidden, shown_as=shown_as)
    holds = list(zip(*(array.tolist() for array in links), strict=True))
    found = {}
    for topic in kept:
        above, probability = holds[topic]
        while above >= 0 and above not in kept:
            above, probability = holds[above]
        found[topic] = above, probability
    return found


def _place_family(
    root: int, below: dict[int, list[int]], holds: dict[int, tuple[int, float]]
) -> _Family:
    """Give every leaf a row of its own and every other topic the middle of its children."""
    y: dict[int, float] = {}
    depth: dict[int, int] = {root: 0}
    order = [root]
    for topic in order:
        for child in below[topic]:
            depth[child] = depth[topic] + 1
            order.append(child)
    n_rows = 0
    for topic in _depth_first(root, below):
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
    return _Family(places, max(depth.values()) + 1, n_rows * ROW_PITCH)


def _depth_first(root: int, below: dict[int, list[int]]) -> list[int]:
    found, waiting = [], [root]
    while waiting:
        topic = waiting.pop()
        found.append(topic)
        waiting += reversed(below[topic])
    return found


def _in_columns(families: Sequence[_Family], left_out: int) -> Forest:
    """Stand the families below each other, in as many columns as suit the aspect."""
    if not families:
        return Forest((), 0.0, 0.0, left_out)
    forests = [_stack(families, count, left_out) for count in range(1, min(12, len(families)) + 1)]
    return min(forests, key=lambda forest: abs(np.log(forest.width / forest.height / ASPECT)))


def _stack(families: Sequence[_Family], n_columns: int, left_out: int) -> Forest:
    total = sum(family.height + FAMILY_GAP for family in families)
    places: list[Place] = []
    left = right = top = bottom = done = 0.0
    for family in families:
        # The next column begins where the share of the one before is used up.
        if top and done >= total / n_columns:
            left, top, done = right + COLUMN_PITCH - BOX_WIDTH, 0.0, done - total / n_columns
        places += [
            Place(p.topic, left + p.x, top + p.y, p.parent, p.probability) for p in family.places
        ]
        right = max(right, left + (family.depth - 1) * COLUMN_PITCH + BOX_WIDTH)
        top += family.height + FAMILY_GAP
        done += family.height + FAMILY_GAP
        bottom = max(bottom, top - FAMILY_GAP)
    return Forest(tuple(places), right, bottom, left_out)
