"""Latency of a query."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import MAX_ERROR, infer
from orrery.core.model.network import Network
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.parts.posterior_error import percent
from tests.benchmarks.queries import KINDS, QUICK_COUNT, Kind, queries_of
from tests.benchmarks.subjects import Subject, measure_subjects

# Milliseconds within which 95 % of the queries of a few words are to be answered.
GOALS = {"sample": 5, "news20": 10, "arxiv": 25}
GOAL_KIND = "2–4 words"
ABOUT = f"""`infer` with its default: until every standard error is at most {MAX_ERROR} (the app
allows 0.03 for more than 12 words). In a warm process, one query after the other on one thread,
with a new local model for each. *exact*: share of queries with exact inference. *precise*: share of
queries whose standard errors reach the goal.
"""


def run(settings: Settings) -> Figures:
    """Time every kind of query to every model."""

    def measure(name: str, about: Subject) -> dict[str, Any]:
        kinds = {kind: _timed(about, KINDS[kind], settings) for kind in KINDS}
        return {"title": about.title, "kinds": kinds}

    return measure_subjects(PART.name, measure, settings)


def _timed(about: Subject, kind: Kind, settings: Settings) -> dict[str, Any]:
    evidences = queries_of(about, kind, settings.pick(kind.count, QUICK_COUNT))
    _ask(about.network, evidences[0])
    requested = [_ask(about.network, evidence) for evidence in evidences]
    milliseconds, is_exact, is_precise = zip(*requested, strict=True)
    return {
        "queries": len(requested),
        "milliseconds": [float(np.percentile(milliseconds, q)) for q in (50, 95, 100)],
        "exact": float(np.mean(is_exact)),
        "precise": float(np.mean(is_precise)),
    }


def _ask(network: Network, evidence: Evidence) -> tuple[float, bool, bool]:
    begin = time.perf_counter()
    posterior = infer(network, evidence)
    milliseconds = 1e3 * (time.perf_counter() - begin)
    return milliseconds, posterior.is_exact, posterior.is_precise


def show(figures: Figures) -> str:
    """A line a model and kind."""
    lines = []
    for name, row in figures["rows"].items():
        for kind, one in row["kinds"].items():
            has_goal = kind == GOAL_KIND and name in GOALS
            lines.append(
                [
                    row["title"],
                    kind,
                    number(one["queries"], 0),
                    *(number(value, 1) for value in one["milliseconds"]),
                    f"≤ {GOALS[name]}" if has_goal else MISSING,
                    percent(one["exact"]),
                    percent(one["precise"]),
                ]
            )
    header = ["model", "query", "queries", "median, ms", "95 %, ms", "maximum, ms", "goal for 95 %"]
    header += ["exact", "precise"]
    return f"{ABOUT}\n{table(header, lines)}\n"


PART = Part("posterior_speed", "Latency of a query", 3, run, show)
