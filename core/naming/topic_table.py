"""Table of all topics with their top words, names and notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..inference.thresholds import ON_THRESHOLD
from ..model.topic_model import TopicModel
from ..storage.activations import Activations

WORDS_SHOWN = 8


@dataclass(frozen=True)
class TopicRow:
    """Row of the table of topic names.

    Attributes
    ----------
    id : str
    name : str
        Name that a user gave, or "".
    words : tuple of str
        Top words; phrases contain spaces.
    documents : int or None
        Number of documents in which the topic is on, among those with stored probabilities; None
        without stored probabilities.
    note : str
    hidden : bool
    """

    id: str
    name: str
    words: tuple[str, ...]
    documents: int | None
    note: str
    hidden: bool


def topic_documents(model: TopicModel, stored: Activations | None) -> npt.NDArray[np.int64] | None:
    """Number of documents in which each topic is on, int64 of shape (n_topics,).

    Only documents with stored probabilities count. None if nothing is stored or if the stored
    table has another number of topics.
    """
    n_topics = model.network.graph.n_topics
    if stored is None or stored.probability.shape != (len(stored.rows), n_topics):
        return None
    table = stored.probability
    on = table.indices[table.data > ON_THRESHOLD]
    return np.bincount(on, minlength=n_topics).astype(np.int64)


def table_order(
    model: TopicModel, documents: npt.NDArray[np.int64] | None
) -> npt.NDArray[np.int64]:
    """Topics in the order of the table: the most frequent first, without unused topics.

    A topic is unused if it has neither words nor a name.
    """
    n_topics = model.network.graph.n_topics
    size = model.prior[:n_topics] if documents is None else documents
    order = np.argsort(-size, kind="stable")
    is_unused = np.zeros(n_topics, bool)
    is_unused[list(model.wordless_topics)] = True
    return order[~is_unused[order]].astype(np.int64)


def topic_rows(
    model: TopicModel, topics: Iterable[int], documents: npt.NDArray[np.int64] | None
) -> list[TopicRow]:
    """Rows of these topics, in the given order."""
    ids, overlay = model.network.graph.topic_ids, model.overlay
    return [
        TopicRow(
            id=ids[topic],
            name=overlay.labels.get(ids[topic], ""),
            words=top_words(model, topic),
            documents=None if documents is None else int(documents[topic]),
            note=overlay.notes.get(ids[topic], ""),
            hidden=ids[topic] in overlay.hidden,
        )
        for topic in topics
    ]


def top_words(model: TopicModel, topic: int, count: int = WORDS_SHOWN) -> tuple[str, ...]:
    """Top words of a topic; phrases contain spaces."""
    return tuple(word.replace("_", " ") for word, _, _ in model.topic_words.words(topic, count))
