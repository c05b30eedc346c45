"""Constraints: parts of a graph that growing, pruning, merging and training leave unchanged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..model.graph import TOPIC_PREFIX, Graph
from ..model.network import Network, build_network
from ..utils.types import BoolArray, Int64Array
from .guidance import Guidance

# A child by name: a topic's id or a token's number; both survive a change of the graph.
Node = str | int
Edge = tuple[str, Node]


@dataclass(frozen=True)
class Constraints:
    """Constraints by names, which survive a change of the graph."""

    # Edges that are never pruned: the topic's id, and the child's id or token number.
    pinned: frozenset[Edge] = frozenset()
    frozen: frozenset[Edge] = frozenset()  # pinned edges whose weights never change
    topics: frozenset[str] = frozenset()  # topics that are never pruned or merged
    # Pairs of tokens, the lower first, that must not get a common parent.
    apart: frozenset[tuple[int, int]] = frozenset()
    forbidden: frozenset[Edge] = frozenset()  # edges that must not be added

    def pinned_edges(self, graph: Graph) -> BoolArray:
        """Mask of edges that are never pruned, shape (n_edges,)."""
        return _edges_among(graph, self.pinned)

    def frozen_edges(self, graph: Graph) -> BoolArray:
        """Mask of edges whose weights never change, shape (n_edges,)."""
        return _edges_among(graph, self.frozen)

    def kept_topics(self, graph: Graph) -> BoolArray:
        """Mask of topics that are never pruned or merged, shape (n_topics,)."""
        return np.array([name in self.topics for name in graph.topic_ids], bool)

    def hold(self, moved: Network, before: Network) -> Network:
        """``moved`` with the frozen weights of ``before``, which may have another graph."""
        if not self.frozen:
            return moved
        now = edge_numbers(moved.graph, self.frozen)
        then = edge_numbers(before.graph, self.frozen)
        weight = moved.weight.copy()
        for edge, number in now.items():
            weight[number] = before.weight[then[edge]]
        return build_network(moved.graph, weight, moved.leak)

    def permitted(self, graph: Graph, parents: Int64Array, children: Int64Array) -> BoolArray:
        """Mask of new edges that may be added, each on its own, shape (n_edges,)."""
        ends = _ends(graph, self.forbidden).values()
        banned = [parent * graph.n_nodes + child for parent, child in ends]
        mask = ~np.isin(parents * graph.n_nodes + children, banned)
        partners = self._partners(graph)
        below: dict[int, set[int]] = {}
        for place in np.flatnonzero(mask & np.isin(children, list(partners))).tolist():
            parent = int(parents[place])
            if parent not in below:
                below[parent] = set(graph.children(parent).tolist())
            mask[place] = below[parent].isdisjoint(partners[int(children[place])])
        return mask

    def allowed(self, graph: Graph, parents: Int64Array, children: Int64Array) -> BoolArray:
        """Mask of new edges that may be added one after another, shape (n_edges,)."""
        mask, partners = self.permitted(graph, parents, children), self._partners(graph)
        added: defaultdict[int, set[int]] = defaultdict(set)
        for place in np.flatnonzero(mask & np.isin(children, list(partners))).tolist():
            parent, child = int(parents[place]), int(children[place])
            mask[place] = partners[child].isdisjoint(added[parent])
            if mask[place]:
                added[parent].add(child)
        return mask

    def _partners(self, graph: Graph) -> dict[int, set[int]]:
        """Nodes that must not share a parent with a node, for every node that has such."""
        partners: defaultdict[int, set[int]] = defaultdict(set)
        for pair in self.apart:
            one, other = (graph.n_topics + token for token in pair)
            partners[one].add(other)
            partners[other].add(one)
        return partners

    def keeps_apart(self, words: Iterable[int]) -> bool:
        """Whether two of these tokens must not have a common parent."""
        return holds_pair(set(words), self.apart)


UNCONSTRAINED = Constraints()


def holds_pair(words: set[int], pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether both tokens of any pair are among the words."""
    return any(one in words and other in words for one, other in pairs)


def _edges_among(graph: Graph, edges: Iterable[Edge]) -> BoolArray:
    mask = np.zeros(graph.n_edges, bool)
    mask[list(edge_numbers(graph, edges).values())] = True
    return mask


def edge_numbers(graph: Graph, edges: Iterable[Edge]) -> dict[Edge, int]:
    """Numbers of the given edges that are in the graph."""
    found = {}
    for edge, (parent, child) in _ends(graph, edges).items():
        parents = graph.parents(child)
        place = int(np.searchsorted(parents, parent))
        if place < len(parents) and parents[place] == parent:
            found[edge] = int(graph.parent_ptr[child]) + place
    return found


def _ends(graph: Graph, edges: Iterable[Edge]) -> dict[Edge, tuple[int, int]]:
    """Both nodes of every given edge whose nodes are in the graph; the edge itself may not be."""
    topic = {name: number for number, name in enumerate(graph.topic_ids)}
    return {
        (parent, child): (
            topic[parent],
            topic[child] if isinstance(child, str) else graph.n_topics + child,
        )
        for parent, child in edges
        if parent in topic and (not isinstance(child, str) or child in topic)
    }


def node_of(name: str, words: Mapping[str, int]) -> Node:
    """Node that a name in a rule denotes: a word of the vocabulary, otherwise a topic."""
    return words[name] if name in words else name.removeprefix(TOPIC_PREFIX)


def pairs_apart(guidance: Guidance, words: Mapping[str, int]) -> frozenset[tuple[int, int]]:
    """Pairs of token numbers, the lower first, that must not have a common parent."""
    pairs = ((words[one], words[other]) for one, other in guidance.cannot_link)
    return frozenset((min(pair), max(pair)) for pair in pairs)


def constraints_of(guidance: Guidance, graph: Graph, words: Mapping[str, int]) -> Constraints:
    """Constraints of a guided graph (see `orrery.core.structure.guided`).

    The guidance has words as the vocabulary spells them; ``words`` is the vocabulary.
    """
    frozen = {(parent, node_of(child, words)) for parent, child, _ in guidance.frozen}
    pinned: set[Edge] = set(frozen)
    pinned.update((name, words[word]) for name, group in guidance.seeds for word in group)
    for group in guidance.groups():
        tokens = [words[word] for word in group]
        parent = common_parent(graph, tokens)
        pinned.update((parent, token) for token in tokens)
    forbidden = frozenset((parent, node_of(child, words)) for parent, child in guidance.forbidden)
    # A topic that is merged into another passes on its edges, which may be forbidden there.
    topics = {node for edge in pinned | forbidden for node in edge if isinstance(node, str)}
    return Constraints(
        frozenset(pinned),
        frozenset(frozen),
        frozenset(topics),
        pairs_apart(guidance, words),
        forbidden,
    )


def common_parent(graph: Graph, tokens: list[int]) -> str:
    """Id of the lowest topic above all these tokens; a guided graph always has one."""
    above: list[set[int]] = [
        set(graph.parents(graph.n_topics + token).tolist()) for token in tokens
    ]
    return graph.topic_ids[max(set.intersection(*above))]
