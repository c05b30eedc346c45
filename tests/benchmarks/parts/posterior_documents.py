"""Whole documents in bulk: error and speed of belief propagation and of few importance samples."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from orrery.core.inference.evidence import Evidence, held_states, local_problem
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.posterior import Method
from orrery.core.kernels.local_model import local_factors
from orrery.core.kernels.posterior import BELIEF_TOLERANCE, Precision, sample_posterior
from orrery.core.kernels.sum_product import belief_probabilities, propagate
from orrery.core.model.network import Network
from tests.benchmarks.answer_quality import Answer, evaluate
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.parts.posterior_error import percent
from tests.benchmarks.queries import requested
from tests.benchmarks.subjects import Subject, measure_subjects
from tests.benchmarks.timing import in_turns

KIND = "a whole document"
# Rounds and how many draws begin each: from what costs little to the usual.
FEW_SAMPLES = ((2, 8), (2, 32), (2, 128), (8, 256))
BULK: tuple[Method, ...] = ("mean-field", "sum-product")
DOCUMENTS, QUICK_DOCUMENTS = 2_000, 50
REPEATS = 5
ABOUT = """Whole documents, with all other words absent, compared with the same reference as above:
belief propagation (sum-product) alone, and few rounds of importance sampling with it as the
proposal. Times are for the kernel alone, on one thread, as for the documents of a corpus.
"""
ABOUT_BULK = """Documents per second of `infer_activations` on all threads, median of {repeats}
alternating runs. Goal: belief propagation at least half as fast as mean field, the former method.
"""


def run(settings: Settings) -> Figures:
    """Compare both, then count documents a second."""

    def measure(name: str, about: Subject) -> dict[str, Any]:
        queries = requested(name, KIND, settings)
        ways = {"sum-product alone": partial(_beliefs, about.network)}
        for rounds, n_samples in FEW_SAMPLES:
            ways[f"{rounds} rounds of {n_samples} samples"] = partial(
                _by_sampling, about.network, rounds, n_samples
            )
        return {
            "title": about.title,
            "documents": sum(truth.is_known for truth in queries.truths),
            "ways": {
                way: evaluate(answer, queries.evidences, queries.truths)
                for way, answer in ways.items()
            },
            "bulk": _bulk(about, settings.pick(DOCUMENTS, QUICK_DOCUMENTS)),
        }

    return measure_subjects(PART.name, measure, settings)


def _beliefs(network: Network, evidence: Evidence) -> Answer:
    def kernel(local: Any, factors: Any) -> Any:
        beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
        return belief_probabilities(factors, beliefs)

    return _timed(network, evidence, kernel)


def _by_sampling(network: Network, rounds: int, n_samples: int, evidence: Evidence) -> Answer:
    def kernel(local: Any, factors: Any) -> Any:
        precision = Precision(np.inf, n_samples, rounds, rounds, 0)
        return sample_posterior(local, factors, precision, evidence.key())[1]

    return _timed(network, evidence, kernel)


def _timed(network: Network, evidence: Evidence, kernel: Callable[..., Any]) -> Answer:
    local, weights = local_problem(network, evidence)
    factors = local_factors(local, weights, held_states(local, evidence))
    begin = time.perf_counter()
    probability = kernel(local, factors)
    milliseconds = 1e3 * (time.perf_counter() - begin)
    return Answer(local.node[: local.n_topics], probability, None, None, milliseconds)


def _bulk(about: Subject, count: int) -> dict[str, Any]:
    corpus = about.corpus
    rows = np.random.default_rng(0).permutation(corpus.n_documents)[:count]
    works = {
        method: partial(infer_activations, about.network, corpus, rows, method=method)
        for method in BULK
    }
    seconds = in_turns(works, REPEATS)
    return {
        "documents": len(rows),
        **{method: len(rows) / float(np.median(seconds[method])) for method in BULK},
    }


def show(figures: Figures) -> str:
    """Table of errors, and table of speeds."""
    lines = []
    for row in figures["rows"].values():
        for way, one in row["ways"].items():
            lines.append(
                [
                    f"{row['title']} ({row['documents']})",
                    way,
                    number(one.get("mean"), 4),
                    number(one.get("p95_largest"), 3),
                    number(one.get("largest"), 3),
                    percent(one.get("wrong")),
                    number(one["median"], 2),
                    number(one["p95"], 2),
                ]
            )
    header = ["model (documents)", "method", "mean error", "95 %", "largest", "wrong side"]
    header += ["median, ms", "95 %, ms"]
    return f"{ABOUT}\n{table(header, lines)}\n\n{_show_bulk(figures['rows'])}\n"


def _show_bulk(rows: dict[str, Any]) -> str:
    lines = []
    for row in rows.values():
        bulk = row["bulk"]
        speeds = [bulk[method] for method in BULK]
        ratio = speeds[1] / speeds[0]
        counts = [number(count, 0) for count in (bulk["documents"], *speeds)]
        lines.append([row["title"], *counts, number(ratio, 2)])
    header = ["model", "documents", "mean field, per second", "sum-product, per second"]
    header += ["ratio (≥ 0.5)"]
    return f"{ABOUT_BULK.format(repeats=REPEATS)}\n{table(header, lines)}"


TITLE = "Whole documents: belief propagation and importance sampling"
PART = Part("posterior_documents", TITLE, 60, run, show)
