"""Two queries side by side, with what they share in the middle; a switch acts on both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.components.graph_component import Clicked, draw_graph
from orrery.app.frame import navigation, page
from orrery.app.graph.links import is_node, node_key
from orrery.app.graph.selection import shown_estimate, shown_probability
from orrery.app.panels import nearest_panel, question_box, topic_card, what_if, why_panel
from orrery.app.query.comparison import (
    BOTH,
    FIRST,
    SECOND,
    Side,
    comparison_picture,
    topics_by_zone,
)
from orrery.app.query.question import written
from orrery.app.session import address
from orrery.app.text.escaping import file_name, markdown_text
from orrery.app.words import comparison as words

if TYPE_CHECKING:
    from orrery.app.graph.picture import Picture
    from orrery.app.query.answers import Answer
    from orrery.core.run import Run


def show(run: Run, answers: Sequence[Answer]) -> None:
    """Draw the sentence that says what is shared, and the picture of two answers in three zones."""
    first, second = (Side(answer.question.typed, answer.posterior) for answer in answers)
    palette, selected = question_box.palette(), address.get("sel")
    zones = topics_by_zone(run, first, second)
    if not any(zones):
        st.info(words.NONE_ON)
    elif not zones[BOTH] and not (zones[FIRST] and zones[SECOND]):
        st.markdown(words.silent(_named(answers[bool(zones[FIRST])])))
    else:
        labels = [markdown_text(run.topic_labels[topic]) for topic in zones[1]]
        asked = [
            markdown_text(word.text)
            for word in first.typed
            if word.state == "present" and word in second.typed
        ]
        st.markdown(words.shared(labels, asked))
    picture_column, side_column = page.picture_and_side(side_first=False)
    with picture_column:
        drawing, reasons = st.container(key="drawing"), st.container(key="reasons")
    with drawing:
        _show_picture(run, answers, comparison_picture(run, first, second, palette))
    with reasons:
        _show_why(run, answers, selected or _surest(run, zones), palette)
    with side_column:
        if not selected:
            page.remark(hint=words.CARD_HERE)
        _show_card(run, (first, second), selected)
        what_if.show_switch(run, answers, selected)
        what_if.show_clamped(run)
    # Last, because the corpus may have to be opened first.
    with reasons:
        _show_documents(run, answers)


def _surest(run: Run, zones: Sequence[Sequence[int]]) -> str:
    """Key of the topic to explain unasked: the first of those that both switch on, or of one."""
    ranked = [topic for zone in (zones[BOTH], zones[FIRST], zones[SECOND]) for topic in zone]
    return node_key(run, ranked[0]) if ranked else ""


def _show_documents(run: Run, answers: Sequence[Answer]) -> None:
    """The nearest documents of each query under its words, side by side where there is room."""
    for place, answer, column in zip(("near", "near2"), answers, st.columns(2), strict=True):
        with column:
            nearest_panel.show(run, answer, place, words.under_query(_named(answer)))


def _named(answer: Answer) -> str:
    return markdown_text(written(answer.question.typed))


def _show_picture(run: Run, answers: Sequence[Answer], picture: Picture) -> None:
    def react(clicked: Clicked) -> None:
        if clicked.turned:
            what_if.turn(run, answers, clicked.turned)
        else:
            topic_card.select(clicked.node)

    opened = draw_graph(
        picture,
        key="comparison-graph",
        on_click=react,
        selected=address.get("sel"),
        can_turn=True,
        save_as=file_name(*(written(answer.question.typed) for answer in answers)),
        can_save_svg=False,
    )
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        rough = topic_card.roughness(*(answer.posterior for answer in answers))
        page.remark(rough, words.SIDES, hint=words.HINT)
        question_box.choose_palette()
    if is_node(opened):
        navigation.open_in_graph(opened)


def _show_why(run: Run, answers: Sequence[Answer], selected: str, palette: str) -> None:
    """Say why the selected topic is on or off, under the query that is more certain of it."""
    found = [shown_probability(run, answer.posterior) for answer in answers]
    for topic in found[0] | found[1]:
        if node_key(run, topic) == selected:
            surer = answers[int(found[1].get(topic, -1.0) > found[0].get(topic, -1.0))]
            st.caption(words.under(_named(surer)))
            why_panel.show(run, surer.posterior, selected, palette, surer.before)()


def _show_card(run: Run, sides: Sequence[Side], selected: str) -> None:
    """Show the card of the selected topic, or of the selected word."""
    left, right = (shown_estimate(run, side.posterior) for side in sides)
    for topic in left | right:
        if node_key(run, topic) == selected:
            figures = words.probabilities(left.get(topic), right.get(topic))
            topic_card.show_node(run, topic, " · ".join(figures))
    tokens = {word.token for side in sides for word in side.typed if word.key == selected} - {-1}
    for token in tokens:
        topic_card.show_node(run, run.network.graph.n_topics + token, "")
    topic_card.show_stranger(run, selected)
