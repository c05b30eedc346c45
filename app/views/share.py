"""Share: a trained model as a page, a picture or data, each made when it is asked for."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import empty_states, page
from orrery.app.panels import data_out, picture_png
from orrery.app.session import choice, resources
from orrery.app.text.escaping import html_text, markdown_text
from orrery.app.words import common
from orrery.app.words import share as words
from orrery.core.errors import InputError
from orrery.core.exporting import FORMATS, check_export, export_files
from orrery.core.exporting.as_report import figure_text, run_figures, run_origin
from orrery.core.storage.activations import FILE as ACTIVATIONS

if TYPE_CHECKING:
    from orrery.core.run import Run

LOOK_AT = ("explorer", "html", "svg", "report")
WORK_WITH = ("graphml", "csv", "json")
MEDIA = {
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
    run = empty_states.headed_run(words.TITLE, words.SENTENCE, words.EMPTY)
    if run is None:
        return
    files, card = page.picture_and_side(side_first=False)
    with files:
        _show_formats(run, words.TO_LOOK_AT, LOOK_AT)
        _show_formats(run, words.TO_WORK_WITH, WORK_WITH)
        data_out.show(run)
        if run.n_hidden:
            st.caption(words.hidden(run.n_hidden))
    with card:
        _show_run_card(run)


def _show_formats(run: Run, title: str, kinds: tuple[str, ...]) -> None:
    st.subheader(title, anchor=False)
    with st.container(border=True, key=f"formats-{kinds[0]}"):
        for kind in kinds:
            _show_format(run, kind)


def _show_format(run: Run, kind: str) -> None:
    """Name a format, say what it is for, and offer it, or say why this model does not fit."""
    title, sentence = words.FORMATS[kind]
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
                picture_png.offer(run, name)
            st.download_button(
                words.DOWNLOAD,
                file_maker(run, kind, name, with_texts=with_texts),
                file_name=f"{name}-{kind}{ending}",
                mime=MEDIA[ending],
                key=f"download-{kind}",
                help=words.download(title),
                on_click="ignore",
                disabled=bool(problem),
                type="primary" if kind == LOOK_AT[0] else "secondary",
                width="content",
            )


def _problem(run: Run, kind: str) -> str:
    try:
        check_export(run, kind)
    except InputError as error:
        return common.sentence(str(error))
    return ""


def _with_texts(run: Run) -> bool:
    """Ask whether documents go along, where there are any; they do not unless that is said."""
    corpus, _ = resources.corpus_of(run)
    if corpus is None or not (run.folder / "model" / ACTIVATIONS).is_file():
        return False
    return st.checkbox(words.WITH_TEXTS, key="with-texts", help=words.WITH_TEXTS_HELP)


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
    st.subheader(words.RUN_CARD, anchor=False, help=words.RUN_CARD_HELP)
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
