"""What there is to know of one topic: its words, its neighbours, how often it is on.

How large topics and families are: documents that they are on in, or prior probabilities.

No streamlit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ...core.data.corpus import Corpus
from ...core.drawing.links import whole, word_text
from ...core.inference.evidence import Evidence
from ...core.inference.infer import infer
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.model.network import Network, weight_to_probability
from ...core.model.subtrees import family_documents, family_prior, find_families, joined

if TYPE_CHECKING:
    from ...core.model.topic_model import Run
    from ...core.storage.activations import Activations


# Topics less similar than this are not listed as similar.
LEAST_SIMILARITY = 0.1
# Number of documents checked for how often topics are on; more take longer and add little.
DOCUMENTS_ASKED = 400


@dataclass(frozen=True)
class TopicWord:
    """A word that a topic brings.

    Attributes
    ----------
    text : str
    probability : float
        How often the word occurs where this topic alone is on; of topics that are shown as one, the
        one that brings it the most often.
    lift : float
        How many times as often as it occurs anyway.
    weight : float
        Weight of the link from the topic to the word; 0 if the way leads over other topics.
    """

    text: str
    probability: float
    lift: float
    weight: float


@dataclass(frozen=True)
class Usage:
    """How often each topic is on in the documents that were checked, shape (n_topics,)."""

    on: tuple[int, ...]
    documents: int


def words_by_relevance(run: Run, topic: int, share: float, count: int) -> list[TopicWord]:
    """Words of a topic by their relevance (Sievert and Shirley 2014).

    In LDA the relevance of word w to topic t is ``share * log p(w|t) + (1 - share) * log(p(w|t) /
    p(w))``. In a noisy-OR network p(w) is the prior probability that w occurs, and p(w|t) that it
    occurs once t alone is switched on: ``1 - (1 - p(w)) * (1 - r)``, where r is the probability
    that t brings w, over all paths (`reach`). At ``share`` 1 words are ordered
    by how often they occur, at 0 by how much more often than anyway.

    Parameters
    ----------
    run : Run
    topic : int
    share : float
        The "lambda" of the paper, from 0 to 1.
    count : int
        At most so many words.
    """
    found = _words(run, topic)
    found.sort(key=lambda word: -_relevance(word, share))
    return found[:count]


def words_by_weight(run: Run, topic: int, count: int) -> list[TopicWord]:
    """Words that hang directly from a topic, those of the strongest links first."""
    linked = [word for word in _words(run, topic) if word.weight > 0]
    return sorted(linked, key=lambda word: -word.weight)[:count]


def _relevance(word: TopicWord, share: float) -> float:
    return share * math.log(word.probability) + (1.0 - share) * math.log(word.lift)


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
    """Topics with the most similar children, by the cosine of the children's probabilities.

    Returns
    -------
    list of (topic, cosine)
        The most similar first; none below ``LEAST_SIMILARITY``.
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
    return [(int(k), float(cosine[k])) for k in best if cosine[k] >= LEAST_SIMILARITY]


def topic_usage(network: Network, corpus: Corpus, most: int = DOCUMENTS_ASKED) -> Usage:
    """Count in how many documents each topic is on, each read as a whole (closed world).

    Of a large corpus ``most`` documents are asked, evenly spread, so the answer is always the
    same. Serial kernels only, so a page may call it; sum-product alone, which is as good as the
    posterior where whole documents are counted.
    """
    rows = np.unique(np.linspace(0, corpus.n_documents - 1, min(most, corpus.n_documents)).round())
    on = np.zeros(network.graph.n_topics, np.int64)
    for row in rows.astype(np.int64):
        tokens = corpus.token_idx[corpus.token_ptr[row] : corpus.token_ptr[row + 1]]
        evidence = Evidence(tuple(tokens.tolist()), closed_world=True)
        posterior = infer(network, evidence, method="sum-product")
        on[posterior.local.topics[posterior.probability > ON_THRESHOLD]] += 1
    return Usage(tuple(on.tolist()), len(rows))


@dataclass(frozen=True)
class TopicSizes:
    """Size of every topic, shape (n_topics,).

    Attributes
    ----------
    size : tuple of float
        Number of documents in which the topic is on, or its prior probability; of a family that
        of any of its topics.
    documents : int
        How many documents were asked; 0 where the sizes are prior probabilities.
    """

    size: tuple[float, ...]
    documents: int


def topic_sizes(run: Run, activations: Activations | None) -> TopicSizes:
    """Count the documents of every topic, where they were stored beside the model.

    A document counts once for topics that are shown as one.
    """
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(_prior_sizes(run), 0)
    on = on_table(run, activations)
    return TopicSizes(tuple(map(float, on.sum(axis=0))), on.shape[0])


def family_sizes(run: Run, activations: Activations | None, threshold: float) -> TopicSizes:
    """`topic_sizes` of every topic with all that is below it (`orrery.core.model.subtrees`).

    Parameters
    ----------
    run : Run
    activations : Activations or None
    threshold : float
        Probability of the weakest link that a topic may hang by.
    """
    members = find_families(run.network, threshold, run.hidden_topics, run.shown_as)
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(tuple(family_prior(run.network, members).tolist()), 0)
    on = activations.probability > ON_THRESHOLD
    return TopicSizes(tuple(map(float, family_documents(on, members))), on.shape[0])


def on_table(run: Run, activations: Activations) -> sparse.csr_array:
    """Whether a topic, or one that is shown as it, is on: bool, shape (n_rows, n_topics)."""
    return joined(activations.probability > ON_THRESHOLD, run.shown_as)


def on_probability(run: Run, activations: Activations, topic: int) -> npt.NDArray[np.float64]:
    """Probability of a topic, or of the surest that is shown as it, shape (n_rows,)."""
    parts = [other for other in range(activations.probability.shape[1])
             if whole(run, other) == topic]  # fmt: skip
    if not parts:
        return np.zeros(len(activations.rows))
    surest = activations.probability[:, parts].toarray().max(axis=1)
    return np.asarray(surest, np.float64)


def _prior_sizes(run: Run) -> tuple[float, ...]:
    """Prior probabilities; of topics that are shown as one, as if they were independent."""
    n_topics = run.network.graph.n_topics
    prior = run.prior[:n_topics]
    shown = np.array([whole(run, topic) for topic in range(n_topics)], np.int64)
    off: npt.NDArray[np.float64] = np.ones(n_topics)
    np.multiply.at(off, shown, 1.0 - prior)
    # To the last digit, so that a topic with nothing below is as large as its family.
    is_alone = np.bincount(shown, minlength=n_topics) == 1
    return tuple(np.where(is_alone, prior, 1.0 - off).tolist())
