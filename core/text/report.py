"""What an import kept and what it dropped, for a person to judge the recipe by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.text.vocabulary import DroppedTerms

# Bars that a small chart of tokens per document can show.
HISTOGRAM_BARS = 30


@dataclass(frozen=True)
class ImportReport:
    """Counts and examples of an import.

    Attributes
    ----------
    documents, vocabulary : int
        Size of the corpus.
    tokens_per_document : float
        Mean number of different tokens in a document.
    dropped_documents : int
        Documents left out because no token of theirs stays.
    dropped_document_ids : tuple of str
        The first of them.
    dropped_terms : mapping of str to DroppedTerms
        By rule: "stop word", "too rare", "too common", "beyond the vocabulary limit".
    frequent_words : tuple of (str, int)
        Words in most documents, and in how many.
    histogram : tuple of (int, int, int)
        Tokens per document: from, up to and including, number of documents.
    phrases : int
        Number of phrases that were joined.
    skipped_files : int
        Files of a folder or archive that are not text.
    skipped_file_names : tuple of str
        The first of them.
    """

    documents: int
    vocabulary: int
    tokens_per_document: float
    dropped_documents: int
    dropped_document_ids: tuple[str, ...]
    dropped_terms: Mapping[str, DroppedTerms]
    frequent_words: tuple[tuple[str, int], ...]
    histogram: tuple[tuple[int, int, int], ...]
    phrases: int = 0
    skipped_files: int = 0
    skipped_file_names: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``dropped_terms`` is their number, the rules stand beside it."""
        values = asdict(self)
        values["dropped_terms_by_rule"] = values["dropped_terms"]
        values["dropped_terms"] = sum(rule.count for rule in self.dropped_terms.values())
        return values


def histogram(n_tokens: npt.NDArray[np.int64]) -> tuple[tuple[int, int, int], ...]:
    """Bars of equal width over the number of tokens in each document."""
    if not len(n_tokens):
        return ()
    low, high = int(n_tokens.min()), int(n_tokens.max())
    width = -(-(high - low + 1) // HISTOGRAM_BARS)
    bars = np.bincount((n_tokens - low) // width)
    return tuple(
        (low + bar * width, low + (bar + 1) * width - 1, int(count))
        for bar, count in enumerate(bars)
    )
