"""Texts as numbers: every word of every text in one flat array, ready for counting."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orrery.core.arrays import BoolArray, Int32Array, Int64Array
from orrery.core.text.recipe import Recipe, split_words

CHARACTERS_BETWEEN_REPORTS = 500_000


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """The words of many texts, in order.

    Attributes
    ----------
    word_ptr : int64 array, shape (n_texts + 1,)
        ``word_idx[word_ptr[d]:word_ptr[d + 1]]`` are the words of text ``d`` as they follow each
        other.
    word_idx : int32 array
    words : tuple of str
        The word behind each number.
    """

    word_ptr: Int64Array
    word_idx: Int32Array
    words: tuple[str, ...]

    def counts(self) -> sparse.csr_array:
        """How often each word is in each text: texts by words, columns ascending in a row."""
        ones = np.ones(len(self.word_idx), np.int32)
        shape = (len(self.word_ptr) - 1, len(self.words))
        # A copy, because summing sorts in place.
        counts = sparse.csr_array((ones, self.word_idx, self.word_ptr), shape=shape, copy=True)
        counts.sum_duplicates()
        return counts


class _Numbering(dict[str, int]):
    """Gives every word that it has not met the next number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def encode_texts(
    texts: Iterable[str], recipe: Recipe, watch: Callable[[int], None] = lambda done: None
) -> EncodedTexts:
    """Split all texts into words (stop words included) and number the words as they appear.

    ``watch`` is told now and then how many texts are done.
    """
    number = _Numbering()
    positions, lengths = array("i"), array("q", [0])
    characters = 0
    for done, text in enumerate(texts):
        characters += len(text)
        if characters >= CHARACTERS_BETWEEN_REPORTS:
            characters = 0
            watch(done)
        positions.extend(map(number.__getitem__, split_words(recipe, text)))
        lengths.append(len(positions))
    return EncodedTexts(
        np.array(lengths, dtype=np.int64),
        np.array(positions, dtype=np.int32),
        tuple(number),
    )


def is_among(words: tuple[str, ...], stop_words: tuple[str, ...]) -> BoolArray:
    """Whether each word, in lower case, is one of the stop words."""
    listed = frozenset(stop_words)
    return np.array([word.lower() in listed for word in words], bool)
