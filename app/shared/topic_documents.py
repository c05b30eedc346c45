"""Documents of a topic: its share by year and label, typical documents, and excerpts in lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import streamlit as st

from ...core.data.corpus import Corpus
from ...core.data.dates import year_span
from ...core.drawing.strings import percent
from ...core.inference.nearest import topic_keywords, typical_documents
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.model.topic_model import Run
from ...core.utils.lazy import LazyModule
from ..charts.theme import finished, text_colour
from ..shell import page, resources
from ..text.safe_text import (
    Part,
    document_text,
    excerpt,
    excerpt_html,
    html_text,
    markdown_text,
    wanted_words,
)
from ..workspace.facets import NO_YEAR, Facets, facts, is_headline, title_of
from . import topic_strings
from .topic_facts import on_probability

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")


def show(
    corpus: Corpus,
    row: int,
    facets: Facets,
    parts: Sequence[Part],
    *,
    key: str,
    typed: frozenset[str] = frozenset(),
) -> None:
    """Show one document.

    ``parts`` are the excerpt, ``key`` begins the key of the button, and ``typed`` are words that
    are marked more strongly.
    """
    name, text = str(corpus.documents["id"].iat[row]), document_text(corpus, row)
    known = " · ".join(map(html_text, facts(facets, row, facets.name[row])))
    is_short = is_headline(facets, row, text)
    title = marked_headline(parts) if is_short else markdown_text(title_of(facets, row, text))
    below = "" if is_short else excerpt_html(parts, typed)
    with st.container(gap=None):
        if st.button(f"**{title}**", key=f"{key}-{row}", type="tertiary"):
            page.open_documents(doc=name)
        st.html(f'<div class="excerpt"><div class="known">{known}</div>{below}</div>')


def marked_headline(parts: Sequence[Part]) -> str:
    """Markdown of a whole short text, with its marked words on a background."""
    written = []
    for part in parts:
        # `markdown_text` leaves out the blanks around a text.
        before, after = (" " * character.isspace() for character in (part.text[0], part.text[-1]))
        text = markdown_text(part.text)
        written += [before, f":blue-background[{text}]" if part.word else text, after]
    return "".join(written).strip()


BAR = "#2E7FC6"
FIGURE = "#7C8899"
# Labels in the chart.
MAX_LABELS = 8
ROW, LABEL_WIDTH, YEARS_HEIGHT = 21, 130, 176
# Height of a chart that Streamlit uses for the frame.
FRAME = 24
# Marked words of a document.
MAX_MARKED = 10
# Typical documents, and letters of their excerpts.
DOCUMENTS_SHOWN, LETTERS = 4, 260


def shares(on: npt.NDArray[np.bool_], group: npt.NDArray[np.object_]) -> pd.DataFrame:
    """Share of the documents of each group in which a topic is on.

    Parameters
    ----------
    group : object array, shape (n_documents,)
        "" or None for documents without a group.

    Returns
    -------
    pandas.DataFrame
        Columns ``group``, ``documents``, ``on`` and ``share`` (0 to 1), ordered by group.
    """
    table = pd.DataFrame({"group": group, "on": on})
    table = table[table["group"].notna() & (table["group"] != "")]
    counted = table.groupby("group", sort=True)["on"].agg(documents="size", on="sum")
    counted["share"] = counted["on"] / counted["documents"]
    return counted.reset_index()


def year_shares(on: npt.NDArray[np.bool_], year: npt.NDArray[np.int32]) -> pd.DataFrame:
    """`shares` by year; a long period in equal spans, whose first years are ``group``.

    The additional column ``until`` is the first year after the span.
    """
    known = year != NO_YEAR
    span = year_span(year[known])
    table = shares(on[known], (year[known] // span * span).astype(object))
    table["group"] = table["group"].astype(int)
    return table.assign(until=table["group"] + span)


def years_chart(table: pd.DataFrame) -> alt.Chart:
    """Bar chart of the shares by year."""
    span = int((table["until"] - table["group"]).iloc[0])
    table = table.assign(
        begin=table["group"] - 0.5,
        end=table["until"] - 0.5,
        name=[topic_strings.years(first, first + span - 1) for first in table["group"]],
        note=_counts_text(table),
    )
    y = alt.Y("share:Q", title=topic_strings.SHARE_OF_DOCUMENTS).axis(format="~%", tickCount=3)
    bars = alt.Chart(table).mark_bar(color=BAR, binSpacing=1.5)
    chart: alt.Chart = bars.encode(
        x=alt.X("begin:Q", title=None, bin="binned")
        .scale(zero=False, nice=False)
        .axis(grid=False, format="d", tickMinStep=1, labelFlush=False),
        x2="end",
        y=y,
        tooltip=[
            alt.Tooltip("name:N", title=topic_strings.YEAR),
            alt.Tooltip("note:N", title=topic_strings.ON),
        ],
    )
    return finished(chart, YEARS_HEIGHT)


def labels_chart(table: pd.DataFrame, name: str = "") -> alt.LayerChart:
    """Bar chart of the labels with the largest shares, with figures at the ends of the bars.

    ``name`` is the name of the column of labels in the source, if it has one.
    """
    best = labels_shown(table)
    best = best.assign(note=_counts_text(best), figure=[percent(share) for share in best["share"]])
    bars = alt.Chart(best).encode(
        y=alt.Y("group:N", sort=None, title=None).axis(
            ticks=False, domain=False, labelPadding=6, labelLimit=LABEL_WIDTH, labelOverlap=False
        ),
        x=alt.X("share:Q", axis=None).scale(domain=[0, 1.15 * max(best["share"].max(), 0.01)]),
        tooltip=[
            alt.Tooltip("group:N", title=name or topic_strings.LABEL),
            alt.Tooltip("note:N", title=topic_strings.ON),
        ],
    )
    figures = bars.mark_text(align="left", dx=5, color=text_colour(FIGURE)).encode(text="figure:N")
    chart: alt.LayerChart = (
        bars.mark_bar(color=BAR, cornerRadiusEnd=2, height={"band": 0.7}) + figures
    )
    return finished(chart, ROW * len(best) + FRAME)


def labels_shown(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `shares` in the chart: the largest ones above 0, at least one."""
    ranked = table.sort_values(["share", "documents"], ascending=False, kind="stable")
    return ranked.head(min(MAX_LABELS, max(1, int((ranked["share"] > 0).sum()))))


