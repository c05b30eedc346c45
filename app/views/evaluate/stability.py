"""Stability on the Evaluate page: the button, its progress, and how often each topic came back."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from ....core.evaluation.stability import null_sentence, stability_sentence
from ....core.model.topic_model import Run
from ....core.storage.stability import Stability
from ....core.utils.read_only import is_read_only
from ...shared import topic_changes, topic_strings
from ...shared.stability import known_stability
from ...shell import memory, page
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from ...workspace import catalog, stabilities
from ...workspace.catalog import Place
from . import strings

POLL_SECONDS = 1.0
REFUSED = "stability-refused"
TABLE_HEIGHT = 420


def show(place: Place, run: Run) -> None:
    """Draw the section for a model with topics that was trained on a corpus."""
    if run.config["corpus"] is None or not run.displayed_topics:
        return
    measuring = stabilities.read_measuring(catalog.workspace(), place.folder)
    found = known_stability(run)
    st.subheader(strings.STABILITY, anchor=False, help=strings.STABILITY_HELP)
    for refusal in memory.recall(REFUSED, ()):
        page.show_error(refusal)
    memory.forget(REFUSED)
    if measuring.state == "failed":
        page.show_error(strings.stability_failed(measuring.message))
    if found is not None:
        sentence = stability_sentence(run, found)
        st.markdown(f"**{markdown_text(sentence)}**", help=strings.STABLE_HELP)
        by_chance = null_sentence(run, found)
        if by_chance:
            st.caption(markdown_text(by_chance))
    if measuring.state == "going":
        times = 0 if found is None else found.times
        st.fragment(_wait, run_every=POLL_SECONDS)(place, run, times)
    elif is_read_only():
        if found is None:
            st.caption(strings.STABILITY_NOT_HERE)
    else:
        _offer(place, found)
    if found is not None:
        table = topics_table(run)
        st.dataframe(table, hide_index=True, key="stability-topics", width="stretch",
                     height="content" if len(table) < 12 else TABLE_HEIGHT,
                     column_config=_columns())  # fmt: skip


def _offer(place: Place, found: Stability | None) -> None:
    """Draw the button that starts or continues the trainings, with the time that they take."""
    left = stabilities.TIMES - (0 if found is None else found.times)
    if left <= 0:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="stability-form"):
        if place.read_only:
            st.caption(strings.STABILITY_FIXED, width="content")
            help_text = topic_strings.COPY_HELP
            # The panel of a topic on the same page has a button of its own.
            if st.button(topic_strings.COPY, key="stability-copy-sample", help=help_text):
                topic_changes.copy_model()
            return
        seconds = stabilities.expected_seconds(place.folder, left)
        if found is not None:
            seconds = left * float(found.seconds.mean())
        st.button(
            strings.STABILITY_BEGIN if found is None else strings.STABILITY_CONTINUE,
            key="evaluate-stability",
            on_click=_begin,
            args=(place, None if found is None else found.share),
        )
        takes = strings.stability_takes(left, seconds, measured=found is not None)
        st.caption(takes, width="content")


def topics_table(run: Run) -> pd.DataFrame:
    """One row per displayed topic with its count and interval, the steadiest first."""
    found = known_stability(run)
    assert found is not None
    counts, correlation = found.topic_counts, found.correlation.mean(axis=0)
    order = sorted(run.displayed_topics, key=lambda topic: (-counts[topic], -correlation[topic]))
    intervals = [found.interval(count) for count in range(found.times + 1)]
    return pd.DataFrame(
        {
            strings.TOPIC: [run.topic_labels[topic] for topic in order],
            strings.FOUND: [f"{counts[topic]} of {found.times}" for topic in order],
            strings.FROM: [100.0 * intervals[counts[topic]].low for topic in order],
            strings.TO: [100.0 * intervals[counts[topic]].high for topic in order],
            strings.CORRELATION: [float(correlation[topic]) for topic in order],
        }
    )


def _columns() -> dict[str, ColumnConfig]:
    column = st.column_config
    return {
        strings.FROM: column.NumberColumn(format="%.0f %%", help=strings.INTERVAL_HELP),
        strings.TO: column.NumberColumn(format="%.0f %%", help=strings.INTERVAL_HELP),
        strings.CORRELATION: column.NumberColumn(format="%.2f", help=strings.CORRELATION_HELP),
    }


def _begin(place: Place, share: float | None) -> None:
    try:
        stabilities.begin(catalog.workspace(), place.folder, share)
    except page.FAILURES as error:
        memory.remember(REFUSED, (shell_strings.failure(error),))


@page.failures_shown()
def _wait(place: Place, run: Run, times: int) -> None:
    """Show the progress; draw the page again after each training."""
    measuring = stabilities.read_measuring(catalog.workspace(), place.folder)
    found = known_stability(run)
    if measuring.state != "going" or times != (0 if found is None else found.times):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="stability-watch"):
        text = strings.stability_going(times, stabilities.TIMES)
        st.progress(measuring.share, markdown_text(text), width=520)
        if not is_read_only():
            st.button(strings.STOP, key="stability-stop", on_click=stabilities.stop,
                      args=(catalog.workspace(), place.folder))  # fmt: skip
