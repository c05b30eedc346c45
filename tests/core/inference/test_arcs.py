"""Strength of arcs: equal to enumeration of all states of small networks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference import infer as infer_module
from orrery.core.inference.arcs import arc_strengths, mutual_information
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from tests.random_networks import Problem, plain_network, problems, random_network, several


def enumerated(network: Network) -> np.ndarray:
    """Mutual information of every edge, in bits, from the probabilities of all joint states."""
    graph = network.graph
    states = np.array(list(itertools.product((0.0, 1.0), repeat=graph.n_nodes)))
    probability = np.ones(len(states))
    for node in range(graph.n_nodes):
        into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        activation = network.leak[node] + states[:, graph.parent_idx[into]] @ network.weight[into]
        off = np.exp(-activation)
        probability *= np.where(states[:, node] == 1.0, 1.0 - off, off)
    bits = []
    for parent, child in zip(graph.parent_idx, graph.edge_children(), strict=True):
        joint = np.zeros((2, 2))
        np.add.at(joint, (states[:, parent].astype(int), states[:, child].astype(int)), probability)
        product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        is_there = joint > 0.0
        bits.append((joint[is_there] * np.log2(joint[is_there] / product[is_there])).sum())
    return np.array(bits)


@pytest.mark.parametrize("seed", range(10))
def test_strengths_equal_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    make = random_network if seed % 2 else plain_network
    network = make(rng, int(rng.integers(2, 7)), int(rng.integers(2, 7)), 0.5)
    found = arc_strengths(network)
    assert found.is_exact.all()
    np.testing.assert_array_equal(found.edge, np.arange(network.graph.n_edges))
    np.testing.assert_allclose(found.bits, enumerated(network), rtol=0, atol=1e-12)


@given(problems(most_topics=4))
@several
def test_chosen_arcs_are_the_same_as_among_all(problem: Problem) -> None:
    network = problem.network
    chosen = problem.rng.permutation(network.graph.n_edges)[:3]
    found, every = arc_strengths(network, chosen), arc_strengths(network)
    np.testing.assert_array_equal(found.edge, np.sort(chosen))
    np.testing.assert_array_equal(found.bits, every.bits[found.edge])
    assert (every.bits >= 0.0).all()
    assert (every.bits <= 1.0 + 1e-12).all()


def test_a_strong_weight_below_a_rare_topic_is_a_weak_arc() -> None:
    graph, _ = build_graph(2, ["rare", "frequent"], [0, 1], [2, 3])
    network = build_network(graph, [5.0, 5.0], [1e-4, 0.7, 0.01, 0.01])
    rare, frequent = arc_strengths(network).bits
    assert frequent > 0.8
    assert rare < 0.002


def test_an_arc_of_weight_0_has_no_strength() -> None:
    graph, _ = build_graph(1, ["a", "b"], [0, 1], [2, 2])
    network = build_network(graph, [0.0, 2.0], [0.3, 0.3, 0.1])
    none, some = arc_strengths(network).bits
    assert none == pytest.approx(0.0, abs=1e-15)
    assert some > 0.1


def test_strengths_beyond_exact_inference_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    network = plain_network(rng, 5, 3, 0.7)
    exact = arc_strengths(network)
    monkeypatch.setattr(infer_module, "_summed", lambda *_: None)
    monkeypatch.setattr(infer_module, "MAX_ENUMERATED", 0)
    sampled = arc_strengths(network)
    assert not sampled.is_exact.all()
    np.testing.assert_allclose(sampled.bits, exact.bits, atol=0.02)


def test_contradicting_probabilities_are_clipped() -> None:
    one = np.array([0.5])
    assert mutual_information(np.array([0.6]), one, one) == pytest.approx([1.0])
    assert mutual_information(np.array([-0.1]), one, one) == pytest.approx([1.0])
