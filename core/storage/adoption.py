"""Adoption of a weighted graph: conversion of its file to a model, without training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data.recipe import matrix_recipe
from ..model.default_leaks import TOPIC_LEAK, WORD_LEAK
from ..model.network import Network, build_network
from ..utils.errors import InputError
from .atomic import check_free, new_folder
from .edge_lists import Scale
from .graphs import read_whole_graph
from .models import save_model
from .runs import write_config, write_status


@dataclass(frozen=True)
class Leaks:
    """Leaks for a graph file without leaks, as noisy-OR weights; None for the default."""

    topic: float | None = None
    word: float | None = None


def adopt_graph(
    path: Path, folder: Path, scale: Scale = "noisy-or", leaks: Leaks | None = None
) -> Network:
    """Create a run folder whose model has the graph and weights of a file (`read_whole_graph`).

    Queries are matched with the names of the words in the file, the longest first. Topics keep
    their names.
    ``folder`` is created as a whole or not at all, ``scale`` is that of the numbers in the file,
    and ``leaks`` are only for a file without leaks. Raises InputError if the file is not such a
    graph, has no weights, or has leaks although ``leaks`` are given; or if ``folder`` is not free.
    """
    check_free(folder)
    vocabulary, graph, weight, leak = read_whole_graph(path, scale)
    if weight is None:
        raise InputError(
            f"{path.name} has no weights; add a column weight, or train the graph on a corpus"
        )
    chosen = leaks or Leaks()
    if leak is None:
        topic = TOPIC_LEAK if chosen.topic is None else chosen.topic
        word = WORD_LEAK if chosen.word is None else chosen.word
        leak = np.repeat([topic, word], [graph.n_topics, graph.n_tokens])
    elif chosen != Leaks():
        raise InputError(f"{path.name} brings its own leaks; give no others")
    network = build_network(graph, weight, leak)
    with new_folder(folder) as partial:
        write_config(partial, None, {"adopted": path.name, "weights": scale})
        summary = {"epochs": 0.0, "documents": 0, "held_out": None}
        model = partial / "model"
        save_model(model, network, vocabulary, matrix_recipe(), summary, named=graph.topic_ids)
        write_status(partial, "finished", f"Adopted from {path.name}; nothing was trained.")
    return network
