"""Senses of a query: topics that are alternative explanations of the same evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..utils.types import BoolArray
from .posterior import Estimate, Posterior

# Minimal probability of a sense.
MIN_SHARE = 0.15
# Two topics are alternatives if both are on with at most this share of the probability that they
# have if independent.
MAX_TOGETHER = 0.5
# Minimal total probability of the senses to be reported.
MIN_COVERED = 0.6


@dataclass(frozen=True)
class Sense:
    """Sense of the evidence: a topic, and the probability that it but no earlier sense is on."""

    topic: int
    share: Estimate


def query_senses(posterior: Posterior, topics: Sequence[int]) -> list[Sense]:
    """Senses of the evidence, the most probable first: at least two, or none.

    The first sense is the most probable topic. The next is always the topic that is on most often
    if no earlier sense is, as long as it excludes these. ``topics`` are candidates in the local
    model, such as the parents of the words; the posterior needs samples.
    """
    held = set(posterior.evidence.on + posterior.evidence.off)
    free = [topic for topic in dict.fromkeys(topics) if topic not in held]
    if posterior.samples is None or len(free) < 2:
        return []
    samples = posterior.samples
    state = samples.state[:, [posterior.position(topic) for topic in free]]
    weight = samples.weight
    found: list[Sense] = []
    chosen: list[int] = []
    is_open = np.ones(len(state), bool)
    while True:
        shares = weight @ (state & is_open[:, None])
        shares[[not _excludes(column, chosen, state, weight) for column in range(len(free))]] = 0.0
        best = int(np.argmax(shares))
        if shares[best] < MIN_SHARE:
            break
        value, error = samples.mean((state[:, best] & is_open)[:, None])
        found.append(Sense(free[best], Estimate(float(value[0]), float(error[0]))))
        chosen.append(best)
        is_open &= ~state[:, best]
    covered = 1.0 - float(weight @ is_open)
    return found if len(found) > 1 and covered >= MIN_COVERED else []


def _excludes(column: int, chosen: list[int], state: BoolArray, weight: np.ndarray) -> bool:
    """Whether a topic is rarely on together with any of the chosen ones."""
    if column in chosen:
        return False
    own = weight @ state[:, column]
    return all(
        weight @ (state[:, column] & state[:, other])
        <= MAX_TOGETHER * own * (weight @ state[:, other])
        for other in chosen
    )
