"""The importance-weighted bound: unbiased, and climbed by its gradient."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from core.graph import build_graph
from core.kernels import streams
from core.kernels.importance import add_importance_gradient, log_joint
from core.kernels.proposal import build_proposal
from core.network import build_network
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import (
    Problem,
    activations,
    plain_network,
    problems,
    several,
    with_value,
)

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


def proposal_of(document, ends, n_samples, bounds=None):
    """Mixture of ends given over all nodes, with equal weights if no bounds are given."""
    local = np.array([document.local(q) for q in ends])
    bounds = np.zeros(len(ends)) if bounds is None else np.array(bounds)
    return build_proposal(local, bounds, document.graph.n_topics, n_samples)


def bound_of(local, proposal, key):
    """The bound alone, without what its gradient adds."""
    n_nodes, n_edges = (
        int(local.graph.node.max(initial=0)) + 1,
        int(local.graph.edge.max(initial=0)) + 1,
    )
    sums = np.zeros(n_edges), np.zeros(n_nodes), np.zeros(n_nodes)
    return add_importance_gradient(local.graph, local.weights, proposal, key, *sums)


def estimates(document, ends, n_samples, bounds=None):
    """Bounds under many streams."""
    proposal = proposal_of(document, ends, n_samples, bounds)
    return np.array(
        [bound_of(document, proposal, stream_key(1, number)) for number in range(N_REPEATS)]
    )


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
def test_mean_weight_is_the_likelihood(seed):
    problem, document, q = sampled_problem(seed)
    truth = naive.log_likelihood(
        problem.network, naive.closed_world(problem.network, problem.present)
    )
    weights = np.exp(estimates(document, [q], n_samples=100) - truth)
    assert abs(weights.mean() - 1.0) < 4.0 * weights.std() / np.sqrt(N_REPEATS)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_draw_is_the_elbo_in_expectation_and_more_draws_rise_above_it(seed):
    problem, document, q = sampled_problem(seed)
    observed = naive.closed_world(problem.network, problem.present)
    bound = naive.mean_field_bound(problem.network, observed, q)
    truth = naive.log_likelihood(problem.network, observed)
    single = estimates(document, [q], n_samples=1)
    several_draws = estimates(document, [q], n_samples=20)
    errors = [draws.std() / np.sqrt(N_REPEATS) for draws in (single, several_draws)]
    assert abs(single.mean() - bound) < 4.0 * errors[0]
    assert bound < several_draws.mean() < truth + 4.0 * errors[1]
    assert single.mean() < several_draws.mean()


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_weight_under_a_mixture_is_the_likelihood(seed):
    problem, document, first = sampled_problem(seed)
    observed = naive.closed_world(problem.network, problem.present)
    truth = naive.log_likelihood(problem.network, observed)
    ends = [first]
    for _ in range(2):
        q = activations(problem, extreme=False)
        q[: problem.network.graph.n_topics] = 0.1 + 0.8 * q[: problem.network.graph.n_topics]
        ends.append(q)
    bounds = [naive.mean_field_bound(problem.network, observed, q) for q in ends]
    for n_samples in (3, 50):
        assert len(proposal_of(document, ends, n_samples, bounds).draws) > 1
        weights = np.exp(estimates(document, ends, n_samples, bounds) - truth)
        assert abs(weights.mean() - 1.0) < 4.0 * weights.std() / np.sqrt(N_REPEATS)


def rivals(weight=4.0):
    """Two topics that explain the same words, as likely as each other: two modes."""
    parents, children = [0, 0, 0, 1, 1, 1], [2, 3, 4, 2, 3, 4]
    graph, _ = build_graph(3, ["one", "other"], parents, children)
    network = build_network(graph, np.full(6, weight), [0.01, 0.01, 1e-3, 1e-3, 1e-3])
    return Problem(network, np.arange(3, dtype=np.int32), np.random.default_rng(0))


def test_a_mixture_finds_the_mode_that_one_end_misses():
    problem = rivals()
    document = local_problem(problem)
    observed = naive.closed_world(problem.network, problem.present)
    truth = naive.log_likelihood(problem.network, observed)
    ends = np.ones((2, 5))
    ends[0, :2], ends[1, :2] = [1 - 1e-9, 1e-9], [1e-9, 1 - 1e-9]
    alone = estimates(document, ends[:1], 50)
    together = estimates(document, ends, 50)
    # Half of the likelihood lies in the other mode.
    assert np.median(alone) == pytest.approx(truth - np.log(2.0), abs=0.05)
    assert np.median(together) == pytest.approx(truth, abs=0.05)
    assert np.quantile(np.abs(together - truth), 0.9) < 0.05


def gradient(document, proposal, key):
    """(bound, slopes in the weights, in the leaks, usage) as a step puts them together."""
    graph = document.network.graph
    weight, leak, usage = (
        np.zeros(size) for size in (graph.n_edges, graph.n_nodes, graph.n_topics)
    )
    local = local_problem(document)
    bound = add_importance_gradient(local.graph, local.weights, proposal, key, weight, leak, usage)
    return bound, weight - usage[graph.parent_idx], leak - 1.0, usage


@pytest.mark.parametrize("n_samples", [1, 2, 30])
@several
@given(problem=problems(make=plain_network))
def test_gradient_is_the_slope_of_the_bound_for_the_same_draws(n_samples, problem):
    ends = [activations(problem, extreme=False) for _ in range(2)]
    key = stream_key(3, 0)
    proposal = proposal_of(local_problem(problem), ends, n_samples)
    _, weight_slope, leak_slope, usage = gradient(problem, proposal, key)
    assert ((usage >= 0.0) & (usage <= 1.0 + 1e-12)).all()
    for name, slopes in (("weight", weight_slope), ("leak", leak_slope)):
        for position, slope in enumerate(slopes):
            value = getattr(problem.network, name)[position]
            # In proportion, because the slope of a small leak bends within a step of 1e-6.
            width, ends_of_step = 1e-4 * value, []
            for shift in (-width, width):
                moved = with_value(problem.network, name, position, value + shift)
                shifted = Problem(moved, problem.present, problem.rng)
                ends_of_step.append(gradient(shifted, proposal, key)[0])
            expected = (ends_of_step[1] - ends_of_step[0]) / (2.0 * width)
            assert slope == pytest.approx(expected, rel=1e-5, abs=1e-5)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many draws for plain Python")
@pytest.mark.parametrize("seed", SEEDS)
def test_with_many_draws_the_gradient_is_that_of_the_likelihood(seed):
    problem, document, q = sampled_problem(seed)
    network = problem.network
    observed = naive.closed_world(network, problem.present)
    proposal = proposal_of(document, [q], 200_000)
    _, weight_slope, leak_slope, usage = gradient(problem, proposal, stream_key(4, seed))
    np.testing.assert_allclose(
        usage, naive.marginals(network, observed)[: network.graph.n_topics], atol=0.02
    )
    for name, slopes in (("weight", weight_slope), ("leak", leak_slope)):
        for position, slope in enumerate(slopes):
            value = getattr(network, name)[position]
            likelihoods = [
                naive.log_likelihood(with_value(network, name, position, value + shift), observed)
                for shift in (-1e-5, 1e-5)
            ]
            expected = (likelihoods[1] - likelihoods[0]) / 2e-5
            assert slope == pytest.approx(expected, rel=0.05, abs=0.03)


def test_no_local_topic_is_no_sum():
    graph, _ = build_graph(2, ["only"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    for present, truth in (([], -0.6), ([1], np.log(-np.expm1(-0.3)) - 0.3)):
        problem = Problem(network, np.array(present, np.int32), np.random.default_rng(0))
        document = local_problem(problem, is_full=False)
        proposal = proposal_of(document, [np.ones(3)], 5)
        assert bound_of(document, proposal, stream_key(0, 0)) == pytest.approx(truth)
