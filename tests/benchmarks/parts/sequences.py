"""Hidden Markov models with time-dependent transitions: AMF and second-order mean field."""

from __future__ import annotations

import re
import zipfile

import numpy as np

from orrery.core.baselines.hmm import ALPHA, BETA, AmfHmm, Hmm, SecondOrderHmm
from tests.benchmarks.data import data_file
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.races import Curve, least_sweep, race, ratio_of_times

SYSTEMS = {"AMF": AmfHmm, "second order": SecondOrderHmm}
# Asuncion (2010), section 6: states, symbols, slices, and training and test sequences.
STATES, SYMBOLS, SLICES, TRAIN, TEST = 4, 9, 100, 1_000, 200
SEEDS, SWEEPS = (0, 1), 100
# Tags of the Brown corpus: states, sentences, and the tags of each that are kept.
BROWN_STATES, BROWN_TRAIN, BROWN_TEST, BROWN_LONGEST = 10, 3_000, 1_000, 25
BROWN_SWEEPS = 40
# A method is there when its test log-likelihood is so near to the lower one of the two ends.
NEAR = 0.5
# The paper states that AMF takes a quarter of the time of second order.
CLAIMED = 4.0
ABOUT = f"""*Synthetic* is as in Asuncion (2010), section 6: {STATES} states, {SYMBOLS} symbols,
{SLICES} slices, all parameters from Dirichlet({ALPHA:g}), {TRAIN:,} training and {TEST} test
sequences, {SWEEPS} sweeps, {len(SEEDS)} data sets. *Brown* has the tags of {BROWN_TRAIN:,} training
and {BROWN_TEST:,} test sentences, the first {BROWN_LONGEST} of each, with {BROWN_STATES} states and
{BROWN_SWEEPS} sweeps. Test log-likelihoods are exact, in nats per sequence, at the posterior means;
both methods have the same start. The time of a sweep is the minimum. *Time* is the ratio between
second order and AMF of the time until each is within {NEAR:g} nats of the lower of the two final
values; – if a method reaches it in its first sweep.
"""


def run(settings: Settings) -> Figures:
    """Sweep both over all data, with the likelihood after every sweep."""
    sizes = settings.pick((TRAIN, TEST, SLICES, SWEEPS), (40, 10, 10, 5))
    seeds = settings.pick(SEEDS, SEEDS[:1])
    rows = [("synthetic", _compared(*_drawn(seed, *sizes[:3]), STATES, sizes[3])) for seed in seeds]
    counts = settings.pick((BROWN_TRAIN, BROWN_TEST), (40, 10))
    tags = _brown(sum(counts))
    sweeps = settings.pick(BROWN_SWEEPS, 3)
    rows.append(("Brown", _compared(tags[: counts[0]], tags[counts[0] :], BROWN_STATES, sweeps)))
    return {"rows": rows}


def _drawn(seed: int, n_train: int, n_test: int, slices: int) -> tuple[list, list]:
    rng = np.random.default_rng(seed)
    first = rng.dirichlet(np.full(STATES, ALPHA))
    passing = rng.dirichlet(np.full(STATES, ALPHA), (slices - 1, STATES))
    emitting = rng.dirichlet(np.full(SYMBOLS, BETA), STATES)

    def sequence() -> np.ndarray:
        state, symbols = rng.choice(STATES, p=first), []
        for t in range(slices):
            if t > 0:
                state = rng.choice(STATES, p=passing[t - 1, state])
            symbols.append(rng.choice(SYMBOLS, p=emitting[state]))
        return np.array(symbols)

    return [sequence() for _ in range(n_train)], [sequence() for _ in range(n_test)]


def _brown(count: int) -> list[np.ndarray]:
    """Tags of sentences in random order, without the marks of headlines and citations."""
    with zipfile.ZipFile(data_file("brown/brown.zip")) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"brown/c[a-r]\d\d", name)]
        lines = [
            line for name in sorted(names) for line in archive.read(name).decode().splitlines()
        ]
    kept = [line for line in lines if line.strip()]
    chosen = np.random.default_rng(0).permutation(len(kept))[:count]
    tags = [
        [re.sub(r"-(hl|tl|nc)|^fw-", "", token.rpartition("/")[2]) for token in kept[row].split()]
        for row in chosen
    ]
    number_of = {tag: place for place, tag in enumerate(sorted({t for row in tags for t in row}))}
    return [np.array([number_of[tag] for tag in row[:BROWN_LONGEST]]) for row in tags]


def _compared(train: list, test: list, states: int, sweeps: int) -> dict[str, Curve]:
    symbols = 1 + max(int(row.max()) for row in [*train, *test])
    log.info("%d sequences of %d symbols, %d states", len(train), symbols, states)
    curves = {}
    for name, kind in SYSTEMS.items():
        kind(states, rounds=1).fit(train[:5], n_symbols=symbols).bound_or_likelihood(train[:5])
        curves[name] = _raced(kind(states, 0, rounds=sweeps), train, test, symbols)
        log.info("%s: %.3f", name, curves[name][-1][1])
    return curves


def _raced(model: Hmm, train: list, test: list, symbols: int) -> Curve:
    return race(
        lambda progress: model.fit(train, n_symbols=symbols, progress=progress),
        lambda: float(model.bound_or_likelihood(test).mean()),
    )


def _time(curves: dict[str, Curve]) -> float | None:
    return ratio_of_times(*(curves[name] for name in SYSTEMS), near=NEAR)


def show(figures: Figures) -> str:
    """One line for each set of sequences."""
    lines = [
        [name, *[number(curves[system][-1][1], 2) for system in SYSTEMS],
         *[number(1000 * least_sweep(curves[system]), 1) for system in SYSTEMS],
         number(_time(curves), 2)]
        for name, curves in figures["rows"]
    ]  # fmt: skip
    head = ["sequences", *[f"test, {name}" for name in SYSTEMS]]
    head += [*[f"ms a sweep, {name}" for name in SYSTEMS], "time"]
    return f"{ABOUT}\n{table(head, lines)}\n"


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims."""
    found = []
    for data in dict(figures["rows"]):
        curves = [own for name, own in figures["rows"] if name == data]
        ratios = [ratio for own in curves if (ratio := _time(own)) is not None]
        gain = float(np.mean([own["AMF"][-1][1] - own["second order"][-1][1] for own in curves]))
        verdict = _verdict(gain > -NEAR, min(ratios, default=0.0))
        times = " and ".join(number(ratio, 1) for ratio in ratios) or "–"
        found.append(
            ["AMF, HMM with time-dependent transitions", "Asuncion (2010), Figure 1b",
             "as likely as second-order mean field in a quarter of the time",
             f"{data}: {number(gain, 2)} nats above; second order takes {times} times as long to "
             "the same likelihood",
             verdict]
        )  # fmt: skip
    return found


def _verdict(is_likely: bool, ratio: float) -> str:
    """Verdict on the claim, from the least of the ratios of times."""
    if not is_likely:
        return "faster, and less likely" if ratio > 1.0 else "does not hold"
    if ratio >= CLAIMED:
        return "holds"
    if ratio > 1.0:
        return "as likely and faster, but not as much"
    return "as likely, and not always faster"


PART = Part("sequences", "Hidden Markov models", 10, run, show)
