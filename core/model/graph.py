"""Directed acyclic graph over topics and tokens, checked when it is built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..utils import notebook
from ..utils.errors import InputError
from ..utils.types import BoolArray, Int32Array, Int64Array

# Prefix of a topic's name in files, where a word may have the same name.
TOPIC_PREFIX = "topic:"

AnyArray = TypeVar("AnyArray", bound=npt.NDArray[Any])


# Comparing arrays gives no single truth value, so graphs are compared by identity.
@dataclass(frozen=True, eq=False)
class Graph:
    """Topics ``0 … n_topics-1`` in topological order (parents first), then tokens.

    Attributes
    ----------
    n_topics, n_tokens : int
        Node ``n_topics + j`` is token ``j`` of the vocabulary.
    parent_ptr : int64 array, shape (n_nodes + 1,)
        ``parent_idx[parent_ptr[i]:parent_ptr[i + 1]]`` are the parents of node ``i``, ascending.
        The position in ``parent_idx`` is the number of the edge everywhere in Orrery.
    parent_idx : int32 array, shape (n_edges,)
    child_ptr : int64 array, shape (n_topics + 1,)
        ``child_idx[child_ptr[k]:child_ptr[k + 1]]`` are the children of topic ``k``, ascending,
        and ``child_edge`` at the same positions are the numbers of the edges.
    child_idx, child_edge : int32 arrays, shape (n_edges,)
    topic_ids : tuple of str
        Permanent names of the topics.
    """

    n_topics: int
    n_tokens: int
    parent_ptr: Int64Array
    parent_idx: Int32Array
    topic_ids: tuple[str, ...]
    child_ptr: Int64Array
    child_idx: Int32Array
    child_edge: Int32Array

    @property
    def n_nodes(self) -> int:
        """Number of nodes (topics and tokens)."""
        return self.n_topics + self.n_tokens

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.parent_idx)

    @property
    def first_token_edge(self) -> int:
        """Number of the first edge to a token; all earlier edges lead to topics."""
        return int(self.parent_ptr[self.n_topics])

    def edge_children(self) -> Int32Array:
        """Child node of every edge, shape (n_edges,)."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.parent_ptr))

    def parents(self, node: int) -> Int32Array:
        """Parents of a node, ascending."""
        return self.parent_idx[self.parent_ptr[node] : self.parent_ptr[node + 1]]

    def children(self, topic: int) -> Int32Array:
        """Children of a topic (topics and tokens), ascending."""
        return self.child_idx[self.child_ptr[topic] : self.child_ptr[topic + 1]]

    def is_same(self, other: Graph) -> bool:
        """Whether another graph has the same topics, words and edges."""
        return (
            self.topic_ids == other.topic_ids
            and np.array_equal(self.parent_ptr, other.parent_ptr)
            and np.array_equal(self.parent_idx, other.parent_idx)
        )

    def topic_numbers(self, topic_ids: Sequence[str]) -> Int64Array:
        """Numbers of the topics with these ids, which are all in the graph."""
        return np.array([self.topic_number[name] for name in topic_ids], np.int64)

    @cached_property
    def topic_number(self) -> dict[str, int]:
        """Number of each topic by its id."""
        return {name: topic for topic, name in enumerate(self.topic_ids)}

    def generations(self) -> Iterator[slice]:
        """Slices of nodes such that no node has a parent in its own slice; tokens are the last.

        Topics are ordered by depth, so there are as few slices as layers.
        """
        pointer = self.parent_ptr[: self.n_topics + 1]
        latest = np.full(self.n_topics, -1, np.int64)
        has_parents = np.flatnonzero(np.diff(pointer))
        latest[has_parents] = self.parent_idx[pointer[has_parents + 1] - 1]
        latest = np.maximum.accumulate(latest)
        begin = 0
        while begin < self.n_topics:
            end = int(np.searchsorted(latest, begin))
            yield slice(begin, end)
            begin = end
        yield slice(self.n_topics, self.n_nodes)

    def heights(self) -> Int32Array:
        """Layer of every node, from the words upward: 0 for a token, else 1 + the highest child."""
        return self._heights

    @cached_property
    def _heights(self) -> Int32Array:
        height = np.zeros(self.n_nodes, np.int32)
        for topics in reversed(list(self.generations())[:-1]):
            pointer = self.child_ptr[topics.start : topics.stop + 1]
            highest = np.zeros(len(pointer) - 1, np.int32)
            has_children = np.flatnonzero(np.diff(pointer))
            if len(has_children):
                below = height[self.child_idx[pointer[0] : pointer[-1]]]
                starts = pointer[has_children] - pointer[0]
                highest[has_children] = np.maximum.reduceat(below, starts)
            height[topics] = 1 + highest
        height.setflags(write=False)
        return height

    def n_layers(self) -> int:
        """Number of topic layers."""
        return int(self.heights().max(initial=0))

    def __repr__(self) -> str:
        return f"Graph({self.n_topics} topics, {self.n_tokens} words, {self.n_edges} edges)"

    def _repr_html_(self) -> str:
        """HTML picture of the layers for notebooks."""
        return notebook.graph_card("Graph", self)


