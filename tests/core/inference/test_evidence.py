"""Evidence: what can be handed in, what is the same, and what belongs to its local model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence, local_problem
from orrery.core.inference.infer import infer
from orrery.core.kernels.compiling import interpreted
from orrery.core.kernels.local_model import build_local_graph, collect_ancestors
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.benchmarks.truth import local_model, summed
from tests.core.kernels.test_sum_product import random_evidence
from tests.random_networks import plain_network, problems, several


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
    # The reference implementation of the benchmarks agrees.
    evaluate = local_model(network, evidence)
    assert evaluate.topics.tolist() == topics.tolist()
    np.testing.assert_allclose(summed(evaluate), truth[topics], atol=1e-9)


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


def test_whole_numbers_in_any_sequence_are_tuples_of_int():
    plain = Evidence((3, 1), (2,), on=(0,), off=(4,), unknown=(5,), closed_world=False)
    other = Evidence(
        np.array([3, 1], np.int32),
        [np.uint8(2)],
        on=range(1),
        off={4},
        unknown=iter([5]),
        closed_world=np.bool_(False),
    )
    assert other == plain
    assert hash(other) == hash(plain)
    assert repr(other) == repr(plain)
    assert other.key() == plain.key()


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (
            {"present": [1, 1.5]},
            r"present has 1\.5 in it, which is no whole number; give numbers in",
        ),
        ({"present": [2.0]}, r"present has 2\.0 in it, which is no whole number"),
        (
            {"present": ["a"]},
            "present has 'a' in it, which is no whole number; give numbers in the v",
        ),
        ({"absent": np.array([np.nan])}, r"absent has np.float64\(nan\) in it"),
        ({"unknown": (True,)}, "unknown has True in it"),
        ({"present": np.array([False, True])}, "present has np.False_ in it"),
        ({"present": np.zeros((2, 1), int)}, "present has array"),
        ({"on": (None,)}, "on has None in it, which is no whole number; give numbers in the graph"),
        ({"off": 3}, "off is 3; expected a sequence of numbers in the graph"),
        (
            {"present": "word"},
            "present is 'word'; expected a sequence of numbers in the vocabulary",
        ),
        ({"closed_world": "no"}, "closed_world is 'no'; expected True or False"),
        ({"closed_world": 1}, "closed_world is 1; expected True or False"),
        ({"closed_world": None}, "closed_world is None; expected True or False"),
    ],
)
def test_what_is_no_evidence_is_refused_in_one_sentence(named, message):
    with pytest.raises(InputError, match=message) as refused:
        Evidence(**{"present": (0,), "closed_world": True} | named)
    assert "\n" not in str(refused.value)


def test_numbers_too_large_for_any_model_are_refused():
    network = plain_network(np.random.default_rng(0))
    with pytest.raises(InputError, match="there is no token 1000000000000000000000; the model has"):
        infer(network, Evidence((10**21,), closed_world=True))


@pytest.mark.parametrize(("closed_world", "default"), [(True, "absent"), (False, "unknown")])
def test_words_named_as_what_all_others_are_change_no_digit(closed_world, default):
    network = plain_network(np.random.default_rng(0), n_topics=20, n_tokens=12, density=0.3)
    matters = {"absent": "unknown", "unknown": "absent"}[default]
    evidence = Evidence((1, 4), closed_world=closed_world, **{matters: (6,)})
    named = replace(evidence, **{default: (2, 7)})
    found, same = infer(network, evidence), infer(network, named)
    assert not found.samples.is_exact
    assert found.probability.tobytes() == same.probability.tobytes()
    assert found.log_probability == same.log_probability
    assert evidence.key() != replace(evidence, **{matters: ()}).key()


@several
@given(problems(), st.booleans())
def test_the_local_graph_is_that_of_the_kernels(problem, closed_world):
    graph = problem.network.graph
    evidence = random_evidence(problem.rng, graph, closed_world)
    local, _ = local_problem(problem.network, evidence)
    place = np.full(graph.n_topics, -1, np.int32)
    tokens = local.node[local.n_topics :]
    below = np.concatenate([tokens, local.node[: local.n_topics]])
    with interpreted():
        topics = collect_ancestors(below, graph.parent_ptr, graph.parent_idx, place)
        expected = build_local_graph(topics, tokens, graph.parent_ptr, graph.parent_idx, place)
    for name, found, value in zip(local._fields, local, expected, strict=True):
        np.testing.assert_array_equal(found, value, err_msg=name)
        assert np.asarray(found).dtype == np.asarray(value).dtype, name


def test_the_key_depends_on_the_evidence_and_not_on_its_order():
    given = Evidence((3, 1, 2), absent=(6, 5), closed_world=False, on=(1, 0), off=(3, 2))
    other = Evidence((2, 3, 1), absent=(5, 6), closed_world=False, on=(0, 1), off=(2, 3))
    assert given.key() == other.key()
    for changed in ({"present": (1, 2)}, {"absent": (5,)}, {"on": (0,)}, {"off": (2,)}):
        assert replace(given, **changed).key() != given.key()
    assert replace(given, closed_world=True).key() != given.key()
