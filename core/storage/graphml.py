"""GraphML to the rows of a graph file."""

from __future__ import annotations

import io
from typing import Any

import networkx as nx

from orrery.core.errors import InputError
from orrery.core.node_names import TOPIC_PREFIX
from orrery.core.storage.edge_lists import EdgeList, LeakList

# Values of the attribute ``kind``.
TOPIC_KIND, TOKEN_KIND = "topic", "token"
# What networkx raises for bytes that are no XML, no GraphML, or hold values of a wrong type.
UNREADABLE = (nx.NetworkXException, SyntaxError, LookupError, ValueError, TypeError, AttributeError)


def read_graphml(data: bytes, name: str) -> tuple[EdgeList, LeakList | None]:
    """Read the edges of a directed GraphML graph, and its leaks if any node has one.

    A node with the attribute ``kind`` is the topic of its id or the token of its ``label``. Any
    other goes by its ``label`` or, without one, its id, under the rules of the CSV format.

    Raises
    ------
    InputError
        If the bytes are not GraphML or the graph is undirected.
    """
    try:
        graph = nx.read_graphml(io.BytesIO(data))
    except UNREADABLE:
        raise InputError(f"{name} is not GraphML that can be read; write it again") from None
    if not graph.is_directed():
        raise InputError(f"{name} is an undirected graph; edges must lead from parent to child")
    names = {node: _name(node, attributes) for node, attributes in graph.nodes(data=True)}
    links = [(names[a], names[b], attributes) for a, b, attributes in graph.edges(data=True)]
    weighted = any("weight" in attributes for *_, attributes in links)
    edges = EdgeList(
        where=[f"the edge {a!r} to {b!r} of {name}" for a, b, _ in links],
        parent=[a for a, _, _ in links],
        child=[b for _, b, _ in links],
        weight=[str(attributes.get("weight", "")) for *_, attributes in links]
        if weighted
        else None,
        words=tuple(names[node] for node, kind in graph.nodes(data="kind") if kind == TOKEN_KIND),
    )
    return edges, _leaks(graph, names, name)


def _name(node: str, attributes: dict[str, Any]) -> str:
    if attributes.get("kind") == TOPIC_KIND:
        return f"{TOPIC_PREFIX}{node}"
    return str(attributes.get("label", node))


def _leaks(graph: Any, names: dict[str, str], file_name: str) -> LeakList | None:
    given = [(names[node], leak) for node, leak in graph.nodes(data="leak") if leak is not None]
    if not given:
        return None
    return LeakList(
        where=[f"the node {node!r} of {file_name}" for node, _ in given],
        node=[node for node, _ in given],
        leak=[str(leak) for _, leak in given],
    )
