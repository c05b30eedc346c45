"""The local model holds the present tokens, all their ancestors, and every edge into them."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from orrery.core.kernels.local_model import build_local_graph, collect_ancestors
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import problems, several


@several
@given(problems(most_topics=8))
def test_ancestors(problem):
    graph = problem.network.graph
    place = np.full(graph.n_topics, -1, np.int32)
    observed = np.concatenate([problem.present_nodes, [0, graph.n_topics - 1]]).astype(np.int32)
    found = collect_ancestors(observed, graph.parent_ptr, graph.parent_idx, place)
    expected = naive.ancestors(problem.network, observed.tolist()) | {0, graph.n_topics - 1}
    assert found.tolist() == sorted(expected)
    assert np.flatnonzero(place == 0).tolist() == sorted(expected)


@several
@given(problems(most_topics=8))
def test_edges(problem):
    graph = problem.network.graph
    local = local_problem(problem, is_full=False).graph
    edges = [
        (local.node[i], local.node[local.parent[e]], local.edge[e])
        for i in range(len(local.node))
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1])
    ]
    expected = [
        (node, parent, edge)
        for node in local.node
        for edge, parent in naive.edges_into(problem.network, node)
    ]
    assert edges == expected
    assert (graph.parent_idx[local.edge] == local.node[local.parent]).all()


@several
@given(problems(most_topics=8))
def test_children_mirror_parents(problem):
    local = local_problem(problem, is_full=False).graph
    seen_from_parents = [
        (int(local.child_edge[slot]), k, int(local.child[slot]))
        for k in range(local.n_topics)
        for slot in range(local.child_ptr[k], local.child_ptr[k + 1])
    ]
    child_of_edge = np.repeat(np.arange(len(local.node)), np.diff(local.parent_ptr))
    seen_from_children = zip(
        range(len(local.edge)), local.parent.tolist(), child_of_edge.tolist(), strict=True
    )
    assert sorted(seen_from_parents) == list(seen_from_children)


@several
@given(problems())
def test_scratch_memory_is_left_clean(problem):
    graph = problem.network.graph
    place = np.full(graph.n_topics, -1, np.int32)
    topics = collect_ancestors(problem.present_nodes, graph.parent_ptr, graph.parent_idx, place)
    build_local_graph(topics, problem.present_nodes, graph.parent_ptr, graph.parent_idx, place)
    assert (place == -1).all()
