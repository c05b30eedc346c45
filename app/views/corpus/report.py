"""Report of an import: figures, charts and tables of the kept and dropped words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from ....core.data.guesses import command_option, stored_guesses
from ....core.data.report import dropped_document_messages, skipped_line_messages
from ....core.data.vocabulary import BEYOND_LIMIT, STOP_WORD
from ...charts.theme import finished, text_colour
from ...text.safe_text import markdown_text, shortened
from . import strings

BAR = "#2E7FC6"
FIGURE = "#7C8899"
BAR_STEP = 19
HISTOGRAM_HEIGHT = 230
# Longer labels would leave too little room for the bars.
LABEL_WIDTH = 150
# Room at the right of the longest bar for each digit of its figure, as a share of its length.
ROOM_PER_DIGIT = 0.06
N_EXAMPLES = 12
N_ROWS = 8
# Width of a figure, in pixels; four fit into a row on a screen of 1280 pixels.
FIGURE_WIDTH = 128
# Characters of a text in a table; longer texts need not be sent to the browser.
MAX_TEXT = 300


def frequent_words(pairs: Sequence[tuple[str, int]], shown: int = 15) -> alt.LayerChart:
    """Bars of the words with the highest document frequency, with the numbers at their ends."""
    table = pd.DataFrame(list(pairs[:shown]), columns=["word", "documents"])
    table["word"] = [word.replace("_", " ") for word in table["word"]]
    maximum = max(int(table["documents"].max()), 1) if len(table) else 1
    room = 1.0 + ROOM_PER_DIGIT * len(f"{maximum:,}")
    bars = alt.Chart(table).encode(
        # An explicit order, since a chart keeps its previous order when its data are replaced.
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
        x=alt.X("documents:Q", title=None, axis=None).scale(domain=[0, room * maximum]),
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
    """Histogram of the number of different words in a document."""
    table = pd.DataFrame(list(bars), columns=["from", "to", "documents"])
    # A bar covers its numbers rather than the space between them.
    table["begin"], table["end"] = table["from"] - 0.5, table["to"] + 0.5
    table["range"] = [
        f"{low:,}" if low == high else f"{low:,} to {high:,}"
        for low, high in zip(table["from"], table["to"], strict=True)
    ]
    chart: alt.Chart = (
        alt.Chart(table)
        .mark_bar(color=BAR, binSpacing=1)
        .encode(
            x=alt.X("begin:Q", title=strings.HISTOGRAM_X, bin="binned").axis(
                grid=False, format=",d", tickMinStep=1
            ),
            x2="end",
            y=alt.Y("documents:Q", title=strings.HISTOGRAM_Y).axis(
                format=",d", tickCount=4, tickMinStep=1
            ),
            tooltip=[
                alt.Tooltip("range:N", title=strings.HISTOGRAM_X),
                alt.Tooltip("documents:Q", format=","),
            ],
        )
    )
    return finished(chart, HISTOGRAM_HEIGHT)


def show(report: dict[str, Any], note: str) -> None:
    """Show an import report of a preview or of a saved corpus; ``note`` is on how to change it."""
    _figures(report)
    for sentence in _remarks(report):
        st.caption(markdown_text(sentence))
    _how_it_was_read(report, note)
    left, right = st.container(key="corpus-charts").columns(2, gap="large")
    with left:
        st.markdown(f"**{strings.FREQUENT_TITLE}**")
        pairs = [(str(word), int(count)) for word, count in report["frequent_words"]]
        chart = frequent_words(pairs)
        st.altair_chart(chart, key="corpus-frequent", alt=strings.FREQUENT_ALT)
    with right:
        st.markdown(f"**{strings.HISTOGRAM_TITLE}**")
        histogram = tokens_per_document(report["histogram"])
        st.altair_chart(histogram, key="corpus-histogram", alt=strings.HISTOGRAM_ALT)
    _dropped(report)


def show_rows(rows: pd.DataFrame) -> None:
    """Show the first rows of a source."""
    st.markdown(f"**{strings.ROWS_TITLE}**")
    st.dataframe(_shortened(rows), hide_index=True, key="corpus-rows")


def show_documents(documents: pd.DataFrame) -> None:
    """Show the first documents of a corpus."""
    st.markdown(f"**{strings.DOCUMENTS_TITLE}**")
    # The text is the last column, since it is too wide for columns after it.
    order = [name for name in documents.columns if name != "text"] + ["text"]
    st.dataframe(_shortened(documents[order]), hide_index=True, key="corpus-documents")


def _figures(report: dict[str, Any]) -> None:
    figures = {
        strings.DOCUMENTS: f"{report['documents']:,}",
        strings.WORDS: f"{report['vocabulary']:,}",
        strings.LEFT_OUT: f"{report['dropped_terms']:,}",
        strings.PER_DOCUMENT: f"{report['tokens_per_document']:.3g}",
    }
    with st.container(horizontal=True, key="corpus-figures"):
        for label, value in figures.items():
            explained = strings.PER_DOCUMENT_HELP if label == strings.PER_DOCUMENT else None
            st.metric(label, value, help=explained, width=FIGURE_WIDTH)


def _remarks(report: dict[str, Any]) -> list[str]:
    remarks = [
        strings.kept_documents(report["documents"], report["dropped_documents"]),
        " ".join(_word_remarks(report)),
    ]
    dropped = dropped_document_messages(report)
    remarks += [f"{remark[0].upper()}{remark[1:]}." for remark in dropped]
    remarks += [f"{remark}." for remark in skipped_line_messages(report)]
    if report["skipped_files"]:
        remarks.append(strings.skipped_files(report["skipped_files"], report["skipped_file_names"]))
    return remarks


def _word_remarks(report: dict[str, Any]) -> list[str]:
    """Sentences on the number of kept words, stop words and phrases."""
    rules = report["dropped_terms_by_rule"]
    beyond = rules.get(BEYOND_LIMIT, {}).get("count", 0)
    remarks = [strings.kept_words(report["vocabulary"], report["dropped_terms"], beyond)]
    stopped = rules.get(STOP_WORD, {})
    if stopped.get("occurrences") and report.get("occurrences"):
        remarks.append(strings.stop_words_took(stopped["occurrences"], report["occurrences"]))
    if report["phrases"]:
        remarks.append(strings.phrases_joined(report["phrases"]))
    return remarks


def _control_of(option: str) -> str:
    """Label of the control for an option, or the command where the page has no control."""
    if not option:
        return ""
    return strings.OPTION_LABELS.get(option) or f"`orrery import {command_option(option)}`"


def _how_it_was_read(report: dict[str, Any], note: str) -> None:
    """Table of the guesses of the import, with the control that overrides each of them."""
    rows = [
        {
            strings.TABLE_WHAT: markdown_text(guess.what[:1].upper() + guess.what[1:]),
            strings.TABLE_READ: markdown_text(
                guess.value + (f" ({guess.reason})" if guess.reason else "")
            ),
            strings.TABLE_CHANGE: _control_of(guess.option),
        }
        for guess in stored_guesses(report)
    ]
    if not rows:
        return
    st.markdown(f"**{strings.READ_TITLE}**")
    st.caption(note)
    with st.container(key="corpus-read"):
        st.table(pd.DataFrame(rows).set_index(strings.TABLE_WHAT))


def _dropped(report: dict[str, Any]) -> None:
    """Table of the rules, with the number of words that each left out and examples."""
    st.markdown(f"**{strings.DROPPED_TITLE}**")
    rules = report["dropped_terms_by_rule"]
    rows = [
        {
            strings.TABLE_RULE: strings.RULES.get(rule, rule),
            strings.TABLE_WORDS: f"{dropped['count']:,}",
            # Corpora of earlier versions have no number of occurrences.
            strings.TABLE_TIMES: f"{dropped['occurrences']:,}" if "occurrences" in dropped else "",
            strings.TABLE_EXAMPLES: markdown_text(_examples(dropped["examples"])),
        }
        for rule, dropped in rules.items()
        if dropped["count"]
    ]
    if not rows:
        st.caption(strings.DROPPED_NONE)
        return
    # st.table wraps its cells, so that all examples are visible.
    with st.container(key="corpus-dropped"):
        st.table(pd.DataFrame(rows).set_index(strings.TABLE_RULE))


def _examples(pairs: list[tuple[str, int]]) -> str:
    shown = ", ".join(str(word).replace("_", " ") for word, _ in pairs[:N_EXAMPLES])
    return shown + (" …" if len(pairs) > N_EXAMPLES else "")


def _shortened(table: pd.DataFrame) -> pd.DataFrame:
    """First rows, without empty columns and with long texts cut."""
    shown = table.head(N_ROWS).dropna(axis="columns", how="all")
    return shown.map(lambda cell: shortened(cell, MAX_TEXT) if isinstance(cell, str) else cell)
