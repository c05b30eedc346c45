"""Evidence that is said to add nothing adds nothing, by enumeration of all states."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.explanation import leave_one_out
from orrery.core.inference.infer import infer
from orrery.core.inference.screening import is_separated, pieces_of, screened_off
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from tests.random_networks import plain_network


@dataclass(frozen=True)
class States:
    """All states of a small network, and their probabilities."""

    state: np.ndarray
    probability: np.ndarray
    n_topics: int

    def topic_given(self, evidence: Evidence, topic: int) -> float:
        """Probability that a topic is on, given the evidence."""
        agrees = np.ones(len(self.state), bool)
        for piece, node in pieces_of(evidence):
            column = node if piece in ("on", "off") else node + self.n_topics
            agrees &= self.state[:, column] == (piece in ("on", "present"))
        weight = self.probability * agrees
        return float(weight[self.state[:, topic]].sum() / weight.sum())


def all_states(network: Network) -> States:
    graph = network.graph
    state = np.array(list(itertools.product((False, True), repeat=graph.n_nodes)))
    probability = np.ones(len(state))
    for node in range(graph.n_nodes):
        into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        activation = network.leak[node] + state[:, graph.parent_idx[into]] @ network.weight[into]
        off = np.exp(-activation)
        probability *= np.where(state[:, node], 1.0 - off, off)
    return States(state, probability, graph.n_topics)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Network, Evidence, int]:
    """A network, evidence in an open world, and a topic that is not held."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_topics, n_tokens = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    network = plain_network(rng, n_topics, n_tokens, rng.choice([0.2, 0.35, 0.6]))
    topic, *others = rng.permutation(n_topics).tolist()
    n_held = int(rng.integers(0, len(others) + 1))
    cut, token_cut = int(rng.integers(0, n_held + 1)), int(rng.integers(0, n_tokens + 1))
    tokens = rng.permutation(n_tokens).tolist()
    evidence = Evidence(
        tokens[:token_cut],
        tokens[token_cut : token_cut + int(rng.integers(0, 3))],
        closed_world=False,
        on=tuple(others[:cut]),
        off=tuple(others[cut:n_held]),
    )
    return network, evidence, topic


def without(evidence: Evidence, piece: tuple[str, int]) -> Evidence:
    state, node = piece
    return replace(evidence, **{state: tuple(n for n in getattr(evidence, state) if n != node)})


@given(question=questions())
@settings(max_examples=200, deadline=None)
def test_a_piece_is_separated_exactly_if_it_changes_nothing(
    question: tuple[Network, Evidence, int],
) -> None:
    network, evidence, topic = question
    states = all_states(network)
    now = states.topic_given(evidence, topic)
    for piece in pieces_of(evidence):
        change = abs(states.topic_given(without(evidence, piece), topic) - now)
        # Weights are random, so nothing cancels by chance.
        assert is_separated(network.graph, evidence, piece, topic) == (change < 1e-13), piece


@given(question=questions())
@settings(max_examples=100, deadline=None)
def test_what_is_reported_holds(question: tuple[Network, Evidence, int]) -> None:
    network, evidence, topic = question
    states = all_states(network)
    posterior = infer(network, evidence)
    if topic not in posterior.local.topics:
        return
    now = states.topic_given(evidence, topic)
    omissions = leave_one_out(network, posterior, topic)
    found = screened_off(network, posterior, topic, omissions)
    reported = {(one.piece, one.node): one for one in found}
    for omission in omissions:
        piece = omission.piece, omission.node
        change = abs(states.topic_given(without(evidence, piece), topic) - now)
        if piece not in reported:
            assert change > 1e-13
            continue
        one = reported[piece]
        if one.alone is None:
            assert change < 1e-12
            for screen in one.by:
                assert screen in set(pieces_of(evidence))
            continue
        assert one.before is not None
        nothing = Evidence((), closed_world=False)
        single = replace(nothing, **{piece[0]: (piece[1],)})
        assert change <= 0.005 + 1e-9
        assert one.alone.value == pytest.approx(states.topic_given(single, topic), abs=1e-9)
        assert one.before.value == pytest.approx(states.topic_given(nothing, topic), abs=1e-9)
        assert abs(one.alone.value - one.before.value) >= 0.05 - 1e-9


def chain() -> Network:
    """Space above launch, which is above orbit; and cooking, which is above salt."""
    parents, children = [0, 1, 2, 0], [1, 3, 4, 5]
    graph, _ = build_graph(3, ["space", "launch", "cooking"], parents, children)
    return build_network(graph, np.full(4, 2.0), np.full(6, 0.1))


def reported(network: Network, evidence: Evidence, topic: int) -> list[tuple[str, int, object]]:
    posterior = infer(network, evidence)
    omissions = leave_one_out(network, posterior, topic)
    return [
        (one.piece, one.node, one.by) for one in screened_off(network, posterior, topic, omissions)
    ]


def test_a_held_topic_screens_off_the_words_below_it() -> None:
    network = chain()
    number = network.graph.topic_number
    space, launch, cooking = number["space"], number["launch"], number["cooking"]
    orbit, salt, nasa = 0, 1, 2
    for state in ("on", "off"):
        evidence = replace(Evidence((orbit, salt, nasa), closed_world=False), **{state: (launch,)})
        assert reported(network, evidence, space) == [
            ("present", orbit, ((state, launch),)),
            ("present", salt, ()),
        ]
    assert reported(network, Evidence((orbit, nasa), closed_world=False), space) == []
    # Leaving a word out of a whole document makes it absent.
    assert reported(network, Evidence((orbit, nasa), closed_world=True), space) == []
    held = Evidence((orbit, salt), closed_world=False, on=(cooking, launch))
    assert reported(network, held, space) == [
        ("present", orbit, (("on", launch),)),
        ("present", salt, ()),
        ("on", cooking, ()),
    ]


def test_an_absent_word_connects_nothing() -> None:
    """Two topics above an absent word stay independent; above a present one, they do not."""
    graph, _ = build_graph(2, ["a", "b"], [0, 1, 1], [2, 2, 3])
    network = build_network(graph, np.full(3, 1.0), np.full(4, 0.1))
    a = graph.topic_number["a"]
    absent = Evidence((1,), (0,), closed_world=False)
    assert is_separated(graph, absent, ("present", 1), a)
    assert not is_separated(graph, Evidence((0, 1), closed_world=False), ("present", 1), a)
    assert reported(network, absent, a) == [("present", 1, ())]


def test_words_that_say_the_same_are_reported_with_their_numbers() -> None:
    """One of several clear words about a topic changes little beside the others."""
    graph, _ = build_graph(4, ["a"], [0] * 4, [1, 2, 3, 4])
    network = build_network(graph, np.full(4, 3.0), np.array([0.05] + [0.001] * 4))
    posterior = infer(network, Evidence((0, 1, 2), closed_world=False))
    found = screened_off(network, posterior, 0, leave_one_out(network, posterior, 0))
    assert [(one.node, one.by) for one in found] == [(0, ()), (1, ()), (2, ())]
    assert found[0].before is not None
    assert found[0].alone is not None
    assert found[0].before.value == pytest.approx(1 - np.exp(-0.05))
    assert found[0].alone.value > 0.9
