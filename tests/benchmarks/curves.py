"""A training followed by its held-out bound; the clock stands while the bound is taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any

from orrery.core.model.graph import Graph
from orrery.core.model.network import Network
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import initial_state, train
from tests.benchmarks.data import Split


@dataclass(frozen=True)
class Point:
    """State of a training run.

    Attributes
    ----------
    updates : int
        Weight updates done.
    passes : float
        Passes over the training documents.
    seconds : float
        Training time alone.
    bound : float
    """

    updates: int
    passes: float
    seconds: float
    bound: float


def follow(
    split: Split,
    graph: Graph,
    options: TrainingOptions,
    marks: Collection[int],
    evaluate: Callable[[Network], float],
) -> list[dict[str, Any]]:
    """Train to the end, and evaluate at the start and after these numbers of updates."""
    start = initial_state(graph, split.corpus, split.train, options.seed)
    points = [Point(0, 0.0, 0.0, evaluate(start.network))]
    seconds, begin = 0.0, time.perf_counter()
    for state, info in train(split.corpus, graph, options, rows=split.train, state=start):
        if info.step in marks:
            seconds += time.perf_counter() - begin
            points.append(Point(info.step, info.epoch, seconds, evaluate(state.network)))
            begin = time.perf_counter()
    return [asdict(point) for point in points]


def at(points: list[dict[str, Any]], key: str, value: float) -> dict[str, Any] | None:
    """Return the point with this many ``updates`` or ``passes``, or None."""
    return next((point for point in points if abs(point[key] - value) < 1e-9), None)
