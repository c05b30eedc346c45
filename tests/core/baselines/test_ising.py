"""Mean field on Ising models against states listed here, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.baselines.ising import (
    Ising,
    enumerate_states,
    generalised_mean_field,
    naive_mean_field,
)
from orrery.core.utils.errors import InputError
from tests.benchmarks.small_networks import grid, square_blocks
from tests.random_networks import several

seeds = st.integers(0, 2**16)
kinds = st.sampled_from(["attractive", "repulsive", "mixed"])


def naive_marginals(model):
    n, weights, sums = len(model.fields), [], 0.0
    for state in product([-1, 1], repeat=n):
        energy = sum(model.fields[i] * state[i] for i in range(n))
        energy += sum(
            model.couplings[i, j] * state[i] * state[j] for i in range(n) for j in range(i)
        )
        weights.append(np.exp(energy))
        sums = sums + weights[-1] * np.array(state)
    return sums / sum(weights), np.log(sum(weights))


@several
@given(seeds, kinds)
def test_enumeration_and_one_cluster_of_all_are_exact(seed, kind):
    model = grid(2, 3, 1.5, kind, seed)
    means, log_z = naive_marginals(model)
    for found in (enumerate_states(model), generalised_mean_field(model, [range(6)])):
        np.testing.assert_allclose(found.means, means)
        np.testing.assert_allclose(found.log_partition, log_z)


@several
@given(seeds, kinds, st.booleans())
def test_bounds_never_fall_nor_pass_the_partition_function(seed, kind, in_blocks):
    model = grid(3, 3, 1.0, kind, seed)
    clusters = square_blocks(3, 3) if in_blocks else [[i] for i in range(9)]
    found = generalised_mean_field(model, clusters, seed)
    assert np.diff(found.bounds).min(initial=0.0) >= -1e-9
    assert found.log_partition <= enumerate_states(model).log_partition + 1e-9


@several
@given(seeds)
def test_naive_mean_field_meets_its_own_equation(seed):
    model = grid(3, 3, 0.6, "mixed", seed)
    means = naive_mean_field(model, seed).means
    np.testing.assert_allclose(means, np.tanh(model.fields + model.couplings @ means), atol=1e-3)


def test_blocks_cover_a_lattice_and_the_progress_callback_stops_it():
    assert square_blocks(3, 3) == [[0, 1, 3, 4], [2, 5], [6, 7], [8]]
    reported = []
    naive_mean_field(grid(3, 3, 2.0), progress=lambda share: bool(reported.append(share)) or True)
    assert len(reported) == 1


def test_what_is_no_model_is_refused():
    with pytest.raises(InputError, match="must be symmetric"):
        Ising(np.array([[0.0, 1.0], [0.0, 0.0]]), np.zeros(2))
    with pytest.raises(InputError, match="expected \\(2, 2\\)"):
        Ising(np.zeros((3, 3)), np.zeros(2))
    with pytest.raises(InputError, match="exactly one cluster"):
        generalised_mean_field(grid(2, 2, 1.0), [[0, 1], [1, 2, 3]])
    with pytest.raises(InputError, match="too many states"):
        enumerate_states(grid(5, 5, 1.0))
    with pytest.raises(InputError, match="the kind is 'odd'"):
        grid(2, 2, 1.0, "odd")
