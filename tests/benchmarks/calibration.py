"""Calibration: observed frequency by stated probability, in documents drawn from the model.

If words are revealed because they are present in a document, their choice is evidence too. Words
are therefore chosen first, from a real document, and the query is about the generated documents
that have all of them: the topics that are on in these follow the posterior exactly. A whole
document is about itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.utils.types import BoolArray, FloatArray
from tests.benchmarks.drawn import Drawn

BINS = 10


@dataclass(frozen=True, eq=False)
class Case:
    """A query and the documents that it is about.

    Attributes
    ----------
    evidence : Evidence
    rows : int array
        Generated documents in which the evidence is true.
    """

    evidence: Evidence
    rows: np.ndarray


def matching(drawn: Drawn, evidences: Sequence[Evidence], most: int) -> Iterator[Case]:
    """Queries with at most ``most`` of the documents that have all their words."""
    by_token = drawn.tokens.tocsc()
    for evidence in evidences:
        has_all = np.ones(len(drawn.is_on), bool)
        for token in evidence.present:
            has_token = np.zeros(len(has_all), bool)
            has_token[by_token.indices[by_token.indptr[token] : by_token.indptr[token + 1]]] = True
            has_all &= has_token
        rows = np.flatnonzero(has_all)[:most]
        if len(rows):
            yield Case(evidence, rows)


def whole(drawn: Drawn, count: int) -> Iterator[Case]:
    """The first ``count`` documents with a word, each with all other words absent."""
    pointer = drawn.tokens.indptr
    for row in np.flatnonzero(np.diff(pointer))[:count].tolist():
        present = tuple(drawn.tokens.indices[pointer[row] : pointer[row + 1]].tolist())
        yield Case(Evidence(present, closed_world=True), np.array([row]))


@dataclass(frozen=True, eq=False)
class Curve:
    """Observed frequency by stated probability, in ten equal bins of the stated probability.

    Attributes
    ----------
    count : int array, shape (10,)
        Topics of documents.
    gap, error : float64 arrays, shape (10,)
        Share of topics that are on minus the mean stated probability, NaN for empty bins, and its
        standard error: documents are independent, the topics of one document are not.
    """

    count: np.ndarray
    gap: FloatArray
    error: FloatArray


def curve(shown_text: Sequence[FloatArray], is_on: Sequence[BoolArray]) -> Curve:
    """Curve of queries.

    Parameters
    ----------
    shown_text : sequence of float64 arrays, shape (n_topics,)
        Stated probabilities of each query.
    is_on : sequence of bool arrays, shape (n_documents, n_topics)
        In each document that the query is about.
    """
    count, total, squares = np.zeros(BINS, np.int64), np.zeros(BINS), np.zeros(BINS)
    for probability, states in zip(shown_text, is_on, strict=True):
        bins = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
        in_bin = np.equal.outer(bins, np.arange(BINS)).astype(np.float64)
        surprise = (states - probability) @ in_bin
        count += len(states) * in_bin.sum(axis=0).astype(np.int64)
        total += surprise.sum(axis=0)
        squares += (surprise**2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Curve(count, total / count, np.sqrt(squares) / count)
