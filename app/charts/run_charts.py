"""Small charts below that of the bounds: topics, edges, documents per second (no streamlit)."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from orrery.app.charts.bound_chart import EARLIER, FORMAT, HELD_OUT, TRAINING, x_axis
from orrery.app.charts.chart_theme import finished, layered
from orrery.app.charts.run_lines import Across, Axes, across_values, nice
from orrery.app.runs.passed_over import epochs_trained
from orrery.app.words import train_charts as words

HEIGHT = 140
# More steps of a line cannot be told apart on a third of a screen.
MOST_POINTS = 400
# A pace is measured over this many rows, since one may hold a judgement or a checkpoint.
PACE_ROWS = 7
# What the note of a change of the graph counts.
COUNTED = ("merged", "pruned", "grown", "topics", "edges")
COLUMNS = {"x": float, "value": float, "line": str, "note": str}


def topic_lines(metrics: pd.DataFrame, moves: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Topics in use, topics in the graph, and the moves.

    Returns
    -------
    pandas.DataFrame
        Columns ``x``, ``value``, ``line`` (``use``, ``graph`` or ``move``) and ``note``: what a
        move did.
    """
    graph = _of_graph(metrics, moves, "topics", across)
    return _joined([_line(metrics, "active_topics", "use", across), *graph])


def edge_lines(metrics: pd.DataFrame, moves: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Edges of the graph, and the moves; columns as in `topic_lines`."""
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
    """Upper end of the y axis: it lies on a step, so that it rarely moves."""
    most = float(lines["value"].max()) if len(lines) else 1.0
    step = nice(max(most, 1.0) / 2.0)
    return step * max(-(-most // step), 1.0)


def small_chart(axes: Axes, top: float) -> alt.LayerChart:
    """A chart without data, like `bound_chart.bound_chart`; the lines are passed separately."""
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
    tips = [alt.Tooltip("note:N", title=words.MOVE)]
    layers = [
        graph.mark_line(color=EARLIER, strokeWidth=1.4, interpolate="step-after", clip=True),
        use.mark_line(color=TRAINING, strokeWidth=1.8, clip=True),
        rate.mark_line(color=TRAINING, strokeWidth=1.4, clip=True),
        move.mark_point(color=HELD_OUT, filled=True, size=22, opacity=1).encode(tooltip=tips),
    ]
    return finished(layered(*layers), HEIGHT)


def move_table(moves: pd.DataFrame) -> pd.DataFrame:
    """What was grown, merged and pruned, under headers for people."""
    shown = moves[list(words.MOVES_TABLE)].round({"bound": 3})
    return shown.rename(columns=words.MOVES_TABLE)


def _line(metrics: pd.DataFrame, column: str, line: str, across: Across) -> pd.DataFrame:
    if column not in metrics:
        return _joined([])
    table = pd.DataFrame(
        {
            "x": across_values(metrics, across).astype(float),
            "value": metrics[column].astype(float),
            "line": line,
            "note": "",
        }
    ).dropna(subset=["x", "value"])
    stride = 1
    while len(table) / stride > MOST_POINTS:
        stride *= 2
    kept = pd.Series(range(len(table)), index=table.index) % stride == 0
    kept.iloc[-1:] = True
    return table[kept]


def _of_graph(
    metrics: pd.DataFrame, moves: pd.DataFrame, column: str, across: Across
) -> list[pd.DataFrame]:
    """The size of the graph, which changes at the moves, and these."""
    line, steps = _line(metrics, column, "graph", across), _moves(metrics, moves, column, across)
    if not len(line):
        return [steps]
    both = _joined([line, steps.assign(line="graph", note="")])
    return [both.sort_values("x", kind="stable"), steps]


def _moves(metrics: pd.DataFrame, moves: pd.DataFrame, column: str, across: Across) -> pd.DataFrame:
    if not len(moves) or not len(metrics) or not set(words.MOVES_TABLE) <= set(moves.columns):
        return _joined([])
    epoch = moves["epoch"].astype(float)
    x = epoch
    if across == "minutes":
        # Moves are counted in epochs; the rows about one say when it was.
        known = metrics[["epoch", "seconds"]].dropna()
        at = pd.Series(known["seconds"].to_numpy(), index=known["epoch"].to_numpy())
        at = at[~at.index.duplicated()]
        every = at.reindex(at.index.union(pd.Index(epoch.unique()))).interpolate("index").bfill()
        x = every.loc[epoch].reset_index(drop=True) / 60.0
    notes = [
        words.move(**{name: int(row[name]) for name in COUNTED}, bound=float(row["bound"]))
        for _, row in moves.iterrows()
    ]
    values = moves[column].astype(float)
    return pd.DataFrame({"x": x, "value": values, "line": "move", "note": notes})


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    if not filled:
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in COLUMNS.items()})
    return pd.concat(filled, ignore_index=True)
