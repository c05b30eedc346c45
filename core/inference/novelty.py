"""How well new documents fit a model: unexplained words, and resemblance to training documents.

A word counts as unexplained by the probability that only the leak causes it.

The resemblance of a document is the mean cosine of its words and the words of its nearest training
documents. Each word is weighted by its rarity, and a word outside the vocabulary counts as the
rarest. `python -m tests.benchmarks evidence --only novelty` compares it with unexplained words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus, evenly_spaced
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .evidence import edges_into

# Nearest documents whose mean cosine is the resemblance, and the smallest mean above 0.
N_NEAREST, MIN_COSINE = 10, 1e-3
# Documents among which the nearest are sought, and documents for which they are sought at a time.
MAX_DOCUMENTS, BLOCK = 20_000, 200
# Share of the training documents with a similar number of words to which a document is compared,
# and their minimum number.
WINDOW_SHARE, MIN_WINDOW = 0.1, 50
# Minimum standard deviation of the resemblance of similarly long documents.
MIN_SPREAD = 1e-3
# A document is marked if less than this share of the training documents resembles the others less.
MARKED_SHARE = 0.01
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


@dataclass(frozen=True, eq=False)
class TrainingWords:
    """Weighted words of training documents.

    Attributes
    ----------
    rows : int64 array, shape (n_rows,)
        Numbers of the documents in the corpus, ascending.
    rarity : float64 array, shape (n_tokens,)
        Log of the number of documents divided by the number that contains the word.
    unknown : float64
        Rarity of a word that is in no document.
    words : float64 csc_array, shape (n_tokens, n_rows)
        Weighted words of each document, divided by their length as a vector.
    """

    rows: Int64Array
    rarity: FloatArray
    unknown: float
    words: sparse.csc_array

    def resemblance(
        self, corpus: Corpus, n_unknown: Int64Array, own: Int64Array | None = None
    ) -> FloatArray:
        """Log of the mean cosine of each document and the nearest training documents.

        Parameters
        ----------
        corpus : Corpus
            Documents over the vocabulary of the training documents.
        n_unknown : int64 array, shape (n_documents,)
            Number of different words of each document outside the vocabulary.
        own : int64 array, shape (n_documents,), optional
            Numbers of these documents in the training corpus; none is compared with itself.

        Returns
        -------
        float64 array, shape (n_documents,)
        """
        weighted = _unit_rows(corpus, self.rarity, n_unknown, self.unknown)
        count = min(N_NEAREST, len(self.rows))
        found = [np.zeros(0)]
        for begin in range(0, corpus.n_documents, BLOCK):
            cosine = (weighted[begin : begin + BLOCK] @ self.words).toarray()
            if own is not None:
                mine = own[begin : begin + BLOCK]
                place = np.minimum(np.searchsorted(self.rows, mine), len(self.rows) - 1)
                is_itself = self.rows[place] == mine
                cosine[np.flatnonzero(is_itself), place[is_itself]] = 0.0
            found.append(np.partition(cosine, -count, axis=1)[:, -count:].mean(axis=1))
        return np.asarray(np.log(np.maximum(np.concatenate(found), MIN_COSINE)))


def training_words(corpus: Corpus) -> TrainingWords:
    """Weighted words of the training documents, or of evenly spaced ones if there are many."""
    rows = evenly_spaced(np.arange(corpus.n_documents), MAX_DOCUMENTS)
    unknown = float(np.log(max(corpus.n_documents, 2)))
    rarity = unknown - np.log(np.maximum(corpus.document_frequency(), 1))
    chosen = corpus.subset(rows)
    words = _unit_rows(chosen, rarity, np.zeros(len(rows), np.int64), unknown)
    return TrainingWords(rows, rarity, unknown, sparse.csc_array(words.T))


def _unit_rows(
    corpus: Corpus, rarity: FloatArray, n_unknown: Int64Array, unknown: float
) -> sparse.csr_array:
    """Weighted words of each document as unit vectors, whose length includes unknown words."""
    shape = (corpus.n_documents, corpus.n_tokens)
    table = sparse.csr_array((rarity[corpus.token_idx], corpus.token_idx, corpus.token_ptr), shape)
    document = np.repeat(np.arange(corpus.n_documents), np.diff(corpus.token_ptr))
    squares = np.bincount(document, table.data**2, minlength=corpus.n_documents)
    squares = squares + n_unknown * unknown**2
    table.data = table.data / np.sqrt(squares)[document].clip(1e-12)
    return table


@dataclass(frozen=True, eq=False)
class FitReference:
    """Resemblance of training documents, to which new documents are compared.

    Attributes
    ----------
    n_words : int64 array, shape (n_documents,)
        Numbers of words of training documents, ascending.
    resemblance : float64 array, shape (n_documents,)
        Their resemblance to the other training documents (`TrainingWords.resemblance`).
    """

    n_words: Int64Array
    resemblance: FloatArray

    def novelty(self, n_words: Int64Array, resemblance: FloatArray) -> FloatArray:
        """Standard deviations by which documents are below the mean of similarly long documents.

        The mean and the standard deviation are taken over the training documents with the most
        similar numbers of words, since short texts vary more. All arrays have the shape
        (n_documents,); the result is NaN for a document without words.
        """
        count = len(self.resemblance)
        width = min(count, max(MIN_WINDOW, int(WINDOW_SHARE * count)))
        lengths, begin = np.unique(self.n_words, return_index=True)
        end = np.append(begin[1:], count)
        first = np.clip((begin + end - width) // 2, 0, count - width)
        # All documents of a length are in the window or none, so that their order has no effect.
        first, last = np.minimum(first, begin), np.maximum(first + width, end)
        first = np.searchsorted(self.n_words, self.n_words[first], "left")
        last = np.searchsorted(self.n_words, self.n_words[last - 1], "right")
        total, squares = (
            np.concatenate([[0.0], np.cumsum(values)])
            for values in (self.resemblance, self.resemblance**2)
        )
        mean = (total[last] - total[first]) / (last - first)
        variance = (squares[last] - squares[first]) / (last - first) - mean**2
        spread = np.sqrt(np.maximum(variance, MIN_SPREAD**2))
        usual, usual_spread = (np.interp(n_words, lengths, each) for each in (mean, spread))
        return np.where(n_words > 0, (usual - resemblance) / usual_spread, np.nan)

    def share_below(self, novelty: FloatArray) -> FloatArray:
        """Share of the training documents that fit worse than each document; NaN without words."""
        own = np.sort(self.novelty(self.n_words, self.resemblance))
        share = 1.0 - np.searchsorted(own, novelty, side="right") / len(own)
        return np.where(np.isnan(novelty), np.nan, share)


def fit_reference(n_words: Int64Array, resemblance: FloatArray) -> FitReference | None:
    """Reference from training documents; None if too few have words."""
    has_words = n_words > 0
    if has_words.sum() < MIN_WINDOW:
        return None
    n_words, resemblance = n_words[has_words], resemblance[has_words]
    order = np.argsort(n_words, kind="stable")
    return FitReference(n_words[order], resemblance[order])
