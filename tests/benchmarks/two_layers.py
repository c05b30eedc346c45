"""The synthetic sets of Yan et al. (2020), section 4.1: documents of known noisy-OR networks."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import logit

from orrery.core.baselines.noisy_or import FlatNoisyOr
from orrery.core.model.network import MIN_LEAK
from orrery.core.utils.types import FloatArray
from tests.benchmarks.data import data_file
from tests.benchmarks.patterns import patterns

# Probability that a topic activates a pixel of its pattern, and the leak; not reported further.
PIXEL, LEAK = 0.8, 0.01
INK = 128
DIGITS, SIDE = 10, 28


@dataclass(frozen=True, eq=False)
class Drawn:
    """Documents of a known network, presence of shape (n, n_words) each."""

    truth: FlatNoisyOr
    train: sparse.csr_array
    valid: sparse.csr_array
    test: sparse.csr_array


@dataclass(frozen=True)
class Source:
    """A data set: its network by seed, and the share of absent words reported in the paper."""

    network: Callable[[np.random.Generator], FlatNoisyOr]
    sparsity: float


def draw(source: Source, sizes: tuple[int, int, int], seed: int) -> Drawn:
    """Training, validation and test documents; the last two are the same for all sizes.

    Training documents are the first ones of one long list, too.
    """
    truth = source.network(np.random.default_rng([seed, 0]))
    parts = [
        _documents(truth, count, np.random.default_rng([seed, part]))
        for part, count in enumerate(sizes, start=1)
    ]
    return Drawn(truth, *parts)


def _documents(truth: FlatNoisyOr, count: int, rng: np.random.Generator) -> sparse.csr_array:
    prior = 1.0 / (1.0 + np.exp(-truth.log_odds))
    rows = []
    for _ in range(count):
        on = rng.random(len(prior)) < prior
        probability = -np.expm1(-(on @ truth.weight) - truth.leak)
        rows.append(sparse.csr_array((rng.random(len(probability)) < probability)[None] * 1.0))
    return sparse.csr_array(sparse.vstack(rows))


def _of_patterns(pixels: FloatArray, prior: float) -> FlatNoisyOr:
    leak = np.full(pixels.shape[1], -np.log1p(-LEAK))
    return FlatNoisyOr(-np.log1p(-PIXEL) * pixels, leak, np.full(len(pixels), logit(prior)))


def _digits(rng: np.random.Generator) -> FlatNoisyOr:
    """The first digit of each kind among the test images of MNIST."""
    with gzip.open(data_file("mnist/t10k-images-idx3-ubyte.gz")) as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, SIDE * SIDE)
    with gzip.open(data_file("mnist/t10k-labels-idx1-ubyte.gz")) as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)
    first = [int(np.argmax(labels == digit)) for digit in range(DIGITS)]
    return _of_patterns((images[first] >= INK).astype(np.float64), 0.2)


def _random(
    n_words: int, n_topics: int, weight: tuple[float, float], prior: tuple[float, float],
    sparsity: float,
) -> Callable[[np.random.Generator], FlatNoisyOr]:  # fmt: skip
    """Table 3: weights, leaks and priors of Beta; a weight or leak is 0 with the sparsity."""

    def network(rng: np.random.Generator) -> FlatNoisyOr:
        shape = (n_topics, n_words)
        is_kept = rng.random(shape) >= sparsity
        # No topic and no word stays without any edge.
        for topic in np.flatnonzero(~is_kept.any(axis=1)):
            is_kept[topic, rng.integers(n_words)] = True
        for word in np.flatnonzero(~is_kept.any(axis=0)):
            is_kept[rng.integers(n_topics), word] = True
        weights = rng.beta(*weight, shape) * is_kept
        leak = rng.beta(*weight, n_words) * (rng.random(n_words) >= sparsity)
        odds = logit(rng.beta(*prior, n_topics))
        return FlatNoisyOr(weights, np.maximum(leak, MIN_LEAK), odds)

    return network


SOURCES = {
    "SYN-PATTERN": Source(lambda rng: _of_patterns(patterns().astype(np.float64), 0.125), 0.890),
    "SYN-RANDOM-50": Source(_random(50, 100, (1.0, 5.0), (1.0, 10.0), 0.95), 0.942),
    "SYN-RANDOM-500": Source(_random(500, 100, (1.0, 5.0), (1.0, 5.0), 0.95), 0.892),
    "MULTI-MNIST": Source(_digits, 0.803),
}
