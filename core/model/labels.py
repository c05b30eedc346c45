"""What a topic is about: its most telling words, and a name made of three of them.

A name begins with the topic's strongest word, and goes on with what tells it from its siblings.
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
# A topic that reaches no word so often has died.
LEAST_TELLING = 0.02
# A word that is not so many times as frequent with a topic as without it names no topic, however
# frequent it is: "learning" is in most papers on learning, and in most others.
LEAST_LIFT = 1.5
# Endings by which two words are forms of one, and from how many letters before them on. They are
# those of plurals, and of longer words others that are common to many languages.
PLURALS = frozenset({("", "s"), ("", "es"), ("y", "ies")})
ENDINGS = PLURALS | {("", end) for end in ("d", "e", "ed", "en", "er", "ers", "ing", "n")}
ENDINGS |= {("e", "ing"), ("ed", "ing"), ("es", "ing"), ("s", "ing"), ("s", "ed"), ("d", "s")}
SHORTEST_OF_PLURALS, SHORTEST = 3, 5
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
        self._reach.sort_indices()
        prior = marginals(network)
        self._prior = prior[: network.graph.n_topics]
        self._base = np.maximum(prior[network.graph.n_topics :], 1e-9)

    def words(
        self, topic: int, count: int = 10, others: Collection[int] = ()
    ) -> list[tuple[str, float, float]]:
        """Most telling words of a topic: (word, probability given the topic, lift over all).

        Parameters
        ----------
        topic : int
        count : int
            At most so many words; a topic that reaches fewer has fewer.
        others : collection of int
            Topics that are shown as part of it: their words are its own too, and each word has the
            probability given the one of them that brings it the most often.
        """
        scored = [self._scores(one) for one in (topic, *others)]
        tokens, probability, lift, score = map(np.concatenate, zip(*scored, strict=True))
        best = np.lexsort((tokens, -score))
        if others:
            # The more probable a word is, the higher is its score.
            _, first = np.unique(tokens[best], return_index=True)
            best = best[np.sort(first)]
        best = best[:count]
        return [(self._vocabulary[tokens[b]], float(probability[b]), float(lift[b])) for b in best]

    def tokens(self, topic: int, count: int) -> Int64Array:
        """Numbers of the most telling words of a topic."""
        tokens, _, _, score = self._scores(topic)
        return tokens[np.lexsort((tokens, -score))[:count]].astype(np.int64)

    def is_wordless(self, topic: int) -> bool:
        """Whether a topic reaches no word with ``LEAST_TELLING``: it is none to show to people."""
        return bool(self._reached(topic).max(initial=0.0) < LEAST_TELLING)

    def strongest(self, topic: int) -> list[int]:
        """Numbers of the words that no name of a topic lacks: one, or two where they differ.

        First the most telling word, the one of the highest score; then the one that the topic
        switches on the most often, unless that is hardly more frequent with the topic than
        without it (``LEAST_LIFT``), as words are that every other topic brings as well.
        """
        tokens, _, _, score = self._scores(topic)
        if not len(tokens):
            return []
        likely = np.where(self._is_lifted(topic), self._reached(topic), 0.0)
        best = [np.lexsort((tokens, -score))[0], np.lexsort((tokens, -score, -likely))[0]]
        return list(dict.fromkeys(tokens[best].tolist()))

    def likeliest(self, topic: int) -> list[str]:
        """Words that a topic switches on the most often, common ones too: one, or those alike."""
        reached = self._reached(topic)
        is_best = reached >= (1.0 - 1e-9) * reached.max(initial=0.0)
        return [self._vocabulary[token] for token in self._tokens_of(topic)[is_best]]

    def scores_apart(
        self, topic: int, parents: Sequence[int], acts: FloatArray, share: FloatArray
    ) -> dict[int, float]:
        """How well each word of a topic tells it from its siblings, by the word's number.

        The score is that of the class, but the lift is over what is to be expected where the
        parents are on that switched the topic on: what siblings bring as well tells nothing.

        Parameters
        ----------
        topic : int
        parents : sequence of int
        acts : float64 array, shape (n_parents,)
            Probability that the parent switches the topic on.
        share : float64 array, shape (n_parents,)
            Part of the topic's activity that the parent causes.
        """
        tokens, probability, _, score = self._scores(topic)
        absent = 1.0 - self._base[tokens]
        for parent, act, part in zip(parents, acts, share, strict=True):
            by_siblings = self._reach_of(parent, tokens) - act * self._reached(topic)
            absent *= 1.0 - part * np.maximum(by_siblings, 0.0)
        apart = probability * np.log(probability / (1.0 - absent))
        # Where nothing tells it apart, its words go by their score.
        value = np.maximum(apart, 0.0) + 1e-6 * score
        return dict(zip(tokens.tolist(), value.tolist(), strict=True))

    def _is_lifted(self, topic: int) -> BoolArray:
        """Whether the topic makes each of its words clearly more frequent than without it.

        What is over all is no measure: it has a topic in it that is on in most documents.
        """
        reached, base = self._reached(topic), self._base[self._tokens_of(topic)]
        by_topic = np.minimum(self._prior[topic] * reached, base)
        absent = np.minimum((1.0 - base) / np.maximum(1.0 - by_topic, 1e-12), 1.0)
        lifted: BoolArray = 1.0 - absent * (1.0 - reached) >= LEAST_LIFT * (1.0 - absent)
        return lifted

    def _tokens_of(self, topic: int) -> Int32Array:
        return self._reach.indices[self._reach.indptr[topic] : self._reach.indptr[topic + 1]]

    def _reached(self, topic: int) -> FloatArray:
        """How often the topic alone switches each of its words on."""
        return self._reach.data[self._reach.indptr[topic] : self._reach.indptr[topic + 1]]

    def _reach_of(self, topic: int, tokens: Int32Array) -> FloatArray:
        """How often a topic alone switches some words on, its own or not."""
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
    """Part of the child's activity that each edge causes, shape (n_edges,).

    How often parent and edge act, over how often the child is on: ``p(parent) p(edge) / p(child)``,
    by the `marginals`. A parent that is never on causes nothing, however strong its edge is.
    """
    probability, effect = marginals(network), weight_to_probability(network.weight)
    acts = probability[network.graph.parent_idx] * effect
    return np.minimum(acts / np.maximum(probability[network.graph.edge_children()], 1e-300), 1.0)


def topic_labels(
    network: Network, vocabulary: Sequence[str], named: Collection[str] = ()
) -> list[str]:
    """Names of all topics, in the order of their numbers; ``NO_WORDS`` for those that have died.

    A name holds the topic's strongest words (`TopicWords.strongest`), and fills up with those that
    tell it from its siblings (`TopicWords.scores_apart`), but for further forms of words that it
    has. A word in the name of a parent counts less by the part of the topic's activity that
    the parent causes (`caused_shares`). No two names are of the same words where another word is to
    be had. Topics whose ids are ``named`` by a person go by these.
    """
    naming, by_people = _Naming(network, vocabulary), frozenset(named)
    return [
        name if name in by_people else join_words([vocabulary[token] for token in tokens])
        for name, tokens in zip(network.graph.topic_ids, naming.names, strict=True)
    ]


def lacks_strongest(
    network: Network, vocabulary: Sequence[str], labels: Sequence[str]
) -> BoolArray:
    """Whether the name of each topic lacks the word that the topic switches on the most often.

    This is a judge of names, stricter than what `topic_labels` goes by: common words count too.
    Of words that come alike often one is enough, and a topic without words lacks none.

    Parameters
    ----------
    network : Network
    vocabulary : sequence of str
    labels : sequence of str, length n_topics

    Returns
    -------
    bool array, shape (n_topics,)
        Its mean is the share of names that lack theirs.
    """
    described = TopicWords(network, vocabulary)
    lacks = np.zeros(len(labels), np.bool_)
    for topic, label in enumerate(labels):
        said = label.split(LABEL_SEPARATOR)
        wanted = {_text(word) for word in described.likeliest(topic)}
        lacks[topic] = not described.is_wordless(topic) and wanted.isdisjoint(said)
    return lacks


class _Naming:
    """Names that are made from the top down: a child's depends on those of its parents."""

    def __init__(self, network: Network, vocabulary: Sequence[str]) -> None:
        self._graph = network.graph
        self._described = TopicWords(network, vocabulary)
        self._effect = weight_to_probability(network.weight)
        self._share = caused_shares(network)
        # A phrase says what is new in it.
        self._words = [_parts(word) for word in vocabulary]
        self.names: list[list[int]] = []
        taken: set[frozenset[int]] = set()
        for topic in range(self._graph.n_topics):
            ways = iter(()) if self._described.is_wordless(topic) else self._ways(topic)
            # The first where all are taken, or there are none.
            first = next(ways, [])
            free = (way for way in chain([first], ways) if frozenset(way) not in taken)
            self.names.append(next(free, first))
            taken.add(frozenset(self.names[-1]))

    def _ways(self, topic: int) -> Iterator[list[int]]:
        """Names that a topic may have, the best first; they differ in the last word."""
        incoming = slice(self._graph.parent_ptr[topic], self._graph.parent_ptr[topic + 1])
        share = self._share[incoming]
        parents = self._graph.parents(topic).tolist()
        value = self._described.scores_apart(topic, parents, self._effect[incoming], share)
        for parent, part in zip(parents, share.tolist(), strict=True):
            for token in self.names[parent]:
                if token in value:
                    value[token] *= 1.0 - part
        name = self._described.strongest(topic)
        others = sorted(value.keys() - set(name), key=lambda token: (-value[token], token))
        while len(name) < WORDS_IN_LABEL - 1 and others:
            name.append(next(self._further(name, others)))
            others.remove(name[-1])
        if not others:
            yield name
        for token in self._further(name, others):
            yield [*name, token]

    def _further(self, name: Sequence[int], others: Sequence[int]) -> Iterator[int]:
        """Words to go on with, those last that the name has, if in another form or phrase."""
        said = [word for token in name for word in self._words[token]]
        alike = []
        for token in others:
            if _says_nothing_new(self._words[token], said):
                alike.append(token)
            else:
                yield token
        yield from alike


