"""Blind deconvolution: images that are unions of a few features, each at any place (PGMax's set).

A latent for every feature and place; all places of a feature share its weights and its prior.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network, weight_to_probability
from orrery.core.training.gibbs import Ties
from orrery.core.training.monte_carlo_em import Sampler, SamplingPlan, sample_until, start_sampler
from orrery.core.utils.types import FloatArray
from tests.benchmarks.data import binary_corpus, data_file
from tests.benchmarks.recovery import token_weights

# A pixel of a learned feature may miss the truth by this much in probability.
TOLERANCE = 0.05
START_LEAK = 0.02
# Chains of tied latent variables stay at their first agreement with the images; of several starts,
# the one with the highest joint probability of images and chains is used.
STARTS = 8


def tied_features(seed: int, sweeps: int) -> int:
    """Number of true features that are learned from the images."""
    content = np.load(data_file("overparam/conv_problem.npz"))
    images, features = content["X"][:, 0], content["W"][0]
    corpus = binary_corpus(images.reshape(len(images), -1))
    found = (
        _learn(corpus, images.shape[1:], features.shape, [seed, start], sweeps)
        for start in range(STARTS)
    )
    learned = max(found, key=lambda item: item[0])[1]
    true = features.reshape(len(features), -1)
    is_close = np.abs(true[:, None, :] - learned[None, :, :]).max(axis=2) <= TOLERANCE
    return int(is_close[linear_sum_assignment(is_close, maximize=True)].sum())


def _learn(
    corpus: Corpus, image: tuple[int, ...], features: tuple[int, ...], seed: list[int], sweeps: int
) -> tuple[float, FloatArray]:
    """Learn once.

    Returns
    -------
    log_probability : float
        Joint log-probability of images and chains.
    features : float64 array, shape (n_features, n_pixels)
        Probability of every pixel.
    """
    network, ties = _tied_network(image, features, seed)
    stream = int(np.random.SeedSequence(seed).generate_state(1)[0])
    plan = SamplingPlan(sweeps, weight_penalty=0.0, seed=stream, full=True, ties=ties)
    sampler = start_sampler(network, corpus, np.arange(corpus.n_documents), plan)
    network, sampler = sample_until(network, corpus, sampler, plan, sweeps)
    acts = np.zeros(int(np.prod(features)))
    acts[ties.edge] = weight_to_probability(network.weight)
    return _joint_log_probability(network, corpus, sampler), acts.reshape(features[0], -1)


def _joint_log_probability(network: Network, corpus: Corpus, sampler: Sampler) -> float:
    """Joint log-probability of all images and the latent variables of their chains, in nats."""
    graph = network.graph
    latents = sampler.chains.state.reshape(-1, graph.n_topics).astype(np.float64)
    activity = np.tile(network.leak, (len(latents), 1))
    activity[:, graph.n_topics :] += latents @ token_weights(network)
    is_on = np.hstack([latents, corpus.to_csr().toarray()]) > 0
    return float(np.where(is_on, np.log(-np.expm1(-activity)), -activity).sum())


def _tied_network(
    image: tuple[int, ...], features: tuple[int, ...], seed: list[int]
) -> tuple[Network, Ties]:
    n_features, height, width = features
    places = (image[0] - height + 1, image[1] - width + 1)
    feature, row, column, pixel_row, pixel_column = np.indices(
        (n_features, *places, height, width)
    ).reshape(5, -1)
    latent = (feature * places[0] + row) * places[1] + column
    n_latents = n_features * places[0] * places[1]
    pixel = (row + pixel_row) * image[1] + column + pixel_column
    group = (feature * height + pixel_row) * width + pixel_column
    names = [f"{number}" for number in range(n_latents)]
    graph, order = build_graph(int(np.prod(image)), names, latent, n_latents + pixel)
    # All pixels share one chance to be on by themselves.
    of_latent = np.array([int(name) for name in graph.topic_ids]) // (places[0] * places[1])
    node = np.concatenate([of_latent, np.full(graph.n_tokens, n_features)])
    ties = Ties(edge=group[order], node=node)
    weight = np.random.default_rng(seed).gamma(1.0, 0.5, graph.n_edges)
    return ties.tie(build_network(graph, weight, np.full(graph.n_nodes, START_LEAK))), ties
