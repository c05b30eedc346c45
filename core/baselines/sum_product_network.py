"""Sum-product networks of binary variables: construction, evaluation and derivatives.

Poon and Domingos (2011); Zhao et al. (2016). Nodes are numbered so that children come before
parents, and the root is the last. Nodes ``2 i`` and ``2 i + 1`` are the leaves of variable i:
indicators of its states off and on. Networks are normalised: the weights of each sum add to 1, the
children of a sum have the same variables, and the children of a product have disjoint ones. The
value of the network for a row of data is therefore the probability of that row.

The value is a polynomial of the weights (Zhao et al. 2016), and one downward pass gives its
derivatives (Darwiche 2003). EM sums the flow of each edge of a sum,

    w dV/dw / V = posterior probability that the edge is in the tree that generated the row.

Sums over rows are computed in a fixed number of blocks, as in `orrery.core.kernels.batch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..kernels.compiling import kernel
from ..kernels.threads import on_all_threads
from ..utils.types import FloatArray

OFF, ON, UNKNOWN = 0, 1, 2
# Branches with a smaller flow are skipped; they do not change a sum over rows.
MIN_FLOW = 1e-15
N_BLOCKS = 8


class Circuit(NamedTuple):
    """Nodes of a network."""

    n_variables: int
    # bool (n_nodes,): True for a sum; the others are products, or leaves below 2 n_variables
    is_sum: np.ndarray
    child_ptr: np.ndarray  # int64 (n_nodes + 1,)
    # int64 (n_edges,): ``child_idx[child_ptr[i]:child_ptr[i + 1]]`` are the children of i
    child_idx: np.ndarray


class Rows(NamedTuple):
    """Rows of binary variables in sparse form."""

    ptr: np.ndarray  # int64 (n_rows + 1,)
    idx: np.ndarray  # int64: ``idx[ptr[i]:ptr[i + 1]]`` are the variables that are on in row i
    times: np.ndarray  # float64 (n_rows,): multiplicity of each row


def values_and_flows(circuit: Circuit, log_weight: FloatArray, rows: Rows):
    """Log-value of every row, shape (n_rows,), and the flow of every edge summed over rows."""
    values = np.empty(len(rows.times))
    flows = np.zeros((N_BLOCKS, len(log_weight)))
    on_all_threads(_flow_blocks, N_BLOCKS, circuit, log_weight, rows, values, flows)
    return values, flows.sum(axis=0)


def evaluate(circuit: Circuit, log_weight: FloatArray, rows: Rows) -> FloatArray:
    """Log-value of every row, shape (n_rows,)."""
    values = np.empty(len(rows.times))
    on_all_threads(_value_blocks, N_BLOCKS, circuit, log_weight, rows, values)
    return values


@kernel
def _flow_blocks(blocks, circuit, log_weight, rows, values, flows):
    n_nodes, states = len(circuit.is_sum), np.zeros(circuit.n_variables, np.int8)
    value, flow = np.empty(n_nodes), np.empty(n_nodes)
    for block in blocks:
        for row in range(block, len(rows.times), N_BLOCKS):
            set_states(rows, row, states)
            upward(circuit, log_weight, states, value)
            values[row] = value[n_nodes - 1]
            if value[n_nodes - 1] > -np.inf:
                flow[:] = 0.0
                flow[n_nodes - 1] = 1.0
                downward(circuit, log_weight, value, flow, rows.times[row], flows[block])


@kernel
def _value_blocks(blocks, circuit, log_weight, rows, values):
    n_nodes, states = len(circuit.is_sum), np.zeros(circuit.n_variables, np.int8)
    value = np.empty(n_nodes)
    for block in blocks:
        for row in range(block, len(rows.times), N_BLOCKS):
            set_states(rows, row, states)
            upward(circuit, log_weight, states, value)
            values[row] = value[n_nodes - 1]


@kernel
def root_shares(circuit, log_weight, rows, shares):
    """Compute the flow of each edge of the root for every row, shape (n_rows, n_children)."""
    n_nodes, states = len(circuit.is_sum), np.zeros(circuit.n_variables, np.int8)
    value, first = np.empty(n_nodes), circuit.child_ptr[n_nodes - 1]
    for row in range(len(rows.times)):
        set_states(rows, row, states)
        upward(circuit, log_weight, states, value)
        for k in range(shares.shape[1]):
            child = value[circuit.child_idx[first + k]]
            shares[row, k] = np.exp(log_weight[first + k] + child - value[n_nodes - 1])


@kernel
def conditional_log_odds(circuit, log_weight, rows, log_odds):
    """Compute the log-odds of every variable given all others in the row."""
    n_nodes, states = len(circuit.is_sum), np.zeros(circuit.n_variables, np.int8)
    value, slope = np.empty(n_nodes), np.empty(n_nodes)
    for row in range(len(rows.times)):
        set_states(rows, row, states)
        upward(circuit, log_weight, states, value)
        log_slopes(circuit, log_weight, value, slope)
        for i in range(circuit.n_variables):
            log_odds[row, i] = slope[2 * i + 1] - slope[2 * i]


@kernel
def set_states(rows, row, states):
    """Set the states of the variables of ONE row."""
    states[:] = OFF
    for place in range(rows.ptr[row], rows.ptr[row + 1]):
        states[rows.idx[place]] = ON


@kernel
def upward(circuit, log_weight, states, value):
    """Compute the log-values of all nodes for ONE row."""
    ptr, idx = circuit.child_ptr, circuit.child_idx
    for i in range(circuit.n_variables):
        value[2 * i] = -np.inf if states[i] == ON else 0.0
        value[2 * i + 1] = -np.inf if states[i] == OFF else 0.0
    for node in range(2 * circuit.n_variables, len(value)):
        total, largest, n_nonzero = 0.0, -np.inf, 0
        if circuit.is_sum[node]:
            for edge in range(ptr[node], ptr[node + 1]):
                term = log_weight[edge] + value[idx[edge]]
                if term > -np.inf:
                    n_nonzero += 1
                    largest = max(largest, term)
            # With complete evidence, most sums have one nonzero child.
            if n_nonzero > 1:
                for edge in range(ptr[node], ptr[node + 1]):
                    total += np.exp(log_weight[edge] + value[idx[edge]] - largest)
                largest += np.log(total)
            value[node] = largest
        else:
            for edge in range(ptr[node], ptr[node + 1]):
                total += value[idx[edge]]
            value[node] = total


@kernel
def downward(circuit, log_weight, value, flow, times, flows):
    """Propagate the flow of some nodes to all nodes below; add the flow of the edges of sums."""
    ptr, idx = circuit.child_ptr, circuit.child_idx
    for node in range(len(value) - 1, 2 * circuit.n_variables - 1, -1):
        if flow[node] < MIN_FLOW:
            continue
        for edge in range(ptr[node], ptr[node + 1]):
            share = flow[node]
            if circuit.is_sum[node]:
                share *= np.exp(log_weight[edge] + value[idx[edge]] - value[node])
                flows[edge] += times * share
            flow[idx[edge]] += share


@kernel
def log_slopes(circuit, log_weight, value, slope):
    """Logs of the root's derivatives with respect to all nodes, also those of probability 0."""
    ptr, idx = circuit.child_ptr, circuit.child_idx
    slope[:] = -np.inf
    slope[-1] = 0.0
    for node in range(len(value) - 1, 2 * circuit.n_variables - 1, -1):
        if slope[node] == -np.inf:
            continue
        if circuit.is_sum[node]:
            for edge in range(ptr[node], ptr[node + 1]):
                term = slope[node] + log_weight[edge]
                slope[idx[edge]] = np.logaddexp(slope[idx[edge]], term)
            continue
        total, n_zero = slope[node], 0
        for edge in range(ptr[node], ptr[node + 1]):
            if value[idx[edge]] == -np.inf:
                n_zero += 1
            else:
                total += value[idx[edge]]
        # The derivative of a product in one factor is the product of the others.
        for edge in range(ptr[node], ptr[node + 1]):
            is_zero = value[idx[edge]] == -np.inf
            if n_zero == 0 or (n_zero == 1 and is_zero):
                term = total if is_zero else total - value[idx[edge]]
                slope[idx[edge]] = np.logaddexp(slope[idx[edge]], term)


