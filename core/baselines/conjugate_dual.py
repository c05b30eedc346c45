"""Two-layer noisy-OR with conjugate-dual bounds, which are linear in the topics.

Jaakkola and Jordan (1999); Šingliar and Hauskrecht (2006); UB-CDI and LB-CDI of Yan et al. (2020).
With the concave function f(a) = log(1 - exp(-a)), a word of activation a = theta_0 + sum_k theta_k
z_k is present with log-probability f(a), which is bounded above and below by

    psi a - g(psi),       g(psi) = -psi log psi + (psi + 1) log(psi + 1)                     (7, 8)
    f(theta_0) + sum_k r_k z_k (f(u_k) - f(theta_0)),       u_k = theta_0 + theta_k / r_k

for any psi > 0 (upper bound), and for any shares r that sum to 1 over the topics (lower bound).
Under either bound the posterior factorises (11), and so does the bound on p(x). Both bounds are
optimised for every document: the upper bound is convex in psi; the lower bound is increased by
fixed-point updates (MATH §3, eq. 10).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit

from ..utils.types import FloatArray
from .noisy_or import FlatNoisyOr, NoisyOrSystem, Slopes, log_on, log_partition

# Optimisation of a document ends when no bound changes by more than this, in nats, or after the
# maximum number of rounds.
TOLERANCE, MAX_ROUNDS = 1e-3, 40
# psi stays positive: a step covers at most MAX_TO_ZERO of the distance to 0. A step that does not
# decrease the upper bound is halved, down to the length MIN_STEP.
MAX_TO_ZERO, MIN_STEP = 0.9, 1e-6
# A share of 0 would stay 0.
MIN_SHARE = 1e-12


class UpperBoundNoisyOr(NoisyOrSystem):
    """UB-CDI: trains by maximising the tightest upper bound.

    The paper does not train by it, because a tighter upper bound gives no better posterior.
    """

    def bounds(self, presence: FloatArray) -> FloatArray:
        """Upper bound on log p(x) of dense documents, in nats, shape (n,)."""
        return _upper_bound(self.model, presence, _optimal_psi(self.model, presence))[0]

    def log_odds(self, presence: FloatArray) -> FloatArray:
        """Log-odds of the posterior (11)."""
        return _upper_bound(self.model, presence, _optimal_psi(self.model, presence))[1]

    def _slopes(self, presence: FloatArray, rng: np.random.Generator) -> Slopes:
        model = self.model
        # At the optimal psi, the gradient of the bound is its partial derivative.
        psi = _optimal_psi(model, presence)
        bound, log_odds = _upper_bound(model, presence, psi)
        on, tilt = expit(log_odds), _tilt(presence, psi)
        return float(bound.sum()), [
            model.weight * (on.T @ tilt),
            model.leak * tilt.sum(axis=0),
            (on - expit(model.log_odds)).sum(axis=0),
        ]


class LowerBoundNoisyOr(NoisyOrSystem):
    """LB-CDI: trains by maximising the tightest lower bound."""

    def bounds(self, presence: FloatArray) -> FloatArray:
        """Lower bound on log p(x) of dense documents, in nats, shape (n,)."""
        return _optimal_shares(self.model, presence).bound

    def log_odds(self, presence: FloatArray) -> FloatArray:
        """Log-odds of the posterior that the lower bound implies."""
        return _optimal_shares(self.model, presence).log_odds

    def _slopes(self, presence: FloatArray, rng: np.random.Generator) -> Slopes:
        model = self.model
        found = _optimal_shares(model, presence)
        document, word = np.nonzero(presence)
        on = expit(found.log_odds)
        by_leak = _inverse_odds(model.leak[word])
        # Eqs 13–16 of Ji et al. (2019): all words absent, plus the effect of present words.
        of_word = sparse.csr_array(
            (np.ones(len(word)), (word, np.arange(len(word)))), (self.n_words, len(word))
        )
        weight = of_word @ (on[document] * (1.0 + found.inverse)) - on.sum(axis=0)
        by_topics = (on[document] * found.share * (found.inverse - by_leak[:, None])).sum(axis=1)
        leak = of_word @ (1.0 + by_leak + by_topics) - len(presence)
        return float(found.bound.sum()), [
            model.weight * weight.T,
            model.leak * leak,
            (on - expit(model.log_odds)).sum(axis=0),
        ]


def _inverse_odds(activation: FloatArray) -> FloatArray:
    """f'(a) = 1 / (exp(a) - 1), without overflow for large activations."""
    return np.asarray(np.exp(-activation) / -np.expm1(-activation))


def _tilt(presence: FloatArray, psi: FloatArray) -> FloatArray:
    """Coefficient of each word's activation in its bound: psi if present, else -1."""
    return np.where(presence > 0.0, psi, -1.0)


