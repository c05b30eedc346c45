"""Metrics of a run as a chart of its bounds (no streamlit)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import altair as alt
import pandas as pd

from app.words import train as words

Across = Literal["epoch", "minutes"]

# Both stand out on white and on the dark background.
TRAINING = "#2E7FC6"
HELD_OUT = "#D9730D"
# More points than this cannot be told apart on a screen.
MOST_POINTS = 800
# The smoothed line forgets half of what it saw after this part of an epoch.
SMOOTHING_EPOCHS = 0.25
# A training run rises steeply at first; this first share of it may leave the picture below.
STEEP_SHARE = 0.1
# About this many steps on the y axis; its ends lie on steps, so that it moves seldom.
Y_STEPS = 5
# At least this part of a step stays free, so that no line runs along the frame.
AIR = 0.2
HEIGHT = 360
# Up to six digits, and never an exponent for the numbers that bounds and epochs are.
FORMAT = ",.6~r"
# Shorter runs show all their epochs from the first moment.
SHORT_RUN = 40
COLUMNS = {"x": float, "bound": float, "line": str, "label": str, "above": bool}


@dataclass(frozen=True)
class Axes:
    """Ends of the axes, chosen so that they stay where they are while a run grows."""

    across: Across
    right: float
    bottom: float
    top: float


def bound_lines(metrics: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Points of the three lines, one row each.

    Parameters
    ----------
    metrics : pandas.DataFrame
        As ``core.storage.read_metrics`` gives it.
    across : {"epoch", "minutes"}
        What the x axis counts.

    Returns
    -------
    pandas.DataFrame
        Columns ``x``, ``bound``, ``line`` (``raw``, ``smooth`` or ``held-out``), ``label``: the
        line's name at its last point, empty elsewhere, and ``above``: the label of the higher line.
    """
    if "train_bound" not in metrics or not len(metrics):
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in COLUMNS.items()})
    x = metrics["epoch"] if across == "epoch" else metrics["seconds"] / 60.0
    raw = metrics["train_bound"].astype(float)
    parts = [
        _thinned(_line(x, raw, "raw")),
        _thinned(_line(x, _smoothed(metrics["epoch"], raw), "smooth", words.TRAINING_LINE)),
    ]
    if "held_out_bound" in metrics:
        held_out = metrics["held_out_bound"].astype(float).dropna()
        parts.append(_line(x[held_out.index], held_out, "held-out", words.HELD_OUT_LINE))
    return _labels_apart(pd.concat([part for part in parts if len(part)], ignore_index=True))


def steady_axes(lines: pd.DataFrame, across: Across, epochs: int) -> Axes:
    """Axes that hold the lines and change in steps only."""
    end = float(lines["x"].max()) if len(lines) else 0.0
    right = _epochs_shown(epochs, end) if across == "epoch" else _rounded_up(end)
    judged = lines[lines["line"] != "raw"]
    if not len(judged):
        return Axes(across, right, -1.0, 0.0)
    settled = judged[judged["x"] >= STEEP_SHARE * end]
    bottom, top = float(settled["bound"].min()), float(judged["bound"].max())
    step = _nice((top - bottom) / Y_STEPS)
    return Axes(
        across,
        right,
        step * math.floor(bottom / step - AIR),
        step * math.ceil(top / step + AIR),
    )


