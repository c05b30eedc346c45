"""The offer to merge similar topics of a trained model, which changes only its display."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ...core.model.merging import (
    MIN_SIMILARITY,
    Merge,
    closest_merges,
    merges_to,
    with_merges,
)
from ...core.model.topic_model import Run
from ...core.storage.overlay import change_overlay, read_history, undo_change
from ...core.utils.read_only import is_read_only
from ..shell import loaders, page
from ..shell.loaders import AS_SHOWN
from ..text.safe_text import markdown_text
from . import strings as shared_strings

# Pairs that are offered, and merges that are listed before a reduction.
MAX_PAIRS, MAX_LISTED = 3, 6
NUMBER_WIDTH = 160


def show(folder: Path) -> None:
    """Draw the offer for the model in a run's folder."""
    if is_read_only():
        return
    run = loaders.open_run(folder)
    with st.expander(shared_strings.FEWER_TITLE, key=f"fewer-{folder.name}"):
        st.caption(shared_strings.FEWER_NOTE)
        _undo(run)
        shown = len(run.displayed_topics)
        if shown < 2:
            return
        merges = _merges(run)
        _pairs(run, [merge for merge in merges if merge.similarity >= MIN_SIMILARITY][:MAX_PAIRS])
        with st.container(horizontal=True, vertical_alignment="bottom", key="fewer-number"):
            least = shown - len(merges)
            wanted = st.number_input(
                shared_strings.FEWER_NUMBER,
                min_value=max(least, 1),
                max_value=shown,
                value=shown,
                key=f"fewer-n-{folder.name}-{shown}",
                width=NUMBER_WIDTH,
            )
            st.button(
                shared_strings.FEWER,
                key=f"fewer-go-{folder.name}",
                disabled=wanted == shown,
                on_click=_reduce,
                args=(run, int(wanted)),
            )
        chosen = merges[: shown - int(wanted)]
        for merge in chosen[:MAX_LISTED]:
            st.caption(_pair(run, merge))
        if len(chosen) > MAX_LISTED:
            st.caption(shared_strings.and_more(len(chosen) - MAX_LISTED))


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=AS_SHOWN)
def _merges(run: Run) -> list[Merge]:
    return closest_merges(run)


def _pairs(run: Run, merges: list[Merge]) -> None:
    for merge in merges:
        with page.spread_row(f"pair-{merge.first}-{merge.second}"):
            st.markdown(_pair(run, merge), width="stretch")
            st.button(
                shared_strings.MERGE,
                key=f"merge-{run.folder.name}-{merge.first}-{merge.second}",
                type="tertiary",
                on_click=_merge,
                args=(run, [merge]),
            )


def _pair(run: Run, merge: Merge) -> str:
    labels = (markdown_text(run.topic_labels[topic]) for topic in (merge.first, merge.second))
    return shared_strings.MERGE_GAP.join(labels)


def _reduce(run: Run, n_topics: int) -> None:
    with page.failures_shown():
        _merge(run, merges_to(run, n_topics))


def _merge(run: Run, merges: list[Merge]) -> None:
    with page.failures_shown():
        change_overlay(run.folder / "model", lambda overlay: with_merges(run, overlay, merges))


def _undo(run: Run) -> None:
    """Draw the button that undoes the last merge, if the last change was one."""
    steps = read_history(run.folder / "model")
    if not steps or any(edit.field != "merged" for edit in steps[-1].edits):
        return
    count = len(steps[-1].edits)
    st.button(
        shared_strings.undo_merge(count),
        icon=":material/undo:",
        key=f"fewer-undo-{run.folder.name}",
        on_click=_undo_last,
        args=(run.folder, steps[-1].number),
    )


def _undo_last(folder: Path, number: int) -> None:
    with page.failures_shown():
        undo_change(folder / "model", number)
