"""Parameter recovery: whether learned latent variables match the generating ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import mean

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.model.network import Network
from orrery.core.structure.propose import propose_graph
from orrery.core.training.monte_carlo_em import SamplingPlan, sample_until, start_sampler
from orrery.core.training.train import initial_state
from tests.benchmarks.convolution import STARTS, tied_features
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.recovery import Problem, n_recovered, n_seen
from tests.benchmarks.recovery_sets import drawn_patterns, sampled_network

SEEDS = 10
SWEEPS = 200
# Over-complete starts find what exact ones miss; what is too much is pruned.
START_FACTOR = 2
ABOUT = """Not in the paper. Number of true latent variables that are recovered, by the criterion of
Buhai et al. (2020): a one-to-one match with a learned variable whose largest difference in log
failure probability is at most 1, without learned variables of prior 0.02 or less. 200 documents do
not determine failure probabilities so precisely. For generated patterns there is therefore a second
count: patterns with all pixels correct except for one of 64. With 16 latent variables learning
starts from 16; with exactly the true number it starts from twice as many, which are merged and
pruned during learning. Learning is the Gibbs start alone. In the images of the blind deconvolution,
four features can be at any of 100 positions; the weights of shifted copies are tied, and a feature
is recovered if no pixel differs by more than 5 % in probability. There each seed has {starts}
starts, and the one with the highest joint probability of images and sampled variables is used.
"""


@dataclass(frozen=True)
class Case:
    """Documents as a function of the seed, and the numbers of latents to learn."""

    title: str
    problem: Callable[[int], Problem]
    n_latents: tuple[int, ...]
    are_patterns: bool = False


CASES = (
    Case("IMG, 9,000 samples", lambda _: sampled_network("IMG"), (16, 8)),
    Case("PLNT, 9,000 samples", lambda _: sampled_network("PLNT"), (16, 8)),
    Case("SYN-PATTERN, 1,000 documents", partial(drawn_patterns, 1_000), (16, 8), True),
    Case("SYN-PATTERN, 200 documents", partial(drawn_patterns, 200), (16, 8), True),
)
QUICK_CASES = (
    Case("IMG, 300 samples", lambda _: sampled_network("IMG", 300), (16,)),
    Case("SYN-PATTERN, 200 documents", partial(drawn_patterns, 200), (8,), True),
)


def learn(corpus: Corpus, n_latents: int, n_true: int, seed: int, sweeps: int = SWEEPS) -> Network:
    """One-layer network with at most ``n_latents`` latent variables."""
    begin = n_latents * (START_FACTOR if n_latents == n_true else 1)
    graph = propose_graph(corpus, method="complete", topics=(begin,), seed=seed)
    plan = SamplingPlan(sweeps, weight_penalty=0.0, most_topics=n_latents, seed=seed, merge=True)
    rows = np.arange(corpus.n_documents)
    network = initial_state(graph, corpus, rows, seed).network
    sampler = start_sampler(network, corpus, rows, plan)
    network, _ = sample_until(network, corpus, sampler, plan, sweeps)
    return network


def run(settings: Settings) -> Figures:
    """Learn from every seed and count."""
    rows = []
    for case in settings.pick(CASES, QUICK_CASES):
        for n_latents in case.n_latents:
            log.info("%s, %d latents", case.title, n_latents)
            problems = [case.problem(seed) for seed in range(settings.pick(SEEDS, 2))]
            found, seen = _recover(problems, n_latents, settings.pick(SWEEPS, 30))
            row = {"title": case.title, "true": len(problems[0].weight), "latents": n_latents}
            rows.append({**row, "found": found, "seen": seen if case.are_patterns else None})
    log.info("2D blind deconvolution")
    found = [
        tied_features(seed, settings.pick(SWEEPS, 30)) for seed in range(settings.pick(SEEDS, 2))
    ]
    row = {"title": "2D blind deconvolution, 100 images", "true": 4, "latents": 4}
    rows.append({**row, "found": found})
    return {"rows": rows}


def _recover(problems: list[Problem], n_latents: int, sweeps: int) -> tuple[list[int], list[int]]:
    """How many latents are recovered, and how many patterns seen, by seed."""
    found, seen = [], []
    for seed, problem in enumerate(problems):
        network = learn(problem.corpus, n_latents, len(problem.weight), seed, sweeps)
        found.append(n_recovered(problem, network))
        seen.append(n_seen(problem, network))
    return found, seen


def show(figures: Figures) -> str:
    """Table with a row for each case and number of latent variables."""
    header = [
        "documents",
        "true latents",
        "learned",
        "recovered, mean",
        "all recovered",
        "per seed",
    ]
    header += ["all patterns correct", "correct, per seed"]
    rows = []
    for row in figures["rows"]:
        found = row["found"]
        wins = f"{found.count(row['true'])} of {len(found)}" if found else MISSING
        average = number(mean(found) if found else None, 1)
        each = " ".join(map(str, found)) or MISSING
        cells = [row["title"], str(row["true"]), str(row["latents"]), average, wins, each]
        seen = row.get("seen")
        cells.append(f"{seen.count(row['true'])} of {len(seen)}" if seen else MISSING)
        cells.append(" ".join(map(str, seen or ())) or MISSING)
        rows.append(cells)
    return f"{ABOUT.format(starts=STARTS)}\n{table(header, rows)}\n"


PART = Part("overparam", "Parameter recovery with overparameterisation", 15, run, show)
