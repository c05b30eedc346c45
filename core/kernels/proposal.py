"""Where importance sampling draws from: a mixture of the ends of an E-step (MATH §5 and §9)."""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from core.kernels.compiling import kernel
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


@kernel
def distinct_ends(ends, bounds, n_topics):
    """Rows of the ends that differ from every better one, the best first."""
    order = np.argsort(-bounds, kind="mergesort")
    kept = np.empty(len(order), np.int64)
    n_kept = 0
    for row in order:
        is_new = True
        for other in kept[:n_kept]:
            is_new = is_new and not is_same_end(ends[row], ends[other], n_topics)
        if is_new:
            kept[n_kept] = row
            n_kept += 1
    return kept[:n_kept]


@kernel
def divide_draws(bounds, n_samples):
    """Draws in proportion to exp(bound), every share at least `LEAST_SHARE`, in whole numbers."""
    share = np.exp(bounds - bounds.max())
    share = np.maximum(share / share.sum(), LEAST_SHARE)
    ends = np.rint(n_samples * np.cumsum(share / share.sum())).astype(np.int64)
    draws = ends.copy()
    draws[1:] -= ends[:-1]
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
    draws = divide_draws(bounds[kept], n_samples)
    kept, draws = kept[draws > 0], draws[draws > 0]
    chance = np.empty((len(kept), n_topics), np.float64)
    log_odds = np.empty((len(kept), n_topics), np.float64)
    log_scale = np.empty(len(kept), np.float64)
    for c in range(len(kept)):
        log_scale[c] = log(draws[c] / n_samples)
        for k in range(n_topics):
            chance[c, k] = min(max(ends[kept[c], k], LEAST_PROPOSAL), 1.0 - LEAST_PROPOSAL)
            log_off = log(1.0 - chance[c, k])
            log_odds[c, k] = log(chance[c, k]) - log_off
            log_scale[c] += log_off
    return Proposal(draws, chance, log_odds, log_scale)


@kernel
def draw_topics(proposal, component, key, sample, x):
    """Draw one state of all topics from a component into x."""
    n_topics = proposal.chance.shape[1]
    for k in range(n_topics):
        x[k] = uniform(key, sample * n_topics + k) < proposal.chance[component, k]


@kernel
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
