"""Conduct a run: wait in the queue, prepare, train, obey the control file, write the model."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import numba

from orrery.core.corpus import Corpus, spread
from orrery.core.errors import InputError
from orrery.core.evaluation import evaluate
from orrery.core.evaluation.control import word_counts
from orrery.core.expectations import Expectations
from orrery.core.learning import learn
from orrery.core.network import Network
from orrery.core.running.activations import corpus_activations
from orrery.core.running.cluster import ClusterLostError, expectations_on
from orrery.core.running.settings import (
    RunSettings,
    Session,
    settings_for_config,
    settings_from_config,
    training_options,
)
from orrery.core.running.start import Start, begin_with, first_state, prepare
from orrery.core.running.turns import SECONDS_BETWEEN_LOOKS, StoppedError, own_folder, turn_in_queue
from orrery.core.running.watch import Clock, Journal, Watch
from orrery.core.storage.checkpoints import load_checkpoint, save_checkpoint
from orrery.core.storage.corpora import load_corpus, read_description
from orrery.core.storage.models import replace_model
from orrery.core.storage.runs import (
    check_free,
    read_command,
    read_config,
    send_command,
    truncate_metrics,
    write_config,
)
from orrery.core.training import TrainingOptions, train

# Held-out documents behind the final figures; `orrery evaluate` takes all.
DOCUMENTS_AT_END = 5_000


def start_run(folder: Path, settings: RunSettings, session: Session) -> dict[str, Any]:
    """Begin a run in a new folder and train it to its end.

    Returns
    -------
    dict
        What ``orrery train --json`` prints.

    Raises
    ------
    InputError
        If the folder holds a run already, or anything in the settings cannot be used.
    """
    check_free(folder)
    read_description(settings.corpus)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with own_folder(folder):
        # Another process may have begun here while this one waited for the lock.
        check_free(folder)
        write_config(folder, settings.corpus, settings_for_config(settings))
        try:
            return _conduct(folder, settings, session)
        except InputError:
            # Settings that cannot be followed; the app, which made the folder, shows them failed.
            if is_new and not (folder / "start.npz").exists():
                shutil.rmtree(folder, ignore_errors=True)
            raise


def resume_run(folder: Path, session: Session) -> dict[str, Any]:
    """Take a run up where it was left, as if it had never stopped.

    Raises
    ------
    InputError
        If the folder is no run, is damaged, or another process trains it.
    """
    settings = settings_from_config(read_config(folder))
    with own_folder(folder):
        send_command(folder, "run")
        return _conduct(folder, settings, session)


def _conduct(folder: Path, settings: RunSettings, session: Session) -> dict[str, Any]:
    """All of a session; whatever goes wrong is written to the status before it is raised."""
    journal = Journal(folder, session.report)
    journal.figures["epochs"] = settings.training.passes
    try:
        _use_threads(session.threads)
        with turn_in_queue(journal, session), expectations_on(session.cluster) as expectations:
            journal.say("preparing", "Reading the corpus and laying out the graph.")
            corpus = load_corpus(settings.corpus)
            graph, split = prepare(journal, settings, corpus)
            journal.log(f"graph: {graph.n_topics} topics, {graph.n_edges} edges")
            options = training_options(settings, graph)
            journal.log(_rates(options))
            start = begin_with(settings, corpus, graph, split)
            return _train(journal, options, session, corpus, start, expectations)
    except StoppedError:
        journal.say("stopped", "Stopped before training began.")
        (folder / "control.json").unlink(missing_ok=True)
        return _summary(journal, 0.0, 0.0, None)
    except (InputError, ClusterLostError) as error:
        journal.say("failed", str(error))
        raise
    except KeyboardInterrupt:
        journal.say("interrupted", "Interrupted; the run can be taken up again.")
        raise
    except BaseException as error:
        journal.say("failed", f"{type(error).__name__}: {error}")
        raise


def _rates(options: TrainingOptions) -> str:
    """What the log says of them."""
    rates = f"learning rate {options.rate:g}, weight penalty {options.penalty:g}"
    if options.start != "gibbs":
        return rates
    return f"weight penalty {options.penalty_of_start:g} in the Gibbs start; after it {rates}"


def _use_threads(threads: int | None) -> None:
    available = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    if threads is not None and threads > available:
        raise InputError(f"--threads is {threads}; {available} can be used here")
    numba.set_num_threads(threads or available)


def _train(
    journal: Journal,
    options: TrainingOptions,
    session: Session,
    corpus: Corpus,
    start: Start,
    expectations: Expectations,
) -> dict[str, Any]:
    """Train to the end, the budget's end or a stop, then judge and write the model."""
    graph, split = start.graph, start.split
    begun, seconds_before = load_checkpoint(journal.folder, graph) or (None, 0.0)
    truncate_metrics(journal.folder, begun.step if begun else 0)
    clock = Clock(seconds_before)
    watch = Watch(journal, clock, corpus, split, options)
    if begun is None and _is_stopped(journal, clock):
        raise StoppedError
    first = begun or first_state(journal.folder, graph, corpus, split, options.seed)
    state, is_complete = begun, True
    steps = (learn if options.structure == "learned" else train)(
        corpus,
        graph,
        options,
        rows=split.train,
        state=first,
        guard=start.guard,
        expectations=expectations,
    )
    try:
        for state, info in steps:
            watch.after_step(state, info)
            journal.figures["epoch"] = info.epoch
            if _must_end(journal, clock, session):
                is_complete = info.epoch >= options.passes
                break
    except Exception:
        # A cluster that is lost above all; the last whole step is good, whatever came after it.
        if state is not None:
            save_checkpoint(journal.folder, state, clock.seconds)
        raise
    if state is None:
        raise StoppedError
    save_checkpoint(journal.folder, state, clock.seconds)
    most, left = options.most_edges, state.network.graph.n_edges
    if most is not None and left > most:
        journal.log(f"stopped before pruning was over: {left} edges, {most} asked for")
    network = state.network
    if state.search is not None and not is_complete:
        # In the middle of a stage, the best so far is what there is.
        network = state.search.best
    return _finish(journal, corpus, start, network, (clock.seconds, is_complete))


