"""Exact inference in NumPy: equal to enumeration and to the kernel, whatever is held."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference import elimination
from orrery.core.inference.elimination import sum_states
from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.inference.infer import infer
from orrery.core.kernels import elimination as kernels
from orrery.core.kernels.compiling import interpreted
from orrery.core.kernels.local_model import local_factors
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, problems, random_network, several

ANY = 2**40


def problem_of(network, evidence):
    local, weights = local_problem(network, evidence)
    with interpreted():
        return local, local_factors(local, weights, held_states(local, evidence))


@several
@given(problems(), st.booleans())
def test_equals_enumeration_with_held_topics_and_unknown_words(problem, closed_world):
    evidence = random_evidence(problem.rng, problem.network.graph, closed_world)
    local, factors = problem_of(problem.network, evidence)
    probability, log_probability = sum_states(local, factors, ANY)
    observed = observed_nodes(problem.network, evidence)
    expected = naive.marginals(problem.network, observed)[local.node[: local.n_topics]]
    np.testing.assert_allclose(probability, expected, atol=1e-9)
    whole = naive.log_likelihood(problem.network, observed)
    assert log_probability == pytest.approx(whole, abs=1e-8)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow as plain Python")
@pytest.mark.parametrize("seed", range(60))
def test_equals_the_kernel_on_random_graphs(seed):
    """Sparse graphs and dense ones, with exchanges in all orders, to twelve digits."""
    rng = np.random.default_rng(seed)
    density = rng.uniform(0.1, 0.6)
    network = plain_network(rng, n_topics=int(rng.integers(2, 18)), n_tokens=9, density=density)
    evidence = random_evidence(rng, network.graph, bool(seed % 2))
    local, factors = problem_of(network, evidence)
    probability, log_probability = sum_states(local, factors, ANY)
    tables = kernels.make_tables(local, factors)
    expected, log_expected = kernels.sum_states(factors, tables, kernels.make_plan(tables, ANY))
    np.testing.assert_allclose(probability, expected, rtol=1e-11, atol=1e-14)
    assert log_probability == pytest.approx(log_expected, abs=1e-11)


@pytest.mark.parametrize("seed", range(40))
def test_any_order_of_elimination_has_the_same_result(seed, monkeypatch):
    """Nodes are on before their causes are combined, and the reverse."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=7, n_tokens=6, density=0.4)
    problem = problem_of(network, random_evidence(rng, network.graph, bool(seed % 2)))
    expected, log_expected = sum_states(*problem, ANY)
    order_of = elimination._elimination_order
    monkeypatch.setattr(
        elimination, "_elimination_order", lambda model: rng.permutation(order_of(model)).tolist()
    )
    for _ in range(10):
        probability, log_probability = sum_states(*problem, ANY)
        np.testing.assert_allclose(probability, expected, rtol=1e-11)
        assert log_probability == pytest.approx(log_expected, abs=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_equals_enumeration_where_many_causes_meet(seed):
    network = plain_network(np.random.default_rng(seed), n_topics=13, n_tokens=10, density=0.5)
    evidence = Evidence(tuple(range(7)), (8,), closed_world=False)
    local, factors = problem_of(network, evidence)
    probability, log_probability = sum_states(local, factors, ANY)
    observed = observed_nodes(network, evidence)
    expected = naive.marginals(network, observed)[local.node[: local.n_topics]]
    np.testing.assert_allclose(probability, expected, atol=1e-9)
    assert log_probability == pytest.approx(naive.log_likelihood(network, observed), abs=1e-9)


def test_no_digit_is_lost_however_improbable_the_evidence():
    """Two topics with half of the words each, which they make a little more probable."""
    weight, leak, half = 3e-7, np.array([1e-3, 2e-3, *[1e-6] * 140]), 70
    graph, _ = build_graph(2 * half, ["a", "b"], np.repeat([0, 1], half), 2 + np.arange(2 * half))
    network = build_network(graph, np.full(2 * half, weight), leak)
    evidence = Evidence(tuple(range(2 * half)), closed_world=False)
    local, factors = problem_of(network, evidence)
    probability, log_probability = sum_states(local, factors, ANY)
    off, on = (half * np.log(-np.expm1(-activation)) for activation in (1e-6, 1e-6 + weight))
    expected = 0.0
    for topic_leak, found in zip(leak[:2], probability, strict=True):
        is_off, is_on = off - topic_leak, on + np.log(-np.expm1(-topic_leak))
        assert found == pytest.approx(1.0 / (1.0 + np.exp(is_off - is_on)), rel=1e-12)
        expected += np.logaddexp(is_off, is_on)
    assert log_probability < -1900.0
    assert log_probability == pytest.approx(expected, rel=1e-12)


def test_evidence_without_topics_has_the_probability_of_its_leaks():
    graph, _ = build_graph(2, ["a"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    local, factors = problem_of(network, Evidence((1,), closed_world=False))
    probability, log_probability = sum_states(local, factors, ANY)
    assert len(probability) == 0
    assert log_probability == pytest.approx(np.log(-np.expm1(-0.3)), rel=1e-14)


def test_the_limit_on_the_entries_of_all_tables_is_exact():
    # A topic above a word: a product of 4 entries, and one of 2.
    graph, _ = build_graph(1, ["a"], [0], [1])
    problem = problem_of(build_network(graph, [1.0], [0.1, 0.2]), Evidence((0,), closed_world=True))
    assert sum_states(*problem, 5) is None
    assert sum_states(*problem, 6) is not None


def test_a_larger_limit_changes_nothing():
    network = random_network(np.random.default_rng(3), 14, 10, 0.3)
    local, factors = problem_of(network, Evidence((0, 3, 7), closed_world=False))
    needed = next(limit for limit in range(10_000) if sum_states(local, factors, limit))
    assert needed > 100
    assert sum_states(local, factors, needed - 1) is None
    np.testing.assert_array_equal(
        sum_states(local, factors, needed)[0], sum_states(local, factors, ANY)[0]
    )


def test_a_model_in_which_all_topics_are_linked_is_beyond_the_limit():
    network = plain_network(np.random.default_rng(0), n_topics=60, n_tokens=60, density=0.8)
    problem = problem_of(network, Evidence(tuple(range(60)), closed_world=True))
    assert sum_states(*problem, 2**23) is None


def test_one_question_has_one_answer_digit_for_digit():
    network = random_network(np.random.default_rng(5), 16, 12, 0.3)
    first = infer(network, Evidence((5, 0, 2), (7, 3), closed_world=False))
    again = infer(network, Evidence((0, 2, 5), (3, 7), closed_world=False))
    assert first.probability.tobytes() == again.probability.tobytes()
    assert first.log_probability == again.log_probability
