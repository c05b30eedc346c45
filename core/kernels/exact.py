"""E-step and gradient of one document under the exact mean-field bound (MATH §4).

The loops over terms are the operations of `orrery.core.kernels.vectors`, so the digits do not
depend on a compiler.
"""

from __future__ import annotations

import numpy as np

from .bounds import combine_bound, sigmoid
from .compiling import borrowing_kernel, inner_kernel, kernel, part
from .vectors import copy_row, divide_row, edge_slope, multiply_row, row_total, slope_row

# Updates of products accumulate rounding errors; P is recomputed after this many sweeps.
SWEEPS_BETWEEN_REFRESHES = 8
# A change smaller than this is not propagated to the children.
MIN_CHANGE = 1e-7


@part
def _is_one(on, off):
    """Return whether ``off + on t`` rounds to 1 for every t between 0 and 1."""
    one = off / off
    return off == one and one + on == one


@borrowing_kernel
def expected_terms(local, terms, q, P):
    """Compute P[i, m] = -c_m exp(-s_m w0_i) prod_k (1 - q_k + q_k t_kim), shape (n_nodes, n_terms).

    Values closer to 0 than ``min_expected`` are set to 0, here and in every update.
    """
    number = P.dtype.type
    for i in range(len(local.node)):
        copy_row(terms.coefficient, i, P, i)
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            on, off = number(q_k), number(1.0 - q_k)
            if not _is_one(on, off):
                multiply_row(P, i, terms.t, e, on, off, terms.min_expected, P, i)


@inner_kernel
def topic_field(i, local, weights, terms, q, P, without):
    """Log-odds of topic i given all others: the closed-form coordinate update (MATH §4.3).

    Writes the terms of its children without the factor of topic i to ``without``, shape (at least
    the number of children, n_terms), for `replace_activation`.
    """
    number = P.dtype.type
    field = weights.w0[i] - weights.W[i] - terms.error + row_total(P, i)
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        field += weights.w[e] * q[local.parent[e]]
    on, off = number(q[i]), number(1.0 - q[i])
    first = local.child_ptr[i]
    for slot in range(first, local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        gain = divide_row(P, c, terms.t, e, on, off, without, slot - first)
        field += q[c] * (weights.w[e] + gain)
    return field


@inner_kernel
def replace_activation(i, new, local, terms, q, P, without):
    """Set q[i] and update the terms of its children (MATH §4.3), after `topic_field`."""
    number = P.dtype.type
    on, off = number(new), number(1.0 - new)
    first = local.child_ptr[i]
    for slot in range(first, local.child_ptr[i + 1]):
        e, c = local.child_edge[slot], local.child[slot]
        multiply_row(without, slot - first, terms.t, e, on, off, terms.min_expected, P, c)
    q[i] = new


@part
def record_change(i, turn, local, changed_at):
    """Record that topic i changed in a turn, at the topic and at all its children."""
    changed_at[i] = turn
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        changed_at[local.child[slot]] = turn


@part
def is_due(i, last_turn, local, changed_at):
    """Return whether a topic in the Markov blanket of topic i has changed since its last turn.

    A parent records its changes at topic i, a child at itself, and another parent of a child at
    the child.
    """
    due = changed_at[i] > last_turn
    for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
        if due:
            break
        due = changed_at[local.child[slot]] > last_turn
    return due


@kernel
def exact_bound(local, weights, terms, free, q, P):
    """Exact mean-field bound at these activations, in nats; recomputes P.

    The error of the fitted sum of exponentials is subtracted, so this is a lower bound on the
    log-likelihood.
    """
    expected_terms(local, terms, q, P)
    F = np.empty(len(local.node), np.float64)
    for i in range(len(local.node)):
        F[i] = row_total(P, i) - terms.error
    return combine_bound(local, weights, free, q, F)


@part
def most_children(local):
    """Largest number of children of a topic."""
    most = 0
    for k in range(local.n_topics):
        most = max(most, local.child_ptr[k + 1] - local.child_ptr[k])
    return most


@kernel
def ascend_exact(local, weights, terms, free, q, P, tolerance, max_sweeps):
    """Coordinate ascent on the exact mean-field bound; changes ``q`` and ``P`` in place.

    Topics are visited from the words upward, so a change reaches the top in one sweep. A topic is
    skipped while no topic in its Markov blanket has changed by more than ``tolerance``; in a large
    local model this soon holds for most topics. The ascent ends when no topic changes.
    """
    without = np.empty((most_children(local), P.shape[1]), P.dtype)
    # Turns count from 1, so every topic is due at first.
    last_turn = np.empty(local.n_topics, np.int64)
    changed_at = np.empty(len(local.node), np.int64)
    for i in range(len(local.node)):
        changed_at[i] = 0
    for k in range(local.n_topics):
        last_turn[k] = -1
    _sweep_exact(
        local, weights, terms, free, q, P, tolerance, max_sweeps, without, changed_at, last_turn
    )


@borrowing_kernel
def _sweep_exact(
    local, weights, terms, free, q, P, tolerance, max_sweeps, without, changed_at, last_turn
):
    """Sweeps of `ascend_exact`; the last three arguments are its scratch memory."""
    turn = 0
    for sweep in range(max_sweeps):
        if sweep % SWEEPS_BETWEEN_REFRESHES == 0:
            expected_terms(local, terms, q, P)
        has_moved = False
        for i in range(local.n_topics - 1, -1, -1):
            if not (free[i] and is_due(i, last_turn[i], local, changed_at)):
                continue
            new = sigmoid(topic_field(i, local, weights, terms, q, P, without))
            change = abs(new - q[i])
            turn += 1
            if change > MIN_CHANGE:
                replace_activation(i, new, local, terms, q, P, without)
            if change > max(tolerance, MIN_CHANGE):
                has_moved = True
                record_change(i, turn, local, changed_at)
            last_turn[i] = turn
        if not has_moved:
            break


@kernel
def add_exact_gradient(local, terms, q, P, grad_weight, grad_leak):
    """Add the positive part of the gradient along local edges and nodes (MATH §4.4).

    The remaining part is ``-q_k`` for every edge and ``-1`` for every leak of each document;
    `batch` adds it once for all documents.
    """
    _add_slopes(local, terms, q, P, np.empty(P.shape[1], P.dtype), grad_weight, grad_leak)


@borrowing_kernel
def _add_slopes(local, terms, q, P, sloped, grad_weight, grad_leak):
    number = P.dtype.type
    for i in range(len(local.node)):
        slope = slope_row(P, i, terms.rate, terms.min_slope, sloped)
        grad_leak[local.node[i]] += q[i] * (1.0 - slope)
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            on, off = number(q_k), number(1.0 - q_k)
            slope = edge_slope(terms.t, e, sloped, on, off)
            grad_weight[local.edge[e]] += q[i] * q_k * (1.0 - slope)
