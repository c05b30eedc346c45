"""What a topic is about: its most telling words, and a name made of three of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.network import FloatArray, Network, weight_to_probability

WORDS_IN_LABEL = 3
LABEL_SEPARATOR = " · "
NO_WORDS = "no words"
# A parent that switches a topic on more rarely than this has no say in its name.
LEAST_PARENTHOOD = 0.1
# Words that a topic reaches with less probability than this are not worth a place in memory.
LEAST_REACH = 1e-3


def marginals(network: Network, known: Mapping[int, float] | None = None) -> FloatArray:
    """Probability of every node, its parents taken as independent, shape (n_nodes,).

    Parameters
    ----------
    network : Network
    known : mapping of int to float, optional
        Topics whose probability is given, such as by a posterior; without it the prior results.
    """
    graph = network.graph
    probability = np.zeros(graph.n_nodes)
    effect = weight_to_probability(network.weight)
    given = known or {}
    for node in range(graph.n_topics):
        if node in given:
            probability[node] = given[node]
            continue
        incoming = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        failed = 1.0 - probability[graph.parent_idx[incoming]] * effect[incoming]
        probability[node] = 1.0 - np.exp(-network.leak[node]) * failed.prod()
    log_failed = np.log1p(-np.minimum(probability[graph.parent_idx] * effect, 1.0 - 1e-12))
    summed = np.bincount(graph.edge_children(), log_failed, minlength=graph.n_nodes)
    tokens = slice(graph.n_topics, graph.n_nodes)
    probability[tokens] = -np.expm1(-network.leak[tokens] + summed[tokens])
    return probability


def reach(network: Network) -> sparse.csr_array:
    """Probability that a topic alone switches a word on, over all paths, (n_topics, n_tokens).

    Paths are taken as independent alternatives and summed, at most 1.
    """
    graph = network.graph
    effect = weight_to_probability(network.weight)
    shape = (graph.n_topics, graph.n_nodes)
    links = sparse.csr_array((effect, (graph.parent_idx, graph.edge_children())), shape=shape)
    to_topics = links[:, : graph.n_topics]
    step = links[:, graph.n_topics :]
    total = sparse.csr_array(step.shape)
    for _ in range(graph.n_layers()):
        step.data[step.data < LEAST_REACH] = 0.0
        step.eliminate_zeros()
        total = total + step
        step = to_topics @ step
    total.data = np.minimum(total.data, 1.0)
    return sparse.csr_array(total)


class TopicWords:
    """The telling words of every topic of a network.

    A word's score is ``p(word | topic) log(p(word | topic) / p(word))``: it is high for words
    that the topic makes both likely and much likelier than they are anyway.
    """

    def __init__(self, network: Network, vocabulary: Sequence[str]) -> None:
        self._vocabulary = vocabulary
        self._reach = reach(network)
        self._base = np.maximum(marginals(network)[network.graph.n_topics :], 1e-9)

    def words(self, topic: int, count: int = 10) -> list[tuple[str, float, float]]:
        """Most telling words of a topic: (word, probability given the topic, lift over all).

        Parameters
        ----------
        topic : int
        count : int
            At most so many words; a topic that reaches fewer has fewer.
        """
        tokens, probability, lift, score = self._scores(topic)
        best = np.lexsort((tokens, -score))[:count]
        return [(self._vocabulary[tokens[b]], float(probability[b]), float(lift[b])) for b in best]

    def tokens(self, topic: int, count: int) -> npt.NDArray[np.int64]:
        """Numbers of the most telling words of a topic."""
        tokens, _, _, score = self._scores(topic)
        return tokens[np.lexsort((tokens, -score))[:count]].astype(np.int64)

    def name_words(self, topic: int, avoid: Collection[str] = ()) -> list[str]:
        """Return the three words that name a topic; those to ``avoid`` only where there are few."""
        ranked = [word for word, _, _ in self.words(topic, WORDS_IN_LABEL + len(avoid))]
        ranked.sort(key=lambda word: word in avoid)
        return ranked[:WORDS_IN_LABEL]

    def _scores(
        self, topic: int
    ) -> tuple[npt.NDArray[np.int32], FloatArray, FloatArray, FloatArray]:
        row = slice(self._reach.indptr[topic], self._reach.indptr[topic + 1])
        tokens = self._reach.indices[row]
        base = self._base[tokens]
        probability = 1.0 - (1.0 - base) * (1.0 - self._reach.data[row])
        lift = probability / base
        return tokens, probability, lift, probability * np.log(lift)


def topic_labels(
    network: Network, vocabulary: Sequence[str], named: Collection[str] = ()
) -> list[str]:
    """Names of all topics, in the order of their numbers.

    A topic does not repeat the words in the name of its strongest parent, so that a name says
    what is particular about it. Topics whose ids are ``named`` by a person go by these.
    """
    described = TopicWords(network, vocabulary)
    graph = network.graph
    effect = weight_to_probability(network.weight)
    names: list[list[str]] = []
    for topic in range(graph.n_topics):
        incoming = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
        avoid: list[str] = []
        if effect[incoming].max(initial=0.0) >= LEAST_PARENTHOOD:
            avoid = names[graph.parents(topic)[int(np.argmax(effect[incoming]))]]
        names.append(described.name_words(topic, avoid))
    return [
        name if name in named else _joined(words)
        for name, words in zip(graph.topic_ids, names, strict=True)
    ]


def _joined(words: Sequence[str]) -> str:
    """Name out of words, phrases with spaces."""
    return LABEL_SEPARATOR.join(word.replace("_", " ") for word in words) or NO_WORDS
