"""Families: a topic with all that is below it, and in how many documents any of them is on.

A general topic is often left off where one below it says more. Counted by itself it looks small;
it is as large as its family.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.labels import LEAST_PARENTHOOD, marginals
from orrery.core.network import Network, weight_to_probability


def find_families(
    network: Network,
    least_link: float = LEAST_PARENTHOOD,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> sparse.csr_array:
    """Which topics belong to the family of each: itself, and all below by links that matter.

    A link matters that acts with probability ``LEAST_PARENTHOOD`` at least, or that a topic hangs
    by in pictures, where each hangs from its strongest parent; none below ``least_link`` does.

    Parameters
    ----------
    network : Network
    least_link : float
        Probability of the weakest link that a topic may hang by.
    hidden : collection of int
        Topics that are not there, nor are their links.
    shown_as : mapping of int to int
        Topics that are shown as part of another one; that one has the families of all its parts,
        and the part itself has none.

    Returns
    -------
    bool csr_array, shape (n_topics, n_topics)
        A row for the family of a topic.
    """
    n_topics = network.graph.n_topics
    whole = wholes(shown_as, n_topics)
    parent, child = _links_that_matter(network, least_link, np.array([*hidden], np.int64))
    each = np.arange(n_topics)
    below = _flags(np.append(whole[parent], each), np.append(whole[child], each), n_topics)
    # Twice as far down with every turn. Topics shown as one may lie in a circle with another.
    size = -1
    while below.nnz > size:
        size = below.nnz
        below = below @ below
        below.data[:] = 1
    return sparse.csr_array((below @ _flags(whole, each, n_topics)) > 0)


def _flags(row: Int64Array, column: Int64Array, size: int) -> sparse.csr_array:
    """A square of zeros with ones in some places."""
    flags = sparse.csr_array((np.ones(len(row), np.int64), (row, column)), shape=(size, size))
    flags.data[:] = 1
    return flags


def _links_that_matter(
    network: Network, least_link: float, hidden: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Parents and children of those links between topics."""
    graph = network.graph
    parent, child = graph.parent_idx.astype(np.int64), graph.edge_children().astype(np.int64)
    is_there = (child < graph.n_topics) & ~np.isin(parent, hidden) & ~np.isin(child, hidden)
    acts = np.where(is_there, weight_to_probability(network.weight), 0.0)
    most = np.zeros(graph.n_nodes)
    np.maximum.at(most, child, acts)
    matters = is_there & (acts >= least_link)
    matters &= (acts >= LEAST_PARENTHOOD) | (acts == most[child])
    return parent[matters], child[matters]


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
