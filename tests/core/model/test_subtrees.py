"""Subtrees: their members, and how often any of them is on."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.model.graph import build_graph
from orrery.core.model.labels import marginals
from orrery.core.model.network import build_network
from orrery.core.model.subtrees import (
    MIN_CAUSED,
    find_subtrees,
    main_links,
    subtree_documents,
    subtree_prior,
)
from tests import naive
from tests.core.model.test_labels import tree
from tests.random_networks import problems, several


def causes(network, min_link, hidden, shown_as):
    """Possible main parent of each node, and how often it activates the node, one by one."""
    graph, prior, heights = network.graph, marginals(network), network.graph.heights()
    found, off = [{} for _ in range(graph.n_nodes)], np.ones(graph.n_nodes)
    for node in range(graph.n_nodes):
        off[shown_as.get(node, node)] *= 1.0 - prior[node]
        for edge, parent in naive.edges_into(network, node):
            above, below = shown_as.get(parent, parent), shown_as.get(node, node)
            acts = 1.0 - np.exp(-network.weight[edge])
            counts = below >= graph.n_topics or acts >= min_link
            if counts and heights[above] > heights[below] and above not in hidden:
                found[below][above] = found[below].get(above, 0.0) + prior[parent] * acts
    for topic in range(graph.n_topics):
        least = MIN_CAUSED * (1.0 - off[topic])
        found[topic] = {above: often for above, often in found[topic].items() if often >= least}
    return found


@several
@given(problems(), st.sampled_from([0.02, 0.1, 0.5]), st.data())
def test_a_subtree_is_a_topic_with_all_that_is_below_it(problem, min_link, data):
    network, n_topics = problem.network, problem.network.graph.n_topics
    topics = st.integers(0, n_topics - 1)
    hidden = data.draw(st.frozensets(topics, max_size=2))
    members = find_subtrees(network, min_link, hidden).toarray()
    above = [max(of, key=of.get, default=-1) for of in causes(network, min_link, hidden, {})]
    for topic in range(n_topics):
        subtree = [topic]
        for one in subtree:
            subtree += [t for t in range(n_topics) if above[t] == one and t not in hidden]
        assert set(np.flatnonzero(members[topic]).tolist()) == set(subtree)


@several
@given(problems(), st.sampled_from([0.02, 0.1, 0.5]), st.data())
def test_a_node_is_below_what_brings_it_most_often(problem, min_link, data):
    network, n_topics = problem.network, problem.network.graph.n_topics
    topics = st.integers(0, n_topics - 1)
    hidden = data.draw(st.frozensets(topics, max_size=2))
    drawn = data.draw(st.dictionaries(topics, topics, max_size=3))
    shown_as = {part: whole for part, whole in drawn.items() if whole not in {part, *drawn}}
    found, probability = main_links(network, min_link, hidden, shown_as)
    for node, often in enumerate(causes(network, min_link, hidden, shown_as)):
        if often:
            assert often[found[node]] == pytest.approx(max(often.values()), rel=1e-9)
            links = [
                1.0 - np.exp(-network.weight[edge])
                for child in range(network.graph.n_nodes)
                for edge, parent in naive.edges_into(network, child)
                if (shown_as.get(parent, parent), shown_as.get(child, child)) == (found[node], node)
            ]
            assert probability[node] == pytest.approx(max(links))
        else:
            assert (found[node], probability[node]) == (-1, 0.0)


def test_a_rare_topic_is_no_chapter_of_a_common_one():
    # 0 is on in 1 of 100 documents and brings 2 each time; 1 in 30, and brings it half of the time.
    graph, order = build_graph(1, ["rare", "broad", "common"], [0, 1, 2], [2, 2, 3])
    weight = -np.log1p(-np.array([0.999, 0.5, 0.9]))[order]
    leak = -np.log1p(-np.array([0.01, 0.3, 0.05, 0.05]))
    network = build_network(graph, weight, leak)
    assert main_links(network)[0].tolist() == [-1, -1, 1, 2]
    members = find_subtrees(network).toarray()
    assert [np.flatnonzero(row).tolist() for row in members] == [[0], [1, 2], [2]]


@several
@given(problems(), st.integers(0, 2**31))
def test_a_subtree_is_on_where_any_of_it_is(problem, seed):
    network, n_topics = problem.network, problem.network.graph.n_topics
    members = find_subtrees(network)
    on = np.random.default_rng(seed).random((30, n_topics)) < 0.2
    counted = subtree_documents(sparse.csr_array(on), members)
    for topic, subtree in enumerate(members.toarray()):
        assert counted[topic] == on[:, subtree].any(axis=1).sum()
        assert counted[topic] >= max(counted[member] for member in np.flatnonzero(subtree))


def test_a_topic_shown_as_part_of_another_gives_it_its_subtree():
    # 0 above 2, 1 above 3; 1 is shown as part of 0.
    graph, order = build_graph(1, ["a", "b", "c", "d"], [0, 1, 2, 3], [2, 3, 4, 4])
    network = build_network(graph, np.ones(4)[order], np.full(5, 0.1))
    members = find_subtrees(network, shown_as={1: 0}).toarray()
    assert [np.flatnonzero(row).tolist() for row in members] == [[0, 1, 2, 3], [], [2], [3]]
    # 3 below 1 and 0, shown as one: they are as high as 1, and have no main parent.
    as_high = find_subtrees(network, shown_as={3: 0}).toarray()
    assert [np.flatnonzero(row).tolist() for row in as_high] == [[0, 2, 3], [1], [2], []]


def enumerated(network, subtree):
    """Prior probability that any topic of a subtree is on, over all states of all topics."""
    total = 0.0
    for states in product([0, 1], repeat=network.graph.n_topics):
        probability = 1.0
        for topic, state in enumerate(states):
            weight = network.leak[topic] + sum(
                network.weight[edge] * states[parent]
                for edge, parent in naive.edges_into(network, topic)
            )
            probability *= 1.0 - np.exp(-weight) if state else np.exp(-weight)
        total += probability * any(states[member] for member in subtree)
    return total


def test_the_prior_of_a_subtree_in_a_tree_is_the_enumerated_one():
    network = tree(np.random.default_rng(3))
    members = find_subtrees(network)
    expected = [enumerated(network, np.flatnonzero(row)) for row in members.toarray()]
    np.testing.assert_allclose(subtree_prior(network, members), expected, rtol=1e-9)


@several
@given(problems(), st.sampled_from([0.02, 0.5]))
def test_the_prior_of_a_subtree_is_a_probability_and_that_of_one_its_own(problem, min_link):
    network = problem.network
    members = find_subtrees(network, min_link)
    prior, own = subtree_prior(network, members), marginals(network)
    assert ((prior >= 0.0) & (prior <= 1.0)).all()
    for topic, subtree in enumerate(members.toarray()):
        if subtree.sum() == 1:
            assert prior[topic] == own[topic]
        if not network.graph.parents(topic).size:
            assert prior[topic] >= own[topic] * (1 - 1e-9)


def test_a_parent_that_is_off_is_as_large_as_what_it_is_above():
    graph, order = build_graph(2, ["a", "b", "c"], [0, 0, 1, 2], [1, 2, 3, 4])
    network = build_network(graph, np.ones(4)[order], np.full(5, 0.1))
    on = sparse.csr_array(np.array([[0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0]], bool))
    assert subtree_documents(on, find_subtrees(network)).tolist() == [3, 2, 2]
    assert subtree_prior(network, find_subtrees(network))[0] == pytest.approx(1 - np.exp(-0.3))


def test_a_weak_link_holds_what_hardly_comes_otherwise():
    # 0 brings 2 by 5 %, and 1 by 1 %; by itself 2 is on in 1 of 1,000.
    graph, order = build_graph(1, ["a", "b", "c"], [0, 1, 2], [2, 2, 3])
    weight = -np.log1p(-np.array([0.05, 0.01, 0.9]))[order]
    network = build_network(graph, weight, np.array([0.3, 0.3, 0.001, 0.1]))
    hung = find_subtrees(network).toarray()
    assert [np.flatnonzero(row).tolist() for row in hung] == [[0, 2], [1], [2]]
    assert find_subtrees(network, 0.1).nnz == 3
