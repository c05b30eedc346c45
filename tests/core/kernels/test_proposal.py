"""The proposal: a mixture of the distinct ends, each drawn from as often as its weight says."""

from __future__ import annotations

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernels import streams
from core.kernels.document import SAME_END
from core.kernels.proposal import (
    LEAST_PROPOSAL,
    LEAST_SHARE,
    build_proposal,
    distinct_ends,
    divide_draws,
    draw_topics,
    log_density,
)
from tests.random_networks import several

N_DRAWS = 300 if numba.config.DISABLE_JIT else 20_000

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

bounds_of_ends = st.lists(st.floats(-300.0, 0.0), min_size=1, max_size=4).map(np.array)


@st.composite
def ends_of_starts(draw):
    """Activations and bounds of some ends over a few topics, some of them alike."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    bounds = draw(bounds_of_ends)
    ends = rng.beta(0.3, 0.3, (len(bounds), rng.integers(0, 6)))
    for row in range(1, len(ends)):
        if rng.random() < 0.4:
            ends[row] = np.clip(ends[0] + rng.uniform(-1, 1) * SAME_END / 2, 0.0, 1.0)
    return ends, bounds


@several
@given(ends_of_starts())
def test_an_end_is_kept_if_it_differs_from_all_that_are_better(given_ends):
    ends, bounds = given_ends
    expected = []
    for row in sorted(range(len(bounds)), key=lambda row: -bounds[row]):
        if all(np.abs(ends[row] - ends[other]).max(initial=0.0) >= SAME_END for other in expected):
            expected.append(row)
    assert distinct_ends(ends, bounds, ends.shape[1]).tolist() == expected


@several
@given(bounds_of_ends, st.integers(1, 500))
def test_draws_are_divided_by_the_bounds(bounds, n_samples):
    draws = divide_draws(bounds, n_samples)
    share = np.maximum(np.exp(bounds - np.logaddexp.reduce(bounds)), LEAST_SHARE)
    assert draws.sum() == n_samples
    assert (draws >= 0).all()
    # Whole numbers cannot be closer than this to the shares.
    np.testing.assert_allclose(draws, n_samples * share / share.sum(), atol=1.0 + 1e-9)


@several
@given(ends_of_starts(), st.integers(1, 60))
def test_density_is_that_of_the_mixture_and_sums_to_one(given_ends, n_samples):
    ends, bounds = given_ends
    n_topics = ends.shape[1]
    proposal = build_proposal(ends, bounds, n_topics, n_samples)
    kept = distinct_ends(ends, bounds, n_topics)
    draws = divide_draws(bounds[kept], n_samples)
    total = 0.0
    for state in itertools.product((False, True), repeat=n_topics):
        density = 0.0
        for row, count in zip(kept, draws, strict=True):
            chance = np.clip(ends[row], LEAST_PROPOSAL, 1.0 - LEAST_PROPOSAL)
            density += count / n_samples * np.where(state, chance, 1.0 - chance).prod()
        assert log_density(proposal, np.array(state, np.bool_)) == pytest.approx(math.log(density))
        total += density
    assert total == pytest.approx(1.0)
    assert proposal.draws.sum() == n_samples
    assert (proposal.draws > 0).all()


@several
@given(ends_of_starts())
def test_ends_that_coincide_are_one_component(given_ends):
    ends, _ = given_ends
    alike = np.tile(ends[:1], (3, 1)) + np.array([[0.0], [SAME_END / 3], [-SAME_END / 3]])
    proposal = build_proposal(alike, np.array([-2.0, -1.0, -3.0]), ends.shape[1], 50)
    assert proposal.draws.tolist() == [50]
    expected = np.clip(alike[1], LEAST_PROPOSAL, 1.0 - LEAST_PROPOSAL)
    np.testing.assert_array_equal(proposal.chance[0], expected)


def test_every_component_is_drawn_from_as_it_says():
    ends = np.array([[0.1, 0.5, 0.9], [0.8, 0.3, 0.0]])
    proposal = build_proposal(ends, np.array([-1.0, -2.0]), 3, 10)
    key = np.uint64(streams.stream_key(0, 0))
    x = np.zeros((N_DRAWS, 3), np.bool_)
    for component in range(2):
        for sample in range(N_DRAWS):
            draw_topics(proposal, component, key, sample, x[sample])
        allowed = 4.0 * np.sqrt(0.25 / N_DRAWS)
        np.testing.assert_allclose(x.mean(axis=0), ends[component], atol=allowed)


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_no_state_of_a_topic_is_left_out_of_the_proposal(level):
    proposal = build_proposal(np.full((1, 5), level), np.zeros(1), 5, 1)
    x = np.zeros(5, np.bool_)
    draw_topics(proposal, 0, np.uint64(streams.stream_key(0, 0)), 0, x)
    assert (x == bool(level)).all()
    assert log_density(proposal, x) == pytest.approx(5 * np.log(1.0 - LEAST_PROPOSAL))
    assert log_density(proposal, ~x) == pytest.approx(5 * np.log(LEAST_PROPOSAL))
