"""Settings that determine the result of a run, and options of a single session."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..storage.edge_lists import Scale
from ..storage.runs import COPIED
from ..structure.guidance import Guidance, guidance_from_values, guidance_to_values
from ..structure.layers import edges_to_begin_with, edges_to_choose_from, layer_sizes
from ..structure.propose import propose_graph, usual_edges
from ..training.options import TrainingOptions
from ..training.structure_learning import split_validation
from ..utils.errors import InputError

# Proposed topics for each topic to be kept, if the Gibbs start chooses among them.
TOPICS_TO_CHOOSE_FROM = 1.25


@dataclass(frozen=True)
class RunSettings:
    """All settings that determine the result; stored in ``config.json`` and reused on resume."""

    corpus: str  # absolute path of the corpus folder
    training: TrainingOptions
    method: str = "dense-regions"  # method that proposes the graph if no file is given
    # File of the initial graph; its weights and leaks are the start values.
    graph_file: str | None = None
    # {"noisy-or", "probability"}: scale of the numbers in that file.
    graph_weights: Scale = "noisy-or"
    guidance: Guidance | None = None  # constraints on the graph and its weights
    # Topics in each layer, from the layer above the words upward; if the structure is learned, the
    # largest total.
    topics: tuple[int, ...] | None = None
    # Largest number of edges; if the structure is learned, of the trained graph.
    edges: int | None = None
    # Propose more edges than are kept; the Gibbs start, which is then required, chooses the best.
    learn_structure: bool = False
    held_out: float = 0.1  # share of the documents in the test set
    held_out_ids: tuple[str, ...] | None = None  # documents of the test set, in place of the share

    def __post_init__(self) -> None:
        """Refuse contradictory settings (InputError)."""
        if self.learn_structure and self.training.start != "gibbs":
            raise InputError("only a Gibbs start learns the structure; choose start gibbs")
        if self.is_learned and (self.topics or self.edges or self.graph_file):
            raise InputError(
                "a structure that is learned has as many topics and edges as the texts need; leave "
                "their numbers and the graph out, or choose a method that proposes the graph"
            )

    @property
    def is_learned(self) -> bool:
        """Whether structure learning adds edges during training (`training.structure_learning`)."""
        return self.training.structure == "learned"


@dataclass(frozen=True)
class Session:
    """Options that do not affect the result of a run."""

    threads: int | None = None
    # Seconds of training in all sessions, after which the run stops.
    time_budget: float | None = None
    # Folder of the lock that lets one run at a time train; None for no queue.
    queue: Path | None = None
    # Called with the latest figures after each step.
    report: Callable[[dict[str, Any]], None] = lambda figures: None
    # Dask cluster for the E-steps, see `core.runs.cluster`; None for this machine.
    cluster: str | None = None
    # Start time of the process in seconds since 1970; None for the start of the session.
    begun: float | None = None


def proposing_rows(
    settings: RunSettings, corpus: Corpus, rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Training documents from which the initial graph is proposed.

    In structure learning, the validation set is left out: otherwise the comparison of two graphs
    would favour the one that was proposed from it.
    """
    if not settings.is_learned:
        return rows
    seed = settings.training.structure_seed
    return split_validation(rows, seed, corpus.document_of_passage).train


def propose(settings: RunSettings, corpus: Corpus, rows: npt.NDArray[np.int64]) -> Graph:
    """Initial graph for the training documents ``rows``, if no file gives one."""
    known = corpus.subset(proposing_rows(settings, corpus, rows))
    return propose_graph(
        known,
        method=settings.method,
        topics=proposed_topics(settings, known.n_tokens, len(rows)),
        edges=proposed_edges(settings, known.n_tokens, len(known.token_idx)),
        seed=settings.training.seed,
    )


