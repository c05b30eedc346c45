"""Words of a vocabulary as people read and type them, and similar spellings."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from ...core.drawing.links import word_text

# Minimum similarity, as difflib computes it, and maximum number of similar words.
MIN_SIMILARITY, MAX_SIMILAR = 0.75, 4
# Classes in which letters are counted; each letter of the Latin alphabet has its own.
LETTERS = 32
# Vocabularies in the cache.
MAX_VOCABULARIES = 8


class Spellings:
    """Displayed spellings of a vocabulary; ``lower`` has the ``texts`` in lower case."""

    def __init__(self, vocabulary: tuple[str, ...]) -> None:
        self.texts = [word_text(word) for word in vocabulary]
        self.lower = [text.lower() for text in self.texts]

    @cached_property
    def number(self) -> dict[str, int]:
        """Token of each displayed word."""
        return {text: number for number, text in enumerate(self.texts)}

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """Ascending tokens of the words that are equal in lower case, by that."""
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.lower):
            found.setdefault(text, []).append(number)
        return found

    def alike(self, text: str) -> list[str]:
        """Words with a similar spelling, most similar first.

        The result of `difflib.get_close_matches` among words with the same first letter, in which
        typing errors are rare. Common letters bound the similarity from above, so that most words
        need not be compared.
        """
        wanted = text.lower()
        near = self._by_first_letter.get(wanted[:1])
        if near is None:
            return []
        common = np.minimum(self._letters[near], _count_letters([wanted])).sum(axis=1)
        lengths = self._lengths[near] + len(wanted)
        candidates = near[2 * common >= MIN_SIMILARITY * lengths]
        texts = [self.texts[number] for number in candidates.tolist()]
        return get_close_matches(wanted, texts, MAX_SIMILAR, MIN_SIMILARITY)

    @cached_property
    def _by_first_letter(self) -> dict[str, npt.NDArray[np.int64]]:
        first: dict[str, list[int]] = {}
        for number, text in enumerate(self.texts):
            first.setdefault(text[:1], []).append(number)
        return {letter: np.array(numbers, np.int64) for letter, numbers in first.items()}

    @cached_property
    def _lengths(self) -> npt.NDArray[np.int64]:
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def _letters(self) -> npt.NDArray[np.uint16]:
        return _count_letters(self.texts)


def _count_letters(texts: list[str]) -> npt.NDArray[np.uint16]:
    """Count of each class of letters in each text, shape (n_texts, ``LETTERS``)."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    row = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    counts = np.bincount(row * LETTERS + codes % LETTERS, minlength=LETTERS * len(texts))
    return counts.reshape(-1, LETTERS).astype(np.uint16)


@lru_cache(maxsize=MAX_VOCABULARIES)
def spellings(vocabulary: tuple[str, ...]) -> Spellings:
    """Displayed spellings of a vocabulary, cached."""
    return Spellings(vocabulary)
