"""Noisy-OR of two layers: bounds against all states summed, slopes against differences."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit, logsumexp

from orrery.core.baselines import conjugate_dual, noisy_or
from orrery.core.baselines.amortized import AcpNoisyOr, AviNoisyOr
from orrery.core.baselines.conjugate_dual import LowerBoundNoisyOr, UpperBoundNoisyOr
from orrery.core.utils.errors import InputError
from tests.core.baselines.test_bernoulli_lda import planted_corpus
from tests.core.baselines.test_multinomial_lda_family import agreement
from tests.random_networks import several

SYSTEMS = [LowerBoundNoisyOr, UpperBoundNoisyOr, AviNoisyOr, AcpNoisyOr]
seeds = st.integers(0, 2**16)


def drawn(system, seed, n_topics=3, n_words=5, n_documents=6):
    """A system of random parameters that was never trained, and random documents."""
    rng = np.random.default_rng(seed)
    presence = (rng.random((n_documents, n_words)) < 0.4).astype(float)
    model = system(n_topics, seed)
    model.n_words = n_words
    model.values = model._start(sparse.csr_array(presence), rng)
    for value in model.values:
        value += rng.normal(0.0, 1.0, value.shape)
    return model, presence


def log_evidence(model, presence):
    """log p(x) of every document, every state of the topics summed, eq. 5 written out."""
    found = []
    for document in presence:
        joints = []
        for states in product([0.0, 1.0], repeat=len(model.log_odds)):
            off = np.exp(-model.leak - np.array(states) @ model.weight)
            prior = expit(np.where(np.array(states) > 0, model.log_odds, -model.log_odds))
            words = np.where(document > 0, 1.0 - off, off)
            joints.append(np.log(prior).sum() + np.log(words).sum())
        found.append(logsumexp(joints))
    return np.array(found)


@contextmanager
def converged():
    """Envelopes are as flat as their optimum is near."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conjugate_dual, "TOLERANCE", 1e-12)
        patch.setattr(conjugate_dual, "MAX_ROUNDS", 1000)
        yield


@several
@given(seeds)
def test_the_joint_and_the_bounds_of_conjugate_duals_hold_the_evidence_between_them(seed):
    lower, presence = drawn(LowerBoundNoisyOr, seed)
    upper, _ = drawn(UpperBoundNoisyOr, seed)
    upper.values = lower.values
    exact = log_evidence(lower.model, presence)
    states = np.array(list(product([0.0, 1.0], repeat=3)))
    for document, value in zip(presence, exact, strict=True):
        joint = lower.model.log_joint(np.tile(document, (8, 1)), states)
        np.testing.assert_allclose(logsumexp(joint), value)
    assert (lower.bounds(presence) <= exact + 1e-9).all()
    assert (exact <= upper.bounds(presence) + 1e-9).all()


@several
@given(seeds)
def test_the_upper_bound_is_the_tightest(seed):
    system, presence = drawn(UpperBoundNoisyOr, seed)
    with converged():
        best = system.bounds(presence)
    rng = np.random.default_rng(seed)
    weight, leak, odds = system.model.weight, system.model.leak, system.model.log_odds
    for _ in range(20):
        psi = rng.gamma(1.0, 1.0, presence.shape) + 1e-3
        total = np.zeros(len(presence))
        for n, document in enumerate(presence):
            on, off = document > 0, document == 0
            g = -psi[n] * np.log(psi[n]) + (psi[n] + 1) * np.log(psi[n] + 1)
            total[n] = (psi[n] * leak - g)[on].sum() - leak[off].sum()
            s = weight[:, on] @ psi[n][on] - weight[:, off].sum(axis=1)
            total[n] += np.log(expit(-odds) + expit(odds) * np.exp(s)).sum()
        assert (best <= total + 1e-6).all()


def objective_of(system, presence, noise):
    """Training objective as a function of the parameters alone."""
    if isinstance(system, AviNoisyOr | AcpNoisyOr):
        return lambda: system.relaxed_bound(presence, noise, 0.4)
    return lambda: system._slopes(presence, np.random.default_rng(0))


