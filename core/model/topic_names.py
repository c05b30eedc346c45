"""Names of topics, made of three of their top words, and whether the words belong together.

With a corpus, a name has the three words that are typical of the topic, common to few other topics,
and often together in the documents. Without one, it begins with one or two words that are typical
of the topic; the others distinguish the topic from its siblings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from ..data.corpus import Corpus, evenly_spaced
from ..utils.types import BoolArray, FloatArray, Int64Array
from .labels import TopicWords, caused_shares
from .network import Network, weight_to_probability

WORDS_IN_LABEL = 3
LABEL_SEPARATOR = " · "
NO_WORDS = "no words"
# Candidates for a name, and the exponents of their rarity among topics and of their NPMI. Frequent
# words of a topic are typical, rare pairs of words have the highest NPMI: the exponents balance
# both. They were chosen by reading names of topics beside their words and documents.
N_CANDIDATES, RARITY_EXPONENT, NPMI_EXPONENT = 8, 0.25, 0.6
# Names of a lower coherence are unclear. Words that are in one of 100 documents together are
# then about 2.5 times as often together as the lengths of the documents alone explain.
MIN_COHERENCE, N_COHERENT = 0.2, 10
# In texts with fewer words on average, such as titles, even the words of a clear topic are rarely
# together, so the coherence is not computed.
MIN_LENGTH = 10
# Documents, evenly spaced, in which words are counted; and quantiles of their lengths.
MAX_DOCUMENTS, N_LENGTHS = 50_000, 100
# Bisections that determine the frequency of a word from its document frequency.
N_BISECTIONS, MAX_RATE = 40, 50.0
# Pairs of endings of two forms of one word: plurals, and for longer stems also other endings, which
# are those of English and related languages. The common stem has at least the lengths below. Words
# with a long common stem are of one family if one of them adds at most a letter to it, such as
# "economy" and "economist", or "agree" and "agreement", or if the stem is very long.
PLURALS = frozenset({("", "s"), ("", "es"), ("", "is"), ("y", "ies")})
ENDINGS = PLURALS | {("", end) for end in ("d", "e", "ed", "en", "er", "ers", "ing", "n")}
ENDINGS |= {("e", "ing"), ("ed", "ing"), ("es", "ing"), ("s", "ing"), ("s", "ed"), ("d", "s")}
ENDINGS |= {("", "r"), ("", "rs"), ("er", "ing"), ("ers", "ing")}
MIN_PLURAL_STEM, MIN_STEM, MIN_FAMILY_STEM, MIN_LONG_STEM = 3, 4, 6, 8


def npmi_of_pairs(joint: FloatArray, expected: FloatArray) -> FloatArray:
    """NPMI of pairs of words (Bouma 2009), from -1 to 1.

    ``joint`` is the share of the documents that contain both words, ``expected`` the share that
    would contain both if the words were independent; float64 arrays of one shape.
    """
    pairs = np.full(joint.shape, -1.0)
    # A pair in every document, or with a word in none, carries no information.
    pairs[(joint >= 1.0) | (expected == 0.0)] = 0.0
    co_occur = (joint > 0) & (joint < 1.0)
    pairs[co_occur] = np.log(joint[co_occur] / expected[co_occur]) / -np.log(joint[co_occur])
    return pairs


class WordPairs:
    """How often words of a corpus are together, compared with chance.

    Long documents contain many words, so general words are together in them more often than their
    frequencies suggest. Chance therefore accounts for the length: a document with ``n`` different
    words contains word ``w`` with probability ``1 - exp(-rate_w n)``, where the rate is such that
    the mean probability over all documents is the share of the documents with the word.
    """

    def __init__(self, corpus: Corpus) -> None:
        rows = evenly_spaced(np.arange(corpus.n_documents), MAX_DOCUMENTS)
        self._presence = corpus.to_csr()[rows].tocsc()
        self._n_documents = len(rows)
        self.mean_length = len(corpus.token_idx) / max(corpus.n_documents, 1)
        lengths = np.diff(corpus.token_ptr)[rows].astype(np.float64)
        shares = (np.arange(N_LENGTHS) + 0.5) / N_LENGTHS
        self._lengths = np.quantile(lengths / max(lengths.mean(), 1e-12), shares)

    def npmi(self, tokens: Int64Array) -> FloatArray:
        """NPMI of every two of these words given the lengths, shape (n, n), 0 on the diagonal.

        A pair that is never together counts as half a document; a pair with a word that is in none
        of the counted documents carries no information and has 0.
        """
        found = self._presence[:, tokens]
        joint = np.asarray((found.T @ found).todense()) / self._n_documents
        frequency = np.diagonal(joint)
        present = self._present(frequency)
        expected = present @ present.T / N_LENGTHS
        pairs = npmi_of_pairs(np.maximum(joint, 0.5 / self._n_documents), expected)
        np.fill_diagonal(pairs, 0.0)
        pairs[frequency == 0.0] = 0.0
        pairs[:, frequency == 0.0] = 0.0
        # Only rounding, here and in the lengths, leads above 1.
        return np.minimum(pairs, 1.0)

    def _present(self, frequency: FloatArray) -> FloatArray:
        """Probability of each word in a document of each length, shape (n, N_LENGTHS)."""
        low, high = np.zeros(len(frequency)), np.full(len(frequency), MAX_RATE)
        for _ in range(N_BISECTIONS):
            middle = (low + high) / 2
            is_above = -np.expm1(-np.outer(middle, self._lengths)).mean(axis=1) > frequency
            low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
        present: FloatArray = -np.expm1(-np.outer((low + high) / 2, self._lengths))
        return present


class TopicNames(NamedTuple):
    """Names of all topics, and how well the words of each belong together."""

    labels: list[str]  # in numerical order; ``NO_WORDS`` for topics without words
    # Mean NPMI (`WordPairs`) of the words of the name, or of these and the other top words if that
    # is higher; None for topics that a user named, topics with fewer than two words, short texts,
    # and without a corpus.
    coherence: list[float | None]


def topic_labels(
    network: Network, vocabulary: Sequence[str], named: Collection[str] = ()
) -> list[str]:
    """Names of all topics in numerical order, without a corpus (`name_topics`)."""
    return name_topics(network, vocabulary, named).labels


def name_topics(
    network: Network,
    vocabulary: Sequence[str],
    named: Collection[str] = (),
    pairs: WordPairs | None = None,
) -> TopicNames:
    """Name all topics.

    With ``pairs``, a name has the three words with the highest product of their scores
    (`TopicWords`), of their rarity among topics and of their mean NPMI. Without, it has the topic's
    strongest words (`TopicWords.strongest`), completed by words that distinguish it from its
    siblings (`TopicWords.scores_apart`). A name has no further forms of the same word. A word in
    the name of a parent scores lower by the share of the topic's activity that the parent causes
    (`caused_shares`). Two names have the same words only if there is no alternative.

    Parameters
    ----------
    named : collection of str
        Ids of topics that keep them as names, given by a user.
    pairs : WordPairs, optional
        Pairs of words in the documents.
    """
    naming, by_user = _Naming(network, vocabulary, pairs), frozenset(named)
    topic_ids = network.graph.topic_ids
    return TopicNames(
        [
            name if name in by_user else join_words([vocabulary[token] for token in tokens])
            for name, tokens in zip(topic_ids, naming.names, strict=True)
        ],
        [
            None if name in by_user else naming.coherence(topic)
            for topic, name in enumerate(topic_ids)
        ],
    )


class _Naming:
    """Names, made from the top down, because the name of a child depends on its parents' names."""

    def __init__(
        self, network: Network, vocabulary: Sequence[str], pairs: WordPairs | None
    ) -> None:
        self._graph, self._pairs = network.graph, pairs
        self._described = TopicWords(network, vocabulary)
        self._effect = weight_to_probability(network.weight)
        self._share = caused_shares(network)
        # Words of each phrase: a phrase without a new word counts as a repetition.
        self._words = [_parts(word) for word in vocabulary]
        self.names: list[list[int]] = []
        taken: set[frozenset[int]] = set()
        for topic in range(self._graph.n_topics):
            options = self._options(topic)
            # The first option if all names are taken; an empty name if there is no option.
            first = next(options, [])
            free = (name for name in chain([first], options) if frozenset(name) not in taken)
            self.names.append(next(free, first))
            taken.add(frozenset(self.names[-1]))

    def coherence(self, topic: int) -> float | None:
        """Mean NPMI of the words of a name, or of them and the top words if that is higher."""
        name = self.names[topic]
        if self._pairs is None or self._pairs.mean_length < MIN_LENGTH or not name:
            return None
        top = self._described.tokens(topic, N_COHERENT).tolist()
        tokens = [*name, *(token for token in top if token not in name)][:N_COHERENT]
        if len(tokens) < 2:
            return None
        each, n_named = self._pairs.npmi(np.array(tokens)), len(name)
        is_pair: BoolArray = np.triu(np.ones(each.shape, np.bool_), 1)
        is_pair[n_named:] = False
        # The top words of a general topic belong to several subjects, the words of its name to one.
        of_name = each[:n_named, :n_named][is_pair[:n_named, :n_named]]
        return float(max(each[is_pair].mean(), of_name.mean() if len(of_name) else -1.0))

    def _options(self, topic: int) -> Iterator[list[int]]:
        """Possible names of a topic, the best first."""
        if self._described.is_wordless(topic):
            return iter(())
        if self._pairs is None:
            return self._by_siblings(topic)
        return chain(self._together(topic, self._pairs), self._by_siblings(topic))

    def _together(self, topic: int, pairs: WordPairs) -> Iterator[list[int]]:
        """Names of words that are typical of the topic and often together."""
        score, rarity = self._described.scores(topic), self._described.rarity
        value = {token: worth * rarity[token] ** RARITY_EXPONENT for token, worth in score.items()}
        self._discount_parents(topic, value)
        best = sorted(value, key=lambda token: (-value[token], token))[:N_CANDIDATES]
        if len(best) < WORDS_IN_LABEL or value[best[-1]] <= 0.0:
            return
        npmi = np.maximum(pairs.npmi(np.array(best)), 1e-3)
        worth = np.log([value[token] for token in best])
        options = []
        for three in combinations(range(len(best)), WORDS_IN_LABEL):
            mean = np.mean([npmi[one, other] for one, other in combinations(three, 2)])
            options.append((worth[list(three)].mean() + NPMI_EXPONENT * np.log(mean), three))
        for _, three in sorted(options, key=lambda option: (-option[0], option[1])):
            name = [best[place] for place in three]
            if not any(self._repeats(token, [t for t in name if t != token]) for token in name):
                yield sorted(name, key=lambda token: (-score[token], token))

    def _discount_parents(self, topic: int, value: dict[int, float]) -> None:
        """Lower the values of words in the names of parents by the shares that these cause."""
        incoming = slice(self._graph.parent_ptr[topic], self._graph.parent_ptr[topic + 1])
        share = self._share[incoming].tolist()
        for parent, part in zip(self._graph.parents(topic).tolist(), share, strict=True):
            for token in self.names[parent]:
                if token in value:
                    value[token] *= 1.0 - part

    def _by_siblings(self, topic: int) -> Iterator[list[int]]:
        """Names that differ in the last word, by which the topic differs from its siblings."""
        incoming = slice(self._graph.parent_ptr[topic], self._graph.parent_ptr[topic + 1])
        share = self._share[incoming]
        parents = self._graph.parents(topic).tolist()
        value = self._described.scores_apart(topic, parents, self._effect[incoming], share)
        self._discount_parents(topic, value)
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
    """Whether two words are probably forms of one word, or of one family, by their letters alone.

    They differ in known endings, such as singular and plural; or one begins the other, such as
    "agree" and "agreement"; or they have a long beginning in common. Some unrelated words pass,
    such as "count" and "country": then a name only gets another of its words.
    """
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    first, second = sorted((word[same:], other[same:]), key=lambda ending: (len(ending), ending))
    if not second:
        return True
    is_part = not first and same > MIN_STEM
    is_close = len(first) == 1 < len(second) and same >= MIN_FAMILY_STEM
    if is_part or is_close or same >= MIN_LONG_STEM:
        return True
    known = ENDINGS if same >= MIN_STEM else PLURALS
    return same >= MIN_PLURAL_STEM and (first, second) in known


def join_words(words: Sequence[str]) -> str:
    """Name made of words, with spaces in phrases; ``NO_WORDS`` without words."""
    return LABEL_SEPARATOR.join(word.replace("_", " ") for word in words) or NO_WORDS
