"""No corpus and no setting makes a weight or a bound that is no number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orrery.core.evidence import Evidence
from orrery.core.graph import build_graph
from orrery.core.inference import infer
from orrery.core.network import LARGEST_WEIGHT, SMALLEST_LEAK, StartValues, build_network
from orrery.core.training import initial_state, train
from tests.random_networks import corpus_of_sets
from tests.short_trainings import KINDS, SHORT, example

N_TOKENS = 12
EVERYTHING = range(N_TOKENS)
CORPORA = {
    "nothing in any document": [()] * 60,
    "everything in every document": [EVERYTHING] * 60,
    "a word in every document": [(0, 1 + number % 11) for number in range(60)],
    "a document again and again": [(0, 3, 5)] * 2_000,
    "one document": [(0, 1)],
    "nothing beside everything": [(), EVERYTHING] * 30,
    "words that are nowhere": [(0, 1), (2,)] * 30,
}


def graph_with_idle_topics():
    """Two topics above the words, one above both, and one that nothing is below."""
    parents = [0, 0, *[1] * 6, *[2] * 8]
    children = [1, 2, *range(4, 10), *range(8, 16)]
    return build_graph(N_TOKENS, ["a", "b", "c", "idle"], parents, children)[0]


def assert_numbers(steps):
    for state, info in steps:
        network = state.network
        assert np.isfinite(info.bound)
        assert ((network.weight >= 0) & (network.weight <= LARGEST_WEIGHT)).all()
        assert ((network.leak >= SMALLEST_LEAK) & (network.leak <= LARGEST_WEIGHT)).all()
        for moment in (state.moments.first, state.moments.second):
            assert np.isfinite(moment).all()


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("documents", CORPORA.values(), ids=CORPORA)
def test_odd_corpora(documents, options):
    corpus = corpus_of_sets([set(document) for document in documents], N_TOKENS)
    assert_numbers(train(corpus, graph_with_idle_topics(), options))


@pytest.mark.parametrize("options", [one for one in KINDS if one.optimizer == "adam"])
def test_learning_rates_a_hundred_times_too_large(options):
    graph, corpus = example()
    assert_numbers(train(corpus, graph, replace(options, learning_rate=100 * SHORT.rate)))


@pytest.mark.parametrize("weight", [0.0, 1e-12, 1e-300, 1e3, 1e300])
@pytest.mark.parametrize("leak", [0.0, 1e-12, 1e-300, 1e3, 1e300])
def test_weights_to_start_from(weight, leak):
    graph, corpus = example()
    given = StartValues(np.full(graph.n_edges, weight), np.full(graph.n_nodes, leak))
    rows = np.arange(corpus.n_documents)
    assert_numbers(train(corpus, graph, SHORT, state=initial_state(graph, corpus, rows, 0, given)))


@pytest.mark.parametrize("weight", [1e-12, 1.0, 1e3])
@pytest.mark.parametrize("leak", [1e-12, 1.0, 1e3])
@pytest.mark.parametrize("closed_world", [False, True])
def test_probabilities_are_numbers(weight, leak, closed_world):
    graph = graph_with_idle_topics()
    network = build_network(graph, np.full(graph.n_edges, weight), np.full(graph.n_nodes, leak))
    for present in ((), (0,), tuple(EVERYTHING)):
        found = infer(network, Evidence(present=present, closed_world=closed_world))
        assert ((found.probability >= 0) & (found.probability <= 1)).all()
