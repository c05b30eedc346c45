"""Sums over topics without parents: equal to variable elimination, for any evidence."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.inference import two_layers as module
from orrery.core.inference.elimination import sum_variants
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.two_layers import has_two_layers, sum_all_variants, sum_two_layers
from tests.core.inference.test_elimination import ANY, problem_of
from tests.core.kernels.test_sum_product import random_evidence
from tests.random_networks import flat_network, plain_network


def rows_of(rng, factors, n_variants):
    """Silences of several variants, with some topics off."""
    rows = factors.silence + rng.gamma(1.0, 0.5, (n_variants, len(factors.silence)))
    is_free = np.array(factors.state) < 0
    rows[(rng.random(rows.shape) < 0.1) & is_free] = np.inf
    return rows


@pytest.mark.parametrize("seed", range(60))
def test_equals_variable_elimination(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    network = flat_network(rng, int(rng.integers(1, 9)), 12, 0.4)
    evidence = random_evidence(rng, network.graph, bool(seed % 2))
    local, factors = problem_of(network, evidence)
    assert has_two_layers(local)
    rows = rows_of(rng, factors, 7)
    probability, log_sum = sum_variants(local, factors, rows, ANY)
    # In one block, and in blocks of one variant.
    for size in (module.MAX_BLOCK, 1):
        monkeypatch.setattr(module, "MAX_BLOCK", size)
        found = sum_two_layers(local, factors, rows, ANY)
        np.testing.assert_allclose(found[0], probability, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found[1], log_sum, rtol=1e-12)


def test_digits_are_not_lost_in_improbable_evidence():
    """Inclusion and exclusion would subtract numbers close to 1 here."""
    network = flat_network(np.random.default_rng(3), 40, 12, 0.3)
    network = type(network)(network.graph, network.weight * 1e-3, network.leak * 1e-4)
    local, factors = problem_of(network, Evidence(tuple(range(8)), closed_world=False))
    rows = factors.silence[None]
    probability, log_sum = sum_variants(local, factors, rows, ANY)
    found = sum_two_layers(local, factors, rows, ANY)
    assert log_sum[0] < -50.0
    np.testing.assert_allclose(found[0], probability, rtol=1e-11)
    np.testing.assert_allclose(found[1], log_sum, rtol=1e-13)


def test_beyond_the_limit_there_is_no_result():
    network = flat_network(np.random.default_rng(1), 6, 12, 0.9)
    local, factors = problem_of(network, Evidence(tuple(range(6)), closed_world=False))
    rows = factors.silence[None]
    assert sum_two_layers(local, factors, rows, 2**6 * 7) is not None
    assert sum_two_layers(local, factors, rows, 2**6 * 7 - 1) is None


@pytest.mark.parametrize("make", [flat_network, plain_network])
def test_many_variants_are_those_of_elimination(make, monkeypatch):
    rng = np.random.default_rng(4)
    local, factors = problem_of(make(rng, 6, 9, 0.5), Evidence((0, 1), closed_world=False))
    assert has_two_layers(local) == (make is flat_network)
    rows = rows_of(rng, factors, 10)
    monkeypatch.setattr(module, "BATCH", 3)
    found, expected = (
        sum_all_variants(local, factors, rows, ANY),
        sum_variants(local, factors, rows, ANY),
    )
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)
    assert sum_all_variants(local, factors, rows, 1) is None
