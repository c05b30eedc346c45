"""Quality of a hierarchy of topics: how parents relate to their children, layer by layer.

Parents and children are measured as by TraCo (Wu et al. 2024) and TopMost, on the top words of each
topic: PCC, PCD, PnCD, sibling diversity. Affinity and specialisation compare word
distributions (Kim et al. 2012). A layer is a height in the graph
(`orrery.core.model.graph.Graph.heights`). Each measure is a mean over the pairs, or groups, of one
layer of parents, and then over the layers.

Chance is the same measure after the topics of each layer of children are shuffled, so that a parent
has as many children as before, but others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..model.labels import reach
from ..model.network import Network, weight_to_probability
from ..utils.types import FloatArray, Int64Array
from .coherence import diversity, mean_npmi, top_words

# Top words of a topic, as in TopMost.
TOP_WORDS = 15
# Links with a lower probability that the parent activates the child are left out.
MIN_PROBABILITY = 0.1
N_SHUFFLES = 20
# Added to the share of the documents with both words, as in TopMost.
SOFTENING = 1e-10


@dataclass(frozen=True, kw_only=True)
class HierarchyFigures:
    """Quality of a hierarchy; `orrery.core.evaluation.metrics` describes the measures.

    A measure is None if the model has no pair, or no group, that it is about.
    """

    pairs: int  # links between topics
    pcc: float | None
    pcc_chance: float | None
    pcd: float | None
    pncd: float | None
    sibling_diversity: float | None
    sibling_diversity_chance: float | None
    affinity: float | None
    affinity_chance: float | None


# Measures of `HierarchyFigures` that are means over the layers of parents.
MEASURES = ("pcc", "pcd", "pncd", "sibling_diversity", "affinity")


@dataclass(frozen=True, eq=False)
class TopicTree:
    """Topics with their words and links, as the measures of a hierarchy see them.

    Attributes
    ----------
    words : list of int64 arrays
        Top words of each topic.
    layer : int array, shape (n_topics,)
        1 above the words.
    parent, child : int64 arrays, shape (n_links,)
    distribution : csr_array, shape (n_topics, n_tokens)
        Probability of each word given each topic.
    """

    words: list[Int64Array]
    layer: Int64Array
    parent: Int64Array
    child: Int64Array
    distribution: sparse.csr_array

    def others(self, parent: int) -> Int64Array:
        """Topics of the layers of a parent's children that are not its children."""
        own = self.child[self.parent == parent]
        is_other = np.isin(self.layer, np.unique(self.layer[own]))
        is_other[own] = False
        return np.flatnonzero(is_other)

    def shuffled(self, rng: np.random.Generator) -> TopicTree:
        """Return the tree with the topics of each layer of children in random order."""
        order = np.arange(len(self.layer))
        for layer in np.unique(self.layer):
            members = np.flatnonzero(self.layer == layer)
            order[members] = rng.permutation(members)
        return replace(self, child=order[self.child])


def topic_tree(
    network: Network, vocabulary: Sequence[str], min_probability: float = MIN_PROBABILITY
) -> TopicTree:
    """Top words and links of a network; see `MIN_PROBABILITY`."""
    graph = network.graph
    edges = slice(0, graph.first_token_edge)
    is_link = weight_to_probability(network.weight[edges]) >= min_probability
    return TopicTree(
        top_words(network, vocabulary, TOP_WORDS),
        graph.heights()[: graph.n_topics].astype(np.int64),
        graph.parent_idx[edges][is_link].astype(np.int64),
        graph.edge_children()[edges][is_link].astype(np.int64),
        reach(network),
    )


def hierarchy_figures(
    tree: TopicTree, presence: sparse.csr_array, *, seed: int = 0
) -> tuple[HierarchyFigures, list[dict[str, Any]]]:
    """Measure a hierarchy; also a row for each layer, from the words upward.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_tokens)
        Documents in which the coherence of words is counted.
    seed : int
        Seed of the shuffles.

    Returns
    -------
    figures : HierarchyFigures
    layers : list of dict
        Keys ``layer``, ``topics``, ``diversity``, ``uniqueness``, ``npmi``, ``specialisation``, and
        the `MEASURES` of the parents in this layer; None without any.
    """
    rng, measures = np.random.default_rng(seed), _Measures(tree, presence)
    by_layer = measures.by_layer(tree)
    chance = [
        measures.by_layer(tree.shuffled(rng), with_differences=False) for _ in range(N_SHUFFLES)
    ]
    special = specialisation(tree.distribution, presence)
    rows = []
    for layer in np.unique(tree.layer).tolist():
        members = np.flatnonzero(tree.layer == layer)
        own = [tree.words[topic] for topic in members]
        described = {
            "layer": layer,
            "topics": len(members),
            "diversity": diversity(own),
            "uniqueness": uniqueness(own),
            "npmi": mean_npmi(presence, own),
            "specialisation": _mean(special[members].tolist()),
        }
        rows.append(described | {key: by_layer[key].get(layer) for key in MEASURES})

    def overall(found: dict[str, dict[int, float]], key: str) -> float | None:
        return _mean(list(found[key].values()))

    def shuffled(key: str) -> float | None:
        return _mean([each for found in chance if (each := overall(found, key)) is not None])

    return (
        HierarchyFigures(
            pairs=len(tree.parent),
            pcc=overall(by_layer, "pcc"),
            pcc_chance=shuffled("pcc"),
            pcd=overall(by_layer, "pcd"),
            pncd=overall(by_layer, "pncd"),
            sibling_diversity=overall(by_layer, "sibling_diversity"),
            sibling_diversity_chance=shuffled("sibling_diversity"),
            affinity=overall(by_layer, "affinity"),
            affinity_chance=shuffled("affinity"),
        ),
        rows,
    )


