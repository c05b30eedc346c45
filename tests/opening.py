"""Everything that opens a stored file, and what is seen of it."""

from __future__ import annotations

import hashlib
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from orrery.app.charts import run_lines
from orrery.app.charts import runs as run_charts
from orrery.app.shared import evaluation_figures
from orrery.app.workspace import evaluations, progress, runs
from orrery.core.evaluation.stability import stability_sentence, stability_values
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.runs.settings import settings_from_config
from orrery.core.storage.activations import load_activations
from orrery.core.storage.checkpoints import load_checkpoint, load_given, load_start
from orrery.core.storage.continuation import continuation_options
from orrery.core.storage.corpora import load_corpus, read_description
from orrery.core.storage.reports import read_metrics, read_moves
from orrery.core.storage.runs import load_run, read_command, read_config
from orrery.core.storage.stability import known_stability
from orrery.core.utils.errors import InputError

Outcome = Literal["right", "named", "elsewise"]
# Values that are only displayed: no checksum protects these figures.
COURSE = frozenset({"metrics.jsonl", "moves.jsonl", "status.json", "control.json", "launch.json"})
SECONDS = 60


class HungError(BaseException):
    """Something took longer than anybody waits."""


@contextmanager
def in_time(seconds: int = SECONDS) -> Iterator[None]:
    """Stop what takes too long, where the system has alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def digest(value: Any) -> str:
    """Hash of arrays, tables and plain values."""
    return hashlib.sha256(pickle.dumps(_plain(value))).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, pd.DataFrame):
        return value.to_csv()
    if isinstance(value, dict):
        return sorted((str(key), _plain(inner)) for key, inner in value.items())
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return repr(value)


def see_corpus(home: Path) -> Any:
    corpus = load_corpus(home / "corpora" / "c")
    described = read_description(home / "corpora" / "c")
    parts = (corpus.token_ptr, corpus.token_idx, corpus.vocabulary, corpus.documents)
    return (*parts, repr(corpus.recipe), described.get("report"), corpus.to_csr().sum())


def see_model(home: Path) -> Any:
    run = load_run(home / "runs" / "r")
    graph, present = run.network.graph, run.parse("star rocket guitar")[0]
    answer = infer(run.network, Evidence(present=tuple(present), closed_world=False))
    parts = (graph.parent_idx, graph.parent_ptr, run.network.weight, run.network.leak)
    names = (run.vocabulary, run.topic_labels, repr(run.recipe), repr(run.summary))
    return (*parts, *names, repr(run.overlay), answer.probability)


def see_stability(home: Path) -> Any:
    """Stability of the model; unknown if the file is of another model."""
    run = load_run(home / "runs" / "r")
    found = known_stability(run)
    if found is None:
        return None
    shown = stability_sentence(run, found), stability_values(run, found)
    return (*shown, *(getattr(found, field.name) for field in fields(found)))


def see_activations(home: Path) -> Any:
    found = load_activations(home / "runs" / "r" / "model")
    assert found is not None
    return (found.rows, found.probability.toarray())


def see_figures(home: Path) -> Any:
    known = evaluations.known_figures(home / "runs" / "r", "r", {})
    return evaluation_figures.figures_table([known])


def see_start(home: Path) -> Any:
    """State from which a run is resumed."""
    folder = home / "runs" / "r"
    settings = settings_from_config(read_config(folder))
    graph, split = load_start(folder, load_corpus(settings.corpus))
    found = load_checkpoint(folder, graph)
    assert found is not None
    state, _ = found
    parts = (graph.parent_idx, split.train, split.held_out, state.network.weight, state.step)
    moments = state.moments
    averages = (moments.first, moments.second, moments.count, state.average)
    return (*parts, *averages, repr(load_given(folder, graph)), repr(settings))


def see_what_comes_after(home: Path) -> Any:
    """Start of a training run that continues from the run's model."""
    run = load_run(home / "runs" / "r")
    _, split = load_start(run.folder, load_corpus(run.corpus_path))
    return (split.train, split.held_out, continuation_options(run))


def see_course(home: Path) -> Any:
    """Content of the page of a run."""
    (job,) = runs.list_jobs(home / "runs")
    metrics, moves = read_metrics(job.folder), read_moves(job.folder)
    command = read_command(job.folder)
    runs.runs_on(home, home / "corpora" / "c")
    shown_text = [progress.sentence(job, metrics, command), repr(progress.figures(job, metrics))]
    lines = run_lines.bound_lines(metrics, "epoch")
    tables = [lines]
    if len(lines):
        tables.append(run_charts.topic_lines(metrics, moves, "epoch"))
        tables.append(run_charts.edge_lines(metrics, moves, "minutes"))
    axes = run_lines.steady_axes(lines, "epoch", 3)
    # If the held-out documents are unknown, nothing is compared.
    evaluation_figures.held_out_by(job.folder)
    return (job.state, *shown_text, *tables, repr(axes))


Eye = Callable[[Path], Any]
OF_CORPUS: tuple[Eye, ...] = (see_corpus, see_start)
OF_MODEL: tuple[Eye, ...] = (see_model, see_activations, see_figures, see_stability)
OF_RUN: tuple[Eye, ...] = (see_start, see_what_comes_after, see_course)
EYES = tuple(dict.fromkeys((*OF_CORPUS, *OF_MODEL, *OF_RUN)))


def look(home: Path, file: str = "") -> dict[str, str]:
    """Results of all checks, or of the checks of one file: a hash, or the reported error."""
    eyes = OF_CORPUS if file.startswith("corpora") else OF_MODEL if "/model/" in file else OF_RUN
    return {eye.__name__: _seen(eye, home) for eye in (eyes if file else EYES)}


def _seen(eye: Callable[[Path], Any], home: Path) -> str:
    try:
        return digest(eye(home))
    except InputError as error:
        return f"named: {error}"


def looks_when_whole(home: Path) -> dict[str, set[str]]:
    """Possible results of the checks on an intact workspace.

    An older checkpoint is accepted, and a stability that counts as unknown.
    """
    found = {name: {text} for name, text in look(home).items()}
    found["see_stability"].add(digest(None))
    newest = max((home / "runs" / "r").glob("checkpoint-*.npz"))
    data = newest.read_bytes()
    newest.unlink()
    found["see_start"].add(_seen(see_start, home))
    newest.write_bytes(data)
    return found


def outcome(seen: dict[str, str], whole: dict[str, set[str]], file: str) -> Outcome:
    """Whether everything is unchanged or reported; a check with another result is returned."""
    is_named = any(text.startswith("named: ") for text in seen.values())
    # The page of a run shows what can be read, and what is wrong where it is asked for.
    is_shown_only = Path(file).name in COURSE or (Path(file).name == "config.json" and is_named)
    others = [
        name
        for name, text in seen.items()
        if text not in whole[name]
        and not text.startswith("named: ")
        and not (name == "see_course" and is_shown_only)
        # Figures are shown beside a model that opens.
        and not (name == "see_figures" and seen["see_model"].startswith("named: "))
    ]
    if others:
        return "elsewise"
    return "named" if is_named else "right"
