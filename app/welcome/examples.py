"""Example queries that a model suggests itself: words that it knows in two senses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from orrery.app.graph.selection import joined_probability
from orrery.app.welcome.telling import COMPANIONS, Sense, TellingWords, telling_words
from orrery.core.exporting.thresholds import ON_THRESHOLD, UNSURE
from orrery.core.inference import Evidence, Method, Posterior, infer

if TYPE_CHECKING:
    from orrery.core.run import Run

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
