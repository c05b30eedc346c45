"""Example queries suggested by a model: words with two senses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ...core.drawing.selection import joined_probability
from ...core.inference.evidence import Evidence
from ...core.inference.infer import infer
from ...core.inference.posterior import Method, Posterior
from ...core.inference.thresholds import ON_THRESHOLD, UNSURE
from ...core.model.labels import marginals
from ...core.model.network import Network, weight_to_probability
from ...core.model.subtrees import displayed_topics
from ...core.model.topic_model import Run
from ...core.utils.types import FloatArray, Int64Array

# Minimum share of a word's occurrences that a topic must cause to be one of its senses; rarer
# senses are included for a word that a person typed.
MIN_SHARE, MIN_SHARE_TYPED = 0.15, 0.1
# Top words of a topic to choose from. A word identifies a sense only if it occurs mostly through
# the topic: a word that is frequent everywhere does not.
COMPANIONS = 8
MOSTLY = 0.5
SHORTEST = 3
# Minimum link probability for two topics to belong to one subtree.
SUBTREE_LINK = 0.1
# Models in the cache; tens of megabytes for each of the largest.
MAX_MODELS = 4
# Words with two senses that are tried by inference before the best are chosen.
TRIED_WORDS = 60
# Pairs of topics that are scored before the next test whether that was enough; rounding error of a
# score relative to its upper bound.
TRIED_AT_ONCE, ROUNDING = 1000, 1e-9
# Sets of words that are tried for a topic with one sense, and for all such topics.
TRIED_SETS, TRIED_PLAIN = 12, 120
# Pairs of senses of a typed word that are tried.
TRIED_PAIRS = 20
# Top words of a topic in a query.
IN_QUERY = 2
# Maximum probability of the other sense in a query, and minimum probability of its own.
SURE = (UNSURE[0], 0.9)
# Factor for two topics of one subtree, which are rarely two senses.
SAME_SUBTREE = 0.3
# A topic, the share of the word's occurrences that it causes, and the word's score for the topic.
Sense = tuple[int, float, float]


class WordScores:
    """Scores of words for topics, by which the senses of words are found."""

    def __init__(
        self,
        network: Network,
        vocabulary: tuple[str, ...],
        hidden: frozenset[int],
        shown_as: tuple[tuple[int, int], ...],
    ) -> None:
        graph = self._graph = network.graph
        self.vocabulary = vocabulary
        # Phrases are often names or addresses, which identify an author rather than a sense.
        self._is_plain = np.array([_is_plain(word) for word in vocabulary], bool)
        probability = marginals(network)
        self.prior = probability[: graph.n_topics]
        self.shown = displayed_topics(
            dict(shown_as), graph.n_topics
        )  # the topic that displays each topic
        strength = weight_to_probability(network.weight)
        base = np.maximum(probability, 1e-9)[graph.edge_children()]
        # For each edge: link probability times log lift, and its share of the word's occurrences.
        self._score = strength * np.log(np.maximum(strength / base, 1e-9))
        # Hidden topics are not senses.
        self.is_hidden = np.isin(self.shown, np.array(sorted(hidden), np.int64))
        self._score[self.is_hidden[graph.parent_idx]] = 0.0
        self._share = self.prior[graph.parent_idx] * strength / base
        # The root above each topic by the strongest links.
        self.subtree_root = _subtree_roots(network, strength)
        self._ranked: dict[int, list[int]] = {}

    def companions(self, topic: int) -> list[int]:
        """Plain words among the top words of a topic, best first."""
        if topic not in self._ranked:
            graph = self._graph
            span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            is_token = graph.child_idx[span] >= graph.n_topics
            tokens = graph.child_idx[span][is_token] - graph.n_topics
            score = self._score[graph.child_edge[span][is_token]]
            best = tokens[np.argsort(-score, kind="stable")][:COMPANIONS]
            self._ranked[topic] = best[self._is_plain[best]].tolist()
        return self._ranked[topic]

    def own(self, topic: int) -> list[int]:
        """Companions that occur mostly through the topic; these identify a sense."""
        graph = self._graph
        span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
        mostly = self._share[graph.child_edge[span]] >= MOSTLY
        of_topic = set((graph.child_idx[span][mostly] - graph.n_topics).tolist())
        return [token for token in self.companions(topic) if token in of_topic]

    def pairs(self) -> Int64Array:
        """Edges to one word from two topics that each cause enough of it, shape (2, n_pairs).

        Sorted by the word, then by the topics.
        """
        graph = self._graph
        child = graph.edge_children()
        is_sense = (self._share >= MIN_SHARE) & (self._score > 0) & (child >= graph.n_topics)
        is_sense[is_sense] = self._is_plain[child[is_sense] - graph.n_topics]
        edges = np.flatnonzero(is_sense)
        # Edges are sorted by word, so those to one word are adjacent.
        word, found, apart = child[edges], [np.zeros((2, 0), np.int64)], 1
        while len(first := np.flatnonzero(word[apart:] == word[:-apart])):
            found.append(edges[np.stack([first, first + apart])])
            apart += 1
        both = np.concatenate(found, axis=1)
        return both[:, np.lexsort((both[1], both[0]))]

    def max_scores(self, pairs: Int64Array) -> FloatArray:
        """Upper bound of the score of each pair of topics (see `_senses`).

        The score itself is lower if the two topics share top words or are in one subtree.
        """
        topics = self._graph.parent_idx[pairs]
        score, share = self._score[pairs].min(axis=0), self._share[pairs].min(axis=0)
        scores: FloatArray = score * np.sqrt(share) * self.prior[topics].min(axis=0)
        return scores

    def word_of(self, edge: int) -> int:
        """The word at the end of an edge."""
        ends = self._graph.parent_ptr
        return int(np.searchsorted(ends, edge, side="right")) - 1 - self._graph.n_topics

    def sense(self, edge: int) -> Sense:
        """The topic of an edge to a word, as a sense of the word."""
        topic = int(self._graph.parent_idx[edge])
        return topic, float(self._share[edge]), float(self._score[edge])

    def senses_of(self, token: int) -> list[Sense]:
        """All senses of one word, including rare ones."""
        node = self._graph.n_topics + token
        edges = range(self._graph.parent_ptr[node], self._graph.parent_ptr[node + 1])
        senses = map(self.sense, edges)
        return [sense for sense in senses if sense[1] >= MIN_SHARE_TYPED and sense[2] > 0]


def word_scores(run: Run) -> WordScores:
    """Word scores of a model, cached until its topics are hidden or merged."""
    return _kept(run.network, run.vocabulary, *run.as_shown)


_kept = lru_cache(MAX_MODELS)(WordScores)


def _is_plain(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()


def _subtree_roots(network: Network, strength: FloatArray) -> npt.NDArray[np.int64]:
    graph = network.graph
    child, strength = graph.edge_children(), strength[: graph.first_token_edge]
    child = child[: len(strength)]
    above = np.arange(graph.n_topics)
    # The strongest link to each topic comes first, and of equals the first.
    strongest = np.lexsort((-strength, child))
    topics, first = np.unique(child[strongest], return_index=True)
    edges = strongest[first]
    makes = strength[edges] >= SUBTREE_LINK
    above[topics[makes]] = graph.parent_idx[edges[makes]]
    # Each pass doubles the distance.
    while (above[above] != above).any():
        above = above[above]
    return above


@dataclass(frozen=True)
class Example:
    """A word with two top words for each of its senses (token numbers); one sense or two.

    ``topics`` are the senses, as displayed.
    """

    token: int
    companions: tuple[tuple[int, ...], ...]
    topics: tuple[int, ...]

    @property
    def queries(self) -> tuple[tuple[int, ...], ...]:
        """Words to type for each sense; the one with two senses comes first."""
        return tuple((self.token, *words) for words in self.companions)


@dataclass(frozen=True)
class _Senses:
    score: float
    difference: float  # between the two senses, 0 to 1
    example: Example
    topics: tuple[int, int]
    shown: tuple[int, int]  # the topics as displayed

    @property
    def nodes(self) -> set[tuple[str, int]]:
        """The word and its two topics, as displayed."""
        return {("word", self.example.token), *(("topic", topic) for topic in self.shown)}


def example_queries(run: Run, count: int = 3) -> list[Example]:
    """Find words that belong to two topics of different subtrees, those with the best score first.

    Hidden topics are not senses, and topics displayed as one are one sense. Each example is checked
    by inference: each query activates its own topic and not the other. If there are too few such
    words, words of the most frequent topics follow, with one sense each; of these queries, each
    activates its own topic, which is the most probable.
    """
    words = word_scores(run)
    examples: list[Example] = []
    used: set[tuple[str, int]] = set()
    for senses in _candidates(words):
        if len(examples) == count:
            break
        # No topic or word is in two examples.
        if not used.intersection(senses.nodes) and _separates(run, senses):
            used.update(senses.nodes)
            examples.append(senses.example)
    return examples + _plain_examples(run, words, examples, count - len(examples))


def examples_of(run: Run, token: int, count: int = 3) -> list[Example]:
    """Pairs of senses of one word, the most frequent first, until all senses occur."""
    words = word_scores(run)
    pairs = [_senses(words, token, pair) for pair in combinations(words.senses_of(token), 2)]
    alone = infer(run.network, Evidence((token,), closed_world=False))
    known = joined_probability(run, alone)
    scored = [(_score_alone(alone, known, senses), senses) for senses in pairs if senses]
    scored = sorted((pair for pair in scored if pair[0] > 0.0), key=lambda pair: -pair[0])
    examples: list[Example] = []
    found: set[int] = set()
    for _, senses in scored[:TRIED_PAIRS]:
        if len(examples) == count:
            break
        if not found.issuperset(senses.shown) and _separates(run, senses):
            found.update(senses.shown)
            examples.append(senses.example)
    return examples


def _score_alone(alone: Posterior, known: Mapping[int, float], senses: _Senses) -> float:
    """Score of two senses of a word by itself: high if each is probable, and rarely both."""
    one, other = (known[topic] for topic in senses.shown)
    first, second = (alone.probability[alone.position(topic)] for topic in senses.topics)
    excluded = 1.0 - alone.together(*senses.topics).value / max(first * second, 1e-12)
    return float(min(one, other) * senses.difference * excluded)


def _plain_examples(
    run: Run, words: WordScores, others: list[Example], count: int
) -> list[Example]:
    """Three words for each of the most frequent topics that have them.

    They are the best words of the topic whose query is answered with it (`_leads_to`).
    """
    used = {token for example in others for query in example.queries for token in query}
    found: list[Example] = []
    shown: set[int] = set()
    tried = 0
    for topic in np.argsort(-words.prior).tolist():
        if len(found) == count or tried == TRIED_PLAIN:
            break
        node = int(words.shown[topic])
        if words.is_hidden[topic] or node in shown:
            continue
        best = [token for token in words.companions(topic) if token not in used]
        # The best words together first, then sets with words of lower ranks.
        sets = sorted(combinations(range(len(best)), 1 + IN_QUERY), key=lambda ranks: sum(ranks))
        for ranks in sets[:TRIED_SETS]:
            tried += 1
            query = tuple(best[rank] for rank in ranks)
            if _leads_to(run, query, node):
                used.update(query)
                shown.add(node)
                found.append(Example(query[0], (query[1:],), (node,)))
                break
    return found


def _leads_to(run: Run, query: tuple[int, ...], topic: int) -> bool:
    """Whether a query activates a displayed topic, and no other is more probable."""
    probability = joined_probability(run, infer(run.network, Evidence(query, closed_world=False)))
    own = probability.get(topic, 0.0)
    others = (each for other, each in probability.items() if other != topic)
    return own > ON_THRESHOLD and own >= max(others, default=0.0)


def _candidates(words: WordScores) -> list[_Senses]:
    """Words with two senses, best first.

    Pairs are tried by the upper bound of their score, until no other pair can be among the best.
    """
    pairs = words.pairs()
    most = words.max_scores(pairs)
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
            if senses is None:
                continue
            # The first of pairs with equal scores is kept.
            last = best.get(token)
            if last is None or (senses.score, -place) > (last[0].score, -last[1]):
                best[token] = senses, place
    found = [best[token][0] for token in sorted(best)]
    found.sort(key=lambda senses: -senses.score)
    return found[:TRIED_WORDS]


def _senses(words: WordScores, token: int, pair: tuple[Sense, Sense]) -> _Senses | None:
    """Two senses of a word with the words that identify each; None if there are no such words.

    The score is high if the word has a high score for both topics, both cause about half of it, and
    both topics are frequent.
    """
    (first, first_share, first_score), (second, second_share, second_score) = pair
    topics = first, second
    shown = int(words.shown[first]), int(words.shown[second])
    if shown[0] == shown[1]:
        return None
    both = set(words.companions(first)) & set(words.companions(second)) - {token}
    sides = tuple(
        _apart(words.vocabulary, token, [word for word in words.own(topic) if word not in both])
        for topic in topics
    )
    if min(map(len, sides)) < IN_QUERY:
        return None
    score = min(first_score, second_score) * min(first_share, second_share) ** 0.5
    use = float(min(words.prior[first], words.prior[second]))
    subtree_root = SAME_SUBTREE if words.subtree_root[first] == words.subtree_root[second] else 1.0
    difference = (1.0 - len(both) / COMPANIONS) * subtree_root
    example = Example(token, sides, shown)
    return _Senses(score * use * difference, difference, example, topics, shown)


def _apart(vocabulary: Sequence[str], token: int, ranked: Sequence[int]) -> tuple[int, ...]:
    """First companions that are not forms of the word or of each other."""
    chosen = [token]
    for word in ranked:
        name = vocabulary[word]
        others = [vocabulary[other] for other in chosen]
        if not any(name.startswith(other) or other.startswith(name) for other in others):
            chosen.append(word)
    return tuple(chosen[1 : 1 + IN_QUERY])


def _separates(run: Run, senses: _Senses) -> bool:
    """Whether each query activates its own topic and not the other, with all other words open.

    Belief propagation is fast and rarely far off, so only pairs that pass it are sampled, which
    must give a sure answer.
    """
    checks: tuple[tuple[Method, float, float], ...] = (
        ("sum-product", ON_THRESHOLD, ON_THRESHOLD),
        ("sampling", *SURE),
    )
    for method, max_off, min_on in checks:
        shown = senses.shown
        for query, on, off in zip(senses.example.queries, shown, reversed(shown), strict=True):
            posterior = infer(run.network, Evidence(query, closed_world=False), method=method)
            probability = joined_probability(run, posterior)
            if probability.get(on, 0.0) < min_on or probability.get(off, 0.0) > max_off:
                return False
    return True
