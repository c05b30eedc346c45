"""Two queries side by side, with what they share in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import address
from app.components.graph_component import Clicked, draw_graph
from app.graph_comparison import Side, comparison_picture, topics_by_zone
from app.graph_links import is_node
from app.plain import markdown_text
from app.views import navigation, question_box
from app.words import comparison as words

if TYPE_CHECKING:
    from core.storage import Run


def show(run: Run, first: Side, second: Side) -> None:
    """Draw the sentence that says what is shared, and the picture in three zones."""
    zones = topics_by_zone(run, first, second)
    if not any(zones):
        st.info(words.NONE_ON)
    else:
        labels = [markdown_text(run.topic_labels[topic]) for topic in zones[1]]
        st.markdown(words.shared(labels))
    place = st.container()
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.caption(words.HINT)
        palette = question_box.palette()
    with place:
        opened = draw_graph(
            comparison_picture(run, first, second, palette),
            key="comparison-graph",
            on_click=_select,
            selected=address.get("sel"),
        )
    if is_node(opened):
        navigation.open_in_graph(opened)


def _select(clicked: Clicked) -> None:
    is_new = clicked.node != address.get("sel")
    address.put("sel", clicked.node if is_new and is_node(clicked.node) else "")
