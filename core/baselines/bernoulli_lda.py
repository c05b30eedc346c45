"""LDA with Bernoulli topics by mean field, the baseline of Ji et al. (2019, §6.1).

Blei et al. (2003), with multinomial topics replaced by Bernoulli distributions. A document has a
mixture of topics. Every token of the vocabulary, present or absent, draws one of the topics, and
the topic's Bernoulli distribution for the token determines whether it is present:

    theta_d ~ Dirichlet(alpha, …, alpha)      z_dj | theta_d ~ Categorical(theta_d)
    beta_kj ~ Beta(a, b)                      y_dj | z_dj = k ~ Bernoulli(beta_kj)

Mean field with q(theta_d) = Dirichlet(gamma_d), q(beta_kj) = Beta(present_kj, absent_kj) and
q(z_dj) = phi_dj maximises, by coordinate ascent, the evidence lower bound

    sum_dj log n_dj - sum_d KL(q(theta_d) | p(theta_d)) - sum_kj KL(q(beta_kj) | p(beta_kj)),
    n_dj = sum_k exp(E[log theta_dk] + y_dj E[log beta_kj] + (1 - y_dj) E[log(1 - beta_kj)]),

in which phi_dj is already optimal: the terms of n_dj divided by their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.special import digamma, gammaln

from ..utils.types import FloatArray
from .mean_field_lda import geometric_means
from .system import Baseline, Documents, StoppingCallback, never_stop, presence_of

# Weak priors: Beta(1, 1), and one Dirichlet count divided among the topics.
BETA_PRIOR = (1.0, 1.0)
DIRICHLET_TOTAL = 1.0
# Shape of the Gamma noise on the initial frequencies; without noise, topics would stay identical.
START_NOISE = 4.0
# Training ends when a round improves the bound by less than this relative amount.
TOLERANCE = 1e-6
# Updates of the documents in a round of training; more updates hardly change the result.
DOCUMENT_STEPS = 2
# Inference for a document ends when no topic share changes by more than this.
SHARE_TOLERANCE = 1e-4
MAX_DOCUMENT_STEPS = 100
# Documents whose presence is stored as a dense matrix at a time.
BLOCK = 2048


class BernoulliLdaSystem(Baseline):
    """Bernoulli LDA by batch variational inference.

    After `fit`, ``present`` and ``absent``, shape (n_topics, n_words), are the posterior Beta of
    every topic and word, and `topics` are the posterior means of the Bernoulli probabilities.
    ``bounds`` is the training bound after every round, in nats per document; it never decreases.
    """

    measure: ClassVar[str] = "lower bound on log p(presence of every word), nats"

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        presence = self._training(presence_of(documents))
        n_documents = presence.shape[0]
        present, absent = _start(presence, self.n_topics, self.seed)
        gamma = _even_shares(presence, self.n_topics)
        self.bounds: list[float] = []
        for done in range(self.rounds):
            # Bound of the topics first, because the documents below use these topics.
            bound = -_beta_divergence(present, absent)
            means = _bernoulli_means(present, absent)
            present = np.full(present.shape, BETA_PRIOR[0])
            absent = np.full(absent.shape, BETA_PRIOR[1])
            for block, part in _blocks(presence):
                for _ in range(DOCUMENT_STEPS):
                    gamma[block] = _document_step(part, means, gamma[block])
                theta = geometric_means(gamma[block])
                on, off = _inverse_norms(part, means, theta)
                present += means.on * (theta.T @ on)
                absent += means.off * (theta.T @ off)
                bound += float(_document_bounds(on, off, gamma[block]).sum())
            self.bounds.append(bound / n_documents)
            gain = self.bounds[-1] - self.bounds[-2] if done else np.inf
            if gain < TOLERANCE * abs(self.bounds[-1]) or progress((done + 1) / self.rounds):
                break
        self.present, self.absent = present, absent
        self._topics = present / (present + absent)
        return self

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior mean of the topic shares; rows sum to 1."""
        gamma, _ = self._posterior_shares(documents)
        return np.asarray(gamma / gamma.sum(axis=1, keepdims=True))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Evidence lower bound of each document, with the topics fixed."""
        return self._posterior_shares(documents)[1]

    def _posterior_shares(self, documents: Documents) -> tuple[FloatArray, FloatArray]:
        """Gamma of documents at convergence, with the topics fixed, and their bounds."""
        presence = self._checked(presence_of(documents))
        means = _bernoulli_means(self.present, self.absent)
        gamma = _even_shares(presence, self.n_topics)
        bounds = np.empty(len(gamma))
        for block, part in _blocks(presence):
            for _ in range(MAX_DOCUMENT_STEPS):
                moved = _document_step(part, means, gamma[block])
                change = np.abs(moved - gamma[block]).max(initial=0.0)
                gamma[block] = moved
                if change / (DIRICHLET_TOTAL + self.n_words) < SHARE_TOLERANCE:
                    break
            norms = _inverse_norms(part, means, geometric_means(gamma[block]))
            bounds[block] = _document_bounds(*norms, gamma[block])
        return gamma, bounds


@dataclass(frozen=True, eq=False)
class _BernoulliMeans:
    """exp(E[log beta]) and exp(E[log(1 - beta)]) of every topic and token."""

    on: FloatArray
    off: FloatArray


def _start(presence: sparse.csr_array, n_topics: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Initial Beta parameters: equal shares of the documents, word frequencies with noise."""
    n_documents, n_tokens = presence.shape
    frequency = (np.asarray(presence.sum(axis=0)).ravel() + 0.5) / (n_documents + 1.0)
    noise = np.random.default_rng(seed).gamma(START_NOISE, 1.0 / START_NOISE, (n_topics, n_tokens))
    probability = np.clip(frequency * noise, 1e-3 / n_documents, 1.0 - 1e-3)
    documents = n_documents / n_topics
    return BETA_PRIOR[0] + documents * probability, BETA_PRIOR[1] + documents * (1.0 - probability)


