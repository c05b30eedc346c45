"""Points converge near the points that they are tied to."""

from __future__ import annotations

import numpy as np

from orrery.core.document_map.layout import optimise_points


def two_groups(n=24):
    """Points in two groups, each tied to all others of its own, at random places."""
    group = np.arange(n) % 2
    other = [np.flatnonzero((group == group[p]) & (np.arange(n) != p)) for p in range(n)]
    pointer = np.concatenate([[0], np.cumsum([len(some) for some in other])]).astype(np.int64)
    idx = np.concatenate(other).astype(np.int32)
    place = np.random.default_rng(0).normal(size=(n, 2)).astype(np.float32)
    return place, pointer, idx, np.full(len(idx), 0.5, np.float32), group


def test_groups_part():
    place, pointer, other, tie, group = two_groups()
    optimise_points(place, pointer, other, tie, 2.0, (0, 60, 60), 3)
    middle = np.array([place[group == side].mean(axis=0) for side in (0, 1)])
    spread = max(place[group == side].std(axis=0).max() for side in (0, 1))
    assert np.linalg.norm(middle[0] - middle[1]) > 3 * spread


def test_in_parts_it_is_the_same_as_at_once():
    whole, pointer, other, tie, _ = two_groups()
    parts = whole.copy()
    optimise_points(whole, pointer, other, tie, 2.0, (0, 20, 20), 1)
    for begin in range(0, 20, 5):
        optimise_points(parts, pointer, other, tie, 2.0, (begin, begin + 5, 20), 1)
    assert whole.tobytes() == parts.tobytes()


def test_points_on_one_spot_stay_finite():
    place, pointer, other, tie, _ = two_groups()
    place[:] = 1.0
    optimise_points(place, pointer, other, tie, 2.0, (0, 10, 10), 0)
    assert np.isfinite(place).all()
