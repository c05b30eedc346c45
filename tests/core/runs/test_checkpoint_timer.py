"""Checkpoints come soon after the start, and later no more often than before."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.runs.recorder import (
    MAX_SAVING_SHARE,
    SECONDS_BETWEEN_CHECKPOINTS,
    CheckpointTimer,
)


def moments(step: float, took: float, end: float = 300.0) -> list[float]:
    """Seconds at which checkpoints are written, the first after the first step."""
    timer, found, now = CheckpointTimer(0.0), list[float](), 0.0
    while now < end:
        now += step
        if not found or timer.is_due(now):
            found.append(now)
            now += took
            timer.saved(now, took)
    return found


@pytest.mark.parametrize("step", [0.02, 0.3, 1.0])
def test_topics_can_be_followed_from_the_first_seconds(step: float) -> None:
    found = moments(step, 0.01)
    assert sum(moment <= 10.0 + step for moment in found) >= 3
    # A killed run loses at most this time.
    gaps = np.diff(found)
    assert gaps.max() <= SECONDS_BETWEEN_CHECKPOINTS + 2 * step
    assert gaps[-1] >= SECONDS_BETWEEN_CHECKPOINTS


@pytest.mark.parametrize("took", [0.1, 0.5, 0.9])
def test_saving_takes_a_small_part_of_the_time(took: float) -> None:
    found = moments(0.1, took)
    later = found[1:]
    assert took * len(later) <= 1.1 * MAX_SAVING_SHARE * 300.0
