"""Topics above: what is on because of the topic that is explained is no reason for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orrery.app.views.query import strings
from orrery.app.views.query.reasons import circular_parents, main_reason
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import explain
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Estimate
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests.app.toy import toy_run

# One topic above two, each with two words.
ABOVE, FIRST, SECOND = 0, 1, 2
WORDS_OF_FIRST, WORDS_OF_BOTH = (0, 1), (0, 2, 3)


def subtree():
    edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
    graph, order = build_graph(4, ["A", "B", "C"], *zip(*edges, strict=True))
    weight = np.full(len(edges), 3.0)[order]
    network = build_network(graph, weight, np.array([0.05, 0.01, 0.01, *[0.01] * 4]))
    return replace(
        toy_run(),
        network=network,
        vocabulary=("one", "two", "three", "four"),
        topic_labels=("above", "first", "second"),
    )


RUN = subtree()


def reasons_for(tokens, **clamped):
    posterior = infer(RUN.network, Evidence(tokens, closed_world=False, **clamped))
    messages = explain(RUN.network, posterior, FIRST)
    return posterior, messages, circular_parents(RUN, posterior, messages)


def test_a_topic_above_that_is_on_because_of_this_one_is_called_no_reason():
    posterior, messages, (sentence,) = reasons_for(WORDS_OF_FIRST)
    (parent,) = [message for message in messages if message.source == "parent"]
    assert posterior.probability[ABOVE] > 0.5
    # In a tree it is on without the topic as often as if nothing were known of anything.
    assert parent.itself == pytest.approx(1 - np.exp(-0.05))
    assert sentence == strings.circular("above")


def test_a_topic_above_that_is_on_because_of_this_one_is_never_the_main_reason():
    posterior, messages, _ = reasons_for(WORDS_OF_FIRST[:1])
    known = Estimate(posterior.probability[FIRST], 0.0)
    (parent,) = [message for message in messages if message.source == "parent"]
    reported_of_parent = replace(parent, log_odds=100.0)
    others = [message for message in messages if message is not parent]
    sentence = main_reason(RUN, [reported_of_parent, *others], known, 0.01)
    assert "above" not in sentence
    by_itself = replace(reported_of_parent, itself=0.9)
    assert "The topic “above” speaks for it" in main_reason(RUN, [by_itself, *others], known, 0.01)


def test_a_topic_above_that_is_on_by_something_else_is_a_reason():
    _, messages, sentences = reasons_for(WORDS_OF_BOTH)
    (parent,) = [message for message in messages if message.source == "parent"]
    without = infer(RUN.network, Evidence((2, 3), closed_world=False))
    assert parent.itself == pytest.approx(without.probability[ABOVE])
    assert parent.itself > 0.5
    assert sentences == []


def test_of_a_topic_above_that_is_held_nothing_is_reported():
    assert reasons_for(WORDS_OF_FIRST, on=(ABOVE,))[2] == []
