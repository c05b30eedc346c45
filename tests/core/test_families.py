"""Families: who is in them, and how often any of them is on."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.families import family_documents, family_prior, find_families
from orrery.core.graph import build_graph
from orrery.core.labels import LEAST_PARENTHOOD, marginals
from orrery.core.network import build_network
from tests import naive
from tests.core.test_labels import tree
from tests.random_networks import problems, several


def links(network, least_link, hidden):
    """Links between topics that matter, one by one."""
    found = []
    for child in range(network.graph.n_topics):
        into = [
            (1.0 - np.exp(-network.weight[edge]), parent)
            for edge, parent in naive.edges_into(network, child)
            if parent not in hidden and child not in hidden
        ]
        most = max(into, default=(0.0, -1))[0]
        found += [
            (parent, child)
            for acts, parent in into
            if acts >= least_link and (acts >= LEAST_PARENTHOOD or acts == most)
        ]
    return found


@several
@given(problems(), st.sampled_from([0.02, 0.1, 0.5]), st.data())
def test_a_family_is_a_topic_with_all_that_can_be_reached_downwards(problem, least_link, data):
    network, n_topics = problem.network, problem.network.graph.n_topics
    topics = st.integers(0, n_topics - 1)
    hidden = data.draw(st.frozensets(topics, max_size=2))
    members = find_families(network, least_link, hidden).toarray()
    below = links(network, least_link, hidden)
    for topic in range(n_topics):
        family = [topic]
        for one in family:
            family += [child for parent, child in below if parent == one and child not in family]
        assert set(np.flatnonzero(members[topic]).tolist()) == set(family)


@several
@given(problems(), st.integers(0, 2**31))
def test_a_family_is_on_where_any_of_it_is(problem, seed):
    network, n_topics = problem.network, problem.network.graph.n_topics
    members = find_families(network)
    on = np.random.default_rng(seed).random((30, n_topics)) < 0.2
    counted = family_documents(sparse.csr_array(on), members)
    for topic, family in enumerate(members.toarray()):
        assert counted[topic] == on[:, family].any(axis=1).sum()
        assert counted[topic] >= max(counted[member] for member in np.flatnonzero(family))


def test_a_topic_shown_as_part_of_another_gives_it_its_family():
    # 0 above 2, 1 above 3; 1 is shown as part of 0.
    graph, order = build_graph(1, ["a", "b", "c", "d"], [0, 1, 2, 3], [2, 3, 4, 4])
    network = build_network(graph, np.ones(4)[order], np.full(5, 0.1))
    members = find_families(network, shown_as={1: 0}).toarray()
    assert [np.flatnonzero(row).tolist() for row in members] == [[0, 1, 2, 3], [], [2], [3]]
    # 3 below 1 and 0 above 3, shown as one: a circle.
    circle = find_families(network, shown_as={3: 0}).toarray()
    assert np.flatnonzero(circle[1]).tolist() == [0, 1, 2, 3]


def enumerated(network, family):
    """Prior probability that any topic of a family is on, over all states of all topics."""
    total = 0.0
    for states in product([0, 1], repeat=network.graph.n_topics):
        probability = 1.0
        for topic, state in enumerate(states):
            weight = network.leak[topic] + sum(
                network.weight[edge] * states[parent]
                for edge, parent in naive.edges_into(network, topic)
            )
            probability *= 1.0 - np.exp(-weight) if state else np.exp(-weight)
        total += probability * any(states[member] for member in family)
    return total


def test_the_prior_of_a_family_in_a_tree_is_the_enumerated_one():
    network = tree(np.random.default_rng(3))
    members = find_families(network)
    expected = [enumerated(network, np.flatnonzero(row)) for row in members.toarray()]
    np.testing.assert_allclose(family_prior(network, members), expected, rtol=1e-9)


@several
@given(problems(), st.sampled_from([0.02, 0.5]))
def test_the_prior_of_a_family_is_a_probability_and_that_of_one_its_own(problem, least_link):
    network = problem.network
    members = find_families(network, least_link)
    prior, own = family_prior(network, members), marginals(network)
    assert ((prior >= 0.0) & (prior <= 1.0)).all()
    for topic, family in enumerate(members.toarray()):
        if family.sum() == 1:
            assert prior[topic] == own[topic]
        if not network.graph.parents(topic).size:
            assert prior[topic] >= own[topic] * (1 - 1e-9)


def test_a_parent_that_is_off_is_as_large_as_what_it_is_above():
    graph, order = build_graph(2, ["a", "b", "c"], [0, 0, 1, 2], [1, 2, 3, 4])
    network = build_network(graph, np.ones(4)[order], np.full(5, 0.1))
    on = sparse.csr_array(np.array([[0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0]], bool))
    assert family_documents(on, find_families(network)).tolist() == [3, 2, 2]
    assert family_prior(network, find_families(network))[0] == pytest.approx(1 - np.exp(-0.3))


def test_a_weak_link_counts_where_a_topic_hangs_by_it():
    # 2 hangs from 0 by 5 %, and 1 brings it by 3 %.
    graph, order = build_graph(1, ["a", "b", "c"], [0, 1, 2], [2, 2, 3])
    weight = -np.log1p(-np.array([0.05, 0.03, 0.9]))[order]
    network = build_network(graph, weight, np.full(4, 0.1))
    hung = find_families(network, 0.02).toarray()
    assert [np.flatnonzero(row).tolist() for row in hung] == [[0, 2], [1], [2]]
    assert find_families(network).nnz == 3
