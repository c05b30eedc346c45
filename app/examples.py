"""Example queries that a model suggests itself: words that it knows in two senses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from app.graph_style import ON_THRESHOLD
from core.inference import Evidence, infer
from core.labels import marginals
from core.network import Network, weight_to_probability

# How many words of two senses are tried out by inference before the best are taken.
TRIED_WORDS = 40
# Parents of a word that are compared in pairs.
COMPARED_TOPICS = 6
COMPANIONS = 8
# A link weaker than this is not a sense of a word that a person would recognise.
LEAST_LINK = 0.02


@dataclass(frozen=True)
class Example:
    """A query: companions of a sense, then the word of two senses (token numbers)."""

    companions: tuple[int, ...]
    token: int

    @property
    def tokens(self) -> tuple[int, ...]:
        """All words of the query, the one of two senses last."""
        return (*self.companions, self.token)


@dataclass(frozen=True)
class _Senses:
    score: float
    first: Example
    second: Example
    topics: tuple[int, int]


def example_queries(network: Network, count: int = 3) -> list[Example]:
    """Find queries in which one word belongs to different topics.

    The first two share their last word and were checked by inference to switch on different
    topics; the others show one sense of another word each. Without such words the result is
    filled up with the strongest words of the most frequent topics.
    """
    lift = _Words(network)
    tested = [senses for senses in _candidates(lift) if _tells_apart(network, senses)]
    examples: list[Example] = []
    used: set[int] = set()
    for senses in tested:
        if len(examples) < count and senses.first.token not in used:
            used.update(senses.first.tokens + senses.second.tokens)
            examples += [senses.first] if examples else [senses.first, senses.second]
    for topic in lift.frequent_topics():
        words = lift.companions(topic)
        if len(examples) < count and len(words) >= 2 and not used.intersection(words[:3]):
            used.update(words[:3])
            examples.append(Example(tuple(words[1:3]), words[0]))
    return examples[:count]


class _Words:
    """Words of every topic, ranked by how well they tell it from all other topics."""

    def __init__(self, network: Network) -> None:
        graph = network.graph
        self.network = network
        self.strength = weight_to_probability(network.weight)
        probability = marginals(network)
        self.prior = probability[: graph.n_topics]
        self.frequency = probability[graph.n_topics :]
        self._ranked: dict[int, list[int]] = {}

    def companions(self, topic: int) -> list[int]:
        """Tokens of a topic, most telling first: strength times the logarithm of the lift."""
        if topic not in self._ranked:
            graph = self.network.graph
            span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            is_token = graph.child_idx[span] >= graph.n_topics
            tokens = graph.child_idx[span][is_token] - graph.n_topics
            strength = self.strength[graph.child_edge[span][is_token]]
            telling = strength * np.log(np.maximum(strength / self.frequency[tokens], 1e-9))
            ranked = tokens[np.argsort(-telling)][:COMPANIONS]
            self._ranked[topic] = [int(token) for token in ranked]
        return self._ranked[topic]

    def links(self, token: int) -> list[tuple[float, int]]:
        """The strongest links from topics to a token, strongest first."""
        graph = self.network.graph
        node = graph.n_topics + token
        first = int(graph.parent_ptr[node])
        parents = graph.parents(node).tolist()
        strengths = self.strength[first : first + len(parents)].tolist()
        found = [pair for pair in zip(strengths, parents, strict=True) if pair[0] >= LEAST_LINK]
        return sorted(found, reverse=True)[:COMPARED_TOPICS]

    def frequent_topics(self) -> Sequence[int]:
        """All topics, the most probable first."""
        return [int(topic) for topic in np.argsort(-self.prior)]


def _candidates(words: _Words) -> list[_Senses]:
    """Words of two senses, the best first."""
    found = []
    for token in range(words.network.graph.n_tokens):
        pairs = list(_pairs(words, token))
        if pairs:
            found.append(max(pairs, key=lambda senses: senses.score))
    found.sort(key=lambda senses: -senses.score)
    return found[:TRIED_WORDS]


def _pairs(words: _Words, token: int) -> Iterator[_Senses]:
    """Pairs of topics that both bring a token, with the companions that tell them apart."""
    for (first_link, first), (second_link, second) in combinations(words.links(token), 2):
        both = set(words.companions(first)) & set(words.companions(second)) | {token}
        sides = [
            tuple(word for word in words.companions(topic) if word not in both)[:2]
            for topic in (first, second)
        ]
        if min(len(side) for side in sides) < 2:
            continue
        # Links count by what they bring in all texts, so that both senses are really in use.
        use = min(first_link * words.prior[first], second_link * words.prior[second])
        score = float(use * min(first_link, second_link)) / len(both)
        examples = [Example(side, token) for side in sides]
        yield _Senses(score, examples[0], examples[1], (first, second))


def _tells_apart(network: Network, senses: _Senses) -> bool:
    """Whether each query, all other words left open, switches on its own topic only of the two."""
    own, other = senses.topics
    for example, on, off in ((senses.first, own, other), (senses.second, other, own)):
        posterior = infer(network, Evidence(example.tokens, closed_world=False))
        probability = dict(
            zip(posterior.local.topics.tolist(), posterior.probability.tolist(), strict=True)
        )
        if probability.get(on, 0.0) <= ON_THRESHOLD or probability.get(off, 0.0) > ON_THRESHOLD:
            return False
    return True
