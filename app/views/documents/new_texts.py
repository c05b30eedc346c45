"""Apply to new texts: upload them, and download their topics as a table."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from ....core.data.columns import trained_columns
from ....core.data.readers import ColumnPreview, open_source, preview_columns
from ....core.model.topic_model import Run
from ...shared import strings as shared_strings
from ...shell import choice, memory, page
from ...text.safe_text import markdown_text
from ...workspace import applied_texts, catalog, uploads
from . import strings

POLL_SECONDS = 1.0
# State key of the columns of the upload.
OPENED = "apply-opened"
# Unknown words that are named.
N_WORDS = 8


def show(run: Run) -> None:
    """Draw the upload, and the progress, summary and download of the result."""
    with st.expander(strings.APPLY, key="apply-texts"):
        st.caption(strings.APPLY_SENTENCE)
        files = st.file_uploader(
            strings.APPLY_UPLOAD,
            accept_multiple_files=True,
            key="apply-upload",
            help=strings.APPLY_HELP,
            label_visibility="collapsed",
        )
        if not files:
            return
        with page.failures_shown():
            _show_source(run, uploads.keep_uploads(catalog.workspace(), files))


def _show_source(run: Run, source: Path) -> None:
    text = _choose_text(run, source)
    if text is None:
        return
    found = applied_texts.read_applying(catalog.workspace(), run.folder, source, text)
    if found.state == "going":
        st.fragment(_show_progress, run_every=POLL_SECONDS)(run, source, text)
        return
    if found.state == "failed":
        page.show_error(found.message)
    if found.state == "done":
        _show_result(run, source, text, found.summary)
        if not found.has_old_names:
            return
        st.info(strings.OTHER_NAMES)
    st.button(
        strings.APPLY_AGAIN if found.state == "done" else strings.APPLY_START,
        key="apply-start",
        type="primary",
        on_click=_begin,
        args=(run.folder, source, text),
    )


def _choose_text(run: Run, source: Path) -> tuple[str, ...] | None:
    """Text columns of a table; None until one is chosen, and () for a source without columns."""
    # A folder has only texts, which need not be read for this.
    if source.is_dir():
        return ()
    with st.spinner(strings.APPLY_READING, show_time=True):
        preview = memory.made_once(OPENED, source, lambda: preview_columns(open_source(source)))
    names = preview.columns
    if len(names) < 2:
        return names
    text, reason = _default_text(run, preview)
    note = st.container()
    with st.popover(strings.APPLY_COLUMNS) if text else nullcontext():
        chosen = st.multiselect(
            strings.APPLY_COLUMNS,
            names,
            default=text,
            # Another model or upload has other defaults.
            key=f"apply-text-{run.folder.name}-{source.parent.name}",
            help=shared_strings.TEXT_HELP,
            placeholder=shared_strings.TEXT_HINT,
        )
    if not chosen:
        note.info(strings.NO_COLUMN if text else markdown_text(shared_strings.choose_text(names)))
    elif text:
        because = reason if tuple(chosen) == text else ""
        note.caption(markdown_text(strings.text_columns(chosen, because)))
    return tuple(chosen) or None


def _default_text(run: Run, preview: ColumnPreview) -> tuple[tuple[str, ...], str]:
    """Text columns that ``orrery apply`` uses by default, if any, and the reason."""
    trained = trained_columns(preview.columns, run.recipe.text_columns)
    if trained:
        return trained, strings.AS_TRAINED
    guess = preview.guess.text
    return ((guess,) if isinstance(guess, str) else ()), preview.reason


def _begin(run: Path, source: Path, text: tuple[str, ...]) -> None:
    with page.failures_shown():
        applied_texts.begin(catalog.workspace(), run, source, text)


@page.failures_shown()
def _show_progress(run: Run, source: Path, text: tuple[str, ...]) -> None:
    found = applied_texts.read_applying(catalog.workspace(), run.folder, source, text)
    if found.state != "going":
        st.rerun()
    st.progress(found.share, strings.APPLYING)


def _show_result(run: Run, source: Path, text: tuple[str, ...], summary: dict[str, Any]) -> None:
    for line in strings.applied(summary):
        st.markdown(line)
    words = [word for word, _ in summary.get("unknown_words", [])[:N_WORDS]]
    if words:
        listed = ", ".join(f"*{markdown_text(word)}*" for word in words)
        st.caption(strings.APPLY_UNKNOWN.format(words=listed))
    table = applied_texts.table_of(catalog.workspace(), run.folder, source, text)
    st.download_button(
        strings.APPLY_DOWNLOAD,
        table.read_bytes,
        file_name=f"{choice.model_name(run)}-topics-of-{_name_of(source)}.csv",
        mime="text/csv",
        key="apply-download",
        help=strings.APPLY_DOWNLOAD_HELP,
        on_click="ignore",
        type="primary",
    )


def _name_of(source: Path) -> str:
    """Name of the uploaded file, or of the first of several files, without its ending."""
    files = sorted(source.iterdir()) if source.is_dir() else [source]
    return files[0].stem if files else "texts"
