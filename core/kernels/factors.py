"""Local model as a factor graph: one noisy-OR factor for every local node (MATH §10.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiling import kernel

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
    silence = weights.W.copy()
    for e in range(n_edges):
        effect[e], survival[e] = -np.expm1(-weights.w[e]), np.exp(-weights.w[e])
        silence[local.parent[e]] -= weights.w[e]
    leak_on = np.empty(n_nodes, np.float64)
    leak_off = np.empty(n_nodes, np.float64)
    log_scale = -weights.total_leak
    for i in range(n_nodes):
        leak_on[i], leak_off[i] = -np.expm1(-weights.w0[i]), np.exp(-weights.w0[i])
        log_scale += weights.w0[i]
    for k in range(local.n_topics):
        # The difference of two equal sums may be negative by rounding.
        silence[k] = max(silence[k], 0.0)
    return Factors(effect, survival, leak_on, leak_off, silence, log_scale, state)
