"""Sum-product networks trained by maximum likelihood and by collapsed variational Bayes (CVB-SPN).

A system models the presence of all words of a document jointly, so its likelihoods are exact. The
structure is learned first, then the weights. The topics are the clusters of documents below the
root.

With n the flows of the edges summed over rows (`sum_product_network`), maximum likelihood uses

- EM: w = n divided by the total of its sum (Peharz et al. 2016), or
- projected gradient: w + step n / w, projected to the simplex (Zhao et al. 2016, MLE-SPN).

CVB-SPN (Zhao et al. 2016) has q(w) = Dirichlet(beta) for each sum, with the prior Dirichlet(alpha),
and maximises

    sum_d log V(x_d | exp E[log w]) - KL(q(w) | p(w)).

Its gradient in beta is the Fisher information of the Dirichlets times alpha + n - beta, so a full
natural-gradient step sets beta to alpha + n. This step never lowers the bound: it is the coordinate
ascent of mean field that leaves q(h), the choices of all sums in a row, unfactorised. The bound
after Jensen's inequality is thus standard variational Bayes with this q(h), and better than with a
factorised one. The stochastic form takes a partial step for each batch (Hoffman et al. 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Self

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from ..utils.errors import InputError
from ..utils.types import FloatArray
from .spn_structure import DEFAULT_STRUCTURE, StructureOptions, learn_structure
from .sum_product_network import (
    Rows,
    SumProductNetwork,
    all_rows,
    distinct,
    evaluate,
    project_to_simplexes,
    values_and_flows,
)
from .system import Baseline, Documents, StoppingCallback, never_stop, presence_of

# Added to the flow of every edge in EM, so that no new row is impossible.
SMOOTHING = 0.1
# Dirichlet prior count of every edge.
ALPHA = 0.1
MIN_WEIGHT, MIN_BETA = 1e-6, 1e-3
# A step that does not increase the objective is shortened by SHRINK; after one that does, the next
# step is longer by GROW.
SHRINK, GROW, MAX_HALVINGS = 0.5, 2.0, 30
BATCH, DELAY, FORGETTING = 500, 8.0, 0.7

# After each round: the network, and the objective before the round in nats per row.
Rounds = Iterator[tuple[SumProductNetwork, float]]


def cvb_bound(
    network: SumProductNetwork, rows: Rows, beta: FloatArray, alpha: float
) -> tuple[float, FloatArray]:
    """CVB-SPN bound on the log-evidence of all rows, in nats, and the flow of every edge."""
    values, flow = values_and_flows(network.circuit, mean_log_weights(network, beta), rows)
    return float(rows.times @ values) - divergence(network, beta, alpha), flow


def cvb_slope(
    network: SumProductNetwork, beta: FloatArray, alpha: float, flow: FloatArray
) -> FloatArray:
    """Gradient of the bound in beta; 0 for the edges of products."""
    wanted = alpha + flow - beta
    slope = wanted * polygamma(1, beta)
    slope -= network.totals(wanted) * polygamma(1, network.totals(beta))
    return np.where(network.sum_of_edge < 0, 0.0, slope)


def mean_log_weights(network: SumProductNetwork, beta: FloatArray) -> FloatArray:
    """E[log w] of every edge under the Dirichlets; 0 for the edges of products."""
    means = digamma(beta) - digamma(network.totals(beta))
    return np.where(network.sum_of_edge < 0, 0.0, means)


def divergence(network: SumProductNetwork, beta: FloatArray, alpha: float) -> float:
    """KL(q | p) of the Dirichlets of all sums."""
    of_sum = network.sum_of_edge >= 0
    own, owner = beta[of_sum], network.sum_of_edge[of_sum]
    total, size = np.bincount(owner, own), np.bincount(owner)
    size, total = size[size > 0], total[size > 0]
    norm = gammaln(total) - gammaln(size * alpha) + size * gammaln(alpha)
    mean_log = mean_log_weights(network, beta)[of_sum]
    return float(norm.sum() + (-gammaln(own) + (own - alpha) * mean_log).sum())


def ascend(
    point: FloatArray,
    slope: Callable[[FloatArray], tuple[float, FloatArray]],
    value: Callable[[FloatArray], float],
    project: Callable[[FloatArray], FloatArray],
    step: float,
) -> Iterator[tuple[FloatArray, float]]:
    """Projected gradient ascent with backtracking; yields points and values."""
    while True:
        reached, direction = slope(point)
        for _ in range(MAX_HALVINGS):
            candidate = project(point + step * direction)
            if value(candidate) > reached:
                break
            step *= SHRINK
        else:
            return
        point, step = candidate, step * GROW
        yield point, reached


def subset(rows: Rows, chosen: np.ndarray, times: np.ndarray) -> Rows:
    """Selected rows with new multiplicities."""
    lengths = np.diff(rows.ptr)[chosen]
    ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    place = np.arange(ptr[-1]) + np.repeat(rows.ptr[chosen] - ptr[:-1], lengths)
    return Rows(ptr, rows.idx[place], times.astype(np.float64))


# Maximum vocabulary, because every slice counts all pairs of words.
MAX_WORDS = 3_000
# Share of structure learning in the total progress.
STRUCTURE_SHARE = 0.3
# Training ends when a round improves the objective by less than this relative amount.
TOLERANCE = 1e-5


class SumProductSystem(Baseline):
    """Base class of all training methods; this class keeps the weights of the structure.

    The weights are trained in at most ``rounds`` passes over the documents. ``reached`` is the
    training objective before every round, in nats per document.
    """

    measure: ClassVar[str] = "log p(presence of every word), exact, nats"

    def __init__(
        self, n_topics: int, seed: int = 0, *, rounds: int = 30,
        options: StructureOptions = DEFAULT_STRUCTURE,
    ) -> None:  # fmt: skip
        super().__init__(n_topics, seed, rounds=rounds)
        self.options = options
        self.reached: list[float] = []

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        presence = self._training(presence_of(documents))
        if self.n_words > MAX_WORDS:
            raise InputError(
                f"a sum-product network counts all pairs of words and {self.n_words} are too many; "
                f"import with a vocabulary of at most {MAX_WORDS}"
            )
        presence, times = distinct(presence)
        stopped: list[bool] = []

        def structure_progress(share: float) -> bool:
            stopped.append(progress(STRUCTURE_SHARE * share))
            return stopped[-1]

        self.network = learn_structure(
            presence, times, self.n_topics, self.options, self.seed, progress=structure_progress
        )
        if not any(stopped):
            self.learn_weights(all_rows(presence)._replace(times=times), progress)
        return self

    def learn_weights(self, rows: Rows, progress: StoppingCallback = never_stop) -> None:
        """Train the weights of the current network."""
        self.reached = []
        for done, (network, reached) in enumerate(self._improve(rows), start=1):
            self.network = network
            self.reached.append(reached)
            share = STRUCTURE_SHARE + (1.0 - STRUCTURE_SHARE) * done / self.rounds
            gain = reached - self.reached[-2] if done > 1 else np.inf
            has_converged = gain < TOLERANCE * abs(reached)
            if progress(share) or done == self.rounds or has_converged:
                break

    def _improve(self, rows: Rows) -> Rounds:
        return iter(())

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior probability of each cluster of the root; rows sum to 1."""
        rows = self._rows(documents)
        return self.network.cluster_shares(rows)

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Exact log-likelihood; for CVB at the posterior means of the weights."""
        rows = self._rows(documents)
        return self.network.log_likelihood(rows)

    def topics(self) -> FloatArray:
        """Probability of each word's presence in each cluster of the root."""
        return self.network.cluster_means()

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word given all others."""
        rows = self._rows(documents)
        return self.network.conditional_log_odds(rows)

    def _rows(self, documents: Documents) -> Rows:
        # Called before `network` is read, which is missing before a fit.
        return all_rows(self._checked(presence_of(documents)))


class EmSpn(SumProductSystem):
    """Maximum likelihood by EM, with a Dirichlet prior of ``smoothing`` counts for each edge."""

    smoothing = SMOOTHING

    def _improve(self, rows: Rows) -> Rounds:
        network = self.network
        while True:
            values, flow = values_and_flows(network.circuit, np.log(network.weight), rows)
            network = network.with_weights(flow + self.smoothing)
            yield network, float(rows.times @ values) / rows.times.sum()


class GradientSpn(SumProductSystem):
    """Maximum likelihood by projected gradient (MLE-SPN); ends when no step increases it."""

    def _improve(self, rows: Rows) -> Rounds:
        network, total = self.network, rows.times.sum()
        circuit = network.circuit

        def slope(weight: FloatArray) -> tuple[float, FloatArray]:
            values, flow = values_and_flows(circuit, np.log(weight), rows)
            return float(rows.times @ values) / total, flow / weight / total

        def value(weight: FloatArray) -> float:
            return float(rows.times @ evaluate(circuit, np.log(weight), rows) / total)

        def project(weight: FloatArray) -> FloatArray:
            project_to_simplexes(circuit.child_ptr, circuit.is_sum, weight, MIN_WEIGHT)
            return weight

        start = project(network.weight.copy())
        for weight, reached in ascend(start, slope, value, project, 1.0):
            yield network.with_weights(weight), reached


class CollapsedSpn(SumProductSystem):
    """CVB-SPN on all documents at once, by full natural-gradient steps.

    The weights are the posterior means; ``alpha`` is the Dirichlet prior count of every edge.
    """

    alpha = ALPHA

    def _improve(self, rows: Rows) -> Rounds:
        network, beta = self.network, self.alpha + self.network.counts
        while True:
            reached, flow = cvb_bound(network, rows, beta, self.alpha)
            beta = self.alpha + flow
            yield network.with_weights(beta), reached / rows.times.sum()


class CollapsedGradientSpn(CollapsedSpn):
    """CVB-SPN on all documents at once, by projected gradient, as in the paper's Algorithm 1."""

    def _improve(self, rows: Rows) -> Rounds:
        network, alpha, total = self.network, self.alpha, rows.times.sum()

        def slope(beta: FloatArray) -> tuple[float, FloatArray]:
            reached, flow = cvb_bound(network, rows, beta, alpha)
            return reached / total, cvb_slope(network, beta, alpha, flow) / total

        def value(beta: FloatArray) -> float:
            log_weight = mean_log_weights(network, beta)
            fit = float(rows.times @ evaluate(network.circuit, log_weight, rows))
            return float((fit - divergence(network, beta, alpha)) / total)

        def project(beta: FloatArray) -> FloatArray:
            return np.maximum(beta, MIN_BETA)

        # Gradients are per row, while the Dirichlet parameters count rows.
        for beta, reached in ascend(alpha + network.counts, slope, value, project, total):
            yield network.with_weights(beta), reached


class StochasticCollapsedSpn(CollapsedSpn):
    """Stochastic CVB-SPN with batches in random order; a round is a pass over all documents."""

    def _improve(self, rows: Rows) -> Rounds:
        network, rng = self.network, np.random.default_rng(self.seed)
        beta, taken = self.alpha + network.counts, 0
        # Repeated rows are distributed over the batches individually.
        every = np.repeat(np.arange(len(rows.times)), rows.times.astype(np.int64))
        while True:
            order, reached = rng.permutation(every), 0.0
            for begin in range(0, len(order), BATCH):
                batch = subset(rows, *np.unique(order[begin : begin + BATCH], return_counts=True))
                values, flow = values_and_flows(
                    network.circuit, mean_log_weights(network, beta), batch
                )
                rate = (taken + DELAY) ** -FORGETTING
                whole = self.alpha + flow * rows.times.sum() / batch.times.sum()
                beta, taken = (1.0 - rate) * beta + rate * whole, taken + 1
                reached += float(batch.times @ values)
            reached -= divergence(network, beta, self.alpha)
            yield network.with_weights(beta), reached / rows.times.sum()
