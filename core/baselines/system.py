"""The face that every other system has, so that all of them can be asked the same questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import FloatArray

# Documents as a corpus, which knows presence only, or as a matrix of whole counts.
Documents = Corpus | sparse.csr_array
# Told after every round what share of the training is done; returns whether to stop there.
Watch = Callable[[float], bool]


def unwatched(share: float) -> bool:
    """Go on to the end, unseen."""
    return False


class Rival(ABC):
    """A system that learns topics of documents.

    Parameters
    ----------
    n_topics : int
        From 1; systems that find their own number take it as the most.
    seed : int
        Of everything random.

    Attributes
    ----------
    measure : str
        What `bound_or_likelihood` returns, in words.
    n_words : int
        Size of the vocabulary it was fitted to; 0 before.
    """

    measure: ClassVar[str]

    def __init__(self, n_topics: int, seed: int = 0) -> None:
        if n_topics < 1:
            raise InputError(f"n_topics is {n_topics}; expected 1 or more")
        self.n_topics = n_topics
        self.seed = seed
        self.n_words = 0

    @abstractmethod
    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Learn from documents; a fit that ``watch`` stops leaves a model that can be asked.

        Raises
        ------
        InputError
            If there is no document, or the documents are of a kind that the system cannot model.
        """

    @abstractmethod
    def infer(self, documents: Documents) -> FloatArray:
        """Say how much of each topic is in documents, shape (n_documents, n_topics)."""

    @abstractmethod
    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Return the `measure` of each document, in nats, shape (n_documents,)."""

    @abstractmethod
    def topics(self) -> FloatArray:
        """Return how much each topic is about each word, shape (n_topics, n_words)."""

    @abstractmethod
    def expected_words(self, documents: Documents) -> FloatArray:
        """Return how much each word is expected beside those of a document.

        Shape (n_documents, n_words); only the order within a document has a meaning.
        """

    def _training(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Take note of the vocabulary; refuse to learn from nothing."""
        if matrix.shape[0] == 0:
            raise InputError("there is no document to train on; hold fewer out or import more")
        if matrix.shape[1] == 0:
            raise InputError("the documents have no words; import them with a vocabulary")
        self.n_words = matrix.shape[1]
        return matrix

    def _asked(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Refuse questions to a model that is not fitted, or of other words."""
        if self.n_words == 0:
            raise InputError("the system has learned nothing yet; call fit first")
        if matrix.shape[1] != self.n_words:
            raise InputError(
                f"the model has {self.n_words} words and the documents {matrix.shape[1]}; "
                "use documents over the vocabulary that it was trained on"
            )
        return matrix


def counts_of(documents: Documents) -> sparse.csr_array:
    """How often each word is in each document, for systems that model counts.

    Raises
    ------
    InputError
        If a count is negative or no whole number, or the documents are neither kind.
    """
    if isinstance(documents, Corpus):
        return documents.to_csr()
    if not sparse.issparse(documents) or documents.ndim != 2:
        raise InputError(
            "this system reads bags of words, not sequences or texts; "
            "give it a corpus or a sparse matrix of documents by words"
        )
    matrix: sparse.csr_array = sparse.csr_array(documents.tocsr().astype(np.float64))
    matrix.eliminate_zeros()
    odd = matrix.data[(matrix.data < 0) | (matrix.data != np.floor(matrix.data))]
    if len(odd):
        raise InputError(f"a word is in a document {odd[0]:g} times; counts are whole and from 0")
    return matrix


def presence_of(documents: Documents) -> sparse.csr_array:
    """Which words are in each document, for systems of binary observations.

    Raises
    ------
    InputError
        If a word is counted more than once, which such a system cannot model.
    """
    matrix = counts_of(documents)
    if matrix.nnz and matrix.data.max() > 1:
        raise InputError(
            f"a word is in a document {matrix.data.max():g} times and this system models presence "
            "only; set all counts to 1"
        )
    return matrix
