"""Growing and merging.

Add edges with the highest gain in log-likelihood, merge redundant topics.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import rel_entr

from ..model.graph import Graph
from ..model.network import Network, network_of_edges, probability_to_weight, weight_to_probability
from ..utils.types import FloatArray, Int32Array, Int64Array
from .co_occurrence import PAIRS_AT_ONCE, product_blocks
from .constraints import UNCONSTRAINED, Constraints
from .layers import rank_within


class NewEdges(NamedTuple):
    """Candidate edges that the graph does not have."""

    parent: Int64Array  # shape (n_edges,), like the others
    child: Int64Array
    weight: FloatArray
    gain: FloatArray  # gain in log-likelihood of adding each edge alone, in nats

    def chosen(self, which: npt.NDArray[np.generic]) -> NewEdges:
        """Return some of the edges, by mask or by position."""
        return NewEdges(*(values[which] for values in self))


class Rules(NamedTuple):
    """Rules for adding edges."""

    # Required gain in nats over all documents. None: the cost of a parameter chosen among many,
    # half the logarithm of the number of documents plus the logarithm of the number of pairs (Chen
    # and Chen 2008), for edges that are not validated later.
    min_gain: float | None = None
    # Maximal number of new parents of a node. Each of several redundant topics alone has the same
    # gain as all of them together.
    max_parents: int = 1
    share: float = 1.0  # initial weight of an edge, as a share of its best weight


CAREFUL = Rules()


def grow(
    network: Network,
    inverse_probability: sparse.csr_array,
    n_edges: int,
    constraints: Constraints = UNCONSTRAINED,
    rules: Rules = CAREFUL,
) -> Network:
    """Add the missing edges of the highest gain.

    The result is the same object if no edge is worth adding.

    Parameters
    ----------
    inverse_probability : csr_array, shape (n_documents, n_nodes)
        1/P(on | states of the parents) of every active node, from
        `orrery.core.training.gibbs.inverse_probability`.
    n_edges : int
        Maximal number of edges to add.
    constraints : Constraints, optional
        Edges that must not be added.
    """
    graph = network.graph
    if graph.n_edges == _possible_edges(graph):
        return network
    fresh = missing_edges(graph, inverse_probability, rules.min_gain)
    fresh = fresh.chosen(np.lexsort((fresh.child, fresh.parent, -fresh.gain)))
    # Before the best edges are chosen, so that forbidden edges do not use up the budget.
    fresh = fresh.chosen(constraints.permitted(graph, fresh.parent, fresh.child))
    fresh = fresh.chosen(rank_within(fresh.child) < rules.max_parents)
    fresh = fresh.chosen(constraints.allowed(graph, fresh.parent, fresh.child))
    fresh = fresh.chosen(np.arange(min(n_edges, len(fresh.gain))))
    if not len(fresh.gain):
        return network
    return network_of_edges(
        graph.topic_ids,
        np.concatenate([graph.parent_idx, fresh.parent]),
        np.concatenate([graph.edge_children(), fresh.child]),
        np.concatenate([network.weight, rules.share * fresh.weight]),
        network.leak,
    )


def missing_edges(
    graph: Graph, inverse_probability: sparse.csr_array, min_gain: float | None = None
) -> NewEdges:
    """Edges from a topic to a node of a lower layer whose gain exceeds their cost.

    Let a topic be on in ``n`` documents, in ``a`` of them together with the child, and let ``s`` be
    the sum of the child's inverse probabilities there. The slope of the log-likelihood in the
    edge's weight at 0 is ``s - n`` (MATH §7.1). If the child is equally probable in all ``n``
    documents, this slope means a probability of ``a / s``, while the observed share is ``a / n``.
    The weight that changes one into the other is ``log((1 - a/s) / (1 - a/n))``, and its gain is
    ``n`` times their divergence. The cost is ``min_gain``, see `Rules`.

    A word without parents gets none, because the budget of edges does not include it.
    """
    by_topic = sparse.csr_array(inverse_probability[:, : graph.n_topics].T)
    by_topic.data[:] = 1.0
    # One product for both: counts in its real part, inverse probabilities in its imaginary part.
    both = inverse_probability.astype(np.complex128)
    both.data = 1.0 + 1j * inverse_probability.data
    cost = min_gain
    if cost is None:
        cost = 0.5 * np.log(inverse_probability.shape[0]) + np.log(_possible_edges(graph))
    parts = [
        _worthwhile(by_topic, both, rows, cost)
        for rows in product_blocks(by_topic, inverse_probability, PAIRS_AT_ONCE // 4)
    ]
    worth = NewEdges(*map(np.concatenate, zip(*parts, strict=True)))
    height, has_parent = graph.heights(), np.diff(graph.parent_ptr) > 0
    has_parent[: graph.n_topics] = True
    may_be = (height[worth.parent] > height[worth.child]) & has_parent[worth.child]
    edges = graph.parent_idx.astype(np.int64) * graph.n_nodes + graph.edge_children()
    is_edge = np.isin(worth.parent * graph.n_nodes + worth.child, edges)
    return worth.chosen(may_be & ~is_edge)


def _worthwhile(
    by_topic: sparse.csr_array, both: sparse.csr_array, rows: slice, cost: float
) -> NewEdges:
    """Pairs of some topics with any node whose gain exceeds the cost, existing edges included."""
    together = sparse.coo_array(by_topic[rows] @ both)
    # One additional document without the child, so that no edge is certain.
    usage = np.diff(by_topic.indptr)[rows][together.row] + 1.0
    rises = np.flatnonzero(together.data.imag > usage)
    parent = together.row[rises].astype(np.int64) + rows.start
    child = together.col[rises].astype(np.int64)
    usage, count, inverse_sum = usage[rises], together.data.real[rises], together.data.imag[rises]
    share, expected = count / usage, count / inverse_sum
    gain = usage * (rel_entr(share, expected) + rel_entr(1.0 - share, 1.0 - expected))
    weight = np.log1p(-expected) - np.log1p(-share)
    return NewEdges(parent, child, weight, gain).chosen(gain > cost)


def _possible_edges(graph: Graph) -> int:
    """Number of pairs of a topic and a node of a lower layer."""
    height = graph.heights()
    n_below = np.cumsum(np.bincount(height))
    return int(n_below[height[: graph.n_topics] - 1].sum())


# Cosine of two topics' activation probabilities of their children from which they are redundant.
ALIKE = 0.9
# Topics that are on in fewer documents than this are not compared.
MIN_USAGE = 1.0


def merge_alike(
    network: Network,
    usage: FloatArray,
    constraints: Constraints = UNCONSTRAINED,
    alike: float = ALIKE,
) -> tuple[Network, npt.NDArray[np.int64]]:
    """Merge topics of one height that activate the same children with similar probabilities.

    The merged topic has the mean probability of every edge, weighted by usage, and the leak of all
    of them combined. Topics of one height are never above one another, so no cycle can arise.

    Parameters
    ----------
    usage : float64 array, shape (n_topics,)
        Number of documents in which every topic is on; topics below `MIN_USAGE` are left as they
        are.
    constraints : Constraints, optional
        Topics that are not merged, and words that must not get a common parent.
    alike : float, optional
        Cosine of two topics' activation probabilities of their children from which they are merged.

    Returns
    -------
    merged : Network
        The same object if no two topics are redundant.
    topics : int64 array
        For every topic of ``merged``, the most used of its original topics.
    """
    graph = network.graph
    leader = _leaders(network, usage, constraints, alike)
    leaders = np.unique(leader)
    if len(leaders) == graph.n_topics:
        return network, leaders
    number = np.empty(graph.n_nodes, np.int64)
    number[: graph.n_topics] = np.searchsorted(leaders, leader)
    number[graph.n_topics :] = len(leaders) + np.arange(graph.n_tokens)
    parent, child = number[graph.parent_idx], number[graph.edge_children()]
    key, place = np.unique(parent * (len(number) + 1) + child, return_inverse=True)
    together = np.bincount(leader, usage, graph.n_topics)[leader]
    # A topic that is not merged keeps its weights, whether it is on in any document or not.
    is_alone = np.bincount(leader, minlength=graph.n_topics)[leader] == 1
    share = np.where(is_alone, 1.0, usage / np.maximum(together, 1e-300))
    acts = weight_to_probability(network.weight) * share[graph.parent_idx]
    # Two edges into merged children are two ways to one child; their mean is enough.
    acts = np.bincount(place, acts) / _children_merged(place, graph.parent_idx)
    weight = probability_to_weight(np.minimum(acts, 1.0 - 1e-12))
    merged = network_of_edges(
        [graph.topic_ids[topic] for topic in leaders],
        key // (len(number) + 1),
        key % (len(number) + 1),
        weight,
        np.bincount(number, network.leak, len(leaders) + graph.n_tokens).astype(np.float64),
    )
    return merged, graph.topic_numbers(merged.graph.topic_ids)


def _children_merged(place: Int32Array, parent: Int32Array) -> Int32Array:
    """Number of children of one parent that became the child of each merged edge."""
    pairs = np.unique(np.stack([place, parent]), axis=1, return_counts=True)
    largest = np.ones(place.max() + 1, np.int64)
    np.maximum.at(largest, pairs[0][0], pairs[1])
    return largest


def _leaders(
    network: Network, usage: FloatArray, constraints: Constraints, alike: float
) -> npt.NDArray[np.int64]:
    """For every topic, the most used topic that it is merged into; itself if there is none."""
    graph = network.graph
    acts = sparse.csr_array(
        (weight_to_probability(network.weight), (graph.parent_idx, graph.edge_children())),
        shape=(graph.n_topics, graph.n_nodes),
    )
    length = np.sqrt(np.asarray(acts.multiply(acts).sum(axis=1))).ravel()
    unit = sparse.csr_array(acts.multiply(1.0 / np.maximum(length, 1e-300)[:, None]))
    cosine = sparse.coo_array(unit @ unit.T)
    height = graph.heights()[: graph.n_topics]
    is_pair = (cosine.data >= alike) & (height[cosine.row] == height[cosine.col])
    is_seen = usage >= MIN_USAGE
    is_pair &= is_seen[cosine.row] & is_seen[cosine.col]
    stays = constraints.kept_topics(graph)
    is_pair &= ~(stays[cosine.row] | stays[cosine.col])
    near: dict[int, list[int]] = {}
    for one, other in zip(cosine.row[is_pair].tolist(), cosine.col[is_pair].tolist(), strict=True):
        near.setdefault(one, []).append(other)
    leader = np.full(graph.n_topics, -1, np.int64)
    for topic in np.argsort(-usage, kind="stable").tolist():
        if leader[topic] < 0:
            free = [other for other in near.get(topic, []) if leader[other] < 0]
            leader[[topic, *_joinable(network, topic, free, constraints)]] = topic
    return leader


def _joinable(
    network: Network, topic: int, others: list[int], constraints: Constraints
) -> list[int]:
    """Topics that one can take in without words that the constraints keep apart."""
    if not constraints.apart:
        return others
    graph = network.graph
    nodes = set(graph.children(topic).tolist())
    joined = []
    for other in others:
        both = nodes.union(graph.children(other).tolist())
        if other == topic or not constraints.keeps_apart(node - graph.n_topics for node in both):
            nodes = both
            joined.append(other)
    return joined
