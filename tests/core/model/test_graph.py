"""Graph: parents before children, one number for every edge, and nothing else accepted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.graph import build_graph
from orrery.core.utils.errors import InputError
from tests.random_networks import several

NAMES = ["a", "b", "c"]


@st.composite
def edge_lists(draw):
    """Names, vocabulary size and edges of some graph, in any order and numbering."""
    n_topics, n_tokens = draw(st.integers(0, 8)), draw(st.integers(0, 6))
    order = draw(st.permutations(range(n_topics)))
    below = [*order, *range(n_topics, n_topics + n_tokens)]
    pairs = [(below[i], below[j]) for i in range(n_topics) for j in range(i + 1, len(below))]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    names = [f"topic {number}" for number in range(n_topics)]
    return names, n_tokens, [pair[0] for pair in chosen], [pair[1] for pair in chosen]


def named(graph, node):
    """Name of a topic, or number of a token."""
    return graph.topic_ids[node] if node < graph.n_topics else node - graph.n_topics


@several
@given(edge_lists())
def test_no_generation_has_parents_of_its_own_and_there_is_one_a_depth(edges):
    graph, _ = build_graph(edges[1], edges[0], edges[2], edges[3])
    parts = list(graph.generations())
    nodes = [node for part in parts for node in range(part.start, part.stop)]
    assert nodes == list(range(graph.n_nodes))
    for part in parts:
        assert all(graph.parents(node).max(initial=-1) < part.start for node in range(graph.n_nodes)
                   if part.start <= node < part.stop)  # fmt: skip
    depth = [0] * graph.n_topics
    for topic in range(graph.n_topics):
        depth[topic] = max((1 + depth[parent] for parent in graph.parents(topic)), default=0)
    assert len(parts) == len(set(depth)) + 1


@several
@given(edge_lists())
def test_the_same_edges_with_parents_first(edges):
    names, n_tokens, parents, children = edges
    graph, order = build_graph(n_tokens, names, parents, children)
    assert sorted(graph.topic_ids) == sorted(names)
    assert graph.n_edges == len(parents)
    assert sorted(order.tolist()) == list(range(len(parents)))
    ends = graph.edge_children()
    for edge in range(graph.n_edges):
        parent, child = graph.parent_idx[edge], ends[edge]
        assert parent < graph.n_topics
        assert parent < child
        row = order[edge]
        given_child = children[row]
        is_token = given_child >= len(names)
        expected = given_child - len(names) if is_token else names[given_child]
        assert (named(graph, parent), named(graph, child)) == (names[parents[row]], expected)


@several
@given(edge_lists())
def test_both_views_hold_the_same_edges(edges):
    graph, _ = build_graph(edges[1], edges[0], edges[2], edges[3])
    ends = graph.edge_children()
    for node in range(graph.n_nodes):
        assert (np.diff(graph.parents(node)) > 0).all()
    for topic in range(graph.n_topics):
        children = graph.children(topic)
        numbers = graph.child_edge[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
        assert (np.diff(children) > 0).all()
        assert (ends[numbers] == children).all()
        assert (graph.parent_idx[numbers] == topic).all()
    assert sorted(graph.child_edge.tolist()) == list(range(graph.n_edges))


@several
@given(edge_lists())
def test_heights_are_the_longest_ways_down(edges):
    graph, _ = build_graph(edges[1], edges[0], edges[2], edges[3])

    def longest(node):
        if node >= graph.n_topics:
            return 0
        return 1 + max((longest(child) for child in graph.children(node).tolist()), default=0)

    assert graph.heights().tolist() == [longest(node) for node in range(graph.n_nodes)]
    assert graph.n_layers() == max(graph.heights().tolist(), default=0)


@several
@given(edge_lists(), st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter(edges, random):
    names, n_tokens, parents, children = edges
    graph, _ = build_graph(n_tokens, names, parents, children)
    rows = list(zip(parents, children, strict=True))
    random.shuffle(rows)
    again, _ = build_graph(n_tokens, names, [row[0] for row in rows], [row[1] for row in rows])
    assert again.topic_ids == graph.topic_ids
    assert (again.parent_idx == graph.parent_idx).all()
    assert (again.parent_ptr == graph.parent_ptr).all()


def test_a_graph_in_order_keeps_its_numbers():
    graph, order = build_graph(2, NAMES, [0, 0, 1, 2], [1, 2, 3, 4])
    assert graph.topic_ids == tuple(NAMES)
    assert order.tolist() == [0, 1, 2, 3]


def test_arrays_cannot_be_changed():
    graph, _ = build_graph(2, NAMES, [0, 1], [1, 3])
    for array in (
        graph.parent_ptr,
        graph.parent_idx,
        graph.child_ptr,
        graph.child_idx,
        graph.child_edge,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("parents", "children", "message"),
    [
        ([0, 3], [1, 4], "edge 2 of the graph is refused: its parent is a word"),
        ([0, 5], [1, 4], "edge 2 of the graph is refused: its parent is not a node"),
        ([-1], [1], "edge 1 of the graph is refused: its parent is not a node"),
        ([0, 1], [1, 5], "edge 2 of the graph is refused: its child is not a node"),
        ([0], [-1], "edge 1 of the graph is refused: its child is not a node"),
        ([0, 2], [1, 2], "edge 2 of the graph is refused: it links a topic to itself"),
        ([0, 1, 0], [3, 3, 3], "edge 3 of the graph is refused: that edge was given before"),
        ([0, 1], [1, 0], "the graph has a cycle at or above topic '[ab]'"),
        ([0, 1, 2], [1, 2, 0], "the graph has a cycle at or above topic '[abc]'"),
        ([0, 1], [1], "got 2 parents and 1 children; expected pairs"),
    ],
)
def test_edges_that_cannot_be_are_refused(parents, children, message):
    with pytest.raises(InputError, match=message):
        build_graph(2, NAMES, parents, children)


def test_two_topics_of_one_name_are_refused():
    with pytest.raises(InputError, match="two topics are named 'b'; give each topic a name of its"):
        build_graph(2, ["a", "b", "b"], [], [])


@several
@given(edge_lists(), st.data())
def test_any_closed_circle_is_refused(edges, data):
    names, n_tokens, parents, children = edges
    inner = [row for row, child in enumerate(children) if child < len(names)]
    if not inner:
        return
    row = data.draw(st.sampled_from(inner))
    with pytest.raises(InputError, match="the graph has a cycle"):
        build_graph(n_tokens, names, [*parents, children[row]], [*children, parents[row]])
