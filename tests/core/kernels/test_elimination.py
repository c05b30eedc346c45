"""All states summed by elimination: equal to enumeration, whatever is held and however unlikely."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.kernels.elimination import make_plan, make_tables, sum_states
from orrery.core.kernels.elimination_order import elimination_order, link
from orrery.core.kernels.local_model import local_factors
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, problems, random_network, several

# Plain Python warns where 64 bits overflow, as they are meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
ANY = 2**40


def problem_of(network, evidence):
    local, weights = local_problem(network, evidence)
    return local, local_factors(local, weights, held_states(local, evidence))


def summed(network, evidence):
    """Local topics, their probabilities and the log-probability of the evidence."""
    local, factors = problem_of(network, evidence)
    tables = make_tables(local, factors)
    probability, log_probability = sum_states(factors, tables, make_plan(tables, ANY))
    return local, probability, log_probability


@several
@given(problems(), st.booleans())
def test_equals_enumeration_with_clamped_topics_and_unknown_words(problem, closed_world):
    evidence = random_evidence(problem.rng, problem.network.graph, closed_world)
    local, probability, log_probability = summed(problem.network, evidence)
    observed = observed_nodes(problem.network, evidence)
    expected = naive.marginals(problem.network, observed)[local.node[: local.n_topics]]
    np.testing.assert_allclose(probability, expected, atol=1e-9)
    whole = naive.log_likelihood(problem.network, observed)
    assert log_probability == pytest.approx(whole, abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_equals_enumeration_where_many_causes_meet(seed):
    network = plain_network(np.random.default_rng(seed), n_topics=13, n_tokens=10, density=0.5)
    evidence = Evidence(tuple(range(7)), (8,), closed_world=False)
    local, probability, log_probability = summed(network, evidence)
    observed = observed_nodes(network, evidence)
    expected = naive.marginals(network, observed)[local.node[: local.n_topics]]
    np.testing.assert_allclose(probability, expected, atol=1e-9)
    assert log_probability == pytest.approx(naive.log_likelihood(network, observed), abs=1e-9)


def test_no_digit_is_lost_however_improbable_the_evidence():
    """Two topics with half of the words each, which they make a little more probable."""
    weight, leak, half = 3e-7, np.array([1e-3, 2e-3, *[1e-6] * 40]), 20
    graph, _ = build_graph(2 * half, ["a", "b"], np.repeat([0, 1], half), 2 + np.arange(2 * half))
    network = build_network(graph, np.full(2 * half, weight), leak)
    evidence = Evidence(tuple(range(2 * half)), closed_world=False)
    _, probability, log_probability = summed(network, evidence)
    off, on = (half * np.log(-np.expm1(-activation)) for activation in (1e-6, 1e-6 + weight))
    expected = 0.0
    for topic_leak, found in zip(leak[:2], probability, strict=True):
        is_off, is_on = off - topic_leak, on + np.log(-np.expm1(-topic_leak))
        assert found == pytest.approx(1.0 / (1.0 + np.exp(is_off - is_on)), rel=1e-12)
        expected += np.logaddexp(is_off, is_on)
    assert log_probability < -500.0
    assert log_probability == pytest.approx(expected, rel=1e-12)


@several
@given(problems(), st.booleans())
def test_a_plan_states_what_it_takes_and_is_made_no_longer_than_it_may_be(problem, closed_world):
    evidence = random_evidence(problem.rng, problem.network.graph, closed_world)
    tables = make_tables(*problem_of(problem.network, evidence))
    plan = make_plan(tables, ANY)
    assert plan.is_feasible
    total = int(plan.n_terms.sum())
    assert make_plan(tables, total).is_feasible
    if total:
        short = make_plan(tables, total - 1)
        assert not short.is_feasible
        assert len(short.left) <= len(plan.left)


def test_a_model_in_which_all_meet_is_not_summed():
    network = plain_network(np.random.default_rng(0), n_topics=60, n_tokens=60, density=0.8)
    tables = make_tables(*problem_of(network, Evidence(tuple(range(60)), closed_world=True)))
    assert not make_plan(tables, 2**23).is_feasible


def linked(links, n):
    """Neighbours of every variable, and how many links are missing among them."""
    neighbours, missing = np.zeros((n, -(-n // 64)), np.uint64), np.zeros(n, np.int64)
    for u, v in links:
        link(u, v, neighbours, missing)
    return neighbours, missing


def fewest_new_links(links, n):
    """Order of min-fill, with sets and by trying every variable at every turn."""
    around = {
        v: {u for u, w in links if w == v} | {u for w, u in links if w == v} for v in range(n)
    }
    order = []
    while around:
        new = {v: sum(len(own - around[u] - {u}) for u in own) for v, own in around.items()}
        chosen = max(around, key=lambda v: (-new[v], v))
        own = around.pop(chosen)
        for u in own:
            around[u] = (around[u] | own) - {u, chosen}
        order.append(chosen)
    return order


@pytest.mark.parametrize("seed", range(5))
def test_the_variable_of_fewest_new_links_is_next_and_of_these_the_last(seed):
    rng = np.random.default_rng(seed)
    n, n_there = 140, 133
    links = {tuple(sorted(pair)) for pair in rng.integers(n_there, size=(180, 2)).tolist()}
    links = {(u, v) for u, v in links if u != v}
    order = elimination_order(*linked(links, n), np.arange(n) < n_there, n)
    assert order.tolist() == fewest_new_links(links, n_there)


def test_there_is_no_order_if_too_many_meet():
    links, is_there = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], np.ones(4, np.bool_)
    assert len(elimination_order(*linked(links, 4), is_there, 3)) == 4
    assert len(elimination_order(*linked(links, 4), is_there, 2)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_large_model_has_the_same_answer_whatever_is_summed_first(seed):
    """Numbered anew, topics and words have another order of elimination."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, 40, 30, 0.06)
    evidence = Evidence(tuple(range(12)), closed_world=False)
    local, probability, log_probability = summed(network, evidence)
    swapped, n_topics = rng.permutation(network.graph.n_tokens), network.graph.n_topics
    graph, order = build_graph(
        network.graph.n_tokens,
        network.graph.topic_ids,
        network.graph.parent_idx,
        np.concatenate([np.arange(n_topics), n_topics + swapped])[network.graph.edge_children()],
    )
    leak = network.leak.copy()
    leak[n_topics + swapped] = network.leak[n_topics:]
    other = build_network(graph, network.weight[order], leak)
    again = Evidence(tuple(swapped[:12].tolist()), closed_world=False)
    turned, same, same_log = summed(other, again)
    assert turned.node[: turned.n_topics].tolist() == local.node[: local.n_topics].tolist()
    np.testing.assert_allclose(same, probability, atol=1e-10)
    assert same_log == pytest.approx(log_probability, abs=1e-9)
