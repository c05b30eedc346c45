"""The Share page: download a model as a page, a picture, data or tables."""

from __future__ import annotations

import io
import shlex
import tempfile
import zipfile
from collections.abc import Callable

import streamlit as st

from ....core.export.formats import FORMATS, TABLE_FILES, TABLES, export_files
from ....core.export.report import figure_text, run_figures, run_origin
from ....core.export.tables import TableOptions, write_table
from ....core.model.topic_model import Run
from ....core.storage.activations import FILE as ACTIVATIONS
from ....core.storage.reports import read_metrics
from ....core.utils.errors import InputError
from ...components.buttons import save_as_png
from ...shared import strings as shared_strings
from ...shell import choice, empty_states, memory, page, resources
from ...shell import strings as shell_strings
from ...text.safe_text import file_name, html_text, markdown_text
from . import strings

# For more documents the page recommends the command, which keeps no file in memory.
MANY_DOCUMENTS = 100_000
WANTED, TIMES = "png-wanted", "png-times"
FACT = (
    '<div style="font-size:.8rem;opacity:.7;line-height:1.3">{name}</div>'
    '<div class="figures" style="margin:0 0 8px;overflow-wrap:anywhere">{text}</div>'
)


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(strings.TITLE, strings.SENTENCE, strings.EMPTY)
    if run is None:
        return
    files, card = page.picture_and_side(side_first=False)
    with files:
        for purpose, title in strings.PURPOSES.items():
            st.subheader(title, anchor=False)
            kinds = [kind for kind, each in FORMATS.items() if each.purpose == purpose]
            with st.container(border=True, key=f"formats-{kinds[0]}"):
                for kind in kinds:
                    _show_format(run, kind)
        show_tables(run)
        if run.n_hidden:
            st.caption(run.terms.translated(strings.hidden(run.n_hidden)))
    with card:
        _show_run_card(run)


def show_tables(run: Run) -> None:
    """Draw the tables with their options."""
    st.subheader(strings.DATA_OUT_TITLE, anchor=False)
    st.caption(strings.DATA_OUT_SENTENCE)
    with st.container(border=True, key="tables"):
        # A graph has neither documents nor a training.
        for kind in TABLES if run.has_texts else ("words",):
            _show_table(run, kind)


def _show_table(run: Run, kind: str) -> None:
    title, sentence = run.terms.in_all((TABLES[kind].title, TABLES[kind].sentence))
    row = st.container(gap=None, key=f"table-{kind}")
    options, problem = _options(run, kind)
    with (
        row,
        page.spread_row(),
    ):
        with st.container(gap=None):
            st.markdown(f"**{title}**")
            st.caption(problem or sentence)
        with st.container(horizontal=True, width="content", gap="small"):
            for extension, (name, media_type) in TABLE_FILES.items():
                st.download_button(
                    name,
                    table_maker(run, kind, extension, options),
                    file_name=f"{file_name(choice.model_name(run), kind)}{extension}",
                    mime=media_type,
                    key=f"table-{kind}{extension}",
                    help=strings.download(f"{title}, {name}"),
                    on_click="ignore",
                    disabled=bool(problem),
                )


def _options(run: Run, kind: str) -> tuple[TableOptions, str]:
    """Options of a table, and a reason if it is not available."""
    if kind == "training":
        has_record = (run.folder / "metrics.jsonl").is_file() and len(read_metrics(run.folder))
        return TableOptions(), "" if has_record else strings.NO_TRAINING
    if kind != "documents":
        return TableOptions(), ""
    corpus, problem = resources.corpus_of(run)
    if corpus is None:
        return TableOptions(), problem
    with st.container(horizontal=True, gap="large", key="table-options"):
        wide = st.checkbox(strings.WIDE, key="table-wide", help=strings.WIDE_HELP)
        errors = st.checkbox(strings.ERRORS, key="table-errors", help=strings.ERRORS_HELP)
    if corpus.n_documents > MANY_DOCUMENTS:
        command = f"`{strings.COMMAND.format(run=shlex.quote(str(run.folder))).replace('`', '')}`"
        st.caption(strings.LARGE.format(count=corpus.n_documents, command=command))
    return TableOptions(corpus, wide, errors), ""


