"""Main parent of each topic, subtrees, and documents and priors of subtrees.

A general topic is often off where a topic below it explains more, so its own count is small; the
count of its subtree, which is the topic with everything below it, shows its true size. Main parents
follow causes: a rare topic that activates a common one whenever it is on is not its main parent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np
from scipy import sparse

from ..utils.types import FloatArray, Int64Array
from .labels import marginals
from .network import Network, weight_to_probability

# The main parent of a topic activates it with at least the first probability when on, and causes at
# least the second share of its activity.
MIN_LINK, MIN_CAUSED = 0.02, 0.1


def find_subtrees(
    network: Network,
    min_link: float = MIN_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> sparse.csr_array:
    """Topics in the subtree of each topic: the topic itself and its descendants by main links.

    ``min_link``, ``hidden`` and ``shown_as`` are as in `main_links`. A hidden topic belongs only
    to its own subtree. A topic that others are shown as has their subtrees; theirs are empty. The
    result is a bool csr_array, shape (n_topics, n_topics), with one row per subtree.
    """
    n_topics = network.graph.n_topics
    parents = main_links(network, min_link, hidden, shown_as)[0][:n_topics]
    parents[[*hidden]] = -1
    linked, each = np.flatnonzero(parents >= 0), np.arange(n_topics)
    below = _flags(np.append(parents[linked], each), np.append(linked, each), n_topics)
    # Every squaring doubles the depth.
    size = -1
    while below.nnz > size:
        size = below.nnz
        below = below @ below
        below.data[:] = 1
    return sparse.csr_array(
        (below @ _flags(displayed_topics(shown_as, n_topics), each, n_topics)) > 0
    )


def _flags(row: Int64Array, column: Int64Array, size: int) -> sparse.csr_array:
    """Square indicator matrix with ones at the given positions."""
    flags = sparse.csr_array((np.ones(len(row), np.int64), (row, column)), shape=(size, size))
    flags.data[:] = 1
    return flags


def main_links(
    network: Network,
    min_link: float = MIN_LINK,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Int64Array, FloatArray]:
    """Link to the main parent of each node, by which topics have a single place on the map.

    The main parent is the parent that activates the node most often: the product of the
    probabilities of the parent and of the link. A topic has no main parent if no parent causes
    ``MIN_CAUSED`` of its activity, however strong its links are, because a rare topic may
    activate a common one each time. A word may have any main parent.

    Parameters
    ----------
    min_link : float
        Minimal probability of a link to a topic.
    hidden : collection of int
        Topics that are no main parents.
    shown_as : mapping of int to int
        Topics shown as part of another one; causes and effects of the parts are added up. Such
        topics may form a cycle with others, so only upward links count.

    Returns
    -------
    parent : int64 array, shape (n_nodes,)
        -1 for nodes without a main parent, and for topics shown as part of another.
    probability : float64 array, shape (n_nodes,)
        Activation probability of the link, of the strongest part; 0 without a main parent.
    """
    graph, heights, prior = network.graph, network.graph.heights(), marginals(network)
    whole, effect = displayed_topics(shown_as, graph.n_nodes), weight_to_probability(network.weight)
    above, below = whole[graph.parent_idx], whole[graph.edge_children()]
    is_link = (heights[above] > heights[below]) & ~np.isin(above, [*hidden])
    is_link &= (below >= graph.n_topics) | (effect >= min_link)
    edges = np.flatnonzero(is_link)
    pairs = below[edges] * graph.n_topics + above[edges]
    acts, strongest = prior[graph.parent_idx[edges]] * effect[edges], effect[edges]
    if shown_as:
        # Links between parts of the same two topics are one link.
        pairs, number = np.unique(pairs, return_inverse=True)
        acts = np.bincount(number, acts, len(pairs)).astype(np.float64)
        strongest = np.zeros(len(pairs))
        np.maximum.at(strongest, number, effect[edges])
    child, parent = np.divmod(pairs, max(graph.n_topics, 1))
    on = -np.expm1(np.bincount(whole, np.log1p(-np.minimum(prior, 1.0 - 1e-12)), graph.n_nodes))
    holds = np.flatnonzero((child >= graph.n_topics) | (acts >= MIN_CAUSED * on[child]))
    parents, probability = np.full(graph.n_nodes, -1), np.zeros(graph.n_nodes)
    if len(holds):
        # The pairs are in the order of the children, and then of the parents.
        begins = np.flatnonzero(np.diff(child[holds], prepend=-1))
        most = np.maximum.reduceat(acts[holds], begins)
        is_most = acts[holds] == np.repeat(most, np.diff(begins, append=len(holds)))
        most_often = holds[is_most]
        chosen = most_often[np.flatnonzero(np.diff(child[most_often], prepend=-1))]
        parents[child[chosen]], probability[child[chosen]] = parent[chosen], strongest[chosen]
    return parents, probability


def joined(on: sparse.csr_array, shown_as: Mapping[int, int]) -> sparse.csr_array:
    """Mask of topics that are on themselves or by a part, bool (n_documents, n_topics).

    ``on`` has the same shape; ``shown_as`` maps parts to topics, and a part itself is never on.
    """
    each, whole = np.arange(on.shape[1]), displayed_topics(shown_as, on.shape[1])
    return sparse.csr_array((on.astype(np.int32) @ _flags(each, whole, on.shape[1])) > 0)


def joined_prior(network: Network, shown_as: Mapping[int, int]) -> FloatArray:
    """Prior probability that each topic or a part of it is on, shape (n_topics,).

    ``shown_as`` maps parts to topics, and a part itself is never on. The parts of a topic are
    combined as in `subtree_prior`.
    """
    n_topics = network.graph.n_topics
    whole, each = displayed_topics(shown_as, n_topics), np.arange(n_topics)
    return subtree_prior(network, _flags(whole, each, n_topics))


def displayed_topics(shown_as: Mapping[int, int], count: int) -> Int64Array:
    """Displayed topic of each of the first ``count`` nodes: itself, or the topic it is part of."""
    whole = np.arange(count)
    whole[list(shown_as)] = list(shown_as.values())
    return whole


def subtree_documents(on: sparse.csr_array, members: sparse.csr_array) -> Int64Array:
    """Number of documents in which any topic of each subtree is on, shape (n_topics,).

    ``on`` is bool (n_documents, n_topics); ``members`` is the result of `find_subtrees`.
    """
    any_of = on.astype(np.int32) @ members.T.astype(np.int32)
    return np.asarray((any_of > 0).sum(axis=0)).ravel().astype(np.int64)


def subtree_prior(network: Network, members: sparse.csr_array) -> FloatArray:
    """Prior probability that any topic of each subtree is on, shape (n_topics,).

    All topics of a subtree are off if no leak and no link from an outside parent acts; inside
    parents are off and do not act. Outside parents are taken as independent, as in
    `orrery.core.model.labels.marginals`, which this equals for a subtree of one topic. ``members``
    is the result of `find_subtrees`.
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
    # Exactly equal for a single topic, which is displayed both ways.
    is_alone = np.diff(members.indptr) == 1
    return np.where(is_alone, marginals(network)[: graph.n_topics], prior)
