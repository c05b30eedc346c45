"""Strength of arcs: mutual information between a parent and its child."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..model.network import Network
from ..utils.lazy import LazyModule
from ..utils.types import BoolArray, FloatArray, Int64Array
from .evidence import Evidence
from .infer import infer
from .posterior import Posterior

if TYPE_CHECKING:
    import scipy.special as special
else:
    special = LazyModule("scipy.special")


@dataclass(frozen=True, eq=False)
class ArcStrengths:
    """Mutual information between the two ends of some arcs."""

    edge: Int64Array  # shape (n_arcs,): numbers of the edges in the graph, ascending
    bits: FloatArray  # shape (n_arcs,): 0 for independent ends, at most 1
    # Shape (n_arcs,): whether both ends were in reach of exact inference. Otherwise the value is
    # computed from sampled probabilities, with errors of up to about 0.01 in each.
    is_exact: BoolArray


def arc_strengths(network: Network, edges: Int64Array | None = None) -> ArcStrengths:
    """Mutual information between parent and child of each arc, in bits.

    The two states occur in a document about which nothing is known, so the joint probability
    includes dependences through other topics: a parent that is never on, or a child with another
    cause that is always on, gives 0 whatever the weight. One inference with each child on, and one
    with each parent on, gives all joint probabilities, because a query only needs the ancestors:

        p(parent, child) = p(child) p(parent | child),  I = sum p(x, y) log2(p(x, y) / (p(x) p(y))).

    Parameters
    ----------
    edges : int64 array, optional
        Numbers of edges in the graph; default all. A query of milliseconds is made for every child
        and every parent among their ends.
    """
    graph = network.graph
    chosen = np.arange(graph.n_edges) if edges is None else np.unique(np.asarray(edges, np.int64))
    children, parents = graph.edge_children()[chosen], graph.parent_idx[chosen]
    known = {int(node): _with_node_on(network, int(node)) for node in {*children, *parents}}
    below = [known[child] for child in children.tolist()]
    above = [known[parent] for parent in parents.tolist()]
    p_child, p_parent = (
        np.exp([posterior.log_probability for posterior in posteriors], dtype=np.float64)
        for posteriors in (below, above)
    )
    given_child = np.array(
        [
            posterior.probability[posterior.position(parent)]
            for posterior, parent in zip(below, parents.tolist(), strict=True)
        ],
        np.float64,
    )
    is_exact = [a.is_exact and b.is_exact for a, b in zip(above, below, strict=True)]
    bits = mutual_information(p_child * given_child, p_parent, p_child)
    return ArcStrengths(chosen, bits, np.array(is_exact, bool))


def mutual_information(both: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Mutual information of two events in bits, from their joint and single probabilities.

    Probabilities that contradict each other by their rounding or sampling errors are clipped.
    """
    both = np.clip(both, np.maximum(first + second - 1.0, 0.0), np.minimum(first, second))
    cells = [
        (both, first * second),
        (first - both, first * (1.0 - second)),
        (second - both, (1.0 - first) * second),
        (1.0 - first - second + both, (1.0 - first) * (1.0 - second)),
    ]
    # In this form of the relative entropy, no term is negative but by rounding.
    nats = sum(special.kl_div(np.maximum(joint, 0.0), product) for joint, product in cells)
    return np.asarray(np.maximum(nats / np.log(2.0), 0.0))


def _with_node_on(network: Network, node: int) -> Posterior:
    """Posterior if nothing is known but that a node is on."""
    n_topics = network.graph.n_topics
    present, on = ((), (node,)) if node < n_topics else ((node - n_topics,), ())
    return infer(network, Evidence(present, closed_world=False, on=on))