def table_maker(run: Run, kind: str, extension: str, options: TableOptions) -> Callable[[], bytes]:
    """Function that makes a table; it keeps only the file in memory, not the table."""

    def make() -> bytes:
        with tempfile.TemporaryFile() as file:
            write_table(run, kind, file, extension, options)
            file.seek(0)
            return file.read()

    return make


def _show_png_button(run: Run, name: str) -> None:
    """Draw a button that makes the drawing, which the browser saves as PNG."""
    st.button(
        strings.PNG, key="picture-png", help=strings.download(strings.PNG_TITLE), on_click=_ask
    )
    if not memory.recall(WANTED):
        return
    memory.forget(WANTED)
    (drawing,) = export_files(run, "svg", name).values()
    # The component saves a picture once per key, so each click needs a new key.
    key = f"png-{memory.recall(TIMES, 0)}"
    save_as_png(drawing, f"{name}-svg", failed=strings.NO_PNG, key=key)


def _ask() -> None:
    memory.remember(WANTED, True)
    memory.remember(TIMES, memory.recall(TIMES, 0) + 1)


def _show_format(run: Run, kind: str) -> None:
    """Draw title, explanation and button of a format, or the reason why it is not available."""
    shown = FORMATS[kind]
    problem = _problem(run, kind)
    name, extension, media_type = choice.model_name(run), shown.extension, shown.media_type
    if shown.is_archive:
        extension, media_type = ".zip", "application/zip"
    with page.spread_row():
        with st.container(gap=None):
            st.markdown(f"**{shown.title}**")
            sentence = shown.sentence if run.has_texts else shown.of_graph or shown.sentence
            st.caption(markdown_text(problem) if problem else run.terms.translated(sentence))
            with_texts = kind == "explorer" and _with_texts(run)
        with st.container(horizontal=True, width="content", gap="small"):
            if kind == "svg":
                _show_png_button(run, name)
            st.download_button(
                strings.DOWNLOAD,
                file_maker(run, kind, name, with_texts=with_texts),
                file_name=f"{name}-{kind}{extension}",
                mime=media_type,
                key=f"download-{kind}",
                help=strings.download(shown.title),
                on_click="ignore",
                disabled=bool(problem),
                type="primary" if kind == "explorer" else "secondary",
                width="content",
            )


def _problem(run: Run, kind: str) -> str:
    try:
        FORMATS[kind].check(run)
    except InputError as error:
        return shell_strings.sentence(str(error))
    return ""


def _with_texts(run: Run) -> bool:
    """Whether to include documents, if they are available; by default they are not included."""
    corpus, _ = resources.corpus_of(run)
    if corpus is None or not (run.folder / "model" / ACTIVATIONS).is_file():
        return False
    return st.checkbox(shared_strings.WITH_TEXTS, key="with-texts", help=strings.WITH_TEXTS_HELP)


def file_maker(run: Run, kind: str, name: str, *, with_texts: bool = False) -> Callable[[], bytes]:
    """Function that makes the file; several files become one archive."""

    def make() -> bytes:
        file = f"{name}{FORMATS[kind].extension}"
        files = export_files(run, kind, file, name, with_texts=with_texts)
        if len(files) == 1:
            return next(iter(files.values()))
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for file_name, data in files.items():
                zipped.writestr(file_name, data)
        return archive.getvalue()

    return make


def _show_run_card(run: Run) -> None:
    """Draw the figures, the seed, the hashes and the versions of a run."""
    st.subheader(strings.RUN_CARD, anchor=False, help=strings.RUN_CARD_HELP)
    facts = [*run_figures(run), *run_origin(run)]
    with st.container(border=True, key="run-card"):
        st.html(
            "".join(
                FACT.format(name=html_text(name), text=html_text(_short(figure_text(value))))
                for name, value in facts
            )
        )


def _short(text: str) -> str:
    """First 16 characters of a hash; other texts unchanged."""
    is_hash = len(text) == 64 and text.isalnum()
    return f"{text[:16]}…" if is_hash else text
