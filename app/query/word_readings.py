"""Readings of what was typed: topics that would each explain it (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orrery.app.graph.choice import surest_part
from orrery.app.graph.links import parent_links, whole
from orrery.app.query.asking import MANY_WORDS
from orrery.core.inference import Estimate, Posterior
from orrery.core.readings import readings

if TYPE_CHECKING:
    from orrery.core.run import Run


@dataclass(frozen=True)
class WordReading:
    """A topic, as it is shown, and how probable it is that it is the reading."""

    topic: int
    share: Estimate


def word_readings(run: Run, free: Posterior) -> list[WordReading]:
    """Readings among the shown topics right above the words that are there; two at least, or none.

    Parameters
    ----------
    run : Run
    free : Posterior
        With no topic held by hand: readings stay while one of them is tried out.
    """
    present = free.evidence.present
    if len(present) > MANY_WORDS:
        return []
    n_topics = run.network.graph.n_topics
    above = {
        whole(run, link.parent)
        for token in present
        for link in parent_links(run.network, n_topics + token)
    }
    # Of topics that are shown as one, the one that a click would hold on.
    candidates = [surest_part(run, free, topic) for topic in sorted(above - run.hidden_topics)]
    return [
        WordReading(whole(run, reading.topic), reading.share)
        for reading in readings(free, candidates)
    ]
