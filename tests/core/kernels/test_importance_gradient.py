"""Guided draws for learning: an unbiased likelihood, and a gradient that climbs it."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.kernels import streams
from orrery.core.kernels.importance_gradient import add_importance_gradient, draw_samples, normalise
from orrery.core.kernels.local_model import FREE, local_factors
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import (
    Problem,
    plain_network,
    problems,
    random_network,
    several,
    with_value,
)

# Digits of constants: no seed was chosen for its result.
SEEDS = [314, 2718] if numba.config.DISABLE_JIT else [314, 2718, 1618, 5772, 9159, 6626]
N_REPEATS = 100 if numba.config.DISABLE_JIT else 1000
plenty = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many draws for plain Python")

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def key_of(number):
    """Key as the kernels pass it on; called from Python it comes back as a plain int."""
    return np.uint64(streams.stream_key(23, number))


def sampled_problem(seed, make=plain_network):
    """A document with some words of a small network."""
    rng = np.random.default_rng(seed)
    return Problem(make(rng, n_topics=6, n_tokens=7), np.array([0, 2, 3], np.int32), rng)


def drawn(problem, n_samples, key, is_full=True):
    """The local model and draws of its states."""
    document = local_problem(problem, is_full)
    state = np.full(document.graph.n_topics, FREE, np.int8)
    factors = local_factors(document.graph, document.weights, state)
    return document.graph, draw_samples(document.graph, factors, n_samples, key)


def truth_of(problem, network=None, off=()):
    network = network or problem.network
    return naive.log_likelihood(network, naive.closed_world(network, problem.present, off=set(off)))


def gradient(problem, n_samples, key, is_full=True):
    """(bound, slopes in the weights, in the leaks, usage) as a step puts them together."""
    graph = problem.network.graph
    weight, leak, usage = (
        np.zeros(size) for size in (graph.n_edges, graph.n_nodes, graph.n_topics)
    )
    local, samples = drawn(problem, n_samples, key, is_full)
    bound, share = normalise(samples.log_weight)
    add_importance_gradient(local, samples, share, weight, leak, usage)
    return bound, weight - usage[graph.parent_idx], leak - 1.0, usage


def slope_of(value_of, network, name, position):
    """Central difference of a function of the network in one weight or leak, in proportion."""
    value = getattr(network, name)[position]
    ends = [
        value_of(with_value(network, name, position, value * by)) for by in (1 - 1e-4, 1 + 1e-4)
    ]
    return (ends[1] - ends[0]) / (2e-4 * value)


@pytest.mark.parametrize("make", [plain_network, random_network])
@pytest.mark.parametrize("is_full", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_mean_weight_is_the_likelihood_and_the_weighted_samples_are_the_posterior(
    seed, is_full, make
):
    """Also of networks that no guide is good for, with weights and leaks of all sizes."""
    problem = sampled_problem(seed, make)
    local, _ = drawn(problem, 1, key_of(0), is_full)
    topics = local.node[: local.n_topics].tolist()
    off = set(range(problem.network.graph.n_topics)) - set(topics)
    observed = naive.closed_world(problem.network, problem.present, off=off)
    truth = naive.log_likelihood(problem.network, observed)
    marginal = naive.marginals(problem.network, observed)[topics]
    totals, shares = [], []
    for number in range(N_REPEATS):
        _, samples = drawn(problem, 16, key_of(number), is_full)
        weight = np.exp(samples.log_weight - truth)
        totals.append(weight.mean())
        shares.append(samples.x[: local.n_topics] @ weight / len(weight))
    for values, expected in ((totals, 1.0), (shares, marginal)):
        table = np.array(values).reshape(N_REPEATS, -1)
        error = table.std(axis=0, ddof=1) / np.sqrt(N_REPEATS)
        assert (np.abs(table.mean(axis=0) - expected) <= 4.5 * error + 1e-3).all()


@several
@given(problems())
def test_the_samples_show_how_likely_every_node_was_on(problem):
    local, samples = drawn(problem, 9, key_of(3))
    network, graph = problem.network, problem.network.graph
    state = np.zeros((graph.n_nodes, 9))
    state[local.node] = samples.x
    assert (samples.x[local.n_topics :] == 1.0).all()
    assert np.isin(samples.x, (0.0, 1.0)).all()
    for i, node in enumerate(local.node.tolist()):
        into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        parents = state[graph.parent_idx[into]]
        activation = network.leak[node] + network.weight[into] @ parents
        np.testing.assert_allclose(samples.on[i], -np.expm1(-activation), rtol=1e-9)


@several
@given(problems())
def test_samples_with_other_keys_differ_and_with_the_same_do_not(problem):
    first, again, other = (drawn(problem, 40, key_of(number))[1] for number in (1, 1, 2))
    assert all((one == two).all() for one, two in zip(first, again, strict=True))
    if (np.ptp(first.x, axis=1) > 0.0).any():
        assert (first.x != other.x).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_more_samples_rise_to_the_likelihood(seed):
    problem = sampled_problem(seed)
    truth = truth_of(problem)
    levels, errors = [], []
    for n_samples in (1, 4, 64):
        bounds = [
            normalise(drawn(problem, n_samples, key_of(number))[1].log_weight)[0]
            for number in range(N_REPEATS)
        ]
        levels.append(np.mean(bounds))
        errors.append(np.std(bounds) / np.sqrt(N_REPEATS))
    assert levels[0] < levels[1] + 3.0 * errors[0]
    assert levels[1] < levels[2] + 3.0 * errors[1]
    assert levels[2] < truth + 4.0 * errors[2]
    assert levels[2] == pytest.approx(truth, abs=0.02)


@pytest.mark.parametrize("n_samples", [1, 2, 30])
@several
@given(problem=problems(make=plain_network))
def test_gradient_is_the_weighted_slope_of_the_joint_of_the_samples(n_samples, problem):
    key = key_of(5)
    _, weight_slope, leak_slope, usage = gradient(problem, n_samples, key)
    local, samples = drawn(problem, n_samples, key)
    share = np.exp(samples.log_weight - samples.log_weight.max())
    share /= share.sum()
    observed = naive.closed_world(problem.network, problem.present)
    topics = local.node[: local.n_topics].tolist()
    states = [
        {**observed, **dict(zip(topics, column.tolist(), strict=True))}
        for column in samples.x[: local.n_topics].T
    ]

    def mean_joint(network):
        return sum(
            part * naive.log_joint(network, state)
            for part, state in zip(share, states, strict=True)
        )

    np.testing.assert_allclose(usage[topics], samples.x[: local.n_topics] @ share, rtol=1e-12)
    for name, slopes in (("weight", weight_slope), ("leak", leak_slope)):
        for position, slope in enumerate(slopes):
            expected = slope_of(mean_joint, problem.network, name, position)
            assert slope == pytest.approx(expected, rel=1e-5, abs=1e-5)


@plenty
@pytest.mark.parametrize("seed", SEEDS)
def test_with_many_draws_the_gradient_is_that_of_the_likelihood(seed):
    problem = sampled_problem(seed)
    bound, weight_slope, leak_slope, usage = gradient(problem, 200_000, key_of(seed))
    observed = naive.closed_world(problem.network, problem.present)
    assert bound == pytest.approx(truth_of(problem), abs=0.01)
    expected = naive.marginals(problem.network, observed)[: problem.network.graph.n_topics]
    np.testing.assert_allclose(usage, expected, atol=0.01)
    for name, slopes in (("weight", weight_slope), ("leak", leak_slope)):
        for position, slope in enumerate(slopes):
            expected = slope_of(
                lambda network: truth_of(problem, network), problem.network, name, position
            )
            assert slope == pytest.approx(expected, rel=0.03, abs=0.02)


@plenty
@pytest.mark.parametrize("seed", SEEDS)
def test_the_weighted_gradients_of_few_samples_are_unbiased(seed):
    """Not scaled to a sum of 1, that is: weights times gradients, over the likelihood."""
    problem = sampled_problem(seed)
    truth, graph = truth_of(problem), problem.network.graph
    found = []
    for number in range(4 * N_REPEATS):
        bound, weight_slope, leak_slope, _ = gradient(problem, 3, key_of(number))
        found.append(np.exp(bound - truth) * np.concatenate([weight_slope, leak_slope]))
    table = np.array(found)
    error = table.std(axis=0, ddof=1) / np.sqrt(len(table))
    expected = [
        slope_of(lambda network: truth_of(problem, network), problem.network, name, position)
        for name, size in (("weight", graph.n_edges), ("leak", graph.n_nodes))
        for position in range(size)
    ]
    assert (np.abs(table.mean(axis=0) - expected) <= 4.5 * error + 1e-3).all()


def test_topics_that_explain_one_word_exclude_each_other():
    """Two topics above the same words, as likely as each other: nearly every draw has one."""
    parents, children = [0, 0, 0, 1, 1, 1], [2, 3, 4, 2, 3, 4]
    graph, _ = build_graph(3, ["one", "other"], parents, children)
    network = build_network(graph, np.full(6, 4.0), [0.01, 0.01, 1e-3, 1e-3, 1e-3])
    problem = Problem(network, np.arange(3, dtype=np.int32), np.random.default_rng(0))
    _, samples = drawn(problem, 200, key_of(0))
    assert 0.35 < samples.x[0].mean() < 0.65
    assert (samples.x[0] != samples.x[1]).mean() > 0.95
    bound, share = normalise(samples.log_weight)
    assert bound == pytest.approx(truth_of(problem), abs=0.02)
    assert 1.0 / (share**2).sum() > 180


def test_hundreds_of_words_stay_numbers():
    """Weights of draws far beyond what a product could hold, and topics that hundreds silence."""
    n_words = 900
    parents, children = np.repeat([0, 1], n_words), np.tile(np.arange(2, 2 + n_words), 2)
    graph, _ = build_graph(n_words, ["one", "other"], parents, children)
    leaks = np.r_[0.1, 0.1, np.full(n_words, 1e-6)]
    network = build_network(graph, np.full(2 * n_words, 1.5), leaks)
    for present in (np.arange(n_words), np.arange(3), np.arange(n_words // 2)):
        problem = Problem(network, present.astype(np.int32), np.random.default_rng(0))
        bound, weight_slope, leak_slope, usage = gradient(problem, 64, key_of(0))
        # Where either topic alone explains half of the words, the guide is sure of one of them.
        assert -0.8 < bound - truth_of(problem) < 0.1
        for part in (weight_slope, leak_slope, usage):
            assert np.isfinite(part).all()


def test_no_local_topic_is_no_sum():
    graph, _ = build_graph(2, ["only"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    for present, truth in (([], -0.6), ([1], np.log(-np.expm1(-0.3)) - 0.3)):
        problem = Problem(network, np.array(present, np.int32), np.random.default_rng(0))
        assert gradient(problem, 5, key_of(0), is_full=False)[0] == pytest.approx(truth)