def _upper_bound(
    model: FlatNoisyOr, presence: FloatArray, psi: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Upper bound of documents, and the log-odds of their topics (11)."""
    tilt = _tilt(presence, psi)
    dual = -psi * np.log(psi) + (psi + 1.0) * np.log1p(psi)
    log_odds = tilt @ model.weight.T + model.log_odds
    constant = tilt @ model.leak - (presence * dual).sum(axis=1)
    return constant + log_partition(log_odds, model.log_odds), log_odds


def _optimal_psi(model: FlatNoisyOr, presence: FloatArray) -> FloatArray:
    """psi of the tightest upper bound, shape (n, n_words); values of absent words are not used."""
    psi = np.tile(_inverse_odds(model.leak + expit(model.log_odds) @ model.weight),
                  (len(presence), 1))  # fmt: skip
    absent = model.log_odds - (1.0 - presence) @ model.weight.T
    for document, row in enumerate(presence):
        words = np.flatnonzero(row)
        own = model.weight[:, words], model.leak[words], absent[document]
        psi[document, words] = _tightest(*own, psi[document, words])
    return psi


def _tightest(
    weight: FloatArray, leak: FloatArray, log_odds: FloatArray, psi: FloatArray
) -> FloatArray:
    """Minimise the upper bound of one document by Newton's method; it is convex in psi.

    The derivative, E[a_i] - g'(psi_i), is 0 at the fixed point psi_i = 1 / (exp(E[a_i]) - 1) of
    Jaakkola and Jordan (1999); fixed-point iteration alone may cycle.
    """

    def bound(psi: FloatArray) -> float:
        dual = -psi * np.log(psi) + (psi + 1.0) * np.log1p(psi)
        return float(psi @ leak - dual.sum() + np.logaddexp(0.0, log_odds + weight @ psi).sum())

    value = bound(psi)
    for _ in range(MAX_ROUNDS):
        on = expit(log_odds + weight @ psi)
        slope = leak + on @ weight - np.log1p(1.0 / psi)
        curvature = (weight.T * (on * (1.0 - on))) @ weight + np.diag(1.0 / (psi * (1.0 + psi)))
        step = np.linalg.solve(curvature, slope)
        # Near the optimum, half of this is the remaining distance to the tightest bound.
        if slope @ step < TOLERANCE:
            break
        length = min(1.0, MAX_TO_ZERO / max(float((step / psi).max()), 1e-300))
        while (new_value := bound(psi - length * step)) > value and length > MIN_STEP:
            length *= 0.5
        if new_value > value:
            break
        psi, value = psi - length * step, new_value
    return psi


class _Shares(NamedTuple):
    """Lower bound of documents, (n,), the log-odds of their topics, and the state they refer to.

    For every present word, shape (n_present, n_topics): ``share`` r_k, ``rise`` f(u_k) - f(theta_0)
    and ``inverse`` f'(u_k).
    """

    bound: FloatArray
    log_odds: FloatArray
    share: FloatArray
    rise: FloatArray
    inverse: FloatArray


def _optimal_shares(model: FlatNoisyOr, presence: FloatArray) -> _Shares:
    """Maximise the lower bound over the shares r of every present word; it never decreases."""
    document, word = np.nonzero(presence)
    weight = model.weight.T[word]
    found = _lower_bound(model, presence, weight / weight.sum(axis=1, keepdims=True))
    for _ in range(MAX_ROUNDS):
        share = found.share * found.rise - weight * found.inverse
        share *= expit(found.log_odds)[document]
        share = np.maximum(share, MIN_SHARE)
        previous, found = found, _lower_bound(model, presence, share / share.sum(1, keepdims=True))
        if (found.bound - previous.bound).max(initial=0.0) < TOLERANCE:
            break
    return found


def _lower_bound(model: FlatNoisyOr, presence: FloatArray, share: FloatArray) -> _Shares:
    """Lower bound at these shares; contributions of present words are summed by document."""
    document, word = np.nonzero(presence)
    by_leak = log_on(model.leak)
    survival = np.exp(-model.leak[word][:, None] - model.weight.T[word] / share)
    rise = np.log1p(-survival) - by_leak[word][:, None]
    of_document = sparse.csr_array(
        (np.ones(len(word)), (document, np.arange(len(word)))), (len(presence), len(word))
    )
    absent = 1.0 - presence
    log_odds = model.log_odds - absent @ model.weight.T + of_document @ (share * rise)
    constant = presence @ by_leak - absent @ model.leak
    bound = constant + log_partition(log_odds, model.log_odds)
    return _Shares(bound, log_odds, share, rise, survival / (1.0 - survival))
