"""Exports for other programs contain the whole model, and can be read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from orrery.core.drawing.svg import NOT_IN_XML
from orrery.core.export.graph_data import csv_files, graphml_bytes, json_bytes, node_ids
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import TopicGroups
from orrery.core.model.topic_model import TopicModel
from orrery.core.storage.graphs import read_graph
from orrery.core.utils.errors import InputError
from tests.core.export.models import EVIL, models, sample
from tests.core.storage.test_graphs import named


def assert_same(model: TopicModel, path: Path) -> None:
    """The file reads back to the same graph, weights and leaks."""
    graph, weight, leak = read_graph(path, model.vocabulary)
    assert leak is not None
    expected = model.network.graph
    if weight is None:
        # A GraphML file without edges has no weights to be found in it.
        weight = np.empty(0)
        assert not expected.n_edges
    assert named(graph, model.vocabulary, weight) == named(
        expected, model.vocabulary, model.network.weight
    )
    before = dict(zip(expected.topic_ids, model.network.leak, strict=False))
    assert dict(zip(graph.topic_ids, leak, strict=False)) == before
    np.testing.assert_array_equal(leak[graph.n_topics :], model.network.leak[expected.n_topics :])


@given(models())
def test_csv_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, model: TopicModel
) -> None:
    folder = tmp_path_factory.mktemp("export")
    for name, data in csv_files(model, "g.csv").items():
        (folder / name).write_bytes(data)
    assert_same(model, folder / "g.csv")


@given(models())
def test_graphml_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, model: TopicModel
) -> None:
    path = tmp_path_factory.mktemp("export") / "g.graphml"
    path.write_bytes(graphml_bytes(model))
    assert_same(model, path)


@given(models())
def test_json_has_every_node_and_edge_unrounded(model: TopicModel) -> None:
    value = json.loads(json_bytes(model))
    graph, network = model.network.graph, model.network
    ids = [node["id"] for node in value["nodes"]]
    assert len(set(ids)) == len(ids) == graph.n_nodes
    assert ids[: graph.n_topics] == list(graph.topic_ids)
    assert [node["leak"] for node in value["nodes"]] == network.leak.tolist()
    topics, tokens = value["nodes"][: graph.n_topics], value["nodes"][graph.n_topics :]
    assert {node["kind"] for node in topics} == {"topic"}
    assert [(node["kind"], node["label"]) for node in tokens] == [
        ("token", word) for word in model.vocabulary
    ]
    number = {name: place for place, name in enumerate(ids)}
    assert [number[edge["parent"]] for edge in value["edges"]] == graph.parent_idx.tolist()
    assert [number[edge["child"]] for edge in value["edges"]] == graph.edge_children().tolist()
    assert [edge["weight"] for edge in value["edges"]] == network.weight.tolist()


@given(models())
def test_edits_are_in_the_data_and_hide_nothing(model: TopicModel) -> None:
    for node in json.loads(json_bytes(model))["nodes"]:
        if node["kind"] == "topic":
            assert node.get("hidden", False) == (node["id"] in model.overlay.hidden)
            if node["id"] in model.overlay.labels:
                assert node["label"] == EVIL
            else:
                assert node["label"] == node["words"]


def test_a_merge_is_reported() -> None:
    value = json.loads(json_bytes(sample(Overlay(merged={"L1.1": "L1.2"}))))
    reported = {node["id"]: node["shown_as"] for node in value["nodes"] if "shown_as" in node}
    assert reported == {"L1.1": "L1.2"}
    # A topic that is gone is nothing to be shown as.
    gone = json.loads(json_bytes(sample(Overlay(merged={"L1.1": "L9.9"}))))
    assert not [node for node in gone["nodes"] if "shown_as" in node]


def test_the_group_of_a_topic_is_reported() -> None:
    run = sample()
    of = np.arange(run.network.graph.n_topics) % 3 - 1
    run = replace(run, topic_groups=TopicGroups(of, ((0, 1), (2,))))
    nodes = json.loads(json_bytes(run))["nodes"]
    reported = [node.get("shelf", "") for node in nodes if node["kind"] == "topic"]
    # That of the topic at its head.
    head = np.arange(len(of))
    while (run.main_parents[head] >= 0).any():
        head = np.where(run.main_parents[head] >= 0, run.main_parents[head], head)
    assert reported == [("", *run.topic_group_names)[group + 1] for group in of[head]]
    assert len({*reported}) == 3


def test_ids_stay_apart_when_a_topic_is_called_like_a_token() -> None:
    graph = sample().network.graph
    from dataclasses import replace

    odd = replace(graph, topic_ids=("word:a", *graph.topic_ids[1:]))
    ids = node_ids(odd, ["a"] + [f"w{n}" for n in range(graph.n_tokens - 1)])
    assert len(set(ids)) == graph.n_nodes


@pytest.mark.parametrize("letter", ["\x00", "\x0b", "\ud800", "\uffff"])
def test_what_xml_cannot_hold_is_refused(letter: str) -> None:
    assert NOT_IN_XML.search(letter)
    model = sample(Overlay({"L1.1": f"a{letter}b"}))
    with pytest.raises(InputError, match="GraphML cannot hold the name 'a"):
        graphml_bytes(model)
