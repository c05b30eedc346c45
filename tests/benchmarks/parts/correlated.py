"""Correlated topic models and LDA, on documents with correlated topics."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.special import softmax

from orrery.core.baselines.correlated_topics import LaplaceCtm, TaylorCtm
from orrery.core.baselines.mean_field_lda import CoordinateLda
from orrery.core.baselines.system import Baseline
from tests.benchmarks.markdown import number, spread, table
from tests.benchmarks.part import Figures, Part, Settings, log

SYSTEMS = {"LDA": CoordinateLda, "CTM, Laplace": LaplaceCtm, "CTM, Taylor": TaylorCtm}
# Topics come in pairs; COMMON is the deviation of what a pair shares, to 1 of what is its own.
TOPICS, WORDS, LENGTH, COMMON = 6, 60, 50, 2.0
TRAIN, TEST, SAMPLES, STARTS = 400, 200, 2, (0, 1)
ABOUT = f"""{TRAIN} training documents of {LENGTH} words and {TEST} test documents, {SAMPLES} times,
from {TOPICS} topics of Dirichlet(0.1) over {WORDS} words; topics come in pairs that are in the same
documents. Of {len(STARTS)} starts, the one with the better training bound is used. *Held out* is
each model's own lower bound, in nats per document; *error* is the mean Euclidean distance between
the estimated and true topic shares, with topics matched by their words; *pairs found* is the share
of topics that are most correlated with the other topic of their pair. No system was run on real
documents here.
"""


def run(settings: Settings) -> Figures:
    """Fit all on documents drawn from known topics."""
    drawn: dict[str, list[dict[str, Any]]] = {name: [] for name in SYSTEMS}
    for seed in range(settings.pick(SAMPLES, 1)):
        topics, shares, counts = _drawn(seed)
        for name, kind in SYSTEMS.items():
            begin = time.perf_counter()
            fits = [kind(TOPICS, start).fit(counts[:TRAIN]) for start in STARTS]
            seconds = (time.perf_counter() - begin) / len(STARTS)
            model = max(fits, key=lambda fit: fit.bounds[-1])
            drawn[name].append(_evaluate(model, topics, shares[TRAIN:], counts[TRAIN:], seconds))
            log.info("%s: %s", name, drawn[name][-1])
    return {"drawn": drawn}


def _drawn(seed: int) -> tuple[np.ndarray, np.ndarray, sparse.csr_array]:
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(WORDS, 0.1), TOPICS)
    common = rng.normal(size=(TRAIN + TEST, TOPICS // 2)).repeat(2, axis=1)
    shares = softmax(COMMON * common + rng.normal(size=common.shape), axis=1)
    counts = np.stack([rng.multinomial(LENGTH, own @ topics) for own in shares])
    return topics, shares, sparse.csr_array(counts.astype(np.float64))


def _evaluate(
    model: Baseline,
    topics: np.ndarray,
    shares: np.ndarray,
    counts: sparse.csr_array,
    seconds: float,
) -> dict[str, Any]:
    own = linear_sum_assignment(-topics @ model.topics().T)[1]
    error = np.linalg.norm(model.infer(counts)[:, own] - shares, axis=1).mean()
    pairs = None
    if isinstance(model, LaplaceCtm):
        found = correlations(model)[np.ix_(own, own)] - 2.0 * np.eye(TOPICS)
        partner = found.argmax(axis=1)
        pairs = float((partner == np.arange(TOPICS) ^ 1).mean())
    held_out = float(model.bound_or_likelihood(counts).mean())
    return {"held_out": held_out, "error": float(error), "told": pairs, "seconds": seconds}


def correlations(model: LaplaceCtm) -> np.ndarray:
    """Correlation of the topics' eta, shape (n_topics, n_topics)."""
    deviation = np.sqrt(np.diag(model.prior_covariance))
    return np.asarray(model.prior_covariance / np.outer(deviation, deviation))


def show(figures: Figures) -> str:
    """Table with a row for each system."""
    lines = []
    for name, rows in figures["drawn"].items():
        pairs = [row["told"] for row in rows if row["told"] is not None]
        lines.append(
            [name, spread([row["held_out"] for row in rows]),
             number(float(np.mean([row["error"] for row in rows])), 3),
             number(float(np.mean(pairs)), 2) if pairs else number(None),
             number(float(np.mean([row["seconds"] for row in rows])), 1)]
        )  # fmt: skip
    head = ["system", "held out", "error", "pairs found", "seconds"]
    return f"{ABOUT}\n{table(head, lines)}\n"


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims."""
    drawn = figures["drawn"]

    def mean_of(name: str, figure: str) -> float:
        return float(np.mean([row[figure] for row in drawn[name]]))

    gain = mean_of("CTM, Laplace", "held_out") - mean_of("LDA", "held_out")
    pairs = mean_of("CTM, Laplace", "told")
    same = abs(mean_of("CTM, Laplace", "error") - mean_of("CTM, Taylor", "error"))
    return [
        ["CTM / LoNTAM, Laplace", "Xing, lecture 7", "captures correlated topics",
         f"{pairs:.0%} of pairs found, {number(gain, 2)} nats above LDA",
         "holds" if pairs > 0.5 and gain > 0.0 else "does not hold"],
        ["CTM / LoNTAM, Taylor", "Xing, lecture 7", "closer to the true shares than other variants",
         f"errors differ by {number(same, 4)} from Laplace; both have the same fixed points",
         "not closer than Laplace" if same < 0.01 else "differs"],
    ]  # fmt: skip


PART = Part("correlated", "Correlated topics", 5, run, show)
