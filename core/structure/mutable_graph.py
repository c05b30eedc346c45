"""MutableGraph: a graph in the making, whose nodes go by names while edges come and go."""

from __future__ import annotations

import math
from collections import defaultdict

import networkx as nx
import numpy as np

from orrery.core.graph import Graph, build_graph
from orrery.core.network import StartValues
from orrery.core.structure.constraints import Edge, Node


class MutableGraph:
    """A graph that can be changed.

    Attributes
    ----------
    topics : list of str
        Ids.
    edges : dict of (str, str or int) to float
        Weight to start from of every edge, NaN where none is given; a child is a topic's id or a
        token's number.
    has_given_weights : bool
        Whether the graph came with weights.
    """

    def __init__(self, graph: Graph, given: StartValues | None) -> None:
        self._n_tokens = graph.n_tokens
        weight = np.full(graph.n_edges, math.nan) if given is None else given.weight
        leak = np.full(graph.n_nodes, math.nan) if given is None else given.leak
        names: list[Node] = [*graph.topic_ids, *range(graph.n_tokens)]
        self.topics = list(graph.topic_ids)
        self.edges: dict[Edge, float] = {}
        self._children: dict[str, set[Node]] = defaultdict(set)
        self._parents: dict[Node, set[str]] = defaultdict(set)
        ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
        for (parent, child), value in zip(ends, weight.tolist(), strict=True):
            self.add(graph.topic_ids[parent], names[child], value)
        self._leak: dict[Node, float] = dict(zip(names, leak.tolist(), strict=True))
        self._pinned: dict[str, set[Node]] = defaultdict(set)
        self.has_given_weights = not bool(np.isnan(weight).all())

    def add(self, parent: str, child: Node, weight: float = math.nan) -> None:
        """Add an edge, if it is not there."""
        self.edges.setdefault((parent, child), weight)
        self._parents[child].add(parent)
        self._children[parent].add(child)

    def pin(self, parent: str, child: Node, weight: float) -> None:
        """Add an edge that stays; the weight is for one that has none."""
        self.add(parent, child)
        self._pinned[parent].add(child)
        if math.isnan(self.edges[parent, child]):
            self.edges[parent, child] = weight

    def set_weight(self, parent: str, child: Node, weight: float) -> None:
        """Give an edge a weight to start from; it is added if it is not there."""
        self.add(parent, child)
        self.edges[parent, child] = weight

    def remove(self, parent: str, child: Node) -> None:
        """Remove an edge if it is there, and topics that are left without children by it."""
        if self.edges.pop((parent, child), None) is None:
            return
        self._parents[child].discard(parent)
        self._children[parent].discard(child)
        is_pinned = any(parent in nodes for nodes in self._pinned.values())
        if not self._children[parent] and not is_pinned:
            self.topics.remove(parent)
            for above in self.parents_of(parent):
                self.remove(above, parent)

    def has(self, parent: str, *tokens: int) -> bool:
        """Whether a topic is a parent of all these tokens."""
        return self._children[parent].issuperset(tokens)

    def words_of(self, topic: str) -> set[int]:
        """Tokens that a topic is a parent of."""
        return {node for node in self._children[topic] if isinstance(node, int)}

    def pinned_words(self, topic: str) -> set[int]:
        """Those of them that are pinned."""
        return {node for node in self._pinned[topic] if isinstance(node, int)}

    def parents_of(self, child: Node) -> list[str]:
        """Ids of a node's parents, sorted."""
        return sorted(self._parents[child])

    def topic_links(self) -> nx.DiGraph:
        """Edges between topics."""
        links = nx.DiGraph((p, c) for p, c in self.edges if isinstance(c, str))
        links.add_nodes_from(self.topics)
        return links

    def free_name(self, name: str) -> str:
        """Return the name, lengthened while a topic has it."""
        while name in self.topics:
            name += "'"
        return name

    def build(self) -> tuple[Graph, StartValues]:
        """Graph as it stands, with the weights and leaks to start from."""
        number = {name: place for place, name in enumerate(self.topics)}
        children = [
            number[child] if isinstance(child, str) else len(number) + child
            for _, child in self.edges
        ]
        graph, order = build_graph(
            self._n_tokens, self.topics, [number[parent] for parent, _ in self.edges], children
        )
        weight = np.array(list(self.edges.values()), np.float64)[order]
        names: list[Node] = [*graph.topic_ids, *range(self._n_tokens)]
        leak = np.array([self._leak.get(name, math.nan) for name in names], np.float64)
        return graph, StartValues(weight, leak)
