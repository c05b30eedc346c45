"""Passages that are repeated in the documents of a topic, such as a notice below every article.

Words that only occur in such a passage are perfectly dependent, so a topic of them is learned and
is coherent, although it does not describe the content of the documents.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..data.corpus import Corpus, evenly_spaced
from ..inference.thresholds import ON_THRESHOLD
from ..storage.activations import Activations
from ..utils.types import Int64Array

# Words that follow each other in several documents; fewer may be a common turn of phrase.
N_WORDS = 8
# Least share of a topic's documents that have the passage, how many times the share elsewhere that
# is at least, and least number of documents.
MIN_SHARE, MIN_RATIO, MIN_DOCUMENTS = 0.5, 3.0, 4
# Documents that are read for each topic, and other documents that are read once for all topics.
MAX_READ, MAX_OTHERS = 40, 200
# Characters that are read of each of them: a document may be a whole book.
MAX_CHARACTERS = 20_000

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_Words = tuple[str, ...]


class Passage(NamedTuple):
    """A passage that is repeated in the documents of a topic."""

    text: str
    documents: int  # number of the topic's documents with the passage, among the documents read
    read: int  # number of the topic's documents that were read


def passages_of_topics(corpus: Corpus, stored: Activations) -> dict[int, Passage]:
    """Repeated passage of every topic that has one, by the number of the topic."""
    on = (stored.probability > ON_THRESHOLD).tocsc()
    texts = corpus.documents["text"]

    def read(places: Int64Array) -> list[str]:
        return [str(texts.iat[int(row)])[:MAX_CHARACTERS] for row in stored.rows[places]]

    sample = evenly_spaced(np.arange(on.shape[0]), MAX_OTHERS)
    shingles = [_shingles(text) for text in read(sample)]
    found = {}
    for topic in range(on.shape[1]):
        own = np.sort(on.indices[on.indptr[topic] : on.indptr[topic + 1]]).astype(np.int64)
        if len(own) < MIN_DOCUMENTS:
            continue
        is_other = ~np.isin(sample, own)
        others = [shingles[number] for number in np.flatnonzero(is_other).tolist()]
        passage = _repeated(read(evenly_spaced(own, MAX_READ)), others)
        if passage is not None:
            found[topic] = passage
    return found


def _repeated(texts: Sequence[str], others: Sequence[set[_Words]]) -> Passage | None:
    """Passage that at least half of the texts share and far fewer of the others, or None.

    ``others`` are the `_shingles` of texts.
    """
    counts: Counter[_Words] = Counter()
    for text in texts:
        counts.update(_shingles(text))
    most = max(counts.values(), default=0)
    if most < max(MIN_DOCUMENTS, MIN_SHARE * len(texts)):
        return None
    best = {words for words, count in counts.items() if count == most}
    elsewhere = sum(not best.isdisjoint(shingles) for shingles in others)
    if elsewhere / max(len(others), 1) * MIN_RATIO > most / len(texts):
        return None
    return Passage(_first_passage(texts, best), most, len(texts))


def _shingles(text: str) -> set[_Words]:
    """All sequences of ``N_WORDS`` words of a text, in lower case."""
    # Lower case may split a word: İ becomes two characters.
    words = [word.lower() for word in _WORD.findall(text)]
    return set(zip(*(words[first:] for first in range(N_WORDS)), strict=False))


def _first_passage(texts: Sequence[str], best: set[_Words]) -> str:
    """Longest passage of the first text that consists of these sequences, as it is written."""
    for text in texts:
        places = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        words = [text[begin:end].lower() for begin, end in places]
        starts = [
            number
            for number in range(len(words) - N_WORDS + 1)
            if tuple(words[number : number + N_WORDS]) in best
        ]
        if starts:
            # Runs of starts that follow each other; the longest is the passage.
            breaks = [n for n, (one, two) in enumerate(pairwise(starts), 1) if two != one + 1]
            runs = list(pairwise([0, *breaks, len(starts)]))
            first, end = max(runs, key=lambda run: run[1] - run[0])
            begin, last = starts[first], starts[end - 1] + N_WORDS - 1
            return " ".join(text[places[begin][0] : places[last][1]].split())
    return ""
