"""Why a topic is on: the messages add up to its log-odds, whatever the evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explanation import explain
from core.graph import build_graph
from core.inference import Evidence, infer
from core.network import build_network
from tests.random_networks import problems, several

# The inference ends when no activation moves by more than 1e-4.
CLOSE = 5e-3


@several
@given(problems(), st.booleans())
def test_messages_add_up_to_the_log_odds(problem, closed_world):
    network = problem.network
    posterior = infer(network, Evidence((0,), (2,), closed_world=closed_world, unknown=(1,)))
    for position, topic in enumerate(posterior.local.topics):
        total = sum(message.log_odds for message in explain(network, posterior, int(topic)))
        assert 1 / (1 + np.exp(-total)) == pytest.approx(posterior.probability[position], abs=CLOSE)


def two_causes():
    """Topics 0 and 1; word 0 comes from 0, word 1 from both, word 2 from 1."""
    graph, _ = build_graph(3, ["a", "b"], [0, 0, 1, 1], [2, 3, 3, 4])
    return build_network(graph, [2.0, 1.0, 1.0, 2.0], [0.05, 0.05, 0.01, 0.01, 0.01])


def messages_of(evidence, topic=0):
    network = two_causes()
    posterior = infer(network, evidence)
    return {(m.source, m.node): m.log_odds for m in explain(network, posterior, topic)}


def test_a_word_that_is_there_speaks_for_its_topic_and_absent_ones_against():
    messages = messages_of(Evidence((1,), closed_world=True))
    assert set(messages) == {("chance", None), ("token", 1), ("absent", None)}
    assert messages["token", 1] > 0
    assert messages["absent", None] == pytest.approx(-2.0)


def test_in_an_open_world_nothing_speaks_for_what_is_not_known():
    assert messages_of(Evidence((1,), closed_world=False))["absent", None] == pytest.approx(0.0)


def test_a_word_that_was_said_to_be_absent_speaks_by_name():
    messages = messages_of(Evidence((1,), absent=(0,), closed_world=True))
    assert messages["absent", 0] == pytest.approx(-2.0)
    assert messages["absent", None] == pytest.approx(0.0)
    assert ("absent", 2) not in messages, "no topic of this name brings that word"


def test_a_word_says_less_for_a_topic_when_another_explains_it():
    alone = messages_of(Evidence((1,), off=(1,), closed_world=True))["token", 1]
    explained = messages_of(Evidence((1,), on=(1,), closed_world=True))["token", 1]
    assert explained < alone


def test_a_topic_outside_the_local_model_is_refused():
    network = two_causes()
    posterior = infer(network, Evidence((0,), closed_world=True))
    with pytest.raises(InputError, match="topic 1 has no word of the query below it"):
        explain(network, posterior, 1)


@pytest.mark.parametrize("held", [{"on": (0,)}, {"off": (0,)}])
def test_a_topic_held_by_hand_has_finite_messages(held):
    messages = messages_of(Evidence((0, 1), **held))
    assert np.isfinite(list(messages.values())).all()
