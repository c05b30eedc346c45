"""Words of a vocabulary as people read and type them, worked out once (no streamlit)."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from ...core.drawing.links import word_text

# As difflib counts it; 1 is the same word.
LEAST_ALIKE, MOST_ALIKE = 0.75, 4
# Letters are counted in so many classes: those of the Latin alphabet have one each.
LETTERS = 32
# Vocabularies of models that are open at once.
MOST_OPEN = 8


class Spellings:
    """The words of a vocabulary by how they are spelt.

    Attributes
    ----------
    texts, lower : list of str
        Every word as it is read, and in lower case.
    """

    def __init__(self, vocabulary: tuple[str, ...]) -> None:
        self.texts = [word_text(word) for word in vocabulary]
        self.lower = [text.lower() for text in self.texts]

    @cached_property
    def number(self) -> dict[str, int]:
        """Number of each word, by how it is read."""
        return {text: number for number, text in enumerate(self.texts)}

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """Numbers of the words that are the same in lower case, by that, ascending."""
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.lower):
            found.setdefault(text, []).append(number)
        return found

    def alike(self, text: str) -> list[str]:
        """Words spelt much like a text, the most similar first.

        They are those of `difflib.get_close_matches` among all words with the same first letter:
        typos are rare in that. Two words share no longer a stretch than they share letters, so
        most need not be compared.
        """
        wanted = text.lower()
        near = self._by_first_letter.get(wanted[:1])
        if near is None:
            return []
        common = np.minimum(self._letters[near], _count_letters([wanted])).sum(axis=1)
        lengths = self._lengths[near] + len(wanted)
        candidates = near[2 * common >= LEAST_ALIKE * lengths]
        texts = [self.texts[number] for number in candidates.tolist()]
        return get_close_matches(wanted, texts, MOST_ALIKE, LEAST_ALIKE)

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
    """How often each class of letters is in each text, shape (n_texts, ``LETTERS``)."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    row = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    counts = np.bincount(row * LETTERS + codes % LETTERS, minlength=LETTERS * len(texts))
    return counts.reshape(-1, LETTERS).astype(np.uint16)


@lru_cache(maxsize=MOST_OPEN)
def spellings(vocabulary: tuple[str, ...]) -> Spellings:
    """The words of a vocabulary by how they are spelt, the same object each time."""
    return Spellings(vocabulary)
