"""Calibration: observed frequency by stated probability, in documents drawn from the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from orrery.core.inference.posterior import MethodChoice
from tests.benchmarks.answer_quality import METHODS, by_method
from tests.benchmarks.calibration import BINS, Case, curve, matching, whole
from tests.benchmarks.drawn import Drawn, draw_documents
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.queries import KINDS, queries_of
from tests.benchmarks.subjects import Subject, measure_subjects

SEED = 0
DOCUMENTS, QUICK_DOCUMENTS = 200_000, 1_000
QUERIES, QUICK_QUERIES = 3_000, 20
WHOLE, QUICK_WHOLE = 1_000, 20
# Abstracts take seconds each.
FEWER_WHOLE = {"arxiv": 100}
# Sampling alone has the same target as `infer`, which samples if it cannot sum.
QUERIED: tuple[MethodChoice, ...] = ("jensen", "mean-field", "sum-product", "auto")
# So that a few queries of frequent words do not decide.
MAX_OF_QUERY = 50
# A bin with fewer topics cannot resolve 0.02.
FEWEST = 300
GOAL = 0.02
WAYS = {"2–4 words": "2–4 words, all others unknown", "whole": "whole documents"}
ABOUT = f"""{number(DOCUMENTS, 0)} documents are drawn from each model, with their topics and words.
Queries are {number(QUERIES, 0)} sets of 2–4 words of real documents; the generated documents that
have all words of a query (the first {MAX_OF_QUERY}) show which topics are on when these words are
present. If the words were chosen among those present in the generated document itself, no method
could be calibrated, because the choice of words would be evidence too. The first {number(WHOLE, 0)}
generated documents (100 for arXiv) are then queried as a whole, with their other words absent;
topics without a word there are set to off, an approximation that all methods share (last column:
topics that were on nevertheless, per document). Each cell is the observed share of topics that are
on minus the mean stated probability, in ten bins of the stated probability, ± two standard errors;
– for fewer than {FEWEST} topics. Goal: within {GOAL}.
"""


def run(settings: Settings) -> Figures:
    """Draw from every model and ask it by every method."""

    def measure(name: str, about: Subject) -> dict[str, Any]:
        n_whole = settings.pick(FEWER_WHOLE.get(name, WHOLE), QUICK_WHOLE)
        return {"title": about.title, "ways": _ways(about, n_whole, settings)}

    return measure_subjects(PART.name, measure, settings)


def _ways(about: Subject, n_whole: int, settings: Settings) -> dict[str, Any]:
    rng = np.random.default_rng(SEED)
    drawn = draw_documents(about.network, settings.pick(DOCUMENTS, QUICK_DOCUMENTS), rng)
    queries = queries_of(about, KINDS["2–4 words"], settings.pick(QUERIES, QUICK_QUERIES))
    cases = {
        "2–4 words": list(matching(drawn, queries, MAX_OF_QUERY)),
        "whole": list(whole(drawn, n_whole)),
    }
    return {way: _way(about, drawn, some) for way, some in cases.items() if some}


def _way(about: Subject, drawn: Drawn, cases: list[Case]) -> dict[str, Any]:
    return {
        "queries": len(cases),
        "documents": sum(len(case.rows) for case in cases),
        "methods": {method: _curve(about, drawn, cases, method) for method in QUERIED},
    }


def _curve(about: Subject, drawn: Drawn, cases: list[Case], method: MethodChoice) -> dict[str, Any]:
    answer = by_method(about.network, method)
    shown_text, is_on, outside = [], [], 0
    for case in cases:
        posterior = answer(case.evidence)
        states = drawn.is_on[case.rows]
        shown_text.append(posterior.probability)
        is_on.append(states[:, posterior.topics])
        outside += int(states.sum() - is_on[-1].sum())
    found = curve(shown_text, is_on)
    has_enough = found.count >= FEWEST
    return {
        "count": found.count.tolist(),
        "gap": [
            gap if ok else None for gap, ok in zip(found.gap.tolist(), has_enough, strict=True)
        ],
        "error": np.nan_to_num(found.error).tolist(),
        "outside": outside / sum(len(case.rows) for case in cases),
    }


def show(figures: Figures) -> str:
    """A table a way of asking, a line a model and method."""
    parts = [ABOUT]
    for way, title in WAYS.items():
        lines = []
        for row in figures["rows"].values():
            if way in row["ways"]:
                lines += _lines(row["title"], row["ways"][way], way == "whole")
        header = ["model", "method", *(f"{b / BINS:.1f}–{(b + 1) / BINS:.1f}" for b in range(BINS))]
        header += ["on without a word"] if way == "whole" else []
        parts.append(f"**{title[0].upper()}{title[1:]}**\n\n{table(header, lines)}\n")
    return "\n".join(parts)


def _lines(title: str, way: dict[str, Any], is_whole: bool) -> list[list[str]]:
    counts = f"{number(way['queries'], 0)} queries, {number(way['documents'], 0)} documents"
    lines = []
    for method in QUERIED:
        one = way["methods"][method]
        cells = [_cell(*pair) for pair in zip(one["gap"], one["error"], strict=True)]
        elsewhere = [number(one["outside"], 2)] if is_whole else []
        lines.append([f"{title} ({counts})", METHODS[method], *cells, *elsewhere])
    return lines


def _cell(gap: float | None, error: float) -> str:
    return MISSING if gap is None else f"{number(gap, 3)} ± {number(2.0 * error, 3)}"


PART = Part("posterior_calibration", "Calibration", 15, run, show)
