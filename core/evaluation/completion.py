"""Document completion: rank of a word hidden from a document among the guesses of a model.

The baseline of this metric and of every other one is a model of independent words, each with its
frequency in other documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.infer import infer_activations
from ..kernels.streams import stream_key, uniform
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Document frequency of each word in a set of documents."""

    counts: FloatArray  # shape (n_tokens,): number of documents that contain each word
    documents: int  # number of documents in the set


def word_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Count the documents of ``rows`` that contain each word."""
    counts = corpus.to_csr()[rows].sum(axis=0)
    return WordCounts(np.asarray(counts, dtype=np.float64).ravel(), len(rows))


def reference_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Counts of the other documents of a corpus, or of these documents if there are no others."""
    others = np.setdiff1d(np.arange(corpus.n_documents), rows)
    return word_counts(corpus, others if len(others) else rows)


def independent_log_likelihood(
    corpus: Corpus, rows: Int64Array, reference: WordCounts | None = None
) -> float:
    """Mean log-likelihood of documents with independent tokens, in nats per document.

    Frequencies are estimated from ``reference``, or from the other documents of the corpus. They
    are smoothed by half a document with each word and half a document without it.
    """
    return log_likelihood_of_counts(
        reference or reference_counts(corpus, rows), corpus.to_csr()[rows]
    )


def log_likelihood_of_counts(reference: WordCounts, presence: sparse.csr_array) -> float:
    """Mean log-likelihood of the rows of ``presence`` with independent tokens, in nats."""
    frequency = (reference.counts + 0.5) / (reference.documents + 1.0)
    log_odds = np.log(frequency) - np.log1p(-frequency)
    return float(np.log1p(-frequency).sum() + (presence @ log_odds).mean())


# Maximum number of entries of a table in memory: 32 MB.
TABLE_SIZE = 2**22


