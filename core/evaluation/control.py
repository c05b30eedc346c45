"""The control beside every result: every word on its own, as often as in the other documents."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
    counts, n_reference = reference_counts(corpus, rows)
    chance = (counts + 0.5) / (n_reference + 1.0)
    present = corpus.to_csr()[rows]
    log_odds = np.log(chance) - np.log1p(-chance)
    return float(np.log1p(-chance).sum() + (present @ log_odds).mean())
