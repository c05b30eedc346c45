"""Topics that act alike become one, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, weight_to_probability
from orrery.core.structure.growing import merge_alike
from tests.random_networks import problems, several


def two_alike(weights=((1.0, 2.0, 0.0), (1.1, 1.9, 0.0), (0.0, 0.0, 3.0))):
    """Three topics over three words, the first two of nearly the same weights."""
    graph, _ = build_graph(3, ["a", "b", "c"], np.repeat(np.arange(3), 3), np.tile([3, 4, 5], 3))
    by_child = np.array(weights)[graph.parent_idx, graph.edge_children() - 3]
    return build_network(graph, by_child, np.array([0.1, 0.2, 0.3, 0.01, 0.02, 0.03]))


def test_two_topics_alike_become_one_with_their_mean_act_and_summed_leak():
    network = two_alike()
    merged, kept = merge_alike(network, np.array([1.0, 3.0, 2.0]))
    assert merged.graph.topic_ids == ("b", "c")
    assert kept.tolist() == [1, 2]
    assert merged.leak.tolist() == pytest.approx([0.1 + 0.2, 0.3, 0.01, 0.02, 0.03])
    acts = weight_to_probability(merged.weight).reshape(3, 2)[:, 0]
    before = weight_to_probability(np.array([[1.0, 2.0, 0.0], [1.1, 1.9, 0.0]]))
    assert acts == pytest.approx(0.25 * before[0] + 0.75 * before[1])


def test_topics_that_differ_stay_and_the_network_is_the_same_object():
    network = two_alike(((3.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 3.0)))
    merged, kept = merge_alike(network, np.ones(3))
    assert merged is network
    assert kept.tolist() == [0, 1, 2]


@pytest.mark.parametrize("usage", [(0.9, 3.0, 2.0), (3.0, 0.0, 2.0)])
def test_topics_that_were_never_on_are_not_alike(usage):
    """Their weights all have the same minimum value and carry no information."""
    network = two_alike()
    merged, kept = merge_alike(network, np.array(usage))
    assert merged is network
    assert kept.tolist() == [0, 1, 2]


@pytest.mark.parametrize("usage", [0.0, 0.5])
def test_a_topic_that_was_never_on_keeps_its_weights_where_others_merge(usage):
    network = two_alike()
    merged, kept = merge_alike(network, np.array([1.0, 3.0, usage]))
    assert kept.tolist() == [1, 2]
    own = network.weight[network.graph.parent_idx == 2]
    np.testing.assert_allclose(merged.weight[merged.graph.parent_idx == 1], own, atol=1e-11)


def test_topics_of_different_heights_are_never_merged():
    # One topic above the other, and both switch the same word on.
    graph, order = build_graph(1, ["top", "low"], [0, 0, 1], [1, 2, 2])
    network = build_network(graph, np.array([1e-6, 2.0, 2.0])[order], np.full(3, 0.1))
    assert merge_alike(network, np.ones(2))[0] is network


@several
@given(problems())
def test_any_merge_is_a_network_over_the_same_words(problem):
    network = problem.network
    usage = 9.0 * problem.rng.random(network.graph.n_topics) + 0.1
    merged, kept = merge_alike(network, usage)
    assert merged.graph.n_tokens == network.graph.n_tokens
    assert [network.graph.topic_ids[topic] for topic in kept] == list(merged.graph.topic_ids)
    assert merged.leak.sum() == pytest.approx(network.leak.sum())
    reached = np.unique(network.graph.edge_children()[network.weight > 0]) - network.graph.n_topics
    now = np.unique(merged.graph.edge_children()) - merged.graph.n_topics
    assert set(reached[reached >= 0]) <= set(now[now >= 0])
