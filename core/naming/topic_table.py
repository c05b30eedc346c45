"""All topics as a table for people: what they are about, and what is said about them."""

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
    """A topic in the table of names.

    Attributes
    ----------
    id : str
    name : str
        A person's own, or "".
    words : tuple of str
        Its most telling words, phrases with spaces.
    documents : int or None
        In how many of the documents that were checked it is on; None where none were.
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
    """Number of the checked documents in which each topic is on, shape (n_topics,).

    Parameters
    ----------
    model : TopicModel
    stored : Activations or None
        Those stored beside the model.

    Returns
    -------
    int64 array or None
        None where none were stored.
    """
    if stored is None or stored.probability.shape != (len(stored.rows), _n_topics(model)):
        return None
    table = stored.probability
    on = table.indices[table.data > ON_THRESHOLD]
    return np.bincount(on, minlength=_n_topics(model)).astype(np.int64)


def table_order(
    model: TopicModel, documents: npt.NDArray[np.int64] | None
) -> npt.NDArray[np.int64]:
    """Topics in the order of the table: those that are on the most often first.

    Topics that have died, without words and without a name, are left out.
    """
    n_topics = _n_topics(model)
    size = model.prior[:n_topics] if documents is None else documents
    order = np.argsort(-size, kind="stable")
    has_died = np.zeros(n_topics, bool)
    has_died[list(model.wordless_topics)] = True
    return order[~has_died[order]].astype(np.int64)


def topic_rows(
    model: TopicModel, topics: Iterable[int], documents: npt.NDArray[np.int64] | None
) -> list[TopicRow]:
    """Rows of some topics, in their order."""
    ids, overlay = model.network.graph.topic_ids, model.overlay
    return [
        TopicRow(
            id=ids[topic],
            name=overlay.labels.get(ids[topic], ""),
            words=telling(model, topic),
            documents=None if documents is None else int(documents[topic]),
            note=overlay.notes.get(ids[topic], ""),
            hidden=ids[topic] in overlay.hidden,
        )
        for topic in topics
    ]


def telling(model: TopicModel, topic: int, count: int = WORDS_SHOWN) -> tuple[str, ...]:
    """Most telling words of a topic, as a person reads them."""
    return tuple(word.replace("_", " ") for word, _, _ in model.topic_words.words(topic, count))


def _n_topics(model: TopicModel) -> int:
    return int(model.network.graph.n_topics)
