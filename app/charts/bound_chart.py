"""The chart of a run's bounds (no streamlit)."""

from __future__ import annotations

from typing import Literal

import altair as alt
from altair.utils.schemapi import UndefinedType

from orrery.app.charts.chart_theme import finished, layered, text_colour
from orrery.app.charts.run_lines import HEIGHT, Y_STEPS, Axes
from orrery.app.words import train_charts as words

# Hues of the lines; letters take them through `text_colour`.
TRAINING = "#2E7FC6"
HELD_OUT = "#D9730D"
EARLIER = "#8A95A3"
# Up to six digits, and never an exponent for the numbers that bounds and epochs are.
FORMAT = ",.6~r"


def bound_chart(axes: Axes, shown: str = "both") -> alt.LayerChart:
    """One chart of training and held-out bound, labelled at the lines' ends.

    It holds no data: ``bound_lines`` goes beside it, so that new points move into the picture
    that is there, and the picture is not made anew.

    Parameters
    ----------
    axes : Axes
    shown : {"both", "smooth", "raw"}
        Which training line is drawn.
    """
    base = alt.Chart().encode(
        x=x_axis(axes),
        y=alt.Y("bound:Q", title=words.Y_TITLE)
        .scale(domain=[axes.bottom, axes.top], nice=False, zero=False)
        .axis(tickCount=Y_STEPS, format=FORMAT, minExtent=44, titleAnchor="end"),
    )
    raw, smooth, held_out, earlier, name, phase, gap = (
        base.transform_filter(f"datum.line === '{line}'")
        for line in ("raw", "smooth", "held-out", "earlier", "name", "phase", "gap")
    )
    tips = [
        alt.Tooltip("x:Q", title=words.AXES[axes.across], format=".3~g"),
        alt.Tooltip("bound:Q", title=words.Y_TITLE, format=".2f"),
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
    layers = [*_gaps(gap, axes), *_earlier(earlier, name, tips), *layers, *_phases(phase, axes)]
    return finished(layered(*layers), HEIGHT)


def x_axis(axes: Axes, title: str | None = "") -> alt.X:
    """The x axis that all charts of a run share."""
    kind: Literal["log"] | UndefinedType = "log" if axes.scale == "log" else alt.Undefined
    name = words.AXES[axes.across] if title == "" else title
    axis: alt.X = (
        alt.X("x:Q", title=name)
        .scale(domain=[axes.left, axes.right], nice=False, type=kind)
        .axis(grid=False, tickCount=6, format=FORMAT, titleAnchor="end", labelOverlap=True)
    )
    return axis


def _earlier(earlier: alt.Chart, name: alt.Chart, tips: list[alt.Tooltip]) -> list[alt.Chart]:
    """Lines of other runs in grey, with their names at their ends."""
    detail = alt.Detail("run:N")
    tips = [alt.Tooltip("run:N", title=words.RUN), *tips]
    return [
        earlier.mark_line(color=EARLIER, strokeWidth=1.2, opacity=0.8, clip=True).encode(
            detail=detail
        ),
        earlier.mark_point(color=EARLIER, filled=True, size=14, opacity=0.8, clip=True).encode(
            detail=detail, tooltip=tips
        ),
        name.mark_text(align="left", dx=8, color=text_colour(EARLIER), fontSize=12).encode(
            text="label:N"
        ),
    ]


def _phases(phase: alt.Chart, axes: Axes) -> list[alt.Chart]:
    """A vertical line where a phase begins, with its name above it."""
    begun = phase.transform_filter(f"datum.x > {axes.left!r}")
    return [
        begun.mark_rule(color=EARLIER, strokeDash=[2, 4], opacity=0.7).encode(
            y2=alt.Y2Datum(axes.bottom)
        ),
        phase.mark_text(
            align="left", baseline="bottom", dy=-4, color=text_colour(EARLIER), fontSize=12
        ).encode(text="label:N"),
    ]


def _gaps(gap: alt.Chart, axes: Axes) -> list[alt.Chart]:
    """A band over epochs that were passed over, with the reason above it."""
    return [
        gap.mark_rect(color=EARLIER, opacity=0.16, clip=True).encode(
            x2="until:Q", y2=alt.Y2Datum(axes.bottom)
        ),
        gap.mark_text(
            align="left", baseline="bottom", dy=-4, color=text_colour(EARLIER), fontSize=12
        ).encode(text="label:N"),
    ]


def _label(line: alt.Chart, colour: str) -> alt.LayerChart:
    """Name of a line beside its last point; the higher one stands a little above its line."""
    marks = [
        line.transform_filter(f"datum.label !== '' && datum.above === {above}").mark_text(
            align="left", dx=8, dy=dy, color=text_colour(colour), fontSize=13, fontWeight=600
        )
        for above, dy in (("true", -6), ("false", 8))
    ]
    return layered(*(mark.encode(text="label:N") for mark in marks))


def _room_for_labels(axes: Axes) -> alt.Chart:
    """Invisible label at the right end, so that the plot always has the same width."""
    corner = {"x": axes.right, "bound": axes.top, "label": words.TRAINING_LINE}
    mark: alt.Chart = alt.Chart(alt.Data(values=[corner])).mark_text(
        align="left", dx=8, fontSize=13, fontWeight=600, opacity=0
    )
    label: alt.Chart = mark.encode(x="x:Q", y="bound:Q", text="label:N")
    return label
