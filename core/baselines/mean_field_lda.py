"""LDA by mean field: coordinate ascent and stochastic (Blei et al. 2003).

With q(theta) = Dirichlet(gamma) and the optimal q(z), the bound of one document for fixed topics is

    sum_w n_w log sum_k exp(E[log theta_k]) b_kw - KL(Dirichlet(gamma) | Dirichlet(alpha)),

where b_kw is exp(E[log beta_kw]) under a posterior of the topics, or simply their probabilities.
All systems with topics as distributions over words are evaluated by this bound, so that their
results differ only by their topics.

The updates follow Xing's lecture 7 ("Coordinate ascent algorithm for LDA"), with a Dirichlet
posterior for every topic. In the stochastic form (Hoffman et al. 2010), the topics take a step of
rho_t = (t + DELAY)^-FORGETTING towards the topics that the batch alone implies. The training bound
is the sum of the documents' bounds minus the Kullback-Leibler divergence of every topic from its
prior.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple, Self

import numpy as np
from scipy import sparse
from scipy.special import digamma, gammaln

from ..utils.types import FloatArray
from .system import Baseline, Documents, StoppingCallback, counts_of, never_stop

# Number of entries of the largest temporary table.
TABLE_SIZE = 4_000_000
# Inference for a document ends when no topic share changes by more than this.
SHARE_TOLERANCE = 1e-4
MAX_STEPS = 100


class DocumentPosteriors(NamedTuple):
    """Posterior of documents at convergence."""

    gamma: FloatArray  # float64 (n_documents, n_topics)
    bounds: FloatArray  # float64 (n_documents,): bounds at these gamma, in nats


class MultinomialTopics(Baseline):
    """Base class of systems with topics as distributions over words, which `fit` sets.

    The rows of `topics` sum to 1; `expected_words` are probabilities of the next word drawn.
    """

    measure: ClassVar[str] = "lower bound on log p(words of a document, drawn independently), nats"
    _weights: FloatArray  # float64 (n_topics, n_words): b of the module's formula
    _alpha: FloatArray  # float64 (n_topics,)

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior mean of the topic shares; rows sum to 1."""
        gamma = fit_documents(self._checked(counts_of(documents)), self._weights, self._alpha).gamma
        return np.asarray(gamma / gamma.sum(axis=1, keepdims=True))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Evidence lower bound of each document; 0 for a document without words."""
        return fit_documents(self._checked(counts_of(documents)), self._weights, self._alpha).bounds


def fit_documents(
    counts: sparse.csr_array, weights: FloatArray, alpha: FloatArray
) -> DocumentPosteriors:
    """Update gamma, from equal shares, until the topic shares converge.

    ``counts`` has shape (n_documents, n_words), ``weights`` (n_topics, n_words), ``alpha``
    (n_topics,) and is above 0.
    """
    gamma = even_shares(counts, alpha)
    bounds = np.empty(len(gamma))
    for block in blocks(counts, len(alpha)):
        part = counts[block]
        length = gamma[block].sum(axis=1, keepdims=True)
        for _ in range(MAX_STEPS):
            updated = alpha + step(part, weights, gamma[block])[0]
            change = np.abs((updated - gamma[block]) / length).max(initial=0.0)
            gamma[block] = updated
            if change < SHARE_TOLERANCE:
                break
        bounds[block] = step(part, weights, gamma[block])[1] - divergence(gamma[block], alpha)
    return DocumentPosteriors(gamma, bounds)


def step(
    part: sparse.csr_array, weights: FloatArray, gamma: FloatArray
) -> tuple[FloatArray, FloatArray, sparse.csr_array]:
    """`share_out` with the geometric means of the topic shares under Dirichlets."""
    return share_out(part, weights, geometric_means(gamma))


def share_out(
    part: sparse.csr_array, weights: FloatArray, theta: FloatArray
) -> tuple[FloatArray, FloatArray, sparse.csr_array]:
    """Words of each topic under the optimal q(z), log-normalisers, and counts over normalisers.

    The shapes are (n_documents, n_topics), (n_documents,) and (n_documents, n_words). The
    log-normaliser is ``sum_w n_w log sum_k theta_k b_kw``.
    """
    rows = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
    norm = np.einsum("nk,nk->n", theta[rows], weights.T[part.indices])
    ratio = sparse.csr_array((part.data / norm, part.indices, part.indptr), shape=part.shape)
    log_norms = np.bincount(rows, part.data * np.log(norm), part.shape[0]).astype(np.float64)
    return theta * (ratio @ weights.T), log_norms, ratio


def geometric_means(dirichlet: FloatArray) -> FloatArray:
    """exp(E[log p]) of each row's Dirichlet."""
    return np.asarray(np.exp(digamma(dirichlet) - digamma(dirichlet.sum(axis=1, keepdims=True))))


