"""Metrics of a run as points of lines, and the axes of their chart."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...core.utils.lazy import LazyModule
from . import strings as chart_strings

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Across = Literal["epoch", "minutes"]
Scale = Literal["linear", "log"]

# Points of a line; more cannot be distinguished on a screen.
MAX_POINTS = 800
# Half-life of the smoothed line in epochs, with one epoch written as one second.
SMOOTHING_SECONDS = 0.25
# The bound rises steeply at first; this share of the run may extend below the chart.
STEEP_SHARE = 0.1
# Approximate number of steps on the y axis; its ends are on steps, so that they rarely change.
Y_STEPS = 5
# Minimum part of a step between the lines and the frame.
AIR = 0.2
HEIGHT = 360
# Shorter runs show all their epochs from the start.
SHORT_RUN = 40
COLUMNS = {"x": float, "bound": float, "line": str, "label": str, "above": bool, "run": str}
# Minimum distance between names of lines, in pixels.
LINE_HEIGHT = 15
# Minimum share of the axis that a phase needs for its name.
PHASE_WIDTH = 0.095


@dataclass(frozen=True)
class Axes:
    """Limits of the axes, chosen so that they rarely change while a run grows."""

    across: Across
    right: float
    bottom: float
    top: float
    scale: Scale = "linear"
    left: float = 0.0

    def share(self, x: float) -> float:
        """Position of a value on the x axis, from 0 to 1."""
        if self.scale == "log":
            return math.log(max(x, self.left) / self.left) / math.log(self.right / self.left)
        return x / self.right


def bound_lines(metrics: pd.DataFrame, across: Across) -> pd.DataFrame:
    """Points of the three lines, one row each.

    Returns
    -------
    pandas.DataFrame
        Columns ``x``; ``bound``; ``line``: ``raw``, ``smooth`` or ``held-out``; ``label``: the name
        of the line at its last point, else empty; ``above``: whether it is the label of the higher
        line; ``run``: empty.
    """
    empty = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in COLUMNS.items()})
    if "train_bound" not in metrics or not len(metrics):
        return empty
    x = across_values(metrics, across)
    raw = metrics["train_bound"].astype(float)
    parts = [
        thinned(_line(x, raw, "raw"), MAX_POINTS),
        thinned(_line(x, _smoothed(metrics), "smooth", chart_strings.TRAINING_LINE), MAX_POINTS),
    ]
    if "held_out_bound" in metrics:
        held_out = metrics["held_out_bound"].astype(float).dropna()
        parts.append(_line(x[held_out.index], held_out, "held-out", chart_strings.HELD_OUT_LINE))
    if not any(map(len, parts)):
        return empty
    lines = pd.concat([part for part in parts if len(part)], ignore_index=True)
    # The label of the higher line is drawn above, in case the ends of lines are close.
    ends = lines.index[lines["label"] != ""]
    lines["above"] = False
    if len(ends):
        lines.loc[lines.loc[ends, "bound"].idxmax(), "above"] = True
    return lines


def across_values(metrics: pd.DataFrame, across: Across) -> pd.Series:
    """Values on the x axis, for every row."""
    return metrics["epoch"] if across == "epoch" else metrics["seconds"] / 60.0


def earlier_lines(runs: Mapping[str, pd.DataFrame], across: Across) -> pd.DataFrame:
    """Points of other runs' held-out bounds, or else smoothed training bounds."""
    parts = []
    for name, metrics in runs.items():
        lines = bound_lines(metrics, across)
        chosen = lines[
            lines["line"] == ("held-out" if "held-out" in set(lines["line"]) else "smooth")
        ]
        if len(chosen):
            line = chosen.assign(line="earlier", above=False, label="", run=name)
            line.loc[line.index[-1], "label"] = name
            parts.append(line)
    return pd.concat(parts, ignore_index=True) if parts else bound_lines(pd.DataFrame(), across)


def steady_axes(lines: pd.DataFrame, across: Across, epochs: int, scale: Scale = "linear") -> Axes:
    """Axes that fit the lines and change only in steps."""
    end = float(lines["x"].max()) if len(lines) else 0.0
    longest = max(epochs, math.ceil(end))
    right = _epochs_shown(longest, end) if across == "epoch" else _rounded_up(end)
    left = 0.0
    if scale == "log":
        positive = lines["x"][lines["x"] > 0]
        left = _rounded_down(float(positive.min()) if len(positive) else 0.1)
        right = max(right, 2.0 * left)
    # The bound of a step that diverged may be infinite.
    smooth = lines[(lines["line"] != "raw") & (lines["bound"].abs() < math.inf)]
    if not len(smooth):
        return Axes(across, right, -1.0, 0.0, scale, left)
    own_end = smooth.groupby(["line", "run"])["x"].transform("max")
    late = smooth[smooth["x"] >= STEEP_SHARE * own_end]
    bottom, top = float(late["bound"].min()), float(smooth["bound"].max())
    step = nice((top - bottom) / Y_STEPS)
    bottom, top = step * math.floor(bottom / step - AIR), step * math.ceil(top / step + AIR)
    return Axes(across, right, bottom, top, scale, left)


