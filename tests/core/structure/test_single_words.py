"""Topics of one word: found where a frequent word stands alone, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.evaluation.coherence import MAX_SECOND, MIN_FREQUENCY, single_word_topics
from orrery.core.model.graph import build_graph
from orrery.core.model.labels import MIN_WORD_PROBABILITY, reach
from orrery.core.model.network import build_network, probability_to_weight
from tests.random_networks import problems, several


def found_in(probabilities, frequency):
    """One topic that activates words with given probabilities; each word is in the given number of
    a thousand documents.
    """
    children = 1 + np.arange(len(probabilities))
    graph, order = build_graph(len(frequency), ["a"], np.zeros_like(children), children)
    weight = probability_to_weight(np.array(probabilities))[order]
    network = build_network(graph, weight, np.full(graph.n_nodes, 0.01))
    return single_word_topics(network, np.array(frequency), 1000)


@pytest.mark.parametrize(
    ("probabilities", "frequency", "expected"),
    [
        ([0.8, 0.1, 0.05], [100, 50, 50], [(0, 0)]),
        ([0.1, 0.8, 0.05], [100, 50, 50], [(0, 1)]),
        ([0.8], [100], [(0, 0)]),
        # A rare word, a word with its plural, a topic that has died.
        ([0.8, 0.1], [20, 50], []),
        ([0.8, 0.3], [100, 50], []),
        ([0.01, 0.001], [100, 50], []),
    ],
)
def test_a_frequent_word_that_carries_a_topic_alone_is_found(probabilities, frequency, expected):
    assert found_in(probabilities, frequency) == expected


@several
@given(problems(), st.data())
def test_each_topic_found_comes_to_its_word(problem, data):
    network = problem.network
    counts = st.integers(0, 100)
    n_tokens = network.graph.n_tokens
    frequency = np.array(data.draw(st.lists(counts, min_size=n_tokens, max_size=n_tokens)))
    found = dict(single_word_topics(network, frequency, 100))
    for topic, often in enumerate(reach(network).toarray()):
        token = int(np.argmax(often))
        others = np.delete(often, token).max(initial=0.0)
        is_one = others < MAX_SECOND * often[token] and often[token] >= MIN_WORD_PROBABILITY
        assert (topic in found) == (is_one and frequency[token] > MIN_FREQUENCY * 100)
        assert found.get(topic, token) == token


def test_a_word_below_a_child_counts_for_the_parent():
    # The parent brings one word through its child, and another one through none.
    graph, order = build_graph(2, ["top", "low"], [0, 1, 0], [1, 2, 3])
    network = build_network(graph, np.array([3.0, 3.0, 2.0])[order], np.full(4, 0.01))
    assert single_word_topics(network, np.array([500, 500]), 1000) == [(1, 0)]
