"""Labels: words are told by what the topic does to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from core.graph import build_graph
from core.labels import LEAST_PARENTHOOD, TopicWords, marginals, reach, topic_labels
from core.network import build_network
from tests import naive
from tests.random_networks import problems, several


def tree(rng):
    """Every node has at most one parent, so that no two parents can depend on each other."""
    parents = [-1, 0, 0, 1, 2, 1, 3, 4, 2, 0, -1]
    edges = [(parent, child) for child, parent in enumerate(parents) if parent >= 0]
    graph, _ = build_graph(
        6, [f"topic {k}" for k in range(5)], [e[0] for e in edges], [e[1] for e in edges]
    )
    return build_network(
        graph, rng.uniform(0.1, 2.0, graph.n_edges), rng.uniform(0.01, 0.5, graph.n_nodes)
    )


def words_of(network):
    """A word for every token."""
    return [f"word{token}" for token in range(network.graph.n_tokens)]


def test_marginals_of_a_tree_are_the_enumerated_ones():
    network = tree(np.random.default_rng(0))
    expected = naive.marginals(network, {})
    tokens = range(network.graph.n_topics, network.graph.n_nodes)
    words = [np.exp(naive.log_likelihood(network, {token: 1})) for token in tokens]
    np.testing.assert_allclose(marginals(network), [*expected, *words], rtol=1e-9)


def test_marginals_go_on_from_what_is_known():
    network = tree(np.random.default_rng(2))
    expected = naive.marginals(network, {1: 1})
    tokens = range(network.graph.n_topics, network.graph.n_nodes)
    words = [
        np.exp(
            naive.log_likelihood(network, {1: 1, token: 1}) - naive.log_likelihood(network, {1: 1})
        )
        for token in tokens
    ]
    known = dict(enumerate(expected))
    np.testing.assert_allclose(marginals(network, known), [*expected, *words], rtol=1e-9)


@several
@given(problems())
def test_marginals_are_probabilities_at_least_those_of_the_leaks(problem):
    probability = marginals(problem.network)
    assert (probability >= -np.expm1(-problem.network.leak) * (1 - 1e-9)).all()
    assert (probability <= 1.0).all()


def test_reach_in_a_tree_is_the_effect_of_a_topic_alone():
    network = tree(np.random.default_rng(1))
    n_topics = network.graph.n_topics
    reached = reach(network).toarray()
    for topic in range(n_topics):
        for token in range(network.graph.n_tokens):
            node, effect = n_topics + token, 1.0
            while node != topic and len(network.graph.parents(node)):
                edge, parent = naive.edges_into(network, node)[0]
                effect *= 1.0 - np.exp(-network.weight[edge])
                node = parent
            expected = effect if node == topic else 0.0
            assert reached[topic, token] == pytest.approx(expected, rel=1e-9)


@several
@given(problems())
def test_reach_is_a_probability_and_follows_the_graph(problem):
    network, n_topics = problem.network, problem.network.graph.n_topics
    reached = reach(network).toarray()
    assert ((reached >= 0) & (reached <= 1)).all()
    for token in range(network.graph.n_tokens):
        above = naive.ancestors(network, [n_topics + token])
        assert set(np.flatnonzero(reached[:, token]).tolist()) <= above


@several
@given(problems())
def test_words_are_those_reached_most_telling_first(problem):
    network = problem.network
    described = TopicWords(network, words_of(network))
    base = marginals(network)[network.graph.n_topics :]
    for topic in range(network.graph.n_topics):
        words = described.words(topic, 100)
        tokens = described.tokens(topic, 100)
        assert [word for word, _, _ in words] == [f"word{token}" for token in tokens]
        for token, (_, probability, lift) in zip(tokens, words, strict=True):
            assert base[token] * (1 - 1e-9) <= probability <= 1.0
            assert lift == pytest.approx(probability / base[token])
        scores = [probability * np.log(lift) for _, probability, lift in words]
        assert (np.diff(scores) <= 1e-12).all()
        assert described.words(topic, 2) == words[:2]


def test_labels_are_the_most_telling_words_with_phrases_open():
    graph, _ = build_graph(5, ["alone", "other"], [0, 0, 0, 0], [2, 3, 4, 5])
    network = build_network(graph, [0.5, 3.0, 2.0, 1.0], np.full(graph.n_nodes, 0.05))
    vocabulary = ["space", "new_york", "orbit", "nasa", "tea"]
    assert topic_labels(network, vocabulary) == ["new york · orbit · nasa", "no words"]


@several
@given(problems())
def test_a_name_passes_over_the_words_of_the_strongest_parent_where_it_can(problem):
    network, graph = problem.network, problem.network.graph
    labels = topic_labels(network, words_of(network))
    described = TopicWords(network, words_of(network))
    for topic in range(graph.n_topics):
        into = naive.edges_into(network, topic)
        strongest = max(into, key=lambda edge: network.weight[edge[0]], default=(None, None))[1]
        is_child = any(1.0 - np.exp(-network.weight[edge]) >= LEAST_PARENTHOOD for edge, _ in into)
        taken = labels[strongest].split(" · ") if is_child else []
        words = [word for word, _, _ in described.words(topic, 100)]
        fresh = [word for word in words if word not in taken]
        repeated = [word for word in words if word in taken]
        assert labels[topic] == (" · ".join((fresh + repeated)[:3]) or "no words")


def test_a_topic_whose_weights_have_died_has_no_words():
    graph, _ = build_graph(4, ["a"], [0, 0], [1, 2])
    dead = build_network(graph, [1e-7, 1e-7], [0.02, 0.1, 0.2, 0.3, 0.1])
    assert topic_labels(dead, ["w", "x", "y", "z"]) == ["no words"]


@several
@given(problem=problems())
def test_topics_that_a_person_named_go_by_their_names(problem):
    network = problem.network
    plain = topic_labels(network, words_of(network))
    name = network.graph.topic_ids[0]
    assert topic_labels(network, words_of(network), {name, "nix"}) == [name, *plain[1:]]
