"""The control beside every result: every word on its own, as often as in the other documents."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.corpus import Corpus
from core.network import FloatArray


def reference_counts(corpus: Corpus, rows: npt.NDArray[np.int64]) -> tuple[FloatArray, int]:
    """How many of the other documents each word is in, and how many of these there are.

    With no others, the documents themselves are counted.
    """
    others = np.setdiff1d(np.arange(corpus.n_documents), rows)
    reference = others if len(others) else rows
    counts = corpus.to_csr()[reference].sum(axis=0)
    return np.asarray(counts, dtype=np.float64).ravel(), len(reference)


def independent_log_likelihood(corpus: Corpus, rows: npt.NDArray[np.int64]) -> float:
    """Mean log-likelihood of documents when tokens are independent, in nats per document.

    Frequencies come from the other documents, with half a document added either way.
    """
    return log_likelihood_of_counts(*reference_counts(corpus, rows), corpus.to_csr()[rows])


def log_likelihood_of_counts(
    counts: FloatArray, n_reference: int, presence: sparse.csr_array
) -> float:
    """Mean log-likelihood of rows whose tokens are as frequent as counted elsewhere, in nats."""
    chance = (counts + 0.5) / (n_reference + 1.0)
    log_odds = np.log(chance) - np.log1p(-chance)
    return float(np.log1p(-chance).sum() + (presence @ log_odds).mean())
