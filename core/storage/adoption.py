"""Adoption of a weighted graph: conversion of its file to a model, without training."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data.recipe import matrix_recipe
from ..model.default_leaks import TOPIC_LEAK, WORD_LEAK
from ..model.graph import Graph
from ..model.network import Network, build_network
from ..model.terms import Terms, singular_of, terms_to_values
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .atomic import check_free, new_folder
from .edge_lists import Scale
from .graphs import GRAPH_SUFFIXES, read_whole_graph, weighted_list_columns
from .models import save_model
from .runs import write_config, write_status

# Key in the summary of a model: leaks that every topic, or every word, has by assumption.
ASSUMED = "assumed_leaks"


@dataclass(frozen=True)
class Leaks:
    """Leaks of the nodes to which the file gives none, as noisy-OR weights.

    None for the default, if the file has no leak of the kind at all.
    """

    topic: float | None = None
    word: float | None = None


def adopt_graph(
    path: Path,
    folder: Path,
    scale: Scale = "noisy-or",
    leaks: Leaks | None = None,
    terms: Terms | None = None,
) -> Network:
    """Create a run folder whose model has the graph and weights of a file (`read_whole_graph`).

    Queries are matched with the names of the words in the file, the longest first. Topics keep
    their names. The summary of the model states the leaks that were assumed, and its ``terms``.
    ``folder`` is created as a whole or not at all, and ``scale`` is the scale of the numbers
    in the file. Raises InputError if the file is not such a graph, has no weights, lacks the leaks
    of single nodes, or has leaks although ``leaks`` are given; or if ``folder`` is not free.
    """
    check_free(folder)
    vocabulary, graph, weight, found = read_whole_graph(path, scale)
    if weight is None:
        raise InputError(
            f"{path.name} has no weights; add a column weight, or train the graph on a corpus"
        )
    if not all(name.strip() for name in graph.topic_ids):
        raise InputError(f"{path.name} has a topic without a name; write one, or remove its rows")
    leak, assumed = _with_assumed(path, graph, vocabulary, found, leaks or Leaks())
    network = build_network(graph, weight, leak)
    with new_folder(folder) as partial:
        write_config(partial, None, {"adopted": path.name, "weights": scale})
        summary: dict[str, Any] = {"epochs": 0.0, "documents": 0, "held_out": None}
        if assumed:
            summary[ASSUMED] = assumed
        if terms not in (None, Terms()):
            summary["terms"] = terms_to_values(terms)
        model = partial / "model"
        save_model(model, network, vocabulary, matrix_recipe(), summary, named=graph.topic_ids)
        write_status(partial, "finished", f"Adopted from {path.name}; nothing was trained.")
    return network


def _with_assumed(
    path: Path,
    graph: Graph,
    vocabulary: tuple[str, ...],
    found: FloatArray | None,
    given: Leaks,
) -> tuple[FloatArray, dict[str, float]]:
    """Leaks of all nodes, and the leaks that all topics or all words have by assumption."""
    leak = np.full(graph.n_nodes, np.nan) if found is None else found.copy()
    names, n_topics = (*graph.topic_ids, *vocabulary), graph.n_topics
    assumed: dict[str, float] = {}
    for kind, span, value, default in (
        ("topic", slice(0, n_topics), given.topic, TOPIC_LEAK),
        ("word", slice(n_topics, None), given.word, WORD_LEAK),
    ):
        part, is_missing = leak[span], np.isnan(leak[span])
        if not is_missing.any():
            if value is not None:
                raise InputError(f"{path.name} brings its own leaks of {kind}s; give no others")
            continue
        if is_missing.all() and (kind == "word" or found is None or value is not None):
            assumed[kind] = default if value is None else value
        elif value is None:
            missing = names[span][int(np.argmax(is_missing))]
            raise InputError(
                f"the leaks leave out {missing!r}; give every {kind} one, or none, or choose one "
                f"for the others with --{kind}-leak"
            )
        part[is_missing] = default if value is None else value
    return leak, assumed


def is_weighted_graph(path: Path) -> bool:
    """Whether a file looks like a graph that `adopt_graph` reads, from its beginning."""
    if path.suffix.lower() in GRAPH_SUFFIXES:
        return True
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        return False
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            header = {cell.strip().strip('"').lower() for cell in lines.readline(1000).split(",")}
    except OSError:
        return False
    if {"parent", "child", "weight"} <= header:
        return True
    return weighted_list_columns(path, are_long=True) is not None


def suggested_scale(path: Path) -> Scale:
    """Likely scale of the numbers in a graph file: probabilities if all are below 1."""
    try:
        read_whole_graph(path, "probability")
    except InputError:
        return "noisy-or"
    return "probability"


def suggested_terms(path: Path) -> Terms:
    """Terms from the header of a file of weighted lists; the usual ones for any other file."""
    if path.suffix.lower() in GRAPH_SUFFIXES or (columns := weighted_list_columns(path)) is None:
        return Terms()
    return Terms(*(singular_of(name.strip().lower()) for name in columns))


def assumed_rate(summary: Mapping[str, Any]) -> float | None:
    """Prior probability that was assumed for every topic without a parent; None if rates exist."""
    assumed = summary.get(ASSUMED)
    leak = assumed.get("topic") if isinstance(assumed, dict) else None
    return -math.expm1(-leak) if isinstance(leak, int | float) else None
