"""How far answers are from the posterior: queries of 1 to 10 words, and whole documents."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.benchmarks.judging import METHODS, by_method, judge
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.queries import KINDS, Asked, asked
from tests.benchmarks.subjects import Subject, merged, subjects

ABOUT = """Words of random documents are present and all others unknown; of a whole document all
others are absent. The truth is the sum over all states of the local model where that can be had
(bucket elimination, written for this page alone), else the mean of eight Gibbs chains from starts
far apart that run until they agree: until no topic's mean has a standard error above 0.004.
Queries where they do not in time are left out, and counted. An error is the distance of a topic's
probability from the truth. *mean*: of a query's topics, then of the queries. *95 %*: so many
queries have no larger error. *fine*: share of the queries without an error above 0.03. *wrong
colour*: share of the queries with a topic on the other side of one half than the truth, though that
is further than 0.03 from it. *says > 0.99*: what is true of such topics on average. Times are of
`infer`, warm, one query after the other.
"""
ABOUT_STATED = """Guided draws state a standard error for every topic. *exact*: share of the queries
that are small enough to go through all states. Of the others: the mean stated error; the mean
square of the distance from the truth as a multiple of it (and of the truth's own), and how often
that is above 2, for topics between 0.01 and 0.99. Errors that are exactly known have 1.00 and 4.6 %
of them; honest ones that are estimated from eight rounds, the fewest, 1.40 and 8.6 % (Student's t).
"""
GOALS = ("≤ 0.005", "≤ 0.03", "≥ 95 %", "0 %")


def run(settings: Settings) -> Figures:
    """Ask every model in every way by every method."""
    rows = {}
    for name, about in subjects(settings):
        rows[name] = {
            "title": about.title,
            "about": about.about,
            "kinds": {kind: _judged(about, asked(name, kind, settings)) for kind in KINDS},
        }
        log.info("%s: judged", name)
    return {"rows": merged("posterior_error", rows, settings)}


def _judged(about: Subject, queries: Asked) -> dict[str, Any]:
    truths = queries.truths
    methods = {
        method: judge(by_method(about.network, method), queries.evidences, truths)
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
    """Two tables a model."""
    parts = [ABOUT, ABOUT_STATED]
    for row in figures["rows"].values():
        parts += [f"**{row['title']}**: {row['about']}.\n", _truths(row["kinds"]) + "\n"]
        parts += [_errors(row["kinds"]) + "\n", _stated(row["kinds"]) + "\n"]
    return "\n".join(parts)


def _truths(kinds: dict[str, Any]) -> str:
    header = ["", "queries", "local topics", "summed", "chains agree", "left out", "chains' error"]
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
    header += [f"wrong colour ({wrong})", "says > 0.99", "median, ms", "95 %, ms"]
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
    header = ["", "exact", "stated error", "mean square", "above 2", "effective draws"]
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


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share in per cent."""
    return MISSING if share is None else f"{number(100.0 * share, digits)} %"


PART = Part("posterior_error", "How far from the posterior", 120, run, show)
