"""A model as JSON, GraphML, CSV files and a NetworkX graph, with the same ids of nodes."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..drawing.svg import NOT_IN_XML
from ..inference.arcs import arc_strengths
from ..model.graph import Graph
from ..model.topic_model import TopicModel
from ..storage.graphs import check_words, graph_texts, leak_path
from ..utils.errors import InputError
from ..utils.lazy import LazyModule

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = LazyModule("networkx")

TOKEN_PREFIX = "word:"
JSON_VERSION = 1


def node_ids(graph: Graph, vocabulary: Sequence[str]) -> list[str]:
    """Id of every node: a topic's own, and ``word:WORD`` for a token."""
    prefix = TOKEN_PREFIX
    # The id of a topic is permanent, so the prefix changes.
    while any(topic.startswith(prefix) for topic in graph.topic_ids):
        prefix += ":"
    return [*graph.topic_ids, *(prefix + word for word in vocabulary)]


def json_object(model: TopicModel) -> dict[str, Any]:
    """Nodes and edges of a model, with unrounded numbers.

    ``nodes`` have ``id``, ``kind``, ``label`` and ``leak``. A topic also has ``words`` (its
    automatic name), and if they exist, ``shelf`` (name of its topic group) and what a user has set:
    ``note``, ``hidden``, and ``shown_as`` (the topic that it is part of). ``edges`` have
    ``parent``, ``child`` and ``weight``.
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
    """Content of the JSON file, one node or edge per line."""
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
    if (group := model.topic_group_name(topic)) is not None:
        described["shelf"] = group
    if name in overlay.notes:
        described["note"] = overlay.notes[name]
    if name in overlay.hidden:
        described["hidden"] = True
    if topic in model.shown_as:
        described["shown_as"] = model.network.graph.topic_ids[model.shown_as[topic]]
    return described


def graphml_bytes(model: TopicModel) -> bytes:
    """Content of the GraphML file; `orrery.core.storage.graphs.read_graph` reads it back.

    Raises InputError if a name contains a character that XML, or a word that graph files, cannot
    represent.
    """
    check_words(model.network.graph, model.vocabulary)
    check_names(model)
    file = io.BytesIO()
    nx.write_graphml_xml(digraph(model), file, encoding="utf-8")
    return file.getvalue()


def digraph(model: TopicModel, *, with_bits: bool = False) -> nx.DiGraph:
    """NetworkX graph of the model: topics by their ids, words as ``word:WORD``.

    Nodes have ``kind`` (``topic`` or ``token``), ``label`` and ``leak``, edges ``weight``; see
    `json_object`. With ``with_bits``, edges also have ``bits`` (`arc_strengths`).
    """
    value = json_object(model)
    graph = nx.DiGraph()
    for node in value["nodes"]:
        graph.add_node(node["id"], **{name: node[name] for name in node if name != "id"})
    for edge in value["edges"]:
        graph.add_edge(edge["parent"], edge["child"], weight=edge["weight"])
    if with_bits:
        ends = [(edge["parent"], edge["child"]) for edge in value["edges"]]
        bits = arc_strengths(model.network).bits.tolist()
        nx.set_edge_attributes(graph, dict(zip(ends, bits, strict=True)), "bits")
    return graph


def check_names(model: TopicModel) -> None:
    """Refuse a name with a character that XML cannot represent (InputError)."""
    for name in (*model.network.graph.topic_ids, *model.topic_labels, *model.vocabulary):
        if NOT_IN_XML.search(name):
            raise InputError(
                f"GraphML cannot hold the name {name!r}; choose another format, or rename it"
            )


def csv_files(model: TopicModel, name: str) -> dict[str, bytes]:
    """Content of the file of edges, called ``name``, and of the file of leaks.

    `orrery.core.storage.graphs.read_graph` reads them. Raises InputError if a word cannot be
    written to a graph file.
    """
    network = model.network
    edges, leaks = graph_texts(network.graph, model.vocabulary, network.weight, network.leak)
    return {name: edges.encode(), leak_path(Path(name)).name: (leaks or "").encode()}
