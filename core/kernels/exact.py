"""E-step and gradient of one document under the exact mean-field bound (MATH §4)."""

from __future__ import annotations

import numpy as np

from .bounds import combine_bound, sigmoid
from .compiling import inner_kernel, part, summing_kernel

# Updates by ratios of products accumulate rounding errors; P is recomputed after this many sweeps.
SWEEPS_BETWEEN_REFRESHES = 8
# A change smaller than this is not propagated to the children.
MIN_CHANGE = 1e-7


@part
def expected_terms(local, terms, q, P):
    """Compute P[i, m] = -c_m exp(-s_m w0_i) prod_k (1 - q_k + q_k t_kim), shape (n_nodes, n_terms).

    Values closer to 0 than ``min_expected`` are set to 0, here and in every update.
    """
    number = P.dtype.type
    for i in range(len(local.node)):
        for m in range(P.shape[1]):
            P[i, m] = terms.coefficient[i, m]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            on, off = number(q_k), number(1.0 - q_k)
            for m in range(P.shape[1]):
                product = P[i, m] * (off + on * terms.t[e, m])
                P[i, m] = product if product < -terms.min_expected else number(0.0)


@inner_kernel
def topic_field(i, local, weights, terms, q, P):
    """Log-odds of topic i given all others: the closed-form coordinate update (MATH §4.3)."""
    number = P.dtype.type
    field = weights.w0[i] - weights.W[i] - terms.error
    expected = number(0.0)
    for m in range(P.shape[1]):
        expected += P[i, m]
    field += expected
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        field += weights.w[e] * q[local.parent[e]]
    on, off, one = number(q[i]), number(1.0 - q[i]), number(1.0)
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        gain = number(0.0)
        for m in range(P.shape[1]):
            t = terms.t[e, m]
            gain += P[c, m] * (t - one) / (off + on * t)
        field += q[c] * (weights.w[e] + gain)
    return field


@inner_kernel
def replace_activation(i, new, local, terms, q, P):
    """Set q[i] and update the terms of its children (MATH §4.3)."""
    number = P.dtype.type
    old_on, old_off = number(q[i]), number(1.0 - q[i])
    on, off = number(new), number(1.0 - new)
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        for m in range(P.shape[1]):
            t = terms.t[e, m]
            # `topic_field` has the same quotient, but a summing loop must not store.
            ratio = (off + on * t) / (old_off + old_on * t)
            product = P[c, m] * ratio
            P[c, m] = product if product < -terms.min_expected else number(0.0)
    q[i] = new


@part
def mark_changed(i, local, pending):
    """Mark all topics in the Markov blanket of topic i, whose field depends on it.

    This writes one mark for each parent of each child. In a complete graph that costs more than a
    field; in a sparse graph it costs far less than checking the neighbours at every visit.
    """
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        pending[local.parent[e]] = True
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        c = local.child[slot]
        pending[c] = True
        for e in range(local.parent_ptr[c], local.parent_ptr[c + 1]):
            pending[local.parent[e]] = True


@summing_kernel
def exact_bound(local, weights, terms, free, q, P):
    """Exact mean-field bound at these activations, in nats; recomputes P.

    The error of the fitted sum of exponentials is subtracted, so this is a lower bound on the
    log-likelihood.
    """
    expected_terms(local, terms, q, P)
    F = np.empty(len(local.node), np.float64)
    for i in range(len(local.node)):
        total = 0.0
        for m in range(P.shape[1]):
            total += P[i, m]
        F[i] = total - terms.error
    return combine_bound(local, weights, free, q, F)


@summing_kernel
def ascend_exact(local, weights, terms, free, q, P, tolerance, max_sweeps):
    """Coordinate ascent on the exact mean-field bound; changes ``q`` and ``P`` in place.

    Topics are visited from the words upward, so a change reaches the top in one sweep. A topic is
    skipped while no topic in its Markov blanket has changed by more than ``tolerance``; in a large
    local model this soon holds for most topics. The ascent ends when no topic changes.
    """
    # Topics not visited yet, or not visited since a topic in their Markov blanket changed.
    pending = np.ones(len(local.node), np.bool_)
    for sweep in range(max_sweeps):
        if sweep % SWEEPS_BETWEEN_REFRESHES == 0:
            expected_terms(local, terms, q, P)
        has_moved = False
        for i in range(local.n_topics - 1, -1, -1):
            if not (free[i] and pending[i]):
                continue
            new = sigmoid(topic_field(i, local, weights, terms, q, P))
            change = abs(new - q[i])
            if change > MIN_CHANGE:
                replace_activation(i, new, local, terms, q, P)
            if change > max(tolerance, MIN_CHANGE):
                has_moved = True
                mark_changed(i, local, pending)
            pending[i] = False
        if not has_moved:
            break


@summing_kernel
def add_exact_gradient(local, terms, q, P, grad_weight, grad_leak):
    """Add the positive part of the gradient along local edges and nodes (MATH §4.4).

    The remaining part is ``-q_k`` for every edge and ``-1`` for every leak of each document;
    `batch` adds it once for all documents.
    """
    number = P.dtype.type
    sloped = np.empty(P.shape[1], P.dtype)
    for i in range(len(local.node)):
        for m in range(P.shape[1]):
            slope_m = terms.rate[m] * P[i, m]
            sloped[m] = slope_m if slope_m < -terms.min_slope else number(0.0)
        # In a separate loop, because a summing loop must not store.
        slope = number(0.0)
        for m in range(P.shape[1]):
            slope += sloped[m]
        grad_leak[local.node[i]] += q[i] * (1.0 - slope)
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            on, off = number(q_k), number(1.0 - q_k)
            slope = number(0.0)
            for m in range(P.shape[1]):
                t = terms.t[e, m]
                slope += sloped[m] * t / (off + on * t)
            grad_weight[local.edge[e]] += q[i] * q_k * (1.0 - slope)
