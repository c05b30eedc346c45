"""Grow: edges that are missing where a topic and a node are on that nothing else accounts for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import rel_entr

from core.graph import Graph, build_graph
from core.network import FloatArray, Network, build_network
from core.structure.co_occurrence import PAIRS_AT_ONCE, product_blocks
from core.structure.guard import Guard

IntArray = npt.NDArray[np.int64]


class NewEdges(NamedTuple):
    """Edges that a graph does not have.

    Attributes
    ----------
    parent, child : int64 arrays, shape (n_edges,)
    weight : float64 array, shape (n_edges,)
    gain : float64 array, shape (n_edges,)
        What each, added alone, is worth in log-likelihood, in nats.
    """

    parent: IntArray
    child: IntArray
    weight: FloatArray
    gain: FloatArray

    def chosen(self, which: npt.NDArray[np.generic]) -> NewEdges:
        """Return some of them, by mask or by place."""
        return NewEdges(*(values[which] for values in self))


def grow(
    network: Network, surprise: sparse.csr_array, n_edges: int, guard: Guard | None = None
) -> Network:
    """Add the missing edges that are worth most.

    Parameters
    ----------
    network : Network
    surprise : csr_array, shape (n_documents, n_nodes)
        1/P(on | states of the parents) of every node that is on, as `core.sampling.surprise` has
        it.
    n_edges : int
        Most edges to add.
    guard : Guard, optional
        What must not be linked.

    Returns
    -------
    Network
        The same object where nothing is worth adding.
    """
    graph = network.graph
    fresh = missing_edges(graph, surprise)
    fresh = fresh.chosen(np.lexsort((fresh.child, fresh.parent, -fresh.gain)))
    if guard is not None:
        fresh = fresh.chosen(guard.allowed(graph, fresh.parent, fresh.child))
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
    return build_network(grown, np.concatenate([network.weight, fresh.weight])[order], leak)


def missing_edges(graph: Graph, surprise: sparse.csr_array) -> NewEdges:
    """Edges from a topic to a node of a lower layer that are worth more than they cost.

    Let a topic be on in ``n`` documents, in ``a`` of them together with the child, and let ``s`` be
    the sum of the child's surprises there. The slope of the log-likelihood in the edge's weight at
    0 is ``s - n`` (MATH §7). Were the child equally probable in all of these documents, then for
    this slope with probability ``a / s``; it is there in ``a / n``. The weight that leads from the
    one to the other is ``log((1 - a/s) / (1 - a/n))``, and worth ``n`` times their divergence. Half
    the logarithm of the number of documents is the cost of a parameter (Schwarz 1978).
    """
    by_topic = sparse.csr_array(surprise[:, : graph.n_topics].T)
    by_topic.data[:] = 1.0
    parts = [
        _worthwhile(graph, by_topic, surprise, rows)
        for rows in product_blocks(by_topic, surprise, PAIRS_AT_ONCE)
    ]
    return NewEdges(*map(np.concatenate, zip(*parts, strict=True)))


def _worthwhile(
    graph: Graph, by_topic: sparse.csr_array, surprise: sparse.csr_array, rows: slice
) -> NewEdges:
    """The missing edges of some topics."""
    is_on = surprise.copy()
    is_on.data = np.ones(len(surprise.data))
    together = sparse.coo_array(sparse.csr_array(by_topic[rows] @ is_on).sorted_indices())
    surprised = sparse.csr_array(by_topic[rows] @ surprise).sorted_indices().data
    parent, child = together.row.astype(np.int64) + rows.start, together.col.astype(np.int64)
    height = graph.heights()
    may_be = (height[parent] > height[child]) & ~_is_edge(graph, parent, child)
    parent, child, both = parent[may_be], child[may_be], together.data[may_be]
    # One more document without the child, so that no edge is certain.
    usage = np.diff(by_topic.indptr)[parent] + 1.0
    expected, share = both / np.maximum(surprised[may_be], both), both / usage
    gain = usage * (rel_entr(share, expected) + rel_entr(1.0 - share, 1.0 - expected))
    is_worth_it = (share > expected) & (gain > 0.5 * np.log(surprise.shape[0]))
    weight = np.log1p(-expected[is_worth_it]) - np.log1p(-share[is_worth_it])
    return NewEdges(parent[is_worth_it], child[is_worth_it], weight, gain[is_worth_it])


def _is_edge(graph: Graph, parent: IntArray, child: IntArray) -> npt.NDArray[np.bool_]:
    """Which pairs of nodes the graph links."""
    links = graph.parent_idx.astype(np.int64) * graph.n_nodes + graph.edge_children()
    return np.isin(parent * graph.n_nodes + child, links)
