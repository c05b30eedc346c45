"""Where importance sampling draws from: a mixture of the ends of an E-step (MATH §5 and §9)."""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from core.kernels.compiling import kernel, part
from core.kernels.document import is_same_end
from core.kernels.streams import uniform

# The proposal gives every state of every local topic at least this probability, so that no state
# of the local model is out of reach (MATH §9). Topics outside it are off: the estimate is a lower
# bound, in expectation, for that pruned family.
LEAST_PROPOSAL = 1e-4
# An end with a low bound may stand in a wide mode, so each gets this share of the draws.
LEAST_SHARE = 0.05


class Proposal(NamedTuple):
    """A mixture of factorised distributions over the states of the local topics.

    Attributes
    ----------
    draws : int64 array, shape (n_components,)
        How often each component is drawn from, at least once; its share of all draws is its
        weight in the mixture (the balance heuristic, Veach and Guibas 1995).
    chance : float64 array, shape (n_components, n_topics)
        Probability that a topic is on.
    log_odds : float64 array, shape (n_components, n_topics)
    log_scale : float64 array, shape (n_components,)
        Log of the component's weight times its probability that all topics are off.
    """

    draws: np.ndarray
    chance: np.ndarray
    log_odds: np.ndarray
    log_scale: np.ndarray


@part
def distinct_ends(ends, bounds, n_topics):
    """Rows of the ends that differ from every better one, the best first."""
    left = bounds.copy()
    kept = np.empty(len(left), np.int64)
    n_kept = 0
    for _ in range(len(left)):
        row = np.argmax(left)
        left[row] = -np.inf
        is_new = True
        for place in range(n_kept):
            is_new = is_new and not is_same_end(ends[row], ends[kept[place]], n_topics)
        if is_new:
            kept[n_kept] = row
            n_kept += 1
    return kept[:n_kept]


@part
def divide_draws(bounds, n_samples):
    """Draws in proportion to exp(bound), every share at least `LEAST_SHARE`, in whole numbers."""
    n_parts = len(bounds)
    share = np.empty(n_parts, np.float64)
    top, total, raised = bounds.max(), 0.0, 0.0
    for c in range(n_parts):
        share[c] = exp(bounds[c] - top)
        total += share[c]
    for c in range(n_parts):
        share[c] = max(share[c] / total, LEAST_SHARE)
        raised += share[c]
    draws = np.empty(n_parts, np.int64)
    sum_so_far, drawn = 0.0, 0
    for c in range(n_parts):
        sum_so_far += share[c] / raised
        end = round(n_samples * sum_so_far)
        draws[c] = end - drawn
        drawn = end
    return draws


@kernel
def build_proposal(ends, bounds, n_topics, n_samples):
    """The mixture of the distinct ends of an E-step, the best first.

    Parameters
    ----------
    ends : float64 array, shape (n_ends, n_nodes)
        Activations; only those of the topics count.
    bounds : float64 array, shape (n_ends,)
    n_samples : int
        Draws in all, at least 1.
    """
    kept = distinct_ends(ends, bounds, n_topics)
    kept_bounds = np.empty(len(kept), np.float64)
    for c in range(len(kept)):
        kept_bounds[c] = bounds[kept[c]]
    shares = divide_draws(kept_bounds, n_samples)
    n_components = 0
    for c in range(len(kept)):
        if shares[c] > 0:
            kept[n_components], shares[n_components] = kept[c], shares[c]
            n_components += 1
    draws = shares[:n_components]
    chance = np.empty((n_components, n_topics), np.float64)
    log_odds = np.empty((n_components, n_topics), np.float64)
    log_scale = np.empty(n_components, np.float64)
    for c in range(n_components):
        log_scale[c] = log(draws[c] / n_samples)
        for k in range(n_topics):
            chance[c, k] = min(max(ends[kept[c], k], LEAST_PROPOSAL), 1.0 - LEAST_PROPOSAL)
            log_off = log(1.0 - chance[c, k])
            log_odds[c, k] = log(chance[c, k]) - log_off
            log_scale[c] += log_off
    return Proposal(draws, chance, log_odds, log_scale)


@part
def draw_topics(proposal, component, key, sample, x):
    """Draw one state of all topics from a component into x."""
    n_topics = proposal.chance.shape[1]
    for k in range(n_topics):
        x[k] = uniform(key, sample * n_topics + k) < proposal.chance[component, k]


@part
def log_density(proposal, x):
    """Log-probability of a state under the whole mixture."""
    parts = proposal.log_scale.copy()
    for c in range(len(parts)):
        for k in range(proposal.chance.shape[1]):
            if x[k]:
                parts[c] += proposal.log_odds[c, k]
    top = parts.max()
    total = 0.0
    for c in range(len(parts)):
        total += exp(parts[c] - top)
    return top + log(total)
