"""Latent Dirichlet allocation by mean field: coordinate ascent, and stochastic.

Blei et al. (2003); the updates are those of Xing's lecture 7 ("Coordinate ascent algorithm for
LDA"), with a Dirichlet posterior for every topic. The stochastic form is Hoffman et al. (2010): the
topics take a step of rho_t = (t + DELAY)^-FORGETTING towards what a batch alone would make of them.

The training bound is the sum of the documents' bounds (`multinomial_documents`) less the
Kullback-Leibler divergence of every topic from its prior.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.rivals.face import Documents, Watch, counts_of, unwatched
from orrery.core.rivals.multinomial_documents import (
    MultinomialTopics,
    blocks,
    divergence,
    even_shares,
    geometric_means,
    settle,
    step,
)

ALPHA, ETA = 0.1, 0.05
TOLERANCE = 1e-5
# Steps on the documents in a round of coordinate ascent; more of them change the end little.
DOCUMENT_STEPS = 3
BATCH, DELAY, FORGETTING = 256, 8.0, 0.7
# Topics start from a random Dirichlet of this many counts a word, as in Hoffman's code.
START = 100.0


class _MeanFieldLda(MultinomialTopics):
    """What both ways of training share.

    Attributes
    ----------
    dirichlet : float64 array, shape (n_topics, n_words)
        Posterior of the topics.
    bounds : list of float
        Training bound after every round of coordinate ascent, in nats per document.
    """

    def __init__(
        self, n_topics: int, seed: int = 0, *, rounds: int = 100, alpha: float = ALPHA,
        eta: float = ETA,
    ) -> None:  # fmt: skip
        super().__init__(n_topics, seed)
        self.rounds, self.eta = rounds, eta
        self._alpha = np.full(n_topics, alpha)
        self.bounds: list[float] = []

    def _set(self, dirichlet: FloatArray) -> None:
        self.dirichlet = dirichlet
        self._weights = geometric_means(dirichlet)
        self._topics = dirichlet / dirichlet.sum(axis=1, keepdims=True)

    def _start(self, documents: Documents) -> tuple[sparse.csr_array, np.random.Generator]:
        counts = self._training(counts_of(documents))
        rng = np.random.default_rng(self.seed)
        self._set(rng.gamma(START, 1.0 / START, (self.n_topics, self.n_words)))
        return counts, rng


class CoordinateLda(_MeanFieldLda):
    """Every document, then the topics, until the bound settles; it never falls."""

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        counts, _ = self._start(documents)
        gamma = even_shares(counts, self._alpha)
        self.bounds = []
        for done in range(self.rounds):
            self.bounds.append(self._round(counts, gamma) / counts.shape[0])
            gain = self.bounds[-1] - self.bounds[-2] if done else np.inf
            if gain < TOLERANCE * abs(self.bounds[-1]) or watch((done + 1) / self.rounds):
                break
        return self

    def _round(self, counts: sparse.csr_array, gamma: FloatArray) -> float:
        """Move gamma in place, then the topics; returns the bound before the topics moved."""
        bound = -float(divergence(self.dirichlet, np.full(self.n_words, self.eta)).sum())
        moved = np.full((self.n_topics, self.n_words), self.eta)
        for block in blocks(counts, self.n_topics):
            part = counts[block]
            for _ in range(DOCUMENT_STEPS):
                gamma[block] = self._alpha + step(part, self._weights, gamma[block])[0]
            _, log_norms, ratio = step(part, self._weights, gamma[block])
            bound += float((log_norms - divergence(gamma[block], self._alpha)).sum())
            moved += self._weights * (ratio.T @ geometric_means(gamma[block])).T
        self._set(moved)
        return bound


class StochasticLda(_MeanFieldLda):
    """Batches of documents in random order, passes over all of them ``rounds`` times."""

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int = 10, **options: float) -> None:
        super().__init__(n_topics, seed, rounds=rounds, **options)

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        counts, rng = self._start(documents)
        n_documents, taken = counts.shape[0], 0
        for done in range(self.rounds):
            order = rng.permutation(n_documents)
            for begin in range(0, n_documents, BATCH):
                batch = counts[order[begin : begin + BATCH]]
                gamma = settle(batch, self._weights, self._alpha).gamma
                ratio = step(batch, self._weights, gamma)[2]
                words = self._weights * (ratio.T @ geometric_means(gamma)).T
                rate = (taken + DELAY) ** -FORGETTING
                seen = self.eta + n_documents / batch.shape[0] * words
                self._set((1.0 - rate) * self.dirichlet + rate * seen)
                taken += 1
                if watch((done + min(begin + BATCH, n_documents) / n_documents) / self.rounds):
                    return self
        return self
