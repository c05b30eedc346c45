"""Which words make the vocabulary, and which rule left the others out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orrery.core.arrays import Int64Array, ObjectArray
from orrery.core.text.counting import is_among
from orrery.core.text.recipe import Recipe

# As many as a person reads before they get the idea.
EXAMPLES = 20

STOP_WORD, BEYOND_LIMIT = "stop word", "beyond the vocabulary limit"
RULES = (STOP_WORD, "too rare", "too common", BEYOND_LIMIT)


@dataclass(frozen=True)
class DroppedTerms:
    """What one rule left out.

    Attributes
    ----------
    count : int
        Number of different words.
    examples : tuple of (str, int)
        Those of them in most documents, and in how many.
    occurrences : int
        How often they stand in the texts, repeats included.
    """

    count: int
    examples: tuple[tuple[str, int], ...]
    occurrences: int = 0


@dataclass(frozen=True, eq=False)
class TermSelection:
    """The vocabulary and what did not get into it.

    Attributes
    ----------
    kept : int64 array, shape (n_tokens,)
        Numbers of the words that stay, by document frequency descending, then alphabetically.
    dropped : dict of str to DroppedTerms
        One entry for each of ``RULES``.
    """

    kept: Int64Array
    dropped: dict[str, DroppedTerms]


def select_terms(
    words: tuple[str, ...],
    document_frequency: Int64Array,
    n_documents: int,
    recipe: Recipe,
    occurrences: Int64Array | None = None,
) -> TermSelection:
    """Apply the rules of a recipe to words and the number of documents that each is in.

    ``occurrences`` of each word in all documents are for the account of what is dropped alone.
    """
    if occurrences is None:
        occurrences = document_frequency
    fewest, most = document_limits(recipe, n_documents)
    names = np.array(words, dtype=object)
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
    order = alphabetical[np.argsort(-document_frequency[alphabetical], kind="stable")]
    # Words that only occur inside phrases are in no document of their own: they are no terms.
    order = order[document_frequency[order] > 0]
    is_stop_word = is_among(words, recipe.stop_words)
    rule = np.select(
        [is_stop_word, document_frequency < fewest, document_frequency > most],
        [0, 1, 2],
        default=-1,
    )
    kept = order[rule[order] < 0]
    rule[kept[recipe.max_vocabulary :]] = 3
    by_rule = {
        name: _dropped(names, document_frequency, order[rule[order] == number], occurrences)
        for number, name in enumerate(RULES)
    }
    return TermSelection(kept[: recipe.max_vocabulary], by_rule)


def document_limits(recipe: Recipe, n_documents: int) -> tuple[int, int]:
    """Fewest and most documents that a word of the vocabulary may be in."""
    fewest, most = recipe.min_df, recipe.max_df
    # A share such as 0.07 of 100 documents must be 7, whatever the last bit of the product says.
    if isinstance(fewest, float):
        fewest = math.ceil(round(fewest * n_documents, 6))
    if isinstance(most, float):
        most = math.floor(round(most * n_documents, 6))
    return max(fewest, 1), most


def _dropped(
    names: ObjectArray,
    document_frequency: Int64Array,
    terms: Int64Array,
    occurrences: Int64Array,
) -> DroppedTerms:
    shown = terms[:EXAMPLES]
    pairs = zip(names[shown].tolist(), document_frequency[shown].tolist(), strict=True)
    return DroppedTerms(len(terms), tuple(pairs), int(occurrences[terms].sum()))