def bound_chart(axes: Axes) -> alt.LayerChart:
    """One chart of training and held-out bound, labelled at the lines' ends.

    It holds no data: ``bound_lines`` goes beside it, so that new points move into the picture
    that is there, and the picture is not made anew.
    """
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=words.AXES[axes.across])
        .scale(domain=[0, axes.right], nice=False)
        .axis(grid=False, tickCount=6, format=FORMAT, titleAnchor="end"),
        y=alt.Y("bound:Q", title=words.Y_TITLE)
        .scale(domain=[axes.bottom, axes.top], nice=False, zero=False)
        .axis(tickCount=Y_STEPS, format=FORMAT, minExtent=44, titleAnchor="end"),
    )
    raw, smooth, held_out = (base.transform_filter(f"datum.line === '{name}'") for name in
                             ("raw", "smooth", "held-out"))  # fmt: skip
    tips = [
        alt.Tooltip("x:Q", title=words.AXES[axes.across], format=".3~g"),
        alt.Tooltip("bound:Q", title=words.Y_TITLE, format=".2f"),
    ]
    layers = [
        raw.mark_line(color=TRAINING, strokeWidth=1, opacity=0.42, clip=True),
        smooth.mark_line(color=TRAINING, strokeWidth=2.4, clip=True),
        held_out.mark_line(color=HELD_OUT, strokeWidth=1.4, clip=True),
        held_out.mark_point(color=HELD_OUT, filled=True, size=34, opacity=1, clip=True).encode(
            tooltip=tips
        ),
        _label(smooth, TRAINING),
        _label(held_out, HELD_OUT),
        _room_for_labels(axes),
    ]
    return alt.layer(*layers).properties(height=HEIGHT).configure_view(stroke=None)


def _line(x: pd.Series, bound: pd.Series, name: str, label: str = "") -> pd.DataFrame:
    table = pd.DataFrame({"x": x.astype(float), "bound": bound, "line": name, "label": ""})
    table = table.dropna(subset=["x", "bound"]).reset_index(drop=True)
    if len(table):
        table.loc[len(table) - 1, "label"] = label
    return table


def _thinned(table: pd.DataFrame) -> pd.DataFrame:
    """Every n-th point, counted from the first so that points stay the same ones, and the last."""
    stride = 1
    while len(table) / stride > MOST_POINTS:
        stride *= 2
    chosen = table.index % stride == 0
    chosen[-1:] = True
    return table[chosen]


def _smoothed(epoch: pd.Series, bound: pd.Series) -> pd.Series:
    """Running mean that forgets; a resumed run may have rows at unequal distances."""
    rows_per_epoch = len(epoch) / max(float(epoch.iloc[-1]), 1e-9)
    return bound.ewm(halflife=max(rows_per_epoch * SMOOTHING_EPOCHS, 1.0), adjust=True).mean()


def _labels_apart(lines: pd.DataFrame) -> pd.DataFrame:
    """Mark the label of the higher line, which is to stand above where two ends come close."""
    ends = lines.index[lines["label"] != ""]
    lines["above"] = False
    if len(ends):
        lines.loc[lines.loc[ends, "bound"].idxmax(), "above"] = True
    return lines


def _label(line: alt.Chart, colour: str) -> alt.LayerChart:
    """Name of a line beside its last point; the higher one stands a little above its line."""
    marks = [
        line.transform_filter(f"datum.label !== '' && datum.above === {above}").mark_text(
            align="left", dx=8, dy=dy, color=colour, fontSize=13, fontWeight=600
        )
        for above, dy in (("true", -6), ("false", 8))
    ]
    return alt.layer(*(mark.encode(text="label:N") for mark in marks))


def _room_for_labels(axes: Axes) -> alt.Chart:
    """Unseen label at the right end: the plot is as wide on the first day as on the last."""
    corner = {"x": axes.right, "bound": axes.top, "label": words.TRAINING_LINE}
    mark = alt.Chart(alt.Data(values=[corner])).mark_text(
        align="left", dx=8, fontSize=13, fontWeight=600, opacity=0
    )
    return mark.encode(x="x:Q", y="bound:Q", text="label:N")


def _nice(width: float) -> float:
    """Smallest of 1, 2 or 5 times a power of ten that is not below a width."""
    if width <= 0 or not math.isfinite(width):
        return 0.1
    power = 10.0 ** math.floor(math.log10(width))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= width * (1 - 1e-9))


def _epochs_shown(epochs: int, end: float) -> float:
    """Right end of the x axis in epochs: of a long run its half, quarter … while it is young."""
    right = max(epochs, 1)
    while right / 2 >= max(SHORT_RUN, 3.0 * end):
        right = math.ceil(right / 2)
    return float(right)


def _rounded_up(minutes: float) -> float:
    """Right end of the x axis in minutes: it grows by half of itself, not with every second."""
    end = 0.5
    while end < minutes * 1.02:
        end *= 1.5
    return end
