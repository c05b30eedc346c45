"""Latency of the app in a browser, on the sample and on a large model: clicks, pages, memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.model.topic_model import Run
from orrery.core.storage.runs import load_run
from tests.benchmarks.data import MissingData
from tests.benchmarks.in_browser import SIZE, measure
from tests.benchmarks.in_browser import show as show_measured
from tests.benchmarks.large_model import FULL, NAME, QUICK, adopt_large
from tests.benchmarks.markdown import number
from tests.benchmarks.part import Figures, Part, Settings

CLICKS, QUICK_CLICKS = 100, 10
LARGE_GOAL = 300
ABOUT = """The sample ({topics} topics, {edges} edges), in Chromium with {width} × {height} pixels.
"""
ABOUT_LARGE = """**A synthetic model** of {topics} topics, {words} words and {edges} edges, with two
parents per topic, adopted from its graph and therefore without a corpus. Goal for the memory of the
server: below 2 GB.
"""


def run(settings: Settings) -> Figures:
    """Click, and time every click; open, and time every page; on one model, then on the other."""
    if not (SAMPLE_DATA / "run" / "model").is_dir():
        raise MissingData("the sample has no trained model; see sample_data/README.md")
    sample = load_run(SAMPLE_DATA / "run")
    clicks = settings.pick(CLICKS, QUICK_CLICKS)
    with tempfile.TemporaryDirectory() as folder:
        measured = measure("demo", sample, Path(folder, "workspace"), {}, clicks)
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder, "workspace")
        large = adopt_large(workspace, settings.pick(FULL, QUICK))
        measured_large = measure("app", large, workspace, {"run": NAME}, clicks)
    return {**_counts(sample), **measured, "large": {**_counts(large), **measured_large}}


def _counts(run: Run) -> Figures:
    graph = run.network.graph
    return {"topics": graph.n_topics, "words": graph.n_tokens, "edges": graph.n_edges}


def show(figures: Figures) -> str:
    """The clicks, then the pages; of the large model too where it was measured."""
    about = ABOUT.format(topics=figures["topics"], edges=figures["edges"], **SIZE)
    parts = [about, show_measured(figures)]
    if large := figures.get("large"):
        counts = {name: number(large[name], 0) for name in ("topics", "words", "edges")}
        parts += [ABOUT_LARGE.format(**counts), show_measured(large, LARGE_GOAL)]
    return "\n".join(parts)


PART = Part("clicks", "Latency of the app in the browser", 12, run, show)
