"""Stability of a model's topics and links, as pages show it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from ...core.drawing.strings import percent
from ...core.evaluation.stability import found_again
from ...core.model.topic_model import Run
from ...core.storage.stability import FILE, Stability
from ...core.storage.stability import known_stability as stored_stability
from ...core.utils.errors import InputError
from ..shell.loaders import version_of

MAX_OPEN = 8
# Weight of a link that is not shown: its probability is below every threshold above 0.
NO_WEIGHT = 0.0


@st.cache_resource(
    max_entries=MAX_OPEN,
    show_spinner=False,
    hash_funcs={Run: lambda run: version_of(run.folder / "model", FILE, "model.json")},
)
def _stored(run: Run) -> Stability | None:
    return stored_stability(run)


def known_stability(run: Run) -> Stability | None:
    """Stability of a model after at least one training; None if unknown, or if it is damaged."""
    try:
        return _stored(run)
    except InputError:
        return None


def topic_sentence(run: Run, topic: int) -> str:
    """Sentence such as "Found again in 9 of 10 trainings (55 % to 100 %)."; "" if unknown.

    A topic that is rarely found again is not reported as a find.
    """
    found = known_stability(run)
    if found is None:
        return ""
    count = int(found.topic_counts[topic])
    low, high = found.interval(count)
    interval = f"({percent(low)} to {percent(high)})"
    if found.is_rare(count):
        return f"May be due to chance: {found_again(count, found.times)} trainings {interval}."
    phrase = found_again(count, found.times)
    return f"{phrase[0].upper()}{phrase[1:]} trainings {interval}."


def link_phrase(run: Run, parent: int, child: int) -> str:
    """Phrase such as "found again in 9 of 10"; "" if unknown, or if there is no such link."""
    found = known_stability(run)
    if found is None:
        return ""
    graph = run.network.graph
    first = int(graph.parent_ptr[child])
    place = np.flatnonzero(graph.parents(child) == parent)
    return found_again(int(found.link_counts[first + place[0]]), found.times) if len(place) else ""


def share_found(run: Run) -> list[float]:
    """Share of the trainings that found each topic again, shape (n_topics,); 1 if unknown."""
    found = known_stability(run)
    if found is None:
        return [1.0] * run.network.graph.n_topics
    return [float(count) / found.times for count in found.topic_counts]


def without_rare_topics(run: Run, least: int) -> Run:
    """The model with the topics hidden that fewer than ``least`` trainings found again."""
    found = known_stability(run)
    if found is None or least <= 0:
        return run
    ids = run.network.graph.topic_ids
    rare = frozenset(ids[topic] for topic in np.flatnonzero(found.topic_counts < least))
    return run.with_overlay(replace(run.overlay, hidden=run.overlay.hidden | rare))


def without_rare_links(run: Run, least: int) -> Run:
    """The model without weight on the links that fewer than ``least`` trainings found again.

    It is drawn and never cached: caches of models do not distinguish weights.
    """
    found = known_stability(run)
    if found is None or least <= 0:
        return run
    weight = np.where(found.link_counts < least, NO_WEIGHT, run.network.weight)
    other = replace(run, network=replace(run.network, weight=weight))
    for name in ("prior", "topic_words"):
        other.__dict__[name] = getattr(run, name)
    return other
