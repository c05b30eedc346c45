"""Clusters of binary rows: EM of a mixture whose variables are independent within a cluster.

Structure of a sum-product network, learned on the data as LearnSPN does.

Gens and Domingos (2013), with the leaves of Vergari et al. (2015). A slice of rows and variables
becomes, by the first of these that applies,

- a tree (Chow and Liu 1968), where it has few rows or one variable, or nothing splits it;
- a product of its groups of variables, where a G-test joins none of one with any of another;
- a sum of two clusters of its rows, found by EM of a mixture of independent variables.

The root is always a sum, of as many clusters as topics are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree
from scipy.special import logsumexp, xlogy

from ..utils.types import FloatArray, Int64Array
from .sum_product_network import SumProductNetwork, Wiring
from .system import Watch, unwatched

MOST_ROUNDS = 50
# EM ends when the log-likelihood of a row rises by less than this.
TOLERANCE = 1e-4
# Rows that a cluster starts with beside its own, all with the frequencies of the whole.
PRIOR_ROWS = 2.0
# A variable's states in a cluster count so much from the start.
CELL = 0.1


def cluster_rows(
    presence: sparse.csr_array, times: FloatArray, n_clusters: int, rng: np.random.Generator
) -> list[Int64Array]:
    """Rows of each cluster by its most probable one; clusters that are empty are left out.

    Parameters
    ----------
    presence : csr_array of 0 and 1, shape (n_rows, n_variables)
    times : float64 array, shape (n_rows,)
        How often each row counts.
    n_clusters : int
    rng : Generator
        Draws the rows that clusters start from.
    """
    n_clusters = min(n_clusters, presence.shape[0])
    total = times.sum()
    mean = (presence.T @ times) / total
    start = presence[rng.choice(presence.shape[0], n_clusters, replace=False)].toarray()
    chance = (start + PRIOR_ROWS * mean + CELL) / (1.0 + PRIOR_ROWS + 2.0 * CELL)
    share, before = np.full(n_clusters, 1.0 / n_clusters), -np.inf
    for _ in range(MOST_ROUNDS):
        scores = _log_joint(presence, chance, share)
        evidence = logsumexp(scores, axis=1)
        weight = np.exp(scores - evidence[:, None]) * times[:, None]
        mass = weight.sum(axis=0)
        share = (mass + CELL) / (total + n_clusters * CELL)
        chance = (np.asarray(presence.T @ weight).T + CELL) / (mass[:, None] + 2.0 * CELL)
        now = float(times @ evidence) / total
        if now - before < TOLERANCE:
            break
        before = now
    nearest = scores.argmax(axis=1)
    return [rows for k in range(n_clusters) if len(rows := np.flatnonzero(nearest == k))]


def _log_joint(presence: sparse.csr_array, chance: FloatArray, share: FloatArray) -> FloatArray:
    log_on, log_off = np.log(chance), np.log1p(-chance)
    return np.asarray(np.log(share) + log_off.sum(axis=1) + presence @ (log_on - log_off).T)


# G of a pair above which two variables belong together: one in a thousand by chance.
LEAST_G = 10.83
# A slice of fewer rows is a tree.
LEAST_ROWS = 500
# Added in each of the four cells of a pair; a variable's own two cells thus get two each.
CONTINGENCY_CELL = 0.1
# Clusters inside the network, and the share of rows below which one is none.
SPLIT, LEAST_SHARE = 2, 0.01


class Slice(NamedTuple):
    """Rows of some variables.

    Attributes
    ----------
    presence : csr_array, shape (n_rows, n_variables)
    times : float64 array, shape (n_rows,)
        How often each row counts.
    variables : int64 array, shape (n_variables,)
    """

    presence: sparse.csr_array
    times: FloatArray
    variables: Int64Array


@dataclass(frozen=True)
class StructureOptions:
    """How far to split.

    Attributes
    ----------
    least_rows : int
    least_g : float
        Below 0 nothing is a product, and the network a mixture of trees.
    cell : float
    """

    least_rows: int = LEAST_ROWS
    least_g: float = LEAST_G
    cell: float = CONTINGENCY_CELL


DEFAULT_STRUCTURE = StructureOptions()


def learn_structure(
    presence: sparse.csr_array, times: FloatArray, n_clusters: int,
    options: StructureOptions = DEFAULT_STRUCTURE, seed: int = 0, *, watch: Watch = unwatched,
) -> SumProductNetwork:  # fmt: skip
    """Split rows, then slices of them, until all are trees; what is left when stopped is one each.

    Parameters
    ----------
    presence : csr_array of 0 and 1, shape (n_rows, n_variables)
    times : float64 array, shape (n_rows,)
    n_clusters : int
        The most children of the root.
    options : StructureOptions
    seed : int
        Of the clusters.
    watch : callable
        Told after every tree what share of the table it and those before cover.
    """
    whole = Slice(presence, times, np.arange(presence.shape[1]))
    return _Learner(whole, options, seed, watch).learn(n_clusters)


def tree_network(presence: sparse.csr_array, cell: float = CONTINGENCY_CELL) -> SumProductNetwork:
    """The Chow-Liu tree of all rows as a network of its own."""
    return learn_structure(
        presence, np.ones(presence.shape[0]), 1, StructureOptions(presence.shape[0] + 1, cell=cell)
    )


class _Learner:
    def __init__(self, whole: Slice, options: StructureOptions, seed: int, watch: Watch) -> None:
        self._whole, self._options, self._watch = whole, options, watch
        self._rng = np.random.default_rng(seed)
        self._wiring = Wiring(len(whole.variables))
        self._area = whole.presence.shape[0] * len(whole.variables)
        self._covered, self._stopped = 0, False

    def learn(self, n_clusters: int) -> SumProductNetwork:
        """Clusters of the whole below the root."""
        parts = cluster_rows(self._whole.presence, self._whole.times, n_clusters, self._rng)
        self._sum(self._whole, parts)
        return self._wiring.finish()

    def _node(self, part: Slice) -> int:
        """Node of a slice."""
        is_small = len(part.variables) == 1 or part.times.sum() < self._options.least_rows
        if self._stopped or is_small:
            return self._leaf(part)
        groups = _groups(part, self._options.least_g)
        if len(groups) > 1:
            return self._wiring.product([
                self._node(Slice(part.presence[:, group], part.times, part.variables[group]))
                for group in groups
            ])  # fmt: skip
        clusters = cluster_rows(part.presence, part.times, SPLIT, self._rng)
        least = min(part.times[rows].sum() for rows in clusters)
        if len(clusters) < SPLIT or least < LEAST_SHARE * part.times.sum():
            return self._leaf(part)
        return self._sum(part, clusters)

    def _sum(self, part: Slice, clusters: list[Int64Array]) -> int:
        parts = [Slice(part.presence[c], part.times[c], part.variables) for c in clusters]
        children = [self._node(each) for each in parts]
        return self._wiring.sum(children, [float(each.times.sum()) for each in parts])

    def _leaf(self, part: Slice) -> int:
        root = wire_tree(self._wiring, part, self._options.cell)
        self._covered += part.presence.shape[0] * len(part.variables)
        self._stopped = self._watch(self._covered / self._area) or self._stopped
        return root


def wire_tree(wiring: Wiring, part: Slice, cell: float) -> int:
    """Chow-Liu tree of a slice: a sum for each state of a variable's parent; returns its root."""
    counts = _pair_counts(part) + cell
    order, parent = _best_tree(counts)
    below: list[list[list[int]]] = [[[], []] for _ in order]

    def in_states(v: int) -> list[int]:
        return [
            wiring.product([wiring.leaf(int(part.variables[v]), state), *below[v][state]])
            for state in (0, 1)
        ]

    for v in order[:0:-1]:
        nodes = in_states(v)
        for state in (0, 1):
            given = counts[:, state, v, parent[v]]
            below[parent[v]][state].append(wiring.sum(nodes, given.tolist()))
    root = order[0]
    # The cells of a variable with itself are its own two states, which get two each.
    alone = np.diagonal(counts[:, :, root, root]) + cell
    return wiring.sum(in_states(root), alone.tolist())


