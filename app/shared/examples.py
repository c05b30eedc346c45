"""How telling every word is of every topic, and how much of the word the topic explains.

Example queries that a model suggests itself: words that it knows in two senses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.drawing.selection import joined_probability
from ...core.inference.evidence import Evidence
from ...core.inference.infer import infer
from ...core.inference.posterior import Method, Posterior
from ...core.inference.thresholds import ON_THRESHOLD, UNSURE
from ...core.model.labels import marginals
from ...core.model.network import Network, weight_to_probability
from ...core.model.subtrees import wholes
from ...core.utils.types import FloatArray, Int64Array

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# A topic that brings less than this share of a word's occurrences is no sense of it; of a word that
# was asked for, rare senses count too.
LEAST_SHARE, LEAST_SHARE_ASKED = 0.15, 0.1
# Telling words of a topic that are looked at. Each that tells a sense occurs mostly through its
# topic: a word that is frequent everywhere tells none.
COMPANIONS = 8
MOSTLY = 0.5
SHORTEST = 3
# A link weaker than this does not make a family.
FAMILY_LINK = 0.1
# Models that are open at once; tens of megabytes each where they are of the largest.
MOST_OPEN = 4
# A topic with its share of a word's occurrences and how telling the word is of it.
Sense = tuple[int, float, float]


class TellingWords:
    """The words of a model as senses of them are sought.

    Attributes
    ----------
    vocabulary : tuple of str
    shown : int64 array, shape (n_topics,)
        The topic that each is shown as.
    is_hidden : bool array, shape (n_topics,)
    prior : float64 array, shape (n_topics,)
    family : int64 array, shape (n_topics,)
        The most general topic that each topic hangs from by its strongest links.
    """

    def __init__(
        self,
        network: Network,
        vocabulary: tuple[str, ...],
        hidden: frozenset[int],
        shown_as: tuple[tuple[int, int], ...],
    ) -> None:
        graph = self._graph = network.graph
        self.vocabulary = vocabulary
        # Phrases are often names or addresses, which tell one writer from another and no sense.
        self._is_plain = np.array([_is_plain(word) for word in vocabulary], bool)
        probability = marginals(network)
        self.prior = probability[: graph.n_topics]
        self.shown = wholes(dict(shown_as), graph.n_topics)
        strength = weight_to_probability(network.weight)
        base = np.maximum(probability, 1e-9)[graph.edge_children()]
        # Of an edge: strength times the logarithm of the lift, and the share of all occurrences.
        self._telling = strength * np.log(np.maximum(strength / base, 1e-9))
        # What people hid is no sense of any word.
        self.is_hidden = np.isin(self.shown, np.array(sorted(hidden), np.int64))
        self._telling[self.is_hidden[graph.parent_idx]] = 0.0
        self._share = self.prior[graph.parent_idx] * strength / base
        self.family = _families(network, strength)
        self._ranked: dict[int, list[int]] = {}

    def companions(self, topic: int) -> list[int]:
        """The plain words among the most telling ones of a topic, the best first."""
        if topic not in self._ranked:
            graph = self._graph
            span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            is_token = graph.child_idx[span] >= graph.n_topics
            tokens = graph.child_idx[span][is_token] - graph.n_topics
            telling = self._telling[graph.child_edge[span][is_token]]
            best = tokens[np.argsort(-telling, kind="stable")][:COMPANIONS]
            self._ranked[topic] = best[self._is_plain[best]].tolist()
        return self._ranked[topic]

    def own(self, topic: int) -> list[int]:
        """The companions that occur mostly through the topic: these tell a sense."""
        graph = self._graph
        span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
        mostly = self._share[graph.child_edge[span]] >= MOSTLY
        of_topic = set((graph.child_idx[span][mostly] - graph.n_topics).tolist())
        return [token for token in self.companions(topic) if token in of_topic]

    def pairs(self) -> Int64Array:
        """Edges to one word from two topics that each bring a good part of it, shape (2, n_pairs).

        In the order of the words, and of the topics of each.
        """
        graph = self._graph
        child = graph.edge_children()
        is_sense = (self._share >= LEAST_SHARE) & (self._telling > 0) & (child >= graph.n_topics)
        is_sense[is_sense] = self._is_plain[child[is_sense] - graph.n_topics]
        edges = np.flatnonzero(is_sense)
        # Edges are sorted by their word: those to one word are neighbours.
        word, found, apart = child[edges], [np.zeros((2, 0), np.int64)], 1
        while len(first := np.flatnonzero(word[apart:] == word[:-apart])):
            found.append(edges[np.stack([first, first + apart])])
            apart += 1
        both = np.concatenate(found, axis=1)
        return both[:, np.lexsort((both[1], both[0]))]

    def most_scores(self, pairs: Int64Array) -> FloatArray:
        """How telling a word can be of both topics of each pair, and of topics of many texts.

        The score is high for a word that is telling of both topics, half of which each explains;
        it is less for two topics that have telling words in common, or are of one family.
        """
        topics = self._graph.parent_idx[pairs]
        telling, share = self._telling[pairs].min(axis=0), self._share[pairs].min(axis=0)
        scores: FloatArray = telling * np.sqrt(share) * self.prior[topics].min(axis=0)
        return scores

    def word_of(self, edge: int) -> int:
        """The word that an edge leads to."""
        ends = self._graph.parent_ptr
        return int(np.searchsorted(ends, edge, side="right")) - 1 - self._graph.n_topics

    def sense(self, edge: int) -> Sense:
        """The topic of an edge to a word, as a sense of it."""
        topic = int(self._graph.parent_idx[edge])
        return topic, float(self._share[edge]), float(self._telling[edge])

    def senses_of(self, token: int) -> list[Sense]:
        """The senses of one word, whichever it is, its rare ones too."""
        node = self._graph.n_topics + token
        edges = range(self._graph.parent_ptr[node], self._graph.parent_ptr[node + 1])
        senses = map(self.sense, edges)
        return [sense for sense in senses if sense[1] >= LEAST_SHARE_ASKED and sense[2] > 0]


def telling_words(run: Run) -> TellingWords:
    """The telling words of a model, worked out once while people say the same of its topics."""
    return _kept(run.network, run.vocabulary, *run.as_shown)


_kept = lru_cache(MOST_OPEN)(TellingWords)


def _is_plain(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()


def _families(network: Network, strength: FloatArray) -> npt.NDArray[np.int64]:
    graph = network.graph
    child, strength = graph.edge_children(), strength[: graph.first_token_edge]
    child = child[: len(strength)]
    above = np.arange(graph.n_topics)
    # The strongest link to each topic, the first of those alike, comes first.
    strongest = np.lexsort((-strength, child))
    topics, first = np.unique(child[strongest], return_index=True)
    edges = strongest[first]
    makes = strength[edges] >= FAMILY_LINK
    above[topics[makes]] = graph.parent_idx[edges[makes]]
    # Twice as far up with every turn.
    while (above[above] != above).any():
        above = above[above]
    return above


# How many words of two senses are tried out by inference before the best are taken.
TRIED_WORDS = 60
# So many pairs of topics are scored between two looks whether that was enough; a score differs from
# the most that it can be in its last digits, too.
TRIED_AT_ONCE, ROUNDING = 1000, 1e-9
# Pairs of senses of that word that are tried out.
TRIED_PAIRS = 20
# How many telling words of a topic go into a query.
IN_QUERY = 2
# How probable the words of a query may leave the other sense, and have to make their own.
SURE = (UNSURE[0], 0.9)
# Two topics of one family are seldom two senses.
SAME_FAMILY = 0.3


@dataclass(frozen=True)
class Example:
    """A word with two telling words for each of its senses (token numbers); one sense or two.

    ``topics`` are the senses, as they are shown.
    """

    token: int
    companions: tuple[tuple[int, ...], ...]
    topics: tuple[int, ...]

    @property
    def queries(self) -> tuple[tuple[int, ...], ...]:
        """The words to type for each sense, that of two senses first."""
        return tuple((self.token, *words) for words in self.companions)


@dataclass(frozen=True)
class _Senses:
    score: float
    # How far the two are from being one thing, 0 … 1.
    difference: float
    example: Example
    topics: tuple[int, int]
    # What the two are shown as.
    shown: tuple[int, int]

    @property
    def nodes(self) -> set[tuple[str, int]]:
        """The word and its two topics, as they are shown."""
        return {("word", self.example.token), *(("topic", topic) for topic in self.shown)}


def example_queries(run: Run, count: int = 3) -> list[Example]:
    """Find words that belong to two topics of different families, the most telling first.

    Hidden topics are no senses, and topics that are shown as one are one.

    Each was checked by inference: every query switches on its own topic and not the other. Without
    enough such words the list is filled up with the strongest words of the most frequent topics,
    which have one sense.
    """
    words = telling_words(run)
    examples = _told_apart(run, _candidates(words), count)
    return examples + _plain_examples(words, examples, count - len(examples))


def examples_of(run: Run, token: int, count: int = 3) -> list[Example]:
    """Pairs of senses of one word, those that it means most often first, until none is left out."""
    words = telling_words(run)
    pairs = [_senses(words, token, pair) for pair in combinations(words.senses_of(token), 2)]
    alone = infer(run.network, Evidence((token,), closed_world=False))
    known = joined_probability(run, alone)
    scored = [(_score_alone(alone, known, senses), senses) for senses in pairs if senses]
    scored = sorted((pair for pair in scored if pair[0] > 0.0), key=lambda pair: -pair[0])
    return _every_sense(run, [senses for _, senses in scored[:TRIED_PAIRS]], count)


def _every_sense(run: Run, candidates: list[_Senses], count: int) -> list[Example]:
    """The first pairs whose queries switch on one sense each, as long as one of the two is new."""
    examples: list[Example] = []
    known: set[int] = set()
    for senses in candidates:
        if len(examples) == count:
            break
        if not known.issuperset(senses.shown) and _tells_apart(run, senses):
            known.update(senses.shown)
            examples.append(senses.example)
    return examples


def _score_alone(alone: Posterior, known: Mapping[int, float], senses: _Senses) -> float:
    """High if a word on its own may well mean either, and rarely both."""
    one, other = (known[topic] for topic in senses.shown)
    first, second = (alone.probability[alone.position(topic)] for topic in senses.topics)
    excluded = 1.0 - alone.together(*senses.topics).value / max(first * second, 1e-12)
    return float(min(one, other) * senses.difference * excluded)


def _told_apart(run: Run, candidates: list[_Senses], count: int) -> list[Example]:
    """The first examples whose queries switch on one sense each; no topic or word is in two."""
    examples: list[Example] = []
    used: set[tuple[str, int]] = set()
    for senses in candidates:
        if len(examples) == count:
            break
        if not used.intersection(senses.nodes) and _tells_apart(run, senses):
            used.update(senses.nodes)
            examples.append(senses.example)
    return examples


def _plain_examples(words: TellingWords, others: list[Example], count: int) -> list[Example]:
    """Three words of each of the most frequent topics that have them."""
    used = {token for example in others for query in example.queries for token in query}
    found: list[Example] = []
    shown: set[int] = set()
    for topic in np.argsort(-words.prior).tolist():
        if len(found) == count:
            break
        best, node = words.companions(topic)[: 1 + IN_QUERY], int(words.shown[topic])
        is_new = not used.intersection(best) and node not in shown
        if is_new and len(best) == 1 + IN_QUERY and not words.is_hidden[topic]:
            used.update(best)
            shown.add(node)
            found.append(Example(best[0], (tuple(best[1:]),), (node,)))
    return found


def _candidates(words: TellingWords) -> list[_Senses]:
    """Words of two senses, the best first.

    Pairs of topics are tried by the most that they can score, until no further one can come in.
    """
    pairs = words.pairs()
    most = words.most_scores(pairs)
    order = np.argsort(-most, kind="stable")
    best: dict[int, tuple[_Senses, int]] = {}
    for begin in range(0, len(order), TRIED_AT_ONCE):
        least = sorted((-senses.score for senses, _ in best.values()))[:TRIED_WORDS]
        if len(least) == TRIED_WORDS and most[order[begin]] < -least[-1] * (1.0 - ROUNDING):
            break
        for place in order[begin : begin + TRIED_AT_ONCE].tolist():
            one, other = pairs[:, place].tolist()
            token = words.word_of(one)
            senses = _senses(words, token, (words.sense(one), words.sense(other)))
            if senses is not None and _is_better(senses, place, best.get(token)):
                best[token] = senses, place
    found = [best[token][0] for token in sorted(best)]
    found.sort(key=lambda senses: -senses.score)
    return found[:TRIED_WORDS]


def _is_better(senses: _Senses, place: int, other: tuple[_Senses, int] | None) -> bool:
    """Whether a pair scores more than another of its word; the first of those alike."""
    return other is None or (senses.score, -place) > (other[0].score, -other[1])


def _senses(words: TellingWords, token: int, pair: tuple[Sense, Sense]) -> _Senses | None:
    """Two topics that bring a word, with the words that tell them apart; None if there are none.

    The score is high for a word that is telling of both topics, half of which each explains, and
    for topics of many texts.
    """
    (first, first_share, first_tells), (second, second_share, second_tells) = pair
    topics = first, second
    shown = int(words.shown[first]), int(words.shown[second])
    if shown[0] == shown[1]:
        return None
    both = set(words.companions(first)) & set(words.companions(second)) - {token}
    sides = tuple(
        _apart(
            words.vocabulary,
            token,
            [word for word in words.own(topic) if word not in both],
        )
        for topic in topics
    )
    if min(map(len, sides)) < IN_QUERY:
        return None
    score = min(first_tells, second_tells) * min(first_share, second_share) ** 0.5
    use = float(min(words.prior[first], words.prior[second]))
    apart = 1.0 - len(both) / COMPANIONS
    family = SAME_FAMILY if words.family[first] == words.family[second] else 1.0
    difference = apart * family
    example = Example(token, sides, shown)
    return _Senses(score * use * difference, difference, example, topics, shown)


def _apart(vocabulary: Sequence[str], token: int, ranked: Sequence[int]) -> tuple[int, ...]:
    """The first companions of a word that are not forms of it or of each other."""
    chosen = [token]
    for word in ranked:
        name = vocabulary[word]
        others = [vocabulary[other] for other in chosen]
        if not any(name.startswith(other) or other.startswith(name) for other in others):
            chosen.append(word)
    return tuple(chosen[1 : 1 + IN_QUERY])


def _tells_apart(run: Run, senses: _Senses) -> bool:
    """Whether each query, all other words left open, switches on only its own topic of two.

    Sum-product is quick and seldom far off, so only what it lets through is asked for in full, and
    has to be sure.
    """
    return _each_alone(run, senses, "sum-product", (ON_THRESHOLD, ON_THRESHOLD)) and _each_alone(
        run, senses, "sampling", SURE
    )


def _each_alone(run: Run, senses: _Senses, method: Method, between: tuple[float, float]) -> bool:
    """Whether one topic is above what lies between on and off, and the other is not."""
    least, most = between
    for query, on, off in zip(
        senses.example.queries, senses.shown, reversed(senses.shown), strict=True
    ):
        posterior = infer(run.network, Evidence(query, closed_world=False), method=method)
        probability = joined_probability(run, posterior)
        if probability.get(on, 0.0) < most or probability.get(off, 0.0) > least:
            return False
    return True
