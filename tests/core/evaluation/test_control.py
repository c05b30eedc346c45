"""The control equals plain loops, and the reference is the other documents."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.evaluation.completion import (
    independent_log_likelihood,
    reference_counts,
    word_counts,
)
from tests.random_networks import corpus_of_sets, several

N_TOKENS = 6
documents = st.lists(st.sets(st.integers(0, N_TOKENS - 1)), min_size=1, max_size=12)


@several
@given(documents, st.data())
def test_independent_baseline_equals_the_loops(sets, data):
    corpus = corpus_of_sets(sets, N_TOKENS)
    rows = data.draw(st.lists(st.integers(0, len(sets) - 1), min_size=1, unique=True))
    others = [sets[row] for row in range(len(sets)) if row not in rows]
    reference = others or [sets[row] for row in rows]
    total = 0.0
    for row, token in itertools.product(rows, range(N_TOKENS)):
        leak = (sum(token in tokens for tokens in reference) + 0.5) / (len(reference) + 1)
        total += math.log(leak if token in sets[row] else 1.0 - leak)
    ours = independent_log_likelihood(corpus, np.array(rows))
    assert ours == pytest.approx(total / len(rows))


def test_counts_are_those_of_the_other_documents():
    corpus = corpus_of_sets([{0, 1}, {1, 2}, {1}], N_TOKENS)
    found = reference_counts(corpus, np.array([2, 0]))
    assert (found.counts.tolist(), found.documents) == ([0, 1, 1, 0, 0, 0], 1)
    found = reference_counts(corpus, np.array([2, 0, 1]))
    assert (found.counts.tolist(), found.documents) == ([1, 3, 1, 0, 0, 0], 3)


def test_a_reference_that_is_given_counts_and_nothing_else():
    corpus = corpus_of_sets([{0, 1}, {1, 2}, {1}, {0, 5}], N_TOKENS)
    rows = np.array([1, 3])
    given = word_counts(corpus, np.array([0]))
    alone = independent_log_likelihood(corpus.subset([0, 1, 3]), np.array([1, 2]))
    assert independent_log_likelihood(corpus, rows, given) == pytest.approx(alone)
    assert independent_log_likelihood(corpus, rows) != pytest.approx(alone)
