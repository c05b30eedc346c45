"""A model as the two CSV files of a graph: edges with weights, and leaks."""

from __future__ import annotations

from pathlib import Path

from orrery.core.model import TopicModel
from orrery.core.storage.graphs import graph_texts, leak_path


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
