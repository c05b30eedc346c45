"""Network: weights and leaks that any model can have, checked once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.core.model.network import (
    MAX_WEIGHT,
    MIN_LEAK,
    build_network,
    probability_to_weight,
    weight_to_probability,
)
from orrery.core.utils.errors import InputError
from tests import naive
from tests.random_networks import problems, several


@several
@given(problems())
def test_totals_are_sums_over_children(problem):
    totals = problem.network.child_weight_totals()
    for topic, total in enumerate(totals):
        out = naive.edges_out_of(problem.network, topic)
        assert total == pytest.approx(sum(problem.network.weight[edge] for edge, _ in out))


@several
@given(problems())
def test_totals_do_not_change_when_a_caller_writes_to_them(problem):
    network = problem.network
    totals = network.child_weight_totals()
    expected = totals.copy()
    totals += 1.0
    np.testing.assert_array_equal(network.child_weight_totals(), expected)
    assert network.total_leak == pytest.approx(sum(network.leak))


@several
@given(problems())
def test_values_out_of_range_are_moved_to_its_ends(problem):
    graph = problem.network.graph
    network = build_network(graph, np.full(graph.n_edges, 1e9), np.zeros(graph.n_nodes))
    assert (network.weight == MAX_WEIGHT).all()
    assert (network.leak == MIN_LEAK).all()
    high = build_network(graph, np.zeros(graph.n_edges), np.full(graph.n_nodes, 1e9))
    assert (high.weight == 0).all()
    assert (high.leak == MAX_WEIGHT).all()


@several
@given(problems())
def test_given_arrays_are_copied_and_the_network_cannot_be_changed(problem):
    graph = problem.network.graph
    weight, leak = np.ones(graph.n_edges), np.ones(graph.n_nodes)
    network = build_network(graph, weight, leak)
    leak[:] = weight[:] = 5.0
    assert (network.leak == 1.0).all()
    with pytest.raises(ValueError, match="read-only"):
        network.leak[0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        network.weight[...] = 2.0


@pytest.mark.parametrize("name", ["weight", "leak"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1e-9])
@given(problem=problems(make=None))
@several
def test_values_that_are_no_weights_are_refused(name, bad, problem):
    graph = problem.network.graph
    values = {"weight": problem.network.weight.copy(), "leak": problem.network.leak.copy()}
    if not len(values[name]):
        return
    values[name][-1] = bad
    with pytest.raises(
        InputError, match=f"^{name} {len(values[name]) - 1} is .*; expected a finite number"
    ):
        build_network(graph, values["weight"], values["leak"])


@pytest.mark.parametrize("name", ["weight", "leak"])
@given(problem=problems())
@several
def test_shapes_that_do_not_fit_are_refused(name, problem):
    graph = problem.network.graph
    values = {"weight": problem.network.weight, "leak": problem.network.leak}
    expected = len(values[name])
    values[name] = np.ones((expected + 1,))
    with pytest.raises(
        InputError, match=rf"{name} has shape \({expected + 1},\); expected \({expected},\)"
    ):
        build_network(graph, values["weight"], values["leak"])


@given(st.floats(0.0, MAX_WEIGHT))
@example(MAX_WEIGHT)
def test_weight_and_probability_are_inverse(weight):
    probability = weight_to_probability(weight)
    assert probability == pytest.approx(1.0 - np.exp(-weight), abs=1e-12)
    # Near 1 the probability itself has no more digits than this.
    back = probability_to_weight(np.minimum(probability, 1.0 - 1e-13))
    furthest = min(weight, -np.log(1e-13))
    assert back == pytest.approx(furthest, rel=1e-3 if weight > 20 else 1e-6)
