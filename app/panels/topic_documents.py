"""A topic in its corpus, in its full card: over years and labels, and where it is strongest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import streamlit as st

from orrery.app.documents.facets import Facets, facts, title_of
from orrery.app.documents.topic_course import (
    labels_chart,
    labels_shown,
    marked_words,
    shares,
    strongest_documents,
    telling_words,
    year_shares,
    years_chart,
)
from orrery.app.frame import navigation
from orrery.app.session import resources
from orrery.app.text.escaping import html_text, markdown_text
from orrery.app.text.marked_text import marked_excerpt, marked_html
from orrery.app.topics.size import on_probability
from orrery.app.words import topic as words
from orrery.core.errors import InputError
from orrery.core.exporting.thresholds import ON_THRESHOLD

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus
    from orrery.core.run import Run

DOCUMENTS_SHOWN = 4
LETTERS = 260
STYLE = """<style>
.told { line-height: 1.5; font-size: .93rem; }
.told .known { opacity: .7; font-size: .85em; }
.told mark { background: rgba(46, 158, 91, .25); color: inherit; }
.told mark { border-radius: 3px; padding: 0 2px; }
</style>"""


def show_documents(run: Run, topic: int) -> None:
    """Draw the course and the documents, where the corpus and its topics are at hand."""
    corpus, _ = resources.corpus_of(run)
    try:
        stored = resources.activations(run.folder)
    except InputError:
        stored = None
    if corpus is None or stored is None or not len(stored.rows):
        return
    if stored.rows[-1] >= corpus.n_documents:
        return
    facets = resources.facets(run.corpus_path, corpus)
    known = on_probability(run, stored, topic)
    _show_course(known > ON_THRESHOLD, stored.rows, facets)
    probability = np.zeros(corpus.n_documents)
    probability[stored.rows] = known
    _show_strongest(run, topic, corpus, probability, facets)


def _show_course(on: npt.NDArray[np.bool_], rows: npt.NDArray[np.int64], facets: Facets) -> None:
    """Draw the share of documents over the years and the labels that the corpus has."""
    if not facets.years and not facets.labels:
        return
    st.markdown(f"**{words.COURSE}**")
    both = bool(facets.years and facets.labels)
    columns = st.columns([3, 2], gap="medium") if both else [st.container()] * 2
    if facets.years:
        table = year_shares(on, facets.year[rows])
        columns[0].altair_chart(
            years_chart(table), width="stretch", key="topic-years", alt=words.YEARS_ALT
        )
    if facets.labels:
        table = shares(on, facets.label[rows])
        columns[1].altair_chart(
            labels_chart(table), width="stretch", key="topic-labels", alt=words.LABELS_ALT
        )
        with_it, shown = int(table["on"].gt(0).sum()), len(labels_shown(table))
        columns[1].caption(words.more_labels(max(0, with_it - shown), len(table) - with_it))


def _show_strongest(
    run: Run,
    topic: int,
    corpus: Corpus,
    probability: npt.NDArray[np.float64],
    facets: Facets,
) -> None:
    """List the documents that tell the most of a topic, its words marked."""
    told = telling_words(run, topic)
    found = strongest_documents(corpus, probability, told, DOCUMENTS_SHOWN)
    st.markdown(f"**{words.STRONGEST}**", help=words.STRONGEST_HELP)
    if not found:
        st.caption(words.NO_DOCUMENTS)
        return
    st.html(STYLE)
    for row in found:
        _show_document(corpus, row, told, facets)
    code = run.network.graph.topic_ids[topic]
    number = int((probability > ON_THRESHOLD).sum())
    if st.button(words.all_documents(number), key="all-documents", type="tertiary"):
        navigation.open_documents(on=code)


def _show_document(corpus: Corpus, row: int, told: dict[str, float], facets: Facets) -> None:
    marked = marked_words(corpus, row, told)
    name = str(corpus.documents["id"].iat[row])
    tokens = " ".join(corpus.vocabulary[token] for token in corpus.tokens_of(row))
    text = str(corpus.documents["text"].iat[row]) or tokens
    title = markdown_text(title_of(facets, row, text))
    known = " · ".join(map(html_text, facts(facets, row, name)))
    excerpt = marked_html(marked_excerpt(text, marked, LETTERS), frozenset())
    with st.container(gap=None):
        if st.button(f"**{title}**", key=f"told-{row}", type="tertiary"):
            navigation.open_documents(doc=name)
        st.html(f'<div class="told"><div class="known">{known}</div>{excerpt}</div>')