def _pair_counts(part: Slice) -> FloatArray:
    """How often variables i and j are in states s and t, shape (2, 2, n, n) by s, t, i, j."""
    weighted = sparse.csr_array(part.presence.multiply(part.times[:, None]))
    both = (part.presence.T @ weighted).toarray()
    on = np.diag(both)
    only = on[:, None] - both
    neither = part.times.sum() - only - on[None, :]
    cells = np.stack([np.stack([neither, only.T]), np.stack([only, both])])
    return np.asarray(np.maximum(cells, 0.0))


def _g_statistics(counts: FloatArray) -> FloatArray:
    """Twice the rows times the mutual information of every pair, shape (n, n)."""
    total = counts.sum(axis=(0, 1))
    first, second = counts.sum(axis=1), counts.sum(axis=0)
    entropies: FloatArray = xlogy(counts, counts).sum(axis=(0, 1)) + xlogy(total, total)
    ends: FloatArray = xlogy(first, first).sum(axis=0) + xlogy(second, second).sum(axis=0)
    return np.asarray(2.0 * (entropies - ends))


def _best_tree(counts: FloatArray) -> tuple[Int64Array, Int64Array]:
    """Variables from the root on, and the parent of each, of the most mutual information."""
    # A length of zero would be no edge at all, so every length is less than zero.
    tree = minimum_spanning_tree(-np.triu(_g_statistics(counts) + 1.0, 1))
    order, parent = breadth_first_order(tree, 0, directed=False)
    return order.astype(np.int64), parent.astype(np.int64)


def _groups(part: Slice, least_g: float) -> list[Int64Array]:
    """Variables that hang together by pairs that a G-test joins."""
    joined = _g_statistics(_pair_counts(part)) > least_g
    n_groups, label = connected_components(joined, directed=False)
    return [np.flatnonzero(label == group) for group in range(n_groups)]
