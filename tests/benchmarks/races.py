"""Two systems on the way to the same figure: how long each takes to where both come."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from orrery.core.baselines.system import StoppingCallback

# Seconds of training alone, and the figure reached, after every sweep.
Curve = list[tuple[float, float]]


def race(fit: Callable[[StoppingCallback], object], evaluate: Callable[[], float]) -> Curve:
    """Train, and evaluate after every sweep; evaluation time does not count."""
    curve: Curve = []
    spent, moment = 0.0, perf_counter()

    def progress(share: float) -> bool:
        nonlocal spent, moment
        spent += perf_counter() - moment
        curve.append((spent, evaluate()))
        moment = perf_counter()
        return False

    fit(progress)
    return curve


def ratio_of_times(own: Curve, other: Curve, near: float) -> float | None:
    """Ratio of the other's time to one's own until each is near the lower of the two final values.

    None if a method reaches it in its first sweep, since its time is then unknown.
    """
    goal = min(own[-1][1], other[-1][1]) - near
    sweeps = [
        next(place for place, (_, reached) in enumerate(curve) if reached >= goal)
        for curve in (own, other)
    ]
    if not all(sweeps):
        return None
    mine, theirs = (
        (there + 1) * least_sweep(curve) for there, curve in zip(sweeps, (own, other), strict=True)
    )
    return float(theirs / mine)


def least_sweep(curve: Curve) -> float:
    """Seconds of the fastest sweep, which the rest of the machine disturbed least."""
    return float(np.diff([0.0, *[spent for spent, _ in curve]]).min())
