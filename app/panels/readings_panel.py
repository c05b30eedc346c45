"""Readings: what the words may mean; a click assumes one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.panels import what_if
from orrery.app.query.word_readings import WordReading, word_readings
from orrery.app.session import memory
from orrery.app.text.escaping import markdown_text
from orrery.app.words import query as words
from orrery.app.words.figures import figures_of

if TYPE_CHECKING:
    from orrery.app.query.answers import Answer
    from orrery.core.run import Run

KEY = "reading"


def show(run: Run, answer: Answer) -> None:
    """Offer the readings, if there are at least two."""
    found = word_readings(run, answer.free)
    if not found:
        return
    present = [markdown_text(word) for word in answer.question.words("present")]
    topics = [reading.topic for reading in found]
    clamped = what_if.clamped_topics(run)
    chosen = next((topic for topic in topics if clamped.get(topic) == "on"), None)
    if memory.recall(KEY) != chosen:
        memory.remember(KEY, chosen)
    with st.container(gap="xsmall", key="readings"):
        st.markdown(f"**{words.readings(len(found), present)}**", help=words.READINGS_HELP)
        st.pills(
            words.READINGS,
            topics,
            format_func=partial(_name, run, {reading.topic: reading for reading in found}),
            key=KEY,
            on_change=lambda: what_if.clamp_one_of(run, topics, memory.recall(KEY)),
            label_visibility="collapsed",
        )


def _name(run: Run, found: dict[int, WordReading], topic: int) -> str:
    return f"{markdown_text(run.topic_labels[topic])} {figures_of(found[topic].share)}"
