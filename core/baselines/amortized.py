"""Two-layer noisy-OR with amortised inference: a neural network computes the posterior.

Yan, Ailem and Sha (2020). In AVI (section 2.5), an encoder with one hidden layer maps a document to
the log-odds of the topics. In ACP (amortised conjugate posterior, section 3), it maps the document
to the psi_i of the conjugate upper bound. This bound implies the posterior (11), so that the model
and the posterior share their weights:

    log(q_k / (1 - q_k)) = log(mu_k / (1 - mu_k)) + sum_{i present} psi_i theta_ik
                                                  - sum_{i absent} theta_ik

Both maximise the evidence lower bound (16), in which only the present words need samples. These are
relaxed (Gumbel-softmax, Jang et al. 2017), z = sigmoid((log-odds of q + logistic noise) / tau),
with ten samples for each document and tau decreasing from 0.5 to 0.2. The gradients are derived by
hand, so no package for automatic differentiation is needed.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.special import expit

from ..utils.types import FloatArray
from .noisy_or import FlatNoisyOr, NoisyOrSystem, Slopes, log_on

HIDDEN = 100


def start_encoder(n_inputs: int, n_outputs: int, rng: np.random.Generator) -> list[FloatArray]:
    """Random weights with the scale of Glorot and Bengio (2010), and biases of 0."""
    sizes = (n_inputs, HIDDEN, n_outputs)
    values = []
    for begin, end in pairwise(sizes):
        values += [rng.normal(0.0, np.sqrt(2.0 / (begin + end)), (begin, end)), np.zeros(end)]
    return values


def encode(values: list[FloatArray], inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Outputs (n, n_outputs) for inputs (n, n_inputs), and the hidden layer (n, HIDDEN)."""
    into, offset, out, last = values
    hidden = np.tanh(inputs @ into + offset)
    return hidden @ out + last, hidden


def encoder_slopes(
    values: list[FloatArray], inputs: FloatArray, hidden: FloatArray, slope: FloatArray
) -> list[FloatArray]:
    """Gradient in the parameters, given the gradient in the outputs ``slope`` (n, n_outputs)."""
    grad_hidden = (slope @ values[2].T) * (1.0 - hidden**2)
    return [inputs.T @ grad_hidden, grad_hidden.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]


# From the paper's supplement: relaxed samples for each document, initial and final temperature.
N_RELAXED, T_START, T_END = 10, 0.5, 0.2
# The first parts of `values` belong to the model, the others to the encoder.
N_MODEL = 3


class AmortizedNoisyOr(NoisyOrSystem):
    """Evidence lower bound of both systems, with gradients in the model and the log-odds of q."""

    def _slopes(self, presence: FloatArray, rng: np.random.Generator) -> Slopes:
        shape = (N_RELAXED, len(presence), self.n_topics)
        # The temperature decreases exponentially over the passes to its final value.
        done = len(self.reached) / self.rounds
        temperature = float(max(T_START * (T_END / T_START) ** (2.0 * done), T_END))
        return self.relaxed_bound(presence, rng.logistic(size=shape), temperature)

    def relaxed_bound(self, presence: FloatArray, noise: FloatArray, temperature: float) -> Slopes:
        """Evidence lower bound (16), summed over documents, with its gradients in `values`.

        The logistic ``noise`` has shape (n_samples, n, n_topics). At temperature 0 the samples are
        binary.
        """
        model = self.model
        outputs, hidden = encode(self.values[N_MODEL:], presence)
        log_odds = self._log_odds(model, presence, outputs)
        on = expit(log_odds)
        relaxed = expit((log_odds + noise) / temperature)
        document, word = np.nonzero(presence)
        # Shape (n_samples, n_present): absent words need no samples.
        activation = (relaxed @ model.weight)[:, document, word] + model.leak[word]
        absent = 1.0 - presence
        n_samples = len(noise)
        divergence = on * (log_odds - model.log_odds)
        divergence += np.logaddexp(0.0, model.log_odds) - np.logaddexp(0.0, log_odds)
        bound = log_on(activation).sum() / n_samples - divergence.sum()
        bound -= (absent @ model.leak).sum() + (on * (absent @ model.weight.T)).sum()
        # Gradient in the activations of present words, and then in all other quantities.
        grad_activation = np.zeros((n_samples, *presence.shape))
        grad_activation[:, document, word] = 1.0 / np.expm1(activation) / n_samples
        into = (grad_activation @ model.weight.T) * relaxed * (1.0 - relaxed) / temperature
        slope = into.sum(axis=0)
        slope -= on * (1.0 - on) * (absent @ model.weight.T + log_odds - model.log_odds)
        weight = relaxed.reshape(-1, self.n_topics).T @ grad_activation.reshape(-1, self.n_words)
        weight -= on.T @ absent
        leak = grad_activation.sum(axis=(0, 1)) - absent.sum(axis=0)
        prior = (on - expit(model.log_odds)).sum(axis=0)
        weight_by_q, prior_by_q, grad_outputs = self._backward(model, presence, slope, outputs)
        return float(bound), [
            model.weight * (weight + weight_by_q),
            model.leak * leak,
            prior + prior_by_q,
            *encoder_slopes(self.values[N_MODEL:], presence, hidden, grad_outputs),
        ]

    def log_odds(self, presence: FloatArray) -> FloatArray:
        """Log-odds of the topics, computed by the encoder."""
        outputs, _ = encode(self.values[N_MODEL:], presence)
        return self._log_odds(self.model, presence, outputs)

    @abstractmethod
    def _log_odds(
        self, model: FlatNoisyOr, presence: FloatArray, outputs: FloatArray
    ) -> FloatArray:
        """Log-odds of the topics, given the outputs of the encoder."""

    @abstractmethod
    def _backward(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        """Gradients in weights, priors and encoder outputs, given the gradient in the log-odds."""


class AviNoisyOr(AmortizedNoisyOr):
    """AVI: the encoder computes the log-odds of the topics."""

    def _start(self, presence: sparse.csr_array, rng: np.random.Generator) -> list[FloatArray]:
        model = super()._start(presence, rng)
        encoder = start_encoder(self.n_words, self.n_topics, rng)
        # Without a contribution of the hidden layer, the posterior equals the prior.
        encoder[-1] += model[2]
        return [*model, *encoder]

    def _log_odds(
        self, model: FlatNoisyOr, presence: FloatArray, outputs: FloatArray
    ) -> FloatArray:
        return outputs

    def _backward(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        return 0.0, 0.0, slope


class AcpNoisyOr(AmortizedNoisyOr):
    """ACP: the encoder computes psi of every word, and the conjugate bound gives the posterior."""

    def _start(self, presence: sparse.csr_array, rng: np.random.Generator) -> list[FloatArray]:
        model = super()._start(presence, rng)
        return [*model, *start_encoder(self.n_words, self.n_words, rng)]

    def _log_odds(
        self, model: FlatNoisyOr, presence: FloatArray, outputs: FloatArray
    ) -> FloatArray:
        return np.asarray(self._tilt(presence, outputs) @ model.weight.T + model.log_odds)

    def _backward(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        grad_outputs = presence * (slope @ model.weight) * expit(outputs)
        return slope.T @ self._tilt(presence, outputs), slope.sum(axis=0), grad_outputs

    @staticmethod
    def _tilt(presence: FloatArray, outputs: FloatArray) -> FloatArray:
        """psi of present words, which is positive, and -1 of absent words."""
        return np.where(presence > 0.0, np.logaddexp(0.0, outputs), -1.0)
