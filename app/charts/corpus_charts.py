"""What an import kept, as charts (no streamlit)."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from orrery.app.charts.chart_theme import finished, text_colour
from orrery.app.words import corpus as words

BAR = "#2E7FC6"
FIGURE = "#7C8899"
BAR_STEP = 19
HISTOGRAM_HEIGHT = 230
# Longer words would push the bars to the side.
LABEL_WIDTH = 150
# Beyond the longest bar, for each letter of its figure: half a page is this narrow.
ROOM_FOR_LETTER = 0.06


def frequent_words(pairs: Sequence[tuple[str, int]], shown: int = 15) -> alt.LayerChart:
    """Bars of the words in most documents, with the numbers written at their ends."""
    table = pd.DataFrame(list(pairs[:shown]), columns=["word", "documents"])
    table["word"] = [word.replace("_", " ") for word in table["word"]]
    most = max(int(table["documents"].max()), 1) if len(table) else 1
    room = 1.0 + ROOM_FOR_LETTER * len(f"{most:,}")
    bars = alt.Chart(table).encode(
        # Named one by one: a chart whose data are replaced keeps the order of those before.
        y=alt.Y("word:N", sort=table["word"].tolist(), title=None).axis(
            ticks=False,
            domain=False,
            grid=False,
            labelPadding=6,
            labelLimit=LABEL_WIDTH,
            labelOverlap=False,
            labelFlush=False,
            labelBaseline="middle",
        ),
        x=alt.X("documents:Q", title=None, axis=None).scale(domain=[0, room * most]),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("documents:Q", format=",")],
    )
    figures = bars.mark_text(align="left", dx=5, color=text_colour(FIGURE)).encode(
        text=alt.Text("documents:Q", format=",")
    )
    chart: alt.LayerChart = (
        bars.mark_bar(color=BAR, cornerRadiusEnd=2, height={"band": 0.72}) + figures
    )
    return finished(chart, BAR_STEP * len(table) + 10)


def tokens_per_document(bars: Sequence[Sequence[int]]) -> alt.Chart:
    """Histogram of the different words in a document."""
    table = pd.DataFrame(list(bars), columns=["from", "to", "documents"])
    # A bar stands over its numbers, not between them.
    table["begin"], table["end"] = table["from"] - 0.5, table["to"] + 0.5
    table["range"] = [
        f"{low:,}" if low == high else f"{low:,} to {high:,}"
        for low, high in zip(table["from"], table["to"], strict=True)
    ]
    chart: alt.Chart = (
        alt.Chart(table)
        .mark_bar(color=BAR, binSpacing=1)
        .encode(
            x=alt.X("begin:Q", title=words.HISTOGRAM_X, bin="binned").axis(
                grid=False, format=",d", tickMinStep=1
            ),
            x2="end",
            y=alt.Y("documents:Q", title=words.HISTOGRAM_Y).axis(
                format=",d", tickCount=4, tickMinStep=1
            ),
            tooltip=[
                alt.Tooltip("range:N", title=words.HISTOGRAM_X),
                alt.Tooltip("documents:Q", format=","),
            ],
        )
    )
    return finished(chart, HISTOGRAM_HEIGHT)
