"""How well the topics of a document explain its words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .evidence import edges_into

# Smallest probability of a word.
MIN_PROBABILITY = 1e-9


class WordFit(NamedTuple):
    """How well the words of each document are explained; arrays of shape (n_documents,)."""

    n_known: Int64Array  # number of different words of the vocabulary
    n_unknown: Int64Array  # number of different words outside the vocabulary
    # Share of its words that only the leak explains, 0 without words. A word outside the vocabulary
    # is one of them.
    unexplained: FloatArray

    @property
    def n_words(self) -> Int64Array:
        """Number of different words of each document."""
        return self.n_known + self.n_unknown


def word_fit(
    network: Network, corpus: Corpus, probability: sparse.csr_array, n_unknown: Int64Array
) -> WordFit:
    """Fit of documents with known topics.

    Given the topics, a word is present because of a topic or because of its leak: it is absent with
    probability ``exp(-leak) * product of (1 - p_k (1 - exp(-w_k)))`` over its parents k, which
    count as independent.

    Parameters
    ----------
    probability : csr_array, shape (n_documents, n_topics)
        Posterior probability of each topic in each document.
    n_unknown : int64 array, shape (n_documents,)
        Number of different words of each document outside the vocabulary.
    """
    graph = network.graph
    n_known = np.diff(corpus.token_ptr)
    document = np.repeat(np.arange(corpus.n_documents), n_known)
    node = corpus.token_idx + np.int32(graph.n_topics)
    edge = edges_into(graph, node)
    occurrence = np.repeat(
        np.arange(len(node)), graph.parent_ptr[node + 1] - graph.parent_ptr[node]
    )
    is_on = probability.toarray()[document[occurrence], graph.parent_idx[edge]]
    failure = np.log1p(is_on * np.expm1(-network.weight[edge]))
    log_failure = np.bincount(occurrence, failure, minlength=len(node))
    leak = network.leak[node]
    present = np.maximum(-np.expm1(log_failure - leak), MIN_PROBABILITY)
    only_leak = np.exp(log_failure) * -np.expm1(-leak) / present
    n_leaks = np.bincount(document, only_leak, minlength=corpus.n_documents)
    n_words = np.maximum(n_known + n_unknown, 1)
    return WordFit(n_known, n_unknown, np.asarray((n_leaks + n_unknown) / n_words))
