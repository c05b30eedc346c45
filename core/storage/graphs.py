"""Graph files and guidance files.

Graphs are CSV with ``parent,child[,weight]`` and ``node,leak`` beside it, GraphML, or Bayesian
networks of other programs (`network_files`). Guidance files are TOML with constraints on the topic
graph.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..data.encodings import decode
from ..data.limits import read_source
from ..model.graph import TOPIC_PREFIX, Graph
from ..structure.guidance import Guidance, check_guidance, guidance_from_values, guidance_to_values
from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import FloatArray
from .atomic import write_text, write_together
from .edge_lists import EdgeList, LeakList, Scale, file_vocabulary, graph_from_edges
from .network_files import NETWORK_READERS

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = LazyModule("networkx")

# Rows in which weighted lists are recognised, and those with several entries among them.
SAMPLE_ROWS, MIN_LONG_LISTS = 20, 2
# Values of the attribute ``kind``.
TOPIC_KIND, TOKEN_KIND = "topic", "token"
# Errors of networkx for bytes that are not XML or GraphML, or contain values of a wrong type.
# With `networkx.NetworkXException`; networkx is imported later.
UNREADABLE = (SyntaxError, LookupError, ValueError, TypeError, AttributeError)


def read_graphml(data: bytes, name: str) -> tuple[EdgeList, LeakList | None]:
    """Read the edges of a directed GraphML graph, and its leaks if any node has one.

    A node with the attribute ``kind`` is the topic of its id or the token of its ``label``. Any
    other node is named by its ``label`` or else its id, under the rules of the CSV format. Raises
    InputError if the bytes are not GraphML, the graph is undirected, or two nodes have one name.
    """
    try:
        graph = nx.read_graphml(io.BytesIO(data))
    except (nx.NetworkXException, *UNREADABLE):
        raise InputError(f"{name} is not GraphML that can be read; write it again") from None
    if not graph.is_directed():
        raise InputError(f"{name} is an undirected graph; edges must lead from parent to child")
    names = {
        node: f"{TOPIC_PREFIX}{node}"
        if attributes.get("kind") == TOPIC_KIND
        else str(attributes.get("label", node))
        for node, attributes in graph.nodes(data=True)
    }
    # A node without edges and without a leak is not in the model.
    is_used = {node for node in graph if graph.degree(node) or "leak" in graph.nodes[node]}
    repeated = [name for name, count in Counter(map(names.get, is_used)).items() if count > 1]
    if repeated:
        raise InputError(f"{name} has two nodes called {repeated[0]!r}; give them different labels")
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
    given = [(names[node], leak) for node, leak in graph.nodes(data="leak") if leak is not None]
    if not given:
        return edges, None
    leaks = LeakList(
        where=[f"the node {node!r} of {name}" for node, _ in given],
        node=[node for node, _ in given],
        leak=[str(leak) for _, leak in given],
    )
    return edges, leaks


GRAPHML_SUFFIX = ".graphml"
# Extensions of files that contain nothing but a graph.
GRAPH_SUFFIXES = frozenset({GRAPHML_SUFFIX, *NETWORK_READERS})


def leak_path(path: str | Path) -> Path:
    """Path of the leaks of a graph file: ``graph.leaks.csv`` for ``graph.csv``."""
    graph_path = Path(path)
    return graph_path.with_name(f"{graph_path.stem}.leaks.csv")


def read_graph(
    path: str | Path, vocabulary: Sequence[str], scale: Scale = "noisy-or"
) -> tuple[Graph, FloatArray | None, FloatArray | None]:
    """Read a graph over a vocabulary, with weights and leaks if the files contain them.

    A child that is a word of the vocabulary is that token; every other name is a topic, and
    ``topic:NAME`` is always a topic. A name without this prefix that is neither a word nor a parent
    is refused as a misspelt word. Topics are sorted so that parents come first. Raises InputError
    if a file cannot be read or does not contain such a graph; the message names the row.

    Parameters
    ----------
    path : str or Path
        CSV with the columns ``parent``, ``child`` and optionally ``weight`` (others are ignored);
        leaks come from ``leak_path(path)`` if that file exists. Or GraphML, with the attributes
        ``weight`` of edges and ``leak`` of nodes. Or XDSL or BIF, whose nodes are noisy-ORs.
    scale : {"noisy-or", "probability"}
        Scale of the numbers in the file; a probability p is converted to the weight -log(1 - p).

    Returns
    -------
    graph : Graph
    weight : float64 array, shape (n_edges,), or None
        Noisy-OR weights for either scale.
    leak : float64 array, shape (n_nodes,), or None
    """
    edges, leaks = _read_rows(Path(path))
    return graph_from_edges(edges, leaks, vocabulary, scale)


def read_whole_graph(
    path: str | Path, scale: Scale = "noisy-or"
) -> tuple[tuple[str, ...], Graph, FloatArray | None, FloatArray | None]:
    """Read a graph that defines its own vocabulary: each name that is never a parent is a word.

    Names are compared as they are written, so ``topic:fever`` is a topic and not the word
    ``fever``. In GraphML, the attribute ``kind`` has precedence. A file of weighted lists is read
    too (`read_weighted_lists`). The vocabulary precedes the results of `read_graph`; the leak of a
    node that a file with leaks leaves out is NaN. Raises InputError as in `read_graph`, and if
    there is no edge or no word.
    """
    edges, leaks = _read_rows(Path(path), may_be_lists=True)
    if not edges.where:
        raise InputError(f"{Path(path).name} has no edge; add a row for every parent and child")
    vocabulary = file_vocabulary(edges, leaks)
    if not vocabulary:
        # Without words, a finite graph has a cycle or names only topics.
        graph_from_edges(edges, leaks, ())
        raise InputError(
            f"{Path(path).name} has no word; a name that is never a parent is one, unless it "
            f"begins with {TOPIC_PREFIX}"
        )
    graph = graph_from_edges(edges, leaks, vocabulary, scale, may_lack_leaks=True)
    return vocabulary, *graph


def graph_notes(path: Path) -> tuple[str, ...]:
    """Assumptions made when a graph file is read, as sentences without a full stop.

    Only Bayesian networks of other programs need assumptions. Raises InputError as in `read_graph`.
    """
    return _read_rows(path)[0].notes if path.suffix.lower() in NETWORK_READERS else ()


def _read_rows(path: Path, *, may_be_lists: bool = False) -> tuple[EdgeList, LeakList | None]:
    read_network = NETWORK_READERS.get(path.suffix.lower())
    if read_network is not None:
        return read_network(read_source(path), path.name)
    if path.suffix.lower() == GRAPHML_SUFFIX:
        return read_graphml(read_source(path), path.name)
    lists = weighted_list_columns(path) if may_be_lists else None
    if lists is not None:
        edges = read_weighted_lists(path, lists)
    else:
        where, columns = _read_columns(path, ("parent", "child"), "weight")
        edges = EdgeList(where, columns["parent"], columns["child"], columns.get("weight"))
    leaks = leak_path(path)
    if not leaks.exists():
        return edges, None
    where, columns = _read_columns(leaks, ("node", "leak"))
    nodes = columns["node"]
    if lists is not None:
        # A name of the first column is the topic, even if a word has the same name.
        topics = set(edges.parent)
        prefixed = (TOPIC_PREFIX + name.strip() for name in nodes)
        nodes = [
            topic if topic in topics else name for name, topic in zip(nodes, prefixed, strict=True)
        ]
    return edges, LeakList(where, nodes, columns["leak"])


# One entry of a weighted list: a name, which may contain parentheses, and its weight in
# parentheses, followed by a comma, a semicolon or the end. A name contains no semicolon, and commas
# only between digits: an entry without a weight would be a part of the next name.
_ENTRY = re.compile(
    r"\s*([^\s,;](?:[^,;\n]|(?<=\d),(?=\d))*?)\s*\(\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*\)\s*(?:[,;]|$)"
)


def weighted_list_columns(path: Path, *, are_long: bool = False) -> tuple[str, str] | None:
    """Names of the columns of a CSV file of weighted lists: topics, and their weighted words.

    A cell of the second column is a list such as ``fever (0.3), cough (0.2)``. None for any other
    file; an unreadable file is reported by the reader of the usual form. With ``are_long``, several
    of the first lists must have more than one entry, because titles such as ``Jumanji (1995)`` look
    like lists of one.
    """
    try:
        text = decode(read_source(path), path.name)
        rows = csv.reader(io.StringIO(text, newline=""))
        header = [cell.strip() for cell in next(rows, [])]
        filled = (row for row in rows if any(cell.strip() for cell in row))
        sample = list(islice(filled, SAMPLE_ROWS if are_long else 1))
    except (InputError, csv.Error):
        return None
    first = sample[0] if sample else []
    if {"parent", "child"} <= {name.lower() for name in header} or len(first) != len(header):
        return None
    lists = [place for place, cell in enumerate(first) if _entries(cell)]
    others = [place for place in range(len(header)) if place not in lists]
    if len(lists) != 1 or not others:
        return None
    # Columns are found by their names.
    if header[others[0]].lower() == header[lists[0]].lower():
        return None
    if are_long:
        n_long = sum(len(_entries(row[lists[0]])) > 1 for row in sample if len(row) > lists[0])
        if n_long < min(MIN_LONG_LISTS, len(sample)):
            return None
    return header[others[0]], header[lists[0]]


def read_weighted_lists(path: Path, columns: tuple[str, str]) -> EdgeList:
    """Edges of a file of weighted lists; ``columns`` are from `weighted_list_columns`.

    Each name of the first column is a topic, and each name of the lists is a word, also if both
    are equal. Raises InputError for a cell that is not such a list; the message names the row.
    """
    where, cells = _read_columns(path, (columns[0].lower(), columns[1].lower()))
    edges: list[tuple[str, str, str, str]] = []
    for row, topic, listed in zip(where, *cells.values(), strict=True):
        entries = _entries(listed)
        if not entries:
            raise InputError(
                f"{row} has no list such as 'fever (0.3), cough (0.2)' in the column {columns[1]}; "
                "correct it or remove the row"
            )
        edges += ((row, TOPIC_PREFIX + topic.strip(), word, weight) for word, weight in entries)
    rows, parents, words, weights = (list(column) for column in zip(*edges, strict=True))
    return EdgeList(rows, parents, words, weights, words=tuple(dict.fromkeys(words)))


def _entries(cell: str) -> list[tuple[str, str]]:
    """Names and weights of a weighted list; empty if any part of the text is something else."""
    found: list[tuple[str, str]] = []
    end = 0
    while end < len(cell.rstrip()):
        entry = _ENTRY.match(cell, end)
        if entry is None:
            return []
        found.append((entry[1], entry[2]))
        end = entry.end()
    return found


def write_graph(
    path: str | Path,
    graph: Graph,
    vocabulary: Sequence[str],
    weight: npt.ArrayLike | None = None,
    leak: npt.ArrayLike | None = None,
) -> None:
    """Write a graph as CSV, from which `read_graph` returns the same names, edges and numbers.

    Without ``leak``, an existing file ``leak_path(path)`` is removed, because it would be read as
    the leaks of this graph. Raises InputError if the vocabulary has another length, or a word that
    the format cannot represent.
    """
    texts = graph_texts(graph, vocabulary, weight, leak)
    # A killed process leaves no graph rather than one with the leaks of another graph.
    edges, leaks = (None if text is None else text.encode("utf-8") for text in texts)
    write_together({Path(path): edges, leak_path(path): leaks})


def graph_texts(
    graph: Graph,
    vocabulary: Sequence[str],
    weight: npt.ArrayLike | None = None,
    leak: npt.ArrayLike | None = None,
) -> tuple[str, str | None]:
    """Texts of the two files of `write_graph`; None for the leaks without any."""
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
    # A topic without edges is known only from its leak.
    leaks = None if leak is None else _csv_text(["node", "leak"], [names, _digits(leak)])
    return _csv_text(header, table), leaks


def check_words(graph: Graph, vocabulary: Sequence[str]) -> None:
    """Refuse a vocabulary that a graph file of this graph cannot represent (InputError)."""
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
    """Names of the topics, with the prefix if they would be ambiguous without it."""
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


def _read_columns(
    path: Path, required: tuple[str, str], optional: str = ""
) -> tuple[list[str], dict[str, list[str]]]:
    """Cells of the named columns, with a description of each row; the header is row 1."""
    text = decode(read_source(path), path.name)
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
        if not set(required) <= set(header):
            endings = ", ".join(sorted(GRAPH_SUFFIXES))
            other = f", or give a file that ends in {endings}" if "parent" in required else ""
            raise InputError(
                f"{path.name} does not begin with the header {','.join(required)}; add it{other}"
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
                cell = row[place] if place < len(row) else ""
                if not cell.strip():
                    raise InputError(f"{where[-1]} has no {name}; fill it in or remove the row")
                columns[name].append(cell)
    except csv.Error as error:
        raise InputError(f"{path.name} is not CSV that can be read: {error}") from None
    return where, columns


def read_guidance(path: Path) -> Guidance:
    """Read a guidance file; `core.structure.guided.guide` later looks up its words and topics.

    Raises InputError if the file cannot be read, is not TOML, or a rule is malformed or contradicts
    another; the message names the rule.
    """
    text = decode(read_source(path), path.name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{path.name} contains too large a number or too deeply nested lists; correct it"
        ) from None
    try:
        guidance = guidance_from_values(values)
        check_guidance(guidance)
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    return guidance


def write_guidance(path: Path, guidance: Guidance) -> None:
    """Write a guidance file, from which `read_guidance` returns an equal object."""
    values = guidance_to_values(guidance)
    seeds = values.pop("seeds")
    lines = [f"{rule} = {_toml(rows)}" for rule, rows in values.items() if rows]
    lines += ["", "[seeds]", *(f"{_toml(name)} = {_toml(words)}" for name, words in seeds.items())]
    write_text(path, "\n".join(lines) + "\n")


def _toml(value: object) -> str:
    """JSON form of a text, number or list, with invisible characters as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(
        f"\\U{ord(sign):08X}" if unicodedata.category(sign)[0] in "CZ" and sign != " " else sign
        for sign in text
    )
