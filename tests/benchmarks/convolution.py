"""Blind deconvolution: images that are unions of a few features, each at any place (PGMax's set).

A latent for every feature and place; all places of a feature share its weights and its prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from orrery.core.data.corpus import Corpus
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.model.graph import build_graph
from orrery.core.model.network import (
    Network,
    build_network,
    probability_to_weight,
    weight_to_probability,
)
from orrery.core.training.gibbs import Ties
from orrery.core.training.monte_carlo_em import Sampler, SamplingPlan, sample_until, start_sampler
from orrery.core.utils.types import BoolArray, FloatArray
from tests.benchmarks.data import binary_corpus, data_file
from tests.benchmarks.recovery import token_weights

# A pixel of a learned feature may miss the truth by this much in probability.
TOLERANCE = 0.05
START_LEAK = 0.02
# Chains of tied latent variables stay at their first agreement with the images; of several starts,
# the one with the highest joint probability of images and chains is used.
STARTS = 8
# For the network of the true features: prior of a feature at a place, probability that it shows a
# pixel, and that a pixel is on by itself.
PRIOR, ACTS, NOISE = 0.01, 0.99, 0.001


def problem() -> tuple[BoolArray, FloatArray]:
    """Images, shape (n_images, height, width), and true features, (n_features, height, width)."""
    content = np.load(data_file("overparam/conv_problem.npz"))
    return content["X"][:, 0] > 0, content["W"][0]


def tied_features(seed: int, sweeps: int) -> int:
    """Number of true features that are learned from the images."""
    images, features = problem()
    return n_close(features, learned_features(images, features.shape, seed, sweeps)[1])


def n_close(features: FloatArray, learned: FloatArray) -> int:
    """Number of true features that are learned, one to one; learned (n_features, n_pixels)."""
    true = features.reshape(len(features), -1)
    is_close = np.abs(true[:, None, :] - learned[None, :, :]).max(axis=2) <= TOLERANCE
    return int(is_close[linear_sum_assignment(is_close, maximize=True)].sum())


def learned_features(
    images: BoolArray, shape: tuple[int, ...], seed: int, sweeps: int
) -> tuple[Network, FloatArray]:
    """The best of several starts: the network, and the probability of every feature's pixels."""
    corpus = binary_corpus(images.reshape(len(images), -1).astype(np.int64))
    found = (
        _learn(corpus, images.shape[1:], shape, [seed, start], sweeps) for start in range(STARTS)
    )
    return max(found, key=lambda item: item[0])[1:]


def _learn(
    corpus: Corpus, image: tuple[int, ...], features: tuple[int, ...], seed: list[int], sweeps: int
) -> tuple[float, Network, FloatArray]:
    """Learn once.

    Returns
    -------
    log_probability : float
        Joint log-probability of images and chains.
    network : Network
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
    return _joint_log_probability(network, corpus, sampler), network, acts.reshape(features[0], -1)


def true_network(image: tuple[int, ...], features: FloatArray) -> Network:
    """Network of the true features, without edges to pixels that they do not have."""
    dense, ties = _tied_network(image, features.shape, [0])
    graph, is_edge = dense.graph, features.ravel()[ties.edge] > 0
    names = list(graph.topic_ids)
    kept, order = build_graph(
        graph.n_tokens, names, graph.parent_idx[is_edge], graph.edge_children()[is_edge]
    )
    weight = np.full(len(order), probability_to_weight(ACTS))
    leak = np.full(graph.n_nodes, probability_to_weight(NOISE))
    leak[: graph.n_topics] = probability_to_weight(PRIOR)
    return build_network(kept, weight, leak)


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The most probable state of an image's latents.

    Attributes
    ----------
    image : bool array, shape (n_pixels,)
        Union of the features that are on.
    n_on : int
        Number of features in it, each at one place.
    is_exact : bool
        Whether no state is more probable.
    """

    image: BoolArray
    n_on: int
    is_exact: bool


def reconstructed(network: Network, image: BoolArray) -> Reconstruction:
    """Most probable state given all pixels."""
    graph, pixels = network.graph, tuple(np.flatnonzero(image).tolist())
    posterior = infer(network, Evidence(pixels, closed_world=True))
    found = most_probable(network, posterior, 1)
    on = np.zeros(graph.n_topics)
    on[found.on(0)] = 1.0
    is_pixel = on @ token_weights(network) >= probability_to_weight(0.5)
    return Reconstruction(is_pixel, int(on.sum()), found.is_exact)


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
