"""The sum over the distinct states of a chain: never above the likelihood, in the end equal."""

from __future__ import annotations

import itertools

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.kernel_inputs import kernel_model
from orrery.core.kernels.gibbs_estimates import document_unique_bound, state_code, sum_distinct
from orrery.core.kernels.streams import stream_key
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.training.gibbs import survival_model
from tests import naive
from tests.random_networks import Problem, plain_network, problems, several

SEEDS = [0, 1] if numba.config.DISABLE_JIT else [0, 1, 2, 3]

# Keys wrap around; numpy warns about it in plain Python.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
scopes = pytest.mark.parametrize("is_full", [False, True])


def bound_of(problem, is_full, n_sweeps, seed=0):
    """Bound after this number of sweeps, and whether the scratch memory is restored."""
    place = np.full(problem.network.graph.n_topics, -1, np.int32)
    bound = document_unique_bound(
        problem.present_nodes,
        survival_model(problem.network),
        kernel_model(problem.network),
        is_full,
        place,
        np.uint64(stream_key(seed, 0)),
        n_sweeps,
    )
    assert (place == -1).all()
    return bound


def likelihood(problem, is_full):
    world = naive.closed_world if is_full else naive.local_world
    return naive.log_likelihood(problem.network, world(problem.network, problem.present))


@scopes
@several
@given(problem=problems(), seed=st.integers(0, 1000))
def test_more_sweeps_lead_up_to_the_likelihood_and_never_beyond(is_full, problem, seed):
    bounds = [bound_of(problem, is_full, n_sweeps, seed) for n_sweeps in (1, 2, 5, 20)]
    truth = likelihood(problem, is_full)
    for fewer, more in itertools.pairwise([*bounds, truth]):
        assert fewer <= more + 1e-8


@scopes
@pytest.mark.parametrize("seed", SEEDS)
def test_once_every_state_was_seen_it_is_the_likelihood(is_full, seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=3, n_tokens=6)
    problem = Problem(network, np.array([0, 3, 4], np.int32), rng)
    truth = likelihood(problem, is_full)
    assert bound_of(problem, is_full, 1, seed) < truth - 1e-4
    assert bound_of(problem, is_full, 200, seed) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("n_words", [2, 4, 20])
def test_states_that_are_nearly_impossible_add_nothing(n_words):
    """The first flip takes a topic from off to on where its probability rounds to 1."""
    graph, _ = build_graph(n_words, ["theme"], [0] * n_words, np.arange(1, n_words + 1))
    network = build_network(graph, np.full(n_words, 12.0), np.full(n_words + 1, 1e-6))
    present = np.arange(n_words, dtype=np.int32)
    problem = Problem(network, present, np.random.default_rng(0))
    truth = likelihood(problem, False)
    assert bound_of(problem, False, 1) == pytest.approx(truth, abs=1e-7)


def test_a_document_without_a_topic():
    graph, _ = build_graph(2, ["only"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    for present, truth in (([], -0.6), ([1], naive.f(0.3) - 0.3)):
        problem = Problem(network, np.array(present, np.int32), np.random.default_rng(0))
        assert bound_of(problem, False, 3) == pytest.approx(truth, abs=1e-12)


@several
@given(st.lists(st.tuples(st.integers(0, 9), st.floats(-50.0, 5.0)), min_size=1))
def test_a_state_counts_once(visits):
    values = dict(visits)
    codes = np.array([code for code, _ in visits], np.uint64)
    log_values = np.array([values[code] for code, _ in visits])
    expected = np.logaddexp.reduce(list(values.values()))
    assert sum_distinct(codes, log_values) == pytest.approx(expected, abs=1e-12)


def test_states_have_codes_of_their_own():
    states = [np.array(x, bool) for x in itertools.product((0, 1), repeat=9)]
    assert len({int(state_code(x, 9)) for x in states}) == len(states)
    words_on = np.concatenate([states[5], [True, False]])
    assert state_code(words_on, 9) == state_code(states[5], 9)