class _Measures:
    """Measures of parents and children, with the counts that they share."""

    def __init__(self, tree: TopicTree, presence: sparse.csr_array) -> None:
        self._words, reached = tree.words, tree.distribution
        used = np.unique(np.concatenate([*tree.words, np.empty(0, np.int64)])).astype(np.int64)
        columns = sparse.csc_array(presence)[:, used].astype(np.float64)
        self._place = [np.searchsorted(used, own) for own in tree.words]
        # Share of the documents with both of two words; sparse arrays lose their type.
        self._joint: Any = sparse.csr_array(columns.T @ columns) / presence.shape[0]
        self._frequency = np.asarray(self._joint.diagonal(), np.float64)
        length = np.sqrt(np.asarray(reached.multiply(reached).sum(axis=1)).ravel())
        unit = sparse.diags_array(1.0 / np.where(length > 0.0, length, 1.0)) @ reached
        self._unit = sparse.csr_array(unit)
        # Sum and number of the NPMI of each pair that was asked for.
        self._known: dict[tuple[int, int], tuple[float, int]] = {}

    def by_layer(
        self, tree: TopicTree, *, with_differences: bool = True
    ) -> dict[str, dict[int, float]]:
        """Value of each measure for every layer of parents that has one.

        Parameters
        ----------
        with_differences : bool
            Whether PCD and PnCD are among them; PnCD takes long, and neither has a value by chance.
        """
        values: dict[str, dict[int, float]] = {key: {} for key in MEASURES}
        for layer in np.unique(tree.layer[tree.parent]).tolist():
            parents = [
                (parent, tree.child[tree.parent == parent].tolist())
                for parent in np.unique(tree.parent[tree.layer[tree.parent] == layer]).tolist()
            ]
            pairs = [(parent, child) for parent, own in parents for child in own]
            found = {
                "pcc": self._coherence(pairs),
                "sibling_diversity": _mean(
                    [self._siblings(own) for _, own in parents if len(own) > 1]
                ),
                "affinity": self._affinity(pairs),
            }
            if with_differences:
                others = [
                    (parent, other)
                    for parent, _ in parents
                    for other in tree.others(parent).tolist()
                ]
                found["pcd"] = _mean([self._different(*pair) for pair in pairs])
                found["pncd"] = _mean([self._different(*pair) for pair in others])
            for key, value in found.items():
                if value is not None:
                    values[key][layer] = value
        return values

    def _affinity(self, pairs: list[tuple[int, int]]) -> float | None:
        """Mean cosine of the distributions of words of a parent and its child."""
        parents, children = np.array(pairs, np.int64).reshape(-1, 2).T
        cosine = self._unit[parents].multiply(self._unit[children]).sum(axis=1)
        return _mean(np.asarray(cosine).ravel().tolist())

    def _different(self, first: int, second: int) -> float:
        words, n = self._words, len(self._words[first]) + len(self._words[second])
        shared = len(np.intersect1d(words[first], words[second]))
        return (n - 2 * shared) / n if n else 0.0

    def _siblings(self, children: list[int]) -> float:
        words = np.concatenate([self._words[child] for child in children])
        _, count = np.unique(words, return_counts=True)
        return float((count == 1).sum() / len(words)) if len(words) else 0.0

    def _coherence(self, pairs: list[tuple[int, int]]) -> float | None:
        """PCC of one layer: mean over its pairs of words, with -1 for shared words."""
        sums = [self._pair(parent, child) for parent, child in pairs]
        count = sum(n for _, n in sums)
        return sum(total for total, _ in sums) / count if count else None

    def _pair(self, first: int, second: int) -> tuple[float, int]:
        if (first, second) not in self._known:
            a, b = self._place[first], self._place[second]
            own, other = np.setdiff1d(a, b), np.setdiff1d(b, a)
            n_shared = len(a) - len(own)
            joint = np.asarray(self._joint[own][:, other].toarray(), np.float64)
            expected = self._frequency[own][:, None] * self._frequency[other]
            total = _traco_npmi(joint, expected).sum() - n_shared**2
            self._known[first, second] = (float(total), joint.size + n_shared**2)
        return self._known[first, second]


def _traco_npmi(joint: FloatArray, expected: FloatArray) -> FloatArray:
    """NPMI as TraCo computes it: `SOFTENING` is added, and 1 if both words are everywhere."""
    is_known = expected > 0.0
    softened = np.minimum(joint + SOFTENING, 1.0)
    values = np.zeros(joint.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(softened / expected) / -np.log(softened)
    values[is_known] = found[is_known]
    values[joint >= 1.0] = 1.0
    return values


def specialisation(distribution: sparse.csr_array, presence: sparse.csr_array) -> FloatArray:
    """One minus the cosine of each topic's words to the corpus's words, shape (n_topics,).

    ``distribution``, shape (n_topics, n_tokens), is the probability of each word given each topic.
    """
    frequency = np.asarray(presence.sum(axis=0), np.float64).ravel()
    length = np.sqrt(np.asarray(distribution.multiply(distribution).sum(axis=1)).ravel())
    size = length * np.linalg.norm(frequency)
    cosine = (distribution @ frequency) / np.where(size > 0.0, size, 1.0)
    return np.asarray(1.0 - cosine, np.float64)


def uniqueness(words_of_topics: list[Int64Array]) -> float | None:
    """TU: mean over topics of the mean of 1 / number of topics that have a top word."""
    filled = [words for words in words_of_topics if len(words)]
    if not filled:
        return None
    _, place, count = np.unique(np.concatenate(filled), return_inverse=True, return_counts=True)
    ends = np.cumsum([len(words) for words in filled])[:-1]
    return float(np.mean([own.mean() for own in np.split(1.0 / count[place], ends)]))


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None
