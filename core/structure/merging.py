"""Merge redundant topics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..model.graph import build_graph
from ..model.network import Network, build_network, probability_to_weight, weight_to_probability
from ..utils.types import FloatArray, Int32Array
from .constraints import Constraints

# Cosine of two topics' activation probabilities of their children from which they are redundant.
ALIKE = 0.9
# Topics that are on in fewer documents than this are not compared.
MIN_USAGE = 1.0


def merge_alike(
    network: Network, usage: FloatArray, constraints: Constraints | None = None
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

    Returns
    -------
    merged : Network
        The same object if no two topics are redundant.
    topics : int64 array
        For every topic of ``merged``, the most used of its original topics.
    """
    graph = network.graph
    leader = _leaders(network, usage, constraints)
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
    merged, edge_order = build_graph(
        graph.n_tokens,
        [graph.topic_ids[topic] for topic in leaders],
        key // (len(number) + 1),
        key % (len(number) + 1),
    )
    leak = np.bincount(number, network.leak, len(leaders) + graph.n_tokens)
    kept = graph.topic_numbers(merged.topic_ids)
    leak[: len(leaders)] = leak[np.searchsorted(leaders, kept)]
    return build_network(merged, weight[edge_order], leak), kept


def _children_merged(place: Int32Array, parent: Int32Array) -> Int32Array:
    """Number of children of one parent that became the child of each merged edge."""
    pairs = np.unique(np.stack([place, parent]), axis=1, return_counts=True)
    largest = np.ones(place.max() + 1, np.int64)
    np.maximum.at(largest, pairs[0][0], pairs[1])
    return largest


def _leaders(
    network: Network, usage: FloatArray, constraints: Constraints | None
) -> npt.NDArray[np.int64]:
    """For every topic, the most used topic that it is merged into; itself if there is none."""
    graph = network.graph
    acts = sparse.csr_array(
        (weight_to_probability(network.weight), (graph.parent_idx, graph.edge_children())),
        shape=(graph.n_topics, graph.n_nodes),
    )
    length = np.sqrt(np.asarray(acts.multiply(acts).sum(axis=1))).ravel()
    unit = sparse.csr_array(acts.multiply(1.0 / np.maximum(length, 1e-300)[:, None]))
    alike = sparse.coo_array(unit @ unit.T)
    height = graph.heights()[: graph.n_topics]
    is_pair = (alike.data >= ALIKE) & (height[alike.row] == height[alike.col])
    is_seen = usage >= MIN_USAGE
    is_pair &= is_seen[alike.row] & is_seen[alike.col]
    if constraints is not None:
        stays = constraints.kept_topics(graph)
        is_pair &= ~(stays[alike.row] | stays[alike.col])
    near: dict[int, list[int]] = {}
    for one, other in zip(alike.row[is_pair].tolist(), alike.col[is_pair].tolist(), strict=True):
        near.setdefault(one, []).append(other)
    leader = np.full(graph.n_topics, -1, np.int64)
    for topic in np.argsort(-usage, kind="stable").tolist():
        if leader[topic] < 0:
            free = [other for other in near.get(topic, []) if leader[other] < 0]
            leader[[topic, *_joinable(network, topic, free, constraints)]] = topic
    return leader


def _joinable(
    network: Network, topic: int, others: list[int], constraints: Constraints | None
) -> list[int]:
    """Topics that one can take in without words that the constraints keep apart."""
    if constraints is None or not constraints.apart:
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
