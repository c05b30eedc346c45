"""AMF and second-order mean field on whole corpora: LDA on posts, the HDP on news."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from orrery.core.baselines.collapsed_lda import (
    AmfHdp,
    AmfLda,
    CollapsedLda,
    SecondOrderHdp,
    SecondOrderLda,
)
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.races import Curve, least_sweep, race, ratio_of_times
from tests.benchmarks.results import measure_sets
from tests.benchmarks.whole_texts import (
    MAX_WORDS,
    MIN_DOCUMENTS,
    Counted,
    counted,
    news20_posts,
    reuters_articles,
)


class Race(NamedTuple):
    """Two systems of one model, and the corpus that they are trained on."""

    title: str
    model: str
    read: Callable[[], Counted]
    systems: dict[str, type[CollapsedLda]]
    n_topics: int


def _posts() -> Counted:
    return counted(*news20_posts())


def _news() -> Counted:
    train, test = (
        [f"{article.title}\n{article.body}" for article in part] for part in reuters_articles()
    )
    return counted(train, test)


RACES = {
    "news20": Race("20 Newsgroups", "LDA", _posts,
                   {"AMF": AmfLda, "second order": SecondOrderLda}, 20),
    "reuters": Race("Reuters-21578", "HDP", _news,
                    {"AMF": AmfHdp, "second order": SecondOrderHdp}, 50),
}  # fmt: skip
SYSTEMS = ("AMF", "second order")
SWEEPS = 30
# More test documents would only cost time: they are evaluated after every sweep.
TEST = 200
# Sweeps that show whether a curve has converged.
LAST = 5
# A system is there when its bound is so near to the lower one of the two ends.
NEAR = 1.0
ABOUT = f"""*20 Newsgroups* is split by date and has no header lines; *Reuters-21578* is the ModApte
split of articles with a topic. Words consist of letters, are no English stop words, occur in
{MIN_DOCUMENTS} documents or more, are the {MAX_WORDS:,} most frequent ones, and are counted. Both
methods have the same start and run {SWEEPS} sweeps over all words; LDA has
{RACES["news20"].n_topics} topics, the HDP at most {RACES["reuters"].n_topics}. *Held out* is the
bound of {TEST} random test documents with fixed topics, in nats per document; *last gain* is its
increase in the last {LAST} sweeps. The time of a sweep is the minimum. *Time* is the ratio between
second order and AMF of the time until each is within {NEAR:g} nat of the lower of the two final
bounds. Second-order HDP expands (18) only, with the tables of AMF, which is less than Teh et al.
(2008) do.
"""


def run(settings: Settings) -> Figures:
    """Race on the corpora asked for; the figures of the others stay."""
    return measure_sets(
        PART.name, RACES, tuple(RACES), lambda name: _raced(RACES[name], settings), settings
    )


def _raced(this: Race, settings: Settings) -> dict[str, Any]:
    train, test = this.read()
    train = train[: settings.pick(train.shape[0], 100)]
    chosen = np.random.default_rng(0).permutation(test.shape[0])[: settings.pick(TEST, 20)]
    curves = {}
    for name, kind in this.systems.items():
        kind(2, rounds=1).fit(train[:5])
        system = kind(this.n_topics, 0, rounds=settings.pick(SWEEPS, 3))
        curves[name] = _curve(system, train, test[np.sort(chosen)])
        log.info("%s, %s: %.2f", this.title, name, curves[name][-1][1])
    return {
        "documents": train.shape[0],
        "words": train.shape[1],
        "tokens": int(train.sum()),
        "curves": curves,
    }


def _curve(system: CollapsedLda, train: sparse.csr_array, test: sparse.csr_array) -> Curve:
    return race(
        lambda progress: system.fit(train, progress=progress),
        lambda: float(system.bound_or_likelihood(test).mean()),
    )


def show(figures: Figures) -> str:
    """One line for each corpus."""
    lines = [
        [f"{RACES[name].title}, {RACES[name].model}",
         *[number(row[key], 0) for key in ("documents", "tokens")],
         *[number(row["curves"][system][-1][1], 2) for system in SYSTEMS],
         *[number(_last_gain(row["curves"][system]), 2) for system in SYSTEMS],
         *[number(1000 * least_sweep(row["curves"][system]), 0) for system in SYSTEMS],
         number(_time(row), 2)]
        for name, row in figures["rows"].items()
    ]  # fmt: skip
    head = ["corpus, model", "documents", "word occurrences"]
    head += [f"held out, {system}" for system in SYSTEMS]
    head += [f"last gain, {system}" for system in SYSTEMS]
    head += [*[f"ms a sweep, {system}" for system in SYSTEMS], "time"]
    return f"{ABOUT}\n{table(head, lines)}\n"


def _last_gain(curve: Curve) -> float:
    return curve[-1][1] - curve[max(len(curve) - 1 - LAST, 0)][1]


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims."""
    found = []
    for name, row in figures["rows"].items():
        (own, other), ratio = (row["curves"][system] for system in SYSTEMS), _time(row)
        gain = own[-1][1] - other[-1][1]
        is_faster = ratio is not None and ratio > 1.0
        found.append(
            [f"AMF, {RACES[name].model}", "Asuncion (2010), section 5–6",
             "as likely as second order, and faster",
             f"{RACES[name].title}: {number(gain, 2)} nats above; second order takes "
             f"{number(ratio, 1)} times as long to the same bound",
             "holds" if gain > -NEAR and is_faster else "does not hold"]
        )  # fmt: skip
    return found


def _time(row: dict[str, Any]) -> float | None:
    return ratio_of_times(*(row["curves"][system] for system in SYSTEMS), near=NEAR)


PART = Part("amf", "AMF on whole corpora", 15, run, show)
