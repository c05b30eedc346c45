"""Another topic model, judged by what can be said of any: its words, and the words it expects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..utils.types import FloatArray, Int64Array
from .coherence import WORDS_PER_TOPIC, diversity, mean_npmi
from .completion import LIST_LENGTH, draw_documents, expectation_ranks, hide_words

# How much a model expects each word in some documents, shape (n_rows, n_tokens).
Expects = Callable[[Corpus, Int64Array], FloatArray]


@dataclass(frozen=True)
class RivalFigures:
    """Figures of another model, those of `Evaluation` that do not need ours.

    Attributes
    ----------
    name : str
    documents, topics : int
    npmi, diversity : float or None
        Of the ten most probable words of each topic.
    completion_mrr, completion_recall10 : float or None
        On the same hidden words; None when no document has two words.
    accuracy : float or None
        Share of the labels told from its topics; None where that was not asked for.
    """

    name: str
    documents: int
    topics: int
    npmi: float | None
    diversity: float | None
    completion_mrr: float | None
    completion_recall10: float | None
    accuracy: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values for JSON."""
        return asdict(self)


def judge_rival(
    name: str,
    topics: FloatArray,
    expects: Expects,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
) -> RivalFigures:
    """Judge another model on the documents, and the hidden words, that ours is judged on.

    Parameters
    ----------
    name : str
    topics : float64 array, shape (n_topics, n_tokens)
        Weight of every word in every topic.
    expects : function of a corpus and some of its rows
    corpus : Corpus
    rows : int64 array
        The documents to judge by.
    seed : int
        As in `complete`.
    """
    words = [np.argsort(-topic, kind="stable")[:WORDS_PER_TOPIC] for topic in topics]
    ranks = np.empty(0)
    drawn = draw_documents(corpus, rows, seed)
    if len(drawn):
        hidden = hide_words(corpus, drawn, seed)
        ranks = expectation_ranks(expects, hidden)
    return RivalFigures(
        name=name,
        documents=len(rows),
        topics=len(topics),
        npmi=mean_npmi(corpus.to_csr(), words),
        diversity=diversity(words),
        completion_mrr=float((1.0 / ranks).mean()) if len(ranks) else None,
        completion_recall10=float((ranks <= LIST_LENGTH).mean()) if len(ranks) else None,
    )
