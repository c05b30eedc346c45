"""The importance-weighted estimate: unbiased, honest about its error, between ELBO and truth."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from core.kernels import streams
from core.kernels.importance import (
    LEAST_PROPOSAL,
    draw_topics,
    log_joint,
    log_likelihood_estimate,
)
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import Problem, activations, plain_network, problems, several

SEEDS = [0, 1] if numba.config.DISABLE_JIT else [0, 1, 2, 3, 4]
N_REPEATS = 60 if numba.config.DISABLE_JIT else 400

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def sampled_problem(seed):
    """A problem, its local model, activations with full support, and the truth."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=5, n_tokens=6)
    problem = Problem(network, np.array([0, 2, 3], np.int32), rng)
    q = activations(problem, extreme=False)
    q[: network.graph.n_topics] = 0.2 + 0.6 * q[: network.graph.n_topics]
    return problem, local_problem(problem), q


def stream_key(seed, document):
    """Key as the kernels pass it on; called from Python it comes back as a plain int."""
    return np.uint64(streams.stream_key(seed, document))


def estimates(document, q, n_samples):
    """Estimates and their variances under many streams."""
    local_q = document.local(q)
    return np.array(
        [
            log_likelihood_estimate(
                document.graph, document.weights, local_q, stream_key(1, document_number), n_samples
            )
            for document_number in range(N_REPEATS)
        ]
    ).T


@several
@given(problems())
def test_joint_equals_the_loops_in_every_state(problem):
    document = local_problem(problem)
    observed = naive.closed_world(problem.network, problem.present)
    for state in naive.states(problem.network, observed):
        x = np.array([state[node] for node in document.graph.node], np.bool_)
        joint = log_joint(document.graph, document.weights, x)
        assert joint == pytest.approx(naive.log_joint(problem.network, state), abs=1e-9)


@several
@given(problems())
def test_local_states_sum_to_the_likelihood_with_pruned_topics_off(problem):
    document = local_problem(problem, is_full=False)
    n_topics = document.graph.n_topics
    pruned = set(range(problem.network.graph.n_topics)) - set(document.graph.node.tolist())
    observed = naive.closed_world(problem.network, problem.present, off=pruned)
    x = np.ones(len(document.graph.node), np.bool_)
    joints = []
    for number in range(2**n_topics):
        x[:n_topics] = [(number >> k) & 1 for k in range(n_topics)]
        joints.append(log_joint(document.graph, document.weights, x))
    truth = naive.log_likelihood(problem.network, observed)
    assert np.logaddexp.reduce(joints) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_weight_is_the_likelihood_and_its_error_is_honest(seed):
    problem, document, q = sampled_problem(seed)
    truth = naive.log_likelihood(
        problem.network, naive.closed_world(problem.network, problem.present)
    )
    values, variances = estimates(document, q, n_samples=100)
    weights = np.exp(values - truth)
    assert abs(weights.mean() - 1.0) < 4.0 * weights.std() / np.sqrt(N_REPEATS)
    deviations = (values - truth) / np.sqrt(variances)
    assert 0.75 < deviations.std() < 1.3
    assert np.abs(values - truth).max() < 6.0 * np.sqrt(variances.mean())


@pytest.mark.parametrize("seed", SEEDS)
def test_one_draw_is_the_elbo_in_expectation_and_more_draws_rise_above_it(seed):
    problem, document, q = sampled_problem(seed)
    observed = naive.closed_world(problem.network, problem.present)
    bound = naive.mean_field_bound(problem.network, observed, q)
    truth = naive.log_likelihood(problem.network, observed)
    single, _ = estimates(document, q, n_samples=1)
    several_draws, _ = estimates(document, q, n_samples=20)
    errors = [draws.std() / np.sqrt(N_REPEATS) for draws in (single, several_draws)]
    assert abs(single.mean() - bound) < 4.0 * errors[0]
    assert bound < several_draws.mean() < truth + 4.0 * errors[1]
    assert single.mean() < several_draws.mean()


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_no_state_of_a_topic_is_left_out_of_the_proposal(level):
    x = np.zeros(5, np.bool_)
    log_proposal = draw_topics(np.full(5, level), 5, stream_key(0, 0), 0, x)
    assert (x == bool(level)).all()
    assert log_proposal == pytest.approx(5 * np.log(1.0 - LEAST_PROPOSAL))