def _counts_text(table: pd.DataFrame) -> list[str]:
    pairs = zip(table["on"], table["documents"], strict=True)
    return [topic_strings.on_in(int(on), int(documents)) for on, documents in pairs]


def marked_words(corpus: Corpus, row: int, keywords: dict[str, float]) -> dict[str, float]:
    """Words of a document with the highest scores in ``keywords``, with these scores."""
    present = [corpus.vocabulary[token] for token in corpus.tokens_of(row)]
    found = sorted((word for word in present if word in keywords), key=lambda word: -keywords[word])
    return {word: keywords[word] for word in found[:MAX_MARKED]}


def show_documents(run: Run, topic: int) -> None:
    """Draw the charts and the documents, if the corpus and its activations are available."""
    corpus, _ = resources.corpus_of(run)
    stored = resources.sound_activations(run)
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
    """Draw the share of documents by year and label, if the corpus has any."""
    if not facets.years and not facets.labels:
        return
    st.markdown(f"**{topic_strings.COURSE}**")
    both = bool(facets.years and facets.labels)
    columns = st.columns([3, 2], gap="medium") if both else [st.container()] * 2
    if facets.years:
        table = year_shares(on, facets.year[rows])
        columns[0].altair_chart(
            years_chart(table), width="stretch", key="topic-years", alt=topic_strings.YEARS_ALT
        )
    if facets.labels:
        table = shares(on, facets.label[rows])
        columns[1].altair_chart(
            labels_chart(table, facets.label_name),
            width="stretch",
            key="topic-labels",
            alt=topic_strings.LABELS_ALT,
        )
        with_it, shown = int(table["on"].gt(0).sum()), len(labels_shown(table))
        columns[1].caption(topic_strings.more_labels(max(0, with_it - shown), len(table) - with_it))


def _show_strongest(
    run: Run, topic: int, corpus: Corpus, probability: npt.NDArray[np.float64], facets: Facets
) -> None:
    """List the typical documents of a topic, with its words marked."""
    keywords = topic_keywords(run, topic)
    found = typical_documents(corpus, probability, keywords, DOCUMENTS_SHOWN)
    st.markdown(f"**{topic_strings.STRONGEST}**", help=topic_strings.STRONGEST_HELP)
    if not found:
        st.caption(topic_strings.NO_DOCUMENTS)
        return
    for row in found:
        wanted = wanted_words(marked_words(corpus, row, keywords))
        parts = excerpt(document_text(corpus, row), wanted, LETTERS)
        show(corpus, row, facets, parts, key="typical")
    number = int((probability > ON_THRESHOLD).sum())
    if st.button(topic_strings.all_documents(number), key="all-documents", type="tertiary"):
        page.open_documents(on=run.network.graph.topic_ids[topic])
