"""A run from the queue to the model: wait, prepare, train, obey commands, write the result."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import filelock
import numba

from ..data.corpus import Corpus, evenly_spaced
from ..evaluation.completion import word_counts
from ..evaluation.evaluate import evaluate
from ..model.network import Network
from ..model.topic_model import tells_nothing
from ..model.topic_names import WordPairs
from ..storage.checkpoints import load_checkpoint, load_given
from ..storage.corpora import load_corpus, read_description
from ..storage.models import replace_model, save_model
from ..storage.reading import read_json
from ..storage.reports import truncate_metrics, valid_figures
from ..storage.runs import (
    check_can_begin,
    read_command,
    read_config,
    remove_stale_files,
    run_lock,
    send_command,
    when_commanded,
    write_config,
    write_status,
)
from ..training.e_step import EStep
from ..training.options import TrainingOptions
from ..training.structure_learning import learn, may_add_layer
from ..training.train import initial_state, train
from ..utils.errors import InputError
from .activations import corpus_activations, corpus_topic_groups, n_active
from .cluster import ClusterLostError, e_step_on
from .recorder import Clock, Recorder, RunLog
from .settings import (
    RunSettings,
    Session,
    settings_for_config,
    settings_from_config,
    training_options,
)
from .start import Start, begin_with, prepare

SECONDS_BETWEEN_LOOKS = 0.2
# Seconds; a process that only checks whether the run is alive may hold the lock for a moment.
LOCK_PATIENCE = 5.0
# Figures of the last session that remain in the status until there are newer ones.
LASTING_FIGURES = frozenset({"epoch", "topics", "active_topics", "held_out_bound"})
# Without such a link, the graph has one layer when structure learning begins.
NO_LAYERS = (
    "no layers are learned above topics, because the guidance has a frozen link between topics"
)


class StoppedError(Exception):
    """The run received the command to stop before there was a model."""


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder, and remove stale temporary files in it (InputError)."""
    lock = run_lock(folder)
    try:
        lock.acquire(timeout=LOCK_PATIENCE)
    except filelock.Timeout:
        raise InputError(f"another process is training {folder}; stop it first") from None
    try:
        remove_stale_files(folder)
        yield
    finally:
        lock.release()


@contextmanager
def turn_in_queue(run_log: RunLog, session: Session) -> Iterator[None]:
    """Wait until no other run of the queue trains; `StoppedError` for a stop in the meantime."""
    if session.queue is None:
        yield
        return
    try:
        session.queue.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{session.queue} is a file; name a folder for the queue") from None
    slot = filelock.FileLock(session.queue / "training.lock")
    run_log.write("queued", "Waiting for another run to end.")
    begun = time.time()
    while True:
        try:
            slot.acquire(timeout=SECONDS_BETWEEN_LOOKS)
            run_log.leave_out(time.time() - begun)
            break
        except filelock.Timeout:
            if read_command(run_log.folder) == "stop":
                raise StoppedError from None
    try:
        yield
    finally:
        slot.release()


# Test documents for the final figures; `orrery evaluate` uses all of them.
DOCUMENTS_AT_END = 5_000


def start_run(
    folder: Path, settings: RunSettings, session: Session, same_graph_as: Path | None = None
) -> dict[str, Any]:
    """Begin a run in a new folder, train it to the end, and return its summary.

    ``orrery train --json`` prints the summary. If ``same_graph_as`` is given, a graph from a file
    is taken from this run, which stores it. Raises InputError if the folder contains a run already,
    or the settings are not valid.
    """
    check_can_begin(folder)
    _use_threads(session.threads)
    read_description(settings.corpus)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with own_folder(folder):
        # Another process may have started a run here while this one waited for the lock.
        check_can_begin(folder)
        try:
            write_config(folder, settings.corpus, settings_for_config(settings))
            return _run(folder, settings, session, same_graph_as)
        except (InputError, OSError):
            # Invalid settings, or a full disk. If the app created the folder, it displays the
            # failed run.
            if is_new and not (folder / "start.npz").exists():
                shutil.rmtree(folder, ignore_errors=True)
            raise


