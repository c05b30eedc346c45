"""Documents drawn from a model itself, with the topics that are truly on in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orrery.core.model.network import Network
from orrery.core.utils.types import BoolArray

# Documents that are drawn together: every word of each takes eight bytes.
_BLOCK = 200


@dataclass(frozen=True, eq=False)
class Drawn:
    """States of all nodes in documents of a model.

    Attributes
    ----------
    is_on : bool array, shape (n_documents, n_topics)
    tokens : csr_array, shape (n_documents, n_tokens)
        The present ones.
    """

    is_on: BoolArray
    tokens: sparse.csr_array


def draw_documents(network: Network, count: int, rng: np.random.Generator) -> Drawn:
    """Draw documents, parents first (eq. 1)."""
    graph = network.graph
    weights = sparse.csc_array(
        (network.weight, graph.parent_idx, graph.parent_ptr), shape=(graph.n_topics, graph.n_nodes)
    )
    blocks = np.array_split(np.arange(count), -(-count // _BLOCK))
    drawn = [_draw(network, weights, len(block), rng) for block in blocks]
    topics, tokens = zip(*drawn, strict=True)
    return Drawn(np.concatenate(topics), sparse.csr_array(sparse.vstack(tokens)))


def _draw(
    network: Network, weights: sparse.csc_array, count: int, rng: np.random.Generator
) -> tuple[BoolArray, sparse.csr_array]:
    graph = network.graph
    is_on = np.zeros((count, graph.n_topics), np.bool_)
    for topic in range(graph.n_topics):
        into = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
        activation = network.leak[topic] + is_on[:, graph.parent_idx[into]] @ network.weight[into]
        is_on[:, topic] = rng.random(count) < -np.expm1(-activation)
    words = is_on.astype(np.float64) @ weights[:, graph.n_topics :]
    probability = -np.expm1(-network.leak[graph.n_topics :] - words)
    return is_on, sparse.csr_array(rng.random(probability.shape) < probability)
