"""A model as one JSON object: every node and every edge, numbers unrounded."""

from __future__ import annotations

import json
from typing import Any

from orrery.core.exporting.nodes import node_ids
from orrery.core.model import TopicModel

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
