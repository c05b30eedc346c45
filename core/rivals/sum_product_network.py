"""Sum-product networks of binary variables: built node by node, then asked.

Poon and Domingos (2011); Zhao et al. (2016). A network is normalised: the weights of each sum add
to 1, the children of a sum are of the same variables and those of a product of different ones, so
its value is the probability of the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.kernels.sums_and_products import (
    UNKNOWN,
    Circuit,
    Rows,
    conditional_log_odds,
    downward,
    evaluate,
    root_shares,
    upward,
)


@dataclass(frozen=True, eq=False)
class SumProductNetwork:
    """A network; its root is a sum.

    Attributes
    ----------
    circuit : Circuit
    counts : float64 array, shape (n_edges,)
        Rows that the weight of a sum's edge was made from when the network was built.
    weight : float64 array, shape (n_edges,)
        Those of each sum add to 1; 1 for the edges of products.
    """

    circuit: Circuit
    counts: FloatArray
    weight: FloatArray

    @property
    def n_clusters(self) -> int:
        """Number of the root's children."""
        return int(np.diff(self.circuit.child_ptr[-2:])[0])

    @property
    def sum_of_edge(self) -> np.ndarray:
        """Sum that an edge is of, counted from 0, or -1, shape (n_edges,)."""
        number = np.where(self.circuit.is_sum, np.cumsum(self.circuit.is_sum) - 1, -1)
        return np.repeat(number, np.diff(self.circuit.child_ptr))

    def with_weights(self, raw: FloatArray) -> SumProductNetwork:
        """Return the same nodes with these weights of sums' edges, each sum normalised."""
        return replace(self, weight=self.normalised(raw))

    def normalised(self, raw: FloatArray) -> FloatArray:
        """Weights over their sum's total; 1 for the edges of products."""
        return np.where(self.sum_of_edge < 0, 1.0, raw / self.totals(raw))

    def totals(self, of_edges: FloatArray) -> FloatArray:
        """Total over the edges of the same sum, by edge; 1 for the edges of products."""
        owner = self.sum_of_edge
        of_sums = np.bincount(owner[owner >= 0], of_edges[owner >= 0])
        return np.where(owner < 0, 1.0, of_sums[owner])

    def log_likelihood(self, rows: Rows) -> FloatArray:
        """Log-probability of every row, in nats."""
        return evaluate(self.circuit, np.log(self.weight), rows)

    def cluster_shares(self, rows: Rows) -> FloatArray:
        """Posterior probability of the root's children, shape (n_rows, n_clusters)."""
        shares = np.empty((len(rows.times), self.n_clusters))
        root_shares(self.circuit, np.log(self.weight), rows, shares)
        return shares

    def cluster_means(self) -> FloatArray:
        """Probability of each variable to be on, by the root's children."""
        log_weight, n_variables = np.log(self.weight), self.circuit.n_variables
        value = np.empty(len(self.circuit.is_sum))
        upward(self.circuit, log_weight, np.full(n_variables, UNKNOWN, np.int8), value)
        means = np.empty((self.n_clusters, n_variables))
        for cluster, child in enumerate(self.circuit.child_idx[self.circuit.child_ptr[-2] :]):
            flow = np.zeros(len(value))
            flow[child] = 1.0
            downward(self.circuit, log_weight, value, flow, 1.0, np.zeros(len(log_weight)))
            means[cluster] = flow[1 : 2 * n_variables : 2]
        return means

    def conditional_log_odds(self, rows: Rows) -> FloatArray:
        """Log-odds of each variable, all others as they are, shape (n_rows, n_variables)."""
        log_odds = np.empty((len(rows.times), self.circuit.n_variables))
        conditional_log_odds(self.circuit, np.log(self.weight), rows, log_odds)
        return log_odds


class Wiring:
    """Nodes that are put together, children before parents; each call returns a node's number."""

    def __init__(self, n_variables: int) -> None:
        self.n_variables = n_variables
        self._is_sum = [False] * (2 * n_variables)
        self._children: list[Sequence[int]] = [()] * (2 * n_variables)
        self._counts: list[Sequence[float]] = [()] * (2 * n_variables)

    def leaf(self, variable: int, is_on: int) -> int:
        """Indicator of a variable's state."""
        return 2 * variable + is_on

    def product(self, children: Sequence[int]) -> int:
        """Product; of one child it is the child."""
        if len(children) == 1:
            return children[0]
        return self._add(False, children, [1.0] * len(children))

    def sum(self, children: Sequence[int], counts: Sequence[float]) -> int:
        """Sum with weights in the proportion of counts, all above 0."""
        return self._add(True, children, counts)

    def finish(self) -> SumProductNetwork:
        """Return the network whose root is the last node, a sum."""
        lengths = [len(children) for children in self._children]
        pointer = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        children = np.array([child for some in self._children for child in some], np.int64)
        counts = np.array([count for some in self._counts for count in some])
        circuit = Circuit(self.n_variables, np.array(self._is_sum), pointer, children)
        network = SumProductNetwork(circuit, counts, counts)
        return network.with_weights(counts)

    def _add(self, is_sum: bool, children: Sequence[int], counts: Sequence[float]) -> int:
        self._is_sum.append(is_sum)
        self._children.append(children)
        self._counts.append(counts)
        return len(self._is_sum) - 1


def all_rows(presence: sparse.csr_array) -> Rows:
    """Every document a row."""
    return Rows(
        presence.indptr.astype(np.int64),
        presence.indices.astype(np.int64),
        np.ones(presence.shape[0]),
    )


def distinct(presence: sparse.csr_array) -> tuple[sparse.csr_array, FloatArray]:
    """Rows without those that come again, in the order of their first, and how often each comes."""
    seen: dict[bytes, int] = {}
    presence = presence.sorted_indices()
    first: list[int] = []
    times: list[float] = []
    for row in range(presence.shape[0]):
        begin, end = presence.indptr[row : row + 2]
        number = seen.setdefault(presence.indices[begin:end].tobytes(), len(first))
        if number == len(first):
            first.append(row)
            times.append(0.0)
        times[number] += 1.0
    return presence[first], np.array(times)
