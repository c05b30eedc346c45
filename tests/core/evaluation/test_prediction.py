"""Odds of words that are not there: the truth where topics are independent given the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

import orrery.core.evaluation.completion
from orrery.core.evaluation.completion import word_activations
from orrery.core.inference.infer import infer_activations
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.random_networks import corpus_of_sets, problems, several


def all_activations(network, activations):
    """All of it as one table."""
    return np.concatenate([table for _, table in word_activations(network, activations)], axis=1)


@several
@given(problems())
def test_equals_the_mean_over_independent_topics(problem):
    network = problem.network
    graph = network.graph
    q = problem.rng.random(graph.n_topics) * (problem.rng.random(graph.n_topics) < 0.7)
    ours = all_activations(network, sparse.csr_array(q[None, :]))[:, 0]
    for token in range(graph.n_tokens):
        edges = naive.edges_into(network, graph.n_topics + token)
        mean = np.exp(network.leak[graph.n_topics + token])
        for edge, parent in edges:
            mean *= 1.0 - q[parent] + q[parent] * np.exp(network.weight[edge])
        assert ours[token] == pytest.approx(np.log(mean), abs=1e-9)


@pytest.mark.parametrize("present", [[0], [0, 1], [0, 4], [1, 3, 5]])
def test_odds_are_those_of_the_document_with_the_word_and_without(present):
    # Words 0 to 2 are below topic 0, words 3 to 5 below topic 1: a tree, where sum-product is
    # exact.
    graph, _ = build_graph(6, ["a", "b"], [0, 0, 0, 1, 1, 1], [2, 3, 4, 5, 6, 7])
    rng = np.random.default_rng(1)
    leak = rng.uniform(0.05, 0.4, graph.n_nodes)
    network = build_network(graph, rng.uniform(0.3, 2.0, graph.n_edges), leak)
    activations = infer_activations(network, corpus_of_sets([set(present)], 6))
    ours = all_activations(network, activations)[:, 0]
    before = naive.log_likelihood(network, naive.closed_world(network, present))
    # A topic without present words below it is off, see `infer_activations`.
    known = {topic for topic in range(2) if any(token // 3 == topic for token in present)}
    for token in set(range(6)) - set(present):
        if token // 3 in known:
            with_it = naive.closed_world(network, [*present, token])
            truth = naive.log_likelihood(network, with_it) - before
            assert np.log(np.expm1(ours[token])) == pytest.approx(truth, abs=1e-6)


@several
@given(problems())
def test_tables_of_any_size_give_the_same(problem):
    dense = problem.rng.random((7, problem.network.graph.n_topics))
    activations = sparse.csr_array(dense)
    whole = all_activations(problem.network, activations)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orrery.core.evaluation.completion, "TABLE_SIZE", 1)
        parts = list(word_activations(problem.network, activations))
    assert [rows for rows, _ in parts] == [slice(row, row + 1) for row in range(7)]
    assert np.concatenate([table for _, table in parts], axis=1).tobytes() == whole.tobytes()
