"""Top words of a topic; `topic_names` makes its name of three of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from scipy import sparse

from ..utils.types import BoolArray, FloatArray, Int32Array, Int64Array
from .network import Network, weight_to_probability

# A topic that reaches no word with this probability has no words and is not displayed.
MIN_WORD_PROBABILITY = 0.02
# Minimal lift of the second typical word of a name. A generally frequent word fails it: "learning"
# is in most papers on learning, but in most others too.
MIN_LIFT = 1.5
# A word is common to the topics that activate it at least this often, relative to the word that
# they activate most often. Words that are common to many topics, such as verbs and quantifiers, are
# typical of none.
COMMON_SHARE = 0.3
MANY_TOPICS = 100
# Smaller probabilities of a word given a topic are dropped to save memory.
MIN_REACH = 1e-3


def marginals(network: Network, known: Mapping[int, float] | None = None) -> FloatArray:
    """Probability of every node if its parents were independent, shape (n_nodes,).

    ``known`` has topics with given probabilities, such as a posterior; without it the result is the
    prior.
    """
    graph = network.graph
    given = np.full(graph.n_nodes, np.nan)
    for topic, value in (known or {}).items():
        if topic < graph.n_topics:
            given[topic] = value
    effect = weight_to_probability(network.weight)
    probability = np.zeros(graph.n_nodes)
    for nodes in graph.generations():
        survival = network.summed_survivals(probability[: graph.n_topics], effect, nodes)
        found = -np.expm1(survival - network.leak[nodes])
        probability[nodes] = np.where(np.isnan(given[nodes]), found, given[nodes])
    return probability


def reach(network: Network) -> sparse.csr_array:
    """Probability that a topic alone activates a word, over all paths, (n_topics, n_tokens).

    The probabilities of the paths are summed, which is an upper bound, and clipped at 1.
    """
    graph = network.graph
    effect = weight_to_probability(network.weight)
    shape = (graph.n_topics, graph.n_nodes)
    links = sparse.csr_array((effect, (graph.parent_idx, graph.edge_children())), shape=shape)
    to_topics = links[:, : graph.n_topics]
    step = total = _without_small(links[:, graph.n_topics :])
    for _ in range(graph.n_layers() - 1):
        step = _without_small(sparse.csr_array(to_topics @ step))
        total = sparse.csr_array(total + step)
    total.data = np.minimum(total.data, 1.0)
    return total


def _without_small(links: sparse.csr_array) -> sparse.csr_array:
    links.data[links.data < MIN_REACH] = 0.0
    links.eliminate_zeros()
    return links


def _rarity_among_topics(reached: sparse.csr_array) -> FloatArray:
    """Rarity of every word among topics, shape (n_tokens,): 1 for a word of one topic, 0 of all.

    ``log(n_topics / n) / log(n_topics)``, where ``n`` is the number of topics that the word is
    common to (``COMMON_SHARE``). If there are few topics, words that several share are not general,
    so there are taken to be ``MANY_TOPICS``.
    """
    n_topics = reached.shape[0]
    if n_topics < 2 or not reached.nnz:
        return np.ones(reached.shape[1])
    highest = np.asarray(reached.max(axis=1).todense()).ravel()
    is_common = reached.data >= COMMON_SHARE * np.repeat(highest, np.diff(reached.indptr))
    count = np.bincount(reached.indices[is_common], minlength=reached.shape[1])
    rarity: FloatArray = 1.0 - np.log(np.maximum(count, 1)) / np.log(max(n_topics, MANY_TOPICS))
    # A word of all topics may still be the only word of one.
    return np.maximum(rarity, 1e-3)


class TopicWords:
    """Top words of every topic of a network.

    A word's score is ``p(word | topic) log(p(word | topic) / p(word))``, which is high for words
    that are both probable given the topic and more probable than without it.
    """

    def __init__(self, network: Network, vocabulary: Sequence[str]) -> None:
        self._vocabulary = vocabulary
        self._reach = reach(network)
        self._reach.sort_indices()
        prior = marginals(network)
        self._prior = prior[: network.graph.n_topics]
        self._base = np.maximum(prior[network.graph.n_topics :], 1e-9)
        self.rarity = _rarity_among_topics(self._reach)

    def words(
        self, topic: int, count: int = 10, others: Collection[int] = ()
    ) -> list[tuple[str, float, float]]:
        """Top words of a topic: (word, probability given the topic, lift over the prior).

        Parameters
        ----------
        count : int
            Maximal number of words.
        others : collection of int
            Topics that are displayed as part of this one. Their words are included, and each word
            has the highest of the topics' probabilities.
        """
        scored = [self._scores(one) for one in (topic, *others)]
        tokens, probability, lift, score = map(np.concatenate, zip(*scored, strict=True))
        best = np.lexsort((tokens, -score))
        if others:
            # The score of a word increases with its probability.
            _, first = np.unique(tokens[best], return_index=True)
            best = best[np.sort(first)]
        best = best[:count]
        return [(self._vocabulary[tokens[b]], float(probability[b]), float(lift[b])) for b in best]

    def tokens(self, topic: int, count: int) -> Int64Array:
        """Numbers of the top words of a topic."""
        tokens, _, _, score = self._scores(topic)
        return tokens[np.lexsort((tokens, -score))[:count]].astype(np.int64)

    def is_wordless(self, topic: int) -> bool:
        """Whether a topic reaches no word with ``MIN_WORD_PROBABILITY`` and is not displayed."""
        return bool(self._reached(topic).max(initial=0.0) < MIN_WORD_PROBABILITY)

    def strongest(self, topic: int) -> list[int]:
        """Numbers of the words that every candidate name of a topic includes: one or two.

        The first has the highest score; the second is the word that the topic activates most often
        among the words of sufficient lift (``MIN_LIFT``), which excludes generally frequent words.
        The second counts by its rarity among topics (``COMMON_SHARE``).
        """
        tokens, _, _, score = self._scores(topic)
        if not len(tokens):
            return []
        often = self._reached(topic) * self.rarity[tokens]
        likely = np.where(self._is_lifted(topic), often, 0.0)
        best = [np.lexsort((tokens, -score))[0], np.lexsort((tokens, -score, -likely))[0]]
        return list(dict.fromkeys(tokens[best].tolist()))

    def scores(self, topic: int) -> dict[int, float]:
        """Score of each word of a topic, by the word's number."""
        tokens, _, _, score = self._scores(topic)
        return dict(zip(tokens.tolist(), score.tolist(), strict=True))

    def scores_apart(
        self, topic: int, parents: Sequence[int], effect: FloatArray, share: FloatArray
    ) -> dict[int, float]:
        """Score of each word of a topic relative to the topic's siblings, by the word's number.

        The score is as in the class, but the lift is relative to the word's probability given the
        parents that activated the topic, so words that siblings share score low.

        Parameters
        ----------
        effect : float64 array, shape (n_parents,)
            Probability that the parent activates the topic.
        share : float64 array, shape (n_parents,)
            Share of the topic's activity that the parent causes.
        """
        tokens, probability, _, score = self._scores(topic)
        absent = 1.0 - self._base[tokens]
        for parent, act, part in zip(parents, effect, share, strict=True):
            by_siblings = self._reach_of(parent, tokens) - act * self._reached(topic)
            absent *= 1.0 - part * np.maximum(by_siblings, 0.0)
        apart = probability * np.log(probability / (1.0 - absent))
        # Words without a positive relative score are ranked by their own score.
        value = np.maximum(apart, 0.0) + 1e-6 * score
        return dict(zip(tokens.tolist(), value.tolist(), strict=True))

    def _is_lifted(self, topic: int) -> BoolArray:
        """Mask of the topic's words that are clearly more frequent with the topic than without it.

        The prior is no reference here: it includes the topic, which may be on in most documents.
        """
        reached, base = self._reached(topic), self._base[self._tokens_of(topic)]
        by_topic = np.minimum(self._prior[topic] * reached, base)
        absent = np.minimum((1.0 - base) / np.maximum(1.0 - by_topic, 1e-12), 1.0)
        lifted: BoolArray = 1.0 - absent * (1.0 - reached) >= MIN_LIFT * (1.0 - absent)
        return lifted

    def _tokens_of(self, topic: int) -> Int32Array:
        return self._reach.indices[self._reach.indptr[topic] : self._reach.indptr[topic + 1]]

    def _reached(self, topic: int) -> FloatArray:
        """Probability that the topic alone activates each of its words."""
        return self._reach.data[self._reach.indptr[topic] : self._reach.indptr[topic + 1]]

    def _reach_of(self, topic: int, tokens: Int32Array) -> FloatArray:
        """Probability that a topic alone activates the given words, which need not be its own."""
        own, reached = self._tokens_of(topic), self._reached(topic)
        if not len(own):
            return np.zeros(len(tokens))
        place = np.minimum(np.searchsorted(own, tokens), len(own) - 1)
        return np.where(own[place] == tokens, reached[place], 0.0)

    def _scores(self, topic: int) -> tuple[Int32Array, FloatArray, FloatArray, FloatArray]:
        tokens = self._tokens_of(topic)
        base = self._base[tokens]
        probability = 1.0 - (1.0 - base) * (1.0 - self._reached(topic))
        lift = probability / base
        return tokens, probability, lift, probability * np.log(lift)


def caused_shares(network: Network) -> FloatArray:
    """Share of the child's activity that each edge causes, shape (n_edges,).

    ``p(parent) p(edge) / p(child)`` with the `marginals`. A parent that is never on causes nothing,
    however strong its edge is.
    """
    probability, effect = marginals(network), weight_to_probability(network.weight)
    caused = probability[network.graph.parent_idx] * effect
    return np.minimum(caused / np.maximum(probability[network.graph.edge_children()], 1e-300), 1.0)
