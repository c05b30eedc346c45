"""Bernoulli LDA: its bound is below the evidence and as written, and planted topics are found."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln, digamma, gammaln, logsumexp, xlogy
from scipy.stats import dirichlet

from orrery.core.baselines import bernoulli_lda
from orrery.core.baselines.bernoulli_lda import BernoulliLdaSystem
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets, several

seeds = st.integers(0, 2**16)
A, B = bernoulli_lda.BETA_PRIOR


def random_corpus(seed, n_documents=12, n_tokens=7):
    rng = np.random.default_rng(seed)
    presence = rng.random((n_documents, n_tokens)) < rng.random(n_tokens)
    return corpus_of_sets([np.flatnonzero(row).tolist() for row in presence], n_tokens)


def planted_corpus(seed, n_groups=3, n_documents=300):
    """Documents of one group each, which hold four of their own group's five words."""
    rng = np.random.default_rng(seed)
    group = rng.integers(n_groups, size=n_documents)
    sets = [(5 * g + rng.permutation(5)[:4]).tolist() for g in group]
    return corpus_of_sets(sets, 5 * n_groups), group


def log_evidence(corpus, n_topics):
    """Log-probability of all documents, every state of every z summed."""
    presence = corpus.to_csr().toarray()
    alpha = bernoulli_lda.DIRICHLET_TOTAL / n_topics
    joints = []
    for states in product(range(n_topics), repeat=presence.size):
        z = np.eye(n_topics)[np.array(states).reshape(presence.shape)]
        shares = z.sum(axis=1)
        log_z = gammaln(shares + alpha) - gammaln(alpha)
        log_total = gammaln(n_topics * alpha) - gammaln(shares.sum(axis=1) + n_topics * alpha)
        on, off = (z * presence[..., None]).sum(axis=0), (z * (1 - presence[..., None])).sum(axis=0)
        joints.append(
            log_z.sum() + log_total.sum() + (betaln(A + on, B + off) - betaln(A, B)).sum()
        )
    return logsumexp(joints)


def naive_document_bound(model, tokens, gamma):
    """The ELBO of one document, topics given, with every phi written out."""
    alpha = bernoulli_lda.DIRICHLET_TOTAL / model.n_topics
    log_theta = digamma(gamma) - digamma(gamma.sum())
    bound = dirichlet(gamma).entropy() + ((alpha - 1.0) * log_theta).sum()
    bound += gammaln(model.n_topics * alpha) - model.n_topics * gammaln(alpha)
    for token in range(model.present.shape[1]):
        side = model.present if token in tokens else model.absent
        log_coin = digamma(side[:, token]) - digamma((model.present + model.absent)[:, token])
        phi = np.exp(log_theta + log_coin) / np.exp(log_theta + log_coin).sum()
        bound += (phi * (log_theta + log_coin)).sum() - xlogy(phi, phi).sum()
    return bound


@several
@given(seeds, st.integers(1, 4))
def test_the_bound_never_falls(seed, n_topics):
    model = BernoulliLdaSystem(n_topics, seed).fit(random_corpus(seed))
    assert np.diff(model.bounds).min(initial=0.0) >= -1e-10


@several
@given(seeds)
def test_the_bound_of_one_topic_is_the_evidence(seed):
    corpus = random_corpus(seed)
    on = corpus.document_frequency()
    evidence = (betaln(A + on, B + corpus.n_documents - on) - betaln(A, B)).sum()
    model = BernoulliLdaSystem(1, seed).fit(corpus)
    np.testing.assert_allclose(model.bounds[-1] * corpus.n_documents, evidence)


@several
@given(seeds, st.integers(1, 3))
def test_the_bound_is_below_the_evidence(seed, n_documents):
    corpus = random_corpus(seed, n_documents, n_tokens=3)
    model = BernoulliLdaSystem(2, seed).fit(corpus)
    assert model.bounds[-1] * n_documents <= log_evidence(corpus, 2) + 1e-9


@several
@given(seeds, st.integers(1, 4))
def test_the_bound_of_a_document_is_the_one_written_out(seed, n_topics):
    corpus = random_corpus(seed)
    model = BernoulliLdaSystem(n_topics, seed, rounds=3).fit(corpus)
    gammas = model.infer(corpus) * (bernoulli_lda.DIRICHLET_TOTAL + corpus.n_tokens)
    expected = [
        naive_document_bound(model, corpus.tokens_of(row), gamma)
        for row, gamma in enumerate(gammas)
    ]
    np.testing.assert_allclose(model.bound_or_likelihood(corpus), expected)


@pytest.mark.parametrize("seed", range(5))
def test_planted_groups_are_found(seed):
    corpus, group = planted_corpus(seed)
    model = BernoulliLdaSystem(3, seed).fit(corpus)
    found = model.infer(corpus).argmax(axis=1)
    agreement = max((np.array(names)[found] == group).mean() for names in permutations(range(3)))
    assert agreement > 0.95


@several
@given(seeds, st.integers(1, 4))
def test_same_seed_same_model(seed, n_topics):
    corpus = random_corpus(seed)
    model, again = (BernoulliLdaSystem(n_topics, seed).fit(corpus) for _ in range(2))
    np.testing.assert_array_equal(model.present, again.present)
    np.testing.assert_array_equal(model.absent, again.absent)
    np.testing.assert_array_equal(model.bounds, again.bounds)


def test_blocks_do_not_change_the_model(monkeypatch):
    corpus = random_corpus(0, n_documents=50)
    whole = BernoulliLdaSystem(3).fit(corpus)
    monkeypatch.setattr(bernoulli_lda, "BLOCK", 7)
    np.testing.assert_allclose(BernoulliLdaSystem(3).fit(corpus).present, whole.present, rtol=1e-6)


def test_proportions_add_to_one_and_probabilities_are_posterior_means():
    corpus = random_corpus(1)
    model = BernoulliLdaSystem(3).fit(corpus)
    shares = model.infer(corpus.subset(np.array([4, 2])))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares, model.infer(corpus)[[4, 2]], atol=1e-2)
    # Every document shares its tokens out, so the Betas hold each token once a document.
    total = (model.present + model.absent).sum(axis=0)
    np.testing.assert_allclose(total, corpus.n_documents + 3 * (A + B))
    np.testing.assert_allclose(model.topics(), model.present / (model.present + model.absent))


def test_nothing_to_train_is_refused():
    with pytest.raises(InputError, match="n_topics is 0; expected 1 or more"):
        BernoulliLdaSystem(0)
    with pytest.raises(InputError, match="no document to train on"):
        BernoulliLdaSystem(2).fit(random_corpus(0).subset(np.empty(0, np.int64)))


def test_another_vocabulary_is_refused():
    model = BernoulliLdaSystem(2).fit(random_corpus(0))
    with pytest.raises(InputError, match="the model has 7 words and the documents 6"):
        model.infer(random_corpus(0, n_tokens=6))