def _must_end(journal: Journal, clock: Clock, session: Session) -> bool:
    """Whether to stop, because a person or the budget says so; waits while paused."""
    is_stopped = _is_stopped(journal, clock)
    return is_stopped or (session.time_budget is not None and clock.seconds >= session.time_budget)


def _is_stopped(journal: Journal, clock: Clock) -> bool:
    """Obey the control file: wait while paused, and say whether to stop."""
    if read_command(journal.folder) == "pause":
        paused_at = time.monotonic()
        journal.say("paused", "Paused; the run waits where it is.")
        while read_command(journal.folder) == "pause":
            time.sleep(SECONDS_BETWEEN_LOOKS)
        clock.leave_out(time.monotonic() - paused_at)
        journal.say("running", "Going on.")
    return read_command(journal.folder) == "stop"


def _finish(
    journal: Journal,
    corpus: Corpus,
    start: Start,
    network: Network,
    outcome: tuple[float, bool],
) -> dict[str, Any]:
    """Judge the model on held-out documents, write it, and say how the run ended."""
    (seconds, is_complete), split = outcome, start.split
    journal.say("running", "Judging the model on held-out documents.")
    rows = spread(split.held_out, DOCUMENTS_AT_END)
    held_out = None
    if len(rows):
        reference = word_counts(corpus, split.train)
        held_out = evaluate(network, corpus, rows, reference=reference).to_dict()
    epochs = journal.figures.get("epoch", float(journal.figures["epochs"]))
    # What depends on time or place stays in the status: the same run gives the same model.
    lasting = {"epochs": epochs, "documents": len(split.train), "held_out": held_out}
    model = journal.folder / "model"
    journal.say("running", "Finding the topics of the documents.")
    found = corpus_activations(network, corpus)
    words = (corpus.vocabulary, corpus.recipe)
    replace_model(model, network, *words, lasting, named=start.named, activations=found)
    if is_complete:
        journal.say("finished", f"Finished after {epochs:.0f} epochs.")
    else:
        journal.say("stopped", f"Stopped after {epochs:.1f} epochs; the model so far is ready.")
    return _summary(journal, epochs, seconds, held_out)


def _summary(
    journal: Journal, epochs: float, seconds: float, held_out: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "run": str(journal.folder),
        "epochs": epochs,
        "seconds": seconds,
        "documents_per_second": journal.figures.get("documents_per_second"),
        "held_out": held_out,
    }
