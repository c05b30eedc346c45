"""The control beside every result: every word on its own, as often as in other documents."""

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
    """How many of some documents each word is in.

    Attributes
    ----------
    counts : float64 array, shape (n_tokens,)
    documents : int
    """

    counts: FloatArray
    documents: int


def word_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Count the documents of some rows by their words."""
    counts = corpus.to_csr()[rows].sum(axis=0)
    return WordCounts(np.asarray(counts, dtype=np.float64).ravel(), len(rows))


def reference_counts(corpus: Corpus, rows: Int64Array) -> WordCounts:
    """Counts of the other documents of a corpus; with no others, of the documents themselves."""
    others = np.setdiff1d(np.arange(corpus.n_documents), rows)
    return word_counts(corpus, others if len(others) else rows)


def independent_log_likelihood(
    corpus: Corpus, rows: Int64Array, reference: WordCounts | None = None
) -> float:
    """Mean log-likelihood of documents when tokens are independent, in nats per document.

    Frequencies come from ``reference``, or from the other documents of the corpus, with half a
    document added either way.
    """
    return log_likelihood_of_counts(
        reference or reference_counts(corpus, rows), corpus.to_csr()[rows]
    )


def log_likelihood_of_counts(reference: WordCounts, presence: sparse.csr_array) -> float:
    """Mean log-likelihood of rows whose tokens are as frequent as counted elsewhere, in nats."""
    chance = (reference.counts + 0.5) / (reference.documents + 1.0)
    log_odds = np.log(chance) - np.log1p(-chance)
    return float(np.log1p(-chance).sum() + (presence @ log_odds).mean())


def tells_nothing(held_out: Mapping[str, Any]) -> bool:
    """Whether documents held out are no likelier by the topics than by independent words.

    Parameters
    ----------
    held_out : mapping
        Figures of `orrery.core.evaluation.evaluate.Evaluation`.
    """
    return bool(held_out["log_likelihood"] <= held_out["independent"])
