"""Arguments of a kernel for one document, and the mapping back to the whole network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orrery.core.kernels.bounds import LocalWeights, gather_weights
from orrery.core.kernels.local_model import LocalGraph, build_local_graph, collect_ancestors
from orrery.core.kernels.tables import ExponentialSum, Tables, build_tables, exponential_sum


@dataclass(frozen=True)
class LocalProblem:
    """One document for the kernels."""

    graph: LocalGraph
    weights: LocalWeights
    tables: Tables
    terms: ExponentialSum
    free: np.ndarray

    def local(self, q):
        """Activations of the local nodes from the activations of all nodes."""
        return q[self.graph.node].copy()


def local_problem(problem, is_full=True, terms=None):
    """Local model of a problem's document, or the whole network around it."""
    network = problem.network
    graph = network.graph
    place = np.full(graph.n_topics, -1, np.int32)
    if is_full:
        topics = np.arange(graph.n_topics).astype(np.int32)
    else:
        topics = collect_ancestors(problem.present_nodes, graph.parent_ptr, graph.parent_idx, place)
        place[topics] = -1
    local = build_local_graph(
        topics, problem.present_nodes, graph.parent_ptr, graph.parent_idx, place
    )
    weights = gather_weights(
        local,
        network.weight,
        network.leak,
        network.child_weight_totals(),
        float(network.leak.sum()),
    )
    free = np.ones(local.n_topics, np.bool_)
    terms = terms or exponential_sum()
    tables = build_tables(weights.w, weights.w0, terms)
    return LocalProblem(local, weights, tables, terms, free)
