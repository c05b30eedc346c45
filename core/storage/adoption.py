"""Adopt: a weighted graph from elsewhere becomes a model, with nothing trained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data.recipe import matrix_recipe
from ..model.default_leaks import TOPIC_LEAK, WORD_LEAK
from ..model.graph import Graph
from ..model.network import Network, build_network
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .atomic import check_free, new_folder
from .edge_lists import Scale
from .graphs import read_whole_graph
from .models import save_model
from .runs import write_config, write_status


@dataclass(frozen=True)
class Leaks:
    """Leaks of the nodes of a graph file that has none, as noisy-OR weights; None for the default.

    Attributes
    ----------
    topic, word : float or None
    """

    topic: float | None = None
    word: float | None = None


def adopt_graph(
    path: Path, folder: Path, scale: Scale = "noisy-or", leaks: Leaks | None = None
) -> Network:
    """Make a run folder with a model of a weighted graph file, see `read_whole_graph`.

    Its words are what a query is searched for, the longest match first; its topics keep the names
    that they have in the file.

    Parameters
    ----------
    path : Path
    folder : Path
        Made whole or not at all.
    scale : {"noisy-or", "probability"}
        Of the numbers in the file.
    leaks : Leaks, optional
        For a file that brings none.

    Raises
    ------
    InputError
        If the file is no such graph, has no weights, or has leaks where others are asked for; or
        if there is something at ``folder`` already.
    """
    check_free(folder)
    vocabulary, graph, weight, leak = read_whole_graph(path, scale)
    if weight is None:
        raise InputError(
            f"{path.name} has no weights; add a column weight, or train the graph on a corpus"
        )
    asked = leaks or Leaks()
    if leak is not None and asked != Leaks():
        raise InputError(f"{path.name} brings its own leaks; give no others")
    network = build_network(graph, weight, _leaks(graph, asked) if leak is None else leak)
    with new_folder(folder) as partial:
        write_config(partial, None, {"adopted": path.name, "weights": scale})
        summary = {"epochs": 0.0, "documents": 0, "held_out": None}
        model = partial / "model"
        words = (vocabulary, matrix_recipe())
        save_model(model, network, *words, summary, named=graph.topic_ids)
        write_status(partial, "finished", f"Adopted from {path.name}; nothing was trained.")
    return network


def _leaks(graph: Graph, asked: Leaks) -> FloatArray:
    topic = TOPIC_LEAK if asked.topic is None else asked.topic
    word = WORD_LEAK if asked.word is None else asked.word
    return np.repeat([topic, word], [graph.n_topics, graph.n_tokens])
