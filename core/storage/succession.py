"""What comes after a run: training that goes on from its model, on the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from scipy import sparse

from core.network import Network
from core.storage.atomic import write_text
from core.storage.checkpoints import load_start
from core.storage.corpora import load_corpus
from core.storage.graphs import write_graph
from core.storage.overlay import Overlay, write_overlay
from core.storage.runs import Run
from core.structure.splitting import split_topic
from core.training_options import TrainingOptions

GRAPH_FILE, HELD_OUT_FILE = "graph.csv", "held_out.txt"
# Of the earlier training; what comes before its steps, and how many there were, is not repeated.
KEPT = ("seed", "bound", "scope", "optimizer", "accuracy")


def split_run(run: Run, topic: int, seed: int = 0) -> Network:
    """Network of a run with two topics in the place of one, by the documents it was trained on.

    What is held out judges the next run too, where it holds out the same.

    Parameters
    ----------
    run : Run
    topic : int
    seed : int

    Raises
    ------
    InputError
        If the corpus is gone or another, or nothing tells the words of the topic apart.
    """
    corpus = load_corpus(run.corpus_path)
    _, documents = load_start(run.folder, corpus)
    presence = sparse.csr_array(corpus.to_csr())[documents.train]
    return split_topic(run.network, presence, topic, seed)


def held_out_ids(run: Run) -> Sequence[str] | None:
    """Ids of the documents that a run was told to hold out, None where it chose them itself."""
    ids: Sequence[str] | None = run.config["settings"].get("held_out_ids")
    return ids


def settings_to_go_on(run: Run) -> list[str]:
    """Options of ``orrery train`` with which it goes on as a run was trained.

    They hold out the same documents, except for those named in a file (`held_out_ids`).
    """
    settings = run.config["settings"]
    known = {field.name for field in fields(TrainingOptions)}
    training: dict[str, Any] = settings.get("training", {})
    options = TrainingOptions(**{name: training[name] for name in known & training.keys()})
    given = {name: getattr(options, name) for name in KEPT if name in training}
    if options.bound == "jensen":
        given.pop("accuracy", None)
    if options.optimizer == "adam":
        # Both depend on how a run starts where they are not given, and the next starts otherwise.
        given |= {"learning_rate": options.rate, "weight_penalty": options.penalty}
    if held_out_ids(run) is None and "held_out" in settings:
        given["held_out"] = settings["held_out"]
    pairs = ((f"--{name.replace('_', '-')}", str(value)) for name, value in given.items())
    return [word for pair in pairs for word in pair]


def write_successor(folder: Path, run: Run, network: Network) -> list[str]:
    """Put into the folder of a new run what it starts from.

    Parameters
    ----------
    folder : Path
        Of the new run.
    run : Run
        The one before; what a person said about its topics is said of the new ones too.
    network : Network
        Graph, weights and leaks to start from, over the same words.

    Returns
    -------
    list of str
        Options of ``orrery train``, besides the corpus and the folder.
    """
    write_graph(folder / GRAPH_FILE, network.graph, run.vocabulary, network.weight, network.leak)
    options = ["--graph", str(folder / GRAPH_FILE), *settings_to_go_on(run)]
    ids = held_out_ids(run)
    if ids is not None:
        write_text(folder / HELD_OUT_FILE, "".join(f"{name}\n" for name in ids))
        options += ["--held-out-ids", str(folder / HELD_OUT_FILE)]
    if run.overlay != Overlay():
        (folder / "model").mkdir()
        write_overlay(folder / "model", run.overlay)
    return options
