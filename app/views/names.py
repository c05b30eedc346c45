"""Names: all topics in a table to be named, by hand, in a spreadsheet or by a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import empty_states
from orrery.app.panels import names_drafts, names_elsewhere, names_table, topic_edits
from orrery.app.session import address, resources
from orrery.app.topics.naming import matching, page_of
from orrery.app.words import names as words
from orrery.app.words import topic as topic_words
from orrery.core.errors import InputError
from orrery.core.naming.topic_table import table_order, topic_documents, topic_rows
from orrery.core.read_only import is_read_only
from orrery.core.storage.activations import Activations

if TYPE_CHECKING:
    from orrery.core.run import Run


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(words.TITLE, words.SENTENCE, words.EMPTY)
    if run is None:
        return
    is_fixed = topic_edits.is_fixed()
    stored = _stored(run)
    documents = topic_documents(run, stored)
    order = table_order(run, documents).tolist()
    if is_fixed and not is_read_only():
        _offer_copy()
    find, shown = _choose(run, is_fixed=is_fixed)
    found = matching(run, order, find, shown)
    page = page_of(address.get("page"), len(found))
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.caption(words.matches(len(found), len(order)), width="content")
        names_table.turn_pages(page.number, page.pages)
    rows = topic_rows(run, found[page.first : page.last], documents)
    names_drafts.show_troubles(run)
    if rows:
        checked = None if documents is None or stored is None else len(stored.rows)
        names_table.show(run, rows, checked, is_fixed=is_fixed)
    else:
        st.info(words.NOTHING)
    names_drafts.show_changes(run)
    names_elsewhere.spreadsheet(run, lambda: topic_rows(run, order, documents), is_fixed=is_fixed)
    names_elsewhere.language_model(run, found, stored, is_fixed=is_fixed)


def _stored(run: Run) -> Activations | None:
    try:
        return resources.activations(run.folder)
    except InputError:
        return None


def _offer_copy() -> None:
    """Say that the sample stays as it is, and offer a copy that does not."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(topic_words.READ_ONLY, width="content")
        if st.button(topic_words.COPY, key="copy-sample", help=topic_words.COPY_HELP):
            topic_edits.copy_model()


def _choose(run: Run, *, is_fixed: bool) -> tuple[str, str]:
    """What to show of the table, and beside it the way back."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="names-choice"):
        find = address.restore("find", "")
        st.text_input(
            words.FIND,
            key="find",
            placeholder=words.FIND_HINT,
            on_change=_keep,
            args=("find",),
            width=260,
        )
        shown = address.restore("show", words.ALL, words.SHOWN)
        st.selectbox(
            words.SHOW, words.SHOWN, key="show", on_change=_keep, args=("show",), width=200
        )
        names_drafts.buttons(run, is_fixed=is_fixed)
    return find, shown


def _keep(name: str) -> None:
    address.keep(name)
    address.put("page", "")