def resume_run(folder: Path, session: Session) -> dict[str, Any]:
    """Continue a run as if it had not been interrupted.

    Raises InputError if the folder is not a run, is damaged, or another process trains it.
    """
    settings = settings_from_config(read_config(folder))
    _use_threads(session.threads)
    begun = time.time() if session.begun is None else session.begun
    with own_folder(folder):
        # A later command is for this session: it was sent while the process started.
        if when_commanded(folder) <= begun:
            send_command(folder, "run")
        return _run(folder, settings, session)


def _run(
    folder: Path, settings: RunSettings, session: Session, same_graph_as: Path | None = None
) -> dict[str, Any]:
    """One session of a run; every error is written to the status before it is raised."""
    before = _status_before(folder)
    seconds_before = max(before.get("whole_seconds") or 0.0, 0.0)
    run_log = RunLog(folder, session.report, session.begun, seconds_before)
    run_log.figures |= {name: before[name] for name in LASTING_FIGURES & before.keys()}
    run_log.figures["epochs"] = settings.training.passes
    try:
        with turn_in_queue(run_log, session), e_step_on(session.cluster) as e_step:
            run_log.write("preparing", "Reading the corpus and preparing the graph.")
            corpus = load_corpus(settings.corpus)
            graph, split = prepare(run_log, settings, corpus, same_graph_as)
            run_log.add_line(f"graph: {graph.n_topics} topics, {graph.n_edges} edges")
            if settings.is_learned and graph.n_layers() > 1 and not may_add_layer(graph):
                run_log.add_line(NO_LAYERS)
            options = training_options(settings, graph)
            rates = f"learning rate {options.rate:g}, weight penalty {options.penalty:g}"
            if options.start == "gibbs":
                first = f"weight penalty {options.penalty_of_start:g} in the Gibbs start"
                rates = f"{first}; after it {rates}"
            run_log.add_line(rates)
            start = begin_with(settings, corpus, graph, split)
            return _train(run_log, options, session, corpus, start, e_step)
    except StoppedError:
        _end_early(run_log, before, "stopped", "Stopped before training began.")
        (folder / "control.json").unlink(missing_ok=True)
        return _summary(run_log, 0.0, 0.0, None)
    except (InputError, ClusterLostError) as error:
        _end_early(run_log, before, "failed", str(error))
        raise
    except KeyboardInterrupt:
        epoch = run_log.figures.get("epoch")
        place = "" if epoch is None else f" at epoch {epoch:.1f}"
        _end_early(run_log, before, "interrupted", f"Interrupted{place}; the run can be resumed.")
        raise
    except BaseException as error:
        _end_early(run_log, before, "failed", f"{type(error).__name__}: {error}")
        raise


def _use_threads(threads: int | None) -> None:
    available = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    if threads is not None and threads > available:
        raise InputError(f"--threads is {threads}; {available} can be used here")
    numba.set_num_threads(threads or available)


def _status_before(folder: Path) -> dict[str, Any]:
    """Last status of the earlier sessions; empty without any or without a valid record."""
    if not (folder / "start.npz").exists():
        return {}
    try:
        status = valid_figures(read_json(folder / "status.json"))
    except InputError:
        return {}
    return status if {"state", "message"} <= status.keys() else {}


def _end_early(run_log: RunLog, before: dict[str, Any], state: str, message: str) -> None:
    """Write why a session ended without a model; if it took no step, its model is as before."""
    run_log.write(state, message)
    has_trained = "step" in run_log.figures
    is_over = before.get("state") == "finished" or before.get("state") == state == "stopped"
    if is_over and not has_trained:
        write_status(run_log.folder, **before)


