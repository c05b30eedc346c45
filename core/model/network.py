"""Graph with weights and leaks: the noisy-OR model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .graph import Graph, build_graph

# Below this leak, the sum of exponentials that replaces log(1 - exp(-a)) is inaccurate.
MIN_LEAK = 1e-6
# Beyond this weight a cause fails with probability e^-30, which is practically 0.
MAX_WEIGHT = 30.0


@dataclass(frozen=True, eq=False)
class Network:
    """Noisy-OR Bayesian network (Ji et al. 2019, eq. 1).

    A node with active parents S is off with probability ``exp(-leak - sum of weights of S)``.

    Attributes
    ----------
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
        """Sum over the parents k of each node j of ``log(1 - p_k e_kj)``, for independent parents.

        Parameters
        ----------
        probability : float64 array, shape (n_topics, ...)
            Probability that a topic is on, in one document or in several.
        effect : float64 array, shape (n_edges,)
            The ``e_kj``, below 1. With ``1 - exp(-w)`` the result is the log of the probability
            that all causes fail; with ``1 - exp(w)``, the log of E[exp(sum of parent weights)].

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
        # A cached sum is copied, because kernels may write to their arguments.
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
        """HTML picture of the layers for notebooks."""
        return notebook.graph_card("Network", self.graph)


@dataclass(frozen=True, eq=False)
class StartValues:
    """Initial weights and leaks, NaN where training chooses."""

    weight: FloatArray  # shape (n_edges,)
    leak: FloatArray  # shape (n_nodes,)


def check_network(network: Network) -> None:
    """Refuse another object in the place of a network, such as the run that has it (InputError)."""
    if not isinstance(network, Network):
        hint = "its network" if hasattr(network, "network") else "the network of a run"
        raise InputError(
            f"got a {type(network).__name__} in the place of a network; give {hint}, such as "
            "run.network"
        )


def build_network(graph: Graph, weight: npt.ArrayLike, leak: npt.ArrayLike) -> Network:
    """Check weights and leaks and build the network.

    Parameters
    ----------
    weight : array-like, shape (n_edges,)
        Finite and at least 0; values are clipped at ``MAX_WEIGHT``.
    leak : array-like, shape (n_nodes,)
        Finite and at least 0; values are clipped to ``MIN_LEAK`` … ``MAX_WEIGHT``.

    Raises
    ------
    InputError
        For a wrong shape, or a value that is negative or not finite.
    """
    checked = {}
    for name, given, length in (("weight", weight, graph.n_edges), ("leak", leak, graph.n_nodes)):
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
    weights = np.minimum(checked["weight"], MAX_WEIGHT)
    leaks = np.clip(checked["leak"], MIN_LEAK, MAX_WEIGHT)
    weights.flags.writeable = leaks.flags.writeable = False
    return Network(graph, weights, leaks)


def network_of_edges(
    topic_ids: Sequence[str],
    parents: npt.ArrayLike,
    children: npt.ArrayLike,
    weight: FloatArray,
    leak: FloatArray,
) -> Network:
    """Network of a list of edges, with weights and leaks in the order of its graph.

    ``topic_ids``, ``parents`` and ``children`` are as in `build_graph`. ``weight``, shape
    (n_edges,), follows these edges, and ``leak``, shape (n_nodes,), the numbers of their nodes.
    """
    n_topics = len(topic_ids)
    graph, order = build_graph(len(leak) - n_topics, topic_ids, parents, children)
    number = {name: topic for topic, name in enumerate(topic_ids)}
    topics = np.array([number[name] for name in graph.topic_ids], np.int64)
    return build_network(graph, weight[order], np.concatenate([leak[topics], leak[n_topics:]]))


def weight_to_probability(weight: npt.ArrayLike) -> FloatArray:
    """Probability that one cause of this weight activates its child, ``1 - exp(-weight)``."""
    return -np.expm1(-np.asarray(weight, dtype=np.float64))


def probability_to_weight(probability: npt.ArrayLike) -> FloatArray:
    """Weight of a cause that acts with this probability, ``-log(1 - probability)``."""
    return -np.log1p(-np.asarray(probability, dtype=np.float64))
