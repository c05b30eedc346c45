"""Charts of a run: a large one of its bounds, small ones of topics, edges and speed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st

from ...core.storage.corpora import read_description
from ...core.storage.reports import MetricsReader, read_metrics, read_moves
from ...core.utils.errors import InputError
from ...core.utils.lazy import LazyModule
from ..charts import run_lines
from ..charts import runs as bound_chart
from ..charts import strings as chart_strings
from ..charts.run_lines import Across, Axes, Scale
from ..shell import address, page
from ..shell.loaders import FOLDER, version_of
from ..workspace import progress
from ..workspace.runs import Job
from . import strings as shared_strings

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

ACROSS, SCALE, LINES, BESIDE = "across", "scale", "lines", "beside"
# Runs to compare with; more lines cannot be distinguished.
MAX_BESIDE = 4
BESIDE_WIDTH = 250


def show(job: Job, metrics: pd.DataFrame, runs: Sequence[Job]) -> None:
    """Draw the charts and their controls."""
    across = cast(Across, address.restore(ACROSS, "epoch", list(chart_strings.AXES)))
    scale = cast(Scale, address.restore(SCALE, "linear", list(shared_strings.SCALES)))
    shown = address.restore(LINES, "both", list(shared_strings.LINES_SHOWN))
    others = [run.name for run in runs if run.name != job.name]
    beside = address.restore_list(BESIDE, others, MAX_BESIDE)
    # Skipped epochs have no place on the axis, and no line leads over them.
    epochs = progress.epochs_in_all(job, metrics) if job.is_live else 0
    moves = progress.in_trained_epochs(moves_once(job.folder), metrics)
    metrics = progress.in_trained_epochs(metrics, metrics)
    lines = run_lines.bound_lines(metrics, across)
    folders = {run.name: run.folder for run in runs}
    known = {name: metrics_once(folders[name]) for name in beside}
    earlier = run_lines.earlier_lines(
        {name: progress.in_trained_epochs(table, table) for name, table in known.items()}, across
    )
    every = pd.concat([lines, earlier], ignore_index=True) if len(earlier) else lines
    if scale == "log":
        every = every[every["x"] > 0]
    # If the run is over, the lines show how many epochs it did.
    axes = run_lines.steady_axes(every, across, epochs, scale)
    if len(every):
        marks = run_lines.phase_marks(metrics, axes)
        points = run_lines.name_earlier(every, axes)
        points = pd.concat([part for part in (points, marks) if len(part)], ignore_index=True)
        specification = bound_chart.bound_chart(axes, shown).to_dict()
        st.vega_lite_chart(points, specification, key="train-chart", alt=shared_strings.CHART_ALT)
    else:
        with st.container(border=True, height=run_lines.HEIGHT, key="chart-empty"):
            empty = shared_strings.CHART_EMPTY if job.is_live else shared_strings.CHART_NONE
            st.caption(empty)
    _controls(shown, beside, others)
    if len(lines):
        _small(job, metrics, moves, axes)


def _controls(shown: str, beside: Sequence[str], others: Sequence[str]) -> None:
    """Draw the controls of the chart, below it."""
    with st.container(horizontal=True, wrap=True, vertical_alignment="center", key="chart-foot"):
        for name, label, options in (
            (LINES, shared_strings.LINES, shared_strings.LINES_SHOWN),
            (ACROSS, shared_strings.AXIS, chart_strings.AXES),
            (SCALE, shared_strings.SCALE, shared_strings.SCALES),
        ):
            page.choose(name, label, options, is_labelled=False)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="chart-note"):
        notes = [
            shared_strings.LINE_NOTES[shown],
            shared_strings.UNIT_NOTE,
            *([shared_strings.BESIDE_NOTE] if beside else []),
        ]
        st.caption(" ".join(notes), width="stretch")
        if others:
            st.multiselect(
                shared_strings.BESIDE,
                list(others),
                key=BESIDE,
                format_func=str,
                max_selections=MAX_BESIDE,
                placeholder=shared_strings.BESIDE,
                label_visibility="collapsed",
                on_change=address.keep_list,
                args=(BESIDE,),
                width=BESIDE_WIDTH,
            )


@st.cache_data(
    max_entries=40,
    show_spinner=False,
    hash_funcs={FOLDER: lambda run: version_of(run, "metrics.jsonl")},
)
def metrics_once(folder: Path) -> pd.DataFrame:
    """Metrics of a run; only new rows are read from disk."""
    return _reader_of(folder).read()


# Far more than the runs on one corpus: the table of all runs is drawn every second, and a cache of
# fewer entries than it has rows would never hit.
@st.cache_data(
    max_entries=2_000,
    show_spinner=False,
    hash_funcs={FOLDER: lambda run: version_of(run, "metrics.jsonl")},
)
def epochs_once(folder: Path) -> pd.DataFrame:
    """The columns of the metrics of an ended run from which its trained epochs are known."""
    metrics = read_metrics(folder)
    return metrics[[name for name in ("epoch", "phase") if name in metrics]]


@st.cache_resource(max_entries=40, show_spinner=False, hash_funcs={FOLDER: str})
def _reader_of(folder: Path) -> MetricsReader:
    return MetricsReader(folder)


@st.cache_data(
    max_entries=40,
    show_spinner=False,
    hash_funcs={FOLDER: lambda run: version_of(run, "moves.jsonl")},
)
def moves_once(folder: Path) -> pd.DataFrame:
    """Changes of a run's graph."""
    return read_moves(folder)


def _small(job: Job, metrics: pd.DataFrame, moves: pd.DataFrame, axes: Axes) -> None:
    """Draw three small charts with the x axis of the large one."""
    drawn = [
        ("topics", shared_strings.GRAPH_TITLE, shared_strings.GRAPH_HELP,
         bound_chart.topic_lines(metrics, moves, axes.across)),
        ("edges", shared_strings.EDGES_TITLE, shared_strings.EDGES_HELP,
         bound_chart.edge_lines(metrics, moves, axes.across)),
        ("rate", shared_strings.RATE_TITLE, shared_strings.RATE_TITLE_HELP,
         bound_chart.rate_lines(metrics, _documents(job), axes.across)),
    ]  # fmt: skip
    drawn = [chart for chart in drawn if len(chart[3])]
    for column, (name, title, explained, lines) in zip(st.columns(3), drawn, strict=False):
        shown = lines[lines["x"] > 0] if axes.scale == "log" else lines
        with column:
            st.caption(title, help=explained)
            chart = bound_chart.small_chart(axes, bound_chart.top_of(shown))
            st.vega_lite_chart(
                shown, chart.to_dict(), key=f"train-{name}", alt=shared_strings.SMALL_ALT[name]
            )
    if job.settings.get("learn_structure"):
        with st.expander(shared_strings.MOVES_TITLE, key="train-moves"):
            if len(moves) and set(chart_strings.MOVES_TABLE) <= set(moves.columns):
                st.dataframe(bound_chart.move_table(moves), hide_index=True)
            else:
                st.caption(shared_strings.NO_MOVES)


def _documents(job: Job) -> int:
    """Number of training documents of a run."""
    try:
        counts = read_description(job.corpus) if job.corpus else {}
    except InputError:
        return 0
    held_out = job.settings.get("held_out", 0.1)
    share = held_out if isinstance(held_out, int | float) else 0.0
    documents = counts.get("documents")
    return round((1.0 - share) * documents) if isinstance(documents, int) else 0
