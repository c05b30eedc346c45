"""Evaluation of answers: error, side of one half, and stated standard errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import MethodChoice
from orrery.core.model.network import Network
from orrery.core.utils.types import FloatArray, Int32Array
from tests.benchmarks.truth import Truth

METHODS: dict[MethodChoice, str] = {
    "jensen": "mean field, Jensen bound (paper)",
    "mean-field": "mean field, exact bound",
    "sum-product": "sum-product",
    "sampling": "importance sampling",
    "auto": "exact if feasible, else sampling",
}
# Goal for the error of a topic, and the distance from one half within which its colour is
# uncertain.
LARGE_ERROR = 0.03
NEARLY_SURE = 0.99
# Outside of this range probabilities do not show standard errors: a topic that is never sampled has
# none.
UNSURE = 0.01
# Smaller errors are invisible, and would dominate as divisors.
MIN_SPREAD = 1e-4


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer of a method to a query.

    Attributes
    ----------
    topics : int array, shape (n_topics,)
    probability : float64 array, shape (n_topics,)
    error : float64 array, shape (n_topics,), or None
        Stated standard errors.
    n_samples : float or None
        Effective number of samples; None without samples or for exact answers.
    milliseconds : float
    """

    topics: Int32Array
    probability: FloatArray
    error: FloatArray | None
    n_samples: float | None
    milliseconds: float


Answering = Callable[[Evidence], Answer]


def by_method(network: Network, method: MethodChoice) -> Answering:
    """Return what answers by `infer`."""

    def answer(evidence: Evidence) -> Answer:
        begin = time.perf_counter()
        posterior = infer(network, evidence, method=method)
        milliseconds = 1e3 * (time.perf_counter() - begin)
        n_samples = None if posterior.error is None else posterior.effective_samples
        known = n_samples if n_samples is not None and np.isfinite(n_samples) else None
        return Answer(
            posterior.local.topics, posterior.probability, posterior.error, known, milliseconds
        )

    return answer


def evaluate(answer: Answering, evidences: Sequence[Evidence], truths: Sequence[Truth]) -> Any:
    """Figures of a way to answer; queries without a known truth count for the time alone."""
    answer(evidences[0])
    answers = [answer(evidence) for evidence in evidences]
    known = [(a, t) for a, t in zip(answers, truths, strict=True) if t.is_known and t.is_free.any()]
    milliseconds = [a.milliseconds for a in answers]
    return {
        **(_errors(known) if known else {}),
        **(_stated(known) if known and known[0][0].error is not None else {}),
        "median": float(np.median(milliseconds)),
        "p95": float(np.percentile(milliseconds, 95)),
    }


def _errors(known: list[tuple[Answer, Truth]]) -> dict[str, float | None]:
    mean, largest, wrong = [], [], []
    for answer, truth in known:
        p, true = answer.probability[truth.is_free], truth.probability[truth.is_free]
        error = np.abs(p - true)
        has_colour = np.abs(true - 0.5) > LARGE_ERROR
        mean.append(error.mean())
        largest.append(error.max())
        wrong.append(bool((((p > 0.5) != (true > 0.5)) & has_colour).any()))
    p, true = _pooled(known)
    sure = true[p > NEARLY_SURE]
    return {
        "mean": float(np.mean(mean)),
        "p95_largest": float(np.percentile(largest, 95)),
        "largest": float(np.max(largest)),
        "good": float(np.mean(np.array(largest) <= LARGE_ERROR)),
        "wrong": float(np.mean(wrong)),
        "sure": float(sure.mean()) if len(sure) else None,
    }


def _pooled(known: list[tuple[Answer, Truth]]) -> tuple[FloatArray, FloatArray]:
    """Probabilities and true ones of all free topics of all queries."""
    p = [answer.probability[truth.is_free] for answer, truth in known]
    return np.concatenate(p), np.concatenate(
        [truth.probability[truth.is_free] for _, truth in known]
    )


def _stated(known: list[tuple[Answer, Truth]]) -> dict[str, float | None]:
    """Stated errors, and the differences from the truth as multiples of them."""
    z, stated, exact = [], [], 0
    for answer, truth in known:
        assert answer.error is not None
        is_unsure = (truth.probability > UNSURE) & (truth.probability < 1.0 - UNSURE)
        chosen = truth.is_free & is_unsure
        if not answer.error.any():
            exact += 1
            continue
        spread = np.hypot(answer.error[chosen], truth.error[chosen]).clip(MIN_SPREAD)
        z.append((answer.probability[chosen] - truth.probability[chosen]) / spread)
        stated.append(answer.error[truth.is_free].mean())
    joined = np.concatenate(z) if z else np.zeros(0)
    n_samples = [answer.n_samples for answer, _ in known if answer.n_samples is not None]
    return {
        "exact": exact / len(known),
        "stated": float(np.mean(stated)) if stated else None,
        "z2": float((joined**2).mean()) if len(joined) else None,
        "beyond": float((np.abs(joined) > 2.0).mean()) if len(joined) else None,
        "draws": float(np.median(n_samples)) if n_samples else None,
    }
