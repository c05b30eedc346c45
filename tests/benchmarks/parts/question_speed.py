"""Latency of the best questions and of the most probable explanations."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from orrery.core.inference.infer import infer
from orrery.core.inference.most_probable import most_probable
from orrery.core.inference.posterior import Posterior
from orrery.core.inference.questions import best_questions
from orrery.core.model.network import Network
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.parts.posterior_error import percent
from tests.benchmarks.queries import KINDS, QUICK_COUNT, queries_of
from tests.benchmarks.subjects import Subject, measure_subjects

# Milliseconds of processor time within which 95 % are to be answered.
GOAL = 100
KIND = "2–4 words"
WORK = {
    "questions": "five questions, information",
    "confirmation": "five questions, confirmation",
    "explanations": "five explanations",
}
ABOUT = f"""`best_questions` and `most_probable` for queries of {KIND}, after the answer itself, in
a warm process, one after the other: milliseconds of processor time. Goal for 95 %: {GOAL} ms.
*exact*: share of queries with exact bits, or without a more probable state than those found.
Otherwise the bits are estimates, and the search for explanations has ended early.
"""


def run(settings: Settings) -> Figures:
    """Time both on every model."""

    def measure(name: str, about: Subject) -> dict[str, Any]:
        return {"title": about.title, "works": _timed(about, settings)}

    return measure_subjects(PART.name, measure, settings)


def _timed(about: Subject, settings: Settings) -> dict[str, Any]:
    kind = KINDS[KIND]
    evidences = queries_of(about, kind, settings.pick(kind.count, QUICK_COUNT))
    found: dict[str, list[tuple[float, bool]]] = {name: [] for name in WORK}
    # The first query is also a warm-up.
    for evidence in (evidences[0], *evidences):
        posterior = infer(about.network, evidence)
        for name, work in _WORKS.items():
            begin = time.process_time()
            is_exact = work(about.network, posterior)
            found[name].append((1e3 * (time.process_time() - begin), is_exact))
    return {name: _summary(each[1:]) for name, each in found.items()}


def _summary(figures: list[tuple[float, bool]]) -> dict[str, Any]:
    milliseconds, is_exact = zip(*figures, strict=True)
    return {
        "queries": len(figures),
        "milliseconds": [float(np.percentile(milliseconds, q)) for q in (50, 95, 100)],
        "exact": float(np.mean(is_exact)),
    }


def _ask(network: Network, posterior: Posterior) -> bool:
    return best_questions(network, posterior).is_exact


def _confirm(network: Network, posterior: Posterior) -> bool:
    return best_questions(network, posterior, aim="confirmation").is_exact


def _explain(network: Network, posterior: Posterior) -> bool:
    return most_probable(network, posterior).is_exact


_WORKS: dict[str, Callable[[Network, Posterior], bool]] = {
    "questions": _ask,
    "confirmation": _confirm,
    "explanations": _explain,
}


def show(figures: Figures) -> str:
    """A line a model and kind of work."""
    lines = [
        [
            row["title"],
            WORK[name],
            number(one["queries"], 0),
            *(number(value, 1) for value in one["milliseconds"]),
            percent(one["exact"]),
        ]
        for row in figures["rows"].values()
        for name, one in row["works"].items()
    ]
    header = ["model", "work", "queries", "median, ms", "95 %, ms", "maximum, ms", "exact"]
    return f"{ABOUT}\n{table(header, lines)}\n\n{missed(figures['rows'])}\n"


def missed(rows: dict[str, Any]) -> str:
    """Sentence on the rows that miss the goal."""
    times = {
        f"{row['title']}, {WORK[name]}": one["milliseconds"][1]
        for row in rows.values()
        for name, one in row["works"].items()
    }
    missed = [f"{name} ({number(ms, 1)} ms)" for name, ms in times.items() if ms > GOAL]
    if not missed:
        return f"All {len(times)} rows reach the goal."
    return f"{len(missed)} of {len(times)} rows miss the goal: {'; '.join(missed)}."


PART = Part("question_speed", "Latency of questions and explanations", 5, run, show)
