"""Error of posterior probabilities: queries of 1 to 10 words, and whole documents."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.benchmarks.answer_quality import METHODS, by_method, evaluate
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.queries import KINDS, Subjects, requested
from tests.benchmarks.subjects import Subject, measure_subjects

ABOUT = """Words of random documents are present and all others unknown; for a whole document all
others are absent. The reference is exact inference by bucket elimination (implemented for this page
alone) where it is feasible, and otherwise the mean of eight Gibbs chains from dispersed starts that
run until they agree: until the mean of no topic has a standard error above 0.004. Queries whose
chains do not agree in time are left out and counted. The error is the difference between the
probability of a topic and its reference. *mean*: over the topics of a query, then over queries. *95
%*: 95th percentile over queries. *fine*: share of queries without an error above 0.03. *wrong
side*: share of queries with a topic on the wrong side of one half although its reference is more
than 0.03 from one half. *above 0.99*: mean reference of topics whose stated probability exceeds
0.99. Times are for `infer` in a warm process, one query after the other.
"""
ABOUT_STATED = """Importance sampling states a standard error for every topic. *exact*: share of
queries that are small enough to enumerate all states. For the others: the mean stated error; the
mean square of the z-score (the distance from the reference divided by the stated error combined
with the error of the reference), and the share of z-scores above 2, for topics between 0.01 and
0.99. Exactly known standard errors give 1.00 and 4.6 %; correct ones that are estimated from eight
rounds, the minimum, give 1.40 and 8.6 % (Student's t).
"""
# Queries of the table at the top of the page.
SUMMARY_KIND = "2–4 words"
GOALS = ("≤ 0.005", "≤ 0.03", "≥ 95 %", "0 %")


def run(settings: Settings) -> Figures:
    """Ask every model in every way by every method."""

    def measure(name: str, about: Subject) -> dict[str, Any]:
        return {
            "title": about.title,
            "about": about.about,
            "kinds": {kind: _evaluated(about, requested(name, kind, settings)) for kind in KINDS},
        }

    return measure_subjects(PART.name, measure, settings)


def _evaluated(about: Subject, queries: Subjects) -> dict[str, Any]:
    truths = queries.truths
    methods = {
        method: evaluate(by_method(about.network, method), queries.evidences, truths)
        for method in METHODS
    }
    errors = [truth.error.max() for truth in truths if truth.is_known and truth.how == "chains"]
    return {
        "queries": len(truths),
        "summed": sum(truth.how == "sums" for truth in truths),
        "known": sum(truth.is_known for truth in truths),
        "topics": float(np.mean([len(truth.topics) for truth in truths])),
        "noise": float(np.mean(errors)) if errors else None,
        "methods": methods,
    }


def show(figures: Figures) -> str:
    """Three tables for each model: the references, the errors, and the stated errors."""
    parts = [ABOUT, ABOUT_STATED]
    for row in figures["rows"].values():
        parts += [f"**{row['title']}**: {row['about']}.\n", _truths(row["kinds"]) + "\n"]
        parts += [_errors(row["kinds"]) + "\n", _stated(row["kinds"]) + "\n"]
    return "\n".join(parts)


def _truths(kinds: dict[str, Any]) -> str:
    header = ["", "queries", "local topics", "exact", "chains agree", "left out", "error of chains"]
    lines = []
    for kind, row in kinds.items():
        counts = (row["queries"], row["topics"], row["summed"], row["known"] - row["summed"])
        lines.append(
            [
                kind,
                *(number(count, 0) for count in counts),
                number(row["queries"] - row["known"], 0),
                number(row["noise"], 4),
            ]
        )
    return table(header, lines)


def _errors(kinds: dict[str, Any]) -> str:
    mean, largest, fine, wrong = GOALS
    header = ["", "method", f"mean ({mean})", f"95 % ({largest})", "largest", f"fine ({fine})"]
    header += [f"wrong side ({wrong})", "above 0.99", "median, ms", "95 %, ms"]
    lines = []
    for kind, row in kinds.items():
        for method, title in METHODS.items():
            one = row["methods"][method]
            digits = [("mean", 4), ("p95_largest", 3), ("largest", 3)]
            lines.append(
                [
                    kind,
                    title,
                    *(number(one.get(key), n) for key, n in digits),
                    *(percent(one.get(key)) for key in ("good", "wrong")),
                    number(one.get("sure"), 3),
                    *(number(one[key], 2) for key in ("median", "p95")),
                ]
            )
    return table(header, lines)


def _stated(kinds: dict[str, Any]) -> str:
    header = ["", "exact", "stated error", "mean square z", "z above 2", "effective samples"]
    lines = []
    for kind, row in kinds.items():
        one = row["methods"]["sampling"]
        lines.append(
            [
                kind,
                percent(one.get("exact")),
                number(one.get("stated"), 4),
                number(one.get("z2"), 2),
                percent(one.get("beyond"), 1),
                number(one.get("draws"), 0),
            ]
        )
    return table(header, lines)


def summary(figures: Figures) -> str:
    """Table of the mean error of each method on queries of 2–4 words, by model."""
    rows = figures["rows"].values()
    lines = []
    for method, title in METHODS.items():
        of_method = [row["kinds"][SUMMARY_KIND]["methods"][method] for row in rows]
        cells = [f"{number(one.get('mean'), 4)} ({percent(one.get('good'))})" for one in of_method]
        lines.append([title, *cells])
    return table(["method", *(row["title"] for row in rows)], lines)


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share in per cent."""
    return MISSING if share is None else f"{number(100.0 * share, digits)} %"


PART = Part("posterior_error", "Error of the posterior probabilities", 120, run, show)
