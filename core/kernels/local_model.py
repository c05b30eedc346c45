"""Local model of one document, and its factor graph (MATH §10.1).

The local model consists of the observed nodes, all their ancestors, and the edges between them; the
factor graph has one noisy-OR factor for every local node.
"""

from __future__ import annotations

from math import exp, expm1
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part

_NOT_LOCAL = -1


class LocalGraph(NamedTuple):
    """Part of the graph that one document needs (Ji et al. 2019, §5.1).

    Nodes have local numbers: topics first, ascending (so parents come before children), then the
    observed tokens. All arrays are indexed by these local numbers.
    """

    node: np.ndarray  # int32 (n_nodes,): global number of every local node
    n_topics: int
    # int64 (n_nodes + 1,): ``parent[parent_ptr[i]:parent_ptr[i + 1]]`` are the local parents of
    # node ``i``; a position in ``parent`` is the local number of that edge
    parent_ptr: np.ndarray
    parent: np.ndarray  # int32 (n_edges,)
    edge: np.ndarray  # int64 (n_edges,): global number of every local edge
    child_ptr: np.ndarray  # int64 (n_topics + 1,)
    # child, child_edge: int32 (n_edges,): local children of every topic, and the local numbers of
    # those edges
    child: np.ndarray
    child_edge: np.ndarray


@part
def _add_parents(node, parent_ptr, parent_idx, place, found, n_found):
    """Append the parents of a node that are not yet found; return the number found."""
    for position in range(parent_ptr[node], parent_ptr[node + 1]):
        parent = parent_idx[position]
        if place[parent] == _NOT_LOCAL:
            place[parent] = 0
            found[n_found] = parent
            n_found += 1
    return n_found


@part
def sort_numbers(numbers, count):
    """Sort the first numbers of an array in place (Shell 1959).

    ``np.sort`` takes a second and a half to compile.
    """
    gap = count // 2
    while gap > 0:
        for end in range(gap, count):
            number, slot = numbers[end], end
            while slot >= gap and numbers[slot - gap] > number:
                numbers[slot] = numbers[slot - gap]
                slot -= gap
            numbers[slot] = number
        gap //= 2


@kernel
def collect_ancestors(observed, parent_ptr, parent_idx, place):
    """Numbers of all ancestors of the observed nodes, ascending; ``place`` marks them with 0.

    ``place`` is scratch memory with one int32 per topic, all -1 on entry. An observed topic counts
    as its own ancestor.
    """
    found = np.empty(len(place), np.int32)
    n_found = 0
    for node in observed:
        if node < len(place) and place[node] == _NOT_LOCAL:
            place[node] = 0
            found[n_found] = node
            n_found += 1
    n_topics_observed = n_found
    for node in observed:
        n_found = _add_parents(node, parent_ptr, parent_idx, place, found, n_found)
    reader = n_topics_observed
    while reader < n_found:
        n_found = _add_parents(found[reader], parent_ptr, parent_idx, place, found, n_found)
        reader += 1
    sort_numbers(found, n_found)
    return found[:n_found]


@kernel
def build_local_graph(topics, tokens, parent_ptr, parent_idx, place):
    """Local graph over these topics (ascending, closed under parents) and these token nodes.

    ``place`` is the scratch memory of `collect_ancestors`; it is all -1 on exit.
    """
    n_topics = len(topics)
    n_nodes = n_topics + len(tokens)
    node = np.empty(n_nodes, np.int32)
    for position in range(n_topics):
        node[position] = topics[position]
        place[topics[position]] = position
    for position in range(len(tokens)):
        node[n_topics + position] = tokens[position]

    local_ptr = np.zeros(n_nodes + 1, np.int64)
    for i in range(n_nodes):
        local_ptr[i + 1] = local_ptr[i] + parent_ptr[node[i] + 1] - parent_ptr[node[i]]
    n_edges = local_ptr[n_nodes]
    parent = np.empty(n_edges, np.int32)
    edge = np.empty(n_edges, np.int64)
    child_ptr = np.zeros(n_topics + 1, np.int64)
    for i in range(n_nodes):
        shift = parent_ptr[node[i]] - local_ptr[i]
        for e in range(local_ptr[i], local_ptr[i + 1]):
            edge[e] = e + shift
            parent[e] = place[parent_idx[e + shift]]
            child_ptr[parent[e] + 1] += 1

    child = np.empty(n_edges, np.int32)
    child_edge = np.empty(n_edges, np.int32)
    for k in range(n_topics):
        child_ptr[k + 1] += child_ptr[k]
    filled = child_ptr[:n_topics].copy()
    for i in range(n_nodes):
        for e in range(local_ptr[i], local_ptr[i + 1]):
            slot = filled[parent[e]]
            filled[parent[e]] += 1
            child[slot] = i
            child_edge[slot] = e

    for position in range(n_topics):
        place[topics[position]] = _NOT_LOCAL
    return LocalGraph(node, n_topics, local_ptr, parent, edge, child_ptr, child, child_edge)


# States of a topic: held off or on as evidence, or free.
HELD_OFF, HELD_ON, FREE = 0, 1, 2


class Factors(NamedTuple):
    """Probabilities of a local model, indexed as its `LocalGraph`."""

    # effect, survival: float64 (n_edges,): probability that an active parent switches its child on,
    # ``1 - exp(-w)``, and the complementary probability that it fails
    effect: np.ndarray
    survival: np.ndarray
    # leak_on, leak_off: float64 (n_nodes,): the same probabilities for the leak
    leak_on: np.ndarray
    leak_off: np.ndarray
    # float64 (n_topics,): total weight from each topic to the nodes observed as absent, which
    # lowers its log-odds
    silence: np.ndarray
    log_scale: float  # Log-probability that no leak activates a node observed as absent, in nats
    state: np.ndarray  # int8 (n_topics,): ``HELD_OFF``, ``HELD_ON`` or ``FREE``


@kernel
def local_factors(local, weights, state):
    """`Factors` of a local model with these `LocalWeights`."""
    n_nodes, n_edges = len(local.node), len(local.parent)
    effect = np.empty(n_edges, np.float64)
    survival = np.empty(n_edges, np.float64)
    silence = np.empty(local.n_topics, np.float64)
    for k in range(local.n_topics):
        silence[k] = weights.W[k]
    for e in range(n_edges):
        effect[e], survival[e] = -expm1(-weights.w[e]), exp(-weights.w[e])
        silence[local.parent[e]] -= weights.w[e]
    leak_on = np.empty(n_nodes, np.float64)
    leak_off = np.empty(n_nodes, np.float64)
    log_scale = -weights.total_leak
    for i in range(n_nodes):
        leak_on[i], leak_off[i] = -expm1(-weights.w0[i]), exp(-weights.w0[i])
        log_scale += weights.w0[i]
    for k in range(local.n_topics):
        # The difference of two equal sums may be negative by rounding.
        silence[k] = max(silence[k], 0.0)
    return Factors(effect, survival, leak_on, leak_off, silence, log_scale, state)
