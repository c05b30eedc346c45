"""Panels below and instead of the map.

The highlighted documents are listed, and can be saved as a table or as a new corpus. If there is no
map, a button makes it and a bar shows the progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.document_map.files import DocumentMap
from ....core.drawing.links import node_key
from ....core.drawing.strings import percent
from ....core.model.topic_model import Run
from ....core.storage.corpora import save_corpus
from ....core.utils.read_only import is_read_only
from ...shared import topic_documents
from ...shared.document_map import Points, table_of
from ...shared.listing import page_of
from ...shell import address, choice, empty_states, memory, page, routing
from ...text.safe_text import (
    document_text,
    excerpt,
    file_name,
    html_text,
    markdown_text,
    wanted_terms,
)
from ...workspace import catalog, document_maps, uploads
from ...workspace.facets import Facets
from ...workspace.search_index import SearchTerms
from . import strings
from .selected_documents import MoreOf, more_of

POLL_SECONDS = 0.7
# Share of the work after which `orrery map` has inferred the topics.
AFTER_TOPICS = 0.6
NOT_KEPT = "<style>.st-key-keep-view { display: none; }</style>"
EXCERPT_LETTERS = 220
# Keys of session values: the typed name, and the corpus that was made.
NAME, MADE = "map-corpus-name", "map-corpus-made"


@dataclass(frozen=True)
class Mapped:
    """A corpus with its map."""

    corpus: Corpus
    facets: Facets
    run: Run
    found: DocumentMap


def show_making(run: Path, problem: str = "") -> None:
    """Draw a button that makes the map of a run, or the progress of making it.

    Parameters
    ----------
    run : Path
        Folder of the run.
    problem : str
        Error of the existing map.
    """
    # A missing or unfinished map cannot be kept as a view.
    st.html(NOT_KEPT)
    making = document_maps.read_making(catalog.workspace(), run)
    if making.state == "going":
        st.fragment(_show_progress, run_every=POLL_SECONDS)(run)
        return
    if making.state == "failed":
        problem = f"{strings.FAILED}: {making.message}" if making.message else strings.FAILED
    if problem:
        page.show_error(problem)
    if is_read_only():
        st.info(strings.NOT_MADE_HERE)
        return
    with empty_states.box(strings.NO_MAP_TITLE, strings.NO_MAP):
        label = strings.AGAIN if problem else strings.MAKE
        st.button(label, type="primary", key="make-map", on_click=_begin, args=(run,))


def _begin(run: Path) -> None:
    with page.failures_shown():
        document_maps.begin(catalog.workspace(), run)


def _show_progress(run: Path) -> None:
    making = document_maps.read_making(catalog.workspace(), run)
    if making.state != "going":
        st.rerun()
    with empty_states.box():
        is_early = making.share < AFTER_TOPICS
        st.progress(making.share, strings.MAKING if is_early else strings.PLACING, width=520)
        if not is_read_only():
            st.button(strings.STOP, key="stop-map", on_click=document_maps.stop,
                      args=(catalog.workspace(), run))  # fmt: skip


def show_summary(mapped: Mapped, points: Points, rows: npt.NDArray[np.int64]) -> None:
    """Draw the topics, words, labels and years that the selected documents have more of."""
    every = np.sort(points.rows)
    facets, run = mapped.facets, mapped.run
    kinds = more_of(mapped.corpus, facets, run, mapped.found.on, every, np.isin(every, rows))
    kinds = {kind: found for kind, found in kinds.items() if found}
    if not kinds:
        return
    st.markdown(f"**{strings.MORE_OF}**", help=strings.MORE_OF_HELP)
    names = {"label": facets.label_name, "year": facets.date_name}
    for column, (kind, found) in zip(
        st.columns(len(kinds), gap="medium"), kinds.items(), strict=True
    ):
        with column, st.container(gap=None, key=f"more-of-{kind}"):
            st.caption(markdown_text(names.get(kind, "")) or strings.KINDS[kind])
            for number, part in enumerate(found):
                _show_part(run, kind, part, f"more-{kind}-{number}")


def _show_part(run: Run, kind: str, part: MoreOf, key: str) -> None:
    figures = strings.SHARES.format(here=percent(part.here), elsewhere=percent(part.elsewhere))
    look = f"opacity:{1.0 if part.is_certain else 0.7}"
    if kind == "topic":
        label = markdown_text(run.topic_labels[part.number])
        if st.button(label, key=key, type="tertiary"):
            page.open_in_graph(node_key(run, part.number))
    else:
        st.html(f'<div style="{look}">{html_text(part.name)}</div>')
    st.html(f'<div style="font-size:.8rem;{look}">{figures}</div>')


def show_list(mapped: Mapped, rows: npt.NDArray[np.int64], total: int, terms: SearchTerms) -> None:
    """Draw the number of highlighted documents, the buttons that save them, and their list."""
    part = page_of(address.get("page"), len(rows))
    with st.container(horizontal=True, vertical_alignment="center", key="map-selected"):
        st.markdown(f"**{strings.selected(len(rows), total)}**", width="content")
        st.download_button(
            strings.SAVE,
            lambda: table_of(mapped.corpus, rows, mapped.found, mapped.run),
            file_name=f"{file_name(choice.model_name(mapped.run), 'map')}.csv",
            mime="text/csv",
            key="map-csv",
            help=strings.SAVE_HELP,
            on_click="ignore",
        )
        if not is_read_only():
            with st.popover(strings.CORPUS, help=strings.CORPUS_HELP):
                _offer_corpus(mapped.corpus, rows)
        page.turn_pages(part.number, part.pages)
    _show_made()
    wanted = wanted_terms(terms.present)
    for row in rows[part.rows].tolist():
        parts = excerpt(document_text(mapped.corpus, row), wanted, EXCERPT_LETTERS)
        typed = frozenset(terms.present)
        topic_documents.show(mapped.corpus, row, mapped.facets, parts, key="lit", typed=typed)


def _offer_corpus(corpus: Corpus, rows: npt.NDArray[np.int64]) -> None:
    place = choice.corpus_place()
    whole = place.name if place else ""
    key = f"{NAME}-{whole}"
    if memory.recall(key) is None:
        memory.remember(key, strings.PART_NAME.format(corpus=whole))
    name = st.text_input(strings.CORPUS_NAME, key=key)
    if st.button(strings.CORPUS_MAKE, key="map-corpus-make", type="primary"):
        with page.failures_shown():
            folder = uploads.corpus_path(catalog.workspace(), name)
            save_corpus(corpus.subset(np.sort(rows)).in_use(), folder)
            memory.remember(MADE, (whole, folder.name, len(rows)))


def _show_made() -> None:
    """Confirm that a corpus was made of this one, with a link to its training."""
    whole, name, documents = memory.recall(MADE, ("", "", 0))
    place = choice.corpus_place()
    names = {corpus.name for corpus in catalog.corpora()}
    if place is None or place.name != whole or name not in names:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(strings.made(markdown_text(name), documents))
        if st.button(strings.CORPUS_OPEN, key="map-corpus-open", type="primary"):
            memory.forget(MADE)
            choice.choose_corpus(name)
            routing.go_to("train")