def word_activations(
    network: Network, activations: sparse.csr_array
) -> Iterator[tuple[slice, FloatArray]]:
    """Log of E[exp(a_j)] for every word j under the posterior of documents without this word.

    A word with activation a is absent with probability exp(-a). Given the posterior of a document
    in which the word is absent, the odds that the word is present instead are ``E[exp(a_j)] - 1``
    (MATH §10.4), so one posterior serves all words. With topics independent given the document,

        log E[exp(a_j)] = w0_j + sum_k log(1 + q_k (exp(w_kj) - 1)).

    Parameters
    ----------
    activations : float64 csr_array, shape (n_documents, n_topics)
        Probabilities of the topics in closed world, from
        `orrery.core.inference.infer.infer_activations`.

    Yields
    ------
    documents : slice
        Rows of ``activations``; the number of rows is limited by `TABLE_SIZE`.
    activation : float64 array, shape (n_tokens, n_rows)
        Activation in nats; the odds are its exponential minus 1.
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


# Maximum number of hidden words. More words change the metrics by less than the random choice of
# the hidden words.
MAX_WORDS = 1000


class Completion(NamedTuple):
    """Rank of every hidden word, 1 for the best; empty if no document has two words."""

    ranks: FloatArray  # ranks by the model
    baseline: FloatArray  # ranks by frequency


def mean_reciprocal_rank(ranks: FloatArray) -> float | None:
    """Mean of 1 / rank, from 0 to 1 (best); None without ranks."""
    return float((1.0 / ranks).mean()) if len(ranks) else None


def recall_of_ten(ranks: FloatArray) -> float | None:
    """Share of the words with rank ten or better; None without ranks."""
    return float((ranks <= 10).mean()) if len(ranks) else None


@dataclass(frozen=True, eq=False)
class HiddenWords:
    """Documents from each of which one word is removed."""

    rest: Corpus  # the documents without the hidden words
    word: Int64Array  # shape (n_documents,): token number of the hidden word of each document


def complete(
    network: Network,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
    reference: WordCounts | None = None,
) -> Completion:
    """Hide a word of each document and rank it among all words that are not in the rest.

    For each candidate, all other words are observed: the rest of the document is present, and the
    other words are absent (MATH §10.4). If they were unknown, the ranks would be biased, because
    only present words would be observed.

    Parameters
    ----------
    rows : int64 array
        Documents; `draw_documents` samples from the documents with at least two words.
    seed : int
        Seed of the choice of documents and hidden words.
    reference : WordCounts, optional
        Frequencies for the baseline; by default the counts of the corpus's other documents.
    """
    chosen = draw_documents(corpus, rows, seed)
    if len(chosen) == 0:
        return Completion(np.empty(0), np.empty(0))
    hidden = hide_words(corpus, chosen, seed)
    counts = (reference or reference_counts(corpus, rows)).counts
    return Completion(model_ranks(network, hidden), baseline_ranks(counts, hidden))


def draw_documents(corpus: Corpus, rows: Int64Array, seed: int) -> Int64Array:
    """Sample at most `MAX_WORDS` documents with at least two words, in random order.

    If there are fewer such documents, they are repeated with a different hidden word each time,
    until there are `MAX_WORDS` or no word is left: a hundred hidden words would be too few.
    """
    lengths = np.diff(corpus.token_ptr)[rows]
    long_enough, lengths = rows[lengths >= 2], lengths[lengths >= 2]
    drawn = _keyed_numbers(seed, long_enough, 0)
    order = np.lexsort((long_enough, drawn))
    turns = [order[lengths[order] > turn] for turn in range(int(lengths.max(initial=0)))]
    every = np.concatenate(turns)[:MAX_WORDS] if turns else order
    return long_enough[every]


def hide_words(corpus: Corpus, rows: Int64Array, seed: int) -> HiddenWords:
    """Hide one word of each document, chosen uniformly at random.

    When a document is repeated, the word after the previously hidden one is hidden.
    """
    documents = corpus.subset(rows)
    lengths = np.diff(documents.token_ptr)
    first = (_keyed_numbers(seed, rows, 1) * lengths).astype(np.int64)
    turn = pd.Series(rows).groupby(rows).cumcount().to_numpy()
    position = documents.token_ptr[:-1] + (first + turn) % np.maximum(lengths, 1)
    rest = replace(
        documents,
        token_ptr=documents.token_ptr - np.arange(len(rows) + 1),
        token_idx=np.delete(documents.token_idx, position),
    )
    return HiddenWords(rest, documents.token_idx[position].astype(np.int64))


def _keyed_numbers(seed: int, rows: Int64Array, counter: int) -> FloatArray:
    """Random number in [0, 1) for each row, independent of the other rows."""
    keys = (np.uint64(stream_key(seed, row)) for row in rows)
    return np.array([uniform(key, counter) for key in keys], dtype=np.float64)


def model_ranks(network: Network, hidden: HiddenWords) -> FloatArray:
    """Rank of every hidden word by the model, 1 for the best, shape (n_documents,)."""
    activations = infer_activations(network, hidden.rest)
    ranks = [
        _ranks(-activation, hidden, documents)
        for documents, activation in word_activations(network, activations)
    ]
    return np.concatenate(ranks)


def expectation_ranks(
    expects: Callable[[Corpus, Int64Array], FloatArray], hidden: HiddenWords
) -> FloatArray:
    """Rank of every hidden word by the expectation of any other model, shape (n_documents,)."""
    size, n_documents = max(TABLE_SIZE // hidden.rest.n_tokens, 1), len(hidden.word)
    ranks = [
        _ranks(-expects(hidden.rest, np.arange(begin, end)).T, hidden, slice(begin, end))
        for begin in range(0, n_documents, size)
        for end in (min(begin + size, n_documents),)
    ]
    return np.concatenate(ranks)


def baseline_ranks(counts: FloatArray, hidden: HiddenWords) -> FloatArray:
    """Rank of every hidden word by document frequency, shape (n_documents,)."""
    ranks = [
        _ranks(-counts[:, None], hidden, slice(row, row + 1)) for row in range(len(hidden.word))
    ]
    return np.concatenate(ranks)


def _ranks(order: FloatArray, hidden: HiddenWords, documents: slice) -> FloatArray:
    """Rank of the hidden words by ascending ``order``; ties receive their mean rank.

    ``order``, shape (n_tokens, n_documents), is overwritten.
    """
    pointer = hidden.rest.token_ptr[documents.start : documents.stop + 1]
    column = np.repeat(np.arange(order.shape[1]), np.diff(pointer))
    order[hidden.rest.token_idx[pointer[0] : pointer[-1]], column] = np.inf
    own = order[hidden.word[documents], np.arange(order.shape[1])]
    before, equal = (order < own).sum(axis=0), (order == own).sum(axis=0)
    return np.asarray(1.0 + before + (equal - 1) / 2.0, dtype=np.float64)
