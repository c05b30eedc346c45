"""The main topic equals plain loops, and is the planted theme of a document."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.inference.infer import infer_activations
from orrery.core.inference.main_topics import document_probability, main_topics
from orrery.core.inference.thresholds import ON_THRESHOLD
from orrery.core.model.labels import marginals, reach
from tests.core.evaluation.planted import THEMES, planted
from tests.random_networks import problems, several


def fits(network, words):
    """Log-likelihood of the words of a document under each topic, by plain loops."""
    n_topics, n_tokens = network.graph.n_topics, network.graph.n_tokens
    marginal, reached = marginals(network), reach(network).toarray()
    found = []
    for topic in range(n_topics):
        share = []
        for word in range(n_tokens):
            before, r = marginal[n_topics + word], reached[topic, word]
            given = 1 - (1 - before) * (1 - r) / (1 - marginal[topic] * r)
            share.append(max(given, before))
        found.append(sum(math.log(share[word] / sum(share)) for word in words))
    return np.array(found)


@several
@given(problems())
def test_the_main_topic_equals_plain_loops(problem):
    network, rng = problem.network, problem.rng
    n_documents, graph = 12, network.graph
    presence = rng.random((n_documents, graph.n_tokens)) < 0.5
    activations = rng.random((n_documents, graph.n_topics)) * (
        rng.random((n_documents, graph.n_topics)) < 0.6
    )
    among = np.flatnonzero(rng.random(graph.n_topics) < 0.7)
    arrays = sparse.csr_array(presence.astype(float)), sparse.csr_array(activations)
    for topics, found in (
        (np.arange(graph.n_topics), main_topics(network, *arrays)),
        (among, main_topics(network, *arrays, among)),
    ):
        assert found.dtype == np.int32
        for row, topic in enumerate(found.tolist()):
            probability = activations[row, topics]
            if not probability.any():
                assert topic == -1
            elif probability.max() <= ON_THRESHOLD:
                assert activations[row, topic] == probability.max()
            else:
                assert activations[row, topic] > ON_THRESHOLD
                fit = fits(network, np.flatnonzero(presence[row]))
                best = fit[topics[probability > ON_THRESHOLD]].max()
                assert fit[topic] == pytest.approx(best, abs=1e-9)


def test_documents_are_independent_of_each_other_and_of_the_blocks(monkeypatch):
    network, corpus = planted(n_documents=90)
    presence, activations = corpus.to_csr(), infer_activations(network, corpus)
    whole = main_topics(network, presence, activations)
    monkeypatch.setattr("orrery.core.inference.main_topics.BLOCK", 7)
    assert main_topics(network, presence, activations).tolist() == whole.tolist()
    order = np.random.default_rng(0).permutation(90)
    shuffled = main_topics(network, presence[order], activations[order])
    assert shuffled.tolist() == whole[order].tolist()
    assert main_topics(network, presence[:0], activations[:0]).shape == (0,)


def test_the_main_topic_is_the_theme_of_a_document():
    network, corpus = planted()
    found = main_topics(network, corpus.to_csr(), infer_activations(network, corpus))
    names = np.array([*network.graph.topic_ids, "none"])
    labels = corpus.documents["label"].to_numpy()
    assert set(labels) == set(THEMES)
    assert (names[found] == labels).mean() > 0.95


def test_of_two_certain_topics_the_one_of_more_words_is_the_main_topic():
    network, _ = planted(n_documents=1)
    words = np.zeros((2, network.graph.n_tokens))
    # Ten words of the first theme and four of the second, and the reverse.
    words[0, :10] = words[0, 15:19] = words[1, :4] = words[1, 15:25] = 1.0
    certain = np.zeros((2, network.graph.n_topics))
    certain[:, :2] = 1.0
    found = main_topics(network, sparse.csr_array(words), sparse.csr_array(certain))
    assert found.tolist() == [0, 1]


PROBABILITIES = st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=8)


@given(PROBABILITIES)
def test_a_topic_is_on_if_it_is_on_in_any_passage(passages: list[list[float]]) -> None:
    table = np.array(passages)
    found = document_probability(table)
    assert (found >= table.max(axis=0) - 1e-12).all()
    assert (found <= np.minimum(table.sum(axis=0), 1.0) + 1e-12).all()
    expected = table[0]
    for row in table[1:]:
        expected = expected + row - expected * row
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(document_probability(table[::-1]), found, atol=1e-12)
