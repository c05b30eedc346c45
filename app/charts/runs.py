"""Charts of a run: its bounds, and below them topics, edges and documents per second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.utils.lazy import LazyModule
from ..workspace.progress import epochs_trained
from . import strings as chart_strings
from .run_lines import HEIGHT as BOUND_HEIGHT
from .run_lines import Y_STEPS, Across, Axes, across_values, nice, thinned
from .theme import finished, layered, text_colour

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    from altair.utils.schemapi import UndefinedType
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")

# Hues of the lines; their labels use `text_colour` of these.
TRAINING = "#2E7FC6"
HELD_OUT = "#D9730D"
EARLIER = "#8A95A3"
# Up to six digits without an exponent, for the magnitudes of bounds and epochs.
FORMAT = ",.6~r"
# Height of a small chart.
HEIGHT = 140
# Points of its lines; more cannot be distinguished on a third of a screen.
MAX_POINTS = 400
# Rows over which the speed is measured, since one may include an evaluation or a checkpoint.
PACE_ROWS = 7
# Counts in the note of a change of the graph.
COUNTED = ("merged", "pruned", "grown", "topics", "edges")
COLUMNS = {"x": float, "value": float, "line": str, "note": str}


def bound_chart(axes: Axes, shown: str = "both") -> alt.LayerChart:
    """Chart of the training and held-out bounds, with labels at the ends of the lines.

    It has no data: ``bound_lines`` is passed beside it, so that new points move into the existing
    chart. ``shown`` is the training line: ``both``, ``smooth`` or ``raw``.
    """
    base = alt.Chart().encode(
        x=x_axis(axes),
        y=alt.Y("bound:Q", title=chart_strings.Y_TITLE)
        .scale(domain=[axes.bottom, axes.top], nice=False, zero=False)
        .axis(tickCount=Y_STEPS, format=FORMAT, minExtent=44, titleAnchor="end"),
    )
    raw, smooth, held_out, earlier, name, phase = (
        base.transform_filter(f"datum.line === '{line}'")
        for line in ("raw", "smooth", "held-out", "earlier", "name", "phase")
    )
    tips = [
        alt.Tooltip("x:Q", title=chart_strings.AXES[axes.across], format=".3~g"),
        alt.Tooltip("bound:Q", title=chart_strings.Y_TITLE, format=".2f"),
    ]
    pale = 0.42 if shown == "both" else 1.0
    layers = [
        raw.mark_line(color=TRAINING, strokeWidth=1, opacity=pale, clip=True),
        smooth.mark_line(color=TRAINING, strokeWidth=2.4, clip=True),
        held_out.mark_line(color=HELD_OUT, strokeWidth=1.4, clip=True),
        held_out.mark_point(color=HELD_OUT, filled=True, size=34, opacity=1, clip=True).encode(
            tooltip=tips
        ),
        _label(smooth, TRAINING),
        _label(held_out, HELD_OUT),
        _room_for_labels(axes),
    ]
    if shown == "smooth":
        layers.pop(0)
    if shown == "raw":
        layers.pop(1)
    layers = [*_earlier(earlier, name, tips), *layers, *_phases(phase, axes)]
    return finished(layered(*layers), BOUND_HEIGHT)


def x_axis(axes: Axes, title: str | None = "") -> alt.X:
    """The x axis of all charts of a run."""
    kind: Literal["log"] | UndefinedType = "log" if axes.scale == "log" else alt.Undefined
    name = chart_strings.AXES[axes.across] if title == "" else title
    axis: alt.X = (
        alt.X("x:Q", title=name)
        .scale(domain=[axes.left, axes.right], nice=False, type=kind)
        .axis(grid=False, tickCount=6, format=FORMAT, titleAnchor="end", labelOverlap=True)
    )
    return axis


def _earlier(earlier: alt.Chart, name: alt.Chart, tips: list[alt.Tooltip]) -> list[alt.Chart]:
    """Lines of other runs in grey, with their names at their ends."""
    run = earlier.encode(detail=alt.Detail("run:N"))
    tips = [alt.Tooltip("run:N", title=chart_strings.RUN), *tips]
    points = run.mark_point(color=EARLIER, filled=True, size=14, opacity=0.8, clip=True)
    names = name.mark_text(align="left", dx=8, color=text_colour(EARLIER), fontSize=12)
    return [
        run.mark_line(color=EARLIER, strokeWidth=1.2, opacity=0.8, clip=True),
        points.encode(tooltip=tips),
        names.encode(text="label:N"),
    ]


def _phases(phase: alt.Chart, axes: Axes) -> list[alt.Chart]:
    """A vertical line at the start of each phase, with the phase's name above it."""
    rules = phase.transform_filter(f"datum.x > {axes.left!r}").mark_rule(
        color=EARLIER, strokeDash=[2, 4], opacity=0.7
    )
    return [rules.encode(y2=alt.Y2Datum(axes.bottom)), _text_above(phase)]


def _text_above(chart: alt.Chart) -> alt.Chart:
    text: alt.Chart = chart.mark_text(
        align="left", baseline="bottom", dy=-4, color=text_colour(EARLIER), fontSize=12
    ).encode(text="label:N")
    return text


def _label(line: alt.Chart, colour: str) -> alt.LayerChart:
    """Name of a line beside its last point; the label of the higher line is a little higher."""
    marks = [
        line.transform_filter(f"datum.label !== '' && datum.above === {above}").mark_text(
            align="left", dx=8, dy=dy, color=text_colour(colour), fontSize=13, fontWeight=600
        )
        for above, dy in (("true", -6), ("false", 8))
    ]
    return layered(*(mark.encode(text="label:N") for mark in marks))


