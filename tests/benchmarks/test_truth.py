"""The reference of answers is correct: sums equal the oracle, and chains equal sums."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.evidence import Evidence
from tests import naive
from tests.benchmarks import elimination
from tests.benchmarks.chains import Limits, run_chains
from tests.benchmarks.elimination import elimination_order
from tests.benchmarks.truth import chain_of, local_model, summed, truth_of
from tests.core.inference.test_inference import observed_by, open_evidence
from tests.random_networks import plain_network, problems, random_network, several

FEW = Limits(error=0.02, first=100, most=400)
LIMITS = FEW if numba.config.DISABLE_JIT else Limits()
# A largest error of several topics, estimated from few chains, is missed by more than this seldom.
STANDARD_ERRORS = 6


@pytest.mark.parametrize("closed_world", [True, False])
@several
@given(problem=problems())
def test_sums_are_the_posterior_by_enumeration(closed_world, problem):
    evidence = open_evidence(problem, closed_world)
    local = local_model(problem.network, evidence)
    observed = observed_by(problem.network, evidence)
    if closed_world:
        outside = set(range(problem.network.graph.n_topics)) - set(local.topics.tolist())
        observed |= dict.fromkeys(outside, 0)
    probability = naive.marginals(problem.network, observed)
    np.testing.assert_allclose(summed(local), probability[local.topics], atol=1e-9)


@pytest.mark.parametrize("make", [random_network, plain_network])
@pytest.mark.parametrize("seed", range(4))
def test_chains_have_the_sums_within_their_error(make, seed):
    rng = np.random.default_rng(seed)
    network = make(rng, 9, 12, 0.3)
    local = local_model(network, Evidence((0, 3, 4, 7), closed_world=bool(seed % 2)))
    found, error, has_agreed = run_chains(chain_of(local), LIMITS, seed)
    assert has_agreed
    assert error.max() <= LIMITS.error
    assert np.abs(found - summed(local)).max() < STANDARD_ERRORS * LIMITS.error


def test_chains_that_do_not_agree_in_time_report_it():
    rng = np.random.default_rng(0)
    local = local_model(plain_network(rng, 9, 12, 0.5), Evidence((0, 3), closed_world=False))
    _, error, has_agreed = run_chains(chain_of(local), Limits(error=1e-6, first=10, most=20), 0)
    assert not has_agreed
    assert error.max() > 1e-6


def test_what_is_too_large_to_sum_is_left_to_chains(monkeypatch):
    network = plain_network(np.random.default_rng(1), 9, 12, 0.4)
    evidence = Evidence((0, 3, 4), closed_world=False)
    exact = truth_of(network, evidence)
    monkeypatch.setattr(elimination, "LARGEST", 8)
    by_chains = truth_of(network, evidence, LIMITS)
    assert (exact.how, by_chains.how) == ("sums", "chains")
    assert not exact.error.any()
    assert np.abs(exact.probability - by_chains.probability).max() < 6 * LIMITS.error


def test_variables_are_eliminated_where_fewest_meet():
    star = [(0, leaf) for leaf in range(1, 30)]
    order = elimination_order(star)
    assert order is not None
    assert 0 in order[-2:]
    assert elimination_order([tuple(range(40))]) is None
