"""Why?: the reasons of the selected topic, or of the most probable one, as a waterfall."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.graph.links import node_key, node_name, whole
from orrery.app.graph.selection import (
    shown_probability,
    surest_part,
    topic_estimate,
    topic_probability,
)
from orrery.app.query.asking import bare_posterior_of
from orrery.app.query.leaving_out import without_each, without_html
from orrery.app.query.pairs import pairs_of
from orrery.app.query.parent_reasons import parent_reasons
from orrery.app.query.why import main_reason, reasons, waterfall
from orrery.app.text.escaping import markdown_text
from orrery.app.words import why as words
from orrery.app.words.figures import is_unsure
from orrery.core.explanation import explain, leave_one_out
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.inference import Posterior

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from orrery.core.run import Run


def show(
    run: Run,
    posterior: Posterior,
    selected: str,
    palette: str,
    before: Posterior | None = None,
) -> Callable[[], None]:
    """Draw the panel; nothing where the local model has no topic.

    ``before`` is the posterior without what is clamped, where anything is.

    Returns
    -------
    callable
        Draws what the topic would be without each word, in its place. The model has to be asked
        for every one of them, so let all else on the page come first.
    """
    asked = _asked_topic(run, posterior, selected)
    if asked is None:
        return _nothing
    topic = surest_part(run, posterior, asked)
    known = topic_estimate(posterior)[topic]
    clamped = _clamped(posterior, topic)
    messages = explain(run.network, posterior, topic)
    with st.container(gap="xsmall", key="why"):
        label = markdown_text(run.topic_labels[topic])
        st.subheader(_title(known.value).format(label=label), anchor=False, help=words.TITLE_HELP)
        if topic != asked:
            st.caption(words.part_of(markdown_text(run.topic_labels[asked])))
        free = topic_estimate(before).get(topic) if before else None
        reason = main_reason(run, messages, known, clamped, free)
        above = parent_reasons(run, posterior, topic, messages)
        st.markdown(markdown_text(" ".join([reason, *above, *_pairs(run, posterior, topic)])))
        chart = waterfall(reasons(run, messages, None if clamped else known), palette)
        st.vega_lite_chart(chart, key="why-chart", alt=words.CHART_ALT)
        below = st.container()
    # No word changes a topic that is clamped.
    return _nothing if clamped else partial(_show_without, run, posterior, topic, palette, below)


def _title(probability: float) -> str:
    if is_unsure(probability):
        return words.TITLE_UNSURE
    return words.TITLE_ON if probability > ON_THRESHOLD else words.TITLE_OFF


def _nothing() -> None:
    """Draw nothing."""


def _pairs(run: Run, posterior: Posterior, topic: int) -> list[str]:
    n_topics = run.network.graph.n_topics
    return [
        words.pair(
            run.topic_labels[pair.topic],
            [node_name(run, n_topics + token) for token in pair.shared],
            pair.joint,
            pair.apart,
        )
        for pair in pairs_of(run, posterior, topic)
    ]


def _show_without(
    run: Run, posterior: Posterior, topic: int, palette: str, place: DeltaGenerator
) -> None:
    """List what the topic would be without each word; nothing for one word, or for many."""
    rows = without_each(run, leave_one_out(run.network, posterior, topic, bare_posterior_of))
    if not rows:
        return
    known = topic_estimate(posterior)[topic]
    title = words.LEFT_OUT_WORDS if all(row.is_word for row in rows) else words.LEFT_OUT
    with place, st.container(gap="xsmall", key="left-out"):
        st.markdown(f"**{title}**")
        st.caption(words.left_out_note(known))
        st.html(without_html(rows, known, palette))


def _asked_topic(run: Run, posterior: Posterior, selected: str) -> int | None:
    """The selected topic, else the most probable one that pictures show, if it is not clamped."""
    shown = shown_probability(run, posterior)
    for topic in topic_probability(posterior) | shown:
        if node_key(run, topic) == selected:
            return topic
    clamped = {whole(run, topic) for topic in posterior.evidence.on}
    return max(shown, key=lambda topic: (topic not in clamped, shown[topic]), default=None)


def _clamped(posterior: Posterior, topic: int) -> str:
    evidence = posterior.evidence
    return "on" if topic in evidence.on else "off" if topic in evidence.off else ""
