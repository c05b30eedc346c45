"""Tables of a model to take along, each made when it is asked for."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.session import choice, resources
from orrery.app.text.escaping import file_name
from orrery.app.words import data_out as words
from orrery.app.words import share as share_words
from orrery.core.exporting import TABLES
from orrery.core.exporting.document_tables import Asked
from orrery.core.exporting.tables import ENDINGS, TableOptions, write_table
from orrery.core.storage.reports import read_metrics

if TYPE_CHECKING:
    from orrery.core.run import Run

MEDIA = {".csv": "text/csv", ".parquet": "application/vnd.apache.parquet"}
# More documents than this are better written by the command, which keeps nothing in memory.
MANY_DOCUMENTS = 100_000


def show(run: Run) -> None:
    """List the tables with what they may hold."""
    st.subheader(words.TITLE, anchor=False)
    st.caption(words.SENTENCE)
    with st.container(border=True, key="tables"):
        for kind in TABLES:
            _show_table(run, kind)


def _show_table(run: Run, kind: str) -> None:
    title, sentence = words.TABLES[kind]
    row = st.container(gap=None, key=f"table-{kind}")
    options, problem = _options(run, kind)
    with (
        row,
        st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ),
    ):
        with st.container(gap=None):
            st.markdown(f"**{title}**")
            st.caption(problem or sentence)
        with st.container(horizontal=True, width="content", gap="small"):
            for ending in ENDINGS:
                st.download_button(
                    words.FORMATS[ending],
                    table_maker(run, kind, ending, options),
                    file_name=f"{file_name(choice.model_name(run), kind)}{ending}",
                    mime=MEDIA[ending],
                    key=f"table-{kind}{ending}",
                    help=share_words.download(f"{title}, {words.FORMATS[ending]}"),
                    on_click="ignore",
                    disabled=bool(problem),
                )


def _options(run: Run, kind: str) -> tuple[TableOptions, str]:
    """What is asked of a table, and a sentence where there is none to be had."""
    if kind == "training":
        has_record = (run.folder / "metrics.jsonl").is_file() and len(read_metrics(run.folder))
        return TableOptions(), "" if has_record else words.NO_TRAINING
    if kind != "documents":
        return TableOptions(), ""
    corpus, problem = resources.corpus_of(run)
    if corpus is None:
        return TableOptions(), problem
    with st.container(horizontal=True, gap="large", key="table-options"):
        wide = st.checkbox(words.WIDE, key="table-wide", help=words.WIDE_HELP)
        errors = st.checkbox(words.ERRORS, key="table-errors", help=words.ERRORS_HELP)
    if corpus.n_documents > MANY_DOCUMENTS:
        command = f"`{words.command(shlex.quote(str(run.folder))).replace('`', '')}`"
        st.caption(words.LARGE.format(count=corpus.n_documents, command=command))
    return TableOptions(Asked(wide=wide, errors=errors), corpus), ""


def table_maker(run: Run, kind: str, ending: str, options: TableOptions) -> Callable[[], bytes]:
    """Return a function that makes the table; only the file is in memory, not the table."""

    def make() -> bytes:
        with tempfile.TemporaryFile() as file:
            write_table(run, kind, file, ending, options)
            file.seek(0)
            return file.read()

    return make
