"""The full card of a topic, over the page: its name, words, neighbours and how often it is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from orrery.app.panels import topic_documents, topic_edits, topic_neighbours, topic_training
from orrery.app.session import address, model_facts
from orrery.app.text.escaping import markdown_text
from orrery.app.topics.facts import (
    TopicWord,
    words_by_relevance,
    words_by_weight,
)
from orrery.app.words import topic as words
from orrery.core.overlay import LONGEST_LABEL
from orrery.core.read_only import is_read_only

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ColumnConfig

    from orrery.core.run import Run

TABLE_WORDS = 30
TABLE_HEIGHT = 352
# As they stand in the address; pyLDAvis's readers did best near 0.6 (Sievert and Shirley 2014).
SHARES = tuple(f"{tenth / 10:.1f}" for tenth in range(11))
DEFAULT_SHARE = "0.6"
ORDERS = (words.BY_RELEVANCE, words.BY_WEIGHT)


def offer(run: Run, topic: int, go_to: Callable[[str], None]) -> None:
    """Show the button that opens the full card, and the card where the address asks for it."""
    code = run.network.graph.topic_ids[topic]
    st.button(words.MORE, key="more-card", on_click=address.put, args=("card", code))
    if address.get("card") == code:
        title = markdown_text(run.topic_labels[topic])
        dialog = st.dialog(title, width="large", on_dismiss=_close)
        dialog(_show)(run, topic, go_to)


def _close() -> None:
    address.put("card", "")


def _show(run: Run, topic: int, go_to: Callable[[str], None]) -> None:
    st.caption(_how_often(run, topic))
    _show_name(run, topic)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_words(run, topic)
    with right:
        topic_neighbours.show_neighbours(run, topic, go_to)
    topic_documents.show_documents(run, topic)


def _how_often(run: Run, topic: int) -> str:
    """Id, prior probability, and how often it is on in the corpus if that is known."""
    said = words.prior(float(run.prior[topic]))
    used = model_facts.usage(run)
    if used is not None:
        said += f", {words.usage(used.on[topic], used.documents)}"
    code = run.network.graph.topic_ids[topic]
    is_hidden = topic in run.hidden_topics
    return f"{markdown_text(words.code(code, '', is_hidden=is_hidden))} · {said}."


def _show_name(run: Run, topic: int) -> None:
    """Change the name, or whether pictures show the topic."""
    if is_read_only():
        return
    code = run.network.graph.topic_ids[topic]
    own, is_hidden = run.overlay.labels.get(code), code in run.overlay.hidden
    is_fixed = topic_edits.is_fixed()
    with (
        st.form(topic_edits.key_for(run, f"name-{code}"), border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        name = st.text_input(
            words.NAME,
            value=run.topic_labels[topic],
            max_chars=LONGEST_LABEL,
            help=words.NAME_HELP,
            disabled=is_fixed,
        )
        is_named = st.form_submit_button(words.SAVE, disabled=is_fixed)
    with st.container(horizontal=True, vertical_alignment="center"):
        beneath = f"{words.ITS_WORDS}: {markdown_text(run.made_labels[topic])}"
        st.caption(words.READ_ONLY if is_fixed else beneath)
        if is_fixed and st.button(words.COPY, key="copy-sample", help=words.COPY_HELP):
            topic_edits.copy_model()
        is_back = own is not None and st.button(
            words.BACK_TO_WORDS,
            key=topic_edits.key_for(run, "back-to-words"),
            type="tertiary",
            disabled=is_fixed,
        )
        is_turned = st.button(
            words.SHOW_AGAIN if is_hidden else words.HIDE,
            key=topic_edits.key_for(run, "hide-topic"),
            help=words.HIDE_HELP,
            disabled=is_fixed,
        )
        topic_training.offer(run, topic)
    if is_named and name != run.topic_labels[topic]:
        topic_edits.change(run, lambda overlay: overlay.with_label(code, name))
    if is_back:
        topic_edits.change(run, lambda overlay: overlay.with_label(code, ""))
    if is_turned:
        topic_edits.change(run, lambda overlay: overlay.with_hidden(code, not is_hidden))


def _show_words(run: Run, topic: int) -> None:
    with st.container(horizontal=True, gap="medium"):
        order = _choose_order()
        share = float(_choose_share()) if order == words.BY_RELEVANCE else 0.0
    if order == words.BY_WEIGHT:
        found = words_by_weight(run, topic, TABLE_WORDS)
    else:
        found = words_by_relevance(run, topic, share, TABLE_WORDS)
    if not found:
        st.caption(words.NO_LINKED_WORDS if order == words.BY_WEIGHT else words.NO_WORDS)
        return
    st.dataframe(
        word_table(found),
        hide_index=True,
        height=min(TABLE_HEIGHT, 37 + 35 * len(found)),
        column_config={
            words.COLUMN_PROBABILITY: _figures(words.COLUMN_PROBABILITY_HELP),
            words.COLUMN_LIFT: _figures(words.COLUMN_LIFT_HELP),
            words.COLUMN_WEIGHT: _figures(words.COLUMN_WEIGHT_HELP),
        },
    )


def word_table(found: list[TopicWord]) -> pd.DataFrame:
    """Words as a table, with three significant digits; no weight where there is no direct link."""
    table = pd.DataFrame(
        {
            words.COLUMN_WORD: [word.text for word in found],
            words.COLUMN_PROBABILITY: [_rounded(100 * word.probability) for word in found],
            words.COLUMN_LIFT: [_rounded(word.lift) for word in found],
            words.COLUMN_WEIGHT: [_rounded(word.weight) if word.weight else None for word in found],
        }
    )
    is_linked = any(word.weight for word in found)
    return table if is_linked else table.drop(columns=words.COLUMN_WEIGHT)


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _figures(explanation: str) -> ColumnConfig:
    return st.column_config.NumberColumn(help=explanation, width="small")


def _choose_order() -> str:
    address.restore("by", ORDERS[0], ORDERS)
    chosen = st.segmented_control(
        words.ORDER,
        ORDERS,
        required=True,
        key="by",
        on_change=address.keep,
        args=("by",),
        width="content",
    )
    return chosen or ORDERS[0]


def _choose_share() -> str:
    address.restore("share", DEFAULT_SHARE, SHARES)
    return st.select_slider(
        words.SHARE,
        SHARES,
        key="share",
        on_change=address.keep,
        args=("share",),
        help=words.SHARE_HELP,
    )
