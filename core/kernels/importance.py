"""The importance-weighted bound of training, and its gradient (MATH §5).

The likelihood that is reported is that of `core.kernels.likelihood`, which is closer.
"""

from __future__ import annotations

from math import exp, expm1, log

import numpy as np

from core.kernels.bounds import log_on
from core.kernels.compiling import part
from core.kernels.proposal import draw_topics, log_density


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


@part
def weighted_draws(local, weights, proposal, key, x):
    """Draw states of the local nodes; returns log p(x, y) / q(x) of every draw.

    ``x`` (bool, shape (n_rows, n_nodes), all True on entry, so that tokens are on) takes the
    draws in turn: all of them with a row for each, or the last ones.
    """
    log_weight = np.empty(proposal.draws.sum(), np.float64)
    sample = 0
    for component in range(len(proposal.draws)):
        for _ in range(proposal.draws[component]):
            state = x[sample % len(x)]
            draw_topics(proposal, component, key, sample, state)
            log_proposal = log_density(proposal, state)
            log_weight[sample] = log_joint(local, weights, state) - log_proposal
            sample += 1
    return log_weight


@part
def log_mean(log_weight):
    """Log of the mean of exp(log_weight), and exp(log_weight) scaled to a mean of 1."""
    top = log_weight.max()
    weight = np.empty(len(log_weight), np.float64)
    mean = 0.0
    for sample in range(len(log_weight)):
        weight[sample] = exp(log_weight[sample] - top)
        mean += weight[sample] / len(log_weight)
    for sample in range(len(log_weight)):
        weight[sample] /= mean
    return top + log(mean), weight


@part
def add_importance_gradient(local, weights, proposal, key, grad_weight, grad_leak, usage):
    """Importance-weighted bound of one document; adds its gradient, draws and proposal held fixed.

    With omega the weights of the draws scaled to a sum of 1, that is the sum of omega times the
    gradient of log p(x, y). ``grad_weight`` and ``grad_leak`` get its positive part along local
    edges and nodes; every edge owes a further ``-usage_k``, omega's mean of x_k, and every leak
    ``-1`` a document, as in `add_exact_gradient`.
    """
    x = np.ones((proposal.draws.sum(), len(local.node)), np.bool_)
    log_weight = weighted_draws(local, weights, proposal, key, x)
    bound, relative = log_mean(log_weight)
    for sample in range(len(relative)):
        omega = relative[sample] / len(relative)
        for i in range(len(local.node)):
            if not x[sample, i]:
                continue
            # f'(a) + 1 = 1 / (1 - exp(-a))
            slope = omega / -expm1(-active_sum(i, local, weights, x[sample]))
            grad_leak[local.node[i]] += slope
            for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
                if x[sample, local.parent[e]]:
                    grad_weight[local.edge[e]] += slope
            if i < local.n_topics:
                usage[local.node[i]] += omega
    return bound