def proposed_edges(settings: RunSettings, n_tokens: int, n_words: int) -> int | None:
    """Edge budget of the proposed graph, larger than the final budget if the structure is learned.

    ``n_tokens`` is the size of the vocabulary, ``n_words`` the number of tokens in all training
    documents. Raises InputError if the final budget is less than one edge for each word.
    """
    if settings.is_learned:
        return edges_to_begin_with(n_tokens, n_words)
    if not settings.learn_structure:
        return settings.edges
    edges = settings.edges or usual_edges(n_tokens, 0)
    if edges < n_tokens:
        raise InputError(f"{edges} edges cannot reach all {n_tokens} words; allow more")
    return None if settings.method == "complete" else edges_to_choose_from(edges, n_words)


def proposed_topics(
    settings: RunSettings, n_tokens: int, n_documents: int
) -> tuple[int, ...] | None:
    """Topics in each layer of the proposed graph: a quarter more than requested for a Gibbs start.

    No layer becomes larger than the layer below it, which not every method could fill. Structure
    learning begins with one layer.
    """
    if settings.is_learned:
        return layer_sizes(n_tokens, n_documents, None)[:1]
    if not settings.learn_structure or settings.topics is None:
        return settings.topics
    sizes: list[int] = []
    for size in settings.topics:
        below = sizes[-1] if sizes else n_tokens
        sizes.append(max(size, min(math.ceil(TOPICS_TO_CHOOSE_FROM * size), below)))
    return tuple(sizes)


def training_options(settings: RunSettings, graph: Graph) -> TrainingOptions:
    """Options of a run for its initial graph."""
    if not settings.learn_structure:
        return settings.training
    edges = settings.edges or usual_edges(graph.n_tokens, graph.n_topics)
    topics = None if settings.topics is None else sum(settings.topics)
    return replace(settings.training, most_edges=edges, most_topics=topics)


def settings_for_config(settings: RunSettings) -> dict[str, Any]:
    """Settings as values for ``config.json``, without the corpus, which is stored beside them."""
    values = asdict(settings)
    del values["corpus"]
    if settings.guidance is not None:
        values["guidance"] = guidance_to_values(settings.guidance)
    return values


def settings_from_config(config: Mapping[str, Any]) -> RunSettings:
    """Settings of an earlier session from ``config.json``.

    Raises InputError if the file was changed.
    """
    try:
        values = {**config["settings"], "corpus": config["corpus"]}
        values.pop(COPIED, None)
        training = _of_its_version(values["training"])
        values["training"] = TrainingOptions(**_checked(training, TrainingOptions))
        if values.get("guidance") is not None:
            values["guidance"] = guidance_from_values(values["guidance"])
        return RunSettings(**_checked(values, RunSettings))
    except (KeyError, TypeError, ValueError):
        raise InputError(
            "the run's config.json is not as it was written; start the run anew"
        ) from None


def _of_its_version(training: Any) -> Any:
    """Options of a run of an earlier version, with the defaults of that version."""
    if not isinstance(training, dict):
        return training
    # One seed decided everything.
    if "structure_seed" not in training and "seed" in training:
        training = {**training, "structure_seed": training["seed"]}
    if "leave_one_out" in training:
        return training
    silent = training.get("start") == "gibbs" and training.get("weight_penalty") is None
    return {**training, "leave_one_out": False} | ({"weight_penalty": 1.0} if silent else {})


def _checked(values: Any, carrier: type[Any]) -> dict[str, Any]:
    """JSON values for the fields of a dataclass after a check of their types; lists as tuples."""
    if not isinstance(values, dict):
        raise TypeError(f"got {values!r}")
    kinds = get_type_hints(carrier)
    for name, value in values.items():
        if not _is_of_kind(value, kinds[name]):
            raise ValueError(f"{name} is {value!r}")
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def _is_of_kind(value: Any, kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return any(_is_of_kind(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is tuple:
        return isinstance(value, list) and all(_is_of_kind(item, parts[0]) for item in value)
    if kind is float:
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    return type(value) is kind
