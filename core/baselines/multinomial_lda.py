"""LDA of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .mean_field_lda import MultinomialTopics
from .system import Documents, Watch, counts_of, unwatched

NAME = "LDA (scikit-learn)"


@dataclass(frozen=True, eq=False)
class MultinomialLda:
    """Trained model."""

    # float64 (n_topics, n_tokens): probability of every word in every topic; rows sum to 1
    topics: FloatArray
    fitted: Any  # sklearn.decomposition.LatentDirichletAllocation

    def shares(self, corpus: Corpus, rows: Int64Array) -> FloatArray:
        """Mean topic shares of documents, shape (n_rows, n_topics)."""
        return np.asarray(self.fitted.transform(_presence(corpus, rows)), np.float64)

    def word_probabilities(self, corpus: Corpus, rows: Int64Array) -> FloatArray:
        """Probability that each word is the next of a document, shape (n_rows, n_tokens)."""
        return self.shares(corpus, rows) @ self.topics


class ScikitLda(MultinomialTopics):
    """LDA of scikit-learn as a `Rival`, trained one pass over the documents at a time."""

    passes: ClassVar[int] = 10

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        from sklearn.decomposition import LatentDirichletAllocation

        counts = self._training(counts_of(documents))
        fitted = LatentDirichletAllocation(
            self.n_topics,
            learning_method="online",
            random_state=self.seed % 2**32,
            total_samples=counts.shape[0],
        )
        rng = np.random.default_rng(self.seed)
        self._alpha = np.full(self.n_topics, 1.0 / self.n_topics)
        for done in range(self.passes):
            fitted.partial_fit(counts[rng.permutation(counts.shape[0])])
            total = fitted.components_.sum(axis=1, keepdims=True)
            self._topics = self._weights = np.asarray(fitted.components_ / total, np.float64)
            if watch((done + 1) / self.passes):
                break
        return self


def train_lda(corpus: Corpus, rows: Int64Array, n_topics: int, seed: int) -> MultinomialLda:
    """Train by scikit-learn's online variational Bayes, with its default settings, on ``rows``.

    Every word counts once in a document, because a corpus stores presence only. InputError if there
    is no topic or no document.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    if n_topics < 1 or len(rows) == 0:
        raise InputError("LDA needs a topic and a document to train on; the run has none")
    # scikit-learn accepts seeds of 32 bits.
    fitted = LatentDirichletAllocation(
        n_topics, learning_method="online", random_state=seed % 2**32
    )
    fitted.fit(_presence(corpus, rows))
    total = fitted.components_.sum(axis=1, keepdims=True)
    return MultinomialLda(np.asarray(fitted.components_ / total, np.float64), fitted)


def _presence(corpus: Corpus, rows: Int64Array) -> sparse.csr_array:
    return sparse.csr_array(corpus.to_csr()[rows])
