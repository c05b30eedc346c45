"""From what is known of some topics down to every word: how probable it is that it is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.network import FloatArray, Network, weight_to_probability

# Numbers in the largest table made at once: 32 MB.
TABLE_SIZE = 2**22


class _Layer(NamedTuple):
    """Nodes of one height and the edges into them.

    Attributes
    ----------
    nodes : int64 array
    leak_off : float64 array, a number a node
        Probability that chance does not switch it on, ``exp(-leak)``.
    parent, effect : arrays, a number an edge
        Parent topic, and the probability that it alone switches its child on.
    child : int64 array
        Positions in ``nodes`` of those that have parents.
    first_edge : int64 array
        Where the edges into each of these begin.
    """

    nodes: npt.NDArray[np.int64]
    leak_off: FloatArray
    parent: npt.NDArray[np.int32]
    effect: FloatArray
    child: npt.NDArray[np.int64]
    first_edge: npt.NDArray[np.int64]


def word_absence(
    network: Network, activations: sparse.csr_array
) -> Iterator[tuple[slice, FloatArray]]:
    """Probability that each word is absent, document by document, given some of its topics.

    All nodes are taken as independent of each other given the probabilities of their parents:
    ``p(off) = exp(-leak) prod_k (1 - p_k (1 - exp(-w_k)))`` (eq. 1 under a factorised posterior),
    from the highest topics down to the words. Absence keeps its digits where presence is near 1.

    Parameters
    ----------
    network : Network
    activations : float64 csr_array, shape (n_documents, n_topics)
        Probabilities of the topics that something is known of, above 0. Every other topic gets
        its own from its parents.

    Yields
    ------
    documents : slice
        Rows of ``activations``, as many at once as memory allows.
    absence : float64 array, shape (n_tokens, n_rows)
    """
    layers = _layers(network)
    size = max(1, TABLE_SIZE // max(network.graph.n_edges, network.graph.n_nodes))
    for begin in range(0, activations.shape[0], size):
        documents = slice(begin, min(begin + size, activations.shape[0]))
        known = activations[documents].toarray().T
        probability = np.zeros_like(known)
        for layer in layers[:-1]:
            given = known[layer.nodes]
            probability[layer.nodes] = np.where(given > 0, given, 1.0 - _off(layer, probability))
        yield documents, _off(layers[-1], probability)


def _layers(network: Network) -> list[_Layer]:
    """All nodes, the highest topics first and the words last, so that parents precede children."""
    graph = network.graph
    effect = weight_to_probability(network.weight)
    heights = graph.heights()
    layers = []
    for height in range(int(heights.max(initial=0)), -1, -1):
        nodes = np.flatnonzero(heights == height)
        count = np.diff(graph.parent_ptr)[nodes]
        first_edge = np.cumsum(count) - count
        edges = np.arange(count.sum()) + np.repeat(graph.parent_ptr[nodes] - first_edge, count)
        child = np.flatnonzero(count)
        layers.append(
            _Layer(
                nodes,
                np.exp(-network.leak[nodes]),
                graph.parent_idx[edges],
                effect[edges],
                child,
                first_edge[child],
            )
        )
    return layers


def _off(layer: _Layer, probability: FloatArray) -> FloatArray:
    """Probability that each node of a layer is off, shape (n_nodes, n_documents)."""
    off = np.repeat(layer.leak_off[:, None], probability.shape[1], axis=1)
    if len(layer.child):
        failed = 1.0 - probability[layer.parent] * layer.effect[:, None]
        off[layer.child] *= np.multiply.reduceat(failed, layer.first_edge, axis=0)
    return off
