"""Charts of groups: what can be clicked, and that names stay data."""

import json
import math
import re

import altair as alt
import pandas as pd
import pytest

from orrery.app.charts.groups import (
    CELL,
    LESS,
    MORE,
    NAME,
    course,
    heat_map,
    interval_mark,
    opacity_of,
    stacked,
)
from orrery.app.charts.theme import specification
from orrery.core.drawing.style import BACKGROUND, TEXT_COLOURS, contrast, mix

HOSTILE = "<img src=x onerror=alert(1)>'\\"


def table() -> pd.DataFrame:
    rows = [
        {"id": topic, "label": HOSTILE, "name": f"{HOSTILE} {topic}", "group": group,
         "strength": 0.5, "more": True, "share": 0.1, "note": "1 of 10", "place": 0,
         "value": "10", "small": group == "2020"}
        for topic in ("T0", "T1") for group in ("2019", "2020")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_cells_and_names_can_be_clicked() -> None:
    names = list(dict.fromkeys(table()["name"]))
    spec = heat_map(table(), names, ["2019", "2020"], [100.0, 7.0]).to_dict()
    params = {param["name"]: param["select"]["fields"] for param in spec["params"]}
    # The number of documents of each group is in the chart.
    assert '"7"' in json.dumps(spec["datasets"])
    assert params == {CELL: ["id", "group"], NAME: ["id"]}
    # A name is a value of the data, never a part of an expression.
    assert HOSTILE not in json.dumps([layer["mark"] for layer in spec["layer"]])


def test_a_table_of_any_length_is_drawn_with_its_rows() -> None:
    names = list(dict.fromkeys(table()["name"]))
    chart = heat_map(table(), names, ["2019", "2020"], [100.0, 7.0])
    assert specification(chart) == chart.to_dict()
    # Altair refuses more than 5,000 rows.
    long = pd.concat([table()] * 1_500)
    for drawn in (
        heat_map(long, names, ["2019", "2020"], [100.0, 7.0]),
        stacked(long, ["2019", "2020"], names),
    ):
        assert len(long) in map(len, specification(drawn)["datasets"].values())


def test_a_chart_keeps_its_rows_while_streamlit_draws_another_one() -> None:
    chart = course(table(), ["2019", "2020"])
    expected = specification(chart)
    alt.data_transformers.register("elsewhere", lambda data: {"name": "elsewhere"})
    with alt.data_transformers.enable("elsewhere"):
        assert specification(chart) == expected


@pytest.mark.parametrize("number", [1, 2])
def test_points_of_courses_can_be_clicked(number: int) -> None:
    names = list(dict.fromkeys(table()["name"]))
    groups = ["2019", "2020"]
    chart = course(table(), groups) if number == 1 else stacked(table(), groups, names)
    assert [param["name"] for param in chart.to_dict()["params"]] == [CELL]


def test_periods_stand_at_the_top_and_below_each_other() -> None:
    specs = [course(table(), ["2019", "2020"], named).to_dict() for named in ("top", "", "bottom")]
    axes = [spec["layer"][0]["encoding"]["x"]["axis"] for spec in specs]
    assert [axis["labels"] for axis in axes] == [True, False, True]
    assert axes[0]["orient"] == "top"
    # The labels of a scale, however long, never move the points.
    scale = specs[0]["layer"][0]["encoding"]["y"]["axis"]
    assert scale["minExtent"] == scale["maxExtent"] > 0


@pytest.mark.parametrize(
    ("ratio", "low", "high"),
    [(2.0, 1.5, 3.0), (math.inf, 2.0, math.inf), (math.nan, 0.0, math.inf), (0.0, 0.0, 0.4)],
)
def test_an_interval_stays_within_its_scale(ratio: float, low: float, high: float) -> None:
    mark = interval_mark(ratio, low, high)
    left, dot = (float(found) for found in re.findall(r"left:(?:calc\()?(\d+\.\d+)%", mark))
    width = float(re.search(r"width:(\d+\.\d+)%", mark)[1])
    assert left >= 0
    assert left + width <= 100
    assert left - 0.01 <= dot <= left + width + 0.01


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("hue", [MORE, LESS])
@pytest.mark.parametrize("strength", [0.0, 0.3, 0.65, 1.0])
def test_the_value_in_a_cell_can_be_read(theme: str, hue: str, strength: float) -> None:
    cell = mix(BACKGROUND[theme], hue, opacity_of(strength))
    assert contrast(cell, TEXT_COLOURS[theme]) >= 4.5
