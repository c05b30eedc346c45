"""Add missing edges of the highest gain in log-likelihood."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import rel_entr

from ..model.graph import Graph, build_graph
from ..model.network import Network, build_network
from ..utils.types import FloatArray, Int64Array
from .co_occurrence import PAIRS_AT_ONCE, product_blocks
from .constraints import Constraints
from .layers import rank_within


class NewEdges(NamedTuple):
    """Candidate edges that the graph does not have."""

    parent: Int64Array  # shape (n_edges,), like the others
    child: Int64Array
    weight: FloatArray
    gain: FloatArray  # gain in log-likelihood of adding each edge alone, in nats

    def chosen(self, which: npt.NDArray[np.generic]) -> NewEdges:
        """Return some of the edges, by mask or by position."""
        return NewEdges(*(values[which] for values in self))


class Rules(NamedTuple):
    """Rules for adding edges."""

    # Required gain in nats over all documents. None: the cost of a parameter chosen among many,
    # half the logarithm of the number of documents plus the logarithm of the number of pairs (Chen
    # and Chen 2008), for edges that are not validated later.
    min_gain: float | None = None
    # Maximal number of new parents of a node. Each of several redundant topics alone has the same
    # gain as all of them together.
    max_parents: int = 1
    share: float = 1.0  # initial weight of an edge, as a share of its best weight


CAREFUL = Rules()


def grow(
    network: Network,
    inverse_probability: sparse.csr_array,
    n_edges: int,
    constraints: Constraints | None = None,
    rules: Rules = CAREFUL,
) -> Network:
    """Add the missing edges of the highest gain.

    The result is the same object if no edge is worth adding.

    Parameters
    ----------
    inverse_probability : csr_array, shape (n_documents, n_nodes)
        1/P(on | states of the parents) of every active node, from
        `orrery.core.training.gibbs.inverse_probability`.
    n_edges : int
        Maximal number of edges to add.
    constraints : Constraints, optional
        Edges that must not be added.
    """
    graph = network.graph
    if graph.n_edges == _possible_edges(graph):
        return network
    fresh = missing_edges(graph, inverse_probability, rules.min_gain)
    fresh = fresh.chosen(np.lexsort((fresh.child, fresh.parent, -fresh.gain)))
    if constraints is not None:
        # Before the best edges are chosen, so that forbidden edges do not use up the budget.
        fresh = fresh.chosen(constraints.permitted(graph, fresh.parent, fresh.child))
    fresh = fresh.chosen(rank_within(fresh.child) < rules.max_parents)
    if constraints is not None:
        fresh = fresh.chosen(constraints.allowed(graph, fresh.parent, fresh.child))
    fresh = fresh.chosen(np.arange(min(n_edges, len(fresh.gain))))
    if not len(fresh.gain):
        return network
    grown, order = build_graph(
        graph.n_tokens,
        graph.topic_ids,
        np.concatenate([graph.parent_idx, fresh.parent]),
        np.concatenate([graph.edge_children(), fresh.child]),
    )
    # A new graph may order its topics differently.
    topics = graph.topic_numbers(grown.topic_ids)
    leak = np.concatenate([network.leak[topics], network.leak[graph.n_topics :]])
    weight = np.concatenate([network.weight, rules.share * fresh.weight])
    return build_network(grown, weight[order], leak)


def missing_edges(
    graph: Graph, inverse_probability: sparse.csr_array, min_gain: float | None = None
) -> NewEdges:
    """Edges from a topic to a node of a lower layer whose gain exceeds their cost.

    Let a topic be on in ``n`` documents, in ``a`` of them together with the child, and let ``s`` be
    the sum of the child's inverse probabilities there. The slope of the log-likelihood in the
    edge's weight at 0 is ``s - n`` (MATH §7.1). If the child is equally probable in all ``n``
    documents, this slope means a probability of ``a / s``, while the observed share is ``a / n``.
    The weight that changes one into the other is ``log((1 - a/s) / (1 - a/n))``, and its gain is
    ``n`` times their divergence. The cost is ``min_gain``, see `Rules`.

    A word without parents gets none, because the budget of edges does not include it.
    """
    by_topic = sparse.csr_array(inverse_probability[:, : graph.n_topics].T)
    by_topic.data[:] = 1.0
    # One product for both: counts in its real part, inverse probabilities in its imaginary part.
    both = inverse_probability.astype(np.complex128)
    both.data = 1.0 + 1j * inverse_probability.data
    cost = min_gain
    if cost is None:
        cost = 0.5 * np.log(inverse_probability.shape[0]) + np.log(_possible_edges(graph))
    parts = [
        _worthwhile(by_topic, both, rows, cost)
        for rows in product_blocks(by_topic, inverse_probability, PAIRS_AT_ONCE // 4)
    ]
    worth = NewEdges(*map(np.concatenate, zip(*parts, strict=True)))
    height, has_parent = graph.heights(), np.diff(graph.parent_ptr) > 0
    has_parent[: graph.n_topics] = True
    may_be = (height[worth.parent] > height[worth.child]) & has_parent[worth.child]
    edges = graph.parent_idx.astype(np.int64) * graph.n_nodes + graph.edge_children()
    is_edge = np.isin(worth.parent * graph.n_nodes + worth.child, edges)
    return worth.chosen(may_be & ~is_edge)


def _worthwhile(
    by_topic: sparse.csr_array, both: sparse.csr_array, rows: slice, cost: float
) -> NewEdges:
    """Pairs of some topics with any node whose gain exceeds the cost, existing edges included."""
    together = sparse.coo_array(by_topic[rows] @ both)
    # One additional document without the child, so that no edge is certain.
    usage = np.diff(by_topic.indptr)[rows][together.row] + 1.0
    rises = np.flatnonzero(together.data.imag > usage)
    parent = together.row[rises].astype(np.int64) + rows.start
    child = together.col[rises].astype(np.int64)
    usage, count, inverse_sum = usage[rises], together.data.real[rises], together.data.imag[rises]
    share, expected = count / usage, count / inverse_sum
    gain = usage * (rel_entr(share, expected) + rel_entr(1.0 - share, 1.0 - expected))
    weight = np.log1p(-expected) - np.log1p(-share)
    return NewEdges(parent, child, weight, gain).chosen(gain > cost)


def _possible_edges(graph: Graph) -> int:
    """Number of pairs of a topic and a node of a lower layer."""
    height = graph.heights()
    n_below = np.cumsum(np.bincount(height))
    return int(n_below[height[: graph.n_topics] - 1].sum())
