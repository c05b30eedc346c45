"""Documents: search the texts of the corpus, choose by topic, label and year, open one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st

from app import address, search_index, shelf, state, workspace
from app.document_choice import Choice, chosen_rows, documents_with_topic, topics_on
from app.document_facets import Facets
from app.document_text import snippet
from app.plain import html_text, markdown_text
from app.search_index import Building, read_terms
from app.views import document, page
from app.views.layout import controls_and_picture
from app.words import common
from app.words import documents as words
from app.workspace import Place
from core.corpus import Corpus
from core.storage import Run
from core.storage.activations import Activations

FILTERS = ("on", "label", "years")
PAGE_SIZE = 10
# An index of a small corpus is there before anyone could read a notice.
SILENT_SECONDS = 0.5
POLL_SECONDS = 0.5
TOPICS_SHOWN = 3
TITLE_LETTERS = 80
FIGURE_STYLE = "font-size:.8rem;opacity:.75"


@dataclass(frozen=True)
class Shelf:
    """The corpus with all that documents are chosen by; the run only where it fits the corpus."""

    place: Place
    corpus: Corpus
    facets: Facets
    run: Run | None
    activations: Activations | None


def render() -> None:
    """Draw the page."""
    page.headline(words.TITLE, words.SENTENCE)
    place, corpus = state.corpus_place(), state.current_corpus()
    if place is None or corpus is None:
        state.empty(words.EMPTY_TITLE, words.EMPTY, common.TO_CORPUS, "corpus")
        return
    run = state.current_run()
    fits = run is not None and run.vocabulary == corpus.vocabulary
    opened = Shelf(
        place,
        corpus,
        shelf.facets(place.folder, corpus),
        run if fits else None,
        shelf.activations(run.folder) if run is not None and fits else None,
    )
    if address.get("doc"):
        _show_document(opened, address.get("doc"))
        return
    controls, results = controls_and_picture()
    with controls:
        text = _search_box()
        choice = _filters(opened, has_run=run is not None)
    with results:
        _show_results(opened, text, choice)


def _show_document(opened: Shelf, name: str) -> None:
    ids = opened.corpus.documents["id"]
    rows = np.flatnonzero(ids.to_numpy() == name)
    if not len(rows):
        st.warning(words.GONE.format(text=markdown_text(name)))
        st.button(words.BACK, on_click=address.put, args=("doc", ""))
        return
    document.show(opened.corpus, opened.facets, opened.run, int(rows[0]))


def _search_box() -> str:
    address.hold("find", "")
    return st.text_input(
        words.BOX, key="find", placeholder=words.HINT, on_change=_changed, args=("find",)
    )


def _changed(name: str) -> None:
    """Keep what was chosen, and begin at the first page of what it finds."""
    address.put(name, str(state.recall(name) or ""))
    address.put("page", "")


def _filters(opened: Shelf, *, has_run: bool) -> Choice:
    """Draw the filters that the corpus has; answers what was chosen."""
    topic = _topic_filter(opened, has_run=has_run)
    label, years = "", ()
    if opened.facets.labels:
        options = ("", *opened.facets.labels)
        label = address.hold("label", "", options)
        st.selectbox(
            words.LABEL,
            options,
            key="label",
            format_func=lambda name: name or words.ANY,
            on_change=_changed,
            args=("label",),
        )
    if opened.facets.years:
        years = _years_filter(*opened.facets.years)
    if any(address.get(name) for name in ("find", *FILTERS)):
        st.button(words.CLEAR, key="clear", type="tertiary", on_click=_clear)
    return Choice(topic=topic, label=label, years=years)


def _clear() -> None:
    for name in ("find", *FILTERS, "page"):
        address.put(name, "")


def _topic_filter(opened: Shelf, *, has_run: bool) -> int:
    """Choose a topic that is on in at least one document; answers its number, -1 for any."""
    if opened.run is None or opened.activations is None:
        missing = words.NO_ACTIVATIONS if opened.run else words.OTHER_CORPUS
        st.caption(missing if has_run else words.NO_MODEL)
        return -1
    run, counts = opened.run, documents_with_topic(opened.activations)
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda topic: (-counts[topic], topic))
    number = {run.network.graph.topic_ids[topic]: topic for topic in order}
    options = ("", *number)
    chosen = address.hold("on", "", options)

    def described(name: str) -> str:
        if not name:
            return words.ANY
        topic = number[name]
        return words.topic_option(run.topic_labels[topic], int(counts[topic]))

    st.selectbox(
        words.TOPIC,
        options,
        key="on",
        format_func=described,
        on_change=_changed,
        args=("on",),
        help=words.TOPIC_HELP,
    )
    known, total = len(opened.activations.rows), opened.corpus.n_documents
    if known < total:
        st.caption(words.known_only(known, total))
    return number.get(chosen, -1)


def _years_filter(first: int, last: int) -> tuple[int, ...]:
    begin, _, end = address.get("years").partition("-")
    asked = (int(begin), int(end)) if begin.isdecimal() and end.isdecimal() else (first, last)
    low, high = max(first, min(asked)), min(last, max(asked))
    years = (low, high) if low <= high else (first, last)
    if state.recall("years") != years:
        state.remember("years", years)
    st.slider(words.YEARS, first, last, key="years", format="%d", on_change=_keep_years,
              args=(first, last))  # fmt: skip
    return () if years == (first, last) else years


def _keep_years(first: int, last: int) -> None:
    chosen = state.recall("years")
    address.put("years", "" if chosen == (first, last) else f"{chosen[0]}-{chosen[1]}")
    address.put("page", "")


def _show_results(opened: Shelf, text: str, choice: Choice) -> None:
    terms = read_terms(text)
    path = search_index.index_path(workspace.workspace(), opened.place.folder)
    building = search_index.begin_index(path, opened.corpus)
    found = None
    if terms.present or terms.absent:
        if not _wait_for_index(building):
            return
        found = shelf.found(path, text)
    rows = chosen_rows(
        Choice(found, choice.topic, choice.label, choice.years), opened.facets, opened.activations
    )
    if not len(rows):
        st.info(words.NOTHING)
        return
    shown = _turn_pages(rows, opened.corpus.n_documents)
    with st.container(gap="small", key="found-documents"):
        for row in shown.tolist():
            _show_row(opened, row, terms)


def _wait_for_index(building: Building) -> bool:
    """Whether the index is there; else a sign of how far it is, which looks again by itself."""
    if building.thread is not None:
        building.thread.join(SILENT_SECONDS)
    if building.error:
        page.show_error(building.error)
        return False
    if building.is_going:
        st.fragment(_show_building, run_every=POLL_SECONDS)(building)
        return False
    return True


def _show_building(building: Building) -> None:
    if not building.is_going:
        st.rerun()
    share = building.done / max(building.total, 1)
    st.progress(share, words.BUILDING.format(done=building.done, total=building.total))


def _turn_pages(rows: npt.NDArray[np.int64], total: int) -> npt.NDArray[np.int64]:
    """Say how many there are and which page this is; answers the rows of the page."""
    pages = -(-len(rows) // PAGE_SIZE)
    typed = address.get("page")
    # Nobody turns a billion pages, and Python refuses to read thousands of digits.
    number = min(max(int(typed), 1), pages) if typed.isdecimal() and len(typed) < 10 else 1
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center",
        key="pages",
    ):  # fmt: skip
        st.markdown(f"**{words.count(len(rows), total)}**", width="content")
        if pages > 1:
            with st.container(horizontal=True, width="content", vertical_alignment="center"):
                _page_button(words.PREVIOUS, ":material/chevron_left:", number - 1, pages)
                st.caption(words.page_of(number, pages), width="content")
                _page_button(words.NEXT, ":material/chevron_right:", number + 1, pages)
    return rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]


def _page_button(label: str, icon: str, to: int, pages: int) -> None:
    st.button(
        label,
        icon=icon,
        key=f"page-{label}",
        disabled=not 1 <= to <= pages,
        on_click=address.put,
        args=("page", "" if to == 1 else str(to)),
        type="tertiary",
    )


def _show_row(opened: Shelf, row: int, terms: search_index.SearchTerms) -> None:
    """One document: its title, what is known of it, and the part that was found."""
    name = str(opened.corpus.documents["id"].iat[row])
    text = opened.corpus.documents["text"].iat[row] or search_index.document_words(
        opened.corpus, row
    )
    with st.container(gap=None, key=f"document-{row}"):
        st.button(
            f"**{markdown_text(document.title_of(opened.facets, row, text)[:TITLE_LETTERS])}**",
            key=f"open-{row}",
            type="tertiary",
            on_click=address.put,
            args=("doc", name),
        )
        known = [html_text(part) for part in document.facts(opened.facets, row, name)]
        if opened.run is not None:
            on = topics_on(opened.activations, row, TOPICS_SHOWN)
            known += [f"● {html_text(opened.run.topic_labels[topic])}" for topic in on]
        st.html(
            f'<div style="{FIGURE_STYLE}">{" &ensp;".join(known)}</div>'
            f'<div style="line-height:1.45">{snippet(text, terms)}</div>'
        )
