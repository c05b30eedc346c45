"""Evidence: what belongs to its local model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from core.evidence import Evidence
from core.graph import build_graph
from core.inference import infer
from core.network import build_network
from tests import naive
from tests.benchmarks.truth import local_model, summed
from tests.core.kernels.test_sum_product import random_evidence
from tests.random_networks import problems, several


@several
@given(problems())
def test_a_closed_world_takes_as_off_what_neither_known_nor_open_words_reach(problem):
    network = problem.network
    evidence = random_evidence(problem.rng, network.graph, closed_world=True)
    observed = naive.local_world(
        network, evidence.present, evidence.unknown, evidence.on, evidence.off
    )
    truth = naive.marginals(network, observed)
    posterior = infer(network, evidence)
    topics = posterior.local.topics
    outside = {topic for topic in range(network.graph.n_topics) if observed.get(topic) == 0}
    assert set(range(network.graph.n_topics)) - set(topics.tolist()) <= outside
    np.testing.assert_allclose(posterior.probability, truth[topics], atol=1e-8)
    expected = naive.log_likelihood(network, observed)
    assert posterior.log_probability == pytest.approx(expected, abs=1e-8)
    # What judges the answers elsewhere says so too.
    judge = local_model(network, evidence)
    assert judge.topics.tolist() == topics.tolist()
    np.testing.assert_allclose(summed(judge), truth[topics], atol=1e-9)


def test_a_topic_with_nothing_but_an_unknown_word_is_not_taken_as_off():
    # general → seen → word 0, and general → other → word 1
    graph, _ = build_graph(2, ["general", "seen", "other"], [0, 0, 1, 2], [1, 2, 3, 4])
    weight, leak = [2.0, 3.0, 2.5, 2.5], [0.7, 0.02, 0.02, 0.01, 0.01]
    network = build_network(graph, weight, leak)
    evidence = Evidence((0,), unknown=(1,), closed_world=True)
    found = infer(network, evidence)
    truth = naive.marginals(network, naive.open_world(network, [0], []))
    assert found.local.topics.tolist() == [0, 1, 2]
    np.testing.assert_allclose(found.probability, truth, atol=1e-9)
    absent = infer(network, Evidence((0,), closed_world=True))
    assert absent.local.topics.tolist() == [0, 1]
    assert absent.probability[0] < truth[0] - 0.3
