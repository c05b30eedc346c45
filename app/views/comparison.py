"""Two queries side by side, with what they share in the middle, and what is held in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from app import address
from app.components.graph_component import Clicked, draw_graph
from app.graph_choice import shown_probability
from app.graph_comparison import Side, comparison_picture, topics_by_zone
from app.graph_links import is_node, node_key
from app.plain import markdown_text
from app.views import navigation, page, question_box, topic_card, what_if
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
    picture_column, side_column = page.picture_and_side(side_first=False)
    with picture_column:
        _show_picture(run, first, second)
    with side_column:
        selected = address.get("sel")
        if not selected:
            st.caption(words.CARD_HERE)
        _show_card(run, (first, second), selected)
        what_if.show_held(run)


def _show_picture(run: Run, first: Side, second: Side) -> None:
    opened = draw_graph(
        comparison_picture(run, first, second, question_box.palette()),
        key="comparison-graph",
        on_click=_select,
        selected=address.get("sel"),
    )
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.caption(words.HINT)
        question_box.choose_palette()
    if is_node(opened):
        navigation.open_in_graph(opened)


def _show_card(run: Run, sides: Sequence[Side], selected: str) -> None:
    """Show the card of the selected topic, with its switch, or of the selected word."""
    left, right = (shown_probability(run, side.posterior) for side in sides)
    for topic in left | right:
        if node_key(run, topic) == selected:
            figures = words.probabilities(left.get(topic), right.get(topic))
            topic_card.show_node(run, topic, " · ".join(figures))
            what_if.show_topic_switch(run, selected)
    tokens = {word.token for side in sides for word in side.typed if word.key == selected} - {-1}
    for token in tokens:
        topic_card.show_node(run, run.network.graph.n_topics + token, "")


def _select(clicked: Clicked) -> None:
    is_new = clicked.node != address.get("sel")
    address.put("sel", clicked.node if is_new and is_node(clicked.node) else "")
