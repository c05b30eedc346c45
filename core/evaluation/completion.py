"""From what is known of the topics to every word: what if it were there, and all else as it is.

Document completion: hide a word of a document and see how soon the model names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.infer import infer_activations
from ..kernels.streams import stream_key, uniform
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .baseline import WordCounts, reference_counts

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
        `orrery.core.inference.infer.infer_activations`.

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


# More words would move the figures by less than the choice of the hidden ones does.
MOST_WORDS = 1000
# How far down a list of suggestions people look.
LIST_LENGTH = 10


@dataclass(frozen=True)
class Completion:
    """How well hidden words are found, by the model and by frequency alone.

    All four are None where no document has two words.

    Attributes
    ----------
    mrr, mrr_independent : float or None
        Mean reciprocal rank of the hidden word, from 0 to 1, the best.
    recall10, recall10_independent : float or None
        Share of the hidden words that are among the first ten.
    """

    mrr: float | None
    recall10: float | None
    mrr_independent: float | None
    recall10_independent: float | None


@dataclass(frozen=True, eq=False)
class HiddenWords:
    """Documents from which a word each was taken.

    Attributes
    ----------
    rest : Corpus
        The documents without those words.
    word : int64 array, shape (n_documents,)
        Token number of the word that was taken from each.
    """

    rest: Corpus
    word: Int64Array


def complete(
    network: Network,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
    reference: WordCounts | None = None,
) -> Completion:
    """Hide a word of a document and rank it among all words that the rest does not have.

    Each candidate is asked for with everything else known: the rest is present, all other words
    are absent (MATH §10.4). Were they unknown, the answer would be biased, for only words that are
    present are ever revealed. The control goes by the odds of each word's frequency, and other
    models by how much they expect each word given the rest.

    Parameters
    ----------
    network : Network
    corpus : Corpus
    rows : int64 array
        Of those with at least two words some are drawn, see `draw_documents`.
    seed : int
        Seed and row alone decide whether a document is drawn and which of its words is hidden.
    reference : WordCounts, optional
        Frequencies of the control; those of the corpus's other documents if not given.
    """
    chosen = draw_documents(corpus, rows, seed)
    if len(chosen) == 0:
        return Completion(None, None, None, None)
    hidden = hide_words(corpus, chosen, seed)
    ranks = model_ranks(network, hidden)
    counts = (reference or reference_counts(corpus, rows)).counts
    control = control_ranks(counts, hidden)
    return Completion(
        mrr=float((1.0 / ranks).mean()),
        recall10=float((ranks <= LIST_LENGTH).mean()),
        mrr_independent=float((1.0 / control).mean()),
        recall10_independent=float((control <= LIST_LENGTH).mean()),
    )


def draw_documents(corpus: Corpus, rows: Int64Array, seed: int) -> Int64Array:
    """Documents to hide a word of, `MOST_WORDS` at most, the first of a shuffle of the rows.

    Where there are fewer with at least two words, all of them come again and again, for a further
    word each time, until there are so many or no word is left: a hundred documents with one hidden
    word each would say little.
    """
    lengths = np.diff(corpus.token_ptr)[rows]
    long_enough, lengths = rows[lengths >= 2], lengths[lengths >= 2]
    drawn = _keyed_numbers(seed, long_enough, 0)
    order = np.lexsort((long_enough, drawn))
    turns = [order[lengths[order] > turn] for turn in range(int(lengths.max(initial=0)))]
    every = np.concatenate(turns)[:MOST_WORDS] if turns else order
    return long_enough[every]


def hide_words(corpus: Corpus, rows: Int64Array, seed: int) -> HiddenWords:
    """Take a word from each of these documents, every one of its words with the same chance.

    A document that comes again gives the word after that which it gave before.
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
    """A number in [0, 1) for every row, the same in any company."""
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
    """Rank of every hidden word by how much any other model expects it, shape (n_documents,)."""
    size, n_documents = max(TABLE_SIZE // hidden.rest.n_tokens, 1), len(hidden.word)
    ranks = [
        _ranks(-expects(hidden.rest, np.arange(begin, end)).T, hidden, slice(begin, end))
        for begin in range(0, n_documents, size)
        for end in (min(begin + size, n_documents),)
    ]
    return np.concatenate(ranks)


def control_ranks(counts: FloatArray, hidden: HiddenWords) -> FloatArray:
    """Rank of every hidden word by how many documents each word is in, shape (n_documents,)."""
    ranks = [
        _ranks(-counts[:, None], hidden, slice(row, row + 1)) for row in range(len(hidden.word))
    ]
    return np.concatenate(ranks)


def _ranks(order: FloatArray, hidden: HiddenWords, documents: slice) -> FloatArray:
    """Rank of the hidden words where small numbers come first; equals share their mean rank.

    ``order`` has a row a word and a column a document; it is changed.
    """
    pointer = hidden.rest.token_ptr[documents.start : documents.stop + 1]
    column = np.repeat(np.arange(order.shape[1]), np.diff(pointer))
    order[hidden.rest.token_idx[pointer[0] : pointer[-1]], column] = np.inf
    own = order[hidden.word[documents], np.arange(order.shape[1])]
    before, equal = (order < own).sum(axis=0), (order == own).sum(axis=0)
    return np.asarray(1.0 + before + (equal - 1) / 2.0, dtype=np.float64)
