"""An estimator on disk: a run like those of `orrery train`, with its corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..model.overlay import Overlay
from ..model.topic_model import TopicModel
from ..runs.activations import corpus_activations, corpus_shelves
from ..runs.settings import RunSettings, settings_for_config, settings_from_config
from ..storage.atomic import check_free, new_folder
from ..storage.checkpoints import Split, save_checkpoint, save_start
from ..storage.corpora import corpus_fingerprint, load_corpus, save_corpus
from ..storage.models import save_model
from ..storage.overlay import write_overlay
from ..storage.runs import load_run, write_config, write_status
from ..training.options import Schedule
from ..training.state import fresh_state
from ..utils.errors import InputError


@dataclass(frozen=True, eq=False)
class Saved:
    """What an estimator is made of.

    Attributes
    ----------
    model : TopicModel
    graph : Graph
        That training began with.
    corpus : Corpus or None
        None where the model was made of a graph file.
    settings : RunSettings
    """

    model: TopicModel
    graph: Graph
    corpus: Corpus | None
    settings: RunSettings


def save_as_run(saved: Saved, folder: Path) -> None:
    """Write a run that has trained to its end.

    The corpus goes where the app looks for it: a run ``WORKSPACE/runs/NAME`` has it as
    ``WORKSPACE/corpora/NAME``, unless it lies there already, any other run as ``corpus`` inside.

    Raises
    ------
    InputError
        If there is something at ``folder`` already, or another corpus in that place.
    """
    check_free(folder)
    place = folder.resolve()
    apart = place.parent.parent / "corpora" / place.name
    is_in_workspace = place.parent.name == "runs"
    corpus = saved.corpus
    if corpus is not None and is_in_workspace:
        _put_corpus(corpus, apart)
    with new_folder(place) as partial:
        model = partial / "model"
        if corpus is not None and not is_in_workspace:
            save_corpus(corpus, partial / "corpus")
        _write_model(saved, model)
        _write_run(saved, partial)
        # Paths are relative to the folder that the run will be in.
        home = None if corpus is None else "../../corpora/" + place.name
        inside = None if corpus is None else "corpus"
        _write_config(partial, home if is_in_workspace else inside, saved.settings)
        write_status(partial, "finished", "Saved from Python.")


def _put_corpus(corpus: Corpus, folder: Path) -> None:
    """Store a corpus where it is to be, unless the same lies there."""
    same = corpus_fingerprint(corpus)
    if (folder / "corpus.json").is_file() and corpus_fingerprint(load_corpus(folder)) == same:
        return
    if folder.exists():
        raise InputError(f"{folder} holds another corpus; give the run another name")
    save_corpus(corpus, folder)


def _write_model(saved: Saved, folder: Path) -> None:
    model, corpus = saved.model, saved.corpus
    found, shelves = None, model.shelves
    if corpus is not None:
        found = corpus_activations(model.network, corpus)
        shelves = shelves or corpus_shelves(model.network, corpus, found)
    save_model(
        *(folder, model.network, model.vocabulary, model.recipe, model.summary),
        named=named_topics(model),
        activations=found,
        shelves=shelves,
    )
    if model.overlay != Overlay():
        write_overlay(folder, model.overlay)


def named_topics(model: TopicModel) -> frozenset[str]:
    """Topics that go by their ids, since a person named them in a graph file or as seeds."""
    pairs = zip(model.network.graph.topic_ids, model.made_labels, strict=True)
    return frozenset(name for name, label in pairs if name == label)


def _write_run(saved: Saved, folder: Path) -> None:
    """What `orrery evaluate` and ``orrery train --resume`` ask for: nothing is left to do."""
    corpus = saved.corpus
    if corpus is None:
        return
    everything = np.arange(corpus.n_documents, dtype=np.int64)
    save_start(folder, saved.graph, Split(everything, everything[:0]), corpus)
    schedule = Schedule(saved.settings.training, corpus.n_documents)
    state = fresh_state(saved.model.network, schedule.total_steps)
    save_checkpoint(folder, state, 0.0)


def _write_config(folder: Path, corpus: str | None, settings: RunSettings) -> None:
    path = None if corpus is None else str(folder / corpus)
    values = settings_for_config(settings) if corpus is not None else {"adopted": "Python"}
    write_config(folder, path, values)


def read_saved(folder: Path) -> tuple[TopicModel, Corpus | None, RunSettings | None]:
    """Read a run; without its corpus where that is gone, and without settings where it has none.

    Raises
    ------
    InputError
        If the folder is no run, has no model yet, or is damaged.
    """
    run = load_run(folder)
    corpus, settings = None, None
    config: Any = run.config
    if config["corpus"] is not None:
        settings = settings_from_config(config)
        if Path(config["corpus"]).is_dir():
            corpus = load_corpus(config["corpus"])
    if corpus is not None and corpus.vocabulary != run.vocabulary:
        corpus = None
    return run, corpus, settings
