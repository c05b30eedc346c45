"""Metrics that every topic model has: of the top words of its topics, and of hidden words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.types import FloatArray, Int64Array
from .coherence import WORDS_PER_TOPIC, diversity, mean_npmi
from .completion import (
    draw_documents,
    expectation_ranks,
    hide_words,
    mean_reciprocal_rank,
    recall_of_ten,
)

# How much a model expects each word in some documents, shape (n_rows, n_tokens).
Expects = Callable[[Corpus, Int64Array], FloatArray]


@dataclass(frozen=True, kw_only=True)
class AnyModelFigures:
    """Metrics of any topic model; `orrery.core.evaluation.metrics` describes them."""

    # Coherence and diversity of the ten top words of each topic. None if no topic has two words, or
    # any.
    npmi: float | None
    diversity: float | None
    # Mean reciprocal rank of words hidden from documents, and share of them in the first ten; see
    # `orrery.core.evaluation.completion.complete`. None if no document has two words.
    completion_mrr: float | None
    completion_recall10: float | None


def any_model_figures(
    presence: sparse.csr_array, top_words: list[Int64Array], ranks: FloatArray
) -> AnyModelFigures:
    """Compute the metrics that every topic model has.

    ``presence``, shape (n_documents, n_tokens), has all documents of the corpus; ``top_words`` are
    token numbers for each topic; ``ranks`` are those of each hidden word among the guesses of the
    model.
    """
    return AnyModelFigures(
        npmi=mean_npmi(presence, top_words),
        diversity=diversity(top_words),
        completion_mrr=mean_reciprocal_rank(ranks),
        completion_recall10=recall_of_ten(ranks),
    )


def evaluate_other(
    topics: FloatArray, expects: Expects, corpus: Corpus, rows: Int64Array, seed: int
) -> AnyModelFigures:
    """Evaluate another model on the documents and hidden words that ours is evaluated on.

    ``topics``, shape (n_topics, n_tokens), is the weight of every word in every topic; ``rows`` are
    the documents to evaluate on; ``seed`` is as in `orrery.core.evaluation.completion.complete`.
    """
    drawn = draw_documents(corpus, rows, seed)
    ranks = np.empty(0)
    if len(drawn):
        ranks = expectation_ranks(expects, hide_words(corpus, drawn, seed))
    return any_model_figures(corpus.to_csr(), [heaviest_words(topic) for topic in topics], ranks)


def heaviest_words(topic: FloatArray) -> Int64Array:
    """Token numbers of the ten words with the largest weights above zero, the largest first."""
    order = np.argsort(-topic, kind="stable")[:WORDS_PER_TOPIC]
    return np.asarray(order[topic[order] > 0.0], np.int64)
