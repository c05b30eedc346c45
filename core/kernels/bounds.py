"""Parts that both bounds share: local weights, entropy and linear part of the bound (MATH §2).

The module also contains the joint probability of one state of a local model (eq. 1).
"""

from __future__ import annotations

from math import exp, expm1, log
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part

# q keeps this distance from 0 and 1, so that no update divides by zero.
CLIP = 1e-9


class LocalWeights(NamedTuple):
    """Weights of a local graph."""

    w: np.ndarray  # float64 (n_edges,)
    w0: np.ndarray  # float64 (n_nodes,)
    # float64 (n_topics,): total weight from a topic to its observed and local children, MATH §2, §6
    W: np.ndarray
    total_leak: float  # Sum of the leaks of the same nodes, inside the local graph and outside


@kernel
def gather_weights(local, weight, leak, child_total, total_leak):
    """Select the weights of a local graph from the network; all other nodes are off."""
    w = np.empty(len(local.edge), np.float64)
    for e in range(len(local.edge)):
        w[e] = weight[local.edge[e]]
    w0 = np.empty(len(local.node), np.float64)
    for i in range(len(local.node)):
        w0[i] = leak[local.node[i]]
    W = np.empty(local.n_topics, np.float64)
    for k in range(local.n_topics):
        W[k] = child_total[local.node[k]]
    return LocalWeights(w, w0, W, total_leak)


@part
def start_activations(local, start, free, held, q):
    """Set every free topic to ``start``, every other topic to ``held``, and every token to 1."""
    for i in range(len(local.node)):
        if i >= local.n_topics:
            q[i] = 1.0
        else:
            q[i] = start if free[i] else held[i]


@part
def log_on(a):
    """f(a) = log(1 - exp(-a)), accurate for small arguments (eq. 5)."""
    return log(-expm1(-a))


@part
def sigmoid(x):
    """1 / (1 + exp(-x)), clipped to [CLIP, 1 - CLIP] (eq. 11)."""
    return min(max(1.0 / (1.0 + exp(-x)), CLIP), 1.0 - CLIP)


@part
def combine_bound(local, weights, free, q, F):
    """Bound of one document, given the value (or a lower bound) of E[f] at every node (MATH §2)."""
    bound = -weights.total_leak
    for i in range(len(local.node)):
        activation = F[i] + weights.w0[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            activation += weights.w[e] * q[local.parent[e]]
        bound += q[i] * activation
    for k in range(local.n_topics):
        bound -= q[k] * weights.W[k]
        if free[k]:
            bound -= q[k] * log(q[k]) + (1.0 - q[k]) * log(1.0 - q[k])
    return bound


@part
def log_joint(local, weights, x):
    """log p(x, y) of one state of all local nodes; all other nodes are off (eq. 1)."""
    total = -weights.total_leak
    for i in range(len(local.node)):
        if not x[i]:
            continue
        activation = active_sum(i, local, weights, x)
        total += log_on(activation) + activation
        if i < local.n_topics:
            total -= weights.W[i]
    return total


@part
def active_sum(i, local, weights, x):
    """Activation of node i: its leak plus the weights of its active parents (a of eq. 1)."""
    activation = weights.w0[i]
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        if x[local.parent[e]]:
            activation += weights.w[e]
    return activation
