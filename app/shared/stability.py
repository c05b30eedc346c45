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
    """Phrase such as "found again in 9 of 10"; "" if unknown, or if there is no such link.

    A link that is rarely found again is not reported as a find.
    """
    found, count = known_stability(run), _link_count(run, parent, child)
    if found is None or count is None:
        return ""
    phrase = found_again(count, found.times)
    return f"may be due to chance, {phrase}" if found.is_rare(count) else phrase


def link_interval(run: Run, parent: int, child: int) -> str:
    """Sentence with the interval of `link_phrase` for a hover text; "" without a phrase."""
    found, count = known_stability(run), _link_count(run, parent, child)
    if found is None or count is None:
        return ""
    low, high = found.interval(count)
    return (
        f"With 95 % confidence, {percent(low)} to {percent(high)} of such trainings find this link."
    )


def _link_count(run: Run, parent: int, child: int) -> int | None:
    """Number of trainings that found a link again; None if unknown, or without such a link."""
    found, graph = known_stability(run), run.network.graph
    place = np.flatnonzero(graph.parents(child) == parent)
    if found is None or not len(place):
        return None
    return int(found.link_counts[int(graph.parent_ptr[child]) + place[0]])


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


def rare_links(run: Run, least: int) -> frozenset[int]:
    """Numbers of the edges that fewer than ``least`` trainings found again."""
    found = known_stability(run)
    if found is None or least <= 0:
        return frozenset()
    return frozenset(np.flatnonzero(found.link_counts < least).tolist())
