"""Tornado chart: the figures of the model on which the probability of a topic depends most."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import streamlit as st

from ....core.drawing.links import node_name
from ....core.inference.posterior import Posterior
from ....core.inference.sensitivity import Sensitivity
from ....core.model.topic_model import Run
from ....core.utils.errors import InputError
from ....core.utils.lazy import LazyModule
from ...charts.theme import configuration
from ...shared.answers import sensitivity_of
from ...text.safe_text import markdown_text
from . import strings
from .reasons import BAR_HEIGHT, COLOURS, LABEL_WIDTH

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")


def show(run: Run, posterior: Posterior, topic: int, palette: str, *, key: str = "") -> None:
    """Draw a switch, and the chart if it is on: each of its bars takes two queries."""
    translated = run.terms.translated
    about = translated(strings.SENSITIVITY_HELP)
    if not st.toggle(strings.SENSITIVITY_SHOW, key=f"show-tornado{key}", help=about):
        return
    try:
        found = sensitivity_of(run.network, posterior.evidence, topic)
    except InputError as error:
        st.caption(markdown_text(f"{str(error)[0].upper()}{str(error)[1:]}."))
        return
    axis = translated(strings.SENSITIVITY_AXIS)
    drawn = chart(table(run, found), found.probability, palette, axis)
    st.altair_chart(drawn, key=f"tornado{key}", alt=strings.SENSITIVITY_ALT)


def table(run: Run, found: Sensitivity) -> pd.DataFrame:
    """One row for each figure: ``name``, ``halved``, ``doubled`` (probabilities)."""
    rows = [
        (
            strings.leak_figure(node_name(run, figure.node))
            if figure.parent is None
            else strings.link_figure(node_name(run, figure.parent), node_name(run, figure.node)),
            figure.halved,
            figure.doubled,
        )
        for figure in found.figures
    ]
    frame = pd.DataFrame(rows, columns=["name", "halved", "doubled"])
    width = (frame["doubled"] - frame["halved"]).abs()
    order = width.sort_values(ascending=False, kind="stable").index
    return frame.loc[order].reset_index(drop=True)


def chart(rows: pd.DataFrame, probability: float, palette: str, axis: str) -> alt.Chart:
    """Tornado chart: bars from the probability with half to that with twice each figure.

    ``axis`` is the title of the axis.
    """
    colours, kinds = COLOURS[palette], (strings.HALVED, strings.DOUBLED)
    long = pd.concat(
        [
            rows.assign(row=rows.index, end=rows[column], kind=kind, now=probability)
            for column, kind in zip(("halved", "doubled"), kinds, strict=True)
        ]
    )
    # Two figures may have the same name, so the rows are numbered.
    y = alt.Y("row:O", title=None).axis(
        labelExpr=f"{json.dumps(list(rows['name']))}[datum.value]",
        labelLimit=LABEL_WIDTH, labelOverlap=False, ticks=False, domain=False,
    )  # fmt: skip
    bars = (
        alt.Chart(long)
        .mark_bar(height={"band": 0.62})
        .encode(
            y=y,
            x=alt.X("now:Q", title=axis).scale(zero=False).axis(tickCount=5, format=".3~f"),
            x2="end:Q",
            color=alt.Color("kind:N", title=None)
            .scale(domain=kinds, range=[colours[1], colours[0]])
            # One below the other, since a phone has no room for both in a row.
            .legend(orient="top", columns=1, offset=6),
            tooltip=["name:N", "kind:N", alt.Tooltip("end:Q", format=".3f")],
        )
    )
    chart: alt.Chart = bars.properties(height=alt.Step(BAR_HEIGHT), config=configuration())
    return chart
