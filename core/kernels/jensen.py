"""E-step and gradient of one document under the paper's Jensen bound (eqs 6-16)."""

from __future__ import annotations

from math import exp, expm1

import numpy as np

from .bounds import combine_bound, log_on, sigmoid
from .compiling import kernel, part

# Smallest share of an edge; a positive share keeps w / r finite and changes the bound negligibly.
MIN_SHARE = 1e-12


@part
def start_shares(local, weights):
    """r proportional to w, optimal for equally likely parents (Ji et al. 2019, §4.1.3)."""
    r = np.empty(len(weights.w), np.float64)
    for i in range(len(local.node)):
        begin, end = local.parent_ptr[i], local.parent_ptr[i + 1]
        total = 0.0
        for e in range(begin, end):
            total += weights.w[e] + MIN_SHARE
        for e in range(begin, end):
            r[e] = (weights.w[e] + MIN_SHARE) / total
    return r


@part
def update_shares(i, local, weights, q, r):
    """Take one fixed-point step of the shares of node i; it never lowers the bound (eq. 10)."""
    begin, end = local.parent_ptr[i], local.parent_ptr[i + 1]
    f0 = log_on(weights.w0[i])
    total = 0.0
    for e in range(begin, end):
        ratio = weights.w[e] / r[e]
        u = weights.w0[i] + ratio
        slope = 0.0
        if u < 700.0:
            slope = ratio * exp(-u) / (-expm1(-u))
        r[e] = max(q[local.parent[e]] * r[e] * (log_on(u) - f0 - slope), 0.0)
        total += r[e]
    for e in range(begin, end):
        if total > 0.0:
            r[e] = max(r[e] / total, MIN_SHARE)
        else:
            r[e] = 1.0 / (end - begin)


@part
def couplings(local, weights, r):
    """b = w + r (f(u) - f(w0)) of every edge, all that the update of q needs of r (MATH §3)."""
    b = np.empty(len(r), np.float64)
    for i in range(len(local.node)):
        f0 = log_on(weights.w0[i])
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            u = weights.w0[i] + weights.w[e] / r[e]
            b[e] = weights.w[e] + r[e] * (log_on(u) - f0)
    return b


@part
def update_activations(local, weights, b, free, q):
    """Update all topics once, from the words upward (eqs 11-12); return the largest change."""
    largest_change = 0.0
    for i in range(local.n_topics - 1, -1, -1):
        if not free[i]:
            continue
        field = log_on(weights.w0[i]) + weights.w0[i] - weights.W[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            field += q[local.parent[e]] * b[e]
        for slot in range(local.child_ptr[i], local.child_ptr[i + 1]):
            field += q[local.child[slot]] * b[local.child_edge[slot]]
        new = sigmoid(field)
        largest_change = max(largest_change, abs(new - q[i]))
        q[i] = new
    return largest_change


@part
def ascend_jensen(local, weights, free, q, r, schedule, tolerance):
    """Run the E-step of Algorithm 1; changes ``q`` and ``r`` in place and returns the bound.

    ``schedule`` is (N_E, N_Q, N_R), the maximum numbers of rounds, sweeps over q and steps of r. A
    sweep or round that changes no activation by more than ``tolerance`` ends early; a tolerance of
    0 runs the fixed schedule of the paper.
    """
    for _ in range(schedule[0]):
        b = couplings(local, weights, r)
        first_change = update_activations(local, weights, b, free, q)
        change = first_change
        for _ in range(1, schedule[1]):
            if change < tolerance:
                break
            change = update_activations(local, weights, b, free, q)
        for i in range(len(local.node)):
            for _ in range(schedule[2]):
                update_shares(i, local, weights, q, r)
        if first_change < tolerance:
            break
    return jensen_bound(local, weights, free, q, r)


@part
def jensen_bound(local, weights, free, q, r):
    """Jensen bound at these activations and shares (eq. 9)."""
    F = np.empty(len(local.node), np.float64)
    for i in range(len(local.node)):
        f0 = log_on(weights.w0[i])
        F[i] = f0
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            u = weights.w0[i] + weights.w[e] / r[e]
            F[i] += r[e] * q[local.parent[e]] * (log_on(u) - f0)
    return combine_bound(local, weights, free, q, F)


@part
def slope_of_log_on(a):
    """f'(a) = exp(-a) / (1 - exp(-a))."""
    return exp(-a) / (-expm1(-a)) if a < 700.0 else 0.0


@kernel
def add_jensen_gradient(local, weights, q, r, grad_weight, grad_leak):
    """Add the positive part of the gradient along local edges and nodes (eqs 13-16).

    The remaining part is ``-q_k`` for every edge and ``-1`` for every leak of each document;
    `batch` adds it once for all documents.
    """
    for i in range(len(local.node)):
        slope0 = slope_of_log_on(weights.w0[i])
        slope = slope0
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            q_k = q[local.parent[e]]
            slope_u = slope_of_log_on(weights.w0[i] + weights.w[e] / r[e])
            slope += q_k * r[e] * (slope_u - slope0)
            grad_weight[local.edge[e]] += q[i] * q_k * (1.0 + slope_u)
        grad_leak[local.node[i]] += q[i] * (1.0 + slope)
