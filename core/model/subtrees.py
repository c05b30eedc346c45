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

from ..utils.types import FloatArray, Int64Array
from .labels import marginals
from .network import Network, weight_to_probability

# A parent that switches a topic on more rarely than the first when it is on does not hold it, nor
# does one that causes less than the second of the topic's activity.
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
        As of `main_links`. What is hidden belongs to no family but its own. A topic that others
        are part of has the families of all, and the parts have none.

    Returns
    -------
    bool csr_array, shape (n_topics, n_topics)
        A row for the family of a topic.
    """
    n_topics = network.graph.n_topics
    parents = main_links(network, least_link, hidden, shown_as)[0][:n_topics]
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


def main_links(
    network: Network,
    least_link: float = LEAST_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Int64Array, FloatArray]:
    """Link that each node hangs by where it has one place only, as topics have on their map.

    Of its parents a node hangs from the one that switches it on the most often: the probability of
    the parent times that of the link. A topic that none causes for ``LEAST_CAUSED`` of its activity
    hangs from nothing, however strong its links are: a rare topic may bring a common one each time.
    A word hangs from any.

    Parameters
    ----------
    network : Network
    least_link : float
        Probability of the weakest link that a topic may hang by.
    hidden : collection of int
        Topics that hold nothing.
    shown_as : mapping of int to int
        Topics that are shown as part of another one, which stands for all of them: what they cause,
        and what causes them, adds up. Such may lie in a circle with others, so only upward links
        count.

    Returns
    -------
    parent : int64 array, shape (n_nodes,)
        -1 for what hangs from nothing, and for what is part of another.
    probability : float64 array, shape (n_nodes,)
        How often the parent, or the strongest of its parts, switches the node on; 0 for none.
    """
    graph, heights, prior = network.graph, network.graph.heights(), marginals(network)
    whole, effect = wholes(shown_as, graph.n_nodes), weight_to_probability(network.weight)
    above, below = whole[graph.parent_idx], whole[graph.edge_children()]
    is_link = (heights[above] > heights[below]) & ~np.isin(above, [*hidden])
    is_link &= (below >= graph.n_topics) | (effect >= least_link)
    edges = np.flatnonzero(is_link)
    # Links between the same two, of their parts, are one.
    pairs, number = np.unique(below[edges] * graph.n_topics + above[edges], return_inverse=True)
    acts = np.bincount(number, prior[graph.parent_idx[edges]] * effect[edges], len(pairs))
    strongest = np.zeros(len(pairs))
    np.maximum.at(strongest, number, effect[edges])
    child, parent = np.divmod(pairs, max(graph.n_topics, 1))
    on = -np.expm1(np.bincount(whole, np.log1p(-np.minimum(prior, 1.0 - 1e-12)), graph.n_nodes))
    holds = np.flatnonzero((child >= graph.n_topics) | (acts >= LEAST_CAUSED * on[child]))
    first = holds[np.lexsort((parent[holds], -acts[holds], child[holds]))]
    children, place = np.unique(child[first], return_index=True)
    parents, probability = np.full(graph.n_nodes, -1), np.zeros(graph.n_nodes)
    parents[children], probability[children] = parent[first[place]], strongest[first[place]]
    return parents, probability


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
    `orrery.core.model.labels.marginals`, which this equals for a family of one.

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
