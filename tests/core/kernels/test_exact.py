"""The exact mean-field bound: equal to enumeration, its updates and gradient to plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.kernels.bounds import CLIP
from orrery.core.kernels.exact import (
    add_exact_gradient,
    ascend_exact,
    exact_bound,
    expected_terms,
    is_due,
    most_children,
    record_change,
    replace_activation,
    topic_field,
)
from orrery.core.kernels.tables import build_tables, exponential_sum
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import Problem, activations, problems, several, with_value

ROUNDING = 1e-9
# Expected terms below this are 0.
LEAST = 1e-300


@given(problem=problems())
def test_a_topic_that_changes_is_due_again_in_its_markov_blanket_and_nowhere_else(problem):
    local = local_problem(problem).graph
    ends = np.repeat(np.arange(len(local.node)), np.diff(local.parent_ptr))
    edges = set(zip(local.parent.tolist(), ends.tolist(), strict=True))
    for i in range(local.n_topics):
        changed_at = np.zeros(len(local.node), np.int64)
        record_change(i, 7, local, changed_at)
        children = {c for k, c in edges if k == i}
        blanket = {k for k, c in edges if c == i or c in children} | children
        due = {k for k in range(local.n_topics) if is_due(k, 6, local, changed_at)}
        assert due - {i} == {k for k in blanket - {i} if k < local.n_topics}
        assert not any(is_due(k, 7, local, changed_at) for k in range(local.n_topics))


def bound_of(document, q):
    """Bound of local activations."""
    terms = document.tables.exact
    P = np.empty_like(terms.coefficient)
    return exact_bound(document.graph, document.weights, terms, document.free, q, P)


def terms_of(document, q):
    """P of local activations."""
    P = np.empty_like(document.tables.exact.coefficient)
    expected_terms(document.graph, document.tables.exact, q, P)
    return P


def field_of(document, i, q, P, without=None):
    """Log-odds of one topic."""
    if without is None:
        without = np.empty((most_children(document.graph), P.shape[1]), P.dtype)
    terms = document.tables.exact
    return topic_field(i, document.graph, document.weights, terms, q, P, without)


def replace(document, i, new, q, P, terms=None):
    """Carry a topic's activation into its children."""
    terms = terms or document.tables.exact
    without = np.empty((most_children(document.graph), P.shape[1]), P.dtype)
    topic_field(i, document.graph, document.weights, terms, q, P, without)
    replace_activation(i, new, document.graph, terms, q, P, without)


def ascended(document, q, max_sweeps, tolerance=0.0):
    """Bound after this number of sweeps; q is changed in place."""
    terms = document.tables.exact
    local = (document.graph, document.weights, terms, document.free)
    P = np.empty_like(terms.coefficient)
    ascend_exact(*local, q, P, tolerance, max_sweeps)
    return exact_bound(*local, q, P)


@pytest.mark.parametrize("accuracy", ["fast", "standard", "fine"])
@several
@given(problem=problems())
def test_bound_is_the_enumerated_one_less_the_stated_error(accuracy, problem):
    document = local_problem(problem, terms=exponential_sum(accuracy))
    q = activations(problem)
    observed = naive.closed_world(problem.network, problem.present)
    truth = naive.mean_field_bound(problem.network, observed, q)
    gap = truth - bound_of(document, document.local(q))
    assert -ROUNDING <= gap <= 2.0 * document.tables.exact.error * q.sum() + ROUNDING
    assert truth <= naive.log_likelihood(problem.network, observed) + ROUNDING


@several
@given(problems())
def test_bound_equals_the_loops(problem):
    document = local_problem(problem)
    q = activations(problem)
    expected = naive.exact_bound(problem.network, q, document.terms)
    assert bound_of(document, document.local(q)) == pytest.approx(expected, abs=ROUNDING)


@several
@given(problems())
def test_field_equals_the_loops(problem):
    document = local_problem(problem, terms=exponential_sum("fast"))
    q = activations(problem, extreme=False)
    local_q = document.local(q)
    P = terms_of(document, local_q)
    for topic in range(problem.network.graph.n_topics):
        expected = naive.exact_log_odds(problem.network, q, document.terms, topic)
        field = field_of(document, topic, local_q, P)
        assert field == pytest.approx(expected, abs=ROUNDING, rel=ROUNDING)


@several
@given(problems())
def test_field_is_the_enumerated_one_but_for_the_fit(problem):
    document = local_problem(problem)
    q = activations(problem)
    local_q = document.local(q)
    P = terms_of(document, local_q)
    observed = naive.closed_world(problem.network, problem.present)
    # Dividing by 1 - q + q t with q one clip away from 1 costs seven digits.
    rounding = 1e-14 / CLIP
    for topic in range(problem.network.graph.n_topics):
        field = field_of(document, topic, local_q, P)
        expected = naive.mean_field_log_odds(problem.network, observed, q, topic)
        n_children = len(naive.edges_out_of(problem.network, topic))
        allowed = 2.0 * document.tables.exact.error * (1 + n_children) + rounding
        assert field == pytest.approx(expected, abs=allowed, rel=1e-6)


@several
@given(problems())
def test_no_coordinate_update_lowers_the_bound(problem):
    document = local_problem(problem)
    q = document.local(activations(problem))
    P = terms_of(document, q)
    bound = bound_of(document, q)
    for topic in range(document.graph.n_topics):
        field = field_of(document, topic, q, P)
        new = np.clip(1.0 / (1.0 + np.exp(-field)), CLIP, 1.0 - CLIP)
        replace(document, topic, new, q, P)
        assert bound_of(document, q) >= bound - ROUNDING
        bound = bound_of(document, q)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@several
