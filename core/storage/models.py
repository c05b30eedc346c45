"""Models on disk: a network with its vocabulary and recipe."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.recipe import Recipe, recipe_from_dict, recipe_to_dict
from ..model.graph import Graph, build_graph
from ..model.network import Network, build_network
from ..model.topic_groups import TopicGroups
from ..model.topic_model import TopicModel
from ..model.topic_names import WORDS_IN_LABEL, WordPairs, name_topics
from ..utils.errors import InputError
from .activations import FILE as ACTIVATIONS
from .activations import Activations, write_activations
from .atomic import move, new_folder, write_bytes, write_json, write_npz
from .overlay import HISTORY_FILE, OVERLAY_FILE, overlay_lock, read_overlay
from .reading import (
    check_seal,
    damaged,
    read_json,
    read_npz,
    read_stored,
    sealed,
    sha256,
    stored_version,
    vocabulary_bytes,
    vocabulary_hash,
)
from .reports import valid_figures

MODEL_VERSION = 2
# Decimal places of the coherence of a topic.
COHERENCE_DIGITS = 4
# Models of version 1 have no seal and no hash of the activations.
FIRST_SEALED = 2
MODEL_FORMAT = "orrery model"


def graph_arrays(graph: Graph) -> dict[str, npt.NDArray[Any]]:
    """Arrays from which `graph_from_arrays` restores the graph."""
    return {
        "parent": graph.parent_idx,
        "child": graph.edge_children(),
        "topic_ids": np.array(graph.topic_ids, dtype=np.str_),
        "n_tokens": np.array(graph.n_tokens, np.int64),
    }


def graph_from_arrays(arrays: Mapping[str, npt.NDArray[Any]], n_tokens: int) -> Graph:
    """Restore a graph from stored arrays, with all checks; the order of the edges is preserved.

    ``n_tokens`` is the size of the vocabulary. A forged number in the file could otherwise require
    all memory.
    """
    if int(arrays["n_tokens"]) != n_tokens:
        raise InputError("the graph is over another vocabulary")
    topic_ids = [str(name) for name in arrays["topic_ids"]]
    graph, order = build_graph(n_tokens, topic_ids, arrays["parent"], arrays["child"])
    if (order != np.arange(graph.n_edges)).any() or list(graph.topic_ids) != topic_ids:
        raise InputError("the edges of the graph are not in their order")
    return graph


def save_model(
    folder: Path,
    network: Network,
    vocabulary: tuple[str, ...],
    recipe: Recipe,
    summary: Mapping[str, Any],
    *,
    named: Collection[str] = (),
    activations: Activations | None = None,
    topic_groups: TopicGroups | None = None,
    pairs: WordPairs | None = None,
) -> None:
    """Write a model folder atomically.

    Topics whose ids are in ``named`` keep them as labels; the labels of the others are top words,
    chosen by ``pairs`` (`name_topics`). Raises InputError if ``folder`` exists already.
    """
    names = name_topics(network, vocabulary, named, pairs)
    with new_folder(folder) as partial:
        arrays = {**graph_arrays(network.graph), "weight": network.weight, "leak": network.leak}
        write_npz(partial / "model.npz", arrays)
        write_bytes(partial / "vocabulary.txt", vocabulary_bytes(vocabulary))
        if activations is not None:
            write_activations(partial, activations)
        description = {
            "format": MODEL_FORMAT,
            "version": MODEL_VERSION,
            "recipe": recipe_to_dict(recipe),
            "vocabulary_hash": vocabulary_hash(vocabulary),
            "model_hash": sha256((partial / "model.npz").read_bytes()),
            "topic_labels": names.labels,
            "summary": dict(summary),
        }
        if pairs is not None:
            description["coherence"] = [
                None if known is None else round(known, COHERENCE_DIGITS)
                for known in names.coherence
            ]
        if activations is not None:
            description["activations_hash"] = sha256((partial / ACTIVATIONS).read_bytes())
        if topic_groups is not None:
            description["shelves"] = {"of": topic_groups.of.tolist(), "words": topic_groups.words}
        write_json(partial / "model.json", sealed(description))


def replace_model(folder: Path, save: Callable[[Path], None]) -> None:
    """Replace a model folder, if there is one, by the one that ``save`` writes (`save_model`).

    The overlay of the older model is kept. If both models have the same parameters, its other files
    are kept too, such as the stability and the map of the documents.
    """
    new, old = folder.with_name(".model-new"), folder.with_name(".model-old")
    for whole in (new, old):
        # A process was killed between the two renames below, so the only model has a wrong name.
        if whole.is_dir() and not folder.exists():
            move(whole, folder)
    for stale in (new, old):
        shutil.rmtree(stale, ignore_errors=True)
    save(new)
    try:
        with overlay_lock(folder):
            for path in _kept_files(folder, new):
                shutil.copyfile(path, new / path.name)
            if folder.exists():
                move(folder, old)
            move(new, folder)
    except BaseException:
        if old.is_dir() and not folder.exists():
            move(old, folder)
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _kept_files(folder: Path, new: Path) -> list[Path]:
    """Files of a model that remain when ``new`` replaces it."""
    parameters = folder / "model.npz"
    is_same = parameters.is_file() and parameters.read_bytes() == (new / "model.npz").read_bytes()
    return [
        path
        for path in folder.glob("[!.]*")
        if path.name in (OVERLAY_FILE, HISTORY_FILE) or (is_same and not (new / path.name).exists())
    ]


def load_model(folder: Path) -> TopicModel:
    """Read a model folder and check it.

    Raises InputError if a file is missing or damaged, or the version is not supported.
    """
    description = _read_description(folder / "model.json")
    words = read_stored(folder / "vocabulary.txt", description["vocabulary_hash"])
    arrays = read_npz(folder / "model.npz", description["model_hash"])
    try:
        vocabulary = tuple(words.decode("utf-8").split("\n")[:-1])
        network = build_network(
            graph_from_arrays(arrays, len(vocabulary)), arrays["weight"], arrays["leak"]
        )
        labels = tuple(description["topic_labels"])
        coherence = _read_coherence(description.get("coherence"))
        if network.graph.n_topics != len(labels) or (
            coherence is not None and len(coherence) != len(labels)
        ):
            raise InputError("its parts are of different sizes")
    except (KeyError, ValueError, TypeError, OverflowError):
        raise damaged(folder / "model.npz") from None
    # Figures of the training summary that are not valid are removed.
    held_out = description["summary"].get("held_out")
    figures = valid_figures(held_out) if isinstance(held_out, dict) else None
    try:
        recipe = recipe_from_dict(description["recipe"])
    except InputError:
        raise damaged(folder / "model.json") from None
    overlay = read_overlay(folder)
    return TopicModel(
        network=network,
        vocabulary=vocabulary,
        recipe=recipe,
        topic_labels=overlay.shown_labels(network.graph.topic_ids, labels),
        made_labels=labels,
        overlay=overlay,
        summary={**description["summary"], "held_out": figures},
        topic_groups=_read_topic_groups(folder, description.get("shelves"), network.graph),
        coherence=coherence,
    )


def _read_coherence(stored: Any) -> tuple[float | None, ...] | None:
    """Stored coherence of the topics; earlier versions stored none, or some that are no NPMI."""
    if stored is None:
        return None
    return tuple(
        float(known) if known is not None and -1.0 <= known <= 1.0 else None for known in stored
    )


def _read_topic_groups(folder: Path, stored: Any, graph: Graph) -> TopicGroups | None:
    """Stored topic groups after a check; earlier versions stored none."""
    if stored is None:
        return None
    try:
        of, words = np.array(stored["of"]), tuple(map(tuple, stored["words"]))
        is_valid = of.shape == (graph.n_topics,) and of.dtype == np.int64
        # Each group has topics, and a name of a few words; more only to differ from other names.
        used = np.unique(of[of >= 0]) if is_valid else of
        is_valid = is_valid and of.min(initial=0) >= -1 and used.tolist() == [*range(len(words))]
        for name in words if is_valid else ():
            is_known = all(type(token) is int and 0 <= token < graph.n_tokens for token in name)
            is_short = 1 <= len(name) <= WORDS_IN_LABEL + len(words) - 1
            is_valid = is_valid and is_known and is_short
    except (KeyError, ValueError, TypeError, OverflowError):
        is_valid = False
    if not is_valid:
        raise damaged(folder / "model.json")
    return TopicGroups(of, words)


def _read_description(path: Path) -> dict[str, Any]:
    description = read_json(path)
    version = stored_version(description, MODEL_FORMAT)
    if version is None:
        raise damaged(path)
    if not 1 <= version <= MODEL_VERSION:
        raise InputError(
            f"{path.parent} is a model of version {version}, and this Orrery reads "
            f"1 to {MODEL_VERSION}; train it again"
        )
    check_seal(path, description, is_needed=version >= FIRST_SEALED)
    types = {
        "recipe": dict,
        "summary": dict,
        "topic_labels": list,
        "vocabulary_hash": str,
        "model_hash": str,
    }
    if not all(isinstance(description.get(name), kind) for name, kind in types.items()):
        raise damaged(path)
    if not all(isinstance(label, str) for label in description["topic_labels"]):
        raise damaged(path)
    return description
