"""``orrery split``: split a topic of a model into two, and write the graph to train on."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a trained run")
    parser.add_argument("topic", metavar="TOPIC", help="id of the topic, or its name")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="GRAPH.csv", help="file to write"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Split the topic, write the graph with weights and leaks, and print the two new topics."""
    from ...core.model.topic_names import topic_labels
    from ...core.storage.continuation import split_run
    from ...core.storage.graphs import write_graph
    from ...core.storage.runs import load_run
    from .structure_command import check_out

    check_out(chosen.out, chosen.force)
    trained = load_run(chosen.run)
    topic = _find_topic(trained, chosen.topic)
    network = split_run(trained, topic, chosen.seed)
    write_graph(chosen.out, network.graph, trained.vocabulary, network.weight, network.leak)
    halves = set(network.graph.topic_ids) - set(trained.network.graph.topic_ids)
    labels = topic_labels(network, trained.vocabulary)
    into = [
        {"id": code, "label": label}
        for code, label in zip(network.graph.topic_ids, labels, strict=True)
        if code in halves
    ]
    split = trained.network.graph.topic_ids[topic]
    if not chosen.json:
        named = " and ".join(f"{half['id']} ({half['label']})" for half in into)
        print(f"{chosen.out}: {split} became {named}")
        print("Train on it: " + _next_command(trained, chosen.out))
        if trained.config["settings"].get("guidance"):
            print("The guidance that this run was given is not repeated.")
    return {"split": split, "into": into}


def _next_command(run: Run, graph: Path) -> str:
    """Command that trains on the graph and holds out the same documents as the run."""
    from ...core.storage.continuation import continuation_options

    settings = run.config["settings"]
    given = ["orrery", "train", str(run.corpus_path), "--graph", str(graph), "--out", "RUN"]
    given += continuation_options(run)
    if settings.get("held_out_ids") is not None:
        given += ["--held-out-ids", "FILE"]
    else:
        given += ["--held-out", str(settings["held_out"])]
    return shlex.join(given)


def _find_topic(run: Run, name: str) -> int:
    """Number of the topic with an id or a unique name (InputError if not found)."""
    ids = run.network.graph.topic_ids
    if name in ids:
        return ids.index(name)
    found = [topic for topic, label in enumerate(run.topic_labels) if label == name]
    if len(found) != 1:
        many = "several topics have" if found else "no topic has"
        raise InputError(f"{many} the name {name!r}; give the id, as `orrery infer` shows it")
    return found[0]
