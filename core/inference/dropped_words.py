"""Topics of a word that is in the texts but not in the vocabulary.

The recipe dropped it as a stop word, or because it is in too few or too many documents. The model
cannot be asked about it, but the documents that contain it have topics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import regex
from scipy import sparse

from ..data.corpus import Corpus, evenly_spaced
from ..data.recipe import normalised
from ..data.word_patterns import CHARACTER_PATTERN
from ..utils.types import FloatArray, Int64Array

# Documents whose topics are averaged, evenly spaced; more do not change two digits.
MAX_DOCUMENTS = 10_000


@dataclass(frozen=True, eq=False)
class DroppedWord:
    """Mean topics of the documents with a word.

    Attributes
    ----------
    word : str
    n_documents : int
        Number of documents of the corpus that contain it.
    n_read : int
        Number of these documents whose topics are averaged.
    probability, error : float64 arrays, shape (n_topics,)
        Mean posterior probability of each topic in these documents, and its standard error over
        the documents, infinite for a single document.
    """

    word: str
    n_documents: int
    n_read: int
    probability: FloatArray
    error: FloatArray

    @property
    def sentence(self) -> str:
        """Explanation that belongs beside every figure."""
        texts = "1 text" if self.n_documents == 1 else f"{self.n_documents:,} texts"
        return (
            f"“{self.word}” is in {texts}, but it is not a word of the model. These are the mean "
            "topics of the texts with it, not an answer of the model to the word."
        )


def dropped_word(
    corpus: Corpus, stored: sparse.csr_array, rows: Int64Array, word: str
) -> DroppedWord | None:
    """Mean topics of the documents that contain a word; None if no document with topics does.

    Parameters
    ----------
    corpus : Corpus
        Training documents with their texts.
    stored : csr_array, shape (n_rows, n_topics)
        Probability of each topic in each document.
    rows : int64 array, shape (n_rows,)
        Numbers of these documents in the corpus.
    word : str
        Word, or several words in a row, as typed.
    """
    with_word = documents_with(corpus, word)
    places = evenly_spaced(np.flatnonzero(np.isin(rows, with_word)), MAX_DOCUMENTS)
    if not len(places):
        return None
    found = stored[places].astype(np.float64)
    mean = np.asarray(found.mean(axis=0)).ravel()
    squares = np.asarray(found.multiply(found).mean(axis=0)).ravel()
    count = len(places)
    error = np.full_like(mean, np.inf)
    if count > 1:
        error = np.sqrt(np.maximum(squares - mean**2, 0.0) / (count - 1))
    return DroppedWord(word, len(with_word), count, mean, error)


def documents_with(corpus: Corpus, word: str) -> Int64Array:
    """Rows of the documents whose texts contain a word, ascending."""
    recipe = corpus.recipe
    parts = normalised(recipe, word.replace("_", " ")).split()
    if not any(any(letter.isalnum() for letter in part) for part in parts):
        return np.zeros(0, np.int64)
    pattern = r"\s+".join(map(regex.escape, parts))
    # Texts without spaces have no boundaries between words.
    if recipe.token_pattern != CHARACTER_PATTERN and not recipe.segments:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    contains = regex.compile(pattern).search
    texts = corpus.documents["text"].tolist()
    return np.array([row for row, text in enumerate(texts) if contains(normalised(recipe, text))],
                    np.int64)  # fmt: skip
