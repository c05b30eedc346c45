"""A neural network of one hidden layer from a document to some numbers, and the way back.

Amortised inference: a neural network reads a document and says what the posterior is.

Yan, Ailem and Sha (2020). AVI (section 2.5) reads the log-odds of the topics off the document. ACP,
amortised conjugate posterior (section 3), reads off the psi_i of the conjugate upper bound and
takes the posterior that those leave (11), so that model and posterior share their weights:

    log(q_k / (1 - q_k)) = log(mu_k / (1 - mu_k)) + sum_{i present} psi_i theta_ik
                                                  - sum_{i absent} theta_ik

Both maximise the evidence lower bound (16), in which only the present words need draws. These are
relaxed (Gumbel-softmax, Jang et al. 2017), z = sigmoid((log-odds of q + logistic noise) / tau),
with tau falling from 0.5 to 0.2, ten a document. Slopes are written out, so nothing else is needed.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.special import expit

from ..utils.types import FloatArray
from .noisy_or import FlatNoisyOr, NoisyOrSystem, Slopes, log_on, pairs_of

HIDDEN = 100


def start_encoder(n_inputs: int, n_outputs: int, rng: np.random.Generator) -> list[FloatArray]:
    """Random weights of the size of Glorot and Bengio (2010), offsets of 0."""
    sizes = (n_inputs, HIDDEN, n_outputs)
    values = []
    for begin, end in pairwise(sizes):
        values += [rng.normal(0.0, np.sqrt(2.0 / (begin + end)), (begin, end)), np.zeros(end)]
    return values


def encode(values: list[FloatArray], inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Outputs (n, n_outputs) of inputs (n, n_inputs), and the hidden layer (n, HIDDEN)."""
    into, offset, out, last = values
    hidden = np.tanh(inputs @ into + offset)
    return hidden @ out + last, hidden


def encoder_slopes(
    values: list[FloatArray], inputs: FloatArray, hidden: FloatArray, slope: FloatArray
) -> list[FloatArray]:
    """Slopes in the values of what has this slope (n, n_outputs) in the outputs."""
    back = (slope @ values[2].T) * (1.0 - hidden**2)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]


# Of the paper's supplement: relaxed draws a document, temperatures at the beginning and the least.
RELAXED_DRAWS, WARM, COLD = 10, 0.5, 0.2
# Parts of `values`: those of the model come first.
N_MODEL = 3


class AmortizedNoisyOr(NoisyOrSystem):
    """What both share: the bound, and its slopes in the model and in the log-odds of q."""

    def _slopes(self, presence: FloatArray, rng: np.random.Generator) -> Slopes:
        shape = (RELAXED_DRAWS, len(presence), self.n_topics)
        return self.relaxed_bound(presence, rng.logistic(size=shape), self._temperature())

    def relaxed_bound(self, presence: FloatArray, noise: FloatArray, temperature: float) -> Slopes:
        """The bound (16), summed over documents, with slopes in `values`.

        Parameters
        ----------
        presence : float64 array, shape (n, n_words)
        noise : float64 array, shape (n_draws, n, n_topics)
            Logistic.
        temperature : float
            Draws are coins at 0.
        """
        model = self.model
        log_odds, hidden, outputs = self._read(model, presence)
        on = expit(log_odds)
        relaxed = expit((log_odds + noise) / temperature)
        document, word = pairs_of(presence)
        # Shape (n_draws, n_present): absent words need no draws.
        activation = (relaxed @ model.weight)[:, document, word] + model.leak[word]
        absent = 1.0 - presence
        n_draws = len(noise)
        divergence = on * (log_odds - model.log_odds)
        divergence += np.logaddexp(0.0, model.log_odds) - np.logaddexp(0.0, log_odds)
        bound = log_on(activation).sum() / n_draws - divergence.sum()
        bound -= (absent @ model.leak).sum() + (on * (absent @ model.weight.T)).sum()
        # Slope in the activations of present words, and from there to everything else.
        lift = np.zeros((n_draws, *presence.shape))
        lift[:, document, word] = 1.0 / np.expm1(activation) / n_draws
        into = (lift @ model.weight.T) * relaxed * (1.0 - relaxed) / temperature
        slope = into.sum(axis=0)
        slope -= on * (1.0 - on) * (absent @ model.weight.T + log_odds - model.log_odds)
        weight = relaxed.reshape(-1, self.n_topics).T @ lift.reshape(-1, self.n_words)
        weight -= on.T @ absent
        leak = lift.sum(axis=(0, 1)) - absent.sum(axis=0)
        prior = (on - expit(model.log_odds)).sum(axis=0)
        weight_by_q, prior_by_q, of_outputs = self._back(model, presence, slope, outputs)
        return float(bound), [
            model.weight * (weight + weight_by_q),
            model.leak * leak,
            prior + prior_by_q,
            *encoder_slopes(self.values[N_MODEL:], presence, hidden, of_outputs),
        ]

    def log_odds(self, presence: FloatArray) -> FloatArray:
        """As the encoder says."""
        return self._read(self.model, presence)[0]

    @abstractmethod
    def _read(
        self, model: FlatNoisyOr, presence: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Log-odds of the topics, hidden layer and outputs of the encoder."""

    @abstractmethod
    def _back(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        """From the slope in the log-odds to those in weights, priors and outputs of the encoder."""

    def _temperature(self) -> float:
        """Falls exponentially over the passes, and no further than to the coldest."""
        done = len(self.reached) / max(self.passes, 1)
        return float(max(WARM * (COLD / WARM) ** (2.0 * done), COLD))


class AviNoisyOr(AmortizedNoisyOr):
    """AVI: log-odds of the topics by the encoder alone."""

    def _start(self, presence: sparse.csr_array, rng: np.random.Generator) -> list[FloatArray]:
        model = super()._start(presence, rng)
        encoder = start_encoder(self.n_words, self.n_topics, rng)
        # Where nothing is known of a document, the posterior is the prior.
        encoder[-1] += model[2]
        return [*model, *encoder]

    def _read(
        self, model: FlatNoisyOr, presence: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        outputs, hidden = encode(self.values[N_MODEL:], presence)
        return outputs, hidden, outputs

    def _back(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        return 0.0, 0.0, slope


class AcpNoisyOr(AmortizedNoisyOr):
    """ACP: psi of every word by the encoder, the posterior by the conjugate bound."""

    def _start(self, presence: sparse.csr_array, rng: np.random.Generator) -> list[FloatArray]:
        model = super()._start(presence, rng)
        return [*model, *start_encoder(self.n_words, self.n_words, rng)]

    def _read(
        self, model: FlatNoisyOr, presence: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        outputs, hidden = encode(self.values[N_MODEL:], presence)
        return self._tilt(presence, outputs) @ model.weight.T + model.log_odds, hidden, outputs

    def _back(
        self, model: FlatNoisyOr, presence: FloatArray, slope: FloatArray, outputs: FloatArray
    ) -> tuple[FloatArray | float, FloatArray | float, FloatArray]:
        of_outputs = presence * (slope @ model.weight) * expit(outputs)
        return slope.T @ self._tilt(presence, outputs), slope.sum(axis=0), of_outputs

    @staticmethod
    def _tilt(presence: FloatArray, outputs: FloatArray) -> FloatArray:
        """psi of present words, which is above 0, and -1 of absent ones."""
        return np.where(presence > 0.0, np.logaddexp(0.0, outputs), -1.0)