def first_words(ranked: Sequence[int], vocabulary: Sequence[str], count: int) -> tuple[int, ...]:
    """The first words of a ranking, without further forms of words that are among them.

    Parameters
    ----------
    ranked : sequence of int
        Numbers of words.
    vocabulary : sequence of str
    count : int

    Returns
    -------
    tuple of int
        Numbers of at most ``count`` words.
    """
    found: list[int] = []
    said: list[str] = []
    for token in ranked:
        parts = _parts(vocabulary[token])
        if len(found) < count and not _says_nothing_new(parts, said):
            found.append(token)
            said += parts
    return tuple(found)


def _says_nothing_new(words: Sequence[str], said: Sequence[str]) -> bool:
    return all(any(_is_form(word, other) for other in said) for word in words)


def _parts(word: str) -> list[str]:
    """Words of a phrase, or the word alone."""
    return [part for part in word.split("_") if part]


def _is_form(word: str, other: str) -> bool:
    """Whether two words are one, or differ in their endings alone, as singular and plural do."""
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    first, second = sorted((word[same:], other[same:]), key=lambda ending: (len(ending), ending))
    if not second:
        return True
    known = ENDINGS if same >= SHORTEST else PLURALS
    return same >= SHORTEST_OF_PLURALS and (first, second) in known


def join_words(words: Sequence[str]) -> str:
    """Name that is made of some words, phrases with spaces; ``NO_WORDS`` of none."""
    return LABEL_SEPARATOR.join(map(_text, words)) or NO_WORDS


def _text(word: str) -> str:
    """A word as a person reads it, phrases with spaces."""
    return word.replace("_", " ")
