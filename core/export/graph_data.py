"""Names of nodes in exported files: unique over topics and tokens, and the same in every format.

A model as one JSON object: every node and every edge, numbers unrounded.

A model as GraphML, for Gephi, yEd and NetworkX, and to be read back with ``--graph``.

A model as the two CSV files of a graph: edges with weights, and leaks.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx as nx

from ..drawing.svg import NOT_IN_XML
from ..model.graph import Graph
from ..model.topic_model import TopicModel
from ..storage.graphs import check_words, graph_texts, leak_path
from ..utils.errors import InputError

TOKEN_PREFIX = "word:"


def node_ids(graph: Graph, vocabulary: Sequence[str]) -> list[str]:
    """Id of every node: a topic's own, and ``word:WORD`` for a token."""
    prefix = TOKEN_PREFIX
    # A topic's id is permanent, so it is the prefix that gives way.
    while any(topic.startswith(prefix) for topic in graph.topic_ids):
        prefix += ":"
    return [*graph.topic_ids, *(prefix + word for word in vocabulary)]


JSON_VERSION = 1


def json_object(model: TopicModel) -> dict[str, Any]:
    """Nodes and edges of a model.

    Returns
    -------
    dict
        ``nodes`` with ``id``, ``kind``, ``label`` and ``leak``; a topic also with ``words``, the
        name made of them, ``shelf``, the name of the one that it stands on if any, and where a
        person says so ``note``, ``hidden`` and ``shown_as``, the topic that it is part of.
        ``edges`` with ``parent``, ``child`` and ``weight``.
    """
    network, graph = model.network, model.network.graph
    ids, leaks = node_ids(graph, model.vocabulary), network.leak.tolist()
    nodes = [_topic(model, topic) | {"leak": leaks[topic]} for topic in range(graph.n_topics)]
    nodes += [
        {"id": name, "kind": "token", "label": word, "leak": leak}
        for name, word, leak in zip(
            ids[graph.n_topics :], model.vocabulary, leaks[graph.n_topics :], strict=True
        )
    ]
    ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    edges = [
        {"parent": ids[parent], "child": ids[child], "weight": weight}
        for (parent, child), weight in zip(ends, network.weight.tolist(), strict=True)
    ]
    return {"version": JSON_VERSION, "nodes": nodes, "edges": edges}


def json_bytes(model: TopicModel) -> bytes:
    """Content of the file, a node or edge a line."""
    value = json_object(model)
    rows = {
        name: ",\n".join(json.dumps(row, ensure_ascii=False) for row in value[name])
        for name in ("nodes", "edges")
    }
    text = (
        f'{{"version": {JSON_VERSION},\n"nodes": [\n{rows["nodes"]}\n],\n'
        f'"edges": [\n{rows["edges"]}\n]}}\n'
    )
    return text.encode("utf-8")


def _topic(model: TopicModel, topic: int) -> dict[str, Any]:
    name, overlay = model.network.graph.topic_ids[topic], model.overlay
    described: dict[str, Any] = {
        "id": name,
        "kind": "topic",
        "label": model.topic_labels[topic],
        "words": model.made_labels[topic],
    }
    if (shelf := model.shelf_name(topic)) is not None:
        described["shelf"] = shelf
    if name in overlay.notes:
        described["note"] = overlay.notes[name]
    if name in overlay.hidden:
        described["hidden"] = True
    if topic in model.shown_as:
        described["shown_as"] = model.network.graph.topic_ids[model.shown_as[topic]]
    return described


def graphml_bytes(model: TopicModel) -> bytes:
    """Content of the file; `orrery.core.storage.graphs.read_graph` reads the same network from it.

    Raises
    ------
    InputError
        If a name holds a character that XML cannot hold, or a word that graph files cannot.
    """
    check_words(model.network.graph, model.vocabulary)
    check_names(model)
    file = io.BytesIO()
    nx.write_graphml_xml(digraph(model), file, encoding="utf-8")
    return file.getvalue()


def digraph(model: TopicModel) -> nx.DiGraph:
    """The model for NetworkX: topics by their ids, words as ``word:WORD``.

    Nodes have ``kind`` (``topic`` or ``token``), ``label`` and ``leak``, edges ``weight``; see
    `orrery.core.export.graph_data.json_object`.
    """
    value = json_object(model)
    graph = nx.DiGraph()
    for node in value["nodes"]:
        graph.add_node(node["id"], **{name: node[name] for name in node if name != "id"})
    for edge in value["edges"]:
        graph.add_edge(edge["parent"], edge["child"], weight=edge["weight"])
    return graph


def check_names(model: TopicModel) -> None:
    """Refuse a name with a character that XML cannot hold (InputError)."""
    for name in (*model.network.graph.topic_ids, *model.topic_labels, *model.vocabulary):
        if NOT_IN_XML.search(name):
            raise InputError(
                f"GraphML cannot hold the name {name!r}; choose another format, or rename it"
            )


def csv_files(model: TopicModel, name: str) -> dict[str, bytes]:
    """Content of both files by name; `orrery.core.storage.graphs.read_graph` reads them back.

    The edges come first: without them the leaks are nobody's.

    Parameters
    ----------
    model : TopicModel
    name : str
        Name of the file of edges.

    Raises
    ------
    InputError
        If a word cannot stand in a graph file.
    """
    network = model.network
    edges, leaks = graph_texts(network.graph, model.vocabulary, network.weight, network.leak)
    return {name: edges.encode(), leak_path(Path(name)).name: (leaks or "").encode()}
