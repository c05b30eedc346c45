"""Letters in charts: every one of them can be read in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orrery.app.charts import bound_chart, corpus_charts
from orrery.app.charts.chart_theme import READABLE, readable
from orrery.app.charts.run_lines import Axes
from orrery.app.documents.topic_course import labels_chart, shares
from orrery.app.evaluation import evaluation_charts
from orrery.app.evaluation.evaluation_jobs import EvaluatedModel
from orrery.app.graph.style import BACKGROUND, contrast
from orrery.app.query import why
from orrery.app.query.why import _waterfall, waterfall

FIGURES = {"independent": -10.0, "jensen_bound": -9.0, "completion_recall10": 0.2}
JUDGED = [EvaluatedModel("a", FIGURES, True), EvaluatedModel("b", FIGURES, True)]
TOPICS = pd.DataFrame({"id": ["L1.1"], "label": ["a"], "npmi": [0.2], "own": [0.5]})
LABELS = shares(np.array([True, False]), np.array(["a", "b"], object))
CHARTS = {
    "bounds": bound_chart.bound_chart(Axes("epoch", 10.0, -60.0, -40.0)).to_dict(),
    "words": corpus_charts.frequent_words([("orbit", 3)]).to_dict(),
    "labels": labels_chart(LABELS).to_dict(),
    "ladder": evaluation_charts.ladder_chart(evaluation_charts.ladder_table(JUDGED)).to_dict(),
    "told": evaluation_charts.prediction_chart(
        evaluation_charts.prediction_table(JUDGED)
    ).to_dict(),
    "topics": evaluation_charts.topic_chart(TOPICS).to_dict(),
    **{
        palette: waterfall(_waterfall([("a", 2.0), ("b", -1.0)]), palette)
        for palette in why.COLOURS
    },
}


def letters(part: Any) -> Iterator[Any]:
    """Colours of all letters of a chart, but for those that are there for their room alone."""
    if isinstance(part, dict):
        mark = part.get("mark")
        if isinstance(mark, dict) and mark["type"] == "text" and mark.get("opacity") != 0:
            yield part["encoding"].get("color", {}).get("value") or mark.get("color")
        yield from (part[key] for key in ("titleColor", "labelColor") if key in part)
    if isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from letters(inner)


@pytest.mark.parametrize("name", CHARTS)
def test_letters_stand_out_in_both_themes(name: str) -> None:
    found = list(letters(CHARTS[name]))
    assert {"labelColor", "titleColor"} <= set(CHARTS[name]["config"]["axis"])
    assert len(found) > 2
    for colour in found:
        dark, light = re.findall("#[0-9A-F]{6}", colour["expr"])
        assert contrast(light, BACKGROUND["light"]) >= READABLE
        assert contrast(dark, BACKGROUND["dark"]) >= READABLE


@pytest.mark.parametrize("theme", BACKGROUND)
def test_a_hue_that_can_be_read_stays_as_it_is(theme: str) -> None:
    assert READABLE == 4.5
    for hue in (
        bound_chart.TRAINING,
        bound_chart.HELD_OUT,
        bound_chart.EARLIER,
        *evaluation_charts.HUES,
    ):
        found = readable(hue, theme)
        assert (found == hue) == (contrast(hue, BACKGROUND[theme]) >= READABLE)
