"""Topics that a topic excludes, or goes together with (no streamlit).

Why?: the reasons of the selected topic, or of the most probable one, as a waterfall.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ....core.drawing.links import node_key, node_name, parent_links, whole
from ....core.drawing.selection import (
    shown_probability,
    surest_part,
    topic_estimate,
    topic_probability,
)
from ....core.drawing.strings import is_unsure
from ....core.inference.explanation import explain, leave_one_out
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.thresholds import ON_THRESHOLD
from ...shared.answers import bare_posterior_of
from ...text.escaping import markdown_text
from . import strings
from .reasons import main_reason, parent_reasons, reasons, waterfall, without_each, without_html

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from ....core.model.topic_model import Run


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
        st.subheader(_title(known.value).format(label=label), anchor=False, help=strings.TITLE_HELP)
        if topic != asked:
            st.caption(strings.part_of(markdown_text(run.topic_labels[asked])))
        free = topic_estimate(before).get(topic) if before else None
        reason = main_reason(run, messages, known, clamped, free)
        above = parent_reasons(run, posterior, topic, messages)
        st.markdown(markdown_text(" ".join([reason, *above, *_pairs(run, posterior, topic)])))
        chart = waterfall(reasons(run, messages, None if clamped else known), palette)
        st.vega_lite_chart(chart, key="why-chart", alt=strings.CHART_ALT)
        below = st.container()
    # No word changes a topic that is clamped.
    return _nothing if clamped else partial(_show_without, run, posterior, topic, palette, below)


def _title(probability: float) -> str:
    if is_unsure(probability):
        return strings.TITLE_UNSURE
    return strings.TITLE_ON if probability > ON_THRESHOLD else strings.TITLE_OFF


def _nothing() -> None:
    """Draw nothing."""


def _pairs(run: Run, posterior: Posterior, topic: int) -> list[str]:
    n_topics = run.network.graph.n_topics
    return [
        strings.pair(
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
    title = strings.LEFT_OUT_WORDS if all(row.is_word for row in rows) else strings.LEFT_OUT
    with place, st.container(gap="xsmall", key="left-out"):
        st.markdown(f"**{title}**")
        st.caption(strings.left_out_note(known))
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
