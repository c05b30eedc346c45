"""Panels of the Groups page.

`show_courses` draws topics over time, as separate charts or stacked. `show_topics` lists the topics
that are more or less frequent in a group, with shares, intervals and links to documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from ....core.drawing.links import node_key
from ....core.evaluation.group_topics import Comparison, GroupTopics
from ....core.model.topic_model import Run
from ...charts import strings as chart_strings
from ...charts.groups import CELL, HUES, course, interval_mark, stacked
from ...charts.theme import specification
from ...shared import strings as shared_strings
from ...shared.groups import MAX_COURSES, certain_topics, courses, telling_topics
from ...shell import page
from ...text.safe_text import html_text, markdown_text
from . import strings
from .choice import Shown, choose_course

FIGURES = '<div style="font-size:.8rem;opacity:.8" title="{title}">{text}</div>{mark}'


def show_courses(shown: Shown) -> None:
    """Draw the topics whose shares differ most between periods."""
    found = shown.found
    drawn = choose_course()
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    # A stack has one hue for each topic.
    n_topics = MAX_COURSES if drawn == "rows" else len(HUES)
    places = telling_topics(found, periods, n_topics)
    names = [found.grouping.names[period] for period in periods]
    left_out = shared_strings.not_shown(len(found.topics) - len(places), 0)
    if drawn == "rows":
        _show_rows(shown, places, names)
        page.remark(left_out, hint=strings.COURSE_HINT)
    else:
        table = courses(shown.run, found, places)
        chart = stacked(table, names, list(dict.fromkeys(table["name"])))
        event: Any = st.vega_lite_chart(
            specification(chart),
            key="group-stack",
            on_select="rerun",
            selection_mode=CELL,
            alt=chart_strings.COURSE_ALT,
        )
        shown.follow(event)
        page.remark(shared_strings.STACKED_HINT, left_out)


def _show_rows(shown: Shown, places: list[int], names: list[str]) -> None:
    run = shown.run
    for place in places:
        topic = int(shown.found.topics[place])
        with st.container(gap=None, key=f"course-{topic}"):
            label = markdown_text(run.topic_labels[topic])
            name, chart = st.columns([1, 4], vertical_alignment="center", gap="small")
            if name.button(label, key=f"course-name-{topic}", type="tertiary"):
                page.open_in_graph(node_key(run, topic))
            drawn = specification(course(courses(run, shown.found, [place]), names))
            event: Any = chart.vega_lite_chart(
                drawn,
                key=f"course-chart-{topic}",
                on_select="rerun",
                selection_mode=CELL,
                alt=chart_strings.COURSE_ALT,
            )
            shown.follow(event)


@dataclass(frozen=True)
class Side:
    """A list of topics: its heading, its text if empty, and whether they are more frequent."""

    title: str
    nothing: str
    is_more: bool


def show_topics(
    run: Run,
    found: GroupTopics,
    compared: Comparison,
    row: int,
    sides: tuple[Side, Side],
    to_documents: Callable[[str], None],
) -> None:
    """Draw the topics that are certainly more frequent, and the certainly less frequent ones."""
    for side in sides:
        st.markdown(f"**{markdown_text(side.title)}**", help=strings.HOW if side.is_more else None)
        rows = certain_topics(found, compared, row, is_more=side.is_more)
        if not rows:
            st.caption(side.nothing)
        for number, topic in enumerate(rows):
            _show_topic(run, topic, f"{'more' if side.is_more else 'less'}-{number}", to_documents)


def _show_topic(
    run: Run, row: dict[Any, Any], key: str, to_documents: Callable[[str], None]
) -> None:
    topic = int(row["topic"])
    with st.container(key=f"group-topic-{key}"):
        name, figures, documents = st.columns([3, 5, 2], vertical_alignment="center", gap="small")
        if name.button(markdown_text(run.topic_labels[topic]), key=f"name-{key}", type="tertiary"):
            page.open_in_graph(node_key(run, topic))
        figures.html(figures_html(row))
        if documents.button(
            shared_strings.documents(row["documents"]), key=f"go-{key}", type="tertiary"
        ):
            to_documents(run.network.graph.topic_ids[topic])


def figures_html(row: dict[Any, Any]) -> str:
    """Lower bound, shares and estimate of a topic in words, and its interval as a line."""
    text = f"{shared_strings.certain(row['certain'])} · " + shared_strings.figures(
        row["share"], row["share_elsewhere"], row["lift"]
    )
    title = chart_strings.interval(row["lift"], row["low"], row["high"])
    mark = interval_mark(row["lift"], row["low"], row["high"])
    return FIGURES.format(title=html_text(title), text=html_text(text), mark=mark)
