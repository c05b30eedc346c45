"""Most probable states: equal to enumeration, whatever is held; ties by rule; the bound holds."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from orrery.core.inference import most_probable as module
from orrery.core.inference.elimination import max_states
from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.kernels.compiling import interpreted
from orrery.core.kernels.local_model import local_factors
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, random_network

ANY = 2**40


def enumerated(network, evidence):
    """All states of the local topics, and the log-joint of each, from the model's definition."""
    graph = network.graph
    observed = observed_nodes(network, evidence)
    local, _ = local_problem(network, evidence)
    topics = local.node[: local.n_topics]
    free = [k for k, topic in enumerate(topics.tolist()) if topic not in observed]
    states = np.array(list(itertools.product((False, True), repeat=len(free))), bool)
    state = np.array([[observed.get(t, 0) for t in topics.tolist()]] * len(states), bool)
    state = state.reshape(len(states), len(topics))
    state[:, free] = states
    given = {node: value for node, value in observed.items() if node >= graph.n_topics}
    # Topics outside the local model are off, or unknown, and then have no observed node below.
    weight = np.zeros((graph.n_nodes, graph.n_topics))
    for node in range(graph.n_nodes):
        for edge, parent in naive.edges_into(network, node):
            weight[node, parent] += network.weight[edge]
    activation = network.leak + state @ weight[:, topics].T
    log_on, total = np.log(-np.expm1(-activation)), np.zeros(len(state))
    for k, topic in enumerate(topics.tolist()):
        total += np.where(state[:, k], log_on[:, topic], -activation[:, topic])
    for node, value in given.items():
        total += log_on[:, node] if value else -activation[:, node]
    if evidence.closed_world:
        for topic in set(range(graph.n_topics)) - set(topics.tolist()):
            total -= activation[:, topic]
    return state, total


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n_topics = int(rng.integers(2, 16))
    make = random_network if seed % 3 else plain_network
    network = make(rng, n_topics, 9, rng.choice([0.15, 0.3, 0.6]))
    return network, random_evidence(rng, network.graph, bool(seed % 2))


@pytest.mark.parametrize("part", range(20))
def test_equals_enumeration_on_a_thousand_local_models(part):
    for seed in range(part * 50, part * 50 + 50):
        network, evidence = random_problem(seed)
        found = most_probable(network, infer(network, evidence))
        state, log_joint = enumerated(network, evidence)
        order = np.argsort(-log_joint, kind="stable")[: module.N_STATES]
        np.testing.assert_allclose(found.log_joint, log_joint[order], rtol=1e-9, atol=1e-9)
        assert found.is_exact
        assert found.missed == 0.0
        # Each state has the value that is reported, and is listed once.
        place = {row.tobytes(): number for number, row in enumerate(state)}
        numbers = [place[row.tobytes()] for row in found.state]
        assert len(set(numbers)) == min(module.N_STATES, len(state))
        np.testing.assert_allclose(log_joint[numbers], found.log_joint, rtol=1e-9, atol=1e-9)
        whole = np.logaddexp.reduce(log_joint)
        np.testing.assert_allclose(found.probability, np.exp(log_joint[order] - whole), rtol=1e-6)


@pytest.mark.parametrize("seed", range(150))
def test_bounds_hold_whatever_the_order_of_elimination(seed):
    network, evidence = random_problem(seed)
    local, weights = local_problem(network, evidence)
    with interpreted():
        factors = local_factors(local, weights, held_states(local, evidence))
    bounds = max_states(local, factors, ANY)
    state, log_joint = enumerated(network, evidence)
    for k in range(local.n_topics):
        for value in (0, 1):
            of_value = log_joint[state[:, k] == value]
            if len(of_value):
                assert bounds[k, value] >= of_value.max() - 1e-9


def twins(n):
    """Topics with the same weight above the same word."""
    graph, _ = build_graph(1, [f"t{k}" for k in range(n)], np.arange(n), np.full(n, n))
    return build_network(graph, np.full(n, 1.0), [*[0.1] * n, 1e-6])


def test_of_equal_states_the_one_with_lower_topics_comes_first():
    network = twins(7)
    found = most_probable(network, infer(network, Evidence((0,), closed_world=False)))
    assert [found.on(number) for number in range(5)] == [[0], [1], [2], [3], [4]]
    assert found.changes(1) == ([1], [0])


def test_of_equal_states_the_one_with_fewer_topics_comes_first():
    """A topic without effect and with even odds doubles every state."""
    graph, _ = build_graph(2, ["a", "b"], [0, 1], [2, 3])
    network = build_network(graph, [1.0, 0.0], [0.1, np.log(2.0), 1e-6, 0.5])
    found = most_probable(network, infer(network, Evidence((0, 1), closed_world=False)))
    assert [found.on(number) for number in range(4)] == [[0], [0, 1], [], [1]]
    assert len(found.state) == 4


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_holds_where_the_search_ends_early(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=14, n_tokens=10, density=0.5)
    evidence = Evidence(tuple(range(8)), closed_world=False)
    posterior = infer(network, evidence)
    exact = most_probable(network, posterior)
    monkeypatch.setattr(module, "MAX_WORK", 500)
    monkeypatch.setattr(module, "_MAX_ROUNDS", 1)
    monkeypatch.setattr(module, "_N_CENTRES", 1)
    found = most_probable(network, posterior)
    assert (found.log_joint <= exact.log_joint + 1e-9).all()
    listed = {row.tobytes() for row in found.state}
    lost = [
        p
        for p, row in zip(exact.probability, exact.state, strict=True)
        if row.tobytes() not in listed
    ]
    assert found.missed >= max(lost, default=0.0) - 1e-12
    if lost:
        assert not found.is_exact


@pytest.mark.parametrize("method", ["mean-field", "jensen"])
def test_a_bound_is_not_taken_for_the_probability_of_the_evidence(method):
    network = plain_network(np.random.default_rng(0), n_topics=6, n_tokens=8, density=0.5)
    evidence = Evidence((0, 1, 2, 3), closed_world=False)
    exact = most_probable(network, infer(network, evidence))
    found = most_probable(network, infer(network, evidence, method=method))
    np.testing.assert_array_equal(found.state, exact.state)
    np.testing.assert_array_equal(found.probability, exact.probability)


def test_probabilities_from_an_estimate_that_is_too_low_sum_to_one():
    network = plain_network(np.random.default_rng(0), n_topics=6, n_tokens=8, density=0.5)
    posterior = infer(network, Evidence((0, 1, 2, 3), closed_world=False), method="sampling")
    low = replace(posterior, log_probability=posterior.log_probability - 2.0)
    found = most_probable(network, low)
    assert found.probability.sum() == pytest.approx(1.0)
    assert (np.diff(found.probability) <= 0.0).all()


def test_evidence_without_topics_has_one_state():
    graph, _ = build_graph(2, ["a"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    found = most_probable(network, infer(network, Evidence((1,), closed_world=False)))
    assert found.state.shape == (1, 0)
    assert found.probability == pytest.approx([1.0])
    assert found.is_exact


def test_asking_for_no_explanation_is_an_error():
    network = twins(2)
    with pytest.raises(InputError, match="at least 1"):
        most_probable(network, infer(network, Evidence((0,), closed_world=False)), 0)
