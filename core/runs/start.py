"""Where a run starts from: weights out of a graph file, and what guidance keeps as it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..data.corpus import Corpus, split_held_out
from ..model.graph import Graph
from ..model.network import StartValues
from ..storage.checkpoints import Split, load_given, load_start, save_start
from ..storage.graphs import read_graph
from ..structure.constraints import Constraints, constraints_of
from ..structure.guidance import spelled
from ..structure.guided import guide
from ..structure.layers import PROPOSED_ID
from ..structure.pruning import check_budget
from ..training.state import TrainingState
from ..training.train import initial_state
from .recorder import RunLog
from .settings import RunSettings, propose, proposing_rows, training_options


@dataclass(frozen=True)
class Start:
    """What a run begins with.

    Attributes
    ----------
    graph : Graph
    split : Split
    constraints : Constraints or None
        What guidance keeps as it is.
    named : frozenset of str
        Ids of topics that a person named.
    """

    graph: Graph
    split: Split
    constraints: Constraints | None
    named: frozenset[str]


def read_start_graph(
    settings: RunSettings, corpus: Corpus, run_log: RunLog
) -> tuple[Graph, StartValues | None]:
    """Graph of a file, with the weights and leaks that it has; the log says what was taken.

    Raises
    ------
    InputError
        If the file is no graph over the corpus's vocabulary.
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


def first_state(
    folder: Path, graph: Graph, corpus: Corpus, split: Split, seed: int
) -> TrainingState | None:
    """State to start from where weights are given; None leaves it to training.

    Raises
    ------
    InputError
        If what the run was given cannot be read.
    """
    given = load_given(folder, graph)
    if given is None:
        return None
    return initial_state(graph, corpus, split.train, seed, given)


def begin_with(settings: RunSettings, corpus: Corpus, graph: Graph, split: Split) -> Start:
    """What a session needs of the run's beginning, the same each time it is taken up."""
    constraints = _constraints(settings, corpus, graph)
    return Start(graph, split, constraints, _topics_named(settings, graph))


def _constraints(settings: RunSettings, corpus: Corpus, graph: Graph) -> Constraints | None:
    if settings.guidance is None:
        return None
    guidance = spelled(settings.guidance, corpus.token_number)
    return constraints_of(guidance, graph, corpus.token_number)


def _topics_named(settings: RunSettings, graph: Graph) -> frozenset[str]:
    """Ids of the topics that a person named, in a graph file or as seeds."""
    seeds = settings.guidance.seeds if settings.guidance else ()
    names = {name for name, _ in seeds}
    if settings.graph_file is not None:
        names.update(name for name in graph.topic_ids if not PROPOSED_ID.fullmatch(name))
    return frozenset(names)


def prepare(run_log: RunLog, settings: RunSettings, corpus: Corpus) -> tuple[Graph, Split]:
    """Graph and split of the run: made once, read back ever after.

    Raises
    ------
    InputError
        If the settings cannot be followed: before anything is stored, or they would be for good.
    """
    folder, seed, given = run_log.folder, settings.training.seed, None
    if (folder / "start.npz").is_file():
        return load_start(folder, corpus)
    split = Split(*split_held_out(corpus, settings.held_out, seed, settings.held_out_ids))
    if settings.graph_file is not None:
        graph, given = read_start_graph(settings, corpus, run_log)
    else:
        graph = propose(settings, corpus, split.train)
    if settings.guidance is not None:
        known = corpus.subset(proposing_rows(settings, split.train))
        graph, given, _ = guide(graph, settings.guidance, known, given)
    most = training_options(settings, graph).most_edges
    if most is not None:
        check_budget(graph, most, _constraints(settings, corpus, graph))
    save_start(folder, graph, split, corpus, given)
    return graph, split
