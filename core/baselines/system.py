"""Abstract base class of all systems for documents, so that they can be compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import FloatArray

# A corpus (presence only), or a matrix of integer counts.
Documents = Corpus | sparse.csr_array
# Progress callback, called after every round with the share that is done; True stops the training.
StoppingCallback = Callable[[float], bool]


def never_stop(share: float) -> bool:
    """Do nothing; the default progress callback, which never stops the training."""
    return False


class Baseline(ABC):
    """System that learns topics of documents.

    ``n_topics`` is at least 1; systems that determine their number of topics use it as the maximum.
    ``rounds`` is the maximum number of training rounds, by default the number of the class.
    ``measure`` describes the values that `bound_or_likelihood` returns. ``n_words`` is the size of
    the vocabulary of the training documents, 0 before `fit`.
    """

    measure: ClassVar[str]
    rounds: int = 200
    _topics: FloatArray  # set by `fit`, see `topics`

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int | None = None) -> None:
        if n_topics < 1:
            raise InputError(f"n_topics is {n_topics}; expected 1 or more")
        self.n_topics = n_topics
        self.seed = seed
        self.rounds = rounds or self.rounds
        self.n_words = 0

    @abstractmethod
    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train on documents; a model that ``progress`` stopped early can be used.

        InputError if there is no document, or the system cannot model documents of this kind.
        """

    @abstractmethod
    def infer(self, documents: Documents) -> FloatArray:
        """Infer each topic's share or probability in documents, shape (n_documents, n_topics)."""

    @abstractmethod
    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Return the `measure` of each document, in nats, shape (n_documents,)."""

    def topics(self) -> FloatArray:
        """Return the weight of each word in each topic, shape (n_topics, n_words)."""
        return self._topics

    def expected_words(self, documents: Documents) -> FloatArray:
        """Return a score of each word as the next word of a document.

        Shape (n_documents, n_words); only the order within a document is meaningful.
        """
        return self.infer(documents) @ self.topics()

    def _training(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Store the size of the vocabulary; reject empty training data."""
        if matrix.shape[0] == 0:
            raise InputError("there is no document to train on; hold fewer out or import more")
        if matrix.shape[1] == 0:
            raise InputError("the documents have no words; import them with a vocabulary")
        self.n_words = matrix.shape[1]
        return matrix

    def _checked(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Reject documents before `fit`, or over another vocabulary."""
        if self.n_words == 0:
            raise InputError("the system has learned nothing yet; call fit first")
        if matrix.shape[1] != self.n_words:
            raise InputError(
                f"the model has {self.n_words} words and the documents {matrix.shape[1]}; "
                "use documents over the vocabulary that it was trained on"
            )
        return matrix


def counts_of(documents: Documents) -> sparse.csr_array:
    """Word counts of documents, for systems that model counts.

    InputError if a count is negative or not an integer, or if the documents have another type.
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
    """Presence of words in documents, for systems of binary observations.

    InputError if a word occurs more than once in a document.
    """
    matrix = counts_of(documents)
    if matrix.nnz and matrix.data.max() > 1:
        raise InputError(
            f"a word is in a document {matrix.data.max():g} times and this system models presence "
            "only; set all counts to 1"
        )
    return matrix
