"""E-step and gradient under the exact mean-field bound, one document at a time (MATH §4)."""

from __future__ import annotations

from math import exp

import numpy as np

from core.kernels.bounds import combine_bound, sigmoid
from core.kernels.compiling import kernel, summing_kernel

# Ratios of products lose a digit now and then; every so many sweeps P is made anew.
SWEEPS_BETWEEN_REFRESHES = 8


@kernel
def survival_table(w, s):
    """exp(-s w) for every edge and every term, shape (n_edges, n_terms)."""
    t = np.empty((len(w), len(s)), np.float64)
    for e in range(len(w)):
        for m in range(len(s)):
            t[e, m] = exp(-s[m] * w[e])
    return t


@kernel
def expected_terms(local, weights, t, q, terms, P):
    """Fill P[i, m] = -c_m exp(-s_m w0_i) prod_k (1 - q_k + q_k t_kim), shape (n_nodes, n_terms)."""
    c, s = terms.coefficient, terms.rate
    for i in range(len(local.node)):
        for m in range(len(s)):
            P[i, m] = -c[m] * exp(-s[m] * weights.w0[i])
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            for m in range(len(s)):
                P[i, m] *= 1.0 - q_k + q_k * t[e, m]


@summing_kernel
def topic_field(i, local, weights, t, q, error, P):
    """Log-odds of topic i given all others, the closed-form coordinate update (MATH §4)."""
    field = weights.w0[i] - weights.W[i] - error
    for m in range(P.shape[1]):
        field += P[i, m]
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        field += weights.w[e] * q[local.parent[e]]
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        gain = weights.w[e]
        for m in range(P.shape[1]):
            gain += P[c, m] * (t[e, m] - 1.0) / (1.0 - q[i] + q[i] * t[e, m])
        field += q[c] * gain
    return field


@kernel
def replace_activation(i, new, local, t, q, P):
    """Set q[i] and carry the change into the terms of its children."""
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        for m in range(P.shape[1]):
            P[c, m] *= (1.0 - new + new * t[e, m]) / (1.0 - q[i] + q[i] * t[e, m])
    q[i] = new


@kernel
def ascend_exact(local, weights, t, terms, free, q, P, tolerance, max_sweeps):
    """Coordinate ascent on the exact mean-field bound; changes ``q`` and ``P`` in place.

    Topics are visited from the words upward, so that news travels up in one sweep. Ends when no
    activation moved by more than ``tolerance``.

    Returns
    -------
    bound : float
        In nats; a lower bound on the log-likelihood, since the fit's error is subtracted.
    """
    for sweep in range(max_sweeps):
        if sweep % SWEEPS_BETWEEN_REFRESHES == 0:
            expected_terms(local, weights, t, q, terms, P)
        largest_change = 0.0
        for i in range(local.n_topics - 1, -1, -1):
            if free[i]:
                new = sigmoid(topic_field(i, local, weights, t, q, terms.error, P))
                largest_change = max(largest_change, abs(new - q[i]))
                replace_activation(i, new, local, t, q, P)
        if largest_change < tolerance:
            break
    return exact_bound(local, weights, t, terms, free, q, P)


@summing_kernel
def exact_bound(local, weights, t, terms, free, q, P):
    """The exact mean-field bound of these activations; makes P anew."""
    expected_terms(local, weights, t, q, terms, P)
    F = np.empty(len(local.node), np.float64)
    for i in range(len(local.node)):
        total = -terms.error
        for m in range(P.shape[1]):
            total += P[i, m]
        F[i] = total
    return combine_bound(local, weights, free, q, F)


@summing_kernel
def add_exact_gradient(local, t, terms, q, P, grad_weight, grad_leak):
    """Add the positive part of the gradient along local edges and nodes (MATH §4).

    Every edge owes a further ``-q_k`` and every leak ``-1`` a document; `batch` adds those once.
    """
    s = terms.rate
    for i in range(len(local.node)):
        slope = 0.0
        for m in range(len(s)):
            slope += s[m] * P[i, m]
        grad_leak[local.node[i]] += q[i] * (1.0 - slope)
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            slope = 0.0
            for m in range(len(s)):
                slope += s[m] * P[i, m] * t[e, m] / (1.0 - q_k + q_k * t[e, m])
            grad_weight[local.edge[e]] += q[i] * q_k * (1.0 - slope)
