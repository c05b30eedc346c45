"""Relations between topics: parents with their children, siblings, and pairs without a common
parent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from orrery.core.model.network import Network, weight_to_probability
from orrery.core.model.topic_names import npmi_of_pairs
from orrery.core.utils.types import FloatArray

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Relations:
    """Links between topics.

    Attributes
    ----------
    link : float64 csr_array, shape (n_topics, n_topics)
        How probable it is that a parent (row) switches a child (column) on.
    layer : int array, shape (n_topics,)
        From the layer above the words, 1, upward.
    """

    link: sparse.csr_array
    layer: Ints

    def children(self, parent: int) -> tuple[Ints, FloatArray]:
        """Children of a topic and how probably it switches each on, the likeliest first."""
        row = slice(self.link.indptr[parent], self.link.indptr[parent + 1])
        order = np.argsort(-self.link.data[row], kind="stable")
        return self.link.indices[row][order].astype(np.int64), self.link.data[row][order]

    def parents(self, least: float = 0.0) -> Ints:
        """Topics that switch two children or more on with this probability at least."""
        return np.flatnonzero(self._linked(least).sum(axis=1) >= 2)

    def sibling_pairs(self, layer: int, least: float = 0.0) -> Ints:
        """Pairs of topics of a layer with a parent that switches on both, shape (n_pairs, 2).

        ``least`` is the probability with which it does so, either of them.
        """
        strong = self._linked(least)
        return np.argwhere(np.triu((strong.T @ strong).toarray() > 0, 1) & self._both_in(layer))

    def other_pairs(self, layer: int) -> Ints:
        """Pairs of topics of a layer without any parent in common."""
        linked = self._linked()
        return np.argwhere(np.triu((linked.T @ linked).toarray() == 0, 1) & self._both_in(layer))

    def _linked(self, least: float = 0.0) -> sparse.csr_array:
        """1 where there is a link, with this probability at least, shape (n_topics, n_topics)."""
        strong = (self.link >= least) if least else (self.link != 0)
        return strong.astype(np.int64)

    def _both_in(self, layer: int) -> npt.NDArray[np.bool_]:
        here = self.layer == layer
        return np.outer(here, here)


def relations_of(network: Network) -> Relations:
    """Read the links between topics, including weak ones; a weight of zero is no link."""
    graph = network.graph
    child = graph.edge_children()
    acts = weight_to_probability(network.weight)
    kept = (child < graph.n_topics) & (acts > 0.0)
    shape = (graph.n_topics, graph.n_topics)
    link = sparse.csr_array((acts[kept], (graph.parent_idx[kept], child[kept])), shape=shape)
    return Relations(link, graph.heights()[: graph.n_topics].astype(np.int64))


def sample_parents(subtree: Relations, count: int, least: float, seed: int = 0) -> list[int]:
    """Sample topics from `Relations.parents` of strong links, from the top layer downward.

    Every layer gives equally many, or all that it has; lower layers make up for it.
    """
    rng = np.random.default_rng(seed)
    parents = subtree.parents(least)
    layers = np.unique(subtree.layer[parents])[::-1]
    chosen: list[int] = []
    for place, layer in enumerate(layers.tolist()):
        among = parents[subtree.layer[parents] == layer]
        share = (count - len(chosen)) // (len(layers) - place)
        chosen += np.sort(rng.permutation(among)[:share]).tolist()
    return chosen


def likeness(
    presence: sparse.csc_array, words_of_topics: list[npt.NDArray[np.int64]], pairs: Ints
) -> FloatArray:
    """Mean NPMI between the words of two topics, for each pair of topics.

    Common words are left out, because they would make any two topics similar; pairs of topics
    without other words are left out too.
    """
    n_documents = presence.shape[0]
    frequency = np.diff(presence.indptr) / n_documents
    found = []
    for first, second in pairs.tolist():
        own = np.setdiff1d(words_of_topics[first], words_of_topics[second])
        other = np.setdiff1d(words_of_topics[second], words_of_topics[first])
        if len(own) and len(other):
            joint = (presence[:, own].T @ presence[:, other]).toarray() / n_documents
            expected = np.outer(frequency[own], frequency[other])
            found.append(float(npmi_of_pairs(joint, expected).mean()))
    return np.array(found)
