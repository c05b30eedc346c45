"""The app on the sample in a browser: clicks and pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.storage import load_run
from tests.benchmarks.data import MissingData
from tests.benchmarks.in_browser import SIZE, measure
from tests.benchmarks.in_browser import show as show_measured
from tests.benchmarks.part import Figures, Part, Settings

CLICKS, QUICK_CLICKS = 100, 10
ABOUT = """On the sample ({topics} topics, {edges} edges), in Chromium with {width} × {height}
pixels.
"""


def run(settings: Settings) -> Figures:
    """Click, and time every click; open, and time every page."""
    if not (SAMPLE_DATA / "run" / "model").is_dir():
        raise MissingData("the sample has no trained model; see sample_data/README.md")
    sample = load_run(SAMPLE_DATA / "run")
    graph = sample.network.graph
    with tempfile.TemporaryDirectory() as folder:
        clicks = settings.pick(CLICKS, QUICK_CLICKS)
        measured = measure("demo", sample, Path(folder, "workspace"), {}, clicks)
    return {"topics": graph.n_topics, "edges": graph.n_edges, **measured}


def show(figures: Figures) -> str:
    """The clicks, then the pages."""
    about = ABOUT.format(topics=figures["topics"], edges=figures["edges"], **SIZE)
    return f"{about}\n{show_measured(figures)}"


PART = Part("clicks", "The app in the browser", 3, run, show)
