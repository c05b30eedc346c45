"""Documents with known causes: the data of Buhai et al. (2020), and our own patterns."""

from __future__ import annotations

import numpy as np

from tests.benchmarks import patterns
from tests.benchmarks.data import binary_corpus, data_file
from tests.benchmarks.recovery import Problem

# For the 10,000 documents; a tenth is left for evaluating a likelihood.
N_SAMPLES = 9_000


def sampled_network(name: str, n_samples: int = N_SAMPLES) -> Problem:
    """IMG or PLNT: samples of a two-layer network, with its failure probabilities."""
    samples = np.loadtxt(data_file(f"overparam/{name}/samples.txt.xz"), max_rows=n_samples)
    failure = np.loadtxt(data_file(f"overparam/{name}/weights.txt"))
    return Problem(binary_corpus(samples), -np.log(failure) + 0.0)


def drawn_patterns(n_documents: int, seed: int) -> Problem:
    """SYN-PATTERN: noisy unions of eight patterns."""
    return Problem(binary_corpus(patterns.draw(n_documents, seed)), patterns.weights())
