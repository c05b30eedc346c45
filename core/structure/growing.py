"""Grow: edges that are missing where a topic and a node are on that nothing else accounts for."""

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
    """Edges that a graph does not have.

    Attributes
    ----------
    parent, child : int64 arrays, shape (n_edges,)
    weight : float64 array, shape (n_edges,)
    gain : float64 array, shape (n_edges,)
        What each, added alone, is worth in log-likelihood, in nats.
    """

    parent: Int64Array
    child: Int64Array
    weight: FloatArray
    gain: FloatArray

    def chosen(self, which: npt.NDArray[np.generic]) -> NewEdges:
        """Return some of them, by mask or by place."""
        return NewEdges(*(values[which] for values in self))


class Rules(NamedTuple):
    """How freely edges are added.

    Attributes
    ----------
    least_gain : float or None
        Nats, over all documents, that an edge must be worth. None: the price of a parameter chosen
        among many, half the logarithm of the number of documents and the logarithm of the number
        of pairs (Chen and Chen 2008), for edges that nothing looks at again.
    most_parents : int
        New parents of a node at most. Of topics that act alike, each alone would be worth as much
        as all of them together.
    share : float
        Part of its best weight that an edge begins with.
    """

    least_gain: float | None = None
    most_parents: int = 1
    share: float = 1.0


CAREFUL = Rules()


def grow(
    network: Network,
    inverse_probability: sparse.csr_array,
    n_edges: int,
    constraints: Constraints | None = None,
    rules: Rules = CAREFUL,
) -> Network:
    """Add the missing edges that are worth most.

    Parameters
    ----------
    network : Network
    inverse_probability : csr_array, shape (n_documents, n_nodes)
        1/P(on | states of the parents) of every node that is on, as
        `orrery.core.training.gibbs.inverse_probability` has it.
    n_edges : int
        Most edges to add.
    constraints : Constraints, optional
        What must not be linked.
    rules : Rules

    Returns
    -------
    Network
        The same object where nothing is worth adding.
    """
    graph = network.graph
    if graph.n_edges == _possible_edges(graph):
        return network
    fresh = missing_edges(graph, inverse_probability, rules.least_gain)
    fresh = fresh.chosen(np.lexsort((fresh.child, fresh.parent, -fresh.gain)))
    if constraints is not None:
        # Before the best is chosen: what is forbidden takes no place.
        fresh = fresh.chosen(constraints.permitted(graph, fresh.parent, fresh.child))
    fresh = fresh.chosen(rank_within(fresh.child) < rules.most_parents)
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
    # A graph puts its topics in an order of its own.
    topics = graph.topic_numbers(grown.topic_ids)
    leak = np.concatenate([network.leak[topics], network.leak[graph.n_topics :]])
    weight = np.concatenate([network.weight, rules.share * fresh.weight])
    return build_network(grown, weight[order], leak)


def missing_edges(
    graph: Graph, inverse_probability: sparse.csr_array, least_gain: float | None = None
) -> NewEdges:
    """Edges from a topic to a node of a lower layer that are worth more than they cost.

    Let a topic be on in ``n`` documents, in ``a`` of them together with the child, and let ``s`` be
    the sum of the child's inverse probabilities there. The slope of the log-likelihood in the
    edge's weight at 0 is ``s - n`` (MATH §7.1). Were the child equally probable in all of these
    documents, then for
    this slope with probability ``a / s``; it is there in ``a / n``. The weight that leads from the
    one to the other is ``log((1 - a/s) / (1 - a/n))``, and worth ``n`` times their divergence. The
    cost is that of a parameter chosen among many: half the logarithm of the number of documents,
    and the logarithm of the number of pairs (Chen and Chen 2008).

    A word that has no parent gets none, as the budget of edges does not count it.
    """
    by_topic = sparse.csr_array(inverse_probability[:, : graph.n_topics].T)
    by_topic.data[:] = 1.0
    # One product for both: counts in its real part, inverse probabilities in its imaginary part.
    both = inverse_probability.astype(np.complex128)
    both.data = 1.0 + 1j * inverse_probability.data
    cost = least_gain
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
    return worth.chosen(may_be & ~_is_edge(graph, worth.parent, worth.child))


def _worthwhile(
    by_topic: sparse.csr_array, both: sparse.csr_array, rows: slice, cost: float
) -> NewEdges:
    """Pairs of some topics with any node that are worth more than they cost, there or not."""
    together = sparse.coo_array(by_topic[rows] @ both)
    # One more document without the child, so that no edge is certain.
    usage = np.diff(by_topic.indptr)[rows][together.row] + 1.0
    rises = np.flatnonzero(together.data.imag > usage)
    parent = together.row[rises].astype(np.int64) + rows.start
    child = together.col[rises].astype(np.int64)
    usage, count, inverse_sum = usage[rises], together.data.real[rises], together.data.imag[rises]
    share, expected = count / usage, count / inverse_sum
    gain = usage * (rel_entr(share, expected) + rel_entr(1.0 - share, 1.0 - expected))
    weight = np.log1p(-expected) - np.log1p(-share)
    return NewEdges(parent, child, weight, gain).chosen(gain > cost)


def _is_edge(graph: Graph, parent: Int64Array, child: Int64Array) -> npt.NDArray[np.bool_]:
    """Which pairs of nodes the graph links."""
    links = graph.parent_idx.astype(np.int64) * graph.n_nodes + graph.edge_children()
    return np.isin(parent * graph.n_nodes + child, links)


def _possible_edges(graph: Graph) -> int:
    """Pairs of a topic and a node of a lower layer."""
    height = graph.heights()
    n_below = np.cumsum(np.bincount(height))
    return int(n_below[height[: graph.n_topics] - 1].sum())
