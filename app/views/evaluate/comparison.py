"""Comparison of systems on the Evaluate page: form, progress, table of metrics, aligned topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from ....core.evaluation.metrics import COMPARED
from ....core.utils.read_only import is_read_only
from ...shared.evaluation_figures import written
from ...shell import memory, page
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from ...workspace import catalog, comparisons
from ...workspace.comparisons import Comparing
from . import strings

# Words shown for each topic.
N_WORDS = 6
POLL_SECONDS = 1.0
REFUSED = "systems-refused"
CHOSEN, COUNT = "systems-chosen", "systems-topics"
DEFAULT_SYSTEMS, DEFAULT_TOPICS = ["orrery", "lda", "bernoulli-lda"], 20
MAX_SYSTEMS, MAX_TOPICS = 6, 200
TOPICS_HEIGHT = 420


def comparison_table(figures: dict[str, Any]) -> pd.DataFrame:
    """One row per system, one column per metric that any of them has."""
    rows = figures["systems"]
    table = {
        metric.heading: [written(metric, row.get(metric.key)) for row in rows]
        for metric in COMPARED
        if any(row.get(metric.key) is not None for row in rows)
    }
    return pd.DataFrame({strings.SYSTEM: [row["title"] for row in rows], **table})


def topics_table(figures: dict[str, Any]) -> pd.DataFrame:
    """One column per system, one row per group of similar topics; "" if a system has none."""
    rows = figures["systems"]
    columns: dict[str, list[str]] = {row["title"]: [] for row in rows}
    for alike in figures["alike"]:
        for row, topic in zip(rows, alike, strict=True):
            shown = "" if topic is None else ", ".join(row["words"][topic][:N_WORDS])
            columns[row["title"]].append(shown)
    table = pd.DataFrame(columns)
    return table[(table != "").any(axis=1)].reset_index(drop=True)


def show(corpus: Path) -> None:
    """Draw the section for the corpus in a folder."""
    comparing = comparisons.read_comparing(catalog.workspace(), corpus)
    st.subheader(strings.TITLE, anchor=False, help=strings.HELP)
    for refusal in memory.recall(REFUSED, ()):
        page.show_error(refusal)
    memory.forget(REFUSED)
    if comparing.state == "failed":
        page.show_error(strings.systems_failed(comparing.message))
    if comparing.state == "going":
        st.fragment(_wait, run_every=POLL_SECONDS)(corpus)
    elif not is_read_only():
        _choose(corpus, comparing)
    elif comparing.figures is None:
        st.caption(strings.NOT_HERE)
    if comparing.figures is not None:
        _table(comparing.figures)
        _topics(comparing.figures)


def _choose(corpus: Path, comparing: Comparing) -> None:
    offered = comparisons.offered()
    if memory.recall(CHOSEN) is None:
        before = [name for name in comparing.systems if name in offered]
        memory.remember(CHOSEN, before or DEFAULT_SYSTEMS)
    if memory.recall(COUNT) is None:
        memory.remember(COUNT, min(max(comparing.topics or DEFAULT_TOPICS, 1), MAX_TOPICS))
    with st.container(horizontal=True, vertical_alignment="bottom", key="systems-form"):
        st.multiselect(
            strings.CHOOSE, list(offered), key=CHOSEN, format_func=offered.__getitem__,
            placeholder=strings.CHOOSE_HINT, max_selections=MAX_SYSTEMS, width="stretch",
        )  # fmt: skip
        st.number_input(
            strings.SYSTEMS_TOPICS, 1, MAX_TOPICS, key=COUNT, help=strings.SYSTEMS_TOPICS_HELP,
            width=140,
        )  # fmt: skip
        st.button(
            strings.AGAIN if comparing.figures else strings.BEGIN,
            key="evaluate-systems",
            on_click=_begin,
            args=(corpus,),
        )


def _begin(corpus: Path) -> None:
    systems = list(memory.recall(CHOSEN, ()))
    if len(systems) < 2:
        memory.remember(REFUSED, (strings.TOO_FEW,))
        return
    try:
        topics = int(memory.recall(COUNT, DEFAULT_TOPICS))
        comparisons.begin(catalog.workspace(), corpus, systems, topics)
    except page.FAILURES as error:
        memory.remember(REFUSED, (shell_strings.failure(error),))


@page.failures_shown()
def _wait(corpus: Path) -> None:
    """Show the progress, or the error that occurs."""
    comparing = comparisons.read_comparing(catalog.workspace(), corpus)
    if comparing.state != "going":
        st.rerun()
    titles = comparisons.offered()
    name, systems = comparing.system, comparing.systems
    place = systems.index(name) if name in systems else 0
    text = strings.SYSTEMS_GOING.format(
        title=titles.get(name, name), number=place + 1, count=len(systems)
    )
    with st.container(horizontal=True, vertical_alignment="center", key="systems-watch"):
        st.progress(comparing.share_of_all, markdown_text(text), width=520)
        if not is_read_only():
            st.button(strings.SYSTEMS_STOP, key="systems-stop", on_click=comparisons.stop,
                      args=(catalog.workspace(), corpus))  # fmt: skip


def _table(figures: dict[str, Any]) -> None:
    table = comparison_table(figures)
    columns = {
        metric.heading: st.column_config.TextColumn(alignment="right", help=metric.explanation)
        for metric in COMPARED
    }
    st.dataframe(table, hide_index=True, key="systems-table", column_config=columns,
                 width="content", height="content")  # fmt: skip
    lines = [strings.TRAINED_ON.format(train=figures["train"], held_out=figures["held_out"])]
    lines += [f"{row['title']}: {row['measure']}" for row in figures["systems"]]
    st.caption("  \n".join(map(markdown_text, lines)))


def _topics(figures: dict[str, Any]) -> None:
    st.markdown(f"**{strings.ALIKE}**", help=strings.ALIKE_HELP)
    table = topics_table(figures)
    st.dataframe(table, hide_index=True, key="systems-topics-table", width="stretch",
                 height="content" if len(table) < 12 else TOPICS_HEIGHT)  # fmt: skip
