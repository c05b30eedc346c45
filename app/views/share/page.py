"""Tables of a model to take along, each made when it is asked for.

The picture to print as PNG: made by Orrery as a drawing, and saved by the browser.

Share: a trained model as a page, a picture or data, each made when it is asked for.
"""

from __future__ import annotations

import io
import shlex
import tempfile
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ....core.export.registry import FORMATS, TABLES, check_export, export_files
from ....core.export.report import figure_text, run_figures, run_origin
from ....core.export.tables import ENDINGS, Asked, TableOptions, write_table
from ....core.storage.activations import FILE as ACTIVATIONS
from ....core.storage.reports import read_metrics
from ....core.utils.errors import InputError
from ...components.png_component import save_as_png
from ...shared import strings as shared_strings
from ...shell import choice, empty_states, memory, page, resources
from ...shell import strings as shell_strings
from ...text.escaping import file_name, html_text, markdown_text
from . import strings

if TYPE_CHECKING:
    from ....core.model.topic_model import Run


MEDIA = {".csv": "text/csv", ".parquet": "application/vnd.apache.parquet"}
# More documents than this are better written by the command, which keeps nothing in memory.
MANY_DOCUMENTS = 100_000


def show(run: Run) -> None:
    """List the tables with what they may hold."""
    st.subheader(strings.DATA_OUT_TITLE, anchor=False)
    st.caption(strings.DATA_OUT_SENTENCE)
    with st.container(border=True, key="tables"):
        for kind in TABLES:
            _show_table(run, kind)


def _show_table(run: Run, kind: str) -> None:
    title, sentence = strings.TABLES[kind]
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
                    strings.DATA_OUT_FORMATS[ending],
                    table_maker(run, kind, ending, options),
                    file_name=f"{file_name(choice.model_name(run), kind)}{ending}",
                    mime=MEDIA[ending],
                    key=f"table-{kind}{ending}",
                    help=strings.download(f"{title}, {strings.DATA_OUT_FORMATS[ending]}"),
                    on_click="ignore",
                    disabled=bool(problem),
                )


def _options(run: Run, kind: str) -> tuple[TableOptions, str]:
    """What is asked of a table, and a sentence where there is none to be had."""
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
        command = f"`{strings.command(shlex.quote(str(run.folder))).replace('`', '')}`"
        st.caption(strings.LARGE.format(count=corpus.n_documents, command=command))
    return TableOptions(Asked(wide=wide, errors=errors), corpus), ""


def table_maker(run: Run, kind: str, ending: str, options: TableOptions) -> Callable[[], bytes]:
    """Return a function that makes the table; only the file is in memory, not the table."""

    def make() -> bytes:
        with tempfile.TemporaryFile() as file:
            write_table(run, kind, file, ending, options)
            file.seek(0)
            return file.read()

    return make


WANTED, TIMES = "png-wanted", "png-times"


def offer(run: Run, name: str) -> None:
    """Show the button; a press makes the drawing and sends it to the browser, once."""
    st.button(
        strings.PNG, key="picture-png", help=strings.download(strings.PNG_TITLE), on_click=_ask
    )
    if not memory.recall(WANTED):
        return
    memory.forget(WANTED)
    (drawing,) = export_files(run, "svg", name).values()
    # A place of its own each time, for a picture that stays where it was is not saved again.
    key = f"png-{memory.recall(TIMES, 0)}"
    save_as_png(drawing, f"{name}-svg", failed=strings.NO_PNG, key=key)


def _ask() -> None:
    memory.remember(WANTED, True)
    memory.remember(TIMES, memory.recall(TIMES, 0) + 1)


LOOK_AT = ("explorer", "html", "svg", "report")
WORK_WITH = ("graphml", "csv", "json")
SHARE_MEDIA = {
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".graphml": "application/graphml+xml",
    ".json": "application/json",
    ".zip": "application/zip",
}
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
        _show_formats(run, strings.TO_LOOK_AT, LOOK_AT)
        _show_formats(run, strings.TO_WORK_WITH, WORK_WITH)
        show(run)
        if run.n_hidden:
            st.caption(strings.hidden(run.n_hidden))
    with card:
        _show_run_card(run)


def _show_formats(run: Run, title: str, kinds: tuple[str, ...]) -> None:
    st.subheader(title, anchor=False)
    with st.container(border=True, key=f"formats-{kinds[0]}"):
        for kind in kinds:
            _show_format(run, kind)


def _show_format(run: Run, kind: str) -> None:
    """Name a format, say what it is for, and offer it, or say why this model does not fit."""
    title, sentence = strings.FORMATS[kind]
    problem = _problem(run, kind)
    name, ending = choice.model_name(run), ".zip" if kind == "csv" else FORMATS[kind]
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(gap=None):
            st.markdown(f"**{title}**")
            st.caption(markdown_text(problem) if problem else sentence)
            with_texts = kind == "explorer" and _with_texts(run)
        with st.container(horizontal=True, width="content", gap="small"):
            if kind == "svg":
                offer(run, name)
            st.download_button(
                strings.DOWNLOAD,
                file_maker(run, kind, name, with_texts=with_texts),
                file_name=f"{name}-{kind}{ending}",
                mime=SHARE_MEDIA[ending],
                key=f"download-{kind}",
                help=strings.download(title),
                on_click="ignore",
                disabled=bool(problem),
                type="primary" if kind == LOOK_AT[0] else "secondary",
                width="content",
            )


def _problem(run: Run, kind: str) -> str:
    try:
        check_export(run, kind)
    except InputError as error:
        return shell_strings.sentence(str(error))
    return ""


def _with_texts(run: Run) -> bool:
    """Ask whether documents go along, where there are any; they do not unless that is said."""
    corpus, _ = resources.corpus_of(run)
    if corpus is None or not (run.folder / "model" / ACTIVATIONS).is_file():
        return False
    return st.checkbox(shared_strings.WITH_TEXTS, key="with-texts", help=strings.WITH_TEXTS_HELP)


def file_maker(run: Run, kind: str, name: str, *, with_texts: bool = False) -> Callable[[], bytes]:
    """Return a function that makes the file; several files become one archive."""

    def make() -> bytes:
        files = export_files(run, kind, f"{name}{FORMATS[kind]}", name, with_texts=with_texts)
        if len(files) == 1:
            return next(iter(files.values()))
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for file_name, data in files.items():
                zipped.writestr(file_name, data)
        return archive.getvalue()

    return make


def _show_run_card(run: Run) -> None:
    """Show the figures, the seed, the hashes and the versions."""
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
    """The beginning of a hash, which is enough to compare; anything else unchanged."""
    is_hash = len(text) == 64 and text.isalnum()
    return f"{text[:16]}…" if is_hash else text
