"""A document in full, with its passages and the topics of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st

from ....core.data.columns import POSITIONS
from ....core.data.corpus import Corpus
from ....core.data.passages import DOCUMENT
from ....core.drawing.strings import percent
from ....core.evaluation.group_topics import join_topics
from ....core.inference.main_topics import document_probability
from ....core.inference.thresholds import ON_THRESHOLD
from ....core.model.topic_model import Run
from ....core.storage.activations import Activations
from ...shared.document_causes import LEGEND_TOPICS
from ...shared.listing import TOPICS_SHOWN, topics_on
from ...shell import address, page
from ...text.safe_text import html_text, markdown_text
from ...workspace.facets import facts
from . import strings
from .filters import OpenCorpus

# Passages that are shown at first; each click doubles their number.
FIRST_PASSAGES, MAX_DOUBLINGS = 12, 20
# Characters of a text between passages that is written beside the number of the next one.
SHORT_GAP = 60
GAP = '<div style="white-space:pre-wrap;max-width:46rem;opacity:.55">{text}</div>'
TEXT = '<div style="line-height:1.6;white-space:pre-wrap;max-width:46rem">{text}</div>'
BAR = (
    '<div style="height:6px;border-radius:3px;background:rgba(127,140,155,.25);margin:0 0 4px">'
    '<div style="height:6px;border-radius:3px;width:{width:.0f}%;background:currentColor;'
    'opacity:.6"></div></div>'
)


@dataclass(frozen=True)
class TopicOfDocument:
    """A topic that is on in some passages of a document."""

    topic: int
    probability: float  # that it is on in at least one passage
    passages: int  # passages in which it is on


def passages_of(corpus: Corpus, row: int) -> npt.NDArray[np.int64] | None:
    """Rows of all passages of the document of a passage, in order; None in another corpus."""
    documents = corpus.document_of_passage
    if documents is None:
        return None
    rows = np.flatnonzero(documents == documents[row])
    starts = corpus.documents[POSITIONS[0]].to_numpy()[rows]
    return rows[np.argsort(starts, kind="stable")]


def topics_of_document(
    run: Run, activations: Activations | None, rows: npt.NDArray[np.int64]
) -> list[TopicOfDocument]:
    """Topics that are on in at least one of these passages, in most passages first.

    Hidden topics are left out, and topics that are displayed as one count once.
    """
    if activations is None:
        return []
    known = np.flatnonzero(np.isin(activations.rows, rows))
    joined = join_topics(activations.probability[known], run.shown_as).toarray().astype(np.float64)
    probability = document_probability(joined)
    counts = (joined > ON_THRESHOLD).sum(axis=0)
    found = [
        TopicOfDocument(topic, float(probability[topic]), int(counts[topic]))
        for topic in np.flatnonzero(counts).tolist()
        if topic not in run.hidden_topics
    ]
    return sorted(found, key=lambda topic: (-topic.passages, -topic.probability, topic.topic))


def name_of(corpus: Corpus, row: int) -> str:
    """Name of the document of a passage: its file, or else its id."""
    documents = corpus.documents
    return str(documents["file" if "file" in documents else DOCUMENT].iat[row])


def show_place(corpus: Corpus, row: int) -> None:
    """Draw where a passage is in its document, with buttons to others; nothing for a document."""
    rows = passages_of(corpus, row)
    if rows is None:
        return
    number = int(np.flatnonzero(rows == row)[0])
    ids = corpus.documents["id"]
    with st.container(horizontal=True, vertical_alignment="center", key="passage-place"):
        place = strings.PASSAGE_OF.format(
            number=number + 1, total=len(rows), name=markdown_text(name_of(corpus, row))
        )
        st.caption(place, width="content")
        for key, title, other in (
            ("before", strings.PASSAGE_BEFORE, number - 1),
            ("after", strings.PASSAGE_AFTER, number + 1),
        ):
            if 0 <= other < len(rows):
                st.button(
                    title,
                    key=f"passage-{key}",
                    type="tertiary",
                    on_click=address.put_all,
                    kwargs={"doc": str(ids.iat[rows[other]]), "text": "", "sel": ""},
                )
        st.button(
            strings.WHOLE,
            key="passage-whole",
            type="tertiary",
            on_click=address.put_all,
            kwargs={"whole": "1", "text": "", "sel": ""},
        )


def show(opened: OpenCorpus, row: int) -> None:
    """Draw the document of a passage with all its passages and their topics."""
    corpus, rows = opened.corpus, passages_of(opened.corpus, row)
    assert rows is not None
    with st.container(horizontal=True, vertical_alignment="center", key="document-actions"):
        st.button(
            strings.BACK_TO_PASSAGE,
            icon=":material/arrow_back:",
            key="back",
            on_click=address.put_all,
            kwargs={"whole": "", "text": ""},
        )
    text_column, side_column = page.picture_and_side(side_first=False)
    with text_column:
        with st.container(gap=None):
            st.subheader(markdown_text(name_of(corpus, row)), anchor=False)
            known = facts(opened.facets, row, strings.count_passages(len(rows)))
            # The label of one passage, such as its speaker, does not describe the document.
            if corpus.documents["label"].iloc[rows].nunique() > 1 and opened.facets.label[row]:
                known = known[1:]
            st.caption(markdown_text(" · ".join(known)))
        _show_passages(opened, rows)
    if opened.run is not None:
        with side_column:
            _show_topics(opened.run, opened.activations, rows)


def _show_passages(opened: OpenCorpus, rows: npt.NDArray[np.int64]) -> None:
    """Draw the passages in order, with the text between them in grey."""
    corpus = opened.corpus
    documents = corpus.documents
    whole = corpus.whole_texts.get(str(documents[DOCUMENT].iat[rows[0]]), "")
    typed = address.get("text")
    doublings = int(typed) if typed in map(str, range(MAX_DOUBLINGS)) else 0
    n_shown = min(FIRST_PASSAGES << doublings, len(rows))
    starts, ends = (documents[name].to_numpy(np.int64) for name in POSITIONS)
    before = 0
    for number, row in enumerate(rows[:n_shown].tolist(), start=1):
        gap = whole[before : starts[row]].strip()
        before = ends[row]
        label = str(documents["label"].iat[row] or "")
        # A marker, or the time and speaker of a turn, is written beside the number.
        if len(gap) <= SHORT_GAP and "\n" not in gap:
            label = gap or label
        else:
            _show_gap(gap)
        with st.container(gap=None, key=f"passage-{row}"):
            st.button(
                f"**{strings.PASSAGE.format(number=number)}** {markdown_text(label)}".strip(),
                key=f"open-passage-{row}",
                type="tertiary",
                on_click=address.put_all,
                kwargs={"doc": str(documents["id"].iat[row]), "whole": "", "text": ""},
            )
            if opened.run is not None:
                on = topics_on(opened.run, opened.activations, row, TOPICS_SHOWN, corpus)
                names = (html_text(opened.run.topic_labels[topic]) for topic in on)
                named = " &ensp;".join(f"●\N{NO-BREAK SPACE}{name}" for name in names)
                st.html(f'<div style="font-size:.8rem;opacity:.75">{named}</div>')
            st.html(TEXT.format(text=html_text(str(documents["text"].iat[row]))))
    if n_shown < len(rows):
        st.button(
            strings.MORE_PASSAGES.format(shown=n_shown, total=len(rows)),
            key="more-text",
            on_click=address.put,
            args=("text", str(doublings + 1)),
        )
    else:
        _show_gap(whole[before:])


def _show_gap(text: str) -> None:
    if text.strip():
        st.html(GAP.format(text=html_text(text.strip())))


def _show_topics(run: Run, activations: Activations | None, rows: npt.NDArray[np.int64]) -> None:
    """Draw the topics of the document, with the share of the passages in which each is on.

    Topics may be known for a sample of the passages only; the share is one of these.
    """
    st.markdown(f"**{strings.TOPICS_OF_DOCUMENT}**")
    if activations is None:
        st.caption(strings.NO_ACTIVATIONS)
        return
    known = int(np.isin(rows, activations.rows).sum())
    if known < len(rows):
        st.caption(strings.passages_with_topics(known, len(rows)))
    found = topics_of_document(run, activations, rows)
    if not found:
        if known:
            st.caption(strings.NO_TOPICS)
        return
    for topic in found[:LEGEND_TOPICS]:
        counted = strings.on_in(topic.passages, known)
        label = markdown_text(run.topic_labels[topic.topic])
        with st.container(gap=None, key=f"whole-topic-{topic.topic}"):
            st.markdown(f"{label} {percent(topic.probability)}")
            st.html(BAR.format(width=100 * topic.passages / known))
            st.caption(counted)
    st.caption(strings.TOPICS_OF_DOCUMENT_HINT)
