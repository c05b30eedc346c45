"""Documents under multinomial topics: mean field of a document, topics held (Blei et al. 2003).

With q(theta) = Dirichlet(gamma) and the best q(z), the bound of one document is

    sum_w n_w log sum_k exp(E[log theta_k]) b_kw - KL(Dirichlet(gamma) | Dirichlet(alpha)),

where b_kw is exp(E[log beta_kw]) under a posterior of the topics, or simply their probabilities.
All systems whose topics are distributions over words are asked by it, so that their bounds differ
by their topics alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import digamma, gammaln

from orrery.core.arrays import FloatArray
from orrery.core.rivals.face import Documents, Rival, counts_of

# Numbers in the largest table that is made at a time.
TABLE_SIZE = 4_000_000
# A document is done when none of its shares moves by more than this.
SHARE_TOLERANCE = 1e-4
MOST_STEPS = 100


class Settled(NamedTuple):
    """What mean field makes of documents.

    Attributes
    ----------
    gamma : float64 array, shape (n_documents, n_topics)
    bounds : float64 array, shape (n_documents,)
        At these gamma, in nats.
    """

    gamma: FloatArray
    bounds: FloatArray


class MultinomialTopics(Rival):
    """A system whose topics are distributions over words; a fit sets the three arrays.

    Attributes
    ----------
    _topics : float64 array, shape (n_topics, n_words)
        Rows add to 1.
    _weights : float64 array of the same shape
        b of the module's formula.
    _alpha : float64 array, shape (n_topics,)
    """

    measure: ClassVar[str] = "lower bound on log p(words of a document as draws), nats"
    _topics: FloatArray
    _weights: FloatArray
    _alpha: FloatArray

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior mean shares of the topics; rows add to 1."""
        gamma = settle(self._asked(counts_of(documents)), self._weights, self._alpha).gamma
        return np.asarray(gamma / gamma.sum(axis=1, keepdims=True))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Bound of the module's formula; 0 for a document without words."""
        return settle(self._asked(counts_of(documents)), self._weights, self._alpha).bounds

    def topics(self) -> FloatArray:
        """Probability of each word in each topic."""
        return self._topics

    def expected_words(self, documents: Documents) -> FloatArray:
        """Probability of each word to be the next one drawn."""
        return self.infer(documents) @ self._topics


def settle(counts: sparse.csr_array, weights: FloatArray, alpha: FloatArray) -> Settled:
    """Ascend until no share of a topic moves, from even shares.

    Parameters
    ----------
    counts : csr_array, shape (n_documents, n_words)
    weights : float64 array, shape (n_topics, n_words)
    alpha : float64 array, shape (n_topics,)
        Above 0.
    """
    gamma = even_shares(counts, alpha)
    bounds = np.empty(len(gamma))
    for block in blocks(counts, len(alpha)):
        part = counts[block]
        length = gamma[block].sum(axis=1, keepdims=True)
        for _ in range(MOST_STEPS):
            moved = alpha + step(part, weights, gamma[block])[0]
            change = np.abs((moved - gamma[block]) / length).max(initial=0.0)
            gamma[block] = moved
            if change < SHARE_TOLERANCE:
                break
        bounds[block] = step(part, weights, gamma[block])[1] - divergence(gamma[block], alpha)
    return Settled(gamma, bounds)


def step(
    part: sparse.csr_array, weights: FloatArray, gamma: FloatArray
) -> tuple[FloatArray, FloatArray, sparse.csr_array]:
    """As `share_out`, by the geometric means of the shares under Dirichlets."""
    return share_out(part, weights, geometric_means(gamma))


def share_out(
    part: sparse.csr_array, weights: FloatArray, theta: FloatArray
) -> tuple[FloatArray, FloatArray, sparse.csr_array]:
    """Words of each topic under the best q(z), log-normalisers, and counts over normalisers.

    Returns
    -------
    shares : float64 array, shape (n_documents, n_topics)
    log_norms : float64 array, shape (n_documents,)
        ``sum_w n_w log sum_k theta_k b_kw``.
    ratio : csr_array, shape (n_documents, n_words)
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
    """Kullback-Leibler divergence of each row's Dirichlet from the prior's, shape (n_rows,)."""
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
    """Dirichlets of documents of which nothing is known: each word shared out evenly."""
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    return np.asarray(alpha + lengths[:, None] / len(alpha))


def blocks(counts: sparse.csr_array, n_topics: int) -> Iterator[slice]:
    """Documents in parts whose tables of words by topics stay small."""
    begin, most = 0, max(1, TABLE_SIZE // n_topics)
    while begin < counts.shape[0]:
        end = int(np.searchsorted(counts.indptr, counts.indptr[begin] + most, "right")) - 1
        end = min(max(end, begin + 1), counts.shape[0])
        yield slice(begin, end)
        begin = end
