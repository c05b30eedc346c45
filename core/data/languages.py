"""Languages of a corpus, recognised by the stop words of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .recipe import Recipe, split_words
from .stop_words import LANGUAGES, stop_words_of

# Documents that are examined, evenly spaced; more of them give the same result.
SAMPLE_DOCUMENTS = 400
# Share of stop words in a text: about half in running text, far less in names or by coincidence.
MIN_SHARE = 0.2
# A text of fewer words is a name or a heading, which may be in any language.
MIN_WORDS = 4
# A single stop word may be a name or an abbreviation.
MIN_STOP_WORDS = 2
# Share of documents; a rarer language is a quotation or is confused with a related language.
MIN_DOCUMENTS = 0.1


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Languages of the texts by descending frequency, as names in ``LANGUAGES``.

    Empty if no text has enough stop words of any language.
    """
    lists = {name: frozenset(stop_words_of(name)) for name in LANGUAGES}
    recipe = Recipe(stop_words=(), phrases=False)
    step = max(len(texts) // SAMPLE_DOCUMENTS, 1)
    found = Counter[str]()
    for row in range(0, len(texts), step):
        words = split_words(recipe, texts[row])
        if len(words) >= MIN_WORDS:
            hits = {name: sum(word in common for word in words) for name, common in lists.items()}
            best = max(LANGUAGES, key=lambda name: hits[name])
            if hits[best] >= max(MIN_SHARE * len(words), MIN_STOP_WORDS):
                found[best] += 1
    ranked = sorted(found, key=lambda name: (-found[name], name))
    return tuple(name for name in ranked if found[name] >= MIN_DOCUMENTS * found.total())
