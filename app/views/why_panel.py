"""Why?: the reasons of the selected topic, or of the most probable one, as a waterfall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import graph_style
from app.graph_choice import shown_probability, surest_part, topic_probability
from app.graph_links import node_key
from app.plain import markdown_text
from app.why import main_reason, reasons, waterfall
from app.words import why as words
from core.explanation import explain
from core.inference import Posterior

if TYPE_CHECKING:
    from core.storage import Run


def show(
    run: Run,
    posterior: Posterior,
    selected: str,
    palette: str,
    before: Posterior | None = None,
) -> None:
    """Draw the panel; nothing where the local model has no topic.

    ``before`` is the posterior without what is held by hand, where anything is.
    """
    asked = _asked_topic(run, posterior, selected)
    if asked is None:
        return
    topic = surest_part(run, posterior, asked)
    probability = topic_probability(posterior)[topic]
    messages = explain(run.network, posterior, topic)
    title = words.TITLE_ON if probability > graph_style.ON_THRESHOLD else words.TITLE_OFF
    with st.container(gap="xsmall", key="why"):
        label = markdown_text(run.topic_labels[topic])
        st.subheader(title.format(label=label), anchor=False, help=words.TITLE_HELP)
        if topic != asked:
            st.caption(words.part_of(markdown_text(run.topic_labels[asked])))
        free = topic_probability(before).get(topic) if before else None
        reason = main_reason(run, messages, _held(posterior, topic), free)
        st.markdown(markdown_text(reason))
        chart = waterfall(reasons(run, messages), palette)
        st.vega_lite_chart(chart, key="why-chart", alt=words.CHART_ALT)


def _asked_topic(run: Run, posterior: Posterior, selected: str) -> int | None:
    """The selected topic, else the most probable one that pictures show."""
    shown = shown_probability(run, posterior)
    for topic in topic_probability(posterior) | shown:
        if node_key(run, topic) == selected:
            return topic
    return max(shown, key=shown.__getitem__, default=None)


def _held(posterior: Posterior, topic: int) -> str:
    evidence = posterior.evidence
    return "on" if topic in evidence.on else "off" if topic in evidence.off else ""
