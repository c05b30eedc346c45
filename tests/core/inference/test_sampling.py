"""Importance sampling in NumPy: all states where there are few, unbiased where there are many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference import sampling
from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.kernels import posterior as kernels
from orrery.core.kernels.compiling import interpreted
from orrery.core.kernels.importance_sampling import make_proposal
from orrery.core.kernels.local_model import FREE, local_factors
from orrery.core.kernels.posterior import Precision
from orrery.core.kernels.sum_product import Beliefs, propagate
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, problems, several

SEEDS = [314, 2718, 1618, 5772]
KEY = np.uint64(2**63 + 12345)


def problem_of(network, evidence, noise=0.0, rng=None):
    """Local model, factors and proposal, which noise makes a bad one."""
    local, weights = local_problem(network, evidence)
    factors = local_factors(local, weights, held_states(local, evidence))
    beliefs, _ = propagate(local, factors, 1e-6)
    if noise:
        beliefs = Beliefs(*(part + rng.normal(0.0, noise, part.shape) for part in beliefs))
    return local, factors, make_proposal(local, factors, beliefs)


@several
@given(problems(), st.booleans())
def test_few_topics_are_enumerated_with_the_states_and_weights_of_the_kernel(problem, closed_world):
    evidence = random_evidence(problem.rng, problem.network.graph, closed_world)
    with interpreted():
        local, factors, _ = problem_of(problem.network, evidence)
        precision = Precision(0.01, 64.0, 8, 200, 20)
        found = sampling.sample_posterior(local, factors, precision, KEY)
        expected = kernels.sample_posterior(local, factors, precision, KEY)
    assert found[0].is_exact
    np.testing.assert_array_equal(found[0].state, expected[0].state)
    np.testing.assert_allclose(found[0].log_weight, expected[0].log_weight, atol=1e-10)
    np.testing.assert_allclose(found[0].log_sum, expected[0].log_sum, atol=1e-10)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-12)
    assert (found[2] == 0.0).all()


@pytest.mark.parametrize("noise", [0.0, 2.0])
@pytest.mark.parametrize("closed_world", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_mean_over_rounds_is_the_enumerated_joint(seed, closed_world, noise):
    """Topics held on and off, words absent and unknown, a good proposal and a bad one."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=7, n_tokens=8)
    evidence = random_evidence(rng, network.graph, closed_world)
    n_rounds = 4000
    with interpreted():
        local, factors, proposal = problem_of(network, evidence, noise, rng)
        rounds = sampling._sample_rounds(local, factors, proposal, 3.0, KEY, range(n_rounds))
    observed = observed_nodes(network, evidence)
    marginal = naive.marginals(network, observed)[local.node[: local.n_topics]]
    weight = np.exp(rounds.log_weight - naive.log_likelihood(network, observed))
    totals = np.add.reduceat(weight, rounds.ptr[:-1])
    shares = np.add.reduceat(weight[:, None] * rounds.state, rounds.ptr[:-1], axis=0)
    for values, expected in ((totals, 1.0), (shares, marginal), (rounds.control, 0.0)):
        table = values.reshape(len(rounds.log_sum), -1)
        error = table.std(axis=0, ddof=1) / np.sqrt(n_rounds)
        assert (np.abs(table.mean(axis=0) - expected) <= 4.5 * error + 1e-3).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_stated_errors_are_honest_and_met(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=9, n_tokens=12, density=0.4)
    evidence = random_evidence(rng, network.graph, False)
    truth = naive.marginals(network, observed_nodes(network, evidence))
    precision = Precision(0.01, 64.0, 8, 2000, 0)
    deviations = []
    with interpreted():
        local, factors, _ = problem_of(network, evidence)
        for number in range(40):
            rounds, probability, error = sampling.sample_posterior(
                local, factors, precision, np.uint64(number)
            )
            assert (error <= 0.01).all() or rounds.is_exact
            difference = probability - truth[local.node[: local.n_topics]]
            # A topic that is on in hardly any sample has an error that samples underestimate.
            deviations.append(difference / np.maximum(error, 0.001))
    squares = np.concatenate(deviations) ** 2
    assert squares.mean() < 1.8
    assert squares.max(initial=0.0) < 6.0**2


def test_more_rounds_leave_the_first_ones_as_they_were():
    rng = np.random.default_rng(1)
    network = plain_network(rng, n_topics=14, n_tokens=12, density=0.4)
    with interpreted():
        problem = problem_of(network, Evidence((0, 3, 5), closed_world=False))
        all_rounds = sampling._sample_rounds(*problem, 8.0, KEY, range(6))
        parts = [sampling._sample_rounds(*problem, 8.0, KEY, range(*at)) for at in ((0, 2), (2, 6))]
        other = sampling._sample_rounds(*problem, 8.0, np.uint64(1), range(6))
    joined = sampling._joined(*parts)
    for whole, part in zip(all_rounds, joined, strict=True):
        np.testing.assert_array_equal(whole, part)
    assert all_rounds.log_sum.tolist() != other.log_sum.tolist()
    assert not all_rounds.is_exact
    assert FREE in problem[1].state


@several
@given(problems(), st.integers(1, 5))
def test_rounds_are_combined_as_in_the_kernel(problem, n_rounds):
    rng, n_topics = problem.rng, 4
    mean, control = rng.random((n_rounds, n_topics)), rng.normal(0.0, 0.1, (n_rounds, n_topics))
    weight = rng.random(n_rounds) + 0.1
    weight /= weight.mean()
    with interpreted():
        expected = kernels.combine_rounds(mean, weight, control)
    for found, value in zip(sampling.combine_rounds(mean, weight, control), expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-12, atol=1e-14)
