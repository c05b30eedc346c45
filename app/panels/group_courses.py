"""Topics over time: one small chart below the other, or all stacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from orrery.app.charts.chart_theme import specification
from orrery.app.charts.group_charts import CELL, HUES, course, stacked
from orrery.app.documents.group_pictures import MOST_COURSES, courses, telling_topics
from orrery.app.frame import navigation, page
from orrery.app.graph.links import node_key
from orrery.app.panels.group_choice import Shown, choose_course
from orrery.app.text.escaping import markdown_text
from orrery.app.words import groups as words


def show(shown: Shown) -> None:
    """Draw the topics whose shares differ most over time."""
    found = shown.found
    drawn = choose_course()
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    # A stack has as many as there are hues.
    most = MOST_COURSES if drawn == "rows" else len(HUES)
    places = telling_topics(found, periods, most)
    names = [found.grouping.names[period] for period in periods]
    if drawn == "rows":
        _show_rows(shown, places, names)
    else:
        table = courses(shown.run, found, places)
        chart = stacked(table, names, list(dict.fromkeys(table["name"])))
        event: Any = st.vega_lite_chart(
            specification(chart),
            key="group-stack",
            on_select="rerun",
            selection_mode=CELL,
            alt=words.COURSE_ALT,
        )
        shown.follow(event)
    left_out = words.not_shown(len(found.topics) - len(places), 0)
    if drawn == "rows":
        page.remark(left_out, hint=words.COURSE_HINT)
    else:
        page.remark(words.STACKED_HINT, left_out)


def _show_rows(shown: Shown, places: list[int], names: list[str]) -> None:
    run = shown.run
    for place in places:
        topic = int(shown.found.topics[place])
        with st.container(gap=None, key=f"course-{topic}"):
            label = markdown_text(run.topic_labels[topic])
            name, chart = st.columns([1, 4], vertical_alignment="center", gap="small")
            if name.button(label, key=f"course-name-{topic}", type="tertiary"):
                navigation.open_in_graph(node_key(run, topic))
            drawn = specification(course(courses(run, shown.found, [place]), names))
            event: Any = chart.vega_lite_chart(
                drawn,
                key=f"course-chart-{topic}",
                on_select="rerun",
                selection_mode=CELL,
                alt=words.COURSE_ALT,
            )
            shown.follow(event)
