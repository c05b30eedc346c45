"""Readings: topics that would each explain the same evidence, and so exclude each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..utils.types import BoolArray
from .posterior import Estimate, Posterior

# A reading less probable than this is no reading worth a choice.
LEAST_SHARE = 0.15
# Two topics are readings of one thing where both are on at most this share of the times that they
# would be, were they independent.
MOST_TOGETHER = 0.5
# Readings are said only where they are most of the story.
LEAST_COVERED = 0.6


@dataclass(frozen=True)
class Reading:
    """One way to read the evidence.

    Attributes
    ----------
    topic : int
    share : Estimate
        Probability that its topic is on, and no topic of a reading before it.
    """

    topic: int
    share: Estimate


def readings(posterior: Posterior, topics: Sequence[int]) -> list[Reading]:
    """Split the posterior into readings, the most probable first.

    The most probable topic comes first, then again and again the one that is on most often where
    none before it is, as long as it excludes them.

    Parameters
    ----------
    posterior : Posterior
        Of `orrery.core.inference.infer.infer` by sampling.
    topics : sequence of int
        Topics of the local model that may be readings, such as the parents of the words.

    Returns
    -------
    list of Reading
        At least two, or none.
    """
    held = set(posterior.evidence.on + posterior.evidence.off)
    free = [topic for topic in dict.fromkeys(topics) if topic not in held]
    if posterior.draws is None or len(free) < 2:
        return []
    draws = posterior.draws
    state = draws.state[:, [posterior.position(topic) for topic in free]]
    weight = draws.weight
    found: list[Reading] = []
    chosen: list[int] = []
    is_open = np.ones(len(state), bool)
    while True:
        shares = weight @ (state & is_open[:, None])
        shares[[not _excludes(column, chosen, state, weight) for column in range(len(free))]] = 0.0
        best = int(np.argmax(shares))
        if shares[best] < LEAST_SHARE:
            break
        value, error = draws.mean((state[:, best] & is_open)[:, None])
        found.append(Reading(free[best], Estimate(float(value[0]), float(error[0]))))
        chosen.append(best)
        is_open &= ~state[:, best]
    covered = 1.0 - float(weight @ is_open)
    return found if len(found) > 1 and covered >= LEAST_COVERED else []


def _excludes(column: int, chosen: list[int], state: BoolArray, weight: np.ndarray) -> bool:
    """Whether a topic is seldom on together with any of those chosen."""
    if column in chosen:
        return False
    own = weight @ state[:, column]
    return all(
        weight @ (state[:, column] & state[:, other])
        <= MOST_TOGETHER * own * (weight @ state[:, other])
        for other in chosen
    )
