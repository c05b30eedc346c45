"""Two-layer noisy-OR models, learned by any system and evaluated in the same way."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import sparse

from orrery.core.baselines.noisy_or import N_SAMPLES, FlatNoisyOr, NoisyOrSystem
from orrery.core.data.corpus import Corpus
from orrery.core.inference.kernel_inputs import N_BLOCKS, documents_of, kernel_model, kernel_tables
from orrery.core.kernels.batch import expectation_step, likelihood_step
from orrery.core.model.graph import Graph, build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.training.e_step import training_search
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import train
from orrery.core.utils.types import FloatArray
from tests.benchmarks.data import binary_corpus

# How often it is looked which passes suit the documents to choose by best.
LOOKS = 10


class Documents(NamedTuple):
    """Presence to train on and to choose by, a row each document."""

    train: sparse.csr_array
    valid: sparse.csr_array


def learn(system: NoisyOrSystem, documents: Documents) -> float:
    """Fit, and go back to the pass that suits the documents to choose by best, by its own bound.

    Returns
    -------
    float
        Their mean log-likelihood by the system's own draws, in nats.
    """
    looks, best, values = 0, -np.inf, []

    def progress(share: float) -> bool:
        nonlocal looks, best, values
        if share * LOOKS >= looks + 1:
            looks = int(share * LOOKS)
            bound = float(system.log_weights(documents.valid).mean())
            if bound > best:
                best, values = bound, [value.copy() for value in system.values]
        return False

    system.fit(documents.train, progress=progress)
    system.values = values
    return float(system.bound_or_likelihood(documents.valid).mean())


def learn_ours(
    options: TrainingOptions,
    share: float | None,
    n_topics: int,
    documents: sparse.csr_array,
    width: float = 1.0,
) -> Network:
    """Ours from a complete graph of ``width`` times the topics, which merges and prunes to them.

    If a share is given, edges are pruned to it of a complete graph over the topics.
    """
    n_words = documents.shape[1]
    graph = complete(round(width * n_topics), n_words)
    if width > 1.0:
        options = replace(options, most_topics=n_topics)
    if share is not None:
        # Every word keeps an edge, whatever the share.
        options = replace(options, most_edges=max(int(share * n_topics * n_words), 2 * n_words))
    for state, _ in train(binary_corpus(documents), graph, options):
        network = state.network
    return network


def own_bounds(
    network: Network, options: TrainingOptions, documents: sparse.csr_array
) -> FloatArray:
    """The bound that ours trains by, of each document in nats."""
    bounds, _ = expectation_step(
        *_query(network, documents), kernel_tables(network, options.bound), False,
        training_search(options), N_BLOCKS,
    )  # fmt: skip
    return bounds


def evaluated(model: FlatNoisyOr, documents: sparse.csr_array) -> float:
    """Negative log-likelihood by importance sampling, in nats per document, for any model."""
    chosen = _query(network_of(model), documents)
    likelihood, _ = likelihood_step(*chosen, False, np.uint64(0), N_SAMPLES, N_BLOCKS)
    return -float(likelihood.mean())


def _query(network: Network, documents: sparse.csr_array) -> tuple:
    corpus: Corpus = binary_corpus(documents)
    rows = np.arange(corpus.n_documents)
    return documents_of(network.graph, corpus, rows), kernel_model(network)


def complete(n_topics: int, n_words: int) -> Graph:
    """Every topic above every word."""
    topic, word = np.divmod(np.arange(n_topics * n_words), n_words)
    names = [str(number) for number in range(n_topics)]
    return build_graph(n_words, names, topic, n_topics + word)[0]


def network_of(model: FlatNoisyOr) -> Network:
    """The same model as a network; edges of weight 0 are left out."""
    topic, word = np.nonzero(model.weight)
    n_topics, n_words = model.weight.shape
    names = [str(number) for number in range(n_topics)]
    graph, order = build_graph(n_words, names, topic, n_topics + word)
    leak = np.concatenate([np.logaddexp(0.0, model.log_odds), model.leak])
    return build_network(graph, model.weight[topic, word][order], leak)


def flat(network: Network) -> FlatNoisyOr:
    """A network of two layers as tables."""
    graph = network.graph
    weight = np.zeros((graph.n_topics, graph.n_tokens))
    weight[graph.parent_idx, graph.edge_children() - graph.n_topics] = network.weight
    leak = network.leak
    prior = np.log(np.expm1(leak[: graph.n_topics]))
    return FlatNoisyOr(weight, leak[graph.n_topics :], prior)
