"""Real corpora for the benchmarks, read where they lie and never copied."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse

from orrery.core.data.corpus import Corpus, build_corpus, read_corpus
from orrery.core.data.matrices import make_raw_matrix
from orrery.core.data.recipe import matrix_recipe
from orrery.core.evaluation.completion import independent_log_likelihood
from orrery.core.utils.types import Int64Array

TINY20 = "tiny20/20news_w100.mat"
N_DOCUMENTS, N_TRAIN = 16_242, 11_369
QUICK_TRAIN, QUICK_TEST = 400, 200


class MissingData(Exception):
    """A real corpus is not on this machine."""


class UnknownName(Exception):
    """A name that is unknown."""


@dataclass(frozen=True, eq=False)
class Split:
    """A corpus split into training and test documents.

    Attributes
    ----------
    corpus : Corpus
        These documents and no others.
    train, test : int64 arrays
        Their rows.
    seed : int
        Seed of the split and of all training on it.
    """

    corpus: Corpus
    train: Int64Array
    test: Int64Array
    seed: int

    def training_corpus(self) -> Corpus:
        """Return the training documents alone, all that a graph may be made from."""
        return self.corpus.subset(self.train)

    def control(self) -> float:
        """Mean log-likelihood of the test documents when words are independent."""
        return independent_log_likelihood(self.corpus, self.test)


def data_file(name: str) -> Path:
    """Path to a file of the real corpora.

    Raises
    ------
    MissingData
        If it is not there.
    """
    default = Path(__file__).parents[2] / "../shared/data"
    path = Path(os.environ.get("ORRERY_DATA", default)) / name
    if not path.exists():
        raise MissingData(f"{name} is not in the folder of real corpora; set ORRERY_DATA to it")
    return path


def split_rows(
    seed: int, n_documents: int = N_DOCUMENTS, n_train: int = N_TRAIN
) -> tuple[Int64Array, Int64Array]:
    """Training rows and test rows: the first rows of a random order, and the others."""
    order = np.random.default_rng(seed).permutation(n_documents).astype(np.int64)
    return order[:n_train], order[n_train:]


@cache
def tiny20() -> Corpus:
    """The tiny 20 Newsgroups of Ji et al. (2019, §6.1): 16,242 documents, 100 words, 4 labels."""
    return read_corpus(data_file(TINY20))


@cache
def tiny20_split(seed: int, quick: bool = False) -> Split:
    """One of the five splits of tiny20, or a little of it."""
    corpus, (train, test) = tiny20(), split_rows(seed)
    if not quick:
        return Split(corpus, train, test, seed)
    train, test = train[:QUICK_TRAIN], test[:QUICK_TEST]
    corpus = corpus.subset(np.concatenate([train, test]))
    return Split(corpus, np.arange(len(train)), np.arange(len(train), corpus.n_documents), seed)


def binary_corpus(presence: npt.ArrayLike, words: Sequence[str] | None = None) -> Corpus:
    """Corpus of a matrix of documents by tokens, through the door that matrices come in by."""
    matrix = sparse.csr_array(presence)
    vocabulary = list(words) if words else [f"x{token}" for token in range(matrix.shape[1])]
    raw = make_raw_matrix("the matrix", matrix, vocabulary, None)
    return build_corpus(raw, matrix_recipe())[0]
