"""Weighted graphs that a person uploads, which become models without training."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from ...core.model.terms import Terms
from ...core.storage.adoption import Leaks, adopt_graph
from ...core.storage.atomic import write_bytes
from ...core.storage.edge_lists import Scale
from ...core.storage.graphs import graph_notes, leak_path, read_whole_graph
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import runs as jobs


@dataclass(frozen=True)
class GraphSize:
    """Size of a graph file, whether it has rates, and what is assumed when it is read."""

    topics: int
    words: int
    links: int
    has_rates: bool
    notes: tuple[str, ...] = ()


def graph_size(path: Path, scale: Scale) -> GraphSize:
    """Size of the graph in a file; `InputError` if it is not a graph with weights."""
    _, graph, weight, leak = read_whole_graph(path, scale)
    if weight is None:
        raise InputError(f"{path.name} has no weights; add a column weight")
    sizes = graph.n_topics, graph.n_tokens, graph.n_edges
    return GraphSize(*sizes, leak is not None, graph_notes(path))


@writer
def keep_rates(path: Path, rates: bytes) -> None:
    """Write a file of rates beside an uploaded graph."""
    write_bytes(leak_path(path), rates)


@writer
def drop_rates(path: Path) -> None:
    """Remove the file of rates beside an uploaded graph."""
    leak_path(path).unlink(missing_ok=True)


@writer
def adopt(
    workspace: Path, path: Path, name: str, scale: Scale, rate: float | None, terms: Terms
) -> Path:
    """Make a model from a graph file and return the folder of its run.

    Parameters
    ----------
    name : str
        Name of the model; a number is added if it is taken or was the name of a deleted model.
    rate : float or None
        Probability of every topic without a rate of its own, above 0 and below 1; None if the file
        has rates for all topics.

    Raises
    ------
    InputError
        If the file is not such a graph, or the name has no letter or digit.
    """
    if not jobs.as_folder(name):
        raise InputError("give the model a name")
    leaks = Leaks(topic=None if rate is None else -math.log1p(-rate))
    with jobs.whole_run(workspace / "runs", name) as folder:
        adopt_graph(path, folder, scale, leaks, terms)
    return folder
