"""The Corpus page: read texts, preview which words the recipe keeps and drops, save."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ....core.data.columns import ColumnChoice, date_columns
from ....core.data.corpus import Corpus, build_corpus
from ....core.data.folders import file_fingerprint
from ....core.data.languages import languages_of
from ....core.data.mail import (
    MIN_QUOTING,
    begin_with_headers,
    share_with_quotations,
    without_header,
)
from ....core.data.markup import find_markup
from ....core.data.passages import NONE, PARAGRAPHS, TURNS, have_dated_turns, suitable_rule
from ....core.data.raw import RawDocuments, RawMatrix, RawTable
from ....core.data.readers import ColumnPreview, documents_of, open_source, preview_columns
from ....core.data.recipe import Recipe
from ....core.data.report import ImportReport
from ....core.data.tables import TableOptions
from ....core.data.vocabulary import FEW_DOCUMENTS, are_few_and_long
from ....core.storage.corpora import read_description, save_corpus
from ....core.utils.types import ProgressCallback
from ...shared import strings as shared_strings
from ...shell import choice, loaders, memory, page, routing
from ...shell.page import controls_and_picture
from ...text.safe_text import markdown_text
from ...workspace import catalog, uploads
from ...workspace.facets import MAX_LABELS
from . import controls as corpus_controls
from . import graph_adoption, strings
from . import report as corpus_report
from .controls import UPLOAD_ROUND, Found, key_of

# State keys of the steps of an import; the session keeps the last result of each step.
OPENED, READ, FOUND, APPLIED = "corpus-opened", "corpus-read", "corpus-found", "corpus-applied"
# State key of the current upload, since the uploader drops its files on another page.
UPLOADED = "corpus-uploaded"


@dataclass(frozen=True)
class Source:
    """File or folder to import, with a fingerprint, so that it is read again after a change."""

    path: Path
    fingerprint: str
    encoding: str | None
    table: TableOptions
    sheet: str | None = None
    passages: str | None = None  # rule by which documents are divided
    date_order: str | None = None


def render() -> None:
    """Draw the page."""
    page.headline(strings.TITLE, strings.SENTENCE)
    controls, picture = controls_and_picture()
    try:
        with controls:
            source = _choose_source()
        if source is None:
            with picture:
                _show_current()
        else:
            _import(source, controls, picture)
    except page.FAILURES as error:
        with picture:
            page.show_failure(error)


def _choose_source() -> Source | None:
    """Upload or path on the server, or None."""
    with st.container(key="corpus-source"):
        st.subheader(strings.ADD, anchor=False)
        key = key_of("corpus-upload")
        files = st.file_uploader(
            strings.UPLOAD,
            accept_multiple_files=True,
            key=key,
            help=strings.UPLOAD_HELP,
            on_change=memory.forget,
            args=(UPLOADED,),
        )
        goes_on = st.container()
        typed = st.text_input(
            strings.PATH, placeholder=strings.PATH_HINT, **memory.lasting(f"{key}-path")
        )
        with goes_on:
            before = None if files or typed.strip() else _uploaded_before()
        table_controls = st.container()
    if files:
        path = uploads.keep_uploads(catalog.workspace(), files)
        memory.remember(UPLOADED, path)
    elif typed.strip():
        path = uploads.typed_path(typed)
    elif before:
        path = before
    else:
        return None
    if graph_adoption.is_offered(path):
        # Nothing of a graph is read as text.
        return Source(path, file_fingerprint(path), None, TableOptions())
    with table_controls:
        encoding = corpus_controls.choose_encoding()
        table = corpus_controls.choose_table(path)
        sheet = corpus_controls.choose_sheet(path)
        is_matrix = path.suffix.lower() in uploads.MAIN_SUFFIXES
        passages = None if is_matrix else corpus_controls.choose_passages()
    if not corpus_controls.takes_encoding(path):
        encoding = None
    with st.spinner(strings.READING, show_time=True):
        return Source(path, file_fingerprint(path), encoding, table, sheet, passages)


def _uploaded_before() -> Path | None:
    """Unfinished upload of an earlier visit to the page, drawn with a button to remove it."""
    path: Path | None = memory.recall(UPLOADED)
    if path is None or not path.exists():
        return None
    with st.container(horizontal=True, vertical_alignment="center", key="corpus-uploaded"):
        st.caption(markdown_text(strings.UPLOADED_BEFORE.format(name=path.name)), width="content")
        st.button(
            strings.DROP,
            key="corpus-drop",
            type="tertiary",
            on_click=_start_afresh,
            args=(path,),
        )
    return path


def _import(source: Source, controls: DeltaGenerator, picture: DeltaGenerator) -> None:
    """Draw the controls for columns and recipe on the left, and the preview on the right."""
    if graph_adoption.is_offered(source.path):
        with picture:
            graph_adoption.offer(source.path, _start_afresh)
        return
    with picture, st.spinner(strings.READING, show_time=True):
        opened, columns = _open(source)
    with controls:
        passages_hint = st.container()
        # Other names of columns need other controls.
        names = f"{source.fingerprint}-{hash(columns.columns)}"
        choice = corpus_controls.choose_columns(columns, names)
        date_order = st.container()
        if choice.date:
            with date_order:
                source = replace(source, date_order=corpus_controls.choose_date_order())
    if columns.columns and choice.text is None:
        with picture:
            st.info(markdown_text(shared_strings.choose_text(columns.columns)))
            corpus_report.show_rows(columns.rows)
        return
    with picture, st.spinner(strings.READING, show_time=True):
        raw = memory.made_once(
            READ,
            (source, choice),
            lambda: documents_of(opened, choice, source.passages, source.date_order),
        )
    with picture, st.spinner(strings.LOOKING, show_time=True):
        found = None if isinstance(raw, RawMatrix) else _found(source, choice, raw)
    if isinstance(raw, RawDocuments) and found and found.have_dates:
        with date_order:
            source = replace(source, date_order=corpus_controls.choose_date_order())
        raw = replace(raw, date_order=source.date_order)
    if found and found.passages and source.passages is None:
        passages_hint.caption(strings.passages_offered(*found.passages))
    with controls:
        recipe = corpus_controls.choose_recipe(found)
    with picture:
        is_whole = isinstance(raw, RawDocuments) and raw.passages == NONE
        if found and is_whole and len(raw.table) < FEW_DOCUMENTS:
            are_long = are_few_and_long(len(raw.table), found.n_words)
            rule = found.passages[0] if found.passages else PARAGRAPHS
            st.warning(strings.few_texts(len(raw.table), rule if are_long else ""))
        corpus, report = _apply(source, choice, recipe, raw)
        _save_row(source, corpus, report)
        labels = corpus.documents["label"].nunique()
        if labels > MAX_LABELS:
            st.info(strings.MANY_LABELS.format(labels=labels, most=MAX_LABELS))
        corpus_report.show(report.as_dict(), strings.READ_NOTE)
        corpus_report.show_rows(columns.rows)


def _save_row(source: Source, corpus: Corpus, report: ImportReport) -> None:
    """Draw the headline of the preview, the name, and the buttons; save if it is requested."""
    st.subheader(markdown_text(strings.PREVIEW_OF.format(name=source.path.name)), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus-save"):
        key = key_of(f"corpus-name-{source.path}")
        taken = [place.name for place in catalog.corpora()]
        suggested = uploads.free_name(uploads.corpus_name(source.path), taken)
        name = st.text_input(strings.NAME, suggested, **memory.lasting(key), width=280)
        is_saved = st.button(strings.SAVE, type="primary", key="corpus-save-button")
        st.button(strings.CANCEL, key="corpus-discard", on_click=_start_afresh, args=(source.path,))
    if is_saved:
        # After a refusal, the preview is drawn as before.
        with page.failures_shown():
            folder = uploads.corpus_path(catalog.workspace(), name)
            with st.spinner(strings.SAVING):
                save_corpus(corpus, folder, report)
            choice.choose_corpus(folder.name)
            _start_afresh(source.path)
            st.rerun()


def _start_afresh(path: Path) -> None:
    """Reset the import: drop the results of all steps, and give the controls new keys."""
    memory.forget(OPENED, READ, FOUND, APPLIED, UPLOADED)
    uploads.discard(catalog.workspace(), path)
    memory.remember(UPLOAD_ROUND, memory.recall(UPLOAD_ROUND, 0) + 1)


def _show_current() -> None:
    """Show the report of the current corpus, or a note if there is no corpus."""
    place = choice.corpus_place()
    if place is None:
        with st.container(border=True, key="empty-state"):
            st.subheader(strings.EMPTY_TITLE, anchor=False)
            st.write(strings.EMPTY)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="corpus-head"):
        st.subheader(markdown_text(place.name), anchor=False, width="stretch")
        if st.button(strings.TO_TRAIN, type="primary", key="corpus-train"):
            routing.go_to("train")
    report = read_description(place.folder).get("report")
    if report:
        corpus_report.show(report, strings.READ_NOTE_SAVED)
    else:
        st.caption(strings.NO_REPORT)
    corpus_report.show_documents(loaders.open_corpus(place.folder).documents)


def _open(source: Source) -> tuple[RawTable | RawDocuments | RawMatrix, ColumnPreview]:
    """Content of the source and preview of its columns; draws a bar while reading."""

    def read() -> tuple[RawTable | RawDocuments | RawMatrix, ColumnPreview]:
        with _bar(OPENED, source) as progress:
            opened = open_source(
                source.path,
                encoding=source.encoding,
                sheet=source.sheet,
                passages=source.passages,
                progress=progress,
                options=source.table,
            )
        return opened, preview_columns(opened)

    return memory.made_once(OPENED, source, read)


def _found(source: Source, choice: ColumnChoice, raw: RawDocuments) -> Found:
    def look() -> Found:
        texts = raw.table["text"].tolist()
        is_undated = raw.passages == TURNS and not date_columns(raw.table)
        have_dates = is_undated and have_dated_turns(texts)
        passages = suitable_rule(texts) if raw.passages == NONE else None
        n_words = sum(map(len, map(str.split, texts))) if len(texts) < FEW_DOCUMENTS else 0
        markup, have_headers = find_markup(texts), begin_with_headers(texts)
        if have_headers:
            texts = [without_header(text) for text in texts]
        return Found(
            languages_of(texts),
            have_headers,
            share_with_quotations(texts) >= MIN_QUOTING,
            find_markup(texts) if have_headers else markup,
            markup,
            passages,
            n_words,
            have_dates,
        )

    return memory.made_once(FOUND, (source, choice), look)


def _apply(
    source: Source, choice: ColumnChoice, recipe: Recipe, raw: RawDocuments | RawMatrix
) -> tuple[Corpus, ImportReport]:
    """Corpus and report by a recipe; draws a bar while building."""

    def build() -> tuple[Corpus, ImportReport]:
        with _bar(APPLIED, source, strings.APPLYING) as progress:
            return build_corpus(raw, recipe, progress)

    return memory.made_once(APPLIED, (source, choice, recipe), build)


@contextmanager
def _bar(name: str, source: Source, text: str | None = None) -> Iterator[ProgressCallback]:
    """Progress callback that draws a bar with a stop button; short work shows no bar.

    A click elsewhere on the page ends the work, since Streamlit stops the script at a report.
    """
    place = st.empty()
    bars: list[DeltaGenerator] = []

    def draw(share: float) -> None:
        if share and not bars:
            with place.container(key=f"{name}-bar"):
                bars.append(st.progress(share))
                key = f"{name}-stop"
                st.button(strings.STOP, key=key, on_click=_start_afresh, args=(source.path,))
        for bar in bars:
            bar.progress(share, text)

    try:
        yield draw
    finally:
        place.empty()
