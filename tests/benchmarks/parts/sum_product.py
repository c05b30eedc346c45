"""Sum-product networks on the data sets of their literature, with trees and noisy-OR networks."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.baselines.spn_structure import StructureOptions
from orrery.core.baselines.sum_product_network import Rows, all_rows, distinct
from orrery.core.baselines.sum_product_systems import (
    CollapsedGradientSpn,
    CollapsedSpn,
    EmSpn,
    GradientSpn,
    StochasticCollapsedSpn,
    SumProductSystem,
)
from tests.benchmarks.chow_liu import CELL, ChowLiuTree
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import earlier_rows, measure_sets
from tests.benchmarks.small_networks import tree_network

SETS = (
    *("nltcs", "plants", "cr52", "cwebkb", "bbc", "baudio", "jester", "bnetflix"),
    *("msnbc", "c20ng", "kdd"),
)
QUICK_SETS, QUICK_ROWS = ("nltcs",), 500
# Structures that the validation rows choose among: rows of a tree at most, clusters of the root.
STRUCTURES = ((500, 1), (500, 10))
ROUNDS = 12
# Patience of early stopping, in rounds.
PATIENCE = 2
WAYS = {
    "EM": EmSpn,
    "MLE, gradient": GradientSpn,
    "CVB": CollapsedSpn,
    "CVB, gradient": CollapsedGradientSpn,
    "CVB, stochastic": StochasticCollapsedSpn,
}
ABOUT = f"""Test log-likelihood on the published splits of the data sets, in nats; exact, except for
noisy-OR, which is a lower bound in expectation from [the page of the paper](PAPER.md#density). The
Chow–Liu tree, with 1 added to each cell, was also built as a network, and both agree to four
decimals. The structure is LearnSPN's with trees as leaves; the validation rows choose between
{len(STRUCTURES)} structures (1 or 10 clusters at the root) and the round of early stopping, with a
patience of {PATIENCE} and at most {ROUNDS} rounds; round 0 uses the counts of the structure. All
methods start there and read the same rows; *ratio* is the time of a round relative to EM.
"""
NOTE = """Zhao et al. relax their bound by Jensen's inequality. The result is plain mean field with
a joint posterior over the choices of the sums: the optimal next Dirichlet is the prior plus the
expected counts. *CVB* takes this step in full; *CVB, gradient* is their own algorithm, with a step
size found by halving.
"""


def run(settings: Settings) -> Figures:
    """Train and evaluate on the requested sets; figures of other sets are kept."""
    density = earlier_rows("density", settings)
    ours = {name: row["log_likelihood"] for name, row in density.items()}
    return measure_sets(
        PART.name,
        SETS,
        QUICK_SETS,
        lambda name: _evaluate(name, settings),
        settings,
        {"noisy_or": ours},
    )


def _evaluate(name: str, settings: Settings) -> dict[str, Any]:
    data = read_set(name)
    if settings.quick:
        data = {part: matrix[:QUICK_ROWS] for part, matrix in data.items()}
    begin = time.perf_counter()
    train, test = data["ts"], data["test"]
    tree = float(ChowLiuTree.fit(train).log_likelihood(test).mean())
    as_network = float(tree_network(train, CELL).log_likelihood(all_rows(test)).mean())
    if abs(tree - as_network) > 5e-5:
        raise ValueError(f"the tree reaches {tree:.4f} and as a network {as_network:.4f}")
    presence, times = distinct(train)
    rows = all_rows(presence)._replace(times=times)
    started = [_structure(train, *chosen) for chosen in STRUCTURES]
    best = max(started, key=lambda system: _mean(system, data["valid"]))
    ways = {name: _learned(kind, best, rows, data) for name, kind in WAYS.items()}
    return {
        "rows": train.shape[0], "variables": train.shape[1], "tree": tree,
        "edges": len(best.network.weight), "clusters": best.n_topics,
        "start": _mean(best, test), "ways": ways, "minutes": (time.perf_counter() - begin) / 60,
    }  # fmt: skip


def _structure(train: sparse.csr_array, min_rows: int, n_clusters: int) -> SumProductSystem:
    system = SumProductSystem(n_clusters, 0, options=StructureOptions(min_rows))
    return system.fit(train)


def _mean(system: SumProductSystem, rows: sparse.csr_array) -> float:
    return float(system.bound_or_likelihood(rows).mean())


def _learned(
    kind: type[SumProductSystem],
    start: SumProductSystem,
    rows: Rows,
    data: dict[str, sparse.csr_array],
) -> dict[str, Any]:
    """Test likelihood of the round that suits the validation rows best, and seconds a round."""
    system = kind(start.n_topics, 0, rounds=ROUNDS)
    system.network, system.n_words = start.network, start.n_words
    valid, networks = [_mean(system, data["valid"])], [system.network]
    seconds, moment = [], [time.perf_counter()]

    def progress(share: float) -> bool:
        seconds.append(time.perf_counter() - moment[0])
        valid.append(_mean(system, data["valid"]))
        networks.append(system.network)
        moment[0] = time.perf_counter()
        return len(valid) - 1 - int(np.argmax(valid)) >= PATIENCE

    system.learn_weights(rows, progress)
    best = int(np.argmax(valid))
    system.network = networks[best]
    log.info("%s: round %d of %d, validation %.4f", kind.__name__, best, len(seconds), valid[best])
    return {"test": _mean(system, data["test"]), "round": best, "rounds": len(seconds),
            "seconds": float(np.mean(seconds)) if seconds else None}  # fmt: skip


def show(figures: Figures) -> str:
    """Table with a row for each set, and table of the time of a round."""
    sets, ours = figures["rows"], figures["noisy_or"]
    head = ["set", "rows", "variables", "Chow–Liu tree", "edges", "structure only", *WAYS]
    lines = [
        [name, number(row["rows"], 0), number(row["variables"], 0), number(row["tree"], 4),
         number(row["edges"], 0), number(row["start"], 3),
         *[number(row["ways"][way]["test"], 3) for way in WAYS], number(ours.get(name))]
        for name, row in sets.items()
    ]  # fmt: skip
    times = [
        [way, number(float(np.mean([row["ways"][way]["round"] for row in sets.values()])), 1),
         number(_ratio(sets, way), 2)]
        for way in WAYS
    ]  # fmt: skip
    missing = [name for name in SETS if name not in sets]
    rest = f"\nNot run: {', '.join(missing)}.\n" if missing else ""
    return (
        f"{ABOUT}\n{table([*head, 'noisy-OR, **ours**'], lines)}\n{rest}\n"
        f"{table(['method', 'best round, mean', 'ratio'], times)}\n\n{NOTE}"
    )


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims: which likelihood is higher, and on how many sets."""
    sets = figures["rows"]
    test = {way: [row["ways"][way]["test"] for row in sets.values()] for way in WAYS}
    return [
        ["SPN, CVB-SPN", "Zhao et al. (2016)", f"above {claim} on most of 20 sets",
         f"above on {above} of {len(sets)} sets, {number(gain, 3)} nats on average",
         "holds there" if 2 * above > len(sets) else "does not hold there"]
        for own, other, claim in (
            ("CVB, gradient", "MLE, gradient", "MLE by the same projected gradient"),
            ("CVB", "EM", "MLE, each with its best steps"),
        )
        for above, gain in [_beside(test[own], test[other])]
    ]  # fmt: skip


def _beside(own: list[float], other: list[float]) -> tuple[int, float]:
    gains = np.subtract(own, other)
    return int((gains > 0.0).sum()), float(gains.mean())


def _ratio(sets: dict[str, Any], way: str) -> float | None:
    """Time of a round over EM's, averaged over the sets on which it went a round."""
    pairs = [(row["ways"][way]["seconds"], row["ways"]["EM"]["seconds"]) for row in sets.values()]
    ratios = [own / em for own, em in pairs if own and em]
    return float(np.mean(ratios)) if ratios else None


PART = Part("sum_product", "Sum-product networks", 60, run, show)
