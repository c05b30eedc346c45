"""Top words of a topic, and a topic name made of three of them.

A name begins with one or two words that are typical of the topic; the others distinguish the topic
from its siblings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from scipy import sparse

from ..utils.types import BoolArray, FloatArray, Int32Array, Int64Array
from .network import Network, weight_to_probability

WORDS_IN_LABEL = 3
LABEL_SEPARATOR = " · "
NO_WORDS = "no words"
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
# Pairs of endings of two forms of one word: plurals, and for longer stems also other endings, which
# are those of English and related languages. The common stem has at least the lengths below.
PLURALS = frozenset({("", "s"), ("", "es"), ("y", "ies")})
ENDINGS = PLURALS | {("", end) for end in ("d", "e", "ed", "en", "er", "ers", "ing", "n")}
ENDINGS |= {("e", "ing"), ("ed", "ing"), ("es", "ing"), ("s", "ing"), ("s", "ed"), ("d", "s")}
MIN_PLURAL_STEM, MIN_STEM = 3, 5
# Smaller probabilities of a word given a topic are dropped to save memory.
MIN_REACH = 1e-3


def marginals(network: Network, known: Mapping[int, float] | None = None) -> FloatArray:
    """Probability of every node if its parents were independent, shape (n_nodes,).

    ``known`` has topics with given probabilities, such as a posterior; without it the result is the
    prior.
    """
    graph, given = network.graph, known or {}
    effect = weight_to_probability(network.weight)
    probability = np.zeros(graph.n_nodes)
    for nodes in graph.generations():
        survival = network.summed_survivals(probability[: graph.n_topics], effect, nodes)
        probability[nodes] = -np.expm1(survival - network.leak[nodes])
        for topic in given.keys() & set(range(nodes.start, min(nodes.stop, graph.n_topics))):
            probability[topic] = given[topic]
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
    step = links[:, graph.n_topics :]
    total = sparse.csr_array(step.shape)
    for _ in range(graph.n_layers()):
        step.data[step.data < MIN_REACH] = 0.0
        step.eliminate_zeros()
        total = total + step
        step = to_topics @ step
    total.data = np.minimum(total.data, 1.0)
    return sparse.csr_array(total)


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


def topic_labels(
    network: Network, vocabulary: Sequence[str], named: Collection[str] = ()
) -> list[str]:
    """Names of all topics in numerical order; ``NO_WORDS`` for topics without words.

    A name has the topic's strongest words (`TopicWords.strongest`), completed by words that
    distinguish it from its siblings (`TopicWords.scores_apart`), without further forms of the same
    word. A word in the name of a parent scores lower by the share of the topic's activity that the
    parent causes (`caused_shares`). Two names have the same words only if there is no alternative.
    Topics whose ids are in ``named``, given by a user, keep these as names.
    """
    naming, by_user = _Naming(network, vocabulary), frozenset(named)
    return [
        name if name in by_user else join_words([vocabulary[token] for token in tokens])
        for name, tokens in zip(network.graph.topic_ids, naming.names, strict=True)
    ]


class _Naming:
    """Names, made from the top down, because the name of a child depends on its parents' names."""

    def __init__(self, network: Network, vocabulary: Sequence[str]) -> None:
        self._graph = network.graph
        self._described = TopicWords(network, vocabulary)
        self._effect = weight_to_probability(network.weight)
        self._share = caused_shares(network)
        # Words of each phrase: a phrase without a new word counts as a repetition.
        self._words = [_parts(word) for word in vocabulary]
        self.names: list[list[int]] = []
        taken: set[frozenset[int]] = set()
        for topic in range(self._graph.n_topics):
            options = iter(()) if self._described.is_wordless(topic) else self._options(topic)
            # The first option if all names are taken; an empty name if there is no option.
            first = next(options, [])
            free = (name for name in chain([first], options) if frozenset(name) not in taken)
            self.names.append(next(free, first))
            taken.add(frozenset(self.names[-1]))

    def _options(self, topic: int) -> Iterator[list[int]]:
        """Possible names of a topic, the best first; they differ in the last word."""
        incoming = slice(self._graph.parent_ptr[topic], self._graph.parent_ptr[topic + 1])
        share = self._share[incoming]
        parents = self._graph.parents(topic).tolist()
        value = self._described.scores_apart(topic, parents, self._effect[incoming], share)
        for parent, part in zip(parents, share.tolist(), strict=True):
            for token in self.names[parent]:
                if token in value:
                    value[token] *= 1.0 - part
        # Words that many topics share are typical of none.
        value = {token: worth * self._described.rarity[token] ** 0.5
                 for token, worth in value.items()}  # fmt: skip
        name = self._described.strongest(topic)
        if len(name) == 2 and self._repeats(name[1], name[:1]):
            # A phrase is clearer than one of its words.
            name = [max(name, key=lambda token: len(self._words[token]))]
        others = sorted(value.keys() - set(name), key=lambda token: (-value[token], token))
        while len(name) < WORDS_IN_LABEL - 1 and others:
            name.append(next(self._extensions(name, others)))
            others.remove(name[-1])
        if not others:
            yield name
        for token in self._extensions(name, others):
            yield [*name, token]

    def _extensions(self, name: Sequence[int], others: Sequence[int]) -> Iterator[int]:
        """Words that may extend a name; words that repeat one of it come last."""
        alike = []
        for token in others:
            if self._repeats(token, name):
                alike.append(token)
            else:
                yield token
        yield from alike

    def _repeats(self, token: int, name: Sequence[int]) -> bool:
        """Whether a word repeats a name: all its words are known, or one is a word of the name."""
        words, others = self._words[token], [self._words[other] for other in name]
        if _is_known(words, [word for other in others for word in other]):
            return True
        # Two phrases may share a word, but no word is a part of a phrase.
        alone = [other[0] for other in others if len(other) == 1]
        return any(_is_form(word, other) for word in words for other in alone)


def first_words(ranked: Sequence[int], vocabulary: Sequence[str], count: int) -> tuple[int, ...]:
    """First ``count`` words of a ranking (numbers of words), without further forms of a word."""
    found: list[int] = []
    known: list[str] = []
    for token in ranked:
        parts = _parts(vocabulary[token])
        if len(found) < count and not _is_known(parts, known):
            found.append(token)
            known += parts
    return tuple(found)


def _is_known(words: Sequence[str], known: Sequence[str]) -> bool:
    return all(any(_is_form(word, other) for other in known) for word in words)


def _parts(word: str) -> list[str]:
    """Words of a phrase, or the word itself."""
    return [part for part in word.split("_") if part]


def _is_form(word: str, other: str) -> bool:
    """Whether two words are equal or differ in their endings only, such as singular and plural."""
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    first, second = sorted((word[same:], other[same:]), key=lambda ending: (len(ending), ending))
    if not second:
        return True
    known = ENDINGS if same >= MIN_STEM else PLURALS
    return same >= MIN_PLURAL_STEM and (first, second) in known


def join_words(words: Sequence[str]) -> str:
    """Name made of words, with spaces in phrases; ``NO_WORDS`` without words."""
    return LABEL_SEPARATOR.join(word.replace("_", " ") for word in words) or NO_WORDS