@given(problem=problems(), scale=st.sampled_from([1.0, 1e-3, 30.0]), updates=st.integers(0, 3))
def test_no_number_is_so_small_that_it_is_computed_slowly(dtype, problem, scale, updates):
    """Rates go up to 10^7, so some exponential of nearly every edge would be subnormal."""
    document = local_problem(problem)
    w, w0 = scale * document.weights.w, scale * document.weights.w0
    terms = build_tables(w, w0, exponential_sum(), dtype).exact
    q = np.clip(document.local(activations(problem)), CLIP, 1.0 - CLIP)
    q[document.graph.n_topics :] = 1.0
    P = np.empty_like(terms.coefficient)
    expected_terms(document.graph, terms, q, P)
    for topic in [*range(document.graph.n_topics)] * updates:
        replace(document, topic, 1.0 - q[topic], q, P, terms)
    smallest = np.finfo(dtype).tiny
    for numbers in (terms.t, terms.coefficient, terms.t * dtype(CLIP)):
        assert (np.abs(numbers) >= smallest).all()
    assert ((P == 0.0) | (np.abs(P) >= smallest)).all()
    assert terms.min_slope * terms.t.min(initial=1.0) >= smallest


def test_terms_that_vanished_do_not_come_back_as_more_than_there_was():
    """Five parents on leave nothing of a word's terms in single precision; then all go off."""
    n_parents = 5
    graph, _ = build_graph(1, [f"t{k}" for k in range(5)], np.arange(5), np.full(5, 5))
    network = build_network(graph, np.full(5, 5.0), np.full(6, 1e-3))
    document = local_problem(Problem(network, np.array([0]), np.random.default_rng(0)))
    terms = build_tables(document.weights.w, document.weights.w0, exponential_sum(), np.float32)
    q = np.append(np.full(n_parents, 1.0 - CLIP), 1.0)
    P = np.empty_like(terms.exact.coefficient)
    expected_terms(document.graph, terms.exact, q, P)
    for topic in range(n_parents):
        replace(document, topic, CLIP, q, P, terms.exact)
        assert (np.abs(P) <= 1.001 * np.abs(terms.exact.coefficient)).all()


@several
@given(problems(), st.floats(0.0, 1.0))
def test_replacing_an_activation_carries_its_terms_along(problem, new):
    document = local_problem(problem)
    q = document.local(activations(problem, extreme=False))
    P = terms_of(document, q)
    for topic in range(document.graph.n_topics):
        replace(document, topic, new, q, P)
        np.testing.assert_allclose(P, terms_of(document, q), rtol=1e-9, atol=LEAST)


@several
@given(problems(), st.sampled_from([0.02, 0.5, 0.98]))
def test_more_sweeps_never_lower_the_bound_and_end_at_a_fixed_point(problem, start):
    document = local_problem(problem)
    ends = []
    for n_sweeps in (1, 2, 3, 10, 300):
        q = np.ones(len(document.graph.node))
        q[: document.graph.n_topics] = start
        ends.append(ascended(document, q, n_sweeps))
    assert (np.diff(ends) >= -ROUNDING).all()
    P = terms_of(document, q)
    for topic in range(document.graph.n_topics):
        field = field_of(document, topic, q, P)
        again = np.clip(1.0 / (1.0 + np.exp(-field)), CLIP, 1.0 - CLIP)
        assert q[topic] == pytest.approx(again, abs=1e-4)


@several
@given(problems())
def test_clamped_topics_stay(problem):
    document = local_problem(problem)
    q = document.local(activations(problem))
    document.free[::2] = False
    held = problem.rng.integers(0, 2, len(document.free)).astype(float)
    q[: len(held)][~document.free] = held[~document.free]
    before = bound_of(document, q)
    after = ascended(document, q, 50)
    assert (q[: len(held)][~document.free] == held[~document.free]).all()
    assert after >= before - ROUNDING


@several
@given(problems())
def test_gradient_equals_the_loops(problem):
    document = local_problem(problem)
    q = activations(problem, extreme=False)
    weight, leak = gradient(problem, document, q)
    expected_weight, expected_leak = naive.exact_gradient(problem.network, q, document.terms)
    np.testing.assert_allclose(weight, expected_weight, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(leak, expected_leak, rtol=1e-8, atol=1e-8)


@several
@given(problems(most_topics=4))
def test_gradient_equals_central_differences_of_the_enumeration(problem):
    document = local_problem(problem, terms=exponential_sum("fine"))
    q = activations(problem, extreme=False)
    weight, leak = gradient(problem, document, q)
    observed = naive.closed_world(problem.network, problem.present)
    for name, slopes in (("weight", weight), ("leak", leak)):
        for position in range(0, len(slopes), 3):
            slope = enumerated_slope(problem.network, observed, q, name, position)
            # The slope of the fit is less accurate than the fit, most of all at tiny leaks.
            assert slopes[position] == pytest.approx(slope, rel=2e-3, abs=2e-3)


def gradient(problem, document, q):
    """Whole gradient of one document: the positive part, and what every node and edge owes."""
    graph = problem.network.graph
    weight, leak = -q[graph.parent_idx], -np.ones(graph.n_nodes)
    local_q = document.local(q)
    P = terms_of(document, local_q)
    add_exact_gradient(document.graph, document.tables.exact, local_q, P, weight, leak)
    return weight, leak


def enumerated_slope(network, observed, q, name, position):
    """Central difference of the enumerated mean-field bound, q fixed."""
    value = getattr(network, name)[position]
    width = 1e-3 * value
    ends = [
        naive.mean_field_bound(with_value(network, name, position, value + shift), observed, q)
        for shift in (-width, width)
    ]
    return (ends[1] - ends[0]) / (2.0 * width)
