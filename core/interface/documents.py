"""What an estimator is handed, texts or a matrix, as a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from orrery.core.corpus import Corpus, build_corpus
from orrery.core.errors import InputError
from orrery.core.text.columns import default_ids, normal_table
from orrery.core.text.headers import stripped
from orrery.core.text.query import parse_query
from orrery.core.text.raw import RawDocuments
from orrery.core.text.recipe import Recipe, matrix_recipe, tokenize


def is_texts(documents: Any) -> bool:
    """Whether documents are texts: one-dimensional, and the first of them a string.

    Raises
    ------
    InputError
        If it is one text alone.
    """
    if isinstance(documents, str | bytes):
        raise InputError("got one text; expected a list of texts, one for each document")
    if sparse.issparse(documents) or getattr(documents, "ndim", 1) != 1:
        return False
    if hasattr(documents, "iloc"):
        documents = documents.iloc
    elif not hasattr(documents, "__getitem__"):
        return False
    return any(isinstance(text, str) for text in documents[:1])


def corpus_of_texts(texts: Sequence[str], recipe: Recipe | None) -> Corpus:
    """Read texts by a recipe, as `orrery import` does; those of which no word stays are dropped."""
    return build_corpus(RawDocuments(_table(_checked(texts))), recipe or Recipe())[0]


def known_words(texts: Sequence[str], like: Corpus | Any) -> Corpus:
    """Texts over a vocabulary that is there already: every text stays, unknown words do not.

    Parameters
    ----------
    texts : sequence of str
    like : Corpus or TopicModel
        Whose ``recipe`` and ``vocabulary`` are used.
    """
    checked = _checked(texts)
    rows = [_tokens(text, like.recipe, like.token_number) for text in checked]
    return _corpus(rows, like.vocabulary, _table(checked), like.recipe)


def corpus_of_matrix(
    matrix: Any, vocabulary: tuple[str, ...], recipe: Recipe | None = None
) -> Corpus:
    """Documents by words; whatever is above zero is present.

    Parameters
    ----------
    matrix : array or sparse array, shape (n_documents, n_tokens)
        Checked: numbers of 0 or more.
    vocabulary : tuple of str, length n_tokens
    recipe : Recipe, optional
        How a query becomes tokens; at white space if not given.
    """
    presence = sparse.csr_array(matrix > 0)
    presence.eliminate_zeros()
    presence.sum_duplicates()
    table = pd.DataFrame({"id": default_ids(presence.shape[0]), "text": "", "label": None})
    rows = np.split(presence.indices, presence.indptr[1:-1])
    return _corpus(rows, vocabulary, normal_table(table), recipe or matrix_recipe())


def _checked(texts: Sequence[str]) -> list[str]:
    found = list(texts)
    for number, text in enumerate(found):
        if not isinstance(text, str):
            raise InputError(
                f"document {number} is {type(text).__name__} and no text; replace or drop it"
            )
    return found


def _table(texts: list[str]) -> pd.DataFrame:
    ids = default_ids(len(texts))
    return normal_table(pd.DataFrame({"id": ids, "text": texts, "label": None}))


def _tokens(text: str, recipe: Recipe, number: dict[str, int]) -> np.ndarray:
    if recipe.matrix:
        found = parse_query(recipe, number, text)[0]
    else:
        words = tokenize(recipe, stripped(text, recipe))
        found = np.array([number[word] for word in words if word in number], np.int32)
    return np.unique(found)


def _corpus(
    rows: Sequence[np.ndarray], vocabulary: tuple[str, ...], table: pd.DataFrame, recipe: Recipe
) -> Corpus:
    pointer = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    tokens = np.concatenate([np.zeros(0, np.int32), *rows])
    return Corpus(pointer.astype(np.int64), tokens.astype(np.int32), vocabulary, table, recipe)
