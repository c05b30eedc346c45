"""Example queries that a model suggests itself: words that it knows in two senses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING

import numpy as np

from orrery.app.graph.links import whole
from orrery.app.graph.selection import joined_probability
from orrery.core.arrays import FloatArray
from orrery.core.exporting.thresholds import ON_THRESHOLD, UNSURE
from orrery.core.inference import Evidence, Method, Posterior, infer
from orrery.core.network import Network, weight_to_probability

if TYPE_CHECKING:
    from orrery.core.run import Run

# How many words of two senses are tried out by inference before the best are taken.
TRIED_WORDS = 60
# A topic that brings less than this share of a word's occurrences is no sense of it; of a word that
# was asked for, rare senses count too.
LEAST_SHARE, LEAST_SHARE_ASKED = 0.15, 0.1
# Pairs of senses of that word that are tried out.
TRIED_PAIRS = 20
# Telling words of a topic that are looked at, and how many of them go into a query. Each of these
# occurs mostly through its topic: a word that is frequent everywhere tells no sense.
COMPANIONS = 8
IN_QUERY = 2
MOSTLY = 0.5
# How probable the words of a query may leave the other sense, and have to make their own.
SURE = (UNSURE[0], 0.9)
SHORTEST = 3
# Two topics of one family are seldom two senses.
SAME_FAMILY = 0.3
# A link weaker than this does not make a family.
FAMILY_LINK = 0.1


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
    words = _Words(run)
    examples = _told_apart(run, _candidates(words), count)
    return examples + _plain_examples(words, examples, count - len(examples))


def examples_of(run: Run, token: int, count: int = 3) -> list[Example]:
    """Pairs of senses of one word, those that it means most often first, until none is left out."""
    words = _Words(run)
    pairs = [_senses(words, token, pair) for pair in combinations(words.topics_of(token), 2)]
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


def _plain_examples(words: _Words, others: list[Example], count: int) -> list[Example]:
    """Three words of each of the most frequent topics that have them."""
    used = {token for example in others for query in example.queries for token in query}
    found: list[Example] = []
    shown: set[int] = set()
    for topic in np.argsort(-words.prior).tolist():
        if len(found) == count:
            break
        best, node = words.companions(topic)[: 1 + IN_QUERY], whole(words.run, topic)
        is_new = not used.intersection(best) and node not in shown
        if is_new and len(best) == 1 + IN_QUERY and not words.is_hidden[topic]:
            used.update(best)
            shown.add(node)
            found.append(Example(best[0], (tuple(best[1:]),), (node,)))
    return found


class _Words:
    """How telling every word is of every topic, and how much of the word the topic explains."""

    def __init__(self, run: Run) -> None:
        network = run.network
        graph = network.graph
        self.run, self.network = run, network
        # Phrases are often names or addresses, which tell one writer from another and no sense.
        self.is_plain = np.array([_is_plain(word) for word in run.vocabulary], bool)
        probability = run.prior
        self.prior = probability[: graph.n_topics]
        strength = weight_to_probability(network.weight)
        base = np.maximum(probability, 1e-9)[graph.edge_children()]
        # Of an edge: strength times the logarithm of the lift, and the share of all occurrences.
        self.telling = strength * np.log(np.maximum(strength / base, 1e-9))
        # What people hid is no sense of any word.
        self.is_hidden = [whole(run, topic) in run.hidden_topics for topic in range(graph.n_topics)]
        self.telling[np.array(self.is_hidden, bool)[graph.parent_idx]] = 0.0
        self.share = self.prior[graph.parent_idx] * strength / base
        self.family = _families(network, strength)
        self._ranked: dict[int, list[int]] = {}

    def companions(self, topic: int) -> list[int]:
        """The plain words among the most telling ones of a topic, the best first."""
        if topic not in self._ranked:
            graph = self.network.graph
            span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            is_token = graph.child_idx[span] >= graph.n_topics
            tokens = graph.child_idx[span][is_token] - graph.n_topics
            telling = self.telling[graph.child_edge[span][is_token]]
            best = tokens[np.argsort(-telling, kind="stable")][:COMPANIONS]
            self._ranked[topic] = best[self.is_plain[best]].tolist()
        return self._ranked[topic]

    def own(self, topic: int) -> list[int]:
        """The companions that occur mostly through the topic: these tell a sense."""
        graph = self.network.graph
        span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
        mostly = self.share[graph.child_edge[span]] >= MOSTLY
        of_topic = set((graph.child_idx[span][mostly] - graph.n_topics).tolist())
        return [token for token in self.companions(topic) if token in of_topic]

    def senses(self) -> Iterator[tuple[int, list[tuple[int, float, float]]]]:
        """Words with the topics that bring a good part of them: (topic, share, telling) of each."""
        graph = self.network.graph
        child = graph.edge_children()
        is_sense = (self.share >= LEAST_SHARE) & (self.telling > 0) & (child >= graph.n_topics)
        is_sense[is_sense] = self.is_plain[child[is_sense] - graph.n_topics]
        edges = np.flatnonzero(is_sense)
        columns = (child[edges], graph.parent_idx[edges], self.share[edges], self.telling[edges])
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        for node, group in groupby(rows, key=lambda row: row[0]):
            yield node - graph.n_topics, [(topic, share, tells) for _, topic, share, tells in group]

    def topics_of(self, token: int) -> list[tuple[int, float, float]]:
        """The topics of one word, whichever it is, and of its rare senses too."""
        graph = self.network.graph
        node = graph.n_topics + token
        edges = np.arange(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        is_sense = (self.share[edges] >= LEAST_SHARE_ASKED) & (self.telling[edges] > 0)
        edges = edges[is_sense]
        columns = (graph.parent_idx[edges], self.share[edges], self.telling[edges])
        return list(zip(*(column.tolist() for column in columns), strict=True))


def _is_plain(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()


def _families(network: Network, strength: FloatArray) -> list[int]:
    """The most general topic that each topic hangs from by its strongest links."""
    graph = network.graph
    top = list(range(graph.n_topics))
    for topic in range(graph.n_topics):
        span = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
        if strength[span].max(initial=0.0) >= FAMILY_LINK:
            top[topic] = top[graph.parent_idx[span][int(np.argmax(strength[span]))]]
    return top


def _candidates(words: _Words) -> list[_Senses]:
    """Words of two senses, the best first."""
    found = []
    for token, topics in words.senses():
        pairs = [_senses(words, token, pair) for pair in combinations(topics, 2)]
        scored = [senses for senses in pairs if senses is not None]
        if scored:
            found.append(max(scored, key=lambda senses: senses.score))
    found.sort(key=lambda senses: -senses.score)
    return found[:TRIED_WORDS]


def _senses(
    words: _Words, token: int, pair: tuple[tuple[int, float, float], tuple[int, float, float]]
) -> _Senses | None:
    """Two topics that bring a word, with the words that tell them apart; None if there are none.

    The score is high for a word that is telling of both topics, half of which each explains, and
    for topics of many texts.
    """
    (first, first_share, first_tells), (second, second_share, second_tells) = pair
    topics = first, second
    shown = whole(words.run, first), whole(words.run, second)
    if shown[0] == shown[1]:
        return None
    both = set(words.companions(first)) & set(words.companions(second)) - {token}
    sides = tuple(
        _apart(
            words.run.vocabulary,
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
