"""Expected words: what is left open is expected as often as the model would have it there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.expected_words import expected_words
from core.inference import Evidence, infer
from tests.app.toy import toy_run

RUN = toy_run()
TOKENS = st.lists(st.integers(0, len(RUN.vocabulary) - 1), min_size=2, max_size=4, unique=True)


@settings(deadline=None, max_examples=50)
@given(TOKENS)
def test_a_word_is_as_probable_as_the_evidence_with_it_is_beside_that_without_it(tokens):
    *present, asked = tokens
    posterior = infer(RUN.network, Evidence(tuple(present), closed_world=False))
    both = infer(RUN.network, Evidence(tuple(tokens), closed_world=False))
    (found,) = expected_words(RUN.network, posterior, [asked])
    exact = np.exp(both.log_probability - posterior.log_probability)
    # Only what a topic outside of the local model has in common with it is left out.
    parents = RUN.network.graph.parents(RUN.network.graph.n_topics + asked)
    is_exact = set(parents.tolist()) <= set(posterior.local.topics.tolist())
    assert found.value == pytest.approx(exact, abs=1e-6 if is_exact else 0.03)


def test_without_draws_nothing_is_expected():
    posterior = infer(RUN.network, Evidence((0,), closed_world=False), method="sum-product")
    assert expected_words(RUN.network, posterior, [1]) == []
    assert expected_words(RUN.network, infer(RUN.network, posterior.evidence), []) == []