@kernel
def project_to_simplexes(ptr, is_sum, weight, minimum):
    """Project the weights of every sum to the simplex with minimum ``minimum``, in place.

    Duchi et al. (2008): subtract the same number from all weights, down to the minimum.
    """
    for node in range(len(is_sum)):
        if is_sum[node]:
            part = weight[ptr[node] : ptr[node + 1]]
            free, taken, shift = 1.0 - minimum * len(part), 0.0, 0.0
            falling = np.sort(part - minimum)[::-1]
            for k in range(len(part)):
                taken += falling[k]
                if falling[k] > (taken - free) / (k + 1):
                    shift = (taken - free) / (k + 1)
            for k in range(len(part)):
                part[k] = max(part[k] - minimum - shift, 0.0) + minimum


@dataclass(frozen=True, eq=False)
class SumProductNetwork:
    """Sum-product network; its root is a sum."""

    circuit: Circuit
    # float64 (n_edges,): counts of rows, with pseudo-counts, that the first weights come from
    counts: FloatArray
    weight: FloatArray  # float64 (n_edges,): weights of each sum add to 1; edges of products have 1

    @property
    def n_clusters(self) -> int:
        """Number of the root's children."""
        return int(np.diff(self.circuit.child_ptr[-2:])[0])

    @property
    def sum_of_edge(self) -> np.ndarray:
        """Index of the sum that an edge belongs to, or -1 for a product, shape (n_edges,)."""
        number = np.where(self.circuit.is_sum, np.cumsum(self.circuit.is_sum) - 1, -1)
        return np.repeat(number, np.diff(self.circuit.child_ptr))

    def with_weights(self, raw: FloatArray) -> SumProductNetwork:
        """Return the network with these weights, normalised for each sum."""
        return replace(self, weight=self.normalised(raw))

    def normalised(self, raw: FloatArray) -> FloatArray:
        """Weights divided by the total of their sum; 1 for the edges of products."""
        return np.where(self.sum_of_edge < 0, 1.0, raw / self.totals(raw))

    def totals(self, of_edges: FloatArray) -> FloatArray:
        """Total over the edges of the same sum, for each edge; 1 for the edges of products."""
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
        """Probability that each variable is on in each cluster, shape (n_clusters, n_variables)."""
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
        """Log-odds of each variable given all others, shape (n_rows, n_variables)."""
        log_odds = np.empty((len(rows.times), self.circuit.n_variables))
        conditional_log_odds(self.circuit, np.log(self.weight), rows, log_odds)
        return log_odds