def _train(
    run_log: RunLog,
    options: TrainingOptions,
    session: Session,
    corpus: Corpus,
    start: Start,
    e_step: EStep,
) -> dict[str, Any]:
    """Train until the end, the end of the time budget or a stop, and write the model."""
    graph, split = start.graph, start.split
    begun, seconds_before = load_checkpoint(run_log.folder, graph) or (None, 0.0)
    truncate_metrics(run_log.folder, begun.step if begun else 0)
    clock = Clock(seconds_before)
    recorder = Recorder(run_log, clock, corpus, split, options, begun.chart if begun else None)
    if begun is None and _is_stopped(run_log, clock):
        raise StoppedError
    first = begun
    if first is None and (given := load_given(run_log.folder, graph)) is not None:
        first = initial_state(graph, corpus, split.train, options.seed_of_weights, given)
    run_log.write("preparing", "Compiling code if necessary, and taking the first step.")
    state, is_complete = begun, True
    epoch = float(run_log.figures["epochs"])
    steps = (learn if options.structure == "learned" else train)(
        corpus,
        graph,
        options,
        rows=split.train,
        state=first,
        constraints=start.constraints,
        e_step=e_step,
    )
    try:
        for state, info in steps:
            recorder.after_step(state, info)
            epoch = run_log.figures["epoch"] = info.epoch
            is_stopped, budget = _is_stopped(run_log, clock), session.time_budget
            if is_stopped or (budget is not None and clock.seconds >= budget):
                is_complete = info.epoch >= options.passes
                break
    except (Exception, KeyboardInterrupt):
        # Usually a lost cluster or Ctrl-C; the last complete step is valid after any error.
        if state is not None:
            recorder.save(state)
        raise
    if state is None:
        raise StoppedError
    recorder.save(state)
    most, left = options.most_edges, state.network.graph.n_edges
    if most is not None and left > most:
        run_log.add_line(f"stopped before the end of pruning: {left} edges, {most} requested")
    network = state.network
    if state.search is not None and not is_complete:
        # In the middle of a stage, the best network so far is the result.
        network = state.search.best
    return _finish(run_log, corpus, start, network, (clock.seconds, epoch, is_complete))


def _is_stopped(run_log: RunLog, clock: Clock) -> bool:
    """Obey the control file: wait while paused, and return whether to stop."""
    if read_command(run_log.folder) == "pause":
        paused_at = time.monotonic()
        run_log.write("paused", "Paused; the run waits where it is.")
        while read_command(run_log.folder) == "pause":
            time.sleep(SECONDS_BETWEEN_LOOKS)
        paused = time.monotonic() - paused_at
        clock.leave_out(paused)
        run_log.leave_out(paused)
        run_log.write("running", "Training continues.")
    return read_command(run_log.folder) == "stop"


def _finish(
    run_log: RunLog,
    corpus: Corpus,
    start: Start,
    network: Network,
    outcome: tuple[float, float, bool],
) -> dict[str, Any]:
    """Evaluate the model on held-out documents, write it, and report the end of the run."""
    (seconds, epochs, is_complete), split = outcome, start.split
    progress = run_log.begin_last("Evaluating the model on held-out documents.")
    rows = evenly_spaced(split.held_out, DOCUMENTS_AT_END)
    held_out = None
    if len(rows):
        reference = word_counts(corpus, split.train)
        # The exact bound alone: `orrery evaluate` adds the likelihood.
        held_out = evaluate(
            network, corpus, rows, samples=0, reference=reference, progress=progress
        ).to_dict()
    # Times and paths are only in the status, so that equal runs give equal models.
    lasting = {"epochs": epochs, "documents": len(split.train), "held_out": held_out}
    progress = run_log.begin_last("Finding the topics of the documents.")
    found = corpus_activations(network, corpus, progress)
    run_log.figures |= {
        "epoch": epochs,
        "topics": network.graph.n_topics,
        "active_topics": n_active(found),
    }
    # Topic groups of a model that is no better than the baseline on the test set mean nothing.
    is_useful = held_out is None or not tells_nothing(held_out)
    topic_groups = corpus_topic_groups(network, corpus, found) if is_useful else None
    save = partial(
        save_model,
        network=network,
        vocabulary=corpus.vocabulary,
        recipe=corpus.recipe,
        summary=lasting,
        named=start.named,
        activations=found,
        topic_groups=topic_groups,
        pairs=WordPairs(corpus),
    )
    replace_model(run_log.folder / "model", save)
    run_log.figures.pop("done_last")
    # The next session does not obey the commands of this one.
    (run_log.folder / "control.json").unlink(missing_ok=True)
    if is_complete:
        run_log.write("finished", f"Finished after {epochs:.0f} epochs.")
    else:
        run_log.write("stopped", f"Stopped after {epochs:.1f} epochs; the model so far is ready.")
    return _summary(run_log, epochs, seconds, held_out)


def _summary(
    run_log: RunLog, epochs: float, seconds: float, held_out: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "run": str(run_log.folder),
        "epochs": epochs,
        "seconds": seconds,
        "documents_per_second": run_log.figures.get("documents_per_second"),
        "held_out": held_out,
    }
