"""Apply to new texts: upload them, and download their topics as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from ....core.model.topic_model import Run
from ...shell import choice, page
from ...text.safe_text import markdown_text
from ...workspace import applied_texts, catalog, uploads
from . import strings

POLL_SECONDS = 1.0
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
    found = applied_texts.read_applying(catalog.workspace(), run.folder, source)
    if found.state == "going":
        st.fragment(_show_progress, run_every=POLL_SECONDS)(run, source)
        return
    if found.state == "failed":
        page.show_error(found.message)
    if found.state == "done":
        _show_result(run, source, found.summary)
        return
    st.button(
        strings.APPLY_START,
        key="apply-start",
        type="primary",
        on_click=_begin,
        args=(run.folder, source),
    )


def _begin(run: Path, source: Path) -> None:
    with page.failures_shown():
        applied_texts.begin(catalog.workspace(), run, source)


def _show_progress(run: Run, source: Path) -> None:
    found = applied_texts.read_applying(catalog.workspace(), run.folder, source)
    if found.state != "going":
        st.rerun()
    st.progress(found.share, strings.APPLYING)


def _show_result(run: Run, source: Path, summary: dict[str, Any]) -> None:
    for line in strings.applied(summary):
        st.markdown(line)
    words = [word for word, _ in summary.get("unknown_words", [])[:N_WORDS]]
    if words:
        listed = ", ".join(f"*{markdown_text(word)}*" for word in words)
        st.caption(strings.APPLY_UNKNOWN.format(words=listed))
    table = applied_texts.table_of(catalog.workspace(), run.folder, source)
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
