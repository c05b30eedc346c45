"""Conversion of named edges, as in a graph file, to a graph; errors name the row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..model.graph import TOPIC_PREFIX, Graph, build_graph
from ..model.network import probability_to_weight
from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import FloatArray

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = LazyModule("networkx")

# Scale of the numbers in a file: noisy-OR weights, or the corresponding probabilities.
Scale = Literal["noisy-or", "probability"]


@dataclass(frozen=True)
class EdgeList:
    """Rows of a graph file."""

    # Length n_edges: description of a row for messages, such as ``row 7 of graph.csv``.
    where: list[str]
    # Length n_edges: A word of the vocabulary, or a topic; ``topic:NAME`` is always a topic.
    parent: list[str]
    child: list[str]
    weight: list[str] | None  # length n_edges: None if the file has no weights
    words: tuple[str, ...] = ()  # names that the file declares to be words
    scale: Scale | None = None  # scale of the numbers, if the format determines it
    notes: tuple[str, ...] = ()  # what was assumed when the file was read, for people


@dataclass(frozen=True)
class LeakList:
    """Rows of a file of leaks: ``where`` as above, the name of the node, and its leak."""

    where: list[str]
    node: list[str]
    leak: list[str]


@dataclass(frozen=True)
class NodeNames:
    """Node numbers of names: topics from 0 upward, token ``t`` as ``-1 - t``.

    ``topics`` may contain names without an edge, because a topic may be isolated.
    """

    tokens: dict[str, int]
    topics: dict[str, int]

    def tidy(self, name: str) -> str:
        """Remove spaces around a name, unless it is a word with spaces or has the topic prefix."""
        return name if name in self.tokens or name.startswith(TOPIC_PREFIX) else name.strip()

    def add_topic(self, name: str) -> None:
        """Number a topic, if it is new."""
        self.topics.setdefault(name.removeprefix(TOPIC_PREFIX), len(self.topics))

    def find(self, cell: str) -> int | None:
        """Return the number of a node, or None for an unknown name."""
        name = self.tidy(cell)
        if name.startswith(TOPIC_PREFIX):
            return self.topics.get(name.removeprefix(TOPIC_PREFIX))
        if name in self.tokens:
            return -1 - self.tokens[name]
        return self.topics.get(name)


def file_vocabulary(edges: EdgeList, leaks: LeakList | None) -> tuple[str, ...]:
    """Words of a graph without a vocabulary, in the order of their first occurrence.

    Each name that is never a parent is a word, exactly as it is written: ``topic:NAME`` is not a
    word, and the word ``NAME`` may exist in addition to it. Raises InputError for a word of several
    lines, or a declared word that is a parent.
    """
    # Spaces around a name belong to it if the file declares it to be a word.
    named = NodeNames({word: number for number, word in enumerate(edges.words)}, {})
    above = [named.tidy(name) for name in edges.parent]
    parents = set(above)
    for name in edges.words:
        if name in parents:
            row = edges.where[above.index(name)]
            raise InputError(f"{row} makes the word {name!r} a parent, and words have no children")
    rows = [(name, "the file") for name in edges.words]
    rows += zip(edges.child, edges.where, strict=True)
    rows += zip(leaks.node, leaks.where, strict=True) if leaks else ()
    words: dict[str, None] = {}
    for cell, row in rows:
        name = named.tidy(cell)
        if name.startswith(TOPIC_PREFIX) or name in parents:
            continue
        if len(name.splitlines()) != 1:
            raise InputError(f"{row} names {name!r}, a word of several lines; write it on one")
        words[name] = None
    by_spelling: dict[str, str] = {}
    for name in words:
        # A query is divided at blanks, and its words are found in either spelling.
        other = by_spelling.setdefault(name.replace("_", " "), name)
        if other != name:
            raise InputError(
                f"{name!r} and {other!r} are one word in a query; give them one name, or two that "
                "differ by more than a blank"
            )
    return tuple(words)


def graph_from_edges(
    edges: EdgeList,
    leaks: LeakList | None,
    vocabulary: Sequence[str],
    scale: Scale = "noisy-or",
    *,
    may_lack_leaks: bool = False,
) -> tuple[Graph, FloatArray | None, FloatArray | None]:
    """Check named edges and build their graph, with weights and leaks in the order of the graph.

    The result contains noisy-OR weights for either scale of the file. Raises InputError for a word
    with children, a name that is neither word nor topic, a repeated edge, a cycle, a number outside
    its scale, or a node without a leak; the message names the row. With ``may_lack_leaks``, the
    leak of such a node is NaN.
    """
    if edges.scale not in (None, scale):
        raise InputError(
            f"{edges.where[0] if edges.where else 'the file'} has probabilities of noisy-ORs, so "
            "there is no scale to choose; leave --weights out"
        )
    names = _number_nodes(edges, leaks, vocabulary)
    parents = [_known(names, *row) for row in zip(edges.parent, edges.where, strict=True)]
    children = [_known(names, *row) for row in zip(edges.child, edges.where, strict=True)]
    first: dict[tuple[int, int], str] = {}
    for edge, row in zip(zip(parents, children, strict=True), edges.where, strict=True):
        if edge in first:
            raise InputError(f"{row} repeats the edge of {first[edge]}; remove one of them")
        first[edge] = row
    _refuse_cycles(parents, children, edges)
    weight = None
    if edges.weight is not None:
        weight = _numbers(edges.weight, edges.where, "weight", scale)
    n_topics = len(names.topics)
    child_number = [node if node >= 0 else n_topics - 1 - node for node in children]
    graph, order = build_graph(len(vocabulary), list(names.topics), parents, child_number)
    leak = None
    if leaks is not None:
        leak = _leak_of_nodes(graph, leaks, names, _numbers(leaks.leak, leaks.where, "leak", scale))
        if np.isnan(leak).any() and not may_lack_leaks:
            name = (*graph.topic_ids, *vocabulary)[int(np.argmax(np.isnan(leak)))]
            raise InputError(
                f"the leaks leave out {name!r}; give every topic and word one, or none"
            )
    return graph, None if weight is None else weight[order], leak


def _number_nodes(edges: EdgeList, leaks: LeakList | None, vocabulary: Sequence[str]) -> NodeNames:
    """Number the topics in the order of their first occurrence."""
    names = NodeNames({word: number for number, word in enumerate(vocabulary)}, {})
    for name, row in zip(map(names.tidy, edges.parent), edges.where, strict=True):
        if name in names.tokens and not name.startswith(TOPIC_PREFIX):
            raise InputError(
                f"{row} makes the word {name!r} a parent, and words have no children; "
                f"if a topic is meant, call it {TOPIC_PREFIX}{name}"
            )
        names.add_topic(name)
    for name in map(names.tidy, (*edges.child, *(leaks.node if leaks else ()))):
        if name.startswith(TOPIC_PREFIX):
            names.add_topic(name)
    return names


def _known(names: NodeNames, name: str, row: str) -> int:
    node = names.find(name)
    if node is None:
        raise InputError(
            f"{row} names {name!r}, which is neither a word of the vocabulary nor a topic with "
            f"children; correct the name, or call it {TOPIC_PREFIX}{name} if it is a topic"
        )
    return node


def _refuse_cycles(parents: list[int], children: list[int], edges: EdgeList) -> None:
    row_of = {
        (parent, child): number
        for number, (parent, child) in enumerate(zip(parents, children, strict=True))
        if child >= 0
    }
    try:
        cycle = nx.find_cycle(nx.DiGraph(row_of.keys()))
    except nx.NetworkXNoCycle:
        return
    last = max(row_of[parent, child] for parent, child in cycle)
    raise InputError(
        f"{edges.where[last]} closes a cycle: {edges.child[last]!r} is also an ancestor of "
        f"{edges.parent[last]!r}; remove one of the edges between them"
    )


def _numbers(texts: list[str], where: list[str], what: str, scale: Scale) -> FloatArray:
    """Noisy-OR weights from the cells of a column."""
    values = np.empty(len(texts))
    below = 1.0 if scale == "probability" else math.inf
    expected = "a number of at least 0"
    if scale == "probability":
        expected = "a probability, at least 0 and below 1"
    for position, (text, row) in enumerate(zip(texts, where, strict=True)):
        try:
            values[position] = float(text)
        except ValueError:
            values[position] = math.nan
        if not 0 <= values[position] < below:
            raise InputError(f"{row} has the {what} {text!r}; expected {expected}")
    return probability_to_weight(values) if scale == "probability" else values


def _leak_of_nodes(
    graph: Graph, leaks: LeakList, names: NodeNames, values: FloatArray
) -> FloatArray:
    """Leak of each node, NaN for a node without a row."""
    nodes = [_known(names, *row) for row in zip(leaks.node, leaks.where, strict=True)]
    place = {names.topics[name]: topic for topic, name in enumerate(graph.topic_ids)}
    leak = np.full(graph.n_nodes, np.nan)
    for node, value, row in zip(nodes, values, leaks.where, strict=True):
        position = place[node] if node >= 0 else graph.n_topics - 1 - node
        if not math.isnan(leak[position]):
            raise InputError(f"{row} gives a leak to a node that has one; remove one of the rows")
        leak[position] = value
    return leak
