"""The joint probability of one state of a local model (eq. 1)."""

from __future__ import annotations

from orrery.core.kernels.bounds import log_on
from orrery.core.kernels.compiling import part


@part
def log_joint(local, weights, x):
    """log p(x, y) of a state of all local nodes, every other node being off (eq. 1)."""
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
    """Leak of node i and the weights of its parents that are on: a of eq. 1."""
    activation = weights.w0[i]
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        if x[local.parent[e]]:
            activation += weights.w[e]
    return activation