def name_earlier(lines: pd.DataFrame, axes: Axes) -> pd.DataFrame:
    """Add a row for the name of each earlier run, at the end of its line or just below it.

    No name overlaps another.
    """
    ends = lines[(lines["label"] != "") & (lines["line"] != "raw")]
    apart = LINE_HEIGHT * (axes.top - axes.bottom) / HEIGHT
    taken = ends["bound"][ends["line"] != "earlier"].tolist()
    names = []
    for _, end in ends[ends["line"] == "earlier"].sort_values("bound", ascending=False).iterrows():
        height = float(end["bound"])
        for other in sorted(taken, reverse=True):
            if abs(other - height) < apart:
                height = other - apart
        taken.append(height)
        names.append({**end, "bound": height, "line": "name"})
    return pd.concat([lines, pd.DataFrame(names)], ignore_index=True) if names else lines


def phase_marks(metrics: pd.DataFrame, axes: Axes) -> pd.DataFrame:
    """Start of each phase of a run, with its name if there is room for it."""
    empty = bound_lines(pd.DataFrame(), axes.across)
    if "phase" not in metrics or set(metrics["phase"].dropna()) <= {"training"}:
        return empty
    x = across_values(metrics, axes.across)
    begins = metrics.index[metrics["phase"] != metrics["phase"].shift()]
    starts = [float(x[row - 1]) if row else axes.left for row in begins]
    ends = [*starts[1:], axes.right]
    rows = [
        {
            "x": start,
            "bound": axes.top,
            "line": "phase",
            "label": chart_strings.PHASES.get(metrics["phase"][row], "")
            if axes.share(end) - axes.share(start) >= PHASE_WIDTH or row == begins[-1]
            else "",
            "above": False,
            "run": "",
        }
        for row, start, end in zip(begins, starts, ends, strict=True)
    ]
    return pd.DataFrame(rows)


def _line(x: pd.Series, bound: pd.Series, name: str, label: str = "") -> pd.DataFrame:
    table = pd.DataFrame(
        {"x": x.astype(float), "bound": bound, "line": name, "label": "", "run": ""}
    )
    table = table.dropna(subset=["x", "bound"]).reset_index(drop=True)
    if len(table):
        table.loc[len(table) - 1, "label"] = label
    return table


def thinned(table: pd.DataFrame, most: int) -> pd.DataFrame:
    """Every n-th point, counted from the first so that the points stay the same, and the last."""
    stride = 1
    while len(table) / stride > most:
        stride *= 2
    chosen = table.index % stride == 0
    chosen[-1:] = True
    return table[chosen]


def _smoothed(metrics: pd.DataFrame) -> pd.Series:
    """Exponentially weighted mean of the training bound, restarted in every phase.

    A row is the mean of all steps since the previous row, so distant rows need no smoothing.
    """
    moment = pd.to_datetime(metrics["epoch"], unit="s")
    is_trained = metrics["phase"] == "training" if "phase" in metrics else metrics["epoch"] > 0
    # pandas' type stubs accept only numbers here; with ``times`` it must be a timedelta.
    halflife: Any = pd.Timedelta(seconds=SMOOTHING_SECONDS)
    parts = [
        rows.astype(float).ewm(halflife=halflife, times=moment[rows.index]).mean()
        for _, rows in metrics["train_bound"].groupby(is_trained)
    ]
    smoothed: pd.Series = pd.concat(parts).sort_index()
    return smoothed


def nice(width: float) -> float:
    """Smallest number of the form 1, 2 or 5 times a power of ten that is at least ``width``."""
    if width <= 0 or not math.isfinite(width):
        return 0.1
    power = 10.0 ** math.floor(math.log10(width))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= width * (1 - 1e-9))


def _epochs_shown(epochs: int, end: float) -> float:
    """Right end of the x axis in epochs; at first a half or a quarter of a long run."""
    right = max(epochs, 1)
    while right / 2 >= max(SHORT_RUN, 3.0 * end):
        right = math.ceil(right / 2)
    return float(right)


def _rounded_down(x: float) -> float:
    """Left end of a logarithmic axis: 1, 2 or 5 times a power of ten, at most ``x``."""
    power = 10.0 ** math.floor(math.log10(x))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= x * (1 + 1e-9))


def _rounded_up(minutes: float) -> float:
    """Right end of the x axis in minutes, which grows in steps of one half."""
    end = 0.5
    while end < minutes * 1.02:
        end *= 1.5
    return end
