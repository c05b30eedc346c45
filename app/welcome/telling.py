"""How telling every word is of every topic, and how much of the word the topic explains."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.families import wholes
from orrery.core.labels import marginals
from orrery.core.network import Network, weight_to_probability

if TYPE_CHECKING:
    from orrery.core.run import Run

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
