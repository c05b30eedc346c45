"""Importance-weighted estimate of the log-likelihood from draws of q (MATH §5)."""

from __future__ import annotations

from math import exp, log

import numpy as np

from core.kernels.bounds import log_on
from core.kernels.compiling import kernel
from core.kernels.streams import uniform

# The proposal gives every state of every local topic at least this probability, so that no state
# of the local model is out of reach (MATH §9). Topics outside it are off: the estimate is a lower
# bound, in expectation, for that pruned family.
LEAST_PROPOSAL = 1e-4


@kernel
def draw_topics(q, n_topics, key, sample, x):
    """Draw one state of all topics into x; returns its log-probability under the proposal."""
    log_proposal = 0.0
    for k in range(n_topics):
        chance = min(max(q[k], LEAST_PROPOSAL), 1.0 - LEAST_PROPOSAL)
        x[k] = uniform(key, sample * n_topics + k) < chance
        log_proposal += log(chance if x[k] else 1.0 - chance)
    return log_proposal


@kernel
def log_joint(local, weights, x):
    """log p(x, y) of a state of all local nodes, every other node being off (eq. 1)."""
    total = -weights.total_leak
    for i in range(len(local.node)):
        if not x[i]:
            continue
        activation = weights.w0[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            if x[local.parent[e]]:
                activation += weights.w[e]
        total += log_on(activation) + activation
        if i < local.n_topics:
            total -= weights.W[i]
    return total


@kernel
def log_likelihood_estimate(local, weights, q, key, n_samples):
    """log of the mean importance weight, and the relative variance of that mean."""
    x = np.ones(len(local.node), np.bool_)
    log_weight = np.empty(n_samples, np.float64)
    for sample in range(n_samples):
        log_proposal = draw_topics(q, local.n_topics, key, sample, x)
        log_weight[sample] = log_joint(local, weights, x) - log_proposal
    top = log_weight.max()
    mean = 0.0
    square = 0.0
    for sample in range(n_samples):
        weight = exp(log_weight[sample] - top)
        mean += weight / n_samples
        square += weight * weight / n_samples
    variance = max(square - mean * mean, 0.0) / (mean * mean) / n_samples
    return top + log(mean), variance
