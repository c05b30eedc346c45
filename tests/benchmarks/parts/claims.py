"""Claims of the papers of the baselines, and the corresponding measurements."""

from __future__ import annotations

import time
from statistics import mean
from typing import Any

import numpy as np

from orrery.core.baselines.collapsed_lda import (
    AmfHdp,
    AmfLda,
    CollapsedLda,
    SecondOrderHdp,
    SecondOrderLda,
)
from orrery.core.baselines.ising import (
    Ising,
    Marginals,
    enumerate_states,
    generalised_mean_field,
    naive_mean_field,
)
from orrery.core.data.corpus import Corpus
from tests.benchmarks.data import tiny20_split
from tests.benchmarks.markdown import number, spread, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts import (
    amf,
    amortized,
    correlated,
    discrete,
    headlines,
    sequences,
    sum_product,
    titles,
    trials,
)
from tests.benchmarks.results import RESULTS, load_results
from tests.benchmarks.small_networks import grid, square_blocks

TOPICS, SWEEPS = 20, 50
LATTICES, STRENGTHS, KINDS = (3, 4), (0.5, 1.0, 2.0), ("attractive", "repulsive", "mixed")
MODELS = 50
PAIRS = {"LDA": (AmfLda, SecondOrderLda), "HDP": (AmfHdp, SecondOrderHdp)}
# Parts with figures of their own that the table of claims draws on.
OTHERS = (amf, amortized, titles, headlines, sum_product, sequences, discrete, correlated, trials)
ABOUT = f"""`orrery systems` lists all baselines. AMF and second-order mean field ran {SWEEPS}
sweeps each over the training documents of three splits of tiny20 with {TOPICS} topics, in turns,
from the same start; the bound is for held-out documents with fixed topics, in nats. Second-order
HDP here expands (18) only, with the tables of AMF, which is less than Teh et al. (2008) do. Errors
on Ising lattices are mean absolute errors of the means E[x], compared with enumeration, over
{MODELS} models each, with couplings drawn up to the given strength; blocks are 2 × 2.
"""


def run(settings: Settings) -> Figures:
    """Time AMF and second-order mean field, and evaluate mean field on lattices."""
    seeds = settings.pick(settings.splits[:3], settings.splits[:1])
    amf: dict[str, Any] = {}
    for model, systems in PAIRS.items():
        for system in systems:
            system(2, 0, rounds=1).fit(tiny20_split(0, quick=True).corpus)
        rows = []
        for seed in seeds:
            log.info("%s, split %d", model, seed)
            split = tiny20_split(seed, settings.quick)
            train, test = split.training_corpus(), split.corpus.subset(split.test)
            rows.append([_timed(system, train, test, seed) for system in systems])
        amf[model] = rows
    return {"amf": amf, "ising": _lattices(settings.pick(MODELS, 3))}


def _timed(
    system: type[CollapsedLda], train: Corpus, test: Corpus, seed: int
) -> tuple[float, float]:
    """Seconds a sweep, and the held-out bound."""
    moments = [time.perf_counter()]

    def progress(share: float) -> bool:
        moments.append(time.perf_counter())
        return False

    fitted = system(TOPICS, seed, rounds=SWEEPS).fit(train, progress=progress)
    return float(np.diff(moments[1:]).mean()), float(fitted.bound_or_likelihood(test).mean())


def _lattices(models: int) -> list[dict[str, Any]]:
    rows = []
    for side in LATTICES:
        for kind in KINDS:
            for strength in STRENGTHS:
                drawn = [grid(side, side, strength, kind, seed) for seed in range(models)]
                errors = [_errors(model, side) for model in drawn]
                rows.append({
                    "side": side, "kind": kind, "strength": strength,
                    "naive": mean(error[0] for error in errors),
                    "blocks": mean(error[1] for error in errors),
                })  # fmt: skip
    return rows


def _errors(model: Ising, side: int) -> tuple[float, float]:
    exact = enumerate_states(model).means

    def error(found: Marginals) -> float:
        return float(np.abs(found.means - exact).mean())

    clusters = square_blocks(side, side)
    return error(naive_mean_field(model)), error(generalised_mean_field(model, clusters))


def _verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims, including the rows of the other parts."""
    lattices = figures["ising"]
    better = sum(row["blocks"] < row["naive"] for row in lattices)
    verdicts = [_amf_verdict(model, rows) for model, rows in figures["amf"].items()]
    verdicts.append(
        ["Ising, generalised mean field", "Xing, lecture 7", "closer to the marginals than naive",
         f"closer in {better} of {len(lattices)} settings",
         "holds" if better == len(lattices) else "does not hold everywhere"]
    )  # fmt: skip
    results = load_results(RESULTS)
    for other in OTHERS:
        name = other.PART.name
        missing = [[other.PART.title, "–", "–", "not run", "–"]]
        verdicts += other.verdicts(results[name].figures) if name in results else missing
    return verdicts


def show(figures: Figures) -> str:
    """Table of the claims, then the measurements of this part."""
    claims = table(["system", "paper", "claim", "measured here", "verdict"], _verdicts(figures))
    errors = table(
        ["lattice", "couplings", "strength", "naive", "blocks"],
        [
            [f"{row['side']} × {row['side']}", row["kind"], number(row["strength"], 1),
             number(row["naive"], 4), number(row["blocks"], 4)]
            for row in figures["ising"]
        ],
    )  # fmt: skip
    return f"{ABOUT}\n{claims}\n\n{_amf_table(figures['amf'])}\n\n{errors}\n"


def _amf_verdict(model: str, rows: list[Any]) -> list[str]:
    ratio = mean(second[0] / first[0] for first, second in rows)
    gain = mean(first[1] - second[1] for first, second in rows)
    holds = ratio > 1.0 and gain > -0.05
    return [
        f"AMF, {model}", "Asuncion (2010), section 5–6", "as likely as second order, and faster",
        f"{number(ratio, 1)} times as fast a sweep, {number(gain, 3)} nats above",
        "holds on tiny20" if holds else "does not hold on tiny20",
    ]  # fmt: skip


def _amf_table(amf: dict[str, Any]) -> str:
    lines = [
        [f"{model}, {name}",
         number(1000 * mean(row[place][0] for row in rows), 1),
         spread([row[place][1] for row in rows], 3)]
        for model, rows in amf.items()
        for place, name in enumerate(("AMF", "second order"))
    ]  # fmt: skip
    return table(["tiny20", "ms a sweep", "held-out bound"], lines)


def summary(figures: Figures) -> str:
    """Table of the claims and whether they hold."""
    return table(
        ["system", "claim", "verdict"], [[row[0], row[2], row[4]] for row in _verdicts(figures)]
    )


PART = Part("claims", "Claims and results", 3, run, show)
