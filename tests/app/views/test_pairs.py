"""Pairs: a dependence is reported only if the joint probability clearly shows it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.app.views.query import strings
from orrery.app.views.query.why import CLEAR_RATIO, MAX_PAIRS, pairs_of
from orrery.core.drawing.links import parent_links
from orrery.core.drawing.selection import topic_estimate
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Estimate
from tests.app.toy import edited, large_run, toy_run

RUN = large_run(60, 120, 2)
TOKENS = st.lists(st.integers(0, 119), min_size=1, max_size=4, unique=True)


@settings(deadline=None, max_examples=40)
@given(TOKENS)
def test_pairs_are_few_clear_unsure_and_not_linked(tokens):
    posterior = infer(RUN.network, Evidence(tuple(tokens), closed_world=False))
    known = topic_estimate(posterior)
    for topic in known:
        pairs = pairs_of(RUN, posterior, topic)
        assert len(pairs) <= MAX_PAIRS
        for pair in pairs:
            joint = posterior.together(topic, pair.topic).value
            assert pair.joint.value == pytest.approx(joint)
            assert pair.apart == pytest.approx(known[topic].value * known[pair.topic].value)
            least, most = sorted((joint, pair.apart))
            assert most >= CLEAR_RATIO * least
            assert 0.1 < known[topic].value < 0.9
            assert 0.1 < known[pair.topic].value < 0.9
            above = {link.parent for link in parent_links(RUN.network, pair.topic)}
            assert topic not in above
            for token in pair.shared:
                node = RUN.network.graph.n_topics + token
                assert {topic, pair.topic} <= set(RUN.network.graph.parents(node).tolist())


def test_one_word_of_two_senses_speaks_for_both_and_one_is_enough():
    run = toy_run()
    token = run.vocabulary.index("culture")
    posterior = infer(run.network, Evidence((token,), closed_world=False))
    topics = run.network.graph.parents(run.network.graph.n_topics + token).tolist()
    pairs = {pair.topic: pair for pair in pairs_of(run, posterior, topics[0])}
    pair = pairs[topics[1]]
    assert pair.shared == (token,)
    assert pair.joint.value < pair.apart
    hidden = edited(run, hidden=[topics[1]])
    assert topics[1] not in {pair.topic for pair in pairs_of(hidden, posterior, topics[0])}


def test_without_samples_nothing_is_reported():
    posterior = infer(RUN.network, Evidence((0,), closed_world=False), method="sum-product")
    assert pairs_of(RUN, posterior, int(posterior.local.topics[0])) == []


@pytest.mark.parametrize(
    ("shared", "joint", "shown_text"),
    [
        (
            ["star"],
            0.02,
            "“star” fits “b” as well. Usually one of the two is meant, rarely both (0.02).",
        ),
        (["star", "bass"], 0.02, "“star” and “bass” fit “b” as well"),
        ([], 0.02, "It seldom comes with “b”. Usually one of the two is meant"),
        (["star"], 0.4, "It often comes with “b”: both are on with probability 0.40."),
    ],
)
def test_the_sentence_states_which_way(shared, joint, shown_text):
    sentence = strings.pair("b", shared, Estimate(joint, 0.0), 0.2)
    assert shown_text in sentence
