"""Points and labels of the map, as they are drawn (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from orrery.app.graph.links import whole
from orrery.core.storage.document_maps import DocumentMap

if TYPE_CHECKING:
    from orrery.core.run import Run

# Places are numbers of 16 bits on either axis.
SIDE = 65535
# Documents are counted in squares of so many on a side, each with those around it: fewer where
# there are few documents, so that a handful makes no difference.
FEWEST_SQUARES, MOST_SQUARES = 8, 64

PlaceArray = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class PlaceLabel:
    """Name of a topic where its documents are thickest."""

    topic: int
    text: str
    x: int
    y: int
    documents: int


@dataclass(frozen=True)
class Points:
    """Documents that have a place, in the order in which they are drawn.

    Attributes
    ----------
    rows : int64 array, shape (n_points,)
        Which documents of the corpus these are.
    place : uint16 array, shape (n_points, 2)
    topic : int32 array, shape (n_points,)
        What they are about most, parts as the topic that they are shown as.
    labels : tuple of PlaceLabel
        Of the topics that are shown, those of most documents first.
    n_documents : int
        Of the corpus, without a place too.
    """

    rows: npt.NDArray[np.int64]
    place: PlaceArray
    topic: npt.NDArray[np.int32]
    labels: tuple[PlaceLabel, ...]
    n_documents: int


def points_of(found: DocumentMap, run: Run) -> Points:
    """Bring a map into the form in which it is drawn."""
    rows = np.flatnonzero(found.topic >= 0)
    # Drawn in any other order, what comes last would hide the rest.
    rows = rows[np.random.default_rng(0).permutation(len(rows))].astype(np.int64)
    shown_as = np.array([whole(run, topic) for topic in range(found.on.shape[1])], np.int32)
    place, topic = _scaled(found.place[rows]), shown_as[found.topic[rows]]
    return Points(rows, place, topic, _labels(place, topic, run), len(found.topic))


def _scaled(place: npt.NDArray[np.float32]) -> PlaceArray:
    """The same place in a square of `SIDE`, one scale for both axes."""
    if not len(place):
        return np.empty((0, 2), np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    span = max(float((high - low).max()), 1e-6)
    middle = (low + high) / 2.0
    whole = np.round((((place - middle) / span) + 0.5) * SIDE).clip(0, SIDE)
    return np.asarray(whole, np.uint16)


def _labels(place: PlaceArray, topic: npt.NDArray[np.int32], run: Run) -> tuple[PlaceLabel, ...]:
    if not len(place):
        return ()
    own, middle = _thickest(place, topic)
    count = np.bincount(topic, minlength=int(own.max()) + 1)
    found = [
        PlaceLabel(number, run.topic_labels[number], int(x), int(y), int(count[number]))
        for number, (x, y) in zip(own.tolist(), middle, strict=True)
        if number not in run.hidden_topics
    ]
    return tuple(sorted(found, key=lambda label: (-label.documents, label.topic)))


def _thickest(
    place: PlaceArray, topic: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Topics, and the middle of the documents of each in and around its fullest square."""
    squares = int(np.clip(np.sqrt(len(place)) / 2.0, FEWEST_SQUARES, MOST_SQUARES))
    side = squares + 2
    square = (place.astype(np.int64) * squares) // (SIDE + 1) + 1
    around = np.array([side * dx + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
    key = topic.astype(np.int64) * side * side + square[:, 0] * side + square[:, 1]
    keys, count = np.unique(key, return_counts=True)
    _, into = np.unique((keys[:, None] + around).ravel(), return_inverse=True)
    total = np.bincount(into, np.repeat(count, len(around)))
    # Of every topic the fullest, by its own square.
    into = into.reshape(-1, len(around))
    full = total[into[:, len(around) // 2]]
    order = np.lexsort((keys, -full, keys // (side * side)))
    own, first = np.unique(keys[order] // (side * side), return_index=True)
    best = keys[order[first]]
    middle = np.zeros((len(own), 2))
    number = np.searchsorted(own, topic)
    is_near = np.isin(key - best[number], around)
    for axis in (0, 1):
        sums = np.bincount(number[is_near], place[is_near, axis], len(own))
        middle[:, axis] = sums / np.bincount(number[is_near], minlength=len(own))
    return own, middle
