"""How well the topics of a document explain its words, and which documents fit worse than usual.

The topics of a document that resembles no training document explain few of its words: the words
are as improbable as they are in a text on any subject, or are not in the vocabulary at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..model.labels import marginals
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .evidence import edges_into

# Share of the training documents with a similar number of words to which a document is compared,
# and their minimum number.
WINDOW_SHARE, MIN_WINDOW = 0.1, 50
# Minimum standard deviation of the gains of similar documents, and smallest probability of a word.
MIN_SPREAD, MIN_PROBABILITY = 1e-3, 1e-9
# A document is marked if less than this share of the training documents fits worse.
MARKED_SHARE = 0.01


class WordFit(NamedTuple):
    """How well the words of each document are explained; arrays of shape (n_documents,)."""

    n_known: Int64Array  # number of different words of the vocabulary
    n_unknown: Int64Array  # number of different words outside the vocabulary
    # Share of its words that only the leak explains, 0 without words. A word outside the vocabulary
    # is one of them.
    unexplained: FloatArray
    # Mean over its words of ``log p(word | topics) - log p(word)``, in nats. A word outside the
    # vocabulary has a gain of 0.
    gain: FloatArray

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
    prior = np.maximum(marginals(network)[node], MIN_PROBABILITY)
    only_leak = np.exp(log_failure) * -np.expm1(-leak) / present
    n_words = np.maximum(n_known + n_unknown, 1)

    def summed(values: FloatArray) -> FloatArray:
        return np.bincount(document, values, minlength=corpus.n_documents).astype(np.float64)

    return WordFit(
        n_known,
        n_unknown,
        (summed(only_leak) + n_unknown) / n_words,
        summed(np.log(present / prior)) / n_words,
    )


@dataclass(frozen=True, eq=False)
class FitReference:
    """Gains of training documents, to which new documents are compared.

    Attributes
    ----------
    n_words : int64 array, shape (n_documents,)
        Numbers of words of training documents, ascending.
    gain : float64 array, shape (n_documents,)
        Their gains (`WordFit`).
    """

    n_words: Int64Array
    gain: FloatArray

    def novelty(self, n_words: Int64Array, gain: FloatArray) -> FloatArray:
        """Standard deviations by which a gain is below the mean of similarly long documents.

        The mean and the standard deviation are taken over the training documents with the most
        similar numbers of words, since short texts vary more. All arrays have the shape
        (n_documents,); the result is NaN for a document without words.
        """
        count = len(self.gain)
        width = min(count, max(MIN_WINDOW, int(WINDOW_SHARE * count)))
        first = np.clip(np.arange(count) - width // 2, 0, count - width)
        total, squares = (
            np.concatenate([[0.0], np.cumsum(values)]) for values in (self.gain, self.gain**2)
        )
        mean = (total[first + width] - total[first]) / width
        variance = (squares[first + width] - squares[first]) / width - mean**2
        spread = np.sqrt(np.maximum(variance, MIN_SPREAD**2))
        usual, usual_spread = (np.interp(n_words, self.n_words, each) for each in (mean, spread))
        return np.where(n_words > 0, (usual - gain) / usual_spread, np.nan)

    def share_below(self, novelty: FloatArray) -> FloatArray:
        """Share of the training documents that fit worse than each document; NaN without words."""
        own = np.sort(self.novelty(self.n_words, self.gain))
        share = 1.0 - np.searchsorted(own, novelty, side="right") / len(own)
        return np.where(np.isnan(novelty), np.nan, share)


def fit_reference(fit: WordFit) -> FitReference | None:
    """Reference from the fit of training documents; None if too few have words."""
    has_words = fit.n_words > 0
    if has_words.sum() < MIN_WINDOW:
        return None
    n_words, gain = fit.n_words[has_words], fit.gain[has_words]
    order = np.argsort(n_words, kind="stable")
    return FitReference(n_words[order], gain[order])
