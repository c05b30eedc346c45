"""Drafts: unsaved changes of names by one visitor, which are kept across pages and then saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st

from ....core.model.overlay import ConflictError, Edit, Field, apply_edits
from ....core.model.topic_model import Run
from ....core.storage.overlay import change_overlay, read_history, undo_change
from ...shared import strings as shared_strings
from ...shared.naming import Drafts, changes_table, warnings, with_drafts
from ...shell import memory, page
from ...text.safe_text import markdown_text
from . import strings

# Drafts and conflicts are by the folder of their model.
DRAFTS, ROUND, CONFLICT, REFUSAL = "name-drafts", "name-round", "name-conflict", "name-refusal"
LIST_HEIGHT = 250
# The browser asks before it leaves a page with unsaved changes. The number makes it run again.
ASK_ON_LEAVING = """<script>
// {count} unsaved changes.
window.onbeforeunload = {count} ? (event) => event.preventDefault() : null;
</script>"""
ROW, HEAD = 33, 35


def of(run: Run) -> Drafts:
    """Drafts of a model; other models have drafts of their own."""
    drafts: Drafts = memory.recall(DRAFTS, {}).get(str(run.folder), {})
    return drafts


def add(run: Run, changes: Mapping[str, Mapping[Field, str]]) -> int:
    """Add changes of topics to the drafts, and return the number of new drafts.

    Raises
    ------
    InputError
        If a name or note is invalid; then no change is added.
    """
    before = of(run)
    after = with_drafts(before, run.overlay, changes)
    _keep(DRAFTS, run, after)
    return sum(before.get(key) != edit for key, edit in after.items())


def table_round() -> int:
    """Number in the key of the table; a new number discards the text typed into the table."""
    return int(memory.recall(ROUND, 0))


def begin_anew() -> None:
    """Discard the text typed into the table, so that it shows the current names and drafts."""
    memory.remember(ROUND, table_round() + 1)


def refuse(error: Exception) -> None:
    """Store an error, which is shown when the page is drawn again."""
    memory.remember(REFUSAL, error)


def _keep(name: str, run: Run, edits: Drafts | tuple[Edit, ...]) -> None:
    """Store the drafts or the conflicts of a model; other models keep theirs."""
    folder = str(run.folder)
    others = {key: kept for key, kept in memory.recall(name, {}).items() if key != folder}
    memory.remember(name, others | ({folder: edits} if edits else {}))


def _drop(run: Run) -> None:
    _keep(DRAFTS, run, {})
    _keep(CONFLICT, run, ())
    begin_anew()


def buttons(run: Run, *, is_fixed: bool) -> None:
    """Draw undo, discard and save; disabled buttons stay, so that the table does not move."""
    edits = tuple(of(run).values())
    steps = read_history(run.folder / "model")
    last = steps[-1] if steps else None
    st.button(
        strings.UNDO,
        key="undo-names",
        icon=":material/undo:",
        help=run.terms.translated(strings.step(last.edits)) if last else strings.NO_UNDO,
        disabled=is_fixed or last is None,
        on_click=_undo,
        args=(run, last.number if last else 0),
    )
    st.button(strings.DISCARD, key="discard-names", disabled=not edits, on_click=_drop, args=(run,))
    st.button(
        strings.save(len(edits)),
        key="save-names",
        type="primary",
        disabled=not edits or is_fixed,
        on_click=_save,
        args=(run, edits),
    )


def show_troubles(run: Run) -> None:
    """Show the stored error, and conflicts with changes by other visitors."""
    refusal = memory.recall(REFUSAL)
    if refusal is not None:
        memory.forget(REFUSAL)
        page.show_failure(refusal)
    edits: tuple[Edit, ...] = memory.recall(CONFLICT, {}).get(str(run.folder), ())
    drafts = of(run)
    # A draft may have been taken back since the conflict, or made anew.
    conflicting = tuple(
        edit
        for edit in edits
        if (draft := drafts.get((edit.topic, edit.field))) and draft.before != edit.before
    )
    if not conflicting:
        return
    with st.container(border=True, key="name-conflict"):
        st.warning(strings.CONFLICT)
        shown = (
            replace(drafts[edit.topic, edit.field], before=edit.before) for edit in conflicting
        )
        _show_list(run, tuple(shown), (strings.THEIRS, strings.MINE))
        with st.container(horizontal=True):
            for name, key, are_mine in (
                (strings.KEEP_MINE, "keep-mine", True),
                (strings.KEEP_THEIRS, "keep-theirs", False),
            ):
                st.button(name, key=key, on_click=_resolve, args=(run, conflicting, are_mine))


def show_changes(run: Run) -> None:
    """List the drafts, and warnings about them."""
    edits = tuple(of(run).values())
    # Drafts of a removed model can never be saved.
    by_folder = {
        name: drafts for name, drafts in memory.recall(DRAFTS, {}).items() if Path(name).is_dir()
    }
    with st.container(key="ask-on-leaving"):
        count = sum(map(len, by_folder.values()))
        st.html(ASK_ON_LEAVING.format(count=count), unsafe_allow_javascript=True)
    others = [Path(name).name for name in by_folder if name != str(run.folder)]
    if others:
        st.caption(markdown_text(strings.unsaved_elsewhere(others)))
    if not edits:
        return
    with st.container(border=True, key="name-changes"):
        st.markdown(f"**{strings.unsaved(len(edits))}**")
        for sentence in warnings(run, edits):
            st.markdown(markdown_text(run.terms.translated(sentence)))
        _show_list(run, edits, (shared_strings.NAMES_BEFORE, shared_strings.AFTER))


def _show_list(run: Run, edits: tuple[Edit, ...], columns: tuple[str, str]) -> None:
    st.dataframe(
        changes_table(run, edits, columns),
        hide_index=True,
        height=min(LIST_HEIGHT, HEAD + ROW * len(edits)),
    )


def _resolve(run: Run, conflicting: tuple[Edit, ...], are_mine: bool) -> None:
    """Save the drafts over the changes by others, or drop the conflicting drafts; save the rest."""
    drafts = dict(of(run))
    for edit in conflicting:
        # After a second click, the draft is gone.
        if (edit.topic, edit.field) not in drafts:
            continue
        if are_mine:
            # The draft may have been changed since the conflict.
            mine = drafts[edit.topic, edit.field]
            drafts[edit.topic, edit.field] = replace(mine, before=edit.before)
        else:
            del drafts[edit.topic, edit.field]
    _keep(DRAFTS, run, drafts)
    _keep(CONFLICT, run, ())
    _save(run, tuple(drafts.values()))


def _save(run: Run, edits: tuple[Edit, ...]) -> None:
    try:
        change_overlay(run.folder / "model", lambda overlay: apply_edits(overlay, edits))
    except ConflictError as error:
        _keep(CONFLICT, run, error.edits)
        return
    except page.FAILURES as error:
        refuse(error)
        return
    _drop(run)


def _undo(run: Run, number: int) -> None:
    try:
        undo_change(run.folder / "model", number)
    except page.FAILURES as error:
        refuse(error)
    begin_anew()
