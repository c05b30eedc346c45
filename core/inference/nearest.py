"""Documents nearest to a query, and typical documents of a topic.

Nearest documents are ranked by relevance: BM25 of the query's words, and similar topics. Typical
documents are ranked by how much the topic raises the probability of their words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.query import token_spans
from ..model.labels import marginals
from ..model.network import Network
from ..model.topic_model import TopicModel
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .posterior import Posterior
from .prediction import words_of_topics
from .thresholds import ON_THRESHOLD

if TYPE_CHECKING:
    from ..data.corpus import Corpus

# Minimal probability of a word, so that rare words do not dominate the gains.
RAREST = 1e-5


class WordGains(NamedTuple):
    """Effect of a query on every word."""

    gain: FloatArray  # shape (n_tokens,): increase of the word's log-probability, in nats
    probability: FloatArray  # shape (n_tokens,): probability of the word given the query

    @property
    def score(self) -> FloatArray:
        """Score that is high for words that the query makes both probable and more probable."""
        return self.probability * self.gain


def word_gains(network: Network, posterior: Posterior) -> WordGains:
    """Gain ``log(p(word | query) / p(word))`` of every word.

    The probability refers to a document in which only the query's topics are known, because similar
    documents need not have exactly the words of the query. A present word has probability 1; a word
    given as absent has minus the gain that it would have as a present word.
    """
    before = np.maximum(marginals(network)[network.graph.n_topics :], RAREST)
    after = words_of_topics(network, posterior).probability
    gain = np.log(np.maximum(after, RAREST) / before)
    present, absent = list(posterior.evidence.present), list(posterior.evidence.absent)
    gain[present], after[present] = -np.log(before[present]), 1.0
    gain[absent], after[absent] = np.log(before[absent]), 0.0
    return WordGains(gain, after)


# Saturation and length normalisation of BM25 (Robertson and Zaragoza 2009): their usual values.
SATURATION, LENGTH_SHARE = 1.2, 0.75
# Saturation of words that the query repeats, if it is a whole text.
QUERY_SATURATION = 8.0
# Weight of the topics (a cosine) relative to the words (BM25, divided by its mean over the
# ``N_TYPICAL`` best documents: the maximum would be the document that a query is copied from), and
# weight of the words that the query's topics lead to expect, if the topics of the documents are not
# known. Chosen on BBC news, measured on 20 Newsgroups (`tests.benchmarks.nearest_documents`).
TOPIC_WEIGHT, EXPECTED_WEIGHT, N_TYPICAL = 1.0, 0.3, 10
# Number of best documents whose texts are read to count the words of the query in them.
N_READ = 50


def topic_likeness(
    stored: sparse.csr_array, rows: Int64Array, n_documents: int, probability: FloatArray
) -> FloatArray:
    """Cosine of the topics of every document and the topics of a query, shape (n_documents,).

    Each topic is weighted by its information, ``log(1 / share of the documents)``. The likeness is
    0 for documents whose topics are not stored.

    Parameters
    ----------
    stored : csr_array, shape (n_rows, n_topics)
        Probability of each topic in each document.
    rows : int64 array, shape (n_rows,)
        Numbers of these documents in the corpus.
    n_documents : int
        Number of documents of the corpus.
    probability : float64 array, shape (n_topics,)
        Probability of every topic in the query.
    """
    table = stored.astype(np.float64)
    share = (np.asarray(table.sum(axis=0)).ravel() + 0.5) / (table.shape[0] + 1.0)
    weight = np.maximum(-np.log(share), 0.0) ** 2
    length = np.sqrt((table.multiply(table) @ weight) * (probability**2 @ weight))
    likeness = np.zeros(n_documents)
    likeness[rows] = (table @ (weight * probability)) / np.maximum(length, 1e-12)
    return likeness


def query_topics(n_topics: int, posterior: Posterior) -> FloatArray:
    """Probability of every topic in a query, shape (n_topics,); 0 outside the local model."""
    probability = np.zeros(n_topics)
    probability[posterior.local.topics] = posterior.probability
    return probability


def nearest_documents(
    corpus: Corpus,
    count: int,
    query_tokens: Sequence[int] = (),
    absent: Sequence[int] = (),
    likeness: FloatArray | None = None,
    expected: FloatArray | None = None,
) -> tuple[Int64Array, FloatArray]:
    """Find the documents that are most relevant to a query.

    The relevance has two parts: BM25 of the query's words, which accounts for the length of the
    document, the rarity of the words and how often they occur in the text, divided by its mean over
    the best documents; and ``likeness``, the similarity of the topics. The texts of the best
    ``N_READ`` documents are read to count the words; for the others presence counts as one
    occurrence. One pass over all tokens without inference: a quarter of a million abstracts take a
    fraction of a second.

    Parameters
    ----------
    count : int
        Maximal number of documents; documents that score 0 or less are left out.
    query_tokens, absent : sequence of int
        Tokens present and absent in the query; the latter lower the relevance. If the
        query is a text, a present token may be repeated as often as it is in the text.
    likeness : float64 array, shape (n_documents,), optional
        From `topic_likeness`.
    expected : float64 array, shape (n_tokens,), optional
        `WordGains.score` of every word, so that words that the query's topics lead to expect count
        too; for documents whose topics are not known.

    Returns
    -------
    rows : int64 array
        Best first; equal ones in the order of the corpus.
    scores : float64 array

    Raises
    ------
    InputError
        If the corpus has another vocabulary.
    """
    weight = np.zeros(corpus.n_tokens)
    if expected is not None:
        if len(expected) != corpus.n_tokens:
            raise InputError(
                f"the model has {len(expected)} words and the corpus {corpus.n_tokens}; "
                "use the corpus that it was trained on"
            )
        weight = EXPECTED_WEIGHT * np.maximum(expected, 0.0)
    present, times = np.unique(np.asarray(query_tokens, np.int64), return_counts=True)
    missing = list(absent)
    frequency = corpus.document_frequency()
    rarity = np.log1p((corpus.n_documents - frequency + 0.5) / (frequency + 0.5))
    worth = rarity[present] * (QUERY_SATURATION + 1.0) * times / (times + QUERY_SATURATION)
    weight[present], weight[missing] = worth, -rarity[missing]
    lengths = np.diff(corpus.token_ptr)
    filled = np.flatnonzero(lengths)
    summed = np.zeros(corpus.n_documents)
    if len(filled):
        starts = corpus.token_ptr[filled]
        summed[filled] = np.add.reduceat(weight[corpus.token_idx], starts)
    mean_length = max(lengths.sum() / max(len(lengths), 1), 1e-12)
    # The part of the denominator of BM25 that depends on the length.
    norm = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * lengths / mean_length)
    by_words = summed * (SATURATION + 1.0) / (1.0 + norm)
    by_topics = 0.0 if likeness is None else TOPIC_WEIGHT * likeness

    def combined(words: FloatArray) -> FloatArray:
        found = words[words > 0]
        typical = np.sort(found)[-N_TYPICAL:].mean() if len(found) else 1.0
        scores: FloatArray = words / typical + by_topics
        return scores

    scores = combined(by_words)
    best = np.argsort(-scores, kind="stable")[: max(N_READ, count)]
    if len(present) and not corpus.recipe.matrix:
        for row in best.tolist():
            counts = _word_counts(corpus, row, present.tolist())
            more = counts * (SATURATION + 1.0) / (counts + norm[row])
            once = (SATURATION + 1.0) / (1.0 + norm[row])
            by_words[row] += float(worth @ np.where(counts > 0, more - once, 0.0))
        scores = combined(by_words)
        best = best[np.lexsort((best, -scores[best]))]
    best = best[scores[best] > 0][:count]
    return best.astype(np.int64), scores[best]


def _word_counts(corpus: Corpus, row: int, tokens: Sequence[int]) -> FloatArray:
    """How often each of the tokens is in the text of a document."""
    text = str(corpus.documents["text"].iat[row])
    spans = token_spans(corpus.recipe, corpus.token_number, text)[1]
    found = Counter(span.token for span in spans)
    return np.array([found[token] for token in tokens], np.float64)


# Minimal lift of a keyword of a topic.
MIN_KEYWORD_LIFT = 2.0


def topic_keywords(model: TopicModel, topic: int) -> dict[str, float]:
    """Keywords of a topic with their scores, probability times log-lift, as for its top words.

    By the log-lift alone, the rare words of one event would outweigh the words that the topic
    activates in most of its documents.
    """
    every = model.shown_words(topic, len(model.vocabulary))
    return {
        word: probability * math.log(lift)
        for word, probability, lift in every
        if lift >= MIN_KEYWORD_LIFT
    }


def typical_documents(
    corpus: Corpus,
    probability: npt.NDArray[np.float64],
    keywords: Mapping[str, float],
    count: int | None = None,
) -> list[int]:
    """Documents in which a topic is on, those with the most of its keywords for their length first.

    ``probability`` (float array, shape (n_documents,)) belongs to the topic, 0 if unknown;
    ``keywords`` are words with scores from `topic_keywords`. At most ``count`` documents, by
    default all; equal ones are in the order of their probability.
    """
    gain = np.zeros(corpus.n_tokens)
    known = [word for word in keywords if word in corpus.token_number]
    gain[[corpus.token_number[word] for word in known]] = [keywords[word] for word in known]
    rows = np.flatnonzero(probability > ON_THRESHOLD)
    if not len(rows):
        return []
    sums = corpus.to_csr()[rows] @ gain
    # A long text has more words of every topic, so its length counts as in BM25.
    lengths = np.diff(corpus.token_ptr)[rows]
    relative = lengths * (corpus.n_documents / max(len(corpus.token_idx), 1))
    norm = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * relative)
    fit = sums * probability[rows] / (1.0 + norm)
    best = np.lexsort((-probability[rows], -fit))[:count]
    return [int(row) for row in rows[best]]
