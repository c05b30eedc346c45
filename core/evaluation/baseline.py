"""Baseline of every result: independent words, each as frequent as in other documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.types import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Number of documents that contain each word, of a set of documents.

    Attributes
    ----------
    counts : float64 array, shape (n_tokens,)
    documents : int
    """

    counts: FloatArray
    documents: int


def word_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Count the words of some documents."""
    counts = corpus.to_csr()[rows].sum(axis=0)
    return WordCounts(np.asarray(counts, dtype=np.float64).ravel(), len(rows))


def reference_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Counts of the other documents of a corpus, or if there are none, of these documents."""
    others = np.setdiff1d(np.arange(corpus.n_documents), rows)
    return word_counts(corpus, others if len(others) else rows)


def independent_log_likelihood(
    corpus: Corpus, rows: Int64Array, reference: WordCounts | None = None
) -> float:
    """Mean log-likelihood of documents when tokens are independent, in nats per document.

    Frequencies come from ``reference``, or from the other documents of the corpus, smoothed by half
    a document with each word and half a document without it.
    """
    return log_likelihood_of_counts(
        reference or reference_counts(corpus, rows), corpus.to_csr()[rows]
    )


def log_likelihood_of_counts(reference: WordCounts, presence: sparse.csr_array) -> float:
    """Mean log-likelihood of rows with independent tokens of these frequencies, in nats."""
    frequency = (reference.counts + 0.5) / (reference.documents + 1.0)
    log_odds = np.log(frequency) - np.log1p(-frequency)
    return float(np.log1p(-frequency).sum() + (presence @ log_odds).mean())


def tells_nothing(held_out: Mapping[str, Any]) -> bool:
    """Whether the model makes held-out documents no more likely than independent words do.

    Parameters
    ----------
    held_out : mapping
        Metrics of `orrery.core.evaluation.evaluate.Evaluation`.
    """
    return bool(held_out["log_likelihood"] <= held_out["independent"])
