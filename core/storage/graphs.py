"""GraphML to the rows of a graph file.

Graph files: CSV with ``parent,child[,weight]`` and ``node,leak`` beside it, and GraphML.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from ..data.encodings import decode
from ..data.limits import read_source
from ..model.graph import TOPIC_PREFIX, Graph
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .atomic import write_together
from .edge_lists import EdgeList, LeakList, Scale, graph_from_edges, own_words

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


GRAPHML_SUFFIX = ".graphml"


def leak_path(path: str | Path) -> Path:
    """File of leaks that belongs to a graph file: ``graph.csv`` has ``graph.leaks.csv``."""
    graph_path = Path(path)
    return graph_path.with_name(f"{graph_path.stem}.leaks.csv")


def read_graph(
    path: str | Path, vocabulary: Sequence[str], scale: Scale = "noisy-or"
) -> tuple[Graph, FloatArray | None, FloatArray | None]:
    """Read a graph over a vocabulary, with weights and leaks where the files give them.

    A child that is a word of the vocabulary is that token; every other name is a topic, and
    ``topic:NAME`` always is one. A name without the prefix that is no word and has no children is
    taken for a misspelt word and refused. The topics are put in an order with parents first.

    Parameters
    ----------
    path : str or Path
        CSV with the columns ``parent``, ``child`` and perhaps ``weight`` (others are ignored);
        leaks are read from ``leak_path(path)`` if there is such a file. Or GraphML, with the
        attributes ``weight`` of edges and ``leak`` of nodes.
    vocabulary : sequence of str
    scale : {"noisy-or", "probability"}
        What the numbers of the file are; a probability p stands for the weight -log(1 - p).

    Returns
    -------
    graph : Graph
    weight : float64 array, shape (n_edges,), or None
        Noisy-OR weights, whatever the scale of the file.
    leak : float64 array, shape (n_nodes,), or None

    Raises
    ------
    InputError
        If a file cannot be read or holds something other than such a graph; the row is named.
    """
    edges, leaks = _read_rows(Path(path))
    return graph_from_edges(edges, leaks, vocabulary, scale)


def read_whole_graph(
    path: str | Path, scale: Scale = "noisy-or"
) -> tuple[tuple[str, ...], Graph, FloatArray | None, FloatArray | None]:
    """Read a graph that brings its own words: every name that is never a parent is one.

    A name counts as it is written, so ``topic:fever`` is a topic beside the word ``fever``. In
    GraphML the attribute ``kind`` says what a node is, where it has one.

    Returns
    -------
    vocabulary : tuple of str
    graph, weight, leak
        As from `read_graph`.

    Raises
    ------
    InputError
        As from `read_graph`, and if there is no edge or no word.
    """
    edges, leaks = _read_rows(Path(path))
    if not edges.where:
        raise InputError(f"{Path(path).name} has no edge; add a row for every parent and child")
    vocabulary = own_words(edges, leaks)
    if not vocabulary:
        # Such a graph of finite size has a cycle, unless topics alone are named.
        graph_from_edges(edges, leaks, ())
        raise InputError(
            f"{Path(path).name} has no word; a name that is never a parent is one, unless it "
            f"begins with {TOPIC_PREFIX}"
        )
    return vocabulary, *graph_from_edges(edges, leaks, vocabulary, scale)


def _read_rows(path: Path) -> tuple[EdgeList, LeakList | None]:
    if path.suffix.lower() == GRAPHML_SUFFIX:
        return read_graphml(read_source(path), path.name)
    leaks = leak_path(path)
    return _read_edges(path), _read_leaks(leaks) if leaks.exists() else None


def write_graph(
    path: str | Path,
    graph: Graph,
    vocabulary: Sequence[str],
    weight: npt.ArrayLike | None = None,
    leak: npt.ArrayLike | None = None,
) -> None:
    """Write a graph as CSV, so that `read_graph` returns the same names, edges and numbers.

    Parameters
    ----------
    path : str or Path
    graph : Graph
    vocabulary : sequence of str, length graph.n_tokens
    weight : array-like, shape (n_edges,), optional
        A third column.
    leak : array-like, shape (n_nodes,), optional
        Written to ``leak_path(path)``. Without it an older file of that name is removed, because
        it would be read as this graph's.

    Raises
    ------
    InputError
        If the vocabulary has another length, or a word that the format has no way to write.
    """
    texts = graph_texts(graph, vocabulary, weight, leak)
    # A kill leaves no graph, never one with other leaks.
    edges, leaks = (None if text is None else text.encode("utf-8") for text in texts)
    write_together({Path(path): edges, leak_path(path): leaks})


def graph_texts(
    graph: Graph,
    vocabulary: Sequence[str],
    weight: npt.ArrayLike | None = None,
    leak: npt.ArrayLike | None = None,
) -> tuple[str, str | None]:
    """Texts of the two files that `write_graph` writes, that of the leaks where there are any."""
    check_words(graph, vocabulary)
    names = [*_topic_names(graph, set(vocabulary)), *vocabulary]
    table: list[Iterable[str]] = [
        (names[parent] for parent in graph.parent_idx),
        (names[child] for child in graph.edge_children()),
    ]
    header = ["parent", "child"]
    if weight is not None:
        table.append(_digits(weight))
        header.append("weight")
    # A topic without any edge is known by its leak alone.
    leaks = None if leak is None else _csv_text(["node", "leak"], [names, _digits(leak)])
    return _csv_text(header, table), leaks


def check_words(graph: Graph, vocabulary: Sequence[str]) -> None:
    """Refuse a vocabulary that a graph file of this graph cannot hold (InputError)."""
    if len(vocabulary) != graph.n_tokens:
        raise InputError(
            f"the graph has {graph.n_tokens} tokens and the vocabulary {len(vocabulary)} words; "
            "write it with the vocabulary that it was made for"
        )
    for word in vocabulary:
        if word.startswith(TOPIC_PREFIX) or not word.strip():
            raise InputError(
                f"the word {word!r} cannot stand in a graph file, where {TOPIC_PREFIX}NAME is a "
                "topic and a name is never blank; rename it in the vocabulary"
            )


def _topic_names(graph: Graph, words: set[str]) -> list[str]:
    """Names of the topics, with the prefix wherever they would be taken for something else."""
    has_children = np.diff(graph.child_ptr) > 0
    names = []
    for name, is_parent in zip(graph.topic_ids, has_children, strict=True):
        is_plain = is_parent and name not in words and name == name.strip() and name
        is_plain = is_plain and not name.startswith(TOPIC_PREFIX)
        names.append(name if is_plain else TOPIC_PREFIX + name)
    return names


def _digits(values: npt.ArrayLike) -> Iterable[str]:
    # repr is the shortest text that reads back as the same number.
    return (repr(value) for value in np.asarray(values, np.float64).tolist())


def _csv_text(header: list[str], columns: Sequence[Iterable[str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue()


def _read_edges(path: Path) -> EdgeList:
    where, columns = _read_columns(path, ("parent", "child"), "weight")
    return EdgeList(where, columns["parent"], columns["child"], columns.get("weight"))


def _read_leaks(path: Path) -> LeakList:
    where, columns = _read_columns(path, ("node", "leak"))
    return LeakList(where, columns["node"], columns["leak"])


def _read_columns(
    path: Path, required: tuple[str, str], optional: str = ""
) -> tuple[list[str], dict[str, list[str]]]:
    """Cells of the named columns, with a name for every row; the header is row 1."""
    text = decode(read_source(path), path.name)
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
        if not set(required) <= set(header):
            raise InputError(
                f"{path.name} does not begin with the header {','.join(required)}; add it"
            )
        wanted = [name for name in (*required, optional) if name in header]
        places = [header.index(name) for name in wanted]
        where: list[str] = []
        columns: dict[str, list[str]] = {name: [] for name in wanted}
        for number, row in enumerate(rows, start=2):
            if not any(cell.strip() for cell in row):
                continue
            where.append(f"row {number} of {path.name}")
            for name, place in zip(wanted, places, strict=True):
                columns[name].append(_cell(row, place, name, where[-1]))
    except csv.Error as error:
        raise InputError(f"{path.name} is not CSV that can be read: {error}") from None
    return where, columns


def _cell(row: list[str], place: int, name: str, where: str) -> str:
    cell = row[place] if place < len(row) else ""
    if not cell.strip():
        raise InputError(f"{where} has no {name}; fill it in or remove the row")
    return cell
