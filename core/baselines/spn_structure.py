"""Structure learning of sum-product networks (LearnSPN).

Gens and Domingos (2013), with the leaves of Vergari et al. (2015). A slice of rows and variables
becomes, by the first condition that applies,

- a tree (Chow and Liu 1968), if it has few rows or one variable, or cannot be split;
- a product of independent groups of variables, if the G-test finds no dependence between them;
- a sum of two clusters of its rows, found by EM of a mixture of independent variables.

The root is always a sum, with one cluster for each requested topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree
from scipy.special import logsumexp, xlogy

from ..utils.types import FloatArray, Int64Array
from .sum_product_network import NetworkBuilder, SumProductNetwork
from .system import StoppingCallback, never_stop

MAX_ROUNDS = 50
# EM ends when the mean log-likelihood of a row increases by less than this.
TOLERANCE = 1e-4
# Pseudo-rows with the overall frequencies, added to the initial row of each cluster.
PRIOR_ROWS = 2.0
# Pseudo-count of each state of a variable in a cluster.
CELL = 0.1


def cluster_rows(
    presence: sparse.csr_array, times: FloatArray, n_clusters: int, rng: np.random.Generator
) -> list[Int64Array]:
    """Rows of each non-empty cluster; every row belongs to its most probable cluster.

    ``times`` is the multiplicity of each row; ``rng`` selects the initial rows of the clusters.
    """
    n_clusters = min(n_clusters, presence.shape[0])
    total = times.sum()
    mean = (presence.T @ times) / total
    start = presence[rng.choice(presence.shape[0], n_clusters, replace=False)].toarray()
    p_on = (start + PRIOR_ROWS * mean + CELL) / (1.0 + PRIOR_ROWS + 2.0 * CELL)
    share, previous = np.full(n_clusters, 1.0 / n_clusters), -np.inf
    for _ in range(MAX_ROUNDS):
        log_on, log_off = np.log(p_on), np.log1p(-p_on)
        scores = np.log(share) + log_off.sum(axis=1) + presence @ (log_on - log_off).T
        evidence = logsumexp(scores, axis=1)
        weight = np.exp(scores - evidence[:, None]) * times[:, None]
        mass = weight.sum(axis=0)
        share = (mass + CELL) / (total + n_clusters * CELL)
        p_on = (np.asarray(presence.T @ weight).T + CELL) / (mass[:, None] + 2.0 * CELL)
        current = float(times @ evidence) / total
        if current - previous < TOLERANCE:
            break
        previous = current
    nearest = scores.argmax(axis=1)
    return [rows for k in range(n_clusters) if len(rows := np.flatnonzero(nearest == k))]


# Threshold of the G statistic of two variables, with a significance of one in a thousand.
MIN_G = 10.83
# A slice with fewer rows becomes a tree.
MIN_ROWS = 500
# Pseudo-count of each of the four cells of a pair; a single variable's two cells thus get two each.
CONTINGENCY_CELL = 0.1
# Number of clusters of an inner sum, and the minimum share of rows of a cluster.
N_SPLIT, MIN_SHARE = 2, 0.01


class Slice(NamedTuple):
    """Selected rows and variables."""

    presence: sparse.csr_array  # (n_rows, n_variables)
    times: FloatArray  # float64 (n_rows,): multiplicity of each row
    variables: Int64Array  # int64 (n_variables,)


@dataclass(frozen=True)
class StructureOptions:
    """Limits of the splits."""

    min_rows: int = MIN_ROWS  # A slice with fewer rows becomes a tree
    # Threshold of the G statistic. Below 0 no slice is a product: the network is a mixture of trees
    min_g: float = MIN_G
    cell: float = CONTINGENCY_CELL  # Pseudo-count, see `CONTINGENCY_CELL`


DEFAULT_STRUCTURE = StructureOptions()


def learn_structure(
    presence: sparse.csr_array, times: FloatArray, n_clusters: int,
    options: StructureOptions = DEFAULT_STRUCTURE, seed: int = 0,
    *, progress: StoppingCallback = never_stop,
) -> SumProductNetwork:  # fmt: skip
    """Split slices recursively until all are trees; if stopped, the remaining slices become trees.

    The root has at most ``n_clusters`` children. ``times`` is the multiplicity of each row. The
    callback ``progress`` is called after every tree with the share of the table that is
    covered.
    """
    whole = Slice(presence, times, np.arange(presence.shape[1]))
    learner = _Learner(whole, options, seed, progress)
    learner.sum(whole, cluster_rows(presence, times, n_clusters, learner.rng))
    return learner.builder.finish()


class _Learner:
    def __init__(
        self, whole: Slice, options: StructureOptions, seed: int, progress: StoppingCallback
    ) -> None:
        self._options, self._progress = options, progress
        self.rng = np.random.default_rng(seed)
        self.builder = NetworkBuilder(len(whole.variables))
        self._area = whole.presence.shape[0] * len(whole.variables)
        self._covered, self._stopped = 0, False

    def sum(self, part: Slice, clusters: list[Int64Array]) -> int:
        parts = [Slice(part.presence[c], part.times[c], part.variables) for c in clusters]
        children = [self._node(each) for each in parts]
        return self.builder.sum(children, [float(each.times.sum()) for each in parts])

    def _node(self, part: Slice) -> int:
        is_small = len(part.variables) == 1 or part.times.sum() < self._options.min_rows
        if self._stopped or is_small:
            return self._leaf(part)
        # Variables are joined if the G-test finds them dependent.
        joined = _g_statistics(_pair_counts(part)) > self._options.min_g
        n_groups, label = connected_components(joined, directed=False)
        groups = [np.flatnonzero(label == group) for group in range(n_groups)]
        if len(groups) > 1:
            return self.builder.product([
                self._node(Slice(part.presence[:, group], part.times, part.variables[group]))
                for group in groups
            ])  # fmt: skip
        clusters = cluster_rows(part.presence, part.times, N_SPLIT, self.rng)
        smallest = min(part.times[rows].sum() for rows in clusters)
        if len(clusters) < N_SPLIT or smallest < MIN_SHARE * part.times.sum():
            return self._leaf(part)
        return self.sum(part, clusters)

    def _leaf(self, part: Slice) -> int:
        root = wire_tree(self.builder, part, self._options.cell)
        self._covered += part.presence.shape[0] * len(part.variables)
        self._stopped = self._progress(self._covered / self._area) or self._stopped
        return root


def wire_tree(builder: NetworkBuilder, part: Slice, cell: float) -> int:
    """Add the Chow-Liu tree of a slice (a sum for each state of a parent); return its root."""
    counts = _pair_counts(part) + cell
    order, parent = _best_tree(counts)
    below: list[list[list[int]]] = [[[], []] for _ in order]

    def in_states(v: int) -> list[int]:
        return [
            builder.product([builder.leaf(int(part.variables[v]), state), *below[v][state]])
            for state in (0, 1)
        ]

    for v in order[:0:-1]:
        nodes = in_states(v)
        for state in (0, 1):
            given = counts[:, state, v, parent[v]]
            below[parent[v]][state].append(builder.sum(nodes, given.tolist()))
    root = order[0]
    # The diagonal holds the two states of a single variable, which get the pseudo-count twice.
    alone = np.diagonal(counts[:, :, root, root]) + cell
    return builder.sum(in_states(root), alone.tolist())


def _pair_counts(part: Slice) -> FloatArray:
    """Number of rows with variables i and j in states s and t, shape (2, 2, n, n) by s, t, i, j."""
    weighted = sparse.csr_array(part.presence.multiply(part.times[:, None]))
    both = (part.presence.T @ weighted).toarray()
    on = np.diag(both)
    only = on[:, None] - both
    neither = part.times.sum() - only - on[None, :]
    cells = np.stack([np.stack([neither, only.T]), np.stack([only, both])])
    return np.asarray(np.maximum(cells, 0.0))


def _g_statistics(counts: FloatArray) -> FloatArray:
    """G statistic of every pair: twice the rows times the mutual information, shape (n, n)."""
    total = counts.sum(axis=(0, 1))
    first, second = counts.sum(axis=1), counts.sum(axis=0)
    entropies: FloatArray = xlogy(counts, counts).sum(axis=(0, 1)) + xlogy(total, total)
    ends: FloatArray = xlogy(first, first).sum(axis=0) + xlogy(second, second).sum(axis=0)
    return np.asarray(2.0 * (entropies - ends))


def _best_tree(counts: FloatArray) -> tuple[Int64Array, Int64Array]:
    """Maximum spanning tree of the mutual information: variables from the root, their parents."""
    # scipy treats a length of 0 as a missing edge, so all lengths are negative.
    tree = minimum_spanning_tree(-np.triu(_g_statistics(counts) + 1.0, 1))
    order, parent = breadth_first_order(tree, 0, directed=False)
    return order.astype(np.int64), parent.astype(np.int64)
