"""Quality of the topics' top words: coherence (NPMI), diversity, topics of a single word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..model.labels import MIN_WORD_PROBABILITY, TopicWords, reach
from ..model.network import Network
from ..model.topic_names import npmi_of_pairs
from ..utils.types import BoolArray, Int64Array

WORDS_PER_TOPIC = 10


def top_words(
    network: Network, vocabulary: Sequence[str], count: int = WORDS_PER_TOPIC
) -> list[Int64Array]:
    """Token numbers of the top words of every topic, ten by default; fewer if it has fewer."""
    described = TopicWords(network, vocabulary)
    return [described.tokens(topic, count) for topic in range(network.graph.n_topics)]


def topic_npmi(presence: sparse.csr_array, words_of_topics: list[Int64Array]) -> list[float | None]:
    """Mean NPMI of the pairs of every topic's words; None for a topic with fewer than two words.

    A pair that never occurs together counts as -1, one that always does as 1, and a pair without
    information as 0 (see `npmi_of_pairs`).
    """
    columns = presence.tocsc()
    n_documents = presence.shape[0]
    frequency = np.diff(columns.indptr) / n_documents
    # Shared by all topics: allocating it for each topic would cost O(documents) each time.
    is_in = np.zeros(n_documents, np.bool_)
    scores: list[float | None] = []
    for words in words_of_topics:
        if len(words) < 2:
            scores.append(None)
            continue
        first, second = np.triu_indices(len(words), 1)
        joint = _documents_together(columns, words, is_in)[first, second] / n_documents
        expected = frequency[words[first]] * frequency[words[second]]
        scores.append(float(npmi_of_pairs(joint, expected).mean()))
    return scores


def _documents_together(
    columns: sparse.csc_array, words: Int64Array, is_in: BoolArray
) -> Int64Array:
    """Number of documents with both of any two words, in time linear in their
    documents for each word.

    ``is_in`` is scratch memory, one flag per document, all False.
    """
    documents = [columns.indices[columns.indptr[word] : columns.indptr[word + 1]] for word in words]
    word_of_entry = np.repeat(np.arange(len(words)), [len(own) for own in documents])
    document_of_entry = np.concatenate(documents)
    together = np.empty((len(words), len(words)), np.int64)
    for word, own in enumerate(documents):
        is_in[own] = True
        together[word] = np.bincount(word_of_entry[is_in[document_of_entry]], minlength=len(words))
        is_in[own] = False
    return together


def mean_npmi(presence: sparse.csr_array, words_of_topics: list[Int64Array]) -> float | None:
    """Mean of `topic_npmi` over the topics that have one."""
    known = [score for score in topic_npmi(presence, words_of_topics) if score is not None]
    return float(np.mean(known)) if known else None


def diversity(words_of_topics: list[Int64Array]) -> float | None:
    """Share of distinct words among the top words of all topics."""
    total = sum(len(words) for words in words_of_topics)
    return len(set(np.concatenate(words_of_topics).tolist())) / total if total else None


def exclusive_word_shares(words_of_topics: list[Int64Array]) -> list[float | None]:
    """Share of each topic's top words that no other topic has; None without words."""
    if not words_of_topics:
        return []
    _, place, count = np.unique(
        np.concatenate(words_of_topics), return_inverse=True, return_counts=True
    )
    is_own = np.split(count[place] == 1, np.cumsum([len(words) for words in words_of_topics])[:-1])
    return [float(own.mean()) if len(own) else None for own in is_own]


# Limit on the probability of the second word relative to the first in a topic of a single word.
# Example: "error" 0.81, then "mean squared" 0.10. A topic of a word and its plural exceeds it.
MAX_SECOND = 0.25
# Topics of words in a smaller share of the documents are not reported, because they do no harm.
MIN_FREQUENCY = 0.02


def single_word_topics(
    network: Network, document_frequency: npt.NDArray[np.int64], n_documents: int
) -> list[tuple[int, int]]:
    """Find the topics of a single frequent word, as (topic, token) in the order of the topics.

    Such a topic only states that the word is present. The word belongs in its leak, or in the stop
    words of the next import. ``document_frequency``, shape (n_tokens,), is the number of documents
    with each word. Topics whose words are all below ``MIN_WORD_PROBABILITY`` are left out.
    """
    reached = reach(network)
    found = []
    for topic in range(network.graph.n_topics):
        row = slice(reached.indptr[topic], reached.indptr[topic + 1])
        tokens, probability = reached.indices[row], reached.data[row]
        if not len(probability) or probability.max() < MIN_WORD_PROBABILITY:
            continue
        token = int(tokens[np.argmax(probability)])
        second = np.delete(probability, np.argmax(probability)).max(initial=0.0)
        is_frequent = document_frequency[token] > MIN_FREQUENCY * n_documents
        if is_frequent and second < MAX_SECOND * probability.max():
            found.append((topic, token))
    return found
