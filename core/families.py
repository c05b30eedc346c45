"""Families: a topic with all that is below it, and in how many documents any of them is on.

A general topic is often left off where one below it says more. Counted by itself it looks small;
it is as large as its family. What is below is what the topic brings about: a rare topic may switch
a common one on whenever it is on itself, and is still no chapter that the other belongs to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.labels import caused_shares, marginals
from orrery.core.network import Network, weight_to_probability

# A parent that switches a topic on more rarely than this does not hold it, nor does one that causes
# less than this part of the topic's activity.
LEAST_LINK, LEAST_CAUSED = 0.02, 0.1


def find_families(
    network: Network,
    least_link: float = LEAST_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> sparse.csr_array:
    """Which topics belong to the family of each: itself, and all that hangs from it.

    Parameters
    ----------
    network : Network
    least_link, hidden, shown_as
        As of `hanging_edges`. What is hidden belongs to no family but its own. A topic that others
        are part of has the families of all, and the parts have none.

    Returns
    -------
    bool csr_array, shape (n_topics, n_topics)
        A row for the family of a topic.
    """
    n_topics = network.graph.n_topics
    parents = main_parents(network, least_link, hidden, shown_as)
    parents[[*hidden]] = -1
    hung, each = np.flatnonzero(parents >= 0), np.arange(n_topics)
    below = _flags(np.append(parents[hung], each), np.append(hung, each), n_topics)
    # Twice as far down with every turn.
    size = -1
    while below.nnz > size:
        size = below.nnz
        below = below @ below
        below.data[:] = 1
    return sparse.csr_array((below @ _flags(wholes(shown_as, n_topics), each, n_topics)) > 0)


def _flags(row: Int64Array, column: Int64Array, size: int) -> sparse.csr_array:
    """A square of zeros with ones in some places."""
    flags = sparse.csr_array((np.ones(len(row), np.int64), (row, column)), shape=(size, size))
    flags.data[:] = 1
    return flags


def hanging_edges(
    network: Network,
    least_link: float = LEAST_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
    wordless: Collection[int] = (),
) -> Int64Array:
    """Edge that each topic hangs by where it has one place only, as on the map of topics.

    Of its parents a topic hangs from the one that switches it on the most often: the probability
    of the parent times that of the link. A link holds nothing below ``least_link``, nor where it
    causes less than ``LEAST_CAUSED`` of the topic's activity (`orrery.core.labels.caused_shares`).

    Parameters
    ----------
    network : Network
    least_link : float
        Probability of the weakest link that holds.
    hidden : collection of int
        Topics that hold nothing.
    shown_as : mapping of int to int
        Topics that are shown as part of another one, which hangs and holds in their place. Such may
        lie in a circle with others, so only upward links count.
    wordless : collection of int
        Topics that hang from nothing, as nobody is shown them.

    Returns
    -------
    int64 array, shape (n_topics,)
        -1 for topics that hang from nothing, and for those that are part of another.
    """
    graph, heights, prior = network.graph, network.graph.heights(), marginals(network)
    whole = wholes(shown_as, graph.n_nodes)
    effect = weight_to_probability(network.weight)
    above, below = whole[graph.parent_idx], whole[graph.edge_children()]
    holds = (below < graph.n_topics) & (heights[above] > heights[below])
    holds &= (effect >= least_link) & (caused_shares(network) >= LEAST_CAUSED)
    holds &= ~np.isin(above, [*hidden]) & ~np.isin(below, [*wordless])
    edges = np.flatnonzero(holds)
    acts = prior[graph.parent_idx[edges]] * effect[edges]
    edges = edges[np.lexsort((above[edges], -acts, below[edges]))]
    topics, first = np.unique(below[edges], return_index=True)
    hung = np.full(graph.n_topics, -1)
    hung[topics] = edges[first]
    return hung


def main_parents(
    network: Network,
    least_link: float = LEAST_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
    wordless: Collection[int] = (),
) -> Int64Array:
    """Topic that each topic hangs from by its `hanging_edges`, -1 for none, shape (n_topics,)."""
    edges = hanging_edges(network, least_link, hidden, shown_as, wordless)
    parents, hangs = np.full(len(edges), -1), edges >= 0
    above = network.graph.parent_idx[edges[hangs]]
    parents[hangs] = wholes(shown_as, network.graph.n_topics)[above]
    return parents


def joined(on: sparse.csr_array, shown_as: Mapping[int, int]) -> sparse.csr_array:
    """Whether a topic, or one that is shown as it, is on.

    Parameters
    ----------
    on : bool csr_array, shape (n_documents, n_topics)
    shown_as : mapping of int to int
        Topics that are shown as part of another one; the part itself is on nowhere.

    Returns
    -------
    bool csr_array, shape (n_documents, n_topics)
    """
    each, whole = np.arange(on.shape[1]), wholes(shown_as, on.shape[1])
    return sparse.csr_array((on.astype(np.int32) @ _flags(each, whole, on.shape[1])) > 0)


def wholes(shown_as: Mapping[int, int], count: int) -> Int64Array:
    """What each of the first so many nodes is shown as: itself, or the topic that it is a part of.

    Parameters
    ----------
    shown_as : mapping of int to int
    count : int

    Returns
    -------
    int64 array, shape (count,)
    """
    whole = np.arange(count)
    whole[list(shown_as)] = list(shown_as.values())
    return whole


def family_documents(on: sparse.csr_array, members: sparse.csr_array) -> Int64Array:
    """Count the documents in which any topic of each family is on, shape (n_topics,).

    Parameters
    ----------
    on : bool csr_array, shape (n_documents, n_topics)
    members : bool csr_array, shape (n_topics, n_topics)
        As of `find_families`.
    """
    any_of = on.astype(np.int32) @ members.T.astype(np.int32)
    return np.asarray((any_of > 0).sum(axis=0)).ravel().astype(np.int64)


def family_prior(network: Network, members: sparse.csr_array) -> FloatArray:
    """Prior probability that any topic of each family is on, shape (n_topics,).

    All are off together if no leak acts and no link from a parent outside; one inside is off, so
    its links do not act. Parents outside are taken as independent, as in
    `orrery.core.labels.marginals`, which this equals for a family of one.

    Parameters
    ----------
    network : Network
    members : bool csr_array, shape (n_topics, n_topics)
        As of `find_families`.
    """
    graph = network.graph
    is_topic = graph.edge_children() < graph.n_topics
    parent, child = graph.parent_idx[is_topic], graph.edge_children()[is_topic]
    acts = marginals(network)[parent] * weight_to_probability(network.weight[is_topic])
    log_failed = np.log1p(-np.minimum(acts, 1.0 - 1e-12))
    log_off = np.bincount(child, log_failed, graph.n_topics) - network.leak[: graph.n_topics]
    inside = members.astype(np.float64)
    within = (inside[:, parent] * inside[:, child]) @ log_failed
    prior = np.maximum(-np.expm1(inside @ log_off - within), 0.0)
    # To the last digit, so that a topic with nothing below is as large by itself.
    is_alone = np.diff(members.indptr) == 1
    return np.where(is_alone, marginals(network)[: graph.n_topics], prior)
