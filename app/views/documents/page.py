"""Documents page: search and filter the texts of the corpus, and open one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.model.topic_model import Run
from ....core.storage.activations import Activations
from ...shared import strings as shared_strings
from ...shared.listing import (
    EXCERPT_LETTERS,
    TOPICS_SHOWN,
    Choice,
    chosen_rows,
    in_order,
    orders,
    page_of,
    topics_on,
)
from ...shared.topic_documents import marked_headline
from ...shell import address, choice, empty_states, loaders, memory, page, resources
from ...shell import strings as shell_strings
from ...shell.page import controls_and_picture
from ...text.safe_text import (
    document_text,
    excerpt,
    excerpt_html,
    html_text,
    markdown_text,
    requested_name,
    wanted_terms,
)
from ...workspace import catalog, search_index
from ...workspace.catalog import Place
from ...workspace.facets import MAX_HEADLINE, facts, is_headline, rest_after_title, title_of
from ...workspace.search_index import Building, read_terms
from . import document, new_texts, strings, whole
from .filters import OpenCorpus, filters, filters_of_address, search_box

# Time without a progress bar; the index of a small corpus is built within it.
SILENT_SECONDS = 0.5
POLL_SECONDS = 0.5
FIGURE_STYLE = "font-size:.8rem;opacity:.75"


def render() -> None:
    """Draw the page."""
    page.headline(shared_strings.TITLE, strings.SENTENCE)
    place, corpus = choice.corpus_place(), loaders.current_corpus()
    if place is None or corpus is None:
        empty_states.empty(strings.EMPTY_TITLE, strings.EMPTY, shell_strings.TO_CORPUS, "corpus")
        return
    run = loaders.current_run()
    fits = run is not None and run.vocabulary == corpus.vocabulary
    stored, missing = _topics_of_documents(run, place, corpus)
    facets = resources.facets(place.folder, corpus)
    opened = OpenCorpus(place, corpus, facets, run if fits else None, stored, missing)
    if address.get("doc"):
        _show_document(opened, address.get("doc"))
        return
    controls, results = controls_and_picture()
    with controls:
        text = search_box()
        wanted = filters(opened)
        if run is not None:
            new_texts.show(run)
    with results:
        _show_results(opened, text, wanted)


def _topics_of_documents(
    run: Run | None, place: Place, corpus: Corpus
) -> tuple[Activations | None, str]:
    """Stored activations of these documents, or None and the reason why they are missing."""
    if run is None:
        return None, strings.NO_MODEL
    if run.vocabulary != corpus.vocabulary:
        return None, strings.OTHER_CORPUS
    if resources.has_changed(run, place.folder, corpus):
        return None, shell_strings.CHANGED
    stored = resources.activations(run.folder)
    if stored is None or (len(stored.rows) and stored.rows[-1] >= corpus.n_documents):
        return None, strings.NO_ACTIVATIONS
    return stored, ""


def _show_document(opened: OpenCorpus, name: str) -> None:
    ids = opened.corpus.documents["id"]
    rows = np.flatnonzero(ids.to_numpy() == name)
    if not len(rows):
        st.warning(strings.GONE.format(text=requested_name(name)))
        st.button(strings.BACK, on_click=address.put_all, kwargs=document.CLOSED)
        return
    row = int(rows[0])
    if address.get("whole") and opened.corpus.document_of_passage is not None:
        whole.show(opened, row)
        return
    document.show(opened.corpus, opened.facets, opened.run, row, _neighbours(opened, row))


def _neighbours(opened: OpenCorpus, row: int) -> document.Neighbours | None:
    """Place of a document in the list of the address, with the ids of those beside it.

    None for a document that was opened from another page, which is in no list.
    """
    if address.has(page.OPENED_FROM):
        return None
    rows = _rows(opened, address.get("find"), filters_of_address(opened))
    place = np.flatnonzero(rows == row) if rows is not None else np.zeros(0, np.int64)
    if rows is None or not len(place):
        return None
    number, ids = int(place[0]), opened.corpus.documents["id"]
    beside = [
        str(ids.iat[int(rows[other])]) if 0 <= other < len(rows) else ""
        for other in (number - 1, number + 1)
    ]
    return document.Neighbours(number + 1, len(rows), beside[0], beside[1])


def _show_results(opened: OpenCorpus, text: str, wanted: Choice) -> None:
    terms = read_terms(text)
    rows = _rows(opened, text, wanted)
    if rows is None:
        return
    if terms.note:
        st.caption(terms.note)
    if text.strip() and not terms.anything:
        st.caption(strings.NO_SEARCH)
    if not len(rows):
        st.info(strings.NOTHING)
        return
    by_topic = strings.TYPICAL if wanted.topic >= 0 else strings.UNSORTED
    order = strings.ORDERS[""] if terms.anything else by_topic
    shown = _turn_pages(rows, opened, order)
    with st.container(gap="small", key="found-documents"):
        for row in shown.tolist():
            _show_row(opened, row, terms)


def _rows(opened: OpenCorpus, text: str, wanted: Choice) -> npt.NDArray[np.int64] | None:
    """Rows of the list, in its order; None while the search index is being built."""
    path = search_index.index_path(catalog.workspace(), opened.place.folder)
    building = search_index.begin_index(path, opened.corpus)
    if read_terms(text).anything:
        if not _wait_for_index(building):
            return None
        wanted = replace(wanted, found=resources.found(path, text))
    rows = chosen_rows(wanted, opened.facets, opened.run, opened.activations, opened.corpus)
    return in_order(rows, address.get("sort"), opened.facets, opened.corpus)


def _wait_for_index(building: Building) -> bool:
    """Return whether the index is ready; if not, draw its progress, which updates itself."""
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
    st.progress(share, strings.BUILDING.format(done=building.done, total=building.total))


def _turn_pages(
    rows: npt.NDArray[np.int64], opened: OpenCorpus, default_order: str
) -> npt.NDArray[np.int64]:
    """Draw the number of results, their order and the page buttons; return the rows of the page.

    ``default_order`` is the name of the order in which the rows are without a choice.
    """
    part = page_of(address.get("page"), len(rows))
    with page.spread_row("pages"):
        number = shared_strings.count(len(rows), opened.corpus.n_documents)
        st.markdown(f"**{number}**", width="content")
        names = {name: strings.ORDERS[name] for name in orders(opened.facets)}
        names = {name: text or opened.facets.label_name or strings.LABEL
                 for name, text in names.items()}  # fmt: skip
        names[""] = default_order
        # The name of the default order changes with a search, and a menu keeps the names that it
        # was made with, so each name has its own menu.
        key = f"sort-{default_order}"
        chosen = address.get("sort")
        memory.remember(key, chosen if chosen in names else "")
        st.selectbox(
            strings.SORT,
            list(names),
            key=key,
            format_func=names.__getitem__,
            on_change=lambda: address.put_all(sort=str(memory.recall(key) or ""), page=""),
            label_visibility="collapsed",
            width=190,
        )
        page.turn_pages(part.number, part.pages)
    return rows[part.rows]


def _show_row(opened: OpenCorpus, row: int, terms: search_index.SearchTerms) -> None:
    """Draw one result: title, metadata, topics and the matching excerpt."""
    name = str(opened.corpus.documents["id"].iat[row])
    text = document_text(opened.corpus, row)
    # Without search words, the excerpt starts at the end of the title.
    rest = text if terms.present else rest_after_title(opened.facets, row, text)
    found = excerpt(rest, wanted_terms(terms.present), EXCERPT_LETTERS)
    is_short = is_headline(opened.facets, row, text)
    if is_short:
        title = marked_headline(excerpt(text, wanted_terms(terms.present), MAX_HEADLINE))
    else:
        title = markdown_text(title_of(opened.facets, row, text))
    below = "" if is_short else excerpt_html(found, frozenset(terms.present))
    with st.container(gap=None, key=f"document-{row}"):
        st.button(
            f"**{title}**",
            key=f"open-{row}",
            type="tertiary",
            on_click=address.put,
            args=("doc", name),
        )
        known = [html_text(part) for part in facts(opened.facets, row, opened.facets.name[row])]
        if opened.run is not None:
            on = topics_on(opened.run, opened.activations, row, TOPICS_SHOWN, opened.corpus)
            known += [
                f"●\N{NO-BREAK SPACE}{html_text(opened.run.topic_labels[topic])}" for topic in on
            ]
        st.html(
            f'<div style="{FIGURE_STYLE}">{" &ensp;".join(known)}</div>'
            f'<div class="excerpt">{below}</div>'
        )
