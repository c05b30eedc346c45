"""``orrery split``: the graph that it writes can be trained on, and mistakes are one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from orrery.core.storage.graphs import read_graph
from orrery.core.storage.runs import load_run
from tests.core.small_runs import begin_otherwise


def splittable(run):
    """Ids of topics, those with the most children first."""
    graph = run.network.graph
    order = np.argsort(-np.diff(graph.child_ptr), kind="stable")
    return [graph.topic_ids[topic] for topic in order]


def test_the_graph_with_two_topics_for_one_is_trained_on(
    orrery, run_folder: Path, corpus_folder: Path, tmp_path: Path
) -> None:
    run = load_run(run_folder)
    out = tmp_path / "graph.csv"
    topic = splittable(run)[0]
    done = orrery("split", run_folder, topic, "--out", out, "--json")
    assert done.code == 0, done.err
    reported = json.loads(done.out)
    assert reported["split"] == topic
    graph, weight, leak = read_graph(out, run.vocabulary)
    halves = {half["id"] for half in reported["into"]}
    assert set(graph.topic_ids) == set(run.network.graph.topic_ids) - {topic} | halves
    assert len(halves) == 2
    assert weight is not None
    assert leak is not None
    trained = tmp_path / "again"
    assert orrery("train", corpus_folder, "--graph", out, "--out", trained, "--epochs", 1).code == 0
    assert halves <= set(load_run(trained).network.graph.topic_ids)


def test_a_topic_is_found_by_its_name_too(orrery, run_folder: Path, tmp_path: Path) -> None:
    run = load_run(run_folder)
    topic = run.network.graph.topic_ids.index(splittable(run)[0])
    name = run.topic_labels[topic]
    assert run.topic_labels.count(name) == 1
    done = orrery("split", run_folder, name, "--out", tmp_path / "graph.csv")
    assert done.code == 0
    assert run.network.graph.topic_ids[topic] in done.out
    assert "orrery train" in done.out
    assert "guidance" not in done.out


def test_guidance_that_is_not_repeated_is_mentioned(
    orrery, run_folder: Path, tmp_path: Path
) -> None:
    begin_otherwise(run_folder, guidance={"seeds": {"space": ["orbit"]}})
    topic = splittable(load_run(run_folder))[0]
    done = orrery("split", run_folder, topic, "--out", tmp_path / "graph.csv")
    assert "The guidance that this run was given is not repeated." in done.out


def test_an_existing_graph_is_replaced_only_if_that_is_requested(
    orrery, refused, run_folder: Path, corpus_folder: Path, tmp_path: Path
) -> None:
    topic = splittable(load_run(run_folder))[0]
    commands = ("structure", corpus_folder, "--topics", "4,2"), ("split", run_folder, topic)
    for name in ("graph.csv", "graph.leaks.csv"):
        before = "parent,child\nx,y\n" if name == "graph.csv" else "node,leak\nx,1\n"
        for command in commands:
            given = (*command, "--out", tmp_path / "graph.csv")
            (tmp_path / name).write_text(before)
            assert f"{name} exists already" in refused(*given)
            assert [path.name for path in tmp_path.iterdir()] == [name]
            assert (tmp_path / name).read_text() == before
            assert orrery(*given, "--force").code == 0
            assert (tmp_path / "graph.csv").read_text() != before
            for path in tmp_path.iterdir():
                path.unlink()


@pytest.mark.parametrize(
    ("topic", "out", "shown_text"),
    [("nothing of the sort", "graph.csv", "no topic has the name"), ("", "graph.txt", "CSV")],
)
def test_mistakes_are_one_line_and_nothing_is_written(
    refused, run_folder: Path, tmp_path: Path, topic: str, out: str, shown_text: str
) -> None:
    assert shown_text in refused("split", run_folder, topic, "--out", tmp_path / out)
    assert not (tmp_path / out).exists()
