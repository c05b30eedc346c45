"""Panels of the Groups page.

`show_courses` draws topics over time, as separate charts or stacked. `show_topics` lists the topics
that are more or less frequent in a group, with shares, intervals and links to documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from ....core.drawing.links import node_key
from ...charts import strings as chart_strings
from ...charts.groups import HUES, Side, course, interval_mark, stacked
from ...shared import strings as shared_strings
from ...shared.groups import (
    MAX_COURSES,
    Compared,
    courses,
    described,
    most_different_topics,
    sides,
)
from ...shell import page
from ...text.safe_text import html_text, markdown_text
from . import strings
from .choice import Shown

# An uncertain difference is pale.
UNCERTAIN = "opacity:.8"
FIGURES = (
    '<div style="{look}" title="{title}"><div style="font-size:.85rem">{change}</div>'
    '<div style="font-size:.75rem;opacity:.8">{counts}</div>{mark}</div>'
)


def show_courses(shown: Shown) -> None:
    """Draw the topics whose shares differ most between periods."""
    found = shown.found
    drawn = page.choose("draw", strings.COURSE, shared_strings.COURSES)
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    # A stack has one hue for each topic.
    n_topics = MAX_COURSES if drawn == "rows" else len(HUES)
    places = most_different_topics(found, periods, n_topics)
    names = [found.grouping.names[period] for period in periods]
    left_out = shared_strings.not_shown(len(found.topics) - len(places), 0)
    if drawn == "rows":
        _show_rows(shown, places, names)
        page.remark(left_out, hint=strings.COURSE_HINT)
    else:
        table = courses(shown.run, found, places)
        chart = stacked(table, names, list(dict.fromkeys(table["name"])))
        shown.draw(chart, "group-stack", chart_strings.COURSE_ALT, has_names=False)
        page.remark(shared_strings.STACKED_HINT, left_out)


def _show_rows(shown: Shown, places: list[int], names: list[str]) -> None:
    run = shown.run
    for number, place in enumerate(places, 1):
        topic = int(shown.found.topics[place])
        with st.container(gap=None, key=f"course-{topic}"):
            label = markdown_text(run.topic_labels[topic])
            name, chart = st.columns([1, 4], vertical_alignment="center", gap="small")
            if name.button(label, key=f"course-name-{topic}", type="tertiary"):
                page.open_in_graph(node_key(run, topic))
            table = courses(run, shown.found, [place])
            # Years are above the first row, where they are visible at once, and below the last.
            named: Side = "top" if number == 1 else "bottom" if number == len(places) else ""
            drawn = course(table, names, named)
            with chart:
                key = f"course-chart-{topic}"
                shown.draw(drawn, key, chart_strings.COURSE_ALT, has_names=False)


def show_topics(shown: Shown, compared: Compared) -> None:
    """Draw the topics that are more frequent, and the less frequent ones, with their certainty."""
    for kind, (title, note, rows) in zip(
        ("more", "less"), sides(shown.found, compared), strict=True
    ):
        st.markdown(f"**{markdown_text(title)}**", help=strings.HOW if kind == "more" else None)
        if note:
            st.caption(note)
        if rows and kind == "more":
            st.caption(strings.INTERVALS)
        for number, topic in enumerate(rows):
            _show_topic(shown, compared, topic, f"{kind}-{number}")


def _show_topic(shown: Shown, compared: Compared, row: dict[Any, Any], key: str) -> None:
    run, topic = shown.run, int(row["topic"])
    with st.container(key=f"group-topic-{key}"):
        name, figures, documents = st.columns([3, 5, 2], vertical_alignment="center", gap="small")
        if name.button(markdown_text(run.topic_labels[topic]), key=f"name-{key}", type="tertiary"):
            page.open_in_graph(node_key(run, topic))
        figures.html(figures_html(compared, row))
        if documents.button(
            shared_strings.documents(row["documents"]), key=f"go-{key}", type="tertiary"
        ):
            shown.open(
                run.network.graph.topic_ids[topic], shown.found.grouping.names[compared.group]
            )


def figures_html(compared: Compared, row: dict[Any, Any]) -> str:
    """Change of a topic in words, its counts and certainty, and its interval as a line."""
    change, counts = (html_text(text) for text in described(compared, row))
    title = html_text(chart_strings.interval(row["lift"], row["low"], row["high"]))
    mark = interval_mark(row["lift"], row["low"], row["high"])
    look = "" if row["certain"] != 1.0 else UNCERTAIN
    return FIGURES.format(title=title, change=change, counts=counts, mark=mark, look=look)