def _room_for_labels(axes: Axes) -> alt.Chart:
    """Invisible label at the right end, which keeps the width of the plot constant."""
    corner = {"x": axes.right, "bound": axes.top, "label": chart_strings.TRAINING_LINE}
    mark: alt.Chart = alt.Chart(alt.Data(values=[corner])).mark_text(
        align="left", dx=8, fontSize=13, fontWeight=600, opacity=0
    )
    label: alt.Chart = mark.encode(x="x:Q", y="bound:Q", text="label:N")
    return label


def topic_lines(metrics: pd.DataFrame, moves: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Topics in use, topics in the graph, and changes of the graph.

    The columns are ``x``, ``value``, ``line`` (``use``, ``graph`` or ``move``) and ``note``, the
    description of a change.
    """
    graph = _of_graph(metrics, moves, "topics", across)
    return _joined([_line(metrics, "active_topics", "use", across), *graph])


def edge_lines(metrics: pd.DataFrame, moves: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Edges of the graph and its changes; columns as in `topic_lines`."""
    return _joined(_of_graph(metrics, moves, "edges", across))


def rate_lines(metrics: pd.DataFrame, documents: int, across: Across) -> pd.DataFrame:
    """Documents processed per second over time; columns as in `topic_lines`."""
    if len(metrics) < 2:
        return _joined([])
    rows = np.arange(len(metrics))
    before = np.maximum(rows - PACE_ROWS, 0)
    epoch, seconds = epochs_trained(metrics).to_numpy(), metrics["seconds"].to_numpy(float)
    took = seconds - seconds[before]
    rate = documents * (epoch - epoch[before]) / np.where(took > 0, took, np.nan)
    return _joined([_line(metrics.assign(rate=rate), "rate", "rate", across)])


def top_of(lines: pd.DataFrame) -> float:
    """Upper end of the y axis, on a step so that it rarely changes."""
    most = float(lines["value"].max()) if len(lines) else 1.0
    step = nice(max(most, 1.0) / 2.0)
    return step * max(-(-most // step), 1.0)


def small_chart(axes: Axes, top: float) -> alt.LayerChart:
    """A chart without data, like `bound_chart`."""
    base = alt.Chart().encode(
        x=x_axis(axes, None).axis(
            grid=False, tickCount=3, format=FORMAT, title=None, labelOverlap=True
        ),
        y=alt.Y("value:Q", title=None)
        .scale(domain=[0, top], nice=False)
        .axis(tickCount=2, format=",.4~s" if top >= 1e4 else ",d", minExtent=30),
    )
    graph, use, rate, move = (
        base.transform_filter(f"datum.line === '{line}'")
        for line in ("graph", "use", "rate", "move")
    )
    tips = [alt.Tooltip("note:N", title=chart_strings.MOVE)]
    layers = [
        graph.mark_line(color=EARLIER, strokeWidth=1.4, interpolate="step-after", clip=True),
        use.mark_line(color=TRAINING, strokeWidth=1.8, clip=True),
        rate.mark_line(color=TRAINING, strokeWidth=1.4, clip=True),
        move.mark_point(color=HELD_OUT, filled=True, size=22, opacity=1).encode(tooltip=tips),
    ]
    return finished(layered(*layers), HEIGHT)


def move_table(moves: pd.DataFrame) -> pd.DataFrame:
    """Changes of the graph, with headers for display."""
    shown = moves[list(chart_strings.MOVES_TABLE)].round({"bound": 3})
    return shown.rename(columns=chart_strings.MOVES_TABLE)


def _line(metrics: pd.DataFrame, column: str, line: str, across: Across) -> pd.DataFrame:
    if column not in metrics:
        return _joined([])
    x, value = across_values(metrics, across).astype(float), metrics[column].astype(float)
    table = pd.DataFrame({"x": x, "value": value, "line": line, "note": ""})
    return thinned(table.dropna(subset=["x", "value"]).reset_index(drop=True), MAX_POINTS)


def _of_graph(
    metrics: pd.DataFrame, moves: pd.DataFrame, column: str, across: Across
) -> list[pd.DataFrame]:
    """Size of the graph, which changes at the moves, and the moves."""
    line, steps = _line(metrics, column, "graph", across), _moves(metrics, moves, column, across)
    if not len(line):
        return [steps]
    both = _joined([line, steps.assign(line="graph", note="")])
    return [both.sort_values("x", kind="stable"), steps]


def _moves(metrics: pd.DataFrame, moves: pd.DataFrame, column: str, across: Across) -> pd.DataFrame:
    if (
        not len(moves)
        or not len(metrics)
        or not set(chart_strings.MOVES_TABLE) <= set(moves.columns)
    ):
        return _joined([])
    epoch = moves["epoch"].astype(float)
    x = epoch
    if across == "minutes":
        # Moves are counted in epochs; their time is interpolated between rows.
        known = metrics[["epoch", "seconds"]].dropna()
        at = pd.Series(known["seconds"].to_numpy(), index=known["epoch"].to_numpy())
        at = at[~at.index.duplicated()]
        every = at.reindex(at.index.union(pd.Index(epoch.unique()))).interpolate("index").bfill()
        x = every.loc[epoch].reset_index(drop=True) / 60.0
    notes = [
        chart_strings.move(**{name: int(row[name]) for name in COUNTED}, bound=float(row["bound"]))
        for _, row in moves.iterrows()
    ]
    values = moves[column].astype(float)
    return pd.DataFrame({"x": x, "value": values, "line": "move", "note": notes})


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    if not filled:
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in COLUMNS.items()})
    return pd.concat(filled, ignore_index=True)
