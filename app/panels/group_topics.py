"""Topics that one group has more or less of: names, shares, intervals, and the way to documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from orrery.app.charts.group_charts import interval_mark
from orrery.app.documents.group_pictures import certain_topics
from orrery.app.frame import navigation
from orrery.app.graph.links import node_key
from orrery.app.text.escaping import html_text, markdown_text
from orrery.app.words import groups as words
from orrery.core.evaluation.group_topics import Comparison, GroupTopics

if TYPE_CHECKING:
    from orrery.core.run import Run

FIGURES = '<div style="font-size:.8rem;opacity:.8" title="{title}">{text}</div>{mark}'


@dataclass(frozen=True)
class Side:
    """A heading, what it says where it is empty, and whether it is of topics that are more."""

    title: str
    nothing: str
    is_more: bool


def show(
    run: Run,
    found: GroupTopics,
    compared: Comparison,
    row: int,
    sides: tuple[Side, Side],
    to_documents: Callable[[str], None],
) -> None:
    """Draw the topics that are certain to be more frequent, and those that are less."""
    for side in sides:
        st.markdown(f"**{markdown_text(side.title)}**", help=words.HOW if side.is_more else None)
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
            navigation.open_in_graph(node_key(run, topic))
        figures.html(figures_html(row))
        if documents.button(words.documents(row["documents"]), key=f"go-{key}", type="tertiary"):
            to_documents(run.network.graph.topic_ids[topic])


def figures_html(row: dict[Any, Any]) -> str:
    """What is certain, shares and estimate of a topic in words, and its interval as a line."""
    told = f"{words.certain(row['certain'])} · " + words.figures(
        row["share"], row["share_elsewhere"], row["lift"]
    )
    title = words.interval(row["lift"], row["low"], row["high"])
    mark = interval_mark(row["lift"], row["low"], row["high"])
    return FIGURES.format(title=html_text(title), text=html_text(told), mark=mark)
