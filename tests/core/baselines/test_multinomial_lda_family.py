"""LDA by every method of the papers, against formulas written out and states listed one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import digamma, gammaln, logsumexp
from scipy.stats import dirichlet

from orrery.core.baselines.collapsed_lda import (
    AmfHdp,
    AmfLda,
    GibbsLda,
    SecondOrderHdp,
    SecondOrderLda,
    amf_sweep,
    broken_stick,
    expected_tables,
    gibbs_sweep,
    second_order_sweep,
)
from orrery.core.baselines.mean_field_lda import (
    ETA,
    CoordinateLda,
    StochasticLda,
    fit_documents,
)
from orrery.core.utils.errors import InputError
from tests.core.baselines.test_bernoulli_lda import planted_corpus
from tests.random_networks import several

SYSTEMS = [CoordinateLda, StochasticLda, GibbsLda, AmfLda, SecondOrderLda, AmfHdp, SecondOrderHdp]
seeds = st.integers(0, 2**16)


def random_counts(seed, n_documents=5, n_words=6):
    rng = np.random.default_rng(seed)
    return sparse.csr_array(rng.poisson(0.7, (n_documents, n_words)).astype(float))


def naive_bound(counts, weights, alpha, gamma):
    """The ELBO of one document with every q(z) written out."""
    log_theta = digamma(gamma) - digamma(gamma.sum())
    bound = dirichlet(gamma).entropy() + ((alpha - 1) * log_theta).sum()
    bound += gammaln(alpha.sum()) - gammaln(alpha).sum()
    for word, times in enumerate(counts):
        scores = log_theta + np.log(weights[:, word])
        q = np.exp(scores - logsumexp(scores))
        bound += times * (q * (scores - np.log(q))).sum()
    return bound


def log_evidence(counts, topics, alpha):
    """log p(words) with theta integrated out, every state of every z summed."""
    words = np.repeat(np.arange(len(counts)), counts.astype(int))
    scores = []
    for z in product(range(len(alpha)), repeat=len(words)):
        shares = np.bincount(np.array(z, int), minlength=len(alpha))
        score = (gammaln(alpha + shares) - gammaln(alpha)).sum()
        score += gammaln(alpha.sum()) - gammaln(alpha.sum() + len(words))
        scores.append(score + np.log(topics[list(z), words]).sum())
    return logsumexp(scores)


@several
@given(seeds)
def test_the_bound_of_a_document_is_the_one_written_out_and_below_the_evidence(seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(seed, n_words=4)
    topics, alpha = rng.dirichlet(np.ones(4), 2), rng.gamma(1.0, 1.0, 2) + 0.1
    found = fit_documents(counts, topics, alpha)
    for row, dense in enumerate(counts.toarray()):
        np.testing.assert_allclose(
            found.bounds[row], naive_bound(dense, topics, alpha, found.gamma[row]), atol=1e-12
        )
        assert found.bounds[row] <= log_evidence(dense, topics, alpha) + 1e-9


@several
@given(seeds, st.integers(1, 4))
def test_coordinate_ascent_never_falls(seed, n_topics):
    system = CoordinateLda(n_topics, seed).fit(random_counts(seed, 12))
    assert np.diff(system.bounds).min(initial=0.0) >= -1e-10


def test_one_topic_is_the_evidence():
    counts = random_counts(3)
    system = CoordinateLda(1).fit(counts)
    n = counts.toarray().sum(axis=0)
    evidence = (gammaln(ETA + n) - gammaln(ETA)).sum()
    evidence += gammaln(ETA * 6) - gammaln(ETA * 6 + n.sum())
    np.testing.assert_allclose(system.bounds[-1] * counts.shape[0], evidence)


def words_and_responsibilities(seed, n_topics=3):
    rng = np.random.default_rng(seed)
    document, word = rng.integers(3, size=8), rng.integers(4, size=8)
    q = rng.dirichlet(np.ones(n_topics), 8)
    return document, word, q, rng.gamma(1.0, 1.0, n_topics) + 0.05, 0.3


def tables(document, word, q):
    in_document, of_word = np.zeros((3, q.shape[1])), np.zeros((4, q.shape[1]))
    np.add.at(in_document, document, q)
    np.add.at(of_word, word, q)
    return in_document, of_word, q.sum(axis=0)


@several
@given(seeds, st.booleans())
def test_sweeps_are_equations_16_and_18_written_out(seed, second_order):
    document, word, q, alpha, eta = words_and_responsibilities(seed)
    expected = q.copy()
    for i in range(len(word)):
        rest = np.arange(len(word)) != i
        sums = []
        for values in (expected, expected * (1 - expected)):
            sums.append((values[rest & (document == document[i])].sum(axis=0),
                         values[rest & (word == word[i])].sum(axis=0),
                         values[rest].sum(axis=0)))  # fmt: skip
        (here, there, whole), variances = sums
        here, there, whole = here + alpha, there + eta, whole + 4 * eta
        new = here * there / whole
        if second_order:
            new *= np.exp(
                -variances[0] / (2 * here**2)
                - variances[1] / (2 * there**2)
                + variances[2] / (2 * whole**2)
            )
        expected[i] = new / new.sum()
    moved, means = q.copy(), tables(document, word, q)
    if second_order:
        spread = tables(document, word, q * (1 - q))
        change = second_order_sweep(document, word, moved, *means, *spread, alpha, eta)
        for kept, fresh in zip(spread, tables(document, word, moved * (1 - moved)), strict=True):
            np.testing.assert_allclose(kept, fresh, atol=1e-12)
    else:
        change = amf_sweep(document, word, moved, *means, alpha, eta)
    np.testing.assert_allclose(moved, expected)
    np.testing.assert_allclose(change, np.abs(moved - q).sum())
    for kept, fresh in zip(means, tables(document, word, moved), strict=True):
        np.testing.assert_allclose(kept, fresh, atol=1e-12)


def test_gibbs_sampling_draws_from_the_posterior():
    document, word = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    alpha, eta = np.array([0.6, 0.9]), 0.3

    def log_joint(z):
        in_document, of_word, total = tables(document, word, np.eye(2)[z])
        return (
            gammaln(in_document[:2] + alpha).sum()
            + gammaln(of_word + eta).sum()
            - gammaln(total + 4 * eta).sum()
        )

    states = np.array(list(product(range(2), repeat=4)))
    exact = np.exp([log_joint(z) for z in states])
    exact /= exact.sum()
    rng, topic = np.random.default_rng(0), np.zeros(4, np.int64)
    kept = tables(document, word, np.eye(2)[topic])
    seen = np.zeros(16)
    for _ in range(40_000):
        gibbs_sweep(document, word, topic, *kept, alpha, eta, rng.random(4))
        seen[int("".join(map(str, topic)), 2)] += 1
    np.testing.assert_allclose(seen / seen.sum(), exact, atol=0.015)


def test_tables_of_a_restaurant_are_those_of_its_customers_one_by_one():
    alpha = np.array([0.3, 2.0])
    one_by_one = sum(alpha / (alpha + n) for n in range(7))
    np.testing.assert_allclose(expected_tables(np.full((1, 2), 7.0), alpha)[0], one_by_one)
    np.testing.assert_allclose(expected_tables(np.zeros((1, 2)), alpha), 0.0)


def test_a_broken_stick_is_whole_and_follows_the_tables():
    pieces = broken_stick(np.array([50.0, 30.0, 20.0, 0.0]), 1.0)
    np.testing.assert_allclose(pieces.sum(), 1.0)
    np.testing.assert_allclose(pieces[0], 51.0 / 102.0)
    np.testing.assert_allclose(pieces[1], 51.0 / 102.0 * 31.0 / 52.0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_planted_groups_are_found_and_the_seed_decides(system):
    corpus, group = planted_corpus(2)
    # From some starts two groups share a topic; one of three seeds has to find them all.
    best = max(agreement(system(3, seed).fit(corpus).infer(corpus), group) for seed in range(3))
    assert best > 0.95
    one, again = system(3, 1, rounds=3).fit(corpus), system(3, 1, rounds=3).fit(corpus)
    assert one.topics().tobytes() == again.topics().tobytes()
    assert system(3, 2, rounds=3).fit(corpus).topics().tobytes() != one.topics().tobytes()
    np.testing.assert_allclose(one.topics().sum(axis=1), 1.0)


def agreement(shares, group):
    """Share of documents whose topic's most frequent group is theirs."""
    found = shares.argmax(axis=1)
    return sum(np.bincount(group[found == k]).max() for k in np.unique(found)) / len(group)


