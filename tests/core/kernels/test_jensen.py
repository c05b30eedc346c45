"""The paper's bound: below the exact one, its updates and gradient equal to plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.kernels.bounds import CLIP
from orrery.core.kernels.jensen import (
    add_jensen_gradient,
    ascend_jensen,
    couplings,
    jensen_bound,
    start_shares,
    update_activations,
    update_shares,
)
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import activations, plain_network, problems, several, shares, with_value

ROUNDING = 1e-9


def bound_of(document, q, r):
    """Bound of local activations and shares."""
    return jensen_bound(document.graph, document.weights, document.free, q, r)


def sweep(document, q, r):
    """One sweep over the topics; q is changed."""
    b = couplings(document.graph, document.weights, r)
    return update_activations(document.graph, document.weights, b, document.free, q)


def ascended(document, q, r, schedule, tolerance=0.0):
    """Bound after a schedule; q and r are changed."""
    steps = np.array(schedule, np.int64)
    return ascend_jensen(document.graph, document.weights, document.free, q, r, steps, tolerance)


@several
@given(problems())
def test_bound_equals_eq_9_and_stays_below_the_exact_one(problem):
    document = local_problem(problem)
    q, r = activations(problem), shares(problem)
    bound = bound_of(document, document.local(q), r[document.graph.edge])
    assert bound == pytest.approx(naive.jensen_bound(problem.network, q, r), abs=ROUNDING)
    observed = naive.closed_world(problem.network, problem.present)
    assert bound <= naive.mean_field_bound(problem.network, observed, q) + ROUNDING


@several
@given(problems())
def test_starting_shares_follow_the_weights(problem):
    document = local_problem(problem, is_full=False)
    expected = naive.start_shares(problem.network)[document.graph.edge]
    np.testing.assert_allclose(
        start_shares(document.graph, document.weights), expected, atol=ROUNDING
    )


@several
@given(problems(), st.floats(0.01, 0.99))
def test_starting_shares_are_best_when_all_parents_are_equally_likely(problem, level):
    document = local_problem(problem)
    q = np.ones(len(document.graph.node))
    q[: document.graph.n_topics] = level
    best = bound_of(document, q, start_shares(document.graph, document.weights))
    for _ in range(3):
        other = shares(problem)[document.graph.edge]
        assert bound_of(document, q, other) <= best + ROUNDING


@several
@given(problems())
def test_no_step_of_the_shares_lowers_the_bound(problem):
    document = local_problem(problem)
    q, r = document.local(activations(problem)), shares(problem)[document.graph.edge]
    bound = bound_of(document, q, r)
    for _ in range(3):
        for node in range(len(document.graph.node)):
            update_shares(node, document.graph, document.weights, q, r)
            assert bound_of(document, q, r) >= bound - ROUNDING
            bound = bound_of(document, q, r)
    sums = np.add.reduceat(np.append(r, 0.0), document.graph.parent_ptr[:-1])
    has_parents = np.diff(document.graph.parent_ptr) > 0
    np.testing.assert_allclose(sums[has_parents], 1.0, atol=ROUNDING)


@several
@given(problems(make=plain_network))
def test_shares_equal_eq_10(problem):
    document = local_problem(problem)
    q, r = activations(problem, extreme=False), shares(problem)
    local_q, local_r = document.local(q), r[document.graph.edge]
    for i, node in enumerate(document.graph.node):
        update_shares(i, document.graph, document.weights, local_q, local_r)
        naive.update_shares(problem.network, q, r, node)
    np.testing.assert_allclose(local_r, r[document.graph.edge], rtol=1e-6, atol=ROUNDING)


@several
@given(problems())
def test_activations_equal_eqs_11_and_12_and_never_lower_the_bound(problem):
    document = local_problem(problem)
    q, r = activations(problem), shares(problem)
    local_q, local_r = document.local(q), r[document.graph.edge]
    before = bound_of(document, local_q, local_r)
    sweep(document, local_q, local_r)
    for topic in reversed(range(problem.network.graph.n_topics)):
        odds = naive.jensen_log_odds(problem.network, q, r, topic)
        q[topic] = np.clip(1.0 / (1.0 + np.exp(-odds)), CLIP, 1.0 - CLIP)
    np.testing.assert_allclose(local_q, document.local(q), rtol=1e-6, atol=ROUNDING)
    assert bound_of(document, local_q, local_r) >= before - ROUNDING


@several
@given(problems(make=plain_network))
def test_schedule_is_algorithm_1(problem):
    document = local_problem(problem)
    q = activations(problem, extreme=False)
    r = naive.start_shares(problem.network)
    local_q = document.local(q)
    bound = ascended(
        document, local_q, start_shares(document.graph, document.weights), schedule=(2, 3, 4)
    )
    for _ in range(2):
        for topic in 3 * list(reversed(range(problem.network.graph.n_topics))):
            q[topic] = 1.0 / (1.0 + np.exp(-naive.jensen_log_odds(problem.network, q, r, topic)))
        for node in 4 * document.graph.node.tolist():
            naive.update_shares(problem.network, q, r, node)
    np.testing.assert_allclose(local_q, document.local(q), rtol=1e-6)
    assert bound == pytest.approx(naive.jensen_bound(problem.network, q, r), abs=1e-6)


@several
@given(problems(), st.sampled_from([0.02, 0.5]))
def test_longer_schedules_never_lower_the_bound(problem, start):
    document = local_problem(problem, is_full=False)
    ends = []
    for n_rounds in (1, 2, 5, 20):
        q = np.ones(len(document.graph.node))
        q[: document.graph.n_topics] = start
        r = start_shares(document.graph, document.weights)
        ends.append(ascended(document, q, r, schedule=(n_rounds, 3, 3)))
    assert (np.diff(ends) >= -ROUNDING).all()


@several
@given(problems())
def test_clamped_topics_stay(problem):
    document = local_problem(problem)
    q = document.local(activations(problem))
    r = start_shares(document.graph, document.weights)
    document.free[::2] = False
    held = q[: len(document.free)].copy()
    ascended(document, q, r, schedule=(3, 3, 3))
    assert (q[: len(held)][~document.free] == held[~document.free]).all()


@several
@given(problems())
def test_gradient_equals_eqs_13_to_16_and_central_differences(problem):
    document = local_problem(problem)
    graph = problem.network.graph
    q, r = activations(problem), shares(problem)
    weight, leak = -q[graph.parent_idx], -np.ones(graph.n_nodes)
    add_jensen_gradient(
        document.graph,
        document.weights,
        document.local(q),
        r[document.graph.edge],
        weight,
        leak,
    )
    expected = naive.jensen_gradient(problem.network, q, r)
    np.testing.assert_allclose(weight, expected[0], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(leak, expected[1], rtol=1e-8, atol=1e-8)
    for name, slopes in (("weight", weight), ("leak", leak)):
        for position in range(0, len(slopes), 2):
            slope, rounding = central_difference(problem.network, q, r, name, position)
            assert slopes[position] == pytest.approx(slope, rel=1e-4, abs=1e-5 + rounding)


def central_difference(network, q, r, name, position):
    """Slope of eq. 9 in one weight or leak, q and r fixed, and what rounding does to it."""
    value = getattr(network, name)[position]
    width = 1e-4 * value
    ends = [
        naive.jensen_bound(with_value(network, name, position, value + shift), q, r)
        for shift in (-width, width)
    ]
    return (ends[1] - ends[0]) / (2.0 * width), 1e-14 / width
