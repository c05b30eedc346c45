"""Documents that are typical of a topic: it is on, and their words tell it from the others."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from orrery.core.corpus import Corpus
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.model import TopicModel

# A telling word is at least twice as frequent where the topic is on.
LEAST_LIFT = 2.0


def telling_words(model: TopicModel, topic: int) -> dict[str, float]:
    """Words that are much more frequent where a topic is on: log of how many times."""
    every = model.shown_words(topic, len(model.vocabulary))
    return {word: math.log(lift) for word, _, lift in every if lift >= LEAST_LIFT}


def strongest_documents(
    corpus: Corpus, probability: npt.NDArray[np.float64], told: Mapping[str, float], count: int
) -> list[int]:
    """Documents in which a topic is on and whose words are most telling of it.

    Parameters
    ----------
    corpus : Corpus
    probability : float array, shape (n_documents,)
        Of the topic in each document, 0 where it is not known.
    told : mapping of str to float
        As `telling_words` gives it.
    count : int
        At most so many.
    """
    gain = np.zeros(corpus.n_tokens)
    known = [word for word in told if word in corpus.token_number]
    gain[[corpus.token_number[word] for word in known]] = [told[word] for word in known]
    rows = np.flatnonzero(probability > ON_THRESHOLD)
    if not len(rows):
        return []
    begins, ends = corpus.token_ptr[rows], corpus.token_ptr[rows + 1]
    sums = np.array([gain[corpus.token_idx[b:e]].sum() for b, e in zip(begins, ends, strict=True)])
    best = np.argsort(-sums * probability[rows], kind="stable")[:count]
    return [int(row) for row in rows[best]]
