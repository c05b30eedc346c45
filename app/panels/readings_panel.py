"""Readings: what the words may mean, each a click from being taken for granted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.panels import what_if
from orrery.app.query.word_readings import WordReading, word_readings
from orrery.app.session import state
from orrery.app.text.escaping import markdown_text
from orrery.app.words import query as words
from orrery.app.words.figures import figures_of

if TYPE_CHECKING:
    from orrery.app.query.answers import Answer
    from orrery.core.run import Run

KEY = "reading"


def show(run: Run, answer: Answer) -> None:
    """Offer the readings; nothing where there are not two."""
    found = word_readings(run, answer.free)
    if not found:
        return
    present = [markdown_text(word) for word in answer.question.words("present")]
    topics = [reading.topic for reading in found]
    held = what_if.held_topics(run)
    chosen = next((topic for topic in topics if held.get(topic) == "on"), None)
    if state.recall(KEY) != chosen:
        state.remember(KEY, chosen)
    with st.container(gap="xsmall", key="readings"):
        st.markdown(f"**{words.readings(len(found), present)}**", help=words.READINGS_HELP)
        st.pills(
            words.READINGS,
            topics,
            format_func=partial(_name, run, {reading.topic: reading for reading in found}),
            key=KEY,
            on_change=lambda: what_if.hold_one_of(run, topics, state.recall(KEY)),
            label_visibility="collapsed",
        )


def _name(run: Run, found: dict[int, WordReading], topic: int) -> str:
    return f"{markdown_text(run.topic_labels[topic])} {figures_of(found[topic].share)}"
