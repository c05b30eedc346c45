"""What an import kept and dropped, as figures, charts and tables."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from orrery.app.charts import corpus_charts
from orrery.app.text.escaping import markdown_text
from orrery.app.words import corpus as words
from orrery.core.text.report import said_of_lines
from orrery.core.text.vocabulary import BEYOND_LIMIT, STOP_WORD

EXAMPLES_SHOWN = 12
ROWS_SHOWN = 8
# Four of them stand in a row beside the controls on a screen of 1280 pixels.
FIGURE_WIDTH = 128
# Longer texts are cut in tables; the browser need not be sent a book.
TEXT_SHOWN = 300


def show(report: dict[str, Any]) -> None:
    """Show an import report, as it was just made or as the corpus keeps it."""
    _figures(report)
    for sentence in _remarks(report):
        st.caption(markdown_text(sentence))
    left, right = st.container(key="corpus-charts").columns(2, gap="large")
    with left:
        st.markdown(f"**{words.FREQUENT_TITLE}**")
        pairs = [(str(word), int(count)) for word, count in report["frequent_words"]]
        chart = corpus_charts.frequent_words(pairs)
        st.altair_chart(chart, key="corpus-frequent", alt=words.FREQUENT_ALT)
    with right:
        st.markdown(f"**{words.HISTOGRAM_TITLE}**")
        histogram = corpus_charts.tokens_per_document(report["histogram"])
        st.altair_chart(histogram, key="corpus-histogram", alt=words.HISTOGRAM_ALT)
    _dropped(report)


def show_rows(rows: pd.DataFrame) -> None:
    """Show the first rows of a source as they were read."""
    st.markdown(f"**{words.ROWS_TITLE}**")
    st.dataframe(_shortened(rows), hide_index=True, key="corpus-rows")


def show_documents(documents: pd.DataFrame) -> None:
    """Show the first documents of a corpus."""
    st.markdown(f"**{words.DOCUMENTS_TITLE}**")
    # The text last: whatever else there is would be pushed out of sight by it.
    order = [name for name in documents.columns if name != "text"] + ["text"]
    st.dataframe(_shortened(documents[order]), hide_index=True, key="corpus-documents")


def _figures(report: dict[str, Any]) -> None:
    figures = {
        words.DOCUMENTS: f"{report['documents']:,}",
        words.WORDS: f"{report['vocabulary']:,}",
        words.LEFT_OUT: f"{report['dropped_terms']:,}",
        words.PER_DOCUMENT: f"{report['tokens_per_document']:.3g}",
    }
    with st.container(horizontal=True, key="corpus-figures"):
        for label, value in figures.items():
            explained = words.PER_DOCUMENT_HELP if label == words.PER_DOCUMENT else None
            st.metric(label, value, help=explained, width=FIGURE_WIDTH)


def _remarks(report: dict[str, Any]) -> list[str]:
    remarks = [
        words.kept_documents(report["documents"], report["dropped_documents"]),
        " ".join(_word_remarks(report)),
    ]
    if report["dropped_documents"]:
        remarks.append(
            words.dropped_documents(report["dropped_documents"], report["dropped_document_ids"])
        )
    remarks += [f"{said}." for said in said_of_lines(report)]
    if report["skipped_files"]:
        remarks.append(words.skipped_files(report["skipped_files"], report["skipped_file_names"]))
    return remarks


def _word_remarks(report: dict[str, Any]) -> list[str]:
    """How many of the words are kept, and how much of the texts are stop words."""
    rules = report["dropped_terms_by_rule"]
    beyond = rules.get(BEYOND_LIMIT, {}).get("count", 0)
    remarks = [words.kept_words(report["vocabulary"], report["dropped_terms"], beyond)]
    stopped = rules.get(STOP_WORD, {})
    if stopped.get("occurrences") and report.get("occurrences"):
        remarks.append(words.stop_words_took(stopped["occurrences"], report["occurrences"]))
    if report["phrases"]:
        remarks.append(words.phrases_joined(report["phrases"]))
    return remarks


def _dropped(report: dict[str, Any]) -> None:
    """Table of the rules, how many words each left out, and which."""
    st.markdown(f"**{words.DROPPED_TITLE}**")
    rules = report["dropped_terms_by_rule"]
    rows = [
        {
            words.TABLE_RULE: words.RULES.get(rule, rule),
            words.TABLE_WORDS: f"{dropped['count']:,}",
            # Corpora of earlier versions did not count how often.
            words.TABLE_TIMES: f"{dropped['occurrences']:,}" if "occurrences" in dropped else "",
            words.TABLE_EXAMPLES: markdown_text(_examples(dropped["examples"])),
        }
        for rule, dropped in rules.items()
        if dropped["count"]
    ]
    if not rows:
        st.caption(words.DROPPED_NONE)
        return
    # A table that wraps: the examples are there to be read whole.
    with st.container(key="corpus-dropped"):
        st.table(pd.DataFrame(rows).set_index(words.TABLE_RULE))


def _examples(pairs: list[tuple[str, int]]) -> str:
    shown = ", ".join(str(word).replace("_", " ") for word, _ in pairs[:EXAMPLES_SHOWN])
    return shown + (" …" if len(pairs) > EXAMPLES_SHOWN else "")


def _shortened(table: pd.DataFrame) -> pd.DataFrame:
    """First rows, without empty columns and with long texts cut."""
    shown = table.head(ROWS_SHOWN).dropna(axis="columns", how="all")
    return shown.map(_cut)


def _cut(cell: Any) -> Any:
    if isinstance(cell, str) and len(cell) > TEXT_SHOWN:
        return cell[:TEXT_SHOWN].rstrip() + " …"
    return cell