@pytest.mark.parametrize("system", SYSTEMS)
def test_counts_are_words_that_come_again_and_empty_documents_are_read(system):
    counts = sparse.csr_array(np.array([[3.0, 0, 1], [0, 0, 0], [1, 1, 1]]))
    model = system(2, 0).fit(counts)
    assert model.bound_or_likelihood(counts)[1] == 0.0
    assert (model.bound_or_likelihood(counts)[[0, 2]] < 0).all()
    assert model.expected_words(counts).shape == (3, 3)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fit_can_be_followed_and_stopped(system):
    corpus, _ = planted_corpus(0)
    reported = []

    def progress(share):
        reported.append(share)
        return len(reported) == 2

    stopped = system(3, 0).fit(corpus, progress=progress)
    assert len(reported) == 2
    assert 0 < reported[0] < reported[1] < 1
    assert stopped.infer(corpus).shape == (300, 3)


def test_what_cannot_be_modelled_is_refused():
    corpus, _ = planted_corpus(0)
    with pytest.raises(InputError, match="n_topics is 0"):
        AmfLda(0)
    with pytest.raises(InputError, match="no document to train on"):
        AmfLda(2).fit(corpus.subset([]))
    with pytest.raises(InputError, match=r"is in a document -1 times"):
        AmfLda(2).fit(sparse.csr_array(np.array([[-1.0, 2.0]])))
    with pytest.raises(InputError, match="not sequences"):
        AmfLda(2).fit(np.array([[1, 2]]))
    with pytest.raises(InputError, match="call fit first"):
        AmfLda(2).infer(corpus)
    with pytest.raises(InputError, match="the model has 15 words and the documents 3"):
        AmfLda(2, rounds=1).fit(corpus).infer(random_counts(0, n_words=3))
