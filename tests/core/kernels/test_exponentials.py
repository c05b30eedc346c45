"""The sum of exponentials: a lower bound on log(1 - exp(-a)) with the stated accuracy."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.kernels.tables import MIN_ARGUMENT, coarse_sum, exponential_sum
from orrery.core.model.network import MIN_LEAK

# Accuracy, largest error in nats, most terms: what the docstring and MATH §4.1 promise.
PROMISED = [("fast", 1.4e-5, 26), ("standard", 1.0e-6, 32), ("fine", 3.4e-9, 55)]
# Rounding in a sum of fifty numbers of size 14.
ROUNDING = 1e-13


def dense_grid():
    """Arguments between and beyond the points of the fit."""
    rng = np.random.default_rng(7)
    spread = np.exp(rng.uniform(np.log(MIN_ARGUMENT), np.log(40.0), 100_000))
    return np.concatenate([[MIN_ARGUMENT], spread, np.geomspace(40.0, 1e4, 1000)])


@pytest.mark.parametrize(("accuracy", "error", "n_terms"), PROMISED)
def test_lower_bound_within_the_stated_error(accuracy, error, n_terms):
    terms = exponential_sum(accuracy)
    grid = dense_grid()
    truth = np.log(-np.expm1(-grid))
    fitted = np.array([-(terms.coefficient * np.exp(-a * terms.rate)).sum() for a in grid])
    assert (np.abs(fitted - truth) <= terms.error * (1 + 1e-5) + ROUNDING).all()
    assert (fitted - terms.error <= truth + 1e-5 * terms.error + ROUNDING).all()
    assert terms.error <= error
    assert len(terms.rate) <= n_terms


@pytest.mark.parametrize("accuracy", [name for name, *_ in PROMISED])
def test_terms_decay(accuracy):
    terms = exponential_sum(accuracy)
    assert (terms.coefficient > 0).all()
    assert terms.rate[0] == 1.0
    assert (np.diff(terms.rate) > 0).all()


def test_few_terms_lie_within_a_twentieth_of_a_nat():
    terms = coarse_sum()
    assert len(terms.rate) == 8
    assert terms.error < 0.05
    grid = dense_grid()[:1000]
    fitted = -np.exp(-np.outer(grid, terms.rate)) @ terms.coefficient
    assert np.abs(fitted - np.log(-np.expm1(-grid))).max() <= terms.error * (1 + 1e-3)


def test_no_leak_is_below_the_smallest_argument():
    assert MIN_LEAK >= MIN_ARGUMENT
