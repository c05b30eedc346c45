"""View of one document, its words in the colours of the topics that explain them."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ....core.data.corpus import Corpus
from ....core.data.query import token_spans
from ....core.drawing import strings as drawing_strings
from ....core.drawing import style
from ....core.drawing.links import is_node
from ....core.drawing.local_model import query_picture
from ....core.drawing.question import is_whole_text
from ....core.drawing.selection import hidden_count
from ....core.drawing.strings import figures_of
from ....core.inference.thresholds import group_of
from ....core.model.topic_model import Run
from ...components.buttons import scroll_to
from ...components.graph_component import draw_graph
from ...shared import question as picture_look
from ...shared import similar_documents, topic_card, topic_documents
from ...shared import strings as shared_strings
from ...shared.document_causes import (
    FIRST_LETTERS,
    LEGEND_TOPICS,
    LEGEND_WORDS,
    Explaining,
    Piece,
    Reading,
    also_on,
    coloured,
    picture_words,
    question,
    read_document,
)
from ...shell import address, page, resources, routing
from ...shell import strings as shell_strings
from ...text.safe_text import document_text, excerpt, html_text, markdown_text, word_end
from ...workspace.facets import Facets, facts, own_title
from . import strings, whole

# Kinds of nodes that are hidden until a click: topics that are off, as a document has many.
HIDDEN_AT_FIRST = frozenset({"off"})
# Number of similar documents, and letters of their excerpts.
N_SIMILAR, EXCERPT_LETTERS = 5, 220
# Number of times that the shown length of a text can be doubled; no text is longer.
MAX_DOUBLINGS = 30
TEXT = (
    '<div style="line-height:1.75;font-size:1.05rem;white-space:pre-wrap;max-width:46rem;'
    'overflow-wrap:anywhere">'
)


@dataclass(frozen=True)
class Neighbours:
    """Place of a document in a list, from 1, and the ids of the documents beside it, or ""."""

    number: int
    total: int
    previous: str
    next: str


def show(
    corpus: Corpus, facets: Facets, run: Run | None, row: int, beside: Neighbours | None = None
) -> None:
    """Draw a document; ``run`` is None if no model fits the corpus."""
    has_text = bool(corpus.documents["text"].iat[row])
    text = document_text(corpus, row)
    reading = None if run is None else read_document(run, corpus, row)
    # A document that is opened from the foot of a page, or of another document, begins at its head.
    scroll_to(".st-key-headline", key=f"scroll-document-{row}")
    with st.container(horizontal=True, vertical_alignment="center", key="document-actions"):
        _back()
        if beside is not None:
            _walk(beside)
        if (
            run is not None
            and reading is not None
            and st.button(strings.ASK, key="ask", help=strings.ASK_HELP, type="primary")
        ):
            query = question(run, reading)
            page.open_query(query, is_text=not is_whole_text(run, query))
    text_column, side_column = page.picture_and_side(side_first=False)
    with text_column:
        with st.container(gap=None):
            title = own_title(facets, row, text)
            if title:
                st.subheader(markdown_text(title), anchor=False)
            st.caption(markdown_text(" · ".join(facts(facets, row, facets.name[row]))))
        whole.show_place(corpus, row)
        if not has_text:
            st.caption(strings.NO_TEXT)
        pieces = [] if reading is None else reading.shown_pieces(address.get("sel"))
        _show_text(text if reading is None else reading.text, pieces)
    if run is None or reading is None:
        return
    with side_column:
        topic_card.show_selected(run, reading.posterior, address.get("sel"))
        _legend(run, reading)
    _picture(run, reading)
    _similar(corpus, facets, run, reading, row)


def _similar(corpus: Corpus, facets: Facets, run: Run, reading: Reading, row: int) -> None:
    """List the documents that are most similar to this one."""
    if resources.corpus_of(run)[0] is None:
        return
    st.subheader(strings.SIMILAR, anchor=False, help=strings.SIMILAR_HELP)
    spans = token_spans(corpus.recipe, corpus.token_number, document_text(corpus, row))[1]
    tokens = tuple(span.token for span in spans)
    found = similar_documents.nearest(run, corpus, reading.posterior, N_SIMILAR + 1, tokens)
    others = [other for other in found if other != row][:N_SIMILAR]
    if not others:
        st.caption(strings.NOTHING_SIMILAR)
    for other in others:
        parts = excerpt(document_text(corpus, other), [], EXCERPT_LETTERS)
        topic_documents.show(corpus, other, facets, parts, key="similar")


# URL parameters of the list, after a document was open.
CLOSED = dict.fromkeys((*page.OF_DOCUMENT, page.OPENED_FROM), "")


def _back() -> None:
    """Draw the button to where the document was opened from, and always one to the list."""
    origin = address.get(page.OPENED_FROM)
    left = routing.left_at(origin) if origin not in ("", "documents") else None
    icon = ":material/arrow_back:"
    if left is None:
        st.button(strings.BACK, icon=icon, key="back", on_click=address.put_all, kwargs=CLOSED)
        return
    if st.button(
        strings.BACK_TO.format(page=shell_strings.PAGE_TITLES[origin]), icon=icon, key="back"
    ):
        routing.go_to(origin, left)
    # The sidebar leads back to this document, so the list has no other way to it.
    st.button(strings.TO_LIST, key="to-list", on_click=address.put_all, kwargs=CLOSED)


def _walk(beside: Neighbours) -> None:
    """Draw buttons that lead to the previous and the next document of the list."""
    for key, name, label, icon in (
        ("previous", beside.previous, strings.PREVIOUS, ":material/chevron_left:"),
        ("next", beside.next, strings.NEXT, ":material/chevron_right:"),
    ):
        left = dict.fromkeys(("sel", "card", "hide", "quiet", "text"), "") | {"doc": name}
        st.button(label, icon=icon, key=key, disabled=not name, on_click=address.put_all,
                  kwargs=left)  # fmt: skip
    st.caption(strings.place(beside.number, beside.total), width="content")


def _show_text(text: str, pieces: list[Piece]) -> None:
    """Draw the beginning of a text, and a button that doubles its length in the address."""
    typed = address.get("text")
    doublings = int(typed) if typed in map(str, range(MAX_DOUBLINGS)) else 0
    end = word_end(text, FIRST_LETTERS << doublings)
    shown = coloured(text[:end], [piece for piece in pieces if piece.end <= end])
    st.html(f"{TEXT}{shown}</div>")
    if end < len(text):
        with st.container(horizontal=True, vertical_alignment="center", key="text-so-far"):
            st.caption(shared_strings.SO_FAR.format(shown=end, total=len(text)), width="content")
            st.button(
                strings.SHOW_MORE,
                key="more-text",
                on_click=address.put,
                args=("text", str(doublings + 1)),
            )


def _legend(run: Run, reading: Reading) -> None:
    """Draw the topics that explain words, each with its colour, probability and words."""
    st.markdown(f"**{shared_strings.LEGEND}**")
    hidden = hidden_count(run, reading.posterior)
    if hidden:
        st.caption(drawing_strings.hidden_topics(hidden))
    if not reading.topics:
        st.caption(shared_strings.LEGEND_NONE)
        return
    selected = address.get("sel")
    # The list is in the order of its figures; it has the topics that explain most.
    listed = sorted(reading.topics[:LEGEND_TOPICS], key=lambda topic: -round(topic.known.value, 2))
    for topic in listed:
        _legend_topic(topic, is_selected=selected == topic.key)
    others = also_on(run, reading)
    if others:
        names = (f"{markdown_text(label)} {figures_of(known)}" for label, known in others)
        st.caption(strings.ALSO_ON.format(topics=", ".join(names)))
    if selected:
        st.button(strings.SHOW_ALL, key="show-all", on_click=address.put, args=("sel", ""))
    st.caption(strings.LEGEND_HINT)


def _legend_topic(topic: Explaining, *, is_selected: bool) -> None:
    label = f"{markdown_text(topic.label)} {figures_of(topic.known)}"
    mark = style.LEGEND_MARKS[group_of(topic.known.value)]
    with st.container(gap=None, key=f"legend-{topic.topic}"):
        st.button(
            f"{mark} **{label}**" if is_selected else f"{mark} {label}",
            key=f"legend-{topic.key}",
            type="tertiary",
            on_click=topic_card.select,
            args=(topic.key,),
        )
        words = html_text(", ".join(topic.words[:LEGEND_WORDS]))
        width = 100 * topic.known.value
        st.html(topic_card.BAR.format(width=width, colour=topic.hue, words=words))


def _picture(run: Run, reading: Reading) -> None:
    """Draw the local model of the document with the words that its topics explain best."""
    typed, look = picture_words(run, reading), picture_look.look(HIDDEN_AT_FIRST)
    with page.spread_row():
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{strings.PICTURE}**")
            note = strings.picture_note(len(typed), len(reading.posterior.local.tokens))
            st.caption(f"{note} {topic_card.roughness(reading.posterior)}".strip())
        picture_look.choose_palette()
    picture = query_picture(run, reading.posterior, typed, look)
    selected = address.get("sel")
    opened = draw_graph(
        picture, key="document-graph", on_click=picture_look.react, selected=selected
    )
    if picture.nodes:
        page.remark(hint=strings.PICTURE_HINT)
    else:
        st.caption(shared_strings.CANVAS_EMPTY)
    if is_node(opened):
        page.open_in_graph(opened)
