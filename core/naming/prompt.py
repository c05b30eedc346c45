"""Prompt that asks a language model for topic names; the user copies it, nothing is sent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..data.corpus import Corpus
from ..inference.nearest import strongest_documents, telling_words
from ..model.topic_model import TopicModel
from ..storage.activations import Activations
from .topic_table import top_words

# Top words and texts for each topic; a text is cut to this number of characters.
N_WORDS = 12
TEXTS_TOLD, TEXT_LETTERS = 3, 240
# Topics in one prompt, about 6,000 tokens. Longer prompts get incomplete answers and exceed the
# context of some models.
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
    """Beginnings of the documents that are most typical of a topic, each on one line.

    Parameters
    ----------
    corpus : Corpus or None
        Training corpus with the vocabulary of the model; None gives no texts.
    stored : Activations or None
        Topic probabilities of the documents of the corpus.
    """
    if corpus is None or stored is None or not len(stored.rows):
        return []
    if stored.rows[-1] >= corpus.n_documents or corpus.vocabulary != model.vocabulary:
        return []
    probability = np.zeros(corpus.n_documents)
    probability[stored.rows] = stored.probability[:, [topic]].toarray().ravel()
    words = telling_words(model, topic)
    # Four times the number, because the texts of some documents are empty or equal.
    rows = strongest_documents(corpus, probability, words, 4 * TEXTS_TOLD)
    texts = (shortened(str(corpus.documents["text"].iat[row])) for row in rows)
    return list(dict.fromkeys(text for text in texts if text))[:TEXTS_TOLD]


def shortened(text: str, limit: int = TEXT_LETTERS) -> str:
    """Beginning of a text on one line, cut between words if possible."""
    line = " ".join(text[: 4 * limit].split())
    if len(line) <= limit:
        return line
    space = line.rfind(" ", limit // 2, limit)
    return line[: space if space > 0 else limit - 1].rstrip() + "…"


def prompt_parts(topics: Sequence[int]) -> list[list[int]]:
    """Distribute topics evenly over as few prompts as possible."""
    n_parts = -(-len(topics) // MOST_TOPICS)
    bounds = [part * len(topics) // max(n_parts, 1) for part in range(n_parts + 1)]
    return [list(topics[begin:end]) for begin, end in pairwise(bounds)]


def naming_prompt(
    model: TopicModel, topics: Sequence[int], corpus: Corpus | None, stored: Activations | None
) -> str:
    """Prompt for names of some topics, with the top words and typical texts of each."""
    count = f"{len(topics)} topics" if len(topics) != 1 else "1 topic"
    lines = [HEAD.format(count=count)]
    for topic in topics:
        texts = topic_texts(model, topic, corpus, stored)
        lines += [
            f"id: {model.network.graph.topic_ids[topic]}",
            f"words: {', '.join(top_words(model, topic, N_WORDS))}",
            *(f"text: {text}" for text in texts),
            "",
        ]
    return "\n".join(lines)
