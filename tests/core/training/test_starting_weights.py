"""Where training starts: within what a document holds, and at what is given."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.model.graph import build_graph
from orrery.core.model.network import StartValues, build_network
from orrery.core.training.state import starting_network
from tests.random_networks import sampled_corpus


@pytest.mark.parametrize(
    ("n_words", "mean_length", "limit"),
    [(40, 30, None), (4000, 30, "a share"), (400, 4, "a few words")],
)
def test_no_topic_starts_with_more_words_than_a_share_of_a_document_or_a_few(
    n_words, mean_length, limit
):
    rng = np.random.default_rng(1)
    parents = np.concatenate([np.zeros(n_words + 1, int), np.ones(n_words, int)])
    children = np.concatenate([[1], np.tile(2 + np.arange(n_words), 2)])
    graph, _ = build_graph(n_words, ["above", "below"], parents, children)
    leak = np.concatenate([[0.1, 0.1], rng.uniform(0.5, 1.5, n_words) * mean_length / n_words])
    network = build_network(graph, np.full(graph.n_edges, 1e-6), leak)
    corpus = sampled_corpus(network, 200, rng)
    found = starting_network(graph, corpus, np.arange(200), 0)
    into_words = graph.edge_children() >= 2
    total = np.bincount(graph.parent_idx, found.weight * into_words)
    # Half a document is added to every word, as in the leaks.
    length = float((corpus.document_frequency() + 0.5).sum()) / 201.0
    if limit:
        np.testing.assert_allclose(total, 0.25 * length if limit == "a share" else 3.0)
        frequency = corpus.document_frequency()[graph.edge_children()[into_words] - 2]
        assert np.corrcoef(found.weight[into_words], frequency)[0, 1] > 0.3
    else:
        np.testing.assert_allclose(total, 0.05 * n_words, rtol=0.4)
    # A link between topics is as it was drawn.
    assert 0.0 < found.weight[~into_words][0] < 0.3


def test_what_is_given_is_taken_and_the_rest_is_drawn_as_if_nothing_were_given():
    graph, _ = build_graph(3, ["a", "b"], [0, 0, 1, 1], [2, 3, 3, 4])
    corpus = sampled_corpus(
        build_network(graph, np.full(4, 0.5), np.full(5, 0.2)), 50, np.random.default_rng(0)
    )
    drawn = starting_network(graph, corpus, np.arange(50), seed=3)
    weight, leak = np.full(graph.n_edges, np.nan), np.full(graph.n_nodes, np.nan)
    weight[1], leak[[0, 4]] = 0.7, (0.3, 0.4)
    found = starting_network(graph, corpus, np.arange(50), 3, StartValues(weight, leak))
    np.testing.assert_array_equal(found.weight, np.where(np.isnan(weight), drawn.weight, weight))
    np.testing.assert_array_equal(found.leak, np.where(np.isnan(leak), drawn.leak, leak))
    other = starting_network(graph, corpus, np.arange(50), seed=4)
    assert (other.weight != drawn.weight).all()
