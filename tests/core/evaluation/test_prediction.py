"""Prediction of words: equals the loops, and the truth where the posterior factorises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

import core.evaluation.prediction
from core.evaluation.prediction import word_absence
from core.graph import build_graph
from core.inference import infer_activations
from core.labels import marginals
from core.network import build_network
from tests import naive
from tests.random_networks import corpus_of_sets, problems, several


def absence(network, activations):
    """All of it as one table."""
    parts = [table for _, table in word_absence(network, activations)]
    return np.concatenate(parts, axis=1)


def absence_by_loops(network, known):
    """One document; ``known`` maps topics to probabilities."""
    graph = network.graph
    probability = {}
    for node in range(graph.n_nodes):
        off = math.exp(-network.leak[node])
        for edge, parent in naive.edges_into(network, node):
            off *= 1.0 - probability[parent] * (1.0 - math.exp(-network.weight[edge]))
        probability[node] = known.get(node, 1.0 - off)
    return [1.0 - probability[graph.n_topics + token] for token in range(graph.n_tokens)]


@several
@given(problems())
def test_equals_the_loops(problem):
    n_topics = problem.network.graph.n_topics
    dense = problem.rng.random((4, n_topics)) * (problem.rng.random((4, n_topics)) < 0.5)
    ours = absence(problem.network, sparse.csr_array(dense))
    for row, values in enumerate(dense):
        known = {topic: value for topic, value in enumerate(values) if value > 0}
        np.testing.assert_allclose(
            ours[:, row], absence_by_loops(problem.network, known), atol=1e-12
        )


@several
@given(problems())
def test_without_knowledge_words_have_their_prior(problem):
    nothing = sparse.csr_array((1, problem.network.graph.n_topics))
    prior = marginals(problem.network)[problem.network.graph.n_topics :]
    np.testing.assert_allclose(1.0 - absence(problem.network, nothing)[:, 0], prior, atol=1e-9)


@pytest.mark.parametrize("present", [[], [0], [0, 1]])
def test_is_the_truth_where_one_topic_is_unsure_and_the_rest_is_a_tree(present):
    # Words 0 to 2 hang on topic 0, words 3 to 5 on topics 1 and 2 below it: barren, yet informed.
    graph, _ = build_graph(6, list("abc"), [0, 0, 0, 0, 0, 1, 1, 2], [3, 4, 5, 1, 2, 6, 7, 8])
    rng = np.random.default_rng(1)
    leak = rng.uniform(0.05, 0.4, graph.n_nodes)
    network = build_network(graph, rng.uniform(0.3, 2.0, graph.n_edges), leak)
    activations = infer_activations(network, corpus_of_sets([set(present)], 6), closed_world=False)
    ours = absence(network, activations)[:, 0]
    before = naive.log_likelihood(network, naive.open_world(network, present, []))
    for token in set(range(6)) - set(present):
        with_it = naive.open_world(network, [*present, token], [])
        truth = math.exp(naive.log_likelihood(network, with_it) - before)
        assert 1.0 - ours[token] == pytest.approx(truth, abs=1e-5)


@several
@given(problems())
def test_tables_of_any_size_give_the_same(problem):
    dense = problem.rng.random((7, problem.network.graph.n_topics))
    activations = sparse.csr_array(dense)
    whole = absence(problem.network, activations)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.evaluation.prediction, "TABLE_SIZE", 1)
        parts = list(word_absence(problem.network, activations))
    assert [rows for rows, _ in parts] == [slice(row, row + 1) for row in range(7)]
    assert np.concatenate([table for _, table in parts], axis=1).tobytes() == whole.tobytes()
