"""Topics that a topic excludes, or goes together with (no streamlit)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orrery.app.graph.links import parent_links, whole
from orrery.app.graph.selection import topic_estimate
from orrery.core.inference import Estimate, Posterior

if TYPE_CHECKING:
    from orrery.core.run import Run

MOST_PAIRS = 2
# Topics that are almost certain are not worth a remark.
OPEN_BETWEEN = (0.1, 0.9)
# Both are on together so many times as often as if they were independent, or as seldom, and by
# more than so many standard errors.
CLEAR_RATIO = 1.5
CLEAR_ERRORS = 3.0


@dataclass(frozen=True)
class Pair:
    """Another topic, and how often both are on at once.

    Attributes
    ----------
    topic : int
    joint : Estimate
    apart : float
        What ``joint`` would be if the two were independent.
    shared : tuple of int
        Tokens that are there and hang from both.
    """

    topic: int
    joint: Estimate
    apart: float
    shared: tuple[int, ...]


def pairs_of(run: Run, posterior: Posterior, topic: int) -> list[Pair]:
    """Topics that a topic of the local model clearly depends on, those that say the most first.

    Only topics that pictures show, and none that is several of them, or right above or below.
    """
    known = topic_estimate(posterior)
    if posterior.draws is None or not _is_open(known[topic]):
        return []
    # That a topic goes together with those directly below it is obvious.
    graph = run.network.graph
    near = {topic, *graph.parents(topic).tolist(), *graph.children(topic).tolist()}
    joint, error = posterior.together_with(topic)
    pairs = [
        Pair(
            other,
            Estimate(float(joint[place]), float(error[place])),
            known[topic].value * estimate.value,
            _shared_words(run, posterior, topic, other),
        )
        for place, (other, estimate) in enumerate(known.items())
        if _is_open(estimate) and _stands_alone(run, other) and other not in near
    ]
    clear = [pair for pair in pairs if _is_clear(pair, known[topic], known[pair.topic])]
    clear.sort(key=lambda pair: -abs(pair.joint.value - pair.apart))
    return clear[:MOST_PAIRS]


def _is_open(known: Estimate) -> bool:
    return OPEN_BETWEEN[0] < known.value < OPEN_BETWEEN[1]


def _stands_alone(run: Run, topic: int) -> bool:
    return (
        topic not in run.hidden_topics
        and whole(run, topic) == topic
        and run.parts_of(topic) == [topic]
    )


def _is_clear(pair: Pair, one: Estimate, other: Estimate) -> bool:
    error = math.hypot(pair.joint.error, one.value * other.error, other.value * one.error)
    least, most = sorted((pair.joint.value, pair.apart))
    return most - least > CLEAR_ERRORS * error and most >= CLEAR_RATIO * least


def _shared_words(run: Run, posterior: Posterior, topic: int, other: int) -> tuple[int, ...]:
    n_topics = run.network.graph.n_topics
    return tuple(
        token
        for token in posterior.evidence.present
        if {topic, other} <= {link.parent for link in parent_links(run.network, n_topics + token)}
    )
