"""Nearest documents: the plain sum over their words, and what the query speaks for comes first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.nearest import nearest_documents, word_gains
from orrery.core.model.labels import marginals
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets, plain_network, problems, several

SETS = st.lists(st.sets(st.integers(0, 5)), max_size=12)


@given(SETS, st.lists(st.floats(-3, 3), min_size=6, max_size=6), st.integers(0, 12))
def test_documents_are_ranked_by_the_mean_gain_times_the_root_of_the_length(sets, gains, count):
    gain = np.array(gains)
    rows, scores = nearest_documents(corpus_of_sets(sets, 6), gain, count)
    plain = [sum(gains[t] for t in tokens) / max(len(tokens), 1) ** 0.5 for tokens in sets]
    assert (
        len(rows) == min(count, sum(score > 1e-9 for score in plain))
        or min(abs(score) for score in plain) < 1e-9
    )
    assert scores == pytest.approx([plain[row] for row in rows])
    assert all(scores[:-1] >= scores[1:])
    left_out = [plain[row] for row in range(len(sets)) if row not in set(rows.tolist())]
    if len(rows) == count and count:
        assert max(left_out, default=-1.0) <= scores[-1] + 1e-9


@given(SETS, st.lists(st.floats(-3, 3), min_size=6, max_size=6), st.sets(st.integers(0, 5)))
def test_documents_with_more_of_the_words_of_the_query_come_first(sets, gains, requested):
    corpus = corpus_of_sets(sets, 6)
    rows, scores = nearest_documents(corpus, np.array(gains), len(sets), sorted(requested))
    rank = [(-len(requested & sets[row]), -score) for row, score in zip(rows, scores, strict=True)]
    assert rank == sorted(rank)
    assert set(rows) == set(nearest_documents(corpus, np.array(gains), len(sets))[0])


@several
@given(problems(), st.booleans())
def test_what_is_present_gains_most_and_what_is_absent_loses_as_much(problem, closed_world):
    network = problem.network
    evidence = Evidence((0,), (1,), closed_world=closed_world)
    gain, probability = word_gains(network, infer(network, evidence))
    prior = np.maximum(marginals(network)[network.graph.n_topics :], 1e-5)
    assert np.isfinite(gain).all()
    assert gain[0] == pytest.approx(-np.log(prior[0]))
    assert gain[1] == pytest.approx(np.log(prior[1]))
    assert (gain <= -np.log(prior) + 1e-12).all()
    assert (probability[0], probability[1]) == (1.0, 0.0)
    others = np.arange(2, len(gain))
    expected = prior[others] * np.exp(gain[others])
    assert np.maximum(probability[others], 1e-5) == pytest.approx(expected)


def test_a_topic_held_on_raises_its_words():
    network = plain_network(np.random.default_rng(0))
    free = word_gains(network, infer(network, Evidence((0,), closed_world=False))).gain
    held = word_gains(network, infer(network, Evidence((0,), closed_world=False, on=(5,)))).gain
    children = network.graph.children(5)
    words = children[children >= network.graph.n_topics] - network.graph.n_topics
    others = words[words != 0]
    assert len(others)
    assert (held[others] > free[others]).all()


def test_another_vocabulary_is_refused():
    with pytest.raises(InputError, match="the model has 5 words and the corpus 6"):
        nearest_documents(corpus_of_sets([{1}], 6), np.zeros(5), 3)
