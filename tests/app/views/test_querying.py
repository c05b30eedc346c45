"""Querying: cached answers equal the model's, and a long text is answered with less precision."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import pytest

from orrery.app.shared.answers import (
    ERROR_OF_MANY,
    bare_posterior_of,
    most_probable_of,
    posterior_of,
    questions_of,
    sensitivity_of,
)
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import MAX_ERROR, infer
from orrery.core.inference.thresholds import MANY_WORDS
from tests.app.toy import large_run, toy_run

RUN = large_run(200, 300, 1, links=8)


def test_a_question_is_answered_once_of_each_model():
    evidence = Evidence((0, 1), closed_world=False)
    first = posterior_of(RUN.network, evidence)
    assert posterior_of(RUN.network, Evidence((0, 1), closed_world=False)) is first
    assert posterior_of(large_run(200, 300, 1, links=8).network, evidence) is not first
    assert np.array_equal(first.probability, infer(RUN.network, evidence).probability)
    bare = bare_posterior_of(RUN.network, evidence)
    assert bare.samples is None
    assert np.array_equal(bare.probability, first.probability)


@pytest.mark.parametrize("ask", [posterior_of, bare_posterior_of])
def test_a_long_text_may_have_larger_errors(ask):
    short = Evidence(tuple(range(MANY_WORDS)), closed_world=False)
    long = Evidence(tuple(range(MANY_WORDS + 1)), closed_world=False)
    assert ask(RUN.network, short).largest_error <= MAX_ERROR
    assert MAX_ERROR < ask(RUN.network, long).largest_error <= ERROR_OF_MANY


def topic_above(network, evidence):
    graph = network.graph
    topic = graph.parent_idx[graph.parent_ptr[graph.n_topics + evidence.present[0]]]
    return sensitivity_of(network, evidence, int(topic))


@pytest.mark.parametrize(
    "ask",
    [
        posterior_of,
        bare_posterior_of,
        most_probable_of,
        lambda network, evidence: questions_of(network, evidence, 2),
        topic_above,
    ],
)
def test_answers_do_not_keep_a_closed_model_in_memory(ask):
    opened = toy_run()
    network = ref(opened.network)
    for word in range(3):
        ask(opened.network, Evidence((word,), closed_world=False))
    del opened
    gc.collect()
    assert network() is None


def test_a_changed_model_is_queried_again():
    one, other = toy_run(), toy_run()
    evidence = Evidence((0,), closed_world=False)
    assert posterior_of(one.network, evidence) is not posterior_of(other.network, evidence)
