"""A prompt that asks a language model for names; a person carries it there, nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ..data.corpus import Corpus
from ..inference.nearest import strongest_documents, telling_words
from ..model.topic_model import TopicModel
from ..storage.activations import Activations
from .topic_table import telling

WORDS_TOLD = 12
TEXTS_TOLD, TEXT_LETTERS = 3, 240
# Prompts of more topics are answered with gaps, and do not fit everywhere: some 6,000 tokens.
MOST_TOPICS = 25

HEAD = """Below are {count} of a collection of texts, found by a topic model. For each one you see \
its id, its most telling words and, where there are any, the beginnings of its most typical texts.

Give each topic a short name, of one to five words, in the language of the texts. The name says \
what the words and texts have in common, and tells the topic from the others. Do not list words.

Answer with one line for each topic and nothing else: its id, a colon, its name.
"""


def topic_texts(
    model: TopicModel, topic: int, corpus: Corpus | None, stored: Activations | None
) -> list[str]:
    """Beginnings of the texts that are most typical of a topic, each on one line.

    Parameters
    ----------
    model : TopicModel
    topic : int
    corpus : Corpus or None
        That the model was trained on, with its vocabulary; None gives no texts.
    stored : Activations or None
        Which topics are on in its documents.
    """
    if corpus is None or stored is None or not len(stored.rows):
        return []
    if stored.rows[-1] >= corpus.n_documents or corpus.vocabulary != model.vocabulary:
        return []
    probability = np.zeros(corpus.n_documents)
    probability[stored.rows] = stored.probability[:, [topic]].toarray().ravel()
    told = telling_words(model, topic)
    # Some documents are words without a text.
    rows = strongest_documents(corpus, probability, told, 4 * TEXTS_TOLD)
    texts = (shortened(str(corpus.documents["text"].iat[row])) for row in rows)
    return list(dict.fromkeys(text for text in texts if text))[:TEXTS_TOLD]


def shortened(text: str, most: int = TEXT_LETTERS) -> str:
    """The beginning of a text on one line, cut between words where it has any."""
    line = " ".join(text[: 4 * most].split())
    if len(line) <= most:
        return line
    space = line.rfind(" ", most // 2, most)
    return line[: space if space > 0 else most - 1].rstrip() + "…"


def prompt_parts(topics: Sequence[int]) -> list[list[int]]:
    """Topics shared out among prompts, as evenly as they go."""
    n_parts = -(-len(topics) // MOST_TOPICS)
    bounds = [part * len(topics) // max(n_parts, 1) for part in range(n_parts + 1)]
    return [list(topics[begin:end]) for begin, end in pairwise(bounds)]


def naming_prompt(
    model: TopicModel, topics: Sequence[int], corpus: Corpus | None, stored: Activations | None
) -> str:
    """What to ask a language model about some topics.

    Texts are part of it as they are, each on a line of its own.
    """
    count = f"{len(topics)} topics" if len(topics) != 1 else "1 topic"
    return "\n".join([HEAD.format(count=count), *_told(model, topics, corpus, stored)])


def _told(
    model: TopicModel, topics: Sequence[int], corpus: Corpus | None, stored: Activations | None
) -> Iterator[str]:
    for topic in topics:
        yield f"id: {model.network.graph.topic_ids[topic]}"
        yield f"words: {', '.join(telling(model, topic, WORDS_TOLD))}"
        for text in topic_texts(model, topic, corpus, stored):
            yield f"text: {text}"
        yield ""
