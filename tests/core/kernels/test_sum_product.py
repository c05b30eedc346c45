"""Sum-product: exact on trees, a fixed point anywhere, and its log-odds are a sum."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from scipy import special

from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.kernels.local_model import FREE, local_factors
from orrery.core.kernels.sum_product import (
    belief_probabilities,
    bethe_log_probability,
    propagate,
    propagate_briefly,
)
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.random_networks import problems, several

TIGHT = 1e-12
SEEDS = range(4 if numba.config.DISABLE_JIT else 40)


def random_tree(rng, n_topics, n_tokens):
    """Every topic but the first, and every token, has one parent; weights of all sizes."""
    children = np.arange(1, n_topics + n_tokens)
    parents = np.array([rng.integers(0, min(child, n_topics)) for child in children])
    graph, _ = build_graph(n_tokens, [f"t{k}" for k in range(n_topics)], parents, children)
    weight = rng.gamma(1.0, 1.5, graph.n_edges)
    leak = np.exp(rng.uniform(np.log(1e-6), np.log(2.0), graph.n_nodes))
    return build_network(graph, weight, leak)


def random_evidence(rng, graph, closed_world):
    """Some tokens present, some absent or unknown, some topics held."""
    tokens = rng.permutation(graph.n_tokens)
    n_present, n_absent, n_unknown = rng.integers(0, graph.n_tokens // 3 + 1, 3)
    held = rng.permutation(graph.n_topics)[: rng.integers(0, graph.n_topics // 2 + 1)]
    n_on = rng.integers(0, len(held) + 1)
    ends = np.cumsum([n_present, n_absent, n_unknown])
    return Evidence(
        tuple(tokens[: ends[0]].tolist()),
        tuple(tokens[ends[0] : ends[1]].tolist()),
        closed_world=closed_world,
        on=tuple(held[:n_on].tolist()),
        off=tuple(held[n_on:].tolist()),
        unknown=tuple(tokens[ends[1] : ends[2]].tolist()),
    )


def observed_nodes(network, evidence):
    """The evidence as the oracle wants it, with all outside the local model off if closed."""
    if evidence.closed_world:
        return naive.local_world(
            network, evidence.present, evidence.unknown, evidence.on, evidence.off
        )
    return naive.open_world(network, evidence.present, evidence.absent, evidence.on, evidence.off)


def passed(network, evidence, tolerance=TIGHT):
    """Local model, its factors and converged beliefs."""
    local, weights = local_problem(network, evidence)
    factors = local_factors(local, weights, held_states(local, evidence))
    beliefs, has_converged = propagate(local, factors, tolerance)
    return local, factors, beliefs, has_converged


@pytest.mark.parametrize("closed_world", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_exact_on_trees(closed_world, seed):
    rng = np.random.default_rng(seed)
    network = random_tree(rng, int(rng.integers(1, 8)), int(rng.integers(3, 9)))
    evidence = random_evidence(rng, network.graph, closed_world)
    local, factors, beliefs, has_converged = passed(network, evidence)
    observed = observed_nodes(network, evidence)
    truth = naive.marginals(network, observed)[local.node[: local.n_topics]]
    assert has_converged
    np.testing.assert_allclose(belief_probabilities(factors, beliefs), truth, atol=1e-9)
    assert bethe_log_probability(local, factors, beliefs) == pytest.approx(
        naive.log_likelihood(network, observed), abs=1e-9
    )


@pytest.mark.parametrize("closed_world", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_enough_ways_down_and_up_are_exact_on_trees(closed_world, seed):
    rng = np.random.default_rng(seed)
    network = random_tree(rng, int(rng.integers(1, 8)), int(rng.integers(3, 9)))
    evidence = random_evidence(rng, network.graph, closed_world)
    local, factors, converged, _ = passed(network, evidence)
    beliefs = propagate_briefly(local, factors, local.n_topics + 1)
    for ours, theirs in zip(beliefs, converged, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@several
@given(problems())
def test_log_odds_are_the_sum_of_all_messages(problem):
    evidence = random_evidence(problem.rng, problem.network.graph, False)
    local, factors, beliefs, _ = passed(problem.network, evidence, 1e-4)
    total = beliefs.above - factors.silence
    np.add.at(total, local.parent, beliefs.upward)
    np.testing.assert_allclose(beliefs.log_odds, total, atol=1e-9)


def probability_of(log_odds):
    return special.expit(log_odds)


def value_of(e, state, i, local, factors, beliefs):
    """Message by its definition: a sum over all states of node i and its other parents."""
    edges = range(local.parent_ptr[i], local.parent_ptr[i + 1])
    others = [other for other in edges if other != e]
    below = 1.0
    if i < local.n_topics:
        below = probability_of(beliefs.log_odds[i] - beliefs.above[i])
    total = 0.0
    for states in np.ndindex(*([2] * len(others))):
        off = factors.leak_off[i] * (factors.survival[e] if state else 1.0)
        weight = 1.0
        for other, on in zip(others, states, strict=True):
            odds = beliefs.log_odds[local.parent[other]] - beliefs.upward[other]
            weight *= probability_of(odds if on else -odds)
            off *= factors.survival[other] if on else 1.0
        total += weight * (below * (1.0 - off) + (1.0 - below) * off)
    return total


@several
@given(problems())
def test_messages_are_those_of_the_two_states_of_the_parent(problem):
    evidence = Evidence(tuple(problem.present.tolist()), closed_world=True)
    local, factors, beliefs, has_converged = passed(problem.network, evidence)
    for i in range(len(local.node) if has_converged else 0):
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            on, off = (value_of(e, state, i, local, factors, beliefs) for state in (True, False))
            if min(on, off) > 1e-12:
                assert beliefs.upward[e] == pytest.approx(np.log(on / off), abs=1e-5)


def test_a_topic_that_is_held_is_as_its_children_and_parents_see_it():
    rng = np.random.default_rng(3)
    network = random_tree(rng, 5, 6)
    for state in ("on", "off"):
        evidence = Evidence((0, 1, 2), closed_world=False, **{state: (0,)})
        _, factors, beliefs, _ = passed(network, evidence)
        probability = belief_probabilities(factors, beliefs)
        assert probability[0] == (state == "on")
        assert (factors.state[1:] == FREE).all()


def test_hundreds_of_words_stay_numbers():
    rng = np.random.default_rng(0)
    n_topics, n_tokens = 20, 600
    parents, children = np.nonzero(rng.random((n_topics, n_tokens)) < 0.5)
    graph, _ = build_graph(n_tokens, [f"t{k}" for k in range(n_topics)], parents, children + 20)
    network = build_network(
        graph, rng.choice([0.0, 1e-9, 1.0, 30.0], graph.n_edges), np.full(graph.n_nodes, 1e-6)
    )
    for present in (range(500), range(0), range(0, 600, 7)):
        _, factors, beliefs, _ = passed(network, Evidence(tuple(present), closed_world=True), 1e-4)
        probability = belief_probabilities(factors, beliefs)
        assert np.isfinite(beliefs.log_odds).all()
        assert ((probability >= 0.0) & (probability <= 1.0)).all()


@pytest.mark.parametrize("n_present", [1, 60, 130, 300])
def test_odds_beyond_all_numbers_are_exact(n_present):
    """Words that are absent cost a topic 10 nats each; one that is present gains it 13.8."""
    n_tokens, leak = 300, 1e-6
    graph, _ = build_graph(n_tokens, ["t"], np.zeros(n_tokens, int), 1 + np.arange(n_tokens))
    network = build_network(graph, np.full(n_tokens, 10.0), np.full(graph.n_nodes, leak))
    evidence = Evidence(tuple(range(n_present)), closed_world=True)
    _, factors, beliefs, has_converged = passed(network, evidence)
    gain = naive.f(leak + 10.0) - naive.f(leak)
    expected = naive.f(leak) + leak - 10.0 * (n_tokens - n_present) + n_present * gain
    assert has_converged
    assert beliefs.log_odds == pytest.approx([expected], rel=1e-10)
    probability = belief_probabilities(factors, beliefs)
    assert probability == pytest.approx([probability_of(expected)], rel=1e-7, abs=1e-290)


@pytest.mark.parametrize("seed", [167, 232, 245, 260])
def test_damping_stops_messages_that_oscillate(seed):
    """Rare topics share most of their words; without damping, these messages never converge."""
    rng = np.random.default_rng(seed)
    n_topics, n_tokens = int(rng.integers(4, 9)), int(rng.integers(4, 10))
    tokens, parents = np.nonzero(rng.random((n_tokens, n_topics)) < 0.6)
    graph, _ = build_graph(n_tokens, [f"t{k}" for k in range(n_topics)], parents, n_topics + tokens)
    weight = -np.log1p(-rng.uniform(0.05, 0.999, graph.n_edges))
    leak = np.full(graph.n_nodes, 1e-6)
    leak[:n_topics] = 10.0 ** rng.uniform(-5, -2, n_topics)
    network = build_network(graph, weight, leak)
    *_, has_settled = passed(network, Evidence(tuple(range(n_tokens)), closed_world=True), 1e-3)
    assert has_settled
