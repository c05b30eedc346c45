"""Facts about topics.

Their words, similar topics, numbers of documents; and spellings of words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ...core.data.corpus import Corpus
from ...core.data.suggestions import positions_by
from ...core.drawing.links import whole, word_text
from ...core.inference.evidence import Evidence
from ...core.inference.infer import infer
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.model.network import Network, weight_to_probability
from ...core.model.subtrees import find_subtrees, joined, subtree_documents, subtree_prior
from ...core.model.topic_model import Run
from ...core.storage.activations import Activations

# Vocabularies in the cache.
MAX_VOCABULARIES = 8


class Spellings:
    """Displayed spellings of a vocabulary; ``lower`` has the ``texts`` in lower case."""

    def __init__(self, vocabulary: tuple[str, ...]) -> None:
        self.texts = [word_text(word) for word in vocabulary]
        self.lower = [text.lower() for text in self.texts]

    @cached_property
    def number(self) -> dict[str, int]:
        """Token of each displayed word."""
        return {text: number for number, text in enumerate(self.texts)}

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """Ascending tokens of the words that are equal in lower case, by that."""
        return positions_by(self.lower)


@lru_cache(maxsize=MAX_VOCABULARIES)
def spellings(vocabulary: tuple[str, ...]) -> Spellings:
    """Displayed spellings of a vocabulary, cached."""
    return Spellings(vocabulary)


# Minimum cosine of a similar topic.
MIN_SIMILARITY = 0.1
# Documents in which topics are counted; more would take longer and add little.
MAX_USAGE_DOCUMENTS = 400


@dataclass(frozen=True)
class TopicWord:
    """A word that a topic causes."""

    text: str
    # Probability of the word if only this topic is on; of topics displayed as one, the highest.
    probability: float
    lift: float  # that probability over the prior of the word
    weight: float  # of the link from the topic; 0 if it acts only through other topics


def words_by_relevance(run: Run, topic: int, share: float, count: int) -> list[TopicWord]:
    """Words of a topic by their relevance (Sievert and Shirley 2014).

    In LDA the relevance of word w to topic t is ``share * log p(w|t) + (1 - share) * log(p(w|t) /
    p(w))``. In a noisy-OR network p(w) is the prior of w, and p(w|t) the probability of w once t
    alone is switched on: ``1 - (1 - p(w)) * (1 - r)``, where r is the probability that t causes w
    over all paths (`reach`).

    Parameters
    ----------
    run : Run
    topic : int
    share : float
        The "lambda" of the paper: 1 sorts by probability, 0 by lift.
    count : int
        Maximum number of words.
    """
    found = _words(run, topic)
    found.sort(
        key=lambda word: -(share * math.log(word.probability) + (1.0 - share) * math.log(word.lift))
    )
    return found[:count]


def words_by_weight(run: Run, topic: int, count: int) -> list[TopicWord]:
    """Children of a topic that are words, those with the strongest links first."""
    linked = [word for word in _words(run, topic) if word.weight > 0]
    return sorted(linked, key=lambda word: -word.weight)[:count]


def _words(run: Run, topic: int) -> list[TopicWord]:
    graph = run.network.graph
    weight_of: dict[int, float] = {}
    for part in run.parts_of(topic):
        span = slice(graph.child_ptr[part], graph.child_ptr[part + 1])
        weights = run.network.weight[graph.child_edge[span]].tolist()
        for child, weight in zip(graph.child_idx[span].tolist(), weights, strict=True):
            weight_of[child] = max(weight, weight_of.get(child, 0.0))
    return [
        TopicWord(
            word_text(word),
            probability,
            lift,
            weight_of.get(graph.n_topics + run.token_number[word], 0.0),
        )
        for word, probability, lift in run.shown_words(topic, graph.n_tokens)
    ]


def similar_topics(network: Network, topic: int, count: int) -> list[tuple[int, float]]:
    """Topics with the most similar children, by the cosine of their link probabilities.

    Returns
    -------
    list of (topic, cosine)
        Most similar first; none below ``MIN_SIMILARITY``.
    """
    graph = network.graph
    effect = weight_to_probability(network.weight)
    shape = (graph.n_topics, graph.n_nodes)
    links = sparse.csr_array((effect, (graph.parent_idx, graph.edge_children())), shape=shape)
    length = np.sqrt(np.asarray(links.multiply(links).sum(axis=1)).ravel())
    product = np.asarray((links @ links[[topic]].T).todense()).ravel()
    cosine = product / np.maximum(length * length[topic], 1e-300)
    cosine[topic] = 0.0
    best = np.argsort(-cosine, kind="stable")[:count]
    return [(int(k), float(cosine[k])) for k in best if cosine[k] >= MIN_SIMILARITY]


@dataclass(frozen=True)
class TopicSizes:
    """Size of every topic, shape (n_topics,): number of documents, or prior probability.

    For subtrees, a document counts if any topic of the subtree is on.
    """

    size: tuple[float, ...]
    documents: int  # number of documents; 0 if the sizes are prior probabilities


def topic_usage(network: Network, corpus: Corpus, most: int = MAX_USAGE_DOCUMENTS) -> TopicSizes:
    """Count the documents in which each topic is on, each read as a whole (closed world).

    At most ``most`` documents are read, at equal distances, so that the result is deterministic.
    Belief propagation alone is accurate enough for whole documents, and uses only serial kernels,
    so that a page may call it.
    """
    rows = np.unique(np.linspace(0, corpus.n_documents - 1, min(most, corpus.n_documents)).round())
    on = np.zeros(network.graph.n_topics, np.int64)
    for row in rows.astype(np.int64):
        tokens = corpus.token_idx[corpus.token_ptr[row] : corpus.token_ptr[row + 1]]
        evidence = Evidence(tuple(tokens.tolist()), closed_world=True)
        posterior = infer(network, evidence, method="sum-product")
        on[posterior.local.topics[posterior.probability > ON_THRESHOLD]] += 1
    return TopicSizes(tuple(on.tolist()), len(rows))


def topic_sizes(run: Run, activations: Activations | None) -> TopicSizes:
    """Number of documents of every topic if activations are stored, else prior probabilities.

    A document counts once for topics that are displayed as one.
    """
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(tuple(run.displayed_prior.tolist()), 0)
    on = on_table(run, activations)
    return TopicSizes(tuple(map(float, on.sum(axis=0))), on.shape[0])


def subtree_sizes(run: Run, activations: Activations | None, threshold: float) -> TopicSizes:
    """`topic_sizes` of the subtree of every topic (`orrery.core.model.subtrees`).

    ``threshold`` is the minimum probability of a link to a topic's main parent.
    """
    members = find_subtrees(run.network, threshold, run.unlinked_topics, run.shown_as)
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(tuple(subtree_prior(run.network, members).tolist()), 0)
    on = activations.probability > ON_THRESHOLD
    return TopicSizes(tuple(map(float, subtree_documents(on, members))), on.shape[0])


def on_table(run: Run, activations: Activations) -> sparse.csr_array:
    """Whether a topic, or one displayed as it, is on: bool, shape (n_rows, n_topics)."""
    return joined(activations.probability > ON_THRESHOLD, run.shown_as)


def on_probability(run: Run, activations: Activations, topic: int) -> npt.NDArray[np.float64]:
    """Highest probability of the topics displayed as this one, shape (n_rows,)."""
    parts = [other for other in range(activations.probability.shape[1])
             if whole(run, other) == topic]  # fmt: skip
    if not parts:
        return np.zeros(len(activations.rows))
    surest = activations.probability[:, parts].toarray().max(axis=1)
    return np.asarray(surest, np.float64)
