"""Shares of causes sum to one, and equal a race between independent causes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import word_causes
from orrery.core.inference.infer import infer
from tests.random_networks import problems, several


@several
@given(problems(), st.booleans())
def test_the_shares_of_a_word_add_up_to_one(problem, closed_world):
    posterior = infer(problem.network, Evidence((0, 1), absent=(2,), closed_world=closed_world))
    causes = word_causes(problem.network, posterior)
    assert causes.topic.shape == (2, len(posterior.local.topics))
    assert np.allclose(causes.topic.sum(axis=1) + causes.leak, 1.0)
    assert (causes.topic.data >= 0).all()


@several
@given(problems(), st.randoms(use_true_random=False))
def test_with_topics_on_or_off_they_are_the_odds_of_striking_first(problem, leak):
    """The density of cause k striking first at time t, given that one strikes before 1."""
    network = problem.network
    posterior = infer(network, Evidence((0,), closed_world=True))
    on = np.array([float(leak.random() < 0.5) for _ in posterior.local.topics])
    causes = word_causes(network, replace(posterior, probability=on))
    graph = network.graph
    node = graph.n_topics
    span = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
    state = dict(zip(posterior.local.topics.tolist(), on, strict=True))
    rates = {
        parent: weight * state[parent]
        for parent, weight in zip(graph.parents(node).tolist(), network.weight[span], strict=True)
    }
    total = sum(rates.values()) + network.leak[node]
    for position, topic in enumerate(posterior.local.topics.tolist()):
        rate = rates.get(topic, 0.0)
        first, _ = integrate.quad(lambda t, rate=rate: rate * np.exp(-total * t), 0.0, 1.0)
        share = causes.topic[0, position]
        assert share == pytest.approx(first / -np.expm1(-total), abs=1e-9)


def test_a_topic_that_is_off_explains_nothing():
    from tests.core.inference.test_explanation import two_causes

    network = two_causes()
    posterior = infer(network, Evidence((1,), on=(0,), off=(1,), closed_world=True))
    causes = word_causes(network, posterior)
    shares = dict(zip(posterior.local.topics.tolist(), causes.topic.toarray()[0], strict=True))
    assert shares[0] > 0.9
    assert shares[1] == pytest.approx(0.0, abs=1e-6)
