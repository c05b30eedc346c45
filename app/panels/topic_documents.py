"""A topic in its corpus, part of its full card: years, labels, and its most telling documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import streamlit as st

from orrery.app.documents.facets import Facets
from orrery.app.documents.topic_course import (
    labels_chart,
    labels_shown,
    marked_words,
    shares,
    year_shares,
    years_chart,
)
from orrery.app.frame import navigation
from orrery.app.panels import document_excerpt
from orrery.app.session import resources
from orrery.app.text import excerpts
from orrery.app.text.document_text import document_text
from orrery.app.text.excerpts import excerpt, wanted_words
from orrery.app.topics.size import on_probability
from orrery.app.words import topic as words
from orrery.core.errors import InputError
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.exporting.typical import strongest_documents, telling_words

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus
    from orrery.core.run import Run

DOCUMENTS_SHOWN = 4
LETTERS = 260


def show_documents(run: Run, topic: int) -> None:
    """Draw the charts and the documents, if the corpus and its topics are available."""
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
    """List the documents most telling of a topic, its words marked."""
    told = telling_words(run, topic)
    found = strongest_documents(corpus, probability, told, DOCUMENTS_SHOWN)
    st.markdown(f"**{words.STRONGEST}**", help=words.STRONGEST_HELP)
    if not found:
        st.caption(words.NO_DOCUMENTS)
        return
    st.html(excerpts.STYLE)
    for row in found:
        wanted = wanted_words(marked_words(corpus, row, told))
        parts = excerpt(document_text(corpus, row), wanted, LETTERS)
        document_excerpt.show(corpus, row, facets, parts, key="told")
    code = run.network.graph.topic_ids[topic]
    number = int((probability > ON_THRESHOLD).sum())
    if st.button(words.all_documents(number), key="all-documents", type="tertiary"):
        navigation.open_documents(on=code)
