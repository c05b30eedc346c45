"""Logistic-normal topics: the bound is below the evidence, and correlated topics are found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.integrate import quad
from scipy.special import softmax
from scipy.stats import norm

from orrery.core.baselines.correlated_topics import LaplaceCtm, TaylorCtm
from orrery.core.baselines.mean_field_lda import share_out
from orrery.core.utils.errors import InputError
from tests.benchmarks.parts.correlated import correlations
from tests.core.baselines.test_bernoulli_lda import planted_corpus
from tests.core.baselines.test_multinomial_lda_family import agreement, random_counts

SYSTEMS = [LaplaceCtm, TaylorCtm]
seeds = st.integers(0, 2**16)
few = settings(max_examples=min(15, settings().max_examples))


def model_of(system, seed, n_topics=2, n_words=4):
    """A model of random parameters that was never trained."""
    rng = np.random.default_rng(seed)
    model = system(n_topics, seed)
    model.n_words = n_words
    model._topics = rng.dirichlet(np.ones(n_words), n_topics)
    root = rng.normal(size=(n_topics, n_topics))
    model.prior_mean = rng.normal(size=n_topics)
    model.prior_covariance = 0.2 * root @ root.T + 0.1 * np.eye(n_topics)
    return model


def log_evidence(model, words):
    """Integral over the difference of two topics' eta, which is all that their shares know."""
    (a, b), (_, c) = model.prior_covariance
    centre, spread = model.prior_mean[0] - model.prior_mean[1], np.sqrt(a + c - 2 * b)

    def density(difference):
        theta = 1 / (1 + np.exp(-difference))
        leak = theta * model._topics[0] + (1 - theta) * model._topics[1]
        return norm.pdf(difference, centre, spread) * np.prod(leak**words)

    return np.log(quad(density, centre - 9 * spread, centre + 9 * spread, limit=400)[0])


@few
@given(seeds, st.sampled_from(SYSTEMS))
def test_the_bound_is_below_the_evidence_and_near(seed, system):
    model, counts = model_of(system, seed), random_counts(seed, n_words=4)
    bounds = model.bound_or_likelihood(counts)
    for bound, words in zip(bounds, counts.toarray(), strict=True):
        exact = log_evidence(model, words)
        assert exact - 1.5 < bound <= exact + 1e-7


@few
@given(seeds)
def test_the_mean_is_where_f_is_flat_by_both_ways(seed):
    models = [model_of(system, seed, 3, 5) for system in SYSTEMS]
    counts = random_counts(seed, n_words=5)
    ends = []
    for model in models:
        (mean, covariance), _ = model._fit_gaussians(counts)
        theta = np.exp(mean) / np.exp(mean).sum(axis=1, keepdims=True)
        shares = share_out(counts, model._topics, theta)[0]
        precision = np.linalg.inv(model.prior_covariance)
        for own, words, share, spread in zip(mean, shares, theta, covariance, strict=True):
            slope = words - words.sum() * share - precision @ (own - model.prior_mean)
            assert np.abs(slope).max() < 0.05
            curvature = precision + words.sum() * (np.diag(share) - np.outer(share, share))
            np.testing.assert_allclose(np.linalg.inv(spread), curvature, rtol=1e-6, atol=1e-8)
        ends.append(mean)
    np.testing.assert_allclose(ends[0], ends[1], atol=0.05)


@pytest.mark.parametrize("system", SYSTEMS)
def test_topics_that_go_together_are_found(system):
    rng = np.random.default_rng(1)
    # Topics 0 and 1 are in the same documents, 2 and 3 in the others, in shares of all kinds.
    eta = 1.5 * rng.normal(size=(400, 2))[:, [0, 0, 1, 1]] + rng.normal(size=(400, 4))
    shares = softmax(eta, axis=1)
    topics = np.kron(np.eye(4), np.full(5, 0.2))
    counts = sparse.csr_array(
        np.stack([rng.multinomial(60, own @ topics) for own in shares]).astype(float)
    )
    model = max((system(4, seed).fit(counts) for seed in range(3)), key=lambda m: m.bounds[-1])
    place = (model.topics() @ topics.T).argmax(axis=1)
    assert sorted(place) == [0, 1, 2, 3]
    found = correlations(model)[np.ix_(np.argsort(place), np.argsort(place))]
    assert min(found[0, 1], found[2, 3]) > 0.2 > -0.1 > found[:2, 2:].max()


@pytest.mark.parametrize("system", SYSTEMS)
def test_planted_groups_are_found_and_the_seed_decides(system):
    corpus, group = planted_corpus(2)
    best = max(agreement(system(3, seed).fit(corpus).infer(corpus), group) for seed in range(3))
    assert best > 0.95
    one, again, other = (system(3, seed, rounds=3).fit(corpus).topics() for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes() != other.tobytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fit_can_be_stopped_and_nonsense_is_refused(system):
    corpus, _ = planted_corpus(0)
    reported = []
    stopped = system(3).fit(
        corpus, progress=lambda share: bool(reported.append(share)) or len(reported) == 2
    )
    assert reported == [1 / 50, 2 / 50]
    assert np.isfinite(stopped.expected_words(corpus)).all()
    empty = sparse.csr_array(np.zeros((1, 15)))
    np.testing.assert_allclose(stopped.bound_or_likelihood(empty), 0.0, atol=1e-6)
    with pytest.raises(InputError, match="not sequences"):
        system(2).fit([np.array([1])])
    with pytest.raises(InputError, match="call fit first"):
        system(2).infer(corpus)
