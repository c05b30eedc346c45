"""Stability of a run: trainings on random samples of its documents, matched to its own model.

Each training has the settings of the run, another seed, and a random sample of the run's training
documents without replacement. A bootstrap sample, which contains documents several times, was not
chosen: the words of a repeated document co-occur more often than in the texts, so that structure
learning finds topics of single documents. A share of 1 changes the seeds alone. The trainings also
vary the seed that a run shares with all others (`TrainingOptions.structure_seed`); otherwise topics
would be found again because the trainings share the validation set and the initial weights.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from ..data.corpus import Corpus, evenly_spaced
from ..evaluation.topic_matching import match_links, match_topics
from ..model.topic_model import TopicModel
from ..storage.activations import Activations, load_activations
from ..storage.checkpoints import load_start
from ..storage.corpora import load_corpus
from ..storage.models import load_model
from ..storage.runs import load_run, model_folder, read_config
from ..storage.stability import (
    FILE,
    Stability,
    load_stability,
    no_trainings,
    read_model_hash,
    write_stability,
)
from ..utils.errors import InputError
from ..utils.types import BoolArray, Int64Array, ProgressCallback, no_progress
from .activations import corpus_activations
from .runner import resume_run, start_run
from .settings import RunSettings, Session, settings_from_config

DEFAULT_TIMES = 10
DEFAULT_SHARE = 0.8
# Documents in which topics are compared; more change a correlation by less than 0.01.
MAX_DOCUMENTS = 20_000
# Folder of the training that is going on, in the folder of the run.
FOLDER = "stability"
# Share of the steps in the duration of a training; the rest is evaluation and inference.
SHARE_OF_STEPS = 0.9
LOCK_PATIENCE = 1.0
# Largest seed of a training.
MAX_SEED = 2**31


@dataclass(frozen=True)
class _Reference:
    """The model of the run, and what each training is compared with."""

    folder: Path
    model_hash: str
    settings: RunSettings
    corpus: Corpus
    train: Int64Array  # training documents of the run
    model: TopicModel
    activations: Activations


def measure_stability(
    folder: Path,
    *,
    times: int = DEFAULT_TIMES,
    share: float = DEFAULT_SHARE,
    threads: int | None = None,
    progress: ProgressCallback = no_progress,
    report: Callable[[Stability], None] = lambda found: None,
) -> Stability:
    """Train ``times`` times and count in how many trainings topics and links are found again.

    The result is stored after each training. A call after an interruption continues where the last
    one ended, within a training. Finished trainings of an earlier call with the same share count.
    The trainings of a model that has changed are replaced.

    Parameters
    ----------
    share : float
        Share of the training documents in each sample, above 0 and at most 1.
    threads : int, optional
        Number of threads; all by default.
    progress : callable
        Progress callback; receives the completed share of all trainings.
    report : callable
        Called with the result after each training, and at the beginning if there is one.

    Raises
    ------
    InputError
        If the run has no model with topics, no corpus or another one than at its start, if it has
        finished trainings with another share, if its model changes in the meantime, or if another
        process measures its stability.
    """
    if not 0.0 < share <= 1.0:
        raise InputError(f"the share of the documents is {share}; expected above 0 and at most 1")
    with _alone(folder):
        reference = _reference(folder)
        place = model_folder(folder)
        found = load_stability(place, reference.model.network.graph)
        if found is not None and found.times and found.share != share:
            raise InputError(
                f"the stability of {folder} is known from {found.times} trainings with a share of "
                f"{found.share:g} of the documents; use the share {found.share:g} to continue, or "
                f"delete {place / FILE} to begin again with {share:g}"
            )
        if found is None or not found.times:
            found = no_trainings(reference.model.network.graph, share, times)
        found = replace(found, wanted=max(times, found.times))
        if found.times:
            report(found)
        while found.times < times:
            found = _trained_once_more(reference, found, threads, progress)
            write_stability(place, found, reference.model_hash)
            report(found)
        # The last training is stored, perhaps by a process that was killed.
        _remove_all_but(_place(reference, found))
    progress(1.0)
    return found


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a lock, so that two processes do not train in one folder (InputError)."""
    read_config(folder)
    lock = filelock.FileLock(folder / "stability.lock")
    try:
        lock.acquire(timeout=LOCK_PATIENCE)
    except filelock.Timeout:
        raise InputError(
            f"another process measures the stability of {folder}; wait for it, or stop it first"
        ) from None
    try:
        yield
    finally:
        lock.release()