def _even_shares(presence: sparse.csr_array, n_topics: int) -> FloatArray:
    """Initial gamma of documents: every token is divided equally among the topics."""
    n_documents, n_tokens = presence.shape
    return np.full((n_documents, n_topics), (DIRICHLET_TOTAL + n_tokens) / n_topics)


def _blocks(presence: sparse.csr_array) -> Iterator[tuple[slice, FloatArray]]:
    for begin in range(0, presence.shape[0], BLOCK):
        block = slice(begin, begin + BLOCK)
        yield block, presence[block].toarray()


def _bernoulli_means(present: FloatArray, absent: FloatArray) -> _BernoulliMeans:
    total = digamma(present + absent)
    return _BernoulliMeans(np.exp(digamma(present) - total), np.exp(digamma(absent) - total))


def _inverse_norms(
    part: FloatArray, means: _BernoulliMeans, theta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """1 / n_dj for present tokens and 0 elsewhere, then the same for absent tokens."""
    inverse = 1.0 / np.where(part > 0.0, theta @ means.on, theta @ means.off)
    on = part * inverse
    return on, inverse - on


def _document_step(part: FloatArray, means: _BernoulliMeans, gamma: FloatArray) -> FloatArray:
    """gamma_dk = alpha + sum_j phi_dkj with the optimal phi, which is never stored."""
    theta = geometric_means(gamma)
    on, off = _inverse_norms(part, means, theta)
    counts = theta * (on @ means.on.T + off @ means.off.T)
    return np.asarray(DIRICHLET_TOTAL / gamma.shape[1] + counts)


def _document_bounds(on: FloatArray, off: FloatArray, gamma: FloatArray) -> FloatArray:
    """sum_j log n_dj minus the Kullback-Leibler divergence of the document's Dirichlet."""
    log_norms = -np.log(on + off).sum(axis=1)
    total = gamma.sum(axis=1)
    n_topics = gamma.shape[1]
    alpha = DIRICHLET_TOTAL / n_topics
    log_theta = digamma(gamma) - digamma(total)[:, None]
    divergence = (
        gammaln(total)
        - gammaln(gamma).sum(axis=1)
        - gammaln(DIRICHLET_TOTAL)
        + n_topics * gammaln(alpha)
        + ((gamma - alpha) * log_theta).sum(axis=1)
    )
    return np.asarray(log_norms - divergence)


def _beta_divergence(present: FloatArray, absent: FloatArray) -> float:
    """Kullback-Leibler divergence of all topics' Beta distributions from the prior."""
    a, b = BETA_PRIOR
    total = present + absent
    divergence = (
        gammaln(total)
        - gammaln(present)
        - gammaln(absent)
        - (gammaln(a + b) - gammaln(a) - gammaln(b))
        + (present - a) * (digamma(present) - digamma(total))
        + (absent - b) * (digamma(absent) - digamma(total))
    )
    return float(divergence.sum())
