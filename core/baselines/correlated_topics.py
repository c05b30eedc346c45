"""Correlated topic model (logistic normal) by Laplace and by Taylor variational inference.

Xing's lecture 7 (CTM, LoNTAM); Blei and Lafferty (2005), Ahmed and Xing (2006), Wang and Blei
(2013). The shares of a document are theta = softmax(eta) with eta ~ Normal(mu, Sigma), a prior that
is not conjugate. Let n_k be the words of topic k under the optimal q(z), of N in all. Up to a
constant, the log posterior of eta is

    f(eta) = n . eta - N log sum_k exp(eta_k) - (eta - mu)' Sigma^-1 (eta - mu) / 2.

Laplace inference uses q(eta) = Normal(mode of f, inverse curvature at the mode). Taylor inference
expands the second term to second order at the last mean, which makes f quadratic and q its
Gaussian: one Newton step, where Laplace takes as many steps as it needs. At convergence both are
identical.

The bound of a document holds for any q(eta) = Normal(l, V). A constant added to all eta changes no
share, so it is subtracted before Jensen's inequality bounds E[log sum exp eta]. With theta the
shares at l, and v_k the variance of eta_k - theta . eta, the bound is

    sum_w n_w log sum_k theta_k b_kw - N log sum_k theta_k exp(v_k / 2) - KL(q(eta) | p(eta)).
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax

from ..utils.types import FloatArray
from .mean_field_lda import ETA, blocks, share_out
from .system import Baseline, Documents, StoppingCallback, counts_of, never_stop

# Training ends when the mean bound increases by less than this relative amount.
TOLERANCE = 1e-4
# Inference for a document ends when no mean changes by more than this.
MEAN_TOLERANCE = 1e-3
MAX_STEPS = 50
# Updates of the documents in a round of training.
DOCUMENT_STEPS = 3
# Maximum number of Newton steps of Laplace inference on f, and maximum length of a step.
NEWTON_STEPS, MAX_STEP_LENGTH = 8, 2.0
# Prior of the covariance: number of pseudo-documents, and their variance.
PRIOR_DOCUMENTS, PRIOR_VARIANCE = 10.0, 1.0


class Gaussians(NamedTuple):
    """q(eta) of documents."""

    mean: FloatArray  # float64 (n_documents, n_topics)
    covariance: FloatArray  # float64 (n_documents, n_topics, n_topics)


class LaplaceCtm(Baseline):
    """Correlated topic model by Laplace variational inference.

    ``prior_mean``, shape (n_topics,), and ``prior_covariance``, shape (n_topics, n_topics), are mu
    and Sigma. ``bounds`` is the mean bound of the training documents in every round, before the
    topics are updated.
    """

    measure: ClassVar[str] = "lower bound on log p(words of a document, drawn independently), nats"
    newton_steps: ClassVar[int] = NEWTON_STEPS
    rounds = 50

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        counts = self._training(counts_of(documents))
        topics = np.random.default_rng(self.seed).gamma(1.0, 1.0, (self.n_topics, self.n_words))
        self._topics = (topics + 1.0) / (topics + 1.0).sum(axis=1, keepdims=True)
        self.prior_mean = np.zeros(self.n_topics)
        self.prior_covariance = PRIOR_VARIANCE * np.eye(self.n_topics)
        mean = np.zeros((counts.shape[0], self.n_topics))
        self.bounds: list[float] = []
        for done in range(self.rounds):
            self.bounds.append(self._round(counts, mean))
            gain = self.bounds[-1] - self.bounds[-2] if done else np.inf
            if gain < TOLERANCE * abs(self.bounds[-1]) or progress((done + 1) / self.rounds):
                break
        return self

    def _round(self, counts: sparse.csr_array, mean: FloatArray) -> float:
        """Update the means in place, then topics and prior; return the mean bound before that."""
        words = np.full((self.n_topics, self.n_words), ETA)
        spread, bound = np.zeros_like(self.prior_covariance), 0.0
        for block in blocks(counts, self.n_topics):
            part = counts[block]
            q = self._step(part, mean[block])
            for _ in range(DOCUMENT_STEPS - 1):
                q = self._step(part, q.mean)
            mean[block] = q.mean
            theta = softmax(q.mean, axis=1)
            words += self._topics * (share_out(part, self._topics, theta)[2].T @ theta).T
            spread += q.covariance.sum(axis=0)
            bound += float(self._bounds(part, q).sum())
        self._topics = words / words.sum(axis=1, keepdims=True)
        self.prior_mean = mean.mean(axis=0)
        away = mean - self.prior_mean
        prior = PRIOR_DOCUMENTS * PRIOR_VARIANCE * np.eye(self.n_topics)
        total = len(mean) + PRIOR_DOCUMENTS
        self.prior_covariance = (away.T @ away + spread + prior) / total
        return bound / counts.shape[0]

    def _step(self, part: sparse.csr_array, mean: FloatArray) -> Gaussians:
        """Update q(z) at the means, then q(eta)."""
        shares = share_out(part, self._topics, softmax(mean, axis=1))[0]
        precision = self._precision()
        for _ in range(self.newton_steps):
            slope, curvature = self._slope(shares, mean, precision)
            move = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
            length = np.abs(move).max(axis=1, initial=0.0, keepdims=True)
            mean = mean + move * np.minimum(1.0, MAX_STEP_LENGTH / np.maximum(length, 1e-300))
            if length.max(initial=0.0) < MEAN_TOLERANCE:
                break
        curvature = self._slope(shares, mean, precision)[1]
        return Gaussians(mean, np.asarray(np.linalg.inv(curvature), np.float64))

    def _precision(self) -> FloatArray:
        return np.asarray(np.linalg.inv(self.prior_covariance), np.float64)

    def _slope(
        self, shares: FloatArray, mean: FloatArray, precision: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Gradient of f and its negative Hessian."""
        theta, length = softmax(mean, axis=1), shares.sum(axis=1, keepdims=True)
        slope = shares - length * theta - (mean - self.prior_mean) @ precision
        outer = theta[:, :, None] * (np.eye(self.n_topics) - theta[:, None, :])
        return slope, precision + length[:, :, None] * outer

    def _fit_gaussians(self, counts: sparse.csr_array) -> tuple[Gaussians, FloatArray]:
        """q(eta) of documents at convergence, with topics and prior fixed, and their bounds."""
        found: list[Gaussians] = []
        bounds: list[FloatArray] = []
        for block in blocks(counts, self.n_topics * self.n_topics):
            part = counts[block]
            q = self._step(part, np.tile(self.prior_mean, (part.shape[0], 1)))
            for _ in range(MAX_STEPS):
                previous, q = q, self._step(part, q.mean)
                if np.abs(q.mean - previous.mean).max(initial=0.0) < MEAN_TOLERANCE:
                    break
            found.append(q)
            bounds.append(self._bounds(part, q))
        means = np.concatenate([q.mean for q in found])
        covariances = np.concatenate([q.covariance for q in found])
        return Gaussians(means, covariances), np.concatenate(bounds)

    def _bounds(self, part: sparse.csr_array, q: Gaussians) -> FloatArray:
        """Evidence lower bound of each document (formula of the module)."""
        theta = softmax(q.mean, axis=1)
        log_norms = share_out(part, self._topics, theta)[1]
        along = np.einsum("nkl,nl->nk", q.covariance, theta)
        common = (along * theta).sum(axis=1, keepdims=True)
        variance = np.diagonal(q.covariance, axis1=1, axis2=2) - 2.0 * along + common
        length = np.asarray(part.sum(axis=1)).ravel()
        lost = np.log((theta * np.exp(variance / 2.0)).sum(axis=1))
        bounds: FloatArray = log_norms - length * lost - self._divergence(q)
        return bounds

    def _divergence(self, q: Gaussians) -> FloatArray:
        """KL(q(eta) | p(eta)) of each document."""
        precision = self._precision()
        away = q.mean - self.prior_mean
        distance = np.einsum("nk,kl,nl->n", away, precision, away)
        trace = np.einsum("kl,nlk->n", precision, q.covariance)
        log_ratio = np.linalg.slogdet(self.prior_covariance)[1] - np.linalg.slogdet(q.covariance)[1]
        return np.asarray((distance + trace + log_ratio - self.n_topics) / 2.0)

    def infer(self, documents: Documents) -> FloatArray:
        """Topic shares at the means of eta; rows sum to 1."""
        counts = self._checked(counts_of(documents))
        return np.asarray(softmax(self._fit_gaussians(counts)[0].mean, axis=1))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Evidence lower bound of each document, with topics and prior fixed."""
        return self._fit_gaussians(self._checked(counts_of(documents)))[1]


class TaylorCtm(LaplaceCtm):
    """Correlated topic model by a Taylor expansion: one Newton step for each q(z)."""

    newton_steps: ClassVar[int] = 1
