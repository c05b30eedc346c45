"""The charts of a run: a large one of its bounds, and small ones of topics, edges and speed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pandas as pd
import streamlit as st

from orrery.app.charts import bound_chart, run_charts, run_lines
from orrery.app.charts.run_lines import Across, Axes, Scale
from orrery.app.runs.jobs import Job
from orrery.app.session import address, memory
from orrery.app.words import train_charts as words
from orrery.app.workspace import catalog
from orrery.core.errors import InputError
from orrery.core.storage.corpora import read_description
from orrery.core.storage.reports import MetricsReader, read_moves

ACROSS, SCALE, LINES, BESIDE = "across", "scale", "lines", "beside"
# More lines than this beside one run cannot be told apart.
MOST_BESIDE = 4
BESIDE_WIDTH = 250


def show(job: Job, metrics: pd.DataFrame, runs: Sequence[Job]) -> None:
    """Draw the charts with what can be chosen about them."""
    across = cast(Across, address.restore(ACROSS, "epoch", list(words.AXES)))
    scale = cast(Scale, address.restore(SCALE, "linear", list(words.SCALES)))
    shown = address.restore(LINES, "both", list(words.LINES_SHOWN))
    beside = _chosen_beside(job, runs)
    lines = run_lines.bound_lines(metrics, across)
    earlier = run_lines.earlier_lines({name: _metrics_of(runs, name) for name in beside}, across)
    every = pd.concat([lines, earlier], ignore_index=True) if len(earlier) else lines
    if scale == "log":
        every = every[every["x"] > 0]
    axes = run_lines.steady_axes(every, across, _epochs_ahead(job), scale)
    if len(every):
        _bounds(metrics, every, axes, shown)
    else:
        with st.container(border=True, height=run_lines.HEIGHT, key="chart-empty"):
            st.caption(words.CHART_EMPTY)
    _controls(shown, beside, [other.name for other in runs if other.name != job.name])
    if len(lines):
        _small(job, metrics, axes)


def _epochs_ahead(job: Job) -> int:
    """Epochs that a live run will reach; for any other run its lines say how far it came."""
    return int(job.status.get("epochs") or 0) if job.is_live else 0


def _bounds(metrics: pd.DataFrame, lines: pd.DataFrame, axes: Axes, shown: str) -> None:
    marks = run_lines.phase_marks(metrics, axes)
    points = run_lines.name_earlier(lines, axes)
    gaps = run_lines.gap_marks(metrics, axes)
    points = pd.concat([part for part in (points, marks, gaps) if len(part)], ignore_index=True)
    specification = bound_chart.bound_chart(axes, shown).to_dict()
    st.vega_lite_chart(points, specification, key="train-chart", alt=words.CHART_ALT)


def _controls(shown: str, beside: Sequence[str], others: Sequence[str]) -> None:
    """Controls of what the chart shows, below it."""
    with st.container(horizontal=True, wrap=True, vertical_alignment="center", key="chart-foot"):
        for name, label, options in (
            (LINES, words.LINES, words.LINES_SHOWN),
            (ACROSS, words.AXIS, words.AXES),
            (SCALE, words.SCALE, words.SCALES),
        ):
            st.segmented_control(
                label,
                list(options),
                format_func=options.__getitem__,
                required=True,
                key=name,
                label_visibility="collapsed",
                on_change=address.keep,
                args=(name,),
            )
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="chart-note"):
        notes = [words.LINE_NOTES[shown], words.UNIT_NOTE, *([words.BESIDE_NOTE] if beside else [])]
        st.caption(" ".join(notes), width="stretch")
        if others:
            st.multiselect(
                words.BESIDE,
                list(others),
                key=BESIDE,
                format_func=str,
                max_selections=MOST_BESIDE,
                placeholder=words.BESIDE,
                label_visibility="collapsed",
                on_change=lambda: address.put_list(BESIDE, memory.recall(BESIDE)),
                width=BESIDE_WIDTH,
            )


def _chosen_beside(job: Job, runs: Sequence[Job]) -> list[str]:
    """Runs to compare with: those in the address that exist."""
    known = {other.name for other in runs} - {job.name}
    chosen = [name for name in address.get_list(BESIDE) if name in known][:MOST_BESIDE]
    if memory.recall(BESIDE) != chosen:
        memory.remember(BESIDE, chosen)
    return chosen


def _metrics_of(runs: Sequence[Job], name: str) -> pd.DataFrame:
    folder = next(run.folder for run in runs if run.name == name)
    return metrics_once(str(folder), catalog.stamp(folder / "metrics.jsonl"))


@st.cache_data(max_entries=40, show_spinner=False)
def metrics_once(folder: str, changed: int) -> pd.DataFrame:
    """Metrics of a run, read on from where they ended when there are more."""
    return _reader_of(folder).read()


@st.cache_resource(max_entries=40, show_spinner=False)
def _reader_of(folder: str) -> MetricsReader:
    return MetricsReader(Path(folder))


@st.cache_data(max_entries=40, show_spinner=False)
def moves_once(folder: str, changed: int) -> pd.DataFrame:
    """Moves of a run, read again when there are more."""
    return read_moves(Path(folder))


def _small(job: Job, metrics: pd.DataFrame, axes: Axes) -> None:
    """Three small charts on the same x axis."""
    moves = moves_once(str(job.folder), catalog.stamp(job.folder / "moves.jsonl"))
    drawn = [
        ("topics", words.GRAPH_TITLE, words.GRAPH_HELP,
         run_charts.topic_lines(metrics, moves, axes.across)),
        ("edges", words.EDGES_TITLE, words.EDGES_HELP,
         run_charts.edge_lines(metrics, moves, axes.across)),
        ("rate", words.RATE_TITLE, None,
         run_charts.rate_lines(metrics, _documents(job), axes.across)),
    ]  # fmt: skip
    drawn = [chart for chart in drawn if len(chart[3])]
    for column, (name, title, explained, lines) in zip(st.columns(3), drawn, strict=False):
        shown = lines[lines["x"] > 0] if axes.scale == "log" else lines
        with column:
            st.caption(title, help=explained)
            chart = run_charts.small_chart(axes, run_charts.top_of(shown))
            st.vega_lite_chart(
                shown, chart.to_dict(), key=f"train-{name}", alt=words.SMALL_ALT[name]
            )
    if job.settings.get("learn_structure"):
        with st.expander(words.MOVES_TITLE, key="train-moves"):
            if len(moves) and set(words.MOVES_TABLE) <= set(moves.columns):
                st.dataframe(run_charts.move_table(moves), hide_index=True)
            else:
                st.caption(words.NO_MOVES)


def _documents(job: Job) -> int:
    """Documents that the run trains on, by the corpus and the share held out."""
    try:
        counts = read_description(job.corpus) if job.corpus else {}
    except InputError:
        return 0
    held_out = job.settings.get("held_out", 0.1)
    share = held_out if isinstance(held_out, int | float) else 0.0
    documents = counts.get("documents")
    return round((1.0 - share) * documents) if isinstance(documents, int) else 0
