"""The Names page: an editable table of all topics, split into pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from ....core.model.overlay import MAX_LABEL, MAX_NOTE
from ....core.model.topic_model import Run
from ....core.naming.table import TopicRow, table_order, topic_documents, topic_rows
from ....core.utils.read_only import is_read_only
from ...shared import strings as shared_strings
from ...shared import topic_changes, topic_strings
from ...shared.listing import page_of
from ...shared.naming import PAGE_SIZE, edited_values, matching, table, without_made
from ...shell import address, empty_states, memory, page, resources
from . import drafts, elsewhere, strings

ROW, HEAD, MAX_HEIGHT = 33, 35, 560
# Letters of an id that fit into a narrow column.
LONG_ID = 9


def show(run: Run, rows: list[TopicRow], checked: int | None, *, is_fixed: bool) -> None:
    """Draw the table; typed text becomes a draft at once.

    ``checked`` is the number of documents with inferred topics, None if they are not stored.
    ``is_fixed`` disables all changes.
    """
    ids = tuple(row.id for row in rows)
    # Streamlit reports edits by row number, so a table with other rows needs another key.
    key = f"names-table-{drafts.table_round()}-{hash((str(run.folder), ids))}"
    named = run.terms.in_all(shared_strings.COLUMNS)
    fixed = [named[name] for name in ("id", "words", "documents")]
    st.data_editor(
        table(rows, drafts.of(run), _made(run), named),
        key=key,
        hide_index=True,
        height=min(MAX_HEIGHT, HEAD + ROW * len(rows)),
        column_config=_columns(run, named, checked),
        disabled=True if is_fixed else fixed,
        on_change=partial(_typed, run, ids, key),
        alt=run.terms.translated(strings.TABLE_ALT),
    )


def _typed(run: Run, ids: tuple[str, ...], key: str) -> None:
    edited = (memory.recall(key) or {}).get("edited_rows", {})
    try:
        values = edited_values(ids, edited)
        drafts.add(run, without_made(values, _made(run)))
        if any(not fields.get("name", "-") for fields in values.values()):
            # The cell shows the name made of words again.
            drafts.begin_anew()
    except page.FAILURES as error:
        drafts.refuse(error)
        drafts.begin_anew()


def _made(run: Run) -> dict[str, str]:
    return dict(zip(run.network.graph.topic_ids, run.made_labels, strict=True))


def _columns(
    run: Run, named: Mapping[str, str], checked: int | None
) -> dict[str, ColumnConfig | None]:
    """Columns by their names; None hides one, such as the documents of a model without texts."""
    column, translated = st.column_config, run.terms.translated
    counted = (
        strings.DOCUMENTS_UNKNOWN
        if checked is None
        else shared_strings.DOCUMENTS_HELP.format(checked=checked)
    )
    documents = column.NumberColumn(width=95, help=counted, format="localized")
    # The ids of a graph are its names, which are long, and are shown if a topic has another name.
    ids = run.network.graph.topic_ids
    longest = max(map(len, ids), default=0)
    id_column = column.TextColumn(width=80 if longest <= LONG_ID else 180, pinned=True)
    return {
        named["id"]: None if tuple(ids) == tuple(run.topic_labels) else id_column,
        named["name"]: column.TextColumn(
            width=260, max_chars=MAX_LABEL, help=translated(strings.NAME_HELP)
        ),
        named["words"]: column.TextColumn(width=330, help=translated(strings.WORDS_HELP)),
        named["documents"]: documents if run.has_texts else None,
        named["note"]: column.TextColumn(width=95, max_chars=MAX_NOTE, help=strings.NOTE_HELP),
        named["hidden"]: column.CheckboxColumn(width=75, help=translated(strings.HIDDEN_HELP)),
    }


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(shared_strings.NAMES_TITLE, strings.SENTENCE, strings.EMPTY)
    if run is None:
        return
    is_fixed = topic_changes.is_fixed()
    stored = resources.sound_activations(run)
    documents = topic_documents(run, stored)
    order = table_order(run, documents).tolist()
    if is_fixed and not is_read_only():
        # The sample cannot be changed, but a copy of it can.
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(topic_strings.READ_ONLY, width="content")
            if st.button(topic_strings.COPY, key="copy-sample", help=topic_strings.COPY_HELP):
                topic_changes.copy_model()
    find, shown = _choose(run, is_fixed=is_fixed)
    found = matching(run, order, find, shown)
    part = page_of(address.get("page"), len(found), PAGE_SIZE)
    with page.spread_row():
        matches = shared_strings.matches(len(found), len(order))
        st.caption(run.terms.translated(matches), width="content")
        page.turn_pages(part.number, part.pages)
    rows = topic_rows(run, found[part.rows], documents)
    drafts.show_troubles(run)
    if rows:
        checked = None if documents is None or stored is None else len(stored.rows)
        show(run, rows, checked, is_fixed=is_fixed)
    else:
        st.info(run.terms.translated(shared_strings.NOTHING))
    drafts.show_changes(run)
    elsewhere.spreadsheet(run, lambda: topic_rows(run, order, documents), is_fixed=is_fixed)
    elsewhere.language_model(run, found, stored, is_fixed=is_fixed)


def _choose(run: Run, *, is_fixed: bool) -> tuple[str, str]:
    """Search text and filter of the table, drawn beside the buttons for the drafts."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="names-choice"):
        find = address.restore("find", "")
        st.text_input(
            strings.FIND,
            key="find",
            placeholder=run.terms.translated(strings.FIND_HINT),
            on_change=address.keep_from_start,
            args=("find",),
            width=260,
        )
        shown = address.restore("show", shared_strings.ALL, shared_strings.SHOWN)
        st.selectbox(
            strings.SHOW,
            shared_strings.SHOWN,
            key="show",
            format_func=run.terms.translated,
            on_change=address.keep_from_start,
            args=("show",),
            width=200,
        )
        drafts.buttons(run, is_fixed=is_fixed)
    return find, shown
