"""The table of topics that can be edited, a page at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import page
from orrery.app.panels import names_drafts
from orrery.app.session import address, memory
from orrery.app.topics.naming import said_in, table
from orrery.app.words import names as words
from orrery.core.naming.topic_table import TopicRow
from orrery.core.overlay import LONGEST_LABEL, LONGEST_NOTE

if TYPE_CHECKING:
    from streamlit.elements.lib.column_types import ColumnConfig

    from orrery.core.run import Run

ROW, HEAD, MOST_HEIGHT = 33, 35, 560


def turn_pages(number: int, pages: int) -> None:
    """Buttons to the pages before and after, where there are several."""
    if pages == 1:
        return
    with st.container(horizontal=True, width="content", vertical_alignment="center"):
        _page_button(words.PREVIOUS, ":material/chevron_left:", number - 1, pages)
        st.caption(words.page_of(number, pages), width="content")
        _page_button(words.NEXT, ":material/chevron_right:", number + 1, pages)


def _page_button(label: str, icon: str, to: int, pages: int) -> None:
    st.button(
        label,
        icon=icon,
        key=f"names-{label}",
        disabled=not 1 <= to <= pages,
        on_click=address.put,
        args=("page", "" if to == 1 else str(to)),
        type="tertiary",
    )


def show(run: Run, rows: list[TopicRow], checked: int | None, *, is_fixed: bool) -> None:
    """Draw the table; what is typed becomes a draft at once.

    Parameters
    ----------
    run : Run
    rows : list of TopicRow
    checked : int or None
        How many documents were asked for their topics; None where none were.
    is_fixed : bool
        Whether nothing can be changed.
    """
    ids = tuple(row.id for row in rows)
    # What was typed is told by the numbers of rows, so other rows are another table.
    key = f"names-table-{names_drafts.table_round()}-{hash((str(run.folder), ids))}"
    fixed = [words.COLUMNS[name] for name in ("id", "words", "documents")]
    st.data_editor(
        table(rows, names_drafts.of(run)),
        key=key,
        hide_index=True,
        height=min(MOST_HEIGHT, HEAD + ROW * len(rows)),
        column_config=_columns(checked),
        disabled=True if is_fixed else fixed,
        on_change=partial(_typed, run, ids, key),
        alt=words.TABLE_ALT,
    )


def _typed(run: Run, ids: tuple[str, ...], key: str) -> None:
    edited = (memory.recall(key) or {}).get("edited_rows", {})
    try:
        names_drafts.add(run, said_in(ids, edited))
    except page.FAILURES as error:
        names_drafts.refuse(error)
        names_drafts.begin_anew()


def _columns(checked: int | None) -> dict[str, ColumnConfig]:
    column, named = st.column_config, words.COLUMNS
    counted = words.DOCUMENTS_UNKNOWN if checked is None else words.documents_help(checked)
    return {
        named["id"]: column.TextColumn(width=80, pinned=True),
        named["name"]: column.TextColumn(width=200, max_chars=LONGEST_LABEL, help=words.NAME_HELP),
        named["words"]: column.TextColumn(width=330, help=words.WORDS_HELP),
        named["documents"]: column.NumberColumn(width=95, help=counted, format="localized"),
        named["note"]: column.TextColumn(width=150, max_chars=LONGEST_NOTE, help=words.NOTE_HELP),
        named["hidden"]: column.CheckboxColumn(width=75, help=words.HIDDEN_HELP),
    }
