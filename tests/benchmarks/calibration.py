"""Whether what is called 0.9 happens 0.9 of the time, in documents drawn from the model itself.

Revealing words of a document because they are present tells more than that they are: whoever asks
would have to know how they were chosen. So words are chosen first, from a real document, and the
drawn documents that have all of them are what the query is about: the topics on in these follow the
posterior exactly. A whole document is about itself.
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
        Of drawn documents in which the evidence is true.
    """

    evidence: Evidence
    rows: np.ndarray


def matching(drawn: Drawn, evidences: Sequence[Evidence], most: int) -> Iterator[Case]:
    """Queries with at most so many of the documents that have all their words, if any has."""
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
    """The first so many documents that have a word, each with all others absent."""
    pointer = drawn.tokens.indptr
    for row in np.flatnonzero(np.diff(pointer))[:count].tolist():
        present = tuple(drawn.tokens.indices[pointer[row] : pointer[row + 1]].tolist())
        yield Case(Evidence(present, closed_world=True), np.array([row]))


@dataclass(frozen=True, eq=False)
class Curve:
    """What happened by what was said, in ten equal bins of what was said.

    Attributes
    ----------
    count : int array, shape (10,)
        Topics of documents.
    gap, error : float64 arrays, shape (10,)
        Share that was on less the mean that was said, NaN where nothing was, and its standard
        error: documents are independent, the topics of one are not.
    """

    count: np.ndarray
    gap: FloatArray
    error: FloatArray


def curve(said: Sequence[FloatArray], is_on: Sequence[BoolArray]) -> Curve:
    """Curve of queries.

    Parameters
    ----------
    said : sequence of float64 arrays, shape (n_topics,)
        Of each query.
    is_on : sequence of bool arrays, shape (n_documents, n_topics)
        In each document that the query is about.
    """
    count, total, squares = np.zeros(BINS, np.int64), np.zeros(BINS), np.zeros(BINS)
    for probability, states in zip(said, is_on, strict=True):
        bins = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
        in_bin = np.equal.outer(bins, np.arange(BINS)).astype(np.float64)
        surprise = (states - probability) @ in_bin
        count += len(states) * in_bin.sum(axis=0).astype(np.int64)
        total += surprise.sum(axis=0)
        squares += (surprise**2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Curve(count, total / count, np.sqrt(squares) / count)
