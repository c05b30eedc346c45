"""Charts of the Evaluate page: likelihood, predictions, and coherence of topics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from ....core.evaluation.metrics import BY_KEY, METRICS
from ...charts.theme import configuration, finished, ink, layered, text_colour
from ...shared.evaluation_figures import two_digits
from ...shared.strings import score_percent
from ...workspace.evaluations import EvaluatedModel
from . import strings

# The baseline, then the bounds and the likelihood.
RUNGS = (BY_KEY["independent"], *(each for each in METRICS if each.baseline == "independent"))
# Shares that have a baseline; labels come first, since most models predict them best.
PREDICTED = tuple(each for each in METRICS if each.format == "share" and each.baseline)[::-1]
NPMI, HEADING = BY_KEY["npmi"].name, BY_KEY["npmi"].heading
# Easy to tell apart, and visible on both backgrounds.
HUES = ("#2E7FC6", "#D9730D", "#2F9E5F", "#8E5BC0", "#0E8A8A", "#B5475B")
GREY = "#7C8899"
ROW, GROUP_GAP = 20, 12
# The mark of the baseline is longer than the height of its bar.
TICK = ROW + 8
# The height of a chart includes the axis and the legend.
AXIS_ROOM, LEGEND_ROOM = 56, 44
TOPIC_STEP = 20
LABEL_WIDTH = 190
# Begin and end of the two columns of bars, as shares of the width; figures are between them.
BARS = {"npmi": (0.0, 0.5), "own": (0.66, 0.86)}
# Smaller errors are below the displayed precision.
MIN_ERROR = 0.005
# Room at the right end of the axis for the figure of the last point: a share of the axis, and
# pixels for narrow windows.
ROOM, PADDING = 0.14, {"left": 5, "top": 5, "bottom": 5, "right": 50}


def ladder_table(models: Sequence[EvaluatedModel]) -> pd.DataFrame:
    """Bounds and likelihoods of all models: ``run rung value baseline low high text``."""
    rows = []
    for model in models:
        figures = model.figures
        for rung in RUNGS:
            value = figures.get(rung.key)
            if value is None:
                continue
            error = figures.get(f"{rung.key}_error")
            is_shown = error is not None and error >= MIN_ERROR
            text = two_digits(value) + (f" ± {error:.1g}" if is_shown else "")
            rows.append(
                {
                    "run": model.name,
                    "rung": rung.label,
                    "value": float(value),
                    "baseline": float(figures.get("independent") or value),
                    "low": float(value) - (error or 0.0),
                    "high": float(value) + (error or 0.0),
                    "text": text,
                }
            )
    columns = ["run", "rung", "value", "baseline", "low", "high", "text"]
    return pd.DataFrame(rows, columns=columns)


def ladder_chart(table: pd.DataFrame) -> alt.LayerChart:
    """Lollipop chart from the baseline to each bound and the likelihood."""
    names = list(dict.fromkeys(table["run"]))
    low, high = table[["value", "baseline"]].min().min(), table["value"].max()
    span = max(high - low, 1e-6)
    base = alt.Chart(table).encode(
        y=_rows("rung", [rung.label for rung in RUNGS]),
        yOffset=alt.YOffset("run:N", sort=names, scale=alt.Scale(paddingInner=0.4)),
        color=_colour(names),
        tooltip=[
            alt.Tooltip("run:N", title="model"),
            alt.Tooltip("rung:N", title="figure"),
            alt.Tooltip("value:Q", title=strings.NATS, format=".3f"),
        ],
    )
    scale = alt.Scale(domain=[low - 0.03 * span, high + ROOM * span], nice=False, zero=False)
    # Without grid lines, on which figures could not be read.
    axis = alt.Axis(grid=False, tickCount=6, format=",.6~r", titleAnchor="end")
    x = alt.X("value:Q", title=strings.NATS, scale=scale, axis=axis)
    error = alt.X("low:Q", scale=scale)
    layers = [
        base.mark_rule(strokeWidth=2, opacity=0.45).encode(x=x, x2="baseline"),
        base.mark_rule(strokeWidth=6, opacity=0.35).encode(x=error, x2="high"),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=x),
        base.mark_text(align="left", dx=9, fontSize=12).encode(
            x=x, text="text:N", color=alt.value(text_colour(GREY))
        ),
    ]
    chart = layered(*layers).properties(padding=PADDING)
    return finished(chart, _height(len(RUNGS), len(names)))


def prediction_table(models: Sequence[EvaluatedModel]) -> pd.DataFrame:
    """Shares of correct predictions: ``run what share baseline text``."""
    rows = [
        {
            "run": model.name,
            "what": metric.label,
            "share": float(model.figures[metric.key]),
            "baseline": float(model.figures.get(metric.baseline) or 0.0),
            "text": score_percent(model.figures[metric.key]),
        }
        for metric in PREDICTED
        for model in models
        if model.figures.get(metric.key) is not None
    ]
    return pd.DataFrame(rows, columns=["run", "what", "share", "baseline", "text"])


def prediction_chart(table: pd.DataFrame) -> alt.LayerChart:
    """Bars of the shares of correct predictions, with a tick at the baseline."""
    names, what = (list(dict.fromkeys(table[column])) for column in ("run", "what"))
    top = float(table[["share", "baseline"]].max().max())
    base = alt.Chart(table).encode(
        y=_rows("what", what),
        yOffset=alt.YOffset("run:N", sort=names, scale=alt.Scale(paddingInner=0.3)),
        tooltip=[
            alt.Tooltip("run:N", title="model"),
            alt.Tooltip("share:Q", format=".1%"),
            alt.Tooltip("baseline:Q", title=strings.BASELINE, format=".1%"),
        ],
    )
    scale = alt.Scale(domain=[0, min(1.2 * max(top, 0.01), 1.15)], nice=False)
    x = alt.X("share:Q", title=None, scale=scale, axis=alt.Axis(format="%", tickCount=5))
    baseline = alt.X("baseline:Q", scale=scale)
    layers = [
        base.mark_bar(cornerRadiusEnd=2).encode(x=x, color=_colour(names)),
        base.mark_tick(color=ink(), opacity=1.0, thickness=3, size=TICK).encode(x=baseline),
        base.mark_text(align="left", dx=6, fontSize=12, color=text_colour(GREY)).encode(
            x=x, text="text:N"
        ),
    ]
    chart = layered(*layers).properties(padding=PADDING)
    return finished(chart, _height(len(what), len(names)))


def topic_chart(topics: pd.DataFrame) -> alt.LayerChart:
    """Two columns of bars, one row per topic: coherence, and the share of its own words.

    Both are in one view, since only a single view adapts to the width of the window.

    Parameters
    ----------
    topics : pandas.DataFrame
        Columns ``id label npmi own``, in display order.
    """
    low = min(float(topics["npmi"].min()), 0.0)
    ranges = {"npmi": (low, max(float(topics["npmi"].max()), 0.01)), "own": (0.0, 1.0)}
    twice = topics["label"].duplicated(keep=False)
    shown = topics.assign(
        name=topics["label"].where(~twice, topics["label"] + " " + topics["id"]),
        npmi_text=[two_digits(value) for value in topics["npmi"]],
        own_text=[score_percent(value) for value in topics["own"]],
    )
    for key, ends in ranges.items():
        shown[f"{key}_zero"] = _place(key, 0.0, ends)
        shown[f"{key}_bar"] = _place(key, topics[key], ends)
        # The text is at the right end, also for bars to the left of zero.
        shown[f"{key}_end"] = shown[[f"{key}_zero", f"{key}_bar"]].max(axis=1)
    lettering = alt.Axis(
        ticks=False, domain=False, grid=False, labelPadding=8, labelLimit=LABEL_WIDTH,
        labelOverlap=False, labelFlush=False, labelBaseline="middle",
    )  # fmt: skip
    base = alt.Chart(shown).encode(
        y=alt.Y("name:N", sort=shown["name"].tolist(), title=None, axis=lettering),
        tooltip=[
            alt.Tooltip("name:N", title="topic"),
            alt.Tooltip("npmi:Q", title=NPMI, format=".3f"),
            alt.Tooltip("own:Q", title=strings.OWN, format=".0%"),
        ],
    )
    layers = [layer for key in BARS for layer in _bars(base, key)]
    if low < 0.0:
        zero = alt.Chart(alt.Data(values=[{"zero": _place("npmi", 0.0, ranges["npmi"])}]))
        layers.append(zero.mark_rule(color=GREY).encode(x=_along("zero")))
    chart: alt.LayerChart = layered(*layers)
    return chart.properties(width="container", height=alt.Step(TOPIC_STEP), config=configuration())


def _place(key: str, value: Any, ends: tuple[float, float]) -> Any:
    """Horizontal position of a value in the chart, from 0 to 1."""
    begin, end = BARS[key]
    return begin + (end - begin) * (value - ends[0]) / (ends[1] - ends[0])


def _along(column: str) -> alt.X:
    """Horizontal axis with the names of the two columns of bars above them."""
    (first, _), (second, _) = BARS.values()
    # The whole name would be cut, and is in the tooltips.
    named = f"datum.value < {second} ? {json.dumps(HEADING)} : {json.dumps(strings.OWN)}"
    axis = alt.Axis(
        orient="top", grid=False, ticks=False, domain=False, values=[first, second],
        labelExpr=named, labelAlign="left", labelOverlap=False, labelColor=text_colour(GREY),
    )  # fmt: skip
    scale = alt.Scale(domain=[0.0, 1.0], nice=False, zero=False)
    return alt.X(f"{column}:Q", title=None, axis=axis, scale=scale)


def _bars(base: alt.Chart, key: str) -> list[alt.Chart]:
    hue = {"npmi": HUES[0], "own": HUES[4]}[key]
    bars = base.mark_bar(color=hue, cornerRadiusEnd=2, height={"band": 0.7})
    text = base.mark_text(align="left", dx=5, fontSize=11, color=text_colour(GREY))
    return [
        bars.encode(x=_along(f"{key}_zero"), x2=f"{key}_bar"),
        text.encode(x=_along(f"{key}_end"), text=f"{key}_text:N"),
    ]


def _rows(column: str, order: list[str]) -> alt.Y:
    axis = alt.Axis(
        ticks=False, domain=False, grid=False, labelPadding=10, labelLimit=LABEL_WIDTH,
        labelFontSize=13,
    )  # fmt: skip
    return alt.Y(f"{column}:N", sort=order, title=None, axis=axis)


def _colour(names: list[str]) -> alt.Color:
    """One colour per model, and a legend for several models."""
    scale = alt.Scale(domain=names, range=[HUES[n % len(HUES)] for n in range(len(names))])
    several = alt.Legend(title=None, orient="top", labelLimit=220, symbolOpacity=1)
    legend = several if len(names) > 1 else None
    return alt.Color("run:N", scale=scale, legend=legend)


def _height(rows: int, models: int) -> int:
    legend = LEGEND_ROOM if models > 1 else 0
    return rows * (ROW * models + GROUP_GAP) + AXIS_ROOM + legend
