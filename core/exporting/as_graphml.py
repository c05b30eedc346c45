"""A model as GraphML, for Gephi, yEd and NetworkX, and to be read back with ``--graph``."""

from __future__ import annotations

import io
import re

import networkx as nx

from orrery.core.errors import InputError
from orrery.core.exporting.as_json import json_object
from orrery.core.model import TopicModel
from orrery.core.storage.graphs import check_words

# XML 1.0 has no way to write these.
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    `orrery.core.exporting.as_json.json_object`.
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
