"""Guided draws: unbiased whatever the guide, all states where there are few, the same again."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.kernels import streams
from orrery.core.kernels.bounds import log_joint
from orrery.core.kernels.importance_sampling import MIN_PROBABILITY, make_proposal, sample_round
from orrery.core.kernels.ladder import log_likelihood_estimate
from orrery.core.kernels.local_model import FREE, local_factors
from orrery.core.kernels.posterior import Precision, sample_posterior
from orrery.core.kernels.sum_product import Beliefs, propagate
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, problems, random_network, several

N_ROUNDS = 4000
# Digits of constants: no seed was chosen for its result.
SEEDS = [314, 2718, 1618, 5772, 9159, 6626]
plenty = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many draws for plain Python")

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def key_of(number):
    """Key as the kernels pass it on; called from Python it comes back as a plain int."""
    return np.uint64(streams.stream_key(17, number))


def sampled_problem(network, evidence, noise=0.0, rng=None):
    """Local model, factors and a guide; noise makes it a bad one."""
    local, weights = local_problem(network, evidence)
    factors = local_factors(local, weights, held_states(local, evidence))
    beliefs, _ = propagate(local, factors, 1e-6)
    if noise:
        beliefs = Beliefs(*(part + rng.normal(0.0, noise, part.shape) for part in beliefs))
    return local, factors, make_proposal(local, factors, beliefs)


@plenty
@pytest.mark.parametrize("noise", [0.0, 2.0])
@pytest.mark.parametrize("closed_world", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_mean_over_rounds_is_the_enumerated_joint(seed, closed_world, noise):
    """Whole DAGs, topics held on and off, words absent and unknown, a good guide and a bad one."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=7, n_tokens=8)
    evidence = random_evidence(rng, network.graph, closed_world)
    local, factors, guide = sampled_problem(network, evidence, noise, rng)
    observed = observed_nodes(network, evidence)
    truth = naive.log_likelihood(network, observed)
    marginal = naive.marginals(network, observed)[local.node[: local.n_topics]]
    totals, shares, controls = [], [], []
    for number in range(N_ROUNDS):
        one = sample_round(local, factors, guide, 3.0, key_of(number))
        weight = np.exp(one.log_weight - truth)
        totals.append(weight.sum())
        shares.append(weight @ one.state)
        controls.append(one.control)
    for values, expected in ((totals, 1.0), (shares, marginal), (controls, 0.0)):
        table = np.array(values).reshape(N_ROUNDS, -1)
        error = table.std(axis=0, ddof=1) / np.sqrt(N_ROUNDS)
        assert (np.abs(table.mean(axis=0) - expected) <= 4.5 * error + 1e-3).all()


@several
@given(problems())
def test_unlimited_samples_are_all_states_with_their_joint_probability(problem):
    evidence = random_evidence(problem.rng, problem.network.graph, True)
    local, factors, guide = sampled_problem(problem.network, evidence)
    one = sample_round(local, factors, guide, np.inf, key_of(0))
    n_free = int((factors.state == FREE).sum())
    assert one.is_exact
    assert len({state.tobytes() for state in one.state}) == len(one.state) == 2**n_free
    assert (one.control == 0.0).all()
    _, weights = local_problem(problem.network, evidence)
    for state, log_weight in zip(one.state, one.log_weight, strict=True):
        x = np.ones(len(local.node), np.bool_)
        x[: local.n_topics] = state
        assert log_weight == pytest.approx(log_joint(local, weights, x), abs=1e-7)


@several
@given(problems(make=plain_network))
def test_more_samples_have_smaller_errors_and_common_states_are_counted_not_drawn(problem):
    evidence = Evidence(tuple(problem.present.tolist()), closed_world=True)
    local, factors, guide = sampled_problem(problem.network, evidence)
    for n_samples in (1.0, 8.0, 64.0):
        one = sample_round(local, factors, guide, n_samples, key_of(1))
        assert 1 <= len(one.log_weight) <= 2 * n_samples + 8
        assert len({state.tobytes() for state in one.state}) == len(one.state)
    least = MIN_PROBABILITY**local.n_topics
    if local.n_topics <= 3:
        assert sample_round(local, factors, guide, 1.0 / least, key_of(1)).is_exact


def test_the_same_key_makes_the_same_round():
    rng = np.random.default_rng(0)
    network = random_network(rng, 12, 10)
    problem = sampled_problem(network, Evidence((0, 3, 4), closed_world=False))
    first, again, other = (sample_round(*problem, 20.0, key_of(key)) for key in (5, 5, 6))
    assert first.state.tobytes() == again.state.tobytes()
    assert first.log_weight.tobytes() == again.log_weight.tobytes()
    assert first.log_weight.tobytes() != other.log_weight.tobytes()


@plenty
@pytest.mark.parametrize("seed", SEEDS)
def test_stated_errors_are_honest_and_met(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=9, n_tokens=12, density=0.4)
    evidence = random_evidence(rng, network.graph, False)
    local, factors, _ = sampled_problem(network, evidence)
    truth = naive.marginals(network, observed_nodes(network, evidence))
    truth = truth[local.node[: local.n_topics]]
    precision = Precision(0.01, 64.0, 8, 2000, 0)
    deviations = []
    for number in range(40):
        rounds, probability, error = sample_posterior(local, factors, precision, key_of(number))
        assert (error <= 0.01).all() or rounds.is_exact
        # A topic that hardly any draw has on has an error that hardly any draw knows of.
        deviations.append((probability - truth) / np.maximum(error, 0.001))
    squares = np.concatenate(deviations) ** 2
    # One on average; errors from few rounds are rough, and so more often too small.
    assert squares.mean() < 1.8
    assert squares.max(initial=0.0) < 6.0**2


@plenty
@pytest.mark.parametrize("seed", SEEDS)
def test_likelihood_is_unbiased_for_any_number_of_samples(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=6, n_tokens=7)
    evidence = random_evidence(rng, network.graph, True)
    local, factors, _ = sampled_problem(network, evidence)
    truth = naive.log_likelihood(network, observed_nodes(network, evidence))
    for n_samples in (1, 3, 10):
        values = np.array(
            [
                log_likelihood_estimate(local, factors, n_samples, key_of(number))
                for number in range(N_ROUNDS // 4)
            ]
        )
        weight = np.exp(values[:, 0] - truth)
        error = weight.std(ddof=1) / np.sqrt(len(weight))
        # A state that one document in a thousand draws makes no normal distribution.
        assert abs(weight.mean() - 1.0) <= 4.5 * error + 1e-3
        stated = values[:, 1].mean()
        assert n_samples == 1 or stated == pytest.approx(weight.var(), rel=0.5, abs=1e-4)
