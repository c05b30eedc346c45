"""How a topic is spread over years and labels, and the documents that say most about it.

No streamlit.
"""

from __future__ import annotations

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd

from orrery.app.charts.chart_theme import finished, text_colour
from orrery.app.documents.facets import NO_YEAR
from orrery.app.words import topic as words
from orrery.app.words.figures import percent
from orrery.core.corpus import Corpus
from orrery.core.text.dates import year_span

BAR = "#2E7FC6"
FIGURE = "#7C8899"
# More labels than this are left out.
MOST_LABELS = 8
ROW, LABEL_WIDTH, YEARS_HEIGHT = 21, 130, 176
# What Streamlit takes of the height of a chart.
FRAME = 24
MOST_MARKED = 10


def shares(on: npt.NDArray[np.bool_], group: npt.NDArray[np.object_]) -> pd.DataFrame:
    """Share of the documents of each group in which a topic is on.

    Parameters
    ----------
    on : bool array, shape (n_documents,)
    group : object array, shape (n_documents,)
        Documents whose group is "" or None belong to none.

    Returns
    -------
    pandas.DataFrame
        Columns ``group``, ``documents``, ``on`` and ``share`` (0 … 1), ordered by group.
    """
    table = pd.DataFrame({"group": group, "on": on})
    table = table[table["group"].notna() & (table["group"] != "")]
    counted = table.groupby("group", sort=True)["on"].agg(documents="size", on="sum")
    counted["share"] = counted["on"] / counted["documents"]
    return counted.reset_index()


def year_shares(on: npt.NDArray[np.bool_], year: npt.NDArray[np.int32]) -> pd.DataFrame:
    """`shares` by year; a long period in equal spans, each named by its first year in ``group``.

    Further column: ``until``, the first year after the span.
    """
    known = year != NO_YEAR
    span = year_span(year[known])
    table = shares(on[known], (year[known] // span * span).astype(object))
    table["group"] = table["group"].astype(int)
    return table.assign(until=table["group"] + span)


def years_chart(table: pd.DataFrame) -> alt.Chart:
    """One bar for each year, as high as the share of its documents."""
    span = int((table["until"] - table["group"]).iloc[0])
    table = table.assign(
        begin=table["group"] - 0.5,
        end=table["until"] - 0.5,
        name=[words.years(first, first + span - 1) for first in table["group"]],
        told=_told(table),
    )
    chart: alt.Chart = (
        alt.Chart(table)
        .mark_bar(color=BAR, binSpacing=1.5)
        .encode(
            x=alt.X("begin:Q", title=None, bin="binned")
            .scale(zero=False, nice=False)
            .axis(grid=False, format="d", tickMinStep=1, labelFlush=False),
            x2="end",
            y=alt.Y("share:Q", title=words.SHARE_OF_DOCUMENTS).axis(format="~%", tickCount=3),
            tooltip=[
                alt.Tooltip("name:N", title=words.YEAR),
                alt.Tooltip("told:N", title=words.ON),
            ],
        )
    )
    return finished(chart, YEARS_HEIGHT)


def labels_chart(table: pd.DataFrame) -> alt.LayerChart:
    """One bar for each of the labels with the largest shares, the figure at its end."""
    best = labels_shown(table)
    best = best.assign(told=_told(best), figure=[percent(share) for share in best["share"]])
    bars = alt.Chart(best).encode(
        y=alt.Y("group:N", sort=None, title=None).axis(
            ticks=False, domain=False, labelPadding=6, labelLimit=LABEL_WIDTH, labelOverlap=False
        ),
        x=alt.X("share:Q", axis=None).scale(domain=[0, 1.15 * max(best["share"].max(), 0.01)]),
        tooltip=_tips("group:N", words.LABEL),
    )
    figures = bars.mark_text(align="left", dx=5, color=text_colour(FIGURE)).encode(text="figure:N")
    chart: alt.LayerChart = (
        bars.mark_bar(color=BAR, cornerRadiusEnd=2, height={"band": 0.7}) + figures
    )
    return finished(chart, ROW * len(best) + FRAME)


def _tips(field: str, title: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(field, title=title), alt.Tooltip("told:N", title=words.ON)]


def labels_shown(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `shares` that are drawn: the largest, at least one, and no more that are 0."""
    ranked = table.sort_values(["share", "documents"], ascending=False, kind="stable")
    return ranked.head(min(MOST_LABELS, max(1, int((ranked["share"] > 0).sum()))))


def _told(table: pd.DataFrame) -> list[str]:
    return [
        words.on_in(int(on), int(documents))
        for on, documents in zip(table["on"], table["documents"], strict=True)
    ]


def marked_words(corpus: Corpus, row: int, told: dict[str, float]) -> dict[str, float]:
    """The most telling words of a document, with how much they tell."""
    present = [corpus.vocabulary[token] for token in corpus.tokens_of(row)]
    found = sorted((word for word in present if word in told), key=lambda word: -told[word])
    return {word: told[word] for word in found[:MOST_MARKED]}
