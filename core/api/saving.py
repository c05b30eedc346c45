"""Save an estimator as a training run with its corpus, and load it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..model.overlay import Overlay
from ..model.topic_model import TopicModel
from ..model.topic_names import WordPairs
from ..runs.activations import corpus_activations, corpus_topic_groups
from ..runs.settings import RunSettings, settings_for_config, settings_from_config
from ..storage.atomic import check_free, new_folder
from ..storage.checkpoints import Split, save_checkpoint, save_start
from ..storage.corpora import corpus_fingerprint, is_trained_on, load_corpus, save_corpus
from ..storage.models import save_model
from ..storage.overlay import write_overlay
from ..storage.runs import load_run, write_config, write_status
from ..training.options import Schedule
from ..training.state import fresh_state
from ..utils.errors import InputError


def save_as_run(
    folder: Path, model: TopicModel, graph: Graph, corpus: Corpus | None, settings: RunSettings
) -> None:
    """Write a finished run; ``corpus`` is None if the model comes from a graph file.

    ``graph`` is the graph at the start of training.

    The corpus is stored where the app looks for it: at ``WORKSPACE/corpora/NAME`` for a run at
    ``WORKSPACE/runs/NAME``, unless it is there already, and else in the folder of the run. Raises
    InputError if ``folder`` exists, or if another corpus is in that place.
    """
    check_free(folder)
    place = folder.resolve()
    apart = place.parent.parent / "corpora" / place.name
    is_in_workspace = place.parent.name == "runs"
    if corpus is not None and is_in_workspace:
        _store_corpus(corpus, apart)
    with new_folder(place) as partial:
        _write_model(partial / "model", model, corpus)
        if corpus is None:
            write_config(partial, None, {"adopted": "Python"})
        else:
            if not is_in_workspace:
                save_corpus(corpus, partial / "corpus")
            # What `orrery evaluate` and ``orrery train --resume`` read; no step is left to do.
            everything = np.arange(corpus.n_documents, dtype=np.int64)
            save_start(partial, graph, Split(everything, everything[:0]), corpus)
            schedule = Schedule(settings.training, corpus.n_documents)
            save_checkpoint(partial, fresh_state(model.network, schedule.total_steps), 0.0)
            # Relative to the final folder of the run.
            where = f"../../corpora/{place.name}" if is_in_workspace else "corpus"
            write_config(partial, str(partial / where), settings_for_config(settings))
        write_status(partial, "finished", "Saved from Python.")


def _store_corpus(corpus: Corpus, folder: Path) -> None:
    """Write a corpus, unless the same one is there already."""
    same = corpus_fingerprint(corpus)
    if (folder / "corpus.json").is_file() and corpus_fingerprint(load_corpus(folder)) == same:
        return
    if folder.exists():
        raise InputError(f"{folder} holds another corpus; give the run another name")
    save_corpus(corpus, folder)


def _write_model(folder: Path, model: TopicModel, corpus: Corpus | None) -> None:
    found, topic_groups = None, model.topic_groups
    if corpus is not None:
        found = corpus_activations(model.network, corpus)
        topic_groups = topic_groups or corpus_topic_groups(model.network, corpus, found)
    save_model(
        *(folder, model.network, model.vocabulary, model.recipe, model.summary),
        named=named_topics(model),
        activations=found,
        topic_groups=topic_groups,
        pairs=None if corpus is None else WordPairs(corpus),
    )
    if model.overlay != Overlay():
        write_overlay(folder, model.overlay)


def named_topics(model: TopicModel) -> frozenset[str]:
    """Ids of topics that a person named, in a graph file or as seeds: their label is their id."""
    pairs = zip(model.network.graph.topic_ids, model.made_labels, strict=True)
    return frozenset(name for name, label in pairs if name == label)


def read_saved(folder: Path) -> tuple[TopicModel, Corpus | None, RunSettings | None]:
    """Read a run: its model, its corpus if it is still there, and its settings if it has any.

    Raises InputError if the folder is not a run, has no model yet, or is damaged.
    """
    run = load_run(folder)
    corpus, settings = None, None
    config: Any = run.config
    if config["corpus"] is not None:
        settings = settings_from_config(config)
        if Path(config["corpus"]).is_dir():
            corpus = load_corpus(config["corpus"])
    if corpus is not None and not is_trained_on(folder, corpus):
        corpus = None
    return run, corpus, settings
