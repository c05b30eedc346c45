"""Which languages texts are in, told by the common words of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .recipe import Recipe, split_words
from .stop_words import LANGUAGES, stop_words_of

# So many documents, evenly spread, are looked at; more would tell the same.
LOOKED_AT = 400
# About every second word of a text is a common one; by chance, or in names, far fewer are.
LEAST_SHARE = 0.2
# Fewer words than this are a name or a heading, which may be in any language.
FEWEST_WORDS = 4
# One alone may be a name or an abbreviation.
FEWEST_COMMON_WORDS = 2
# A language of fewer documents is a stray quotation or a near relative of the true one.
LEAST_DOCUMENTS = 0.1


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Find the languages that texts are in, that of the most texts first.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    tuple of str
        Of the names in ``LANGUAGES``; empty where no text has enough common words of any.
    """
    lists = {name: frozenset(stop_words_of(name)) for name in LANGUAGES}
    recipe = Recipe(stop_words=(), phrases=False)
    step = max(len(texts) // LOOKED_AT, 1)
    found = Counter[str]()
    for row in range(0, len(texts), step):
        words = split_words(recipe, texts[row])
        if len(words) >= FEWEST_WORDS:
            hits = {name: sum(word in common for word in words) for name, common in lists.items()}
            best = max(LANGUAGES, key=lambda name: hits[name])
            if hits[best] >= max(LEAST_SHARE * len(words), FEWEST_COMMON_WORDS):
                found[best] += 1
    ranked = sorted(found, key=lambda name: (-found[name], name))
    return tuple(name for name in ranked if found[name] >= LEAST_DOCUMENTS * found.total())
