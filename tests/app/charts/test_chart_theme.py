"""Letters in charts: every one of them can be read in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orrery.app.charts import runs
from orrery.app.charts.run_lines import Axes
from orrery.app.charts.theme import READABLE, readable
from orrery.app.shared.topic_documents import labels_chart, shares
from orrery.app.views.corpus import report
from orrery.app.views.evaluate import charts
from orrery.app.views.query import reasons
from orrery.app.views.query.reasons import _waterfall, waterfall
from orrery.app.workspace.evaluations import EvaluatedModel
from orrery.core.drawing.style import BACKGROUND, contrast

FIGURES = {"independent": -10.0, "jensen_bound": -9.0, "completion_recall10": 0.2}
EVALUATED = [EvaluatedModel("a", FIGURES, True), EvaluatedModel("b", FIGURES, True)]
TOPICS = pd.DataFrame({"id": ["L1.1"], "label": ["a"], "npmi": [0.2], "own": [0.5]})
LABELS = shares(np.array([True, False]), np.array(["a", "b"], object))
CHARTS = {
    "bounds": runs.bound_chart(Axes("epoch", 10.0, -60.0, -40.0)).to_dict(),
    "words": report.frequent_words([("orbit", 3)]).to_dict(),
    "labels": labels_chart(LABELS).to_dict(),
    "ladder": charts.ladder_chart(charts.ladder_table(EVALUATED)).to_dict(),
    "told": charts.prediction_chart(charts.prediction_table(EVALUATED)).to_dict(),
    "topics": charts.topic_chart(TOPICS).to_dict(),
    **{
        palette: waterfall(_waterfall([("a", 2.0), ("b", -1.0)]), palette)
        for palette in reasons.COLOURS
    },
}


def letters(part: Any) -> Iterator[Any]:
    """Colours of all text marks of a chart, except invisible ones that only reserve space."""
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
        runs.TRAINING,
        runs.HELD_OUT,
        runs.EARLIER,
        *charts.HUES,
    ):
        found = readable(hue, theme)
        assert (found == hue) == (contrast(hue, BACKGROUND[theme]) >= READABLE)
