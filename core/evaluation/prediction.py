"""From what is known of the topics to every word: what if it were there, and all else as it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.network import Network

# Numbers in the largest table made at once: 32 MB.
TABLE_SIZE = 2**22


def word_activations(
    network: Network, activations: sparse.csr_array
) -> Iterator[tuple[slice, FloatArray]]:
    """Log of E[exp(a_j)] of every word under the posterior of documents that do not have it.

    A word with activation a is absent with probability exp(-a). So given a document, in which the
    word is absent like all others that are not named, and its posterior, the odds that the word
    would be there instead are ``E[exp(a_j)] - 1`` (MATH §10.4): one posterior serves all words.
    With topics independent given the document,

        log E[exp(a_j)] = w0_j + sum_k log(1 + q_k (exp(w_kj) - 1)).

    Parameters
    ----------
    network : Network
    activations : float64 csr_array, shape (n_documents, n_topics)
        Probabilities of the topics in closed world, as of
        `orrery.core.inference.infer_activations`.

    Yields
    ------
    documents : slice
        Rows of ``activations``, as many at once as memory allows.
    activation : float64 array, shape (n_tokens, n_rows)
        In nats; the odds are its exponential less 1.
    """
    graph = network.graph
    effect = -np.expm1(network.weight)
    tokens = slice(graph.n_topics, graph.n_nodes)
    size = max(1, TABLE_SIZE // max(graph.n_edges, graph.n_nodes))
    for begin in range(0, activations.shape[0], size):
        documents = slice(begin, min(begin + size, activations.shape[0]))
        probability = activations[documents].toarray().T
        summed = network.summed_survivals(probability, effect, tokens)
        yield documents, network.leak[tokens, None] + summed
