"""The start of a run: graph, split, start values, and constraints from guidance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data.corpus import Corpus, split_held_out
from ..model.graph import Graph
from ..model.network import StartValues
from ..storage.checkpoints import Split, load_given, load_start, save_start
from ..storage.graphs import read_graph
from ..structure.constraints import UNCONSTRAINED, Constraints, constraints_of
from ..structure.guidance import spelled
from ..structure.guided import guide
from ..structure.layers import PROPOSED_ID
from ..structure.pruning import check_budget
from .recorder import RunLog
from .settings import RunSettings, propose, proposing_rows, training_options


@dataclass(frozen=True)
class Start:
    """Graph, split and constraints at the beginning of a session."""

    graph: Graph
    split: Split
    constraints: Constraints  # constraints from guidance
    named: frozenset[str]  # ids of topics that a user named


def read_start_graph(
    settings: RunSettings, corpus: Corpus, run_log: RunLog
) -> tuple[Graph, StartValues | None]:
    """Graph of a file, with its weights and leaks; the log records which of them are used.

    Raises InputError if the file is not a graph over the vocabulary of the corpus.
    """
    assert settings.graph_file is not None
    graph, weight, leak = read_graph(settings.graph_file, corpus.vocabulary, settings.graph_weights)
    name = Path(settings.graph_file).name
    taken = [f"the weights of all {graph.n_edges} edges"] if weight is not None else []
    taken += [f"the leaks of all {graph.n_nodes} nodes"] if leak is not None else []
    if not taken:
        run_log.add_line(f"{name} has no weights and no leaks; training starts at random ones")
        return graph, None
    run_log.add_line(f"training starts from {' and '.join(taken)} of {name}")
    return graph, StartValues(
        weight=np.full(graph.n_edges, np.nan) if weight is None else weight,
        leak=np.full(graph.n_nodes, np.nan) if leak is None else leak,
    )


def begin_with(settings: RunSettings, corpus: Corpus, graph: Graph, split: Split) -> Start:
    """Start of a session; topics are named in the graph file or by seeds of the guidance."""
    named = {name for name, _ in settings.guidance.seeds} if settings.guidance else set()
    if settings.graph_file is not None:
        named.update(name for name in graph.topic_ids if not PROPOSED_ID.fullmatch(name))
    constraints = _constraints(settings, corpus, graph)
    return Start(graph, split, constraints, frozenset(named))


def _constraints(settings: RunSettings, corpus: Corpus, graph: Graph) -> Constraints:
    if settings.guidance is None:
        return UNCONSTRAINED
    guidance = spelled(settings.guidance, corpus.token_number)
    return constraints_of(guidance, graph, corpus.token_number)


def prepare(
    run_log: RunLog, settings: RunSettings, corpus: Corpus, same_graph_as: Path | None = None
) -> tuple[Graph, Split]:
    """Graph and split of the run, created in the first session and read in later ones.

    A graph from a file, with the additions of the guidance, is taken from the run
    ``same_graph_as`` if it is given: the file may have changed since that run began.

    Raises InputError if the settings are not valid; nothing is stored then, because it could not be
    changed.
    """
    folder, seed, given = run_log.folder, settings.training.seed, None
    if (folder / "start.npz").is_file():
        return load_start(folder, corpus)
    split = Split(*split_held_out(corpus, settings.held_out, seed, settings.held_out_ids))
    begun = same_graph_as if settings.graph_file is not None else None
    if begun is not None:
        graph, _ = load_start(begun, corpus)
        given = load_given(begun, graph)
    elif settings.graph_file is not None:
        graph, given = read_start_graph(settings, corpus, run_log)
    else:
        graph = propose(settings, corpus, split.train)
    if settings.guidance is not None and begun is None:
        known = corpus.subset(proposing_rows(settings, corpus, split.train))
        graph, given, _ = guide(graph, settings.guidance, known, given)
    most = training_options(settings, graph).most_edges
    if most is not None:
        check_budget(graph, most, _constraints(settings, corpus, graph))
    save_start(folder, graph, split, corpus, given)
    return graph, split
