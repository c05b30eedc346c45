"""Leaks of a graph from elsewhere that brings none; ``--help`` reads them without loading more.

Network: a graph with its weights and leaks, the noisy-OR model itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .graph import Graph

# Below this leak the sum of exponentials that replaces log(1 - exp(-a)) is no longer accurate.
SMALLEST_LEAK = 1e-6
# Beyond this weight a cause fails with probability e^-30: the two are the same to any reader.
LARGEST_WEIGHT = 30.0


@dataclass(frozen=True, eq=False)
class Network:
    """A noisy-OR Bayesian network (Ji et al. 2019, eq. 1).

    A node with active parents S is off with probability ``exp(-leak - sum of weights of S)``.

    Attributes
    ----------
    graph : Graph
    weight : float64 array, shape (n_edges,)
        Weight of every edge, at least 0, in the graph's order of edges.
    leak : float64 array, shape (n_nodes,)
        Leak weight of every node, above 0.
    """

    graph: Graph
    weight: FloatArray
    leak: FloatArray

    def summed_survivals(
        self, probability: FloatArray, effect: FloatArray, nodes: slice
    ) -> FloatArray:
        """Sum over the parents k of each node j of ``log(1 - p_k e_kj)``, parents independent.

        Parameters
        ----------
        probability : float64 array, shape (n_topics, ...)
            Of the topics being on, in one document or in each of several.
        effect : float64 array, shape (n_edges,)
            The ``e_kj``, below 1: with ``1 - exp(-w)`` this is the log of the probability that
            all causes fail, with ``1 - exp(w)`` that of E[exp(sum of the weights from parents)].
        nodes : slice
            From one node to another.

        Returns
        -------
        float64 array, shape (n_nodes of the slice, ...)
        """
        pointer = self.graph.parent_ptr[nodes.start : nodes.stop + 1]
        edges = slice(pointer[0], pointer[-1])
        has_parents = np.flatnonzero(np.diff(pointer))
        factor = effect[edges].reshape(-1, *[1] * (probability.ndim - 1))
        terms = np.log1p(-probability[self.graph.parent_idx[edges]] * factor)
        summed = np.zeros((len(pointer) - 1, *probability.shape[1:]))
        if len(has_parents):
            starts = pointer[has_parents] - pointer[0]
            summed[has_parents] = np.add.reduceat(terms, starts, axis=0)
        return summed

    def child_weight_totals(self) -> FloatArray:
        """Sum of the weights from every topic to its children (W of MATH §2), shape (n_topics,)."""
        # Every query asks for them anew, and kernels may write to what they are given.
        return self._child_weight_totals.copy()

    @cached_property
    def _child_weight_totals(self) -> FloatArray:
        n_topics = self.graph.n_topics
        return np.bincount(self.graph.parent_idx, self.weight, n_topics).astype(np.float64)

    @cached_property
    def total_leak(self) -> float:
        """Sum of all leaks."""
        return float(self.leak.sum())

    def __repr__(self) -> str:
        return f"Network({self.graph!r})"

    def _repr_html_(self) -> str:
        """A picture of its layers."""
        return notebook.graph_card("Network", self.graph)


@dataclass(frozen=True, eq=False)
class StartValues:
    """Weights and leaks that training is to begin with, NaN where it may choose.

    Attributes
    ----------
    weight : float64 array, shape (n_edges,)
    leak : float64 array, shape (n_nodes,)
    """

    weight: FloatArray
    leak: FloatArray


def build_network(graph: Graph, weight: npt.ArrayLike, leak: npt.ArrayLike) -> Network:
    """Check weights and leaks and build the network.

    Parameters
    ----------
    graph : Graph
    weight : array-like, shape (n_edges,)
        Finite and at least 0; values above ``LARGEST_WEIGHT`` are lowered to it.
    leak : array-like, shape (n_nodes,)
        Finite and at least 0; values are kept from ``SMALLEST_LEAK`` to ``LARGEST_WEIGHT``.

    Raises
    ------
    InputError
        If a shape does not fit or a value is negative or not a finite number.
    """
    checked = {}
    for name, given, length in (
        ("weight", weight, graph.n_edges),
        ("leak", leak, graph.n_nodes),
    ):
        array = np.array(given, dtype=np.float64)
        if array.shape != (length,):
            raise InputError(f"{name} has shape {array.shape}; expected ({length},) for this graph")
        is_bad = ~np.isfinite(array) | (array < 0)
        if is_bad.any():
            first = int(np.argmax(is_bad))
            raise InputError(
                f"{name} {first} is {array[first]}; expected a finite number that is not negative"
            )
        checked[name] = array
    weights = np.minimum(checked["weight"], LARGEST_WEIGHT)
    leaks = np.clip(checked["leak"], SMALLEST_LEAK, LARGEST_WEIGHT)
    weights.flags.writeable = leaks.flags.writeable = False
    return Network(graph, weights, leaks)


def weight_to_probability(weight: npt.ArrayLike) -> FloatArray:
    """Probability that one cause of this weight switches its child on, ``1 - exp(-weight)``."""
    return -np.expm1(-np.asarray(weight, dtype=np.float64))


def probability_to_weight(probability: npt.ArrayLike) -> FloatArray:
    """Weight of a cause that acts with this probability, ``-log(1 - probability)``."""
    return -np.log1p(-np.asarray(probability, dtype=np.float64))