def build_graph(
    n_tokens: int, topic_ids: Sequence[str], parents: npt.ArrayLike, children: npt.ArrayLike
) -> tuple[Graph, Int64Array]:
    """Check a list of edges and build the graph, with topics in topological order.

    Parameters
    ----------
    n_tokens : int
        Size of the vocabulary.
    topic_ids : sequence of str, length n_topics
        Unique names of the topics, in any order.
    parents, children : array-like of int, shape (n_edges,)
        Nodes of each edge; topics are numbered as in ``topic_ids``, tokens follow.

    Returns
    -------
    graph : Graph
    edge_order : int64 array, shape (n_edges,)
        ``edge_order[e]`` is the row of the input that became edge ``e``.

    Raises
    ------
    InputError
        For a number out of range, a token with children, a repeated edge, a cycle or a repeated
        name; the message names the row of the input.
    """
    parent = np.asarray(parents, dtype=np.int64).reshape(-1)
    child = np.asarray(children, dtype=np.int64).reshape(-1)
    n_topics = len(topic_ids)
    _check_edges(n_topics, n_tokens, topic_ids, parent, child)
    rank = _topological_rank(n_topics, topic_ids, parent, child)
    new_number = np.concatenate([rank, np.arange(n_topics, n_topics + n_tokens)])
    parent, child = new_number[parent], new_number[child]
    # The edges of stored graphs are in this order, and a stable sort then takes little time.
    edge_order = np.argsort(child * n_topics + parent, kind="stable")
    parent, child = parent[edge_order], child[edge_order]
    order = np.argsort(parent, kind="stable")
    old_of_new = np.argsort(new_number[:n_topics])
    graph = Graph(
        n_topics=n_topics,
        n_tokens=n_tokens,
        parent_ptr=_frozen(_pointer(child, n_topics + n_tokens)),
        parent_idx=_frozen(parent.astype(np.int32)),
        topic_ids=tuple(topic_ids[old] for old in old_of_new),
        child_ptr=_frozen(_pointer(parent, n_topics)),
        child_idx=_frozen(child[order].astype(np.int32)),
        child_edge=_frozen(order.astype(np.int32)),
    )
    return graph, edge_order


def _pointer(groups: Int64Array, n_groups: int) -> Int64Array:
    """Start of each group in an array sorted by group, and the end of the last group."""
    counts = np.bincount(groups, minlength=n_groups)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _frozen(array: AnyArray) -> AnyArray:
    array.flags.writeable = False
    return array


def _check_edges(
    n_topics: int, n_tokens: int, topic_ids: Sequence[str], parent: Int64Array, child: Int64Array
) -> None:
    if len(set(topic_ids)) != n_topics:
        repeated = next(name for name in topic_ids if list(topic_ids).count(name) > 1)
        raise InputError(f"two topics are named {repeated!r}; give each topic a name of its own")
    if len(parent) != len(child):
        raise InputError(f"got {len(parent)} parents and {len(child)} children; expected pairs")
    _refuse_row((parent < 0) | (parent >= n_topics + n_tokens), "its parent is not a node")
    _refuse_row((child < 0) | (child >= n_topics + n_tokens), "its child is not a node")
    _refuse_row(parent >= n_topics, "its parent is a word, and words have no children")
    _refuse_row(parent == child, "it links a topic to itself")
    key = child * n_topics + parent
    order = np.argsort(key, kind="stable")
    is_repeated = np.zeros(len(key), bool)
    is_repeated[order[1:]] = np.diff(key[order]) == 0
    _refuse_row(is_repeated, "that edge was given before")


def _refuse_row(is_bad: BoolArray, reason: str) -> None:
    if is_bad.any():
        raise InputError(f"edge {int(np.argmax(is_bad)) + 1} of the graph is refused: {reason}")


def _topological_rank(
    n_topics: int, topic_ids: Sequence[str], parent: Int64Array, child: Int64Array
) -> Int64Array:
    """Position of every topic in an order with parents first: by depth, then by input order."""
    inner = child < n_topics
    links = sparse.csr_array(
        (np.ones(int(inner.sum()), np.int64), (parent[inner], child[inner])),
        shape=(n_topics, n_topics),
    )
    depth = np.full(n_topics, -1, np.int64)
    open_parents = np.bincount(child[inner], minlength=n_topics)
    frontier = np.flatnonzero(open_parents == 0)
    level = 0
    while len(frontier):
        depth[frontier] = level
        reached = np.zeros(n_topics, np.int64)
        reached[frontier] = 1
        open_parents = open_parents - links.T @ reached
        frontier = np.flatnonzero((open_parents == 0) & (depth < 0))
        level += 1
    if (depth < 0).any():
        name = topic_ids[int(np.argmax(depth < 0))]
        raise InputError(
            f"the graph has a cycle at or above topic {name!r}; remove one of its edges"
        )
    rank = np.empty(n_topics, np.int64)
    rank[np.lexsort((np.arange(n_topics), depth))] = np.arange(n_topics)
    return rank