class NetworkBuilder:
    """Builder of a network, children before parents; `leaf`, `product` and `sum` return a node."""

    def __init__(self, n_variables: int) -> None:
        self.n_variables = n_variables
        self._is_sum = [False] * (2 * n_variables)
        self._children: list[Sequence[int]] = [()] * (2 * n_variables)
        self._counts: list[Sequence[float]] = [()] * (2 * n_variables)

    def leaf(self, variable: int, is_on: int) -> int:
        """Indicator of a variable's state."""
        return 2 * variable + is_on

    def product(self, children: Sequence[int]) -> int:
        """Product of several nodes; a single child is returned as it is."""
        if len(children) == 1:
            return children[0]
        return self._add(False, children, [1.0] * len(children))

    def sum(self, children: Sequence[int], counts: Sequence[float]) -> int:
        """Sum with weights proportional to the counts, which are above 0."""
        return self._add(True, children, counts)

    def finish(self) -> SumProductNetwork:
        """Return the network; its root is the last node, a sum."""
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
    """All documents as rows with multiplicity 1."""
    return Rows(
        presence.indptr.astype(np.int64),
        presence.indices.astype(np.int64),
        np.ones(presence.shape[0]),
    )


def distinct(presence: sparse.csr_array) -> tuple[sparse.csr_array, FloatArray]:
    """Distinct rows in the order of their first occurrence, and their multiplicity."""
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
