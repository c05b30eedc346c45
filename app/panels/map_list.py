"""The documents that are lit on the map, as a list, a file, or a corpus of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st

from orrery.app.documents.facets import Facets
from orrery.app.documents.lit import table_of
from orrery.app.frame import page
from orrery.app.panels import document_excerpt
from orrery.app.session import address, choice, memory, routing
from orrery.app.text import excerpts
from orrery.app.text.document_text import document_text
from orrery.app.text.escaping import file_name, markdown_text
from orrery.app.text.excerpts import excerpt, wanted_terms
from orrery.app.words import map as words
from orrery.app.workspace import catalog, uploads
from orrery.app.workspace.search_index import SearchTerms
from orrery.core.corpus import Corpus
from orrery.core.read_only import is_read_only
from orrery.core.run import Run
from orrery.core.storage import save_corpus
from orrery.core.storage.document_maps import DocumentMap
from orrery.core.whole_number import read_whole_number

PAGE_SIZE = 10
LETTERS = 220
NAME, MADE = "map-corpus-name", "map-corpus-made"


@dataclass(frozen=True)
class Mapped:
    """A corpus with its map."""

    corpus: Corpus
    facets: Facets
    run: Run
    found: DocumentMap


def show_list(mapped: Mapped, rows: npt.NDArray[np.int64], total: int, terms: SearchTerms) -> None:
    """Say how many documents are lit, offer them, and list them."""
    pages = -(-len(rows) // PAGE_SIZE)
    number = min(read_whole_number(address.get("page")) or 1, pages)
    with st.container(horizontal=True, vertical_alignment="center", key="map-selected"):
        st.markdown(f"**{words.selected(len(rows), total)}**", width="content")
        st.download_button(
            words.SAVE,
            lambda: table_of(mapped.corpus, rows, mapped.found, mapped.run),
            file_name=f"{file_name(choice.model_name(mapped.run), 'map')}.csv",
            mime="text/csv",
            key="map-csv",
            help=words.SAVE_HELP,
            on_click="ignore",
        )
        if not is_read_only():
            with st.popover(words.CORPUS, help=words.CORPUS_HELP):
                _offer_corpus(mapped.corpus, rows)
        if pages > 1:
            _turn(words.PREVIOUS, number - 1, pages)
            _turn(words.NEXT, number + 1, pages)
    _say_made()
    st.html(excerpts.STYLE)
    wanted = wanted_terms(terms.present)
    for row in rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE].tolist():
        parts = excerpt(document_text(mapped.corpus, row), wanted, LETTERS)
        document_excerpt.show(
            *(mapped.corpus, row, mapped.facets, parts),
            key="lit",
            typed=frozenset(terms.present),
        )


def _turn(label: str, to: int, pages: int) -> None:
    st.button(
        label,
        key=f"map-{label}",
        disabled=not 1 <= to <= pages,
        on_click=address.put,
        args=("page", str(to)),
        type="tertiary",
    )


def _offer_corpus(corpus: Corpus, rows: npt.NDArray[np.int64]) -> None:
    place = choice.corpus_place()
    if memory.recall(NAME) is None:
        memory.remember(NAME, words.corpus_name(place.name if place else ""))
    name = st.text_input(words.CORPUS_NAME, key=NAME)
    if st.button(words.CORPUS_MAKE, key="map-corpus-make", type="primary"):
        with page.failures_shown():
            folder = uploads.corpus_path(catalog.workspace(), name)
            save_corpus(corpus.subset(np.sort(rows)).in_use(), folder)
            memory.remember(MADE, (folder.name, len(rows)))


def _say_made() -> None:
    """Say that a corpus was made, and lead to its training."""
    made = memory.recall(MADE)
    if made is None:
        return
    name, documents = made
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(words.made(markdown_text(name), documents))
        if st.button(words.CORPUS_OPEN, key="map-corpus-open", type="primary"):
            memory.forget(MADE)
            choice.choose_corpus(name)
            routing.go_to("train")