def divergence(dirichlet: FloatArray, prior: FloatArray) -> FloatArray:
    """Kullback-Leibler divergence of each row's Dirichlet from the prior, shape (n_rows,)."""
    total = dirichlet.sum(axis=1)
    log_mean = digamma(dirichlet) - digamma(total)[:, None]
    return np.asarray(
        gammaln(total)
        - gammaln(dirichlet).sum(axis=1)
        - gammaln(prior.sum())
        + gammaln(prior).sum()
        + ((dirichlet - prior) * log_mean).sum(axis=1)
    )


def even_shares(counts: sparse.csr_array, alpha: FloatArray) -> FloatArray:
    """Initial gamma of documents: each word is divided equally among the topics."""
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    return np.asarray(alpha + lengths[:, None] / len(alpha))


def blocks(counts: sparse.csr_array, n_topics: int) -> Iterator[slice]:
    """Slices of documents whose tables of words by topics stay below `TABLE_SIZE`."""
    begin, max_words = 0, max(1, TABLE_SIZE // n_topics)
    while begin < counts.shape[0]:
        end = int(np.searchsorted(counts.indptr, counts.indptr[begin] + max_words, "right")) - 1
        end = min(max(end, begin + 1), counts.shape[0])
        yield slice(begin, end)
        begin = end


ALPHA, ETA = 0.1, 0.05
TOLERANCE = 1e-5
# Updates of the documents in a round of coordinate ascent; more hardly change the result.
DOCUMENT_STEPS = 3
BATCH, DELAY, FORGETTING = 256, 8.0, 0.7
# Gamma shape of the initial topics, as in Hoffman's code.
START = 100.0


class _MeanFieldLda(MultinomialTopics):
    """Base class of both training methods.

    ``dirichlet``, shape (n_topics, n_words), is the posterior of the topics. ``bounds`` is the
    training bound after every round of coordinate ascent, in nats per document.
    """

    rounds = 100

    def _set(self, dirichlet: FloatArray) -> None:
        self.dirichlet = dirichlet
        self._weights = geometric_means(dirichlet)
        self._topics = dirichlet / dirichlet.sum(axis=1, keepdims=True)

    def _start(self, documents: Documents) -> tuple[sparse.csr_array, np.random.Generator]:
        counts = self._training(counts_of(documents))
        rng = np.random.default_rng(self.seed)
        self._alpha = np.full(self.n_topics, ALPHA)
        self._set(rng.gamma(START, 1.0 / START, (self.n_topics, self.n_words)))
        return counts, rng


class CoordinateLda(_MeanFieldLda):
    """LDA by coordinate ascent over all documents and topics; the bound never decreases."""

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        counts, _ = self._start(documents)
        gamma = even_shares(counts, self._alpha)
        self.bounds: list[float] = []
        for done in range(self.rounds):
            self.bounds.append(self._round(counts, gamma) / counts.shape[0])
            gain = self.bounds[-1] - self.bounds[-2] if done else np.inf
            if gain < TOLERANCE * abs(self.bounds[-1]) or progress((done + 1) / self.rounds):
                break
        return self

    def _round(self, counts: sparse.csr_array, gamma: FloatArray) -> float:
        """Update gamma in place, then the topics; return the bound before the topic update."""
        bound = -float(divergence(self.dirichlet, np.full(self.n_words, ETA)).sum())
        updated = np.full((self.n_topics, self.n_words), ETA)
        for block in blocks(counts, self.n_topics):
            part = counts[block]
            for _ in range(DOCUMENT_STEPS):
                gamma[block] = self._alpha + step(part, self._weights, gamma[block])[0]
            _, log_norms, ratio = step(part, self._weights, gamma[block])
            bound += float((log_norms - divergence(gamma[block], self._alpha)).sum())
            updated += self._weights * (ratio.T @ geometric_means(gamma[block])).T
        self._set(updated)
        return bound


class StochasticLda(_MeanFieldLda):
    """LDA by stochastic variational inference; ``rounds`` passes in random order."""

    rounds = 10

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        counts, rng = self._start(documents)
        n_documents, taken = counts.shape[0], 0
        for done in range(self.rounds):
            order = rng.permutation(n_documents)
            for begin in range(0, n_documents, BATCH):
                batch = counts[order[begin : begin + BATCH]]
                gamma = fit_documents(batch, self._weights, self._alpha).gamma
                ratio = step(batch, self._weights, gamma)[2]
                words = self._weights * (ratio.T @ geometric_means(gamma)).T
                rate = (taken + DELAY) ** -FORGETTING
                seen = ETA + n_documents / batch.shape[0] * words
                self._set((1.0 - rate) * self.dirichlet + rate * seen)
                taken += 1
                if progress((done + min(begin + BATCH, n_documents) / n_documents) / self.rounds):
                    return self
        return self
