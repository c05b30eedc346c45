"""Base class of the two-layer noisy-OR models, trained by Adam.

Yan, Ailem and Sha (2020), section 2.2. Topic k is on with prior probability mu_k; with activations
a_i = theta_i0 + sum_k theta_ik z_k,

    p(x_i = 0 | z) = exp(-a_i),        p(x_i = 1 | z) = 1 - exp(-a_i) = exp(f(a_i))              (5)

All inference methods of this class give a factorised posterior, q(z) = prod_k q_k(z_k). They differ
in the objective and in the way they compute q.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.special import expit, logsumexp

from ..model.network import MAX_WEIGHT, MIN_LEAK
from ..training.optimizers import ADAM_DECAY, ADAM_EPSILON
from ..utils.types import FloatArray
from .system import Baseline, Documents, StoppingCallback, never_stop, presence_of

# Batch size, the paper's, and learning rate.
BATCH, RATE = 128, 0.02
# Importance samples for the likelihood of a document, as in the paper.
N_SAMPLES = 100
# Initial values: prior of the topics, share of the leak in every word's frequency, and shape of the
# Gamma noise that distinguishes the topics.
START_PRIOR, START_LEAK, START_NOISE = 0.1, 0.5, 2.0
# Number of entries of the largest table in inference: 32 MB.
TABLE_SIZE = 2**22


@dataclass(frozen=True, eq=False)
class FlatNoisyOr:
    """Two-layer noisy-OR model."""

    weight: FloatArray  # float64 (n_topics, n_words): theta_ik, above 0
    leak: FloatArray  # float64 (n_words,): theta_i0, above 0
    log_odds: FloatArray  # float64 (n_topics,): log(mu_k / (1 - mu_k))

    def log_joint(self, presence: FloatArray, states: FloatArray) -> FloatArray:
        """log p(x, z) of documents (n, n_words) and states (n, n_topics) of 0 and 1, in nats."""
        activation = states @ self.weight + self.leak
        document, word = np.nonzero(presence)
        # log(1 - exp(-a)) for present words, -a for absent words. Logarithms are slow, and few
        # words are present.
        on = activation[document, word]
        words = np.bincount(document, on + log_on(on), len(states)) - activation.sum(axis=1)
        topics = states * self.log_odds - np.logaddexp(0.0, self.log_odds)
        return np.asarray(words + topics.sum(axis=1))


class NoisyOrSystem(Baseline):
    """Base class of all inference methods.

    The learning rate of Adam is ``rate`` at first and decreases to 0 along a half cosine over the
    ``rounds`` passes over the documents. ``values`` are the parameters: logarithms of weights and
    leaks, log-odds of the topics, and the parameters of the inference method. ``reached`` is the
    mean training objective of every pass, in nats per document.
    """

    measure: ClassVar[str] = (
        f"log p(presence of every word) by importance sampling, {N_SAMPLES} samples from its own "
        "posterior, nats"
    )
    rounds = 60  # enough at this learning rate

    def __init__(
        self, n_topics: int, seed: int = 0, *, rounds: int | None = None, rate: float = RATE
    ) -> None:
        super().__init__(n_topics, seed, rounds=rounds)
        self.rate = rate
        self.reached: list[float] = []

    @property
    def model(self) -> FlatNoisyOr:
        """Model with the current parameters."""
        log_weight, log_leak, log_odds = self.values[:3]
        return FlatNoisyOr(np.exp(log_weight), np.exp(log_leak), log_odds)

    @abstractmethod
    def log_odds(self, presence: FloatArray) -> FloatArray:
        """log(q_k / (1 - q_k)) of every topic, shape (n, n_topics), for documents (n, n_words)."""

    @abstractmethod
    def _slopes(self, presence: FloatArray, rng: np.random.Generator) -> Slopes:
        """Objective of a batch and its gradients in `values`, both summed over the documents."""

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        presence = self._training(presence_of(documents))
        rng = np.random.default_rng(self.seed)
        self.values = self._start(presence, rng)
        self.reached = []
        moments = [[np.zeros_like(value) for value in self.values] for _ in range(2)]
        n_batches = -(-presence.shape[0] // BATCH)
        for done in range(self.rounds):
            reached = 0.0
            order = rng.permutation(presence.shape[0])
            for place, rows in enumerate(np.array_split(order, n_batches)):
                objective, slopes = self._slopes(presence[rows].toarray(), rng)
                reached += objective
                step = done * n_batches + place
                rate = 0.5 * self.rate * (1.0 + np.cos(np.pi * (step / (self.rounds * n_batches))))
                slopes = [slope / len(rows) for slope in slopes]
                adam_step(self.values, slopes, moments, rate, step + 1)
                # The limits of `Network`.
                for value in self.values[:2]:
                    np.clip(value, np.log(MIN_LEAK), np.log(MAX_WEIGHT), out=value)
            self.reached.append(reached / presence.shape[0])
            if progress((done + 1) / self.rounds):
                break
        return self

    def _start(self, presence: sparse.csr_array, rng: np.random.Generator) -> list[FloatArray]:
        """Initial parameters: the leaks explain part of the words, the topics differ by noise."""
        n_documents = presence.shape[0]
        frequency = (np.asarray(presence.sum(axis=0)).ravel() + 0.5) / (n_documents + 1.0)
        activation = -np.log1p(-frequency)
        noise = rng.gamma(START_NOISE, 1.0 / START_NOISE, (self.n_topics, self.n_words))
        share = (1.0 - START_LEAK) / (self.n_topics * START_PRIOR)
        prior = np.full(self.n_topics, np.log(START_PRIOR) - np.log1p(-START_PRIOR))
        return [
            np.log(np.clip(share * activation * noise, MIN_LEAK, MAX_WEIGHT)),
            np.log(np.clip(START_LEAK * activation, MIN_LEAK, MAX_WEIGHT)),
            prior,
        ]

    def infer(self, documents: Documents) -> FloatArray:
        """Probability that each topic is on."""
        presence = self._checked(presence_of(documents))
        # The lower bound needs one number for every word of a document and every topic.
        words_in = presence.nnz / max(presence.shape[0], 1)
        width = max(self.n_words, round(words_in * self.n_topics))
        found = [self.log_odds(part) for part in self._blocks(presence, width)]
        return expit(np.concatenate([np.empty((0, self.n_topics)), *found]))

    def log_weights(self, documents: Documents, n_samples: int = N_SAMPLES) -> FloatArray:
        """Log importance weights log p(x, z) - log q(z) of posterior samples z.

        The shape is (n, n_samples). Their mean estimates the evidence lower bound (2) of the paper.
        The logarithm of the mean of their exponentials is a lower estimate of log p(x).
        """
        presence = self._checked(presence_of(documents))
        rng, model = np.random.default_rng([self.seed, n_samples]), self.model
        weights = [np.empty((0, n_samples))]
        for part in self._blocks(presence, n_samples * self.n_words):
            log_odds = np.repeat(self.log_odds(part), n_samples, axis=0)
            states = (rng.random(log_odds.shape) < expit(log_odds)).astype(np.float64)
            log_q = (states * log_odds - np.logaddexp(0.0, log_odds)).sum(axis=1)
            log_p = model.log_joint(np.repeat(part, n_samples, axis=0), states)
            weights.append((log_p - log_q).reshape(-1, n_samples))
        return np.concatenate(weights)

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Importance-weighted estimate, a lower bound in expectation (Burda et al. 2016)."""
        return np.asarray(logsumexp(self.log_weights(documents), axis=1) - np.log(N_SAMPLES))

    def topics(self) -> FloatArray:
        """Probability that each topic alone switches on each word."""
        return -np.expm1(-self.model.weight)

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word given all others (MATH §10.4)."""
        model, on = self.model, self.infer(documents)
        odds = np.tile(model.leak, (len(on), 1))
        for share, weight in zip(on.T, model.weight, strict=True):
            odds += np.log1p(share[:, None] * np.expm1(weight))
        return odds

    @staticmethod
    def _blocks(presence: sparse.csr_array, width: int) -> Iterator[FloatArray]:
        """Documents as dense rows, in blocks whose tables of this width stay below `TABLE_SIZE`."""
        size = max(TABLE_SIZE // max(width, 1), 1)
        for begin in range(0, presence.shape[0], size):
            yield presence[begin : begin + size].toarray()


Slopes = tuple[float, list[FloatArray]]


def adam_step(
    values: list[FloatArray],
    slopes: list[FloatArray],
    moments: list[list[FloatArray]],
    rate: float,
    count: int,
) -> None:
    """Take an ascent step of Adam (Kingma and Ba 2015), in place; ``count`` is 1 at the first step.

    ``moments`` holds, for each value, the running means of the gradient and of its square.
    """
    for value, slope, first, second in zip(values, slopes, *moments, strict=True):
        for moment, power, decay in zip((first, second), (1, 2), ADAM_DECAY, strict=True):
            moment += (1.0 - decay) * (slope**power - moment)
        mean, square = (
            moment / (1.0 - decay**count)
            for moment, decay in zip((first, second), ADAM_DECAY, strict=True)
        )
        value += rate * mean / (np.sqrt(square) + ADAM_EPSILON)


def log_on(activation: FloatArray) -> FloatArray:
    """f(a) = log(1 - exp(-a)), the log-probability that a word is present."""
    return np.asarray(np.log(-np.expm1(-activation)))


def log_partition(log_odds: FloatArray, prior: FloatArray) -> FloatArray:
    """sum_k log E[exp(s_k z_k)], where s_k raises the log-odds of a topic from ``prior``."""
    return np.asarray((np.logaddexp(0.0, log_odds) - np.logaddexp(0.0, prior)).sum(axis=1))