@several
@given(seeds, st.sampled_from(SYSTEMS))
def test_slopes_are_central_differences(seed, kind):
    system, presence = drawn(kind, seed)
    rng = np.random.default_rng(seed)
    noise = rng.logistic(size=(4, *presence.shape[:1], 3))
    evaluate = objective_of(system, presence, noise)
    with converged():
        _, slopes = evaluate()
        for value, slope in zip(system.values, slopes, strict=True):
            direction = rng.normal(size=value.shape)
            value += 1e-5 * direction
            above = evaluate()[0]
            value -= 2e-5 * direction
            below = evaluate()[0]
            value += 1e-5 * direction
            expected = (above - below) / 2e-5
            np.testing.assert_allclose((slope * direction).sum(), expected, rtol=2e-3, atol=2e-3)


@several
@given(seeds, st.sampled_from(SYSTEMS))
def test_weighted_samples_estimate_the_evidence_from_below(seed, kind):
    system, presence = drawn(kind, seed)
    exact = log_evidence(system.model, presence)
    weights = system.log_weights(sparse.csr_array(presence), 4000)
    on = system.infer(sparse.csr_array(presence))
    # Exact expectation of the bound under q, every state listed.
    for n, document in enumerate(presence):
        states = np.array(list(product([0.0, 1.0], repeat=3)))
        q = np.prod(np.where(states > 0, on[n], 1 - on[n]), axis=1)
        joint = system.model.log_joint(np.tile(document, (8, 1)), states)
        ratio = joint - np.log(np.maximum(q, 1e-300))
        bound = (q * ratio)[q > 0].sum()
        spread = np.sqrt((q * (ratio - bound) ** 2)[q > 0].sum() / 4000)
        assert bound <= exact[n] + 1e-9
        assert abs(weights[n].mean() - bound) < 6 * spread + 1e-6


@pytest.mark.parametrize("kind", SYSTEMS)
def test_planted_groups_are_found_and_the_seed_decides(kind):
    corpus, group = planted_corpus(2)
    # What raises an upper bound need find nothing, so little of it will do.
    rounds = 2 if kind is UpperBoundNoisyOr else 40
    fitted = [kind(3, seed, rounds=rounds, rate=0.05).fit(corpus) for seed in (1, 1, 2)]
    if kind is not UpperBoundNoisyOr:
        assert max(agreement(system.infer(corpus), group) for system in fitted) > 0.9
        assert fitted[0].reached[-1] > fitted[0].reached[0] + 1.0
    one, again, other = (system.topics().tobytes() for system in fitted)
    assert one == again != other
    found = fitted[0].bound_or_likelihood(corpus)
    assert found.shape == (300,)
    assert np.isfinite(found).all()
    assert fitted[0].expected_words(corpus).shape == (300, 15)


def test_a_fit_can_be_followed_and_stopped_and_refuses_counts():
    corpus, _ = planted_corpus(0)
    told = []
    system = AcpNoisyOr(2, rounds=4).fit(corpus, progress=lambda share: told.append(share) or True)
    assert told == [0.25]
    assert np.isfinite(system.bound_or_likelihood(corpus)).all()
    assert system.infer(corpus.to_csr()[:0]).shape == (0, 2)
    with pytest.raises(InputError, match="models presence"):
        AviNoisyOr(2).fit(2.0 * corpus.to_csr())


def test_documents_are_queried_few_enough_at_once(monkeypatch):
    """A table of every topic of every word of all documents would not fit in memory."""
    system = LowerBoundNoisyOr(50)
    system.n_words = 10
    presence = np.tile([1.0, 0.0], (40, 5))
    system.values = system._start(sparse.csr_array(presence), np.random.default_rng(0))
    whole = system.log_odds(presence)
    sizes, answer = [], system.log_odds
    monkeypatch.setattr(noisy_or, "TABLE_SIZE", 1_000)
    monkeypatch.setattr(
        system, "log_odds", lambda part: sizes.append(part.sum() * 50) or answer(part)
    )
    np.testing.assert_allclose(system.infer(sparse.csr_array(presence)), expit(whole), atol=1e-3)
    assert max(sizes) <= 1_000