def _reference(folder: Path) -> _Reference:
    place = model_folder(folder)
    model_hash = read_model_hash(place)
    run = load_run(folder)
    if run.config["corpus"] is None:
        raise InputError(
            f"{folder} was adopted from a graph and cannot be trained again; "
            "train on a corpus first"
        )
    if not run.network.graph.n_topics:
        raise InputError(f"the model of {folder} has no topics that could be found again")
    corpus = load_corpus(run.corpus_path)
    train = load_start(folder, corpus)[1].train
    stored = load_activations(place) or corpus_activations(run.network, corpus)
    if read_model_hash(place) != model_hash:
        raise InputError(f"the model of {folder} changed while it was read; try again")
    settings = settings_from_config(run.config)
    return _Reference(folder, model_hash, settings, corpus, train, run, stored)


def _place(reference: _Reference, found: Stability) -> Path:
    """Folder of the next training."""
    name = f"{reference.model_hash[:12]}-{found.share:g}-{found.times + 1:02d}"
    return reference.folder / FOLDER / name


def _remove_all_but(place: Path) -> None:
    """Remove the trainings that are stored, or of an earlier model or of another share."""
    for other in place.parent.glob("*"):
        if other != place:
            shutil.rmtree(other, ignore_errors=True)
    # Only an empty folder can be removed in this way.
    with suppress(OSError):
        place.parent.rmdir()


def _trained_once_more(
    reference: _Reference, found: Stability, threads: int | None, progress: ProgressCallback
) -> Stability:
    """Train and compare once; the folder of the training remains until its result is stored."""
    number, first = found.times, reference.settings.training.seed
    seed = (first + 1 + number) % MAX_SEED
    settings = replace(
        reference.settings,
        training=replace(reference.settings.training, seed=seed, structure_seed=seed),
        held_out_ids=_left_out(reference, found.share, [first, number]),
    )
    place = _place(reference, found)
    _remove_all_but(place)
    latest = number / found.wanted
    progress(latest)

    def advance(figures: dict[str, Any]) -> None:
        nonlocal latest
        steps = min(figures.get("epoch", 0.0) / max(figures.get("epochs", 1), 1), 1.0)
        last = figures.get("done_last", 0.0)
        done = SHARE_OF_STEPS * steps + (1.0 - SHARE_OF_STEPS) * last
        # The number of epochs may grow during structure learning.
        latest = max(latest, min((number + done) / found.wanted, 1.0))
        progress(latest)

    session = Session(threads=threads, report=advance)
    began = time.monotonic()
    if (place / "start.npz").is_file():
        summary = resume_run(place, session)
    else:
        shutil.rmtree(place, ignore_errors=True)
        summary = start_run(place, settings, session, same_graph_as=reference.folder)
    model, activations = load_model(place / "model"), load_activations(place / "model")
    assert activations is not None
    seconds = max(time.monotonic() - began, float(summary["seconds"]))
    return found.with_training(
        seeds=seed,
        seconds=seconds,
        n_topics=model.network.graph.n_topics,
        **_compared(reference, model, activations),
    )


def _left_out(reference: _Reference, share: float, seed: list[int]) -> tuple[str, ...]:
    """Ids of all documents outside a random sample; the run's test set is always among them.

    The passages of a document are all in the sample, or all outside it.
    """
    corpus, train = reference.corpus, reference.train
    group = corpus.document_of_passage
    group = np.arange(corpus.n_documents) if group is None else group
    documents = np.unique(group[train])
    count = max(round(share * len(documents)), 1)
    chosen = np.random.default_rng([*seed, count]).permutation(documents)[:count]
    is_in = np.zeros(corpus.n_documents, bool)
    is_in[train] = np.isin(group[train], chosen)
    return tuple(corpus.documents["id"][~is_in].astype(str))


def _compared(reference: _Reference, model: TopicModel, activations: Activations) -> dict[str, Any]:
    """Rows of `Stability` for one training."""
    own = reference.activations
    rows = evenly_spaced(np.intersect1d(own.rows, activations.rows), MAX_DOCUMENTS)
    probability, other = (
        each.probability[np.searchsorted(each.rows, rows)] for each in (own, activations)
    )
    match = match_topics(probability, other, np.diff(reference.corpus.token_ptr)[rows])
    is_found: BoolArray = match.is_match
    graphs = reference.model.network.graph, model.network.graph
    link, link_by_chance = match_links(*graphs, match.matched)
    return {
        "correlation": match.correlation,
        "topic": is_found,
        "link": link,
        "topic_by_chance": match.by_chance,
        "link_by_chance": link_by_chance,
    }
