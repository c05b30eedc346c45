"""Why a topic is on: the messages add up to its log-odds, whatever the evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import explain, leave_one_out
from orrery.core.inference.infer import infer
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.random_networks import plain_network, problems, several


@several
@given(problems(most_topics=7), st.booleans())
def test_messages_add_up_to_the_log_odds(problem, closed_world):
    network = problem.network
    posterior = infer(network, Evidence((0,), (2,), closed_world=closed_world, unknown=(1,)))
    for position, topic in enumerate(posterior.local.topics):
        messages = explain(network, posterior, int(topic))
        total = sum(message.log_odds for message in messages)
        probability, error = posterior.probability[position], posterior.error[position]
        # The message of the joint correction appears only if it is visible.
        is_named = any(message.source == "together" for message in messages)
        close = 1e-6 if is_named else 2.0 * error + 0.005 + 1e-6
        assert 1 / (1 + np.exp(-total)) == pytest.approx(probability, abs=close)


@several
@given(problems())
def test_without_the_last_bar_they_are_the_beliefs_of_sum_product(problem):
    network, evidence = problem.network, Evidence((0, 1), closed_world=False)
    posterior = infer(network, evidence)
    beliefs = infer(network, evidence, method="sum-product")
    for position, topic in enumerate(posterior.local.topics):
        messages = explain(network, posterior, int(topic))
        total = sum(m.log_odds for m in messages if m.source != "together")
        expected = beliefs.probability[position]
        assert 1 / (1 + np.exp(-total)) == pytest.approx(expected, abs=1e-6)


@several
@given(problems(), st.booleans())
def test_leaving_a_piece_out_is_asking_without_it(problem, closed_world):
    network = problem.network
    evidence = Evidence((0, 1), (2,), closed_world=closed_world)
    posterior = infer(network, evidence)
    for topic in posterior.local.topics.tolist():
        found = leave_one_out(network, posterior, topic)
        assert [(o.piece, o.node) for o in found] == [("present", 0), ("present", 1), ("absent", 2)]
        less = [
            Evidence((1,), (2,), closed_world=closed_world),
            Evidence((0,), (2,), closed_world=closed_world),
            Evidence((0, 1), closed_world=closed_world),
        ]
        for omission, rest in zip(found, less, strict=True):
            observed = naive.open_world(network, rest.present, rest.absent)
            if closed_world:
                observed = naive.closed_world(network, rest.present)
            truth = naive.marginals(network, observed)[topic]
            other = infer(network, rest)
            if topic in other.local.topics:
                position = other.position(topic)
                assert omission.without.value == other.probability[position]
                assert omission.without.error == other.error[position]
            elif not closed_world:
                assert omission.without.value == pytest.approx(truth, abs=1e-6)


def test_too_many_pieces_or_a_single_one_are_not_left_out():
    network = plain_network(np.random.default_rng(0), n_topics=3, n_tokens=10)
    for present in (range(9), range(1)):
        posterior = infer(network, Evidence(tuple(present), closed_world=False))
        assert leave_one_out(network, posterior, int(posterior.local.topics[0])) == []


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
    assert set(messages) == {("leak", None), ("token", 1), ("absent", None)}
    assert messages["token", 1] > 0
    assert messages["absent", None] == pytest.approx(-2.0)


def test_in_an_open_world_nothing_speaks_for_what_is_not_known():
    assert messages_of(Evidence((1,), closed_world=False))["absent", None] == pytest.approx(0.0)


def test_a_word_that_was_given_as_absent_speaks_by_name():
    messages = messages_of(Evidence((1,), absent=(0,), closed_world=True))
    assert messages["absent", 0] == pytest.approx(-2.0)
    assert messages["absent", None] == pytest.approx(0.0)
    assert ("absent", 2) not in messages, "no topic of this name brings that word"


def test_a_word_is_weaker_evidence_for_a_topic_when_another_explains_it():
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
    messages = messages_of(Evidence((0, 1), closed_world=True, **held))
    assert np.isfinite(list(messages.values())).all()
