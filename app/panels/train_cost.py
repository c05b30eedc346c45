"""What a run may cost, shown before it is started."""

from __future__ import annotations

from typing import Any

import psutil
import streamlit as st

from orrery.app.panels.train_charts import metrics_once
from orrery.app.runs import estimate, jobs
from orrery.app.runs.jobs import Job, TrainChoice
from orrery.app.text.escaping import markdown_text
from orrery.app.words import train_cost as words
from orrery.app.workspace import catalog
from orrery.app.workspace.catalog import Place
from orrery.core.errors import InputError
from orrery.core.storage.corpora import read_description

# The newest runs say most about the machine as it is.
RUNS_ASKED = 12


def show(place: Place, choice: TrainChoice, counts: dict[str, Any]) -> None:
    """Say in one line what a run may cost, and warn if it does not fit into memory."""
    try:
        edges = estimate.proposed_edges(
            choice.method, choice.topics, counts, choice.learn_structure
        )
    except InputError:
        # The start says what is wrong.
        return
    size = estimate.size_of(counts, edges)
    text = catalog.size(place.folder / "documents.parquet")
    expected = estimate.estimate(choice, size, text, [_pace(job) for job in _earlier(choice)])
    epochs = (choice.epochs, estimate.passes(choice))
    said = words.takes(epochs, expected.seconds, expected.memory, expected.runs)
    st.caption(markdown_text(said), help=words.ESTIMATE_HELP)
    free = psutil.virtual_memory().available
    if expected.memory > free:
        st.warning(words.too_large(expected.memory, free))


def _earlier(choice: TrainChoice) -> list[Job]:
    """Earlier runs to base the estimate on: with the same bound if there are any."""
    found = [
        job
        for job in jobs.list_jobs(catalog.workspace() / "runs")
        if job.corpus is not None and catalog.size(job.folder / "metrics.jsonl")
    ][:RUNS_ASKED]
    same = [job for job in found if _bound(job) == choice.bound]
    return same or found


def _bound(job: Job) -> str | None:
    training = job.settings.get("training")
    return training.get("bound") if isinstance(training, dict) else None


def _pace(job: Job) -> dict[str, float]:
    """What an earlier run took, by kinds of work; empty if its corpus is gone or damaged."""
    try:
        counts = read_description(job.corpus) if job.corpus else {}
    except InputError:
        return {}
    metrics = metrics_once(str(job.folder), catalog.stamp(job.folder / "metrics.jsonl"))
    size = estimate.size_of(counts, 0)
    found = estimate.measured_pace(metrics, size)
    if found:
        found[estimate.WORDS] = size.all_words
    whole, compiling = (job.status.get(f"{name}_seconds") for name in ("whole", "compiling"))
    # A run that was stopped and taken up again has started several times.
    if job.state == "finished" and whole is not None and compiling is not None:
        found |= estimate.measured_beside(whole, compiling, metrics, size)
    return found
