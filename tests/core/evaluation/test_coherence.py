"""Coherence and diversity equal plain loops over pairs of words."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.core.evaluation.coherence import diversity, exclusive_word_shares, mean_npmi, topic_npmi
from tests.random_networks import corpus_of_sets, several

N_TOKENS = 6
documents = st.lists(st.sets(st.integers(0, N_TOKENS - 1)), min_size=1, max_size=12)


@several
@example([{0}, {1}], [{0, 1}])
@example([{0, 1}, {1}, {2}], [{0, 1, 2}, {3, 4}])
@given(documents, st.lists(st.sets(st.integers(0, N_TOKENS - 1)), min_size=1, max_size=4))
def test_npmi_equals_the_loops(sets, words_of_topics):
    presence = corpus_of_sets(sets, N_TOKENS).to_csr()
    words = [np.array(sorted(chosen), np.int64) for chosen in words_of_topics]
    scores = topic_npmi(presence, words)
    assert scores == [pytest.approx(npmi(sets, chosen)) for chosen in words_of_topics]
    assert all(score is None or -1 - 1e-12 <= score <= 1 + 1e-12 for score in scores)
    known = [score for score in scores if score is not None]
    expected = sum(known) / len(known) if known else None
    assert mean_npmi(presence, words) == (None if expected is None else pytest.approx(expected))


def npmi(sets, words):
    """Mean over pairs of log(p(a, b) / p(a) p(b)) / -log p(a, b)."""
    scores = []
    for first, second in itertools.combinations(sorted(words), 2):
        alone = [sum(word in tokens for tokens in sets) / len(sets) for word in (first, second)]
        joint = sum({first, second} <= tokens for tokens in sets) / len(sets)
        if 0.0 in alone or joint == 1.0:
            scores.append(0.0)
        elif joint == 0.0:
            scores.append(-1.0)
        else:
            scores.append(math.log(joint / (alone[0] * alone[1])) / -math.log(joint))
    return sum(scores) / len(scores) if scores else None


def test_diversity_is_the_share_of_different_words():
    assert diversity([np.array([0, 1]), np.array([1, 2])]) == 0.75
    assert diversity([np.array([0, 1]), np.array([2])]) == 1.0
    assert diversity([np.array([], np.int64)]) is None
    assert diversity([]) is None


@given(st.lists(st.lists(st.integers(0, 6), max_size=4, unique=True), max_size=5))
def test_own_words_are_those_of_no_other_topic(topics):
    shares = exclusive_word_shares([np.array(words, np.int64) for words in topics])
    assert len(shares) == len(topics)
    for number, (words, share) in enumerate(zip(topics, shares, strict=True)):
        others = {word for other in topics[:number] + topics[number + 1 :] for word in other}
        own = [word for word in words if word not in others]
        assert share == (len(own) / len(words) if words else None)
