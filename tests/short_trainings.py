"""Trainings short enough for a test, on documents drawn from a known network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import train
from tests.random_networks import plain_network, sampled_corpus

BOUNDS = ["exact", "jensen"]
SCOPES = ["local", "full"]
OPTIMIZERS = ["adam", "paper"]
N_DOCUMENTS = 150
SHORT = TrainingOptions(epochs=3, batch_size=40)
WEIGHTED = replace(SHORT, importance_samples=4, importance_share=0.5, averaging=0.4)
# Every bound with every optimizer, and what may follow at the end.
KINDS = [
    *(replace(SHORT, bound=bound, optimizer=name) for bound in BOUNDS for name in OPTIMIZERS),
    WEIGHTED,
    replace(SHORT, bound="likelihood"),
]


def example(seed=0, n_documents=N_DOCUMENTS):
    """A graph and documents drawn from a network on it."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng)
    return network.graph, sampled_corpus(network, n_documents, rng)


def last(corpus, graph, options, **settings):
    """State and report after the last step."""
    return list(train(corpus, graph, options, **settings))[-1]
