"""New documents over the vocabulary of a model, and the words in them that the model lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from scipy import sparse

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import Int32Array, ProgressCallback, no_progress
from .corpus import Corpus
from .mail import stripped
from .query import parse_query
from .raw import RawDocuments, RawMatrix
from .recipe import Recipe, tokenize

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Documents between two calls of the progress callback.
BLOCK = 500


class HasRecipe(Protocol):
    """A model or a corpus: an object with a recipe and a vocabulary."""

    @property
    def recipe(self) -> Recipe:
        """Conversion of texts to tokens."""

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Words by token number."""

    @property
    def token_number(self) -> dict[str, int]:
        """Number of each word of the vocabulary."""


class KnownWords(NamedTuple):
    """Documents over a vocabulary."""

    corpus: Corpus  # all documents, including those without a known word
    unknown: list[tuple[str, ...]]  # of each document, in order of occurrence, each word once


def find_known_words(
    raw: RawDocuments | RawMatrix, like: HasRecipe, progress: ProgressCallback = no_progress
) -> KnownWords:
    """Documents of a source over the vocabulary of a model, tokenized by its recipe.

    A ready-made matrix is not tokenized: its columns are matched with the vocabulary by name.
    ``progress`` receives the fraction of the documents that is done. Raises InputError if a matrix
    has no documents.
    """
    if isinstance(raw, RawMatrix):
        return _of_matrix(raw, like)
    texts = raw.table["text"].tolist()
    rows, unknown = [], []
    for done, text in enumerate(texts):
        if done % BLOCK == 0:
            progress(done / len(texts))
        tokens, others = words_of(text, like.recipe, like.token_number)
        rows.append(tokens)
        unknown.append(others)
    return KnownWords(corpus_of_rows(rows, like.vocabulary, raw.table, like.recipe), unknown)


def words_of(
    text: str, recipe: Recipe, token_number: dict[str, int]
) -> tuple[Int32Array, tuple[str, ...]]:
    """Ascending tokens of a text, and its words that are not in the vocabulary, each once."""
    if recipe.matrix:
        found, others = parse_query(recipe, token_number, text)
        return np.unique(found), tuple(others)
    words = dict.fromkeys(tokenize(recipe, stripped(text, recipe)))
    tokens = [token_number[word] for word in words if word in token_number]
    return np.unique(np.array(tokens, np.int32)), tuple(
        word for word in words if word not in token_number
    )


def corpus_of_rows(
    rows: Sequence[Int32Array], vocabulary: tuple[str, ...], table: pd.DataFrame, recipe: Recipe
) -> Corpus:
    """Corpus with the tokens of each document of a table."""
    pointer = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    tokens = np.concatenate([np.zeros(0, np.int32), *rows])
    return Corpus(pointer.astype(np.int64), tokens.astype(np.int32), vocabulary, table, recipe)


def _of_matrix(raw: RawMatrix, like: HasRecipe) -> KnownWords:
    if not raw.counts.shape[0]:
        raise InputError("the matrix has no documents; give one with a row for each document")
    presence = sparse.csr_array(raw.counts > 0)
    token = np.array([like.token_number.get(word, -1) for word in raw.vocabulary])
    rows, unknown = [], []
    for columns in np.split(presence.indices, presence.indptr[1:-1]):
        found = token[columns]
        rows.append(np.unique(found[found >= 0]).astype(np.int32))
        unknown.append(tuple(_named(columns[found < 0], raw.vocabulary)))
    return KnownWords(corpus_of_rows(rows, like.vocabulary, raw.table, like.recipe), unknown)


def _named(columns: Iterable[int], vocabulary: tuple[str, ...]) -> list[str]:
    return [vocabulary[column] for column in columns]
