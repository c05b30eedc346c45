"""A topic is split in two: nothing is lost, nothing else changes, and dependent words stay
together.
"""

from __future__ import annotations

import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.model.graph import build_graph
from orrery.core.model.network import MIN_LEAK, build_network
from orrery.core.structure.splitting import MIN_SHARE, divide_children, free_names, split_topic
from orrery.core.utils.errors import InputError
from tests.random_networks import problems, several


def named_edges(network):
    """Weight of every edge by the names of its ends; tokens are named by their number."""
    graph = network.graph
    names = [*graph.topic_ids, *range(graph.n_tokens)]
    ends = zip(graph.parent_idx, graph.edge_children(), network.weight, strict=True)
    return {(names[parent], names[child]): weight for parent, child, weight in ends}


def leak_of(network, name):
    return network.leak[network.graph.topic_ids.index(name)]


# Most of the available networks have a topic that cannot be split; a tenth that can suffices.
@settings(several, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems(), st.integers(0, 1000))
def test_halves_together_are_the_topic_and_the_rest_is_as_it_was(problem, seed):
    network, graph = problem.network, problem.network.graph
    presence = sparse.csr_array(
        (np.random.default_rng(seed).random((40, graph.n_tokens)) < 0.5).astype(np.int64)
    )
    topic = seed % graph.n_topics
    name = graph.topic_ids[topic]
    try:
        split = split_topic(network, presence, topic)
    except InputError:
        reject()
    before, after = named_edges(network), named_edges(split)
    halves = set(split.graph.topic_ids) - set(graph.topic_ids)
    assert set(split.graph.topic_ids) == set(graph.topic_ids) - {name} | halves
    assert len(halves) == 2
    for (parent, child), weight in before.items():
        if parent == name:
            kept = [after[half, child] for half in halves if (half, child) in after]
            assert kept
            assert set(kept) == {weight}
        elif child == name:
            # Weights of a noisy-OR add up: either half is on as often as the topic was.
            assert sum(after[parent, half] for half in halves) == pytest.approx(weight)
        else:
            assert after[parent, child] == weight
    assert all(halves.intersection(ends) for ends in after.keys() - before.keys())
    below = [{child for parent, child in after if parent == half} for half in halves]
    assert below[0] - below[1]
    assert below[1] - below[0]
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(after)))
    reached = {child for _, child in after if isinstance(child, int)}
    assert reached == {child for _, child in before if isinstance(child, int)}
    # No leak is smaller than the smallest, a half's as well.
    together = sum(leak_of(split, half) for half in halves)
    assert together == pytest.approx(leak_of(network, name), abs=MIN_LEAK)
    for other in set(graph.topic_ids) - {name}:
        assert leak_of(split, other) == leak_of(network, other)
    np.testing.assert_array_equal(split.leak[-graph.n_tokens :], network.leak[-graph.n_tokens :])


def two_senses(many=30, few=10):
    """A topic of five words: the first two together, the next two too, and the last with both."""
    graph, _ = build_graph(5, ("L1.1", "L2.1"), [1, 0, 0, 0, 0, 0], [0, 2, 3, 4, 5, 6])
    network = build_network(graph, np.ones(6), np.full(7, 0.1))
    rows = [[1, 1, 0, 0, 1]] * many + [[0, 0, 1, 1, 1]] * few
    return network, sparse.csr_array(np.array(rows))


def test_words_that_share_documents_stay_together_and_a_word_of_both_senses_is_in_both():
    network, presence = two_senses()
    topic = network.graph.topic_ids.index("L1.1")
    split = split_topic(network, presence, topic)
    edges = named_edges(split)
    words = {
        half: {child for parent, child in edges if parent == half} for half in ("L1.2", "L1.3")
    }
    assert words == {"L1.2": {0, 1, 4}, "L1.3": {2, 3, 4}}
    # The larger half comes first, and both have their part of the chance.
    assert leak_of(split, "L1.2") == pytest.approx(0.075)
    assert edges["L2.1", "L1.3"] == pytest.approx(0.25)
    again = split_topic(network, presence, topic)
    assert named_edges(again) == edges


def test_the_rarer_half_keeps_some_leak():
    network, presence = two_senses(many=2000, few=3)
    split = split_topic(network, presence, network.graph.topic_ids.index("L1.1"))
    assert leak_of(split, "L1.3") == pytest.approx(0.1 * MIN_SHARE)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1, 1, 1, 1, 1]] * 5, r"'L1\.1' go together"),
        ([[0, 0, 0, 0, 0]] * 5, r"no document has two words of topic 'L1\.1'"),
        ([[1, 0, 0, 0, 0]] * 9, r"no document has two words of topic 'L1\.1'"),
    ],
)
def test_a_topic_that_no_document_divides_is_refused_by_name(rows, reason):
    network, _ = two_senses()
    topic = network.graph.topic_ids.index("L1.1")
    with pytest.raises(InputError, match=reason):
        split_topic(network, sparse.csr_array(np.array(rows)), topic)


def test_a_topic_with_one_child_is_refused():
    network, presence = two_senses()
    with pytest.raises(InputError, match=r"'L2\.1' has one child"):
        split_topic(network, presence, network.graph.topic_ids.index("L2.1"))


def test_topics_below_are_as_present_as_their_words():
    graph, _ = build_graph(4, ("top", "one", "other"), [0, 0, 1, 1, 2, 2], [1, 2, 3, 4, 5, 6])
    network = build_network(graph, np.ones(6), np.full(7, 0.1))
    presence = sparse.csr_array(np.array([[1, 1, 0, 0]] * 8 + [[0, 0, 1, 1]] * 4))
    edges = named_edges(split_topic(network, presence, graph.topic_ids.index("top")))
    assert {end for end in edges if isinstance(end[1], str)} == {
        ("top 1", "one"),
        ("top 2", "other"),
    }


def test_names_are_the_next_of_the_layer_or_the_persons_own_with_a_number():
    graph, _ = build_graph(1, ("L1.1", "L1.3", "birds", "birds 2"), [0, 1, 2, 3], [4] * 4)
    assert free_names(graph, graph.topic_ids.index("L1.3")) == ["L1.4", "L1.5"]
    assert free_names(graph, graph.topic_ids.index("birds")) == ["birds 3", "birds 4"]


@pytest.mark.parametrize(("n_tokens", "n_documents"), [(5000, 100), (500, 2500)])
def test_a_large_topic_is_divided_in_little_memory(n_tokens, n_documents):
    n_children, rng = 500, np.random.default_rng(0)
    parents = np.repeat([0, 1], [n_children, n_tokens])
    children = 2 + np.concatenate([np.arange(n_children), np.arange(n_tokens)])
    graph, _ = build_graph(n_tokens, ("topic", "all"), parents, children)
    network = build_network(graph, np.ones(graph.n_edges), np.full(graph.n_nodes, 0.1))
    # Even words go together, and odd ones.
    row = np.arange(n_documents)[:, np.newaxis]
    together = sparse.lil_array((n_documents, n_tokens))
    together[row, 2 * rng.integers(0, n_children // 2, (n_documents, 20)) + row % 2] = 1.0
    presence = sparse.csr_array(together)
    divide_children(*two_senses(), 1)  # The first import does not count.
    tracemalloc.start()
    member = divide_children(network, presence, graph.topic_ids.index("topic")).member
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (member[:, ::2].all(axis=1) != member[:, 1::2].all(axis=1)).all()
    # The rows that are clustered, and as much again inside the 2-means.
    assert most < 2.5 * 8 * n_children * max(n_documents, 500)
