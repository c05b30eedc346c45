"""Runs obey their control file, their budget and their queue, and refuse what cannot be run."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import filelock
import numba
import numpy as np
import pytest

import orrery.core.runs.recorder
from orrery.core.api.fitting import corpus_of_matrix
from orrery.core.data.corpus import Corpus
from orrery.core.document_map.files import FILE as DOCUMENT_MAP
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.topic_groups import find_topic_groups
from orrery.core.model.topic_model import tells_nothing
from orrery.core.runs import runner, start
from orrery.core.runs.activations import corpus_topic_groups, n_active
from orrery.core.runs.recorder import RunLog
from orrery.core.runs.runner import resume_run, start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.activations import Activations, load_activations
from orrery.core.storage.atomic import write_json
from orrery.core.storage.checkpoints import load_start
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.reports import read_metrics, read_moves
from orrery.core.storage.runs import (
    COPIED,
    load_run,
    read_config,
    read_status,
    send_command,
    write_config,
    write_status,
)
from orrery.core.storage.stability import FILE as STABILITY
from orrery.core.utils.errors import InputError
from tests.core.model.test_topic_groups import VOCABULARY, a_network, documents
from tests.core.small_runs import (
    contents,
    last_step,
    process_of,
    settings,
    start_and_hang,
    unfinished,
    wait_until,
)
from tests.random_networks import sampled_corpus


@pytest.fixture(autouse=True)
def _every_step_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orrery.core.runs.recorder, "SECONDS_BETWEEN_METRICS", -1.0)


def sender(folder: Path, command: str, step: int) -> Callable[[dict[str, Any]], None]:
    """A watcher that sends a command once, as soon as a step is reported."""
    sent = []

    def send(figures: dict[str, Any]) -> None:
        if figures.get("step") == step and not sent:
            sent.append(command)
            send_command(folder, command)

    return send


def test_the_result_and_the_files_of_a_run(tmp_path: Path, corpus_folder: Path) -> None:
    result = start_run(tmp_path / "deep" / "r", settings(corpus_folder), Session())
    assert set(result) == {"run", "epochs", "seconds", "documents_per_second", "held_out"}
    assert result["held_out"]["documents"] == 6
    status = read_status(tmp_path / "deep" / "r")
    assert (status["state"], status["alive"], status["epoch"]) == ("finished", False, 3.0)
    metrics = read_metrics(tmp_path / "deep" / "r")
    expected = {"step", "epoch", "seconds", "train_bound", "documents_per_second", "active_topics"}
    assert expected | {"held_out_bound"} <= set(metrics.columns)
    assert metrics["step"].iloc[-1] == 12
    stored = load_activations(tmp_path / "deep" / "r" / "model")
    assert stored is not None
    assert status["active_topics"] == n_active(stored)
    log = (tmp_path / "deep" / "r" / "log.txt").read_text(encoding="utf-8")
    assert "preparing" in log
    assert "finished: Finished after 3 epochs." in log


def test_what_follows_the_last_step_shows_how_far_it_is(
    tmp_path: Path, corpus_folder: Path
) -> None:
    seen: list[dict[str, Any]] = []
    start_run(tmp_path / "r", settings(corpus_folder), Session(report=seen.append))
    shares: dict[str, list[float]] = {}
    for figures in seen:
        if "done_last" in figures:
            shares.setdefault(figures["message"], []).append(figures["done_last"])
    assert len(shares) == 2
    for reported in shares.values():
        assert reported == sorted(reported)
        assert reported[0] == 0.0
    assert max(max(reported) for reported in shares.values()) == 1.0
    assert "done_last" not in seen[-1]


def test_the_status_shows_how_long_all_took_and_since_when_it_does_what_it_does(
    tmp_path: Path, corpus_folder: Path
) -> None:
    began = time.time()
    since: dict[str, float] = {}

    def look(figures: dict[str, Any]) -> None:
        since[figures["message"]] = read_status(tmp_path / "r")["since"]

    start_run(tmp_path / "r", settings(corpus_folder), Session(report=look, begun=began - 100.0))
    status = read_status(tmp_path / "r")
    assert status["whole_seconds"] == pytest.approx(status["updated"] - began + 100.0, abs=0.1)
    assert status["whole_seconds"] > 100.0 + status["seconds"]
    moments = list(since.values())
    assert moments == sorted(moments)
    assert len(set(moments)) >= 5  # preparing, training, judging, finding topics, finished


def test_a_pause_is_no_part_of_what_the_run_took(tmp_path: Path) -> None:
    run_log = RunLog(tmp_path, lambda figures: None, seconds_before=7.0)
    run_log.leave_out(5.0)
    run_log.write("running", "Going on.")
    assert read_status(tmp_path)["whole_seconds"] == pytest.approx(2.0, abs=0.5)


def test_a_run_taken_up_again_counts_what_it_took_before(
    tmp_path: Path, corpus_folder: Path
) -> None:
    chosen = settings(corpus_folder)
    start_run(tmp_path / "r", chosen, Session(time_budget=1e-9, begun=time.time() - 50.0))
    assert read_status(tmp_path / "r")["state"] == "stopped"
    resume_run(tmp_path / "r", Session(begun=time.time() - 50.0))
    assert read_status(tmp_path / "r")["whole_seconds"] > 100.0


def test_the_same_settings_give_the_same_model_on_one_thread_and_two(
    tmp_path: Path, trained: Path, corpus_folder: Path
) -> None:
    threads = numba.get_num_threads()
    try:
        start_run(tmp_path / "r", settings(corpus_folder), Session(threads=1))
    finally:
        numba.set_num_threads(threads)
    assert contents(tmp_path / "r" / "model") == contents(trained / "model")
    other = settings(corpus_folder, seed=1)
    start_run(tmp_path / "other", other, Session())
    assert contents(tmp_path / "other" / "model") != contents(trained / "model")


@pytest.mark.parametrize("step", [1, 4, 8])
def test_stopped_and_resumed_equals_never_stopped(
    tmp_path: Path, trained: Path, corpus_folder: Path, step: int
) -> None:
    folder = tmp_path / "r"
    session = Session(report=sender(folder, "stop", step))
    result = start_run(folder, settings(corpus_folder), session)
    assert result["epochs"] == step / 4
    assert read_status(folder)["state"] == "stopped"
    assert load_run(folder).summary["epochs"] == step / 4
    resumed = resume_run(folder, Session())
    assert resumed["epochs"] == 3.0
    assert resumed["seconds"] > result["seconds"]
    assert contents(folder / "model") == contents(trained / "model")
    assert unfinished(folder) == []


@pytest.mark.parametrize("step", [8, 10])
def test_an_importance_weighted_run_stopped_and_resumed_equals_never_stopped(
    tmp_path: Path, corpus_folder: Path, step: int
) -> None:
    chosen = settings(
        corpus_folder, importance_samples=4, importance_share=0.5, averaging=0.3, accuracy="fast"
    )
    start_run(tmp_path / "whole", chosen, Session())
    session = Session(report=sender(tmp_path / "r", "stop", step))
    assert start_run(tmp_path / "r", chosen, session)["epochs"] == step / 4
    resume_run(tmp_path / "r", Session())
    assert contents(tmp_path / "r" / "model") == contents(tmp_path / "whole" / "model")


LEARNED = {
    "learn_structure": True, "method": "complete", "edges": 40,
    "start": "gibbs", "start_epochs": 25, "epochs": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def learned(corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned its structure."""
    folder = tmp_path_factory.mktemp("learned") / "r"
    start_run(folder, settings(corpus_folder, **LEARNED), Session())
    return folder


def test_a_learned_structure_ends_within_its_budget(learned: Path, corpus: Corpus) -> None:
    begun, _ = load_start(learned, corpus)
    graph = load_run(learned).network.graph
    # A complete graph: every topic above every word, and more.
    assert begun.n_edges > 23 * begun.n_topics
    assert begun.n_topics >= 6 >= graph.n_topics
    assert graph.n_edges <= 40
    assert (np.diff(graph.parent_ptr)[graph.n_topics :] > 0).all()
    status = read_status(learned)
    assert (status["state"], status["epoch"], status["epochs"]) == ("finished", 27.0, 27)
    assert load_run(learned).summary["epochs"] == 27.0


def test_the_history_of_a_structure_adds_up(learned: Path, corpus: Corpus) -> None:
    begun, graph = load_start(learned, corpus)[0], load_run(learned).network.graph
    moves = read_moves(learned)
    left = begun.n_topics - (moves["merged"] + moves["pruned"]).cumsum()
    assert left.tolist() == moves["topics"].tolist()
    assert moves["topics"].iloc[-1] == graph.n_topics
    assert moves["edges"].iloc[-1] == graph.n_edges
    assert moves["epoch"].is_monotonic_increasing
    log = (learned / "log.txt").read_text(encoding="utf-8")
    assert f"now {graph.n_topics} topics, {graph.n_edges} edges" in log


def test_edges_that_grow_stand_in_the_history_and_the_log(tmp_path: Path) -> None:
    """From a graph in which a quarter of the words have a strange parent only."""
    truth, _ = build_graph(24, ["a", "b", "c"], np.repeat([0, 1, 2], 8), np.arange(3, 27))
    leak = np.repeat([0.4, 0.05], [3, 24])
    documents = sampled_corpus(
        build_network(truth, np.full(24, 1.0), leak), 300, np.random.default_rng(1)
    )
    save_corpus(documents, tmp_path / "c", None)
    lines = [f"{'abc'[(word // 8 + (word % 4 == 0)) % 3]},word{word}" for word in range(24)]
    (tmp_path / "graph.csv").write_text("\n".join(["parent,child", *lines, ""]), encoding="utf-8")
    chosen = settings(tmp_path / "c", start="gibbs", start_epochs=25, epochs=1, most_edges=30)
    start_run(tmp_path / "r", replace(chosen, graph_file=str(tmp_path / "graph.csv")), Session())
    moves = read_moves(tmp_path / "r")
    grown = moves[moves["grown"] > 0]
    assert len(grown) > 0
    assert grown["edges"].iloc[0] == len(lines) + grown["grown"].iloc[0]
    assert grown["bound"].iloc[0] > 0
    log = (tmp_path / "r" / "log.txt").read_text(encoding="utf-8")
    assert f"edges: {grown['grown'].iloc[0]} grown; now 3 topics" in log
    assert load_run(tmp_path / "r").network.graph.n_edges <= 30


@pytest.mark.parametrize(("step", "epochs"), [(1, 10.0), (2, 20.0), (3, 25.0), (5, 25.5)])
def test_a_learned_structure_stopped_and_resumed_equals_never_stopped(
    tmp_path: Path, corpus_folder: Path, learned: Path, step: int, epochs: float
) -> None:
    """Stopped before, amid and after pruning, and once weights are trained."""
    folder = tmp_path / "r"
    session = Session(report=sender(folder, "stop", step))
    assert start_run(folder, settings(corpus_folder, **LEARNED), session)["epochs"] == epochs
    assert read_status(folder)["state"] == "stopped"
    assert load_run(folder).summary["epochs"] == epochs
    assert resume_run(folder, Session())["epochs"] == 27.0
    assert contents(folder / "model") == contents(learned / "model")
    assert read_metrics(folder)["step"].tolist() == list(range(1, 12))
    assert read_moves(folder).equals(read_moves(learned))
    is_pruned = "stopped before the end of pruning" not in (folder / "log.txt").read_text("utf-8")
    assert is_pruned == (epochs >= 20.0)


@pytest.mark.parametrize(
    "changes", [{}, {"importance_samples": 4, "importance_share": 0.5}, {"bound": "likelihood"}]
)
def test_a_learned_structure_is_the_same_on_one_thread_and_two(
    tmp_path: Path, corpus_folder: Path, learned: Path, changes: dict[str, Any]
) -> None:
    chosen = settings(corpus_folder, **LEARNED, **changes)
    threads = numba.get_num_threads()
    try:
        start_run(tmp_path / "one", chosen, Session(threads=1))
    finally:
        numba.set_num_threads(threads)
    if changes:
        start_run(tmp_path / "all", chosen, Session())
    whole = tmp_path / "all" if changes else learned
    assert contents(tmp_path / "one" / "model") == contents(whole / "model")


def test_passes_of_the_start_count_as_progress(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orrery.core.runs.recorder, "SAMPLING_EPOCHS_PER_CHECK", 20)
    reported = []
    chosen = settings(corpus_folder, start="gibbs", start_epochs=45, epochs=1)
    start_run(tmp_path, chosen, Session(report=lambda figures: reported.append(dict(figures))))
    metrics = read_metrics(tmp_path)
    assert metrics["epoch"].tolist() == [10.0, 20.0, 30.0, 40.0, 45.0, 45.25, 45.5, 45.75, 46.0]
    assert set(metrics["epochs"]) == {46}
    # A sweep is fast, so held-out documents are evaluated only now and then.
    evaluated = metrics["epoch"][metrics["held_out_bound"].notna()]
    assert evaluated.tolist() == [20.0, 40.0, 45.0, 46.0]
    messages = [figures["message"] for figures in reported if "step" in figures]
    assert metrics["phase"].tolist() == [*["exploring"] * 2, *["settling"] * 3, *["training"] * 4]
    assert set(metrics["edges"]) == {load_run(tmp_path).network.graph.n_edges}
    assert messages[0] == "Exploring, epoch 11 of 46."
    assert messages[4] == "Training, epoch 46 of 46."
    assert {figures["epochs"] for figures in reported} == {46}


def test_regions_are_proposed_with_more_edges_than_are_kept(
    tmp_path: Path, corpus_folder: Path, corpus: Corpus
) -> None:
    chosen = settings(
        corpus_folder, **{**LEARNED, "method": "dense-regions", "edges": 30}, held_out=0.0
    )
    start_run(tmp_path / "r", chosen, Session())
    begun, _ = load_start(tmp_path / "r", corpus)
    assert 30 < begun.n_edges <= 4 * 30
    assert load_run(tmp_path / "r").network.graph.n_edges <= 30


def test_a_finished_run_resumed_stays_as_it_is(run_folder: Path, trained: Path) -> None:
    for name in (STABILITY, DOCUMENT_MAP):
        (run_folder / "model" / name).write_bytes(b"of the model")
    before = contents(run_folder / "model")
    resume_run(run_folder, Session())
    assert contents(run_folder / "model") == before
    assert read_status(run_folder)["state"] == "finished"
    assert read_metrics(run_folder).equals(read_metrics(trained))


def test_a_copied_run_is_resumed_like_the_run(
    tmp_path: Path, trained: Path, corpus_folder: Path
) -> None:
    """A copy has one setting more, the name of the original."""
    start_run(tmp_path, settings(corpus_folder), Session(time_budget=1e-9))
    config = read_config(tmp_path)
    write_config(tmp_path, config["corpus"], {**config["settings"], COPIED: "the original"})
    resume_run(tmp_path, Session())
    assert contents(tmp_path / "model") == contents(trained / "model")


def test_the_chart_of_a_resumed_run_has_the_same_digits(
    tmp_path: Path, corpus_folder: Path
) -> None:
    """Within a stage it starts at the activations of the epoch before, which the disk holds."""
    chosen = settings(corpus_folder, topics=None, structure="learned", epochs=10)
    start_run(tmp_path / "whole", chosen, Session())
    whole = read_metrics(tmp_path / "whole")[["step", "held_out_bound"]].dropna()
    assert len(whole) == 9
    for step in whole["step"].astype(int).tolist()[:-1]:
        folder = tmp_path / str(step)
        start_run(folder, chosen, Session(report=sender(folder, "stop", step)))
        resume_run(folder, Session())
        resumed = read_metrics(folder)[["step", "held_out_bound"]].dropna()
        assert resumed.to_numpy().tolist() == whole.to_numpy().tolist(), step
        assert contents(folder / "model") == contents(tmp_path / "whole" / "model")


def test_stop_in_the_last_step_is_the_end(tmp_path: Path, corpus_folder: Path) -> None:
    start_run(tmp_path, settings(corpus_folder), Session(report=sender(tmp_path, "stop", 12)))
    assert read_status(tmp_path)["state"] == "finished"


def test_a_paused_run_waits_and_continues(
    tmp_path: Path, trained: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, looks = tmp_path / "r", []

    def look(seconds: float) -> None:
        looks.append(read_status(folder))
        if len(looks) == 3:
            send_command(folder, "run")

    # The clock of the runner: waiting for a lock sleeps, too.
    clock = SimpleNamespace(sleep=look, monotonic=time.monotonic)
    monkeypatch.setattr(runner, "time", clock)
    start_run(folder, settings(corpus_folder), Session(report=sender(folder, "pause", 4)))
    assert [(look["state"], look["alive"]) for look in looks] == [("paused", True)] * 3
    assert {look["step"] for look in looks} == {4}
    assert contents(folder / "model") == contents(trained / "model")


def test_a_paused_run_can_be_stopped(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "r"
    monkeypatch.setattr(runner.time, "sleep", lambda _: send_command(folder, "stop"))
    result = start_run(folder, settings(corpus_folder), Session(report=sender(folder, "pause", 4)))
    assert result["epochs"] == 1.0
    assert read_status(folder)["state"] == "stopped"
    assert not (folder / "control.json").exists()


def test_a_pause_is_not_counted(tmp_path: Path, corpus_folder: Path, monkeypatch) -> None:
    moment = [0.0]
    monkeypatch.setattr(runner.time, "monotonic", lambda: moment[0])

    def sleep(_: float) -> None:
        moment[0] += 1e6
        send_command(tmp_path, "run")

    monkeypatch.setattr(runner.time, "sleep", sleep)
    session = Session(report=sender(tmp_path, "pause", 4), time_budget=1e3)
    result = start_run(tmp_path, settings(corpus_folder), session)
    assert result["epochs"] == 3.0
    assert result["seconds"] < 1e3


def test_a_time_budget_ends_with_a_model_that_can_be_queried(
    tmp_path: Path, trained: Path, corpus_folder: Path
) -> None:
    result = start_run(tmp_path, settings(corpus_folder), Session(time_budget=1e-9))
    assert result["epochs"] == 0.25
    assert read_status(tmp_path)["state"] == "stopped"
    network = load_run(tmp_path).network
    assert infer(network, Evidence((0, 1), closed_world=False)).log_probability < 0
    # It belongs to this model, not to the one that is trained further.
    (tmp_path / "model" / STABILITY).write_bytes(b"of the model")
    resume_run(tmp_path, Session())
    assert contents(tmp_path / "model") == contents(trained / "model")


def test_nothing_held_out_is_nothing_evaluated(tmp_path: Path, corpus_folder: Path) -> None:
    result = start_run(tmp_path, settings(corpus_folder, held_out=0.0), Session())
    assert result["held_out"] is None
    assert "held_out_bound" not in read_metrics(tmp_path).columns


def test_a_run_waits_for_the_one_before_it_in_the_queue(
    tmp_path: Path, corpus_folder: Path, trained: Path
) -> None:
    chosen, queue = settings(corpus_folder), tmp_path / "queue"
    first, second = tmp_path / "first", tmp_path / "second"
    with process_of(start_and_hang, first, chosen, 5, queue):
        wait_until(lambda: last_step(first) >= 4)
        with process_of(start_in_queue, second, chosen, queue) as waiting:
            wait_until(lambda: (second / "status.json").exists())
            wait_until(lambda: read_status(second)["alive"])
            assert read_status(second)["state"] == "queued"
            assert read_status(first)["state"] == "running"
            waiting.join(3 * runner.SECONDS_BETWEEN_LOOKS)
            assert read_status(second)["state"] == "queued"
            os.kill(read_status(first)["pid"], signal.SIGKILL)
            waiting.join()
            assert waiting.exitcode == 0
    assert contents(second / "model") == contents(trained / "model")
    assert read_status(first)["state"] == "interrupted"


def start_in_queue(folder: Path, chosen: RunSettings, queue: Path) -> None:
    start_run(folder, chosen, Session(queue=queue))


def test_stopped_in_the_queue(tmp_path: Path, corpus_folder: Path, trained: Path) -> None:
    folder, queue = tmp_path / "r", tmp_path / "queue"
    queue.mkdir()

    def stop(figures: dict[str, Any]) -> None:
        if figures["state"] == "queued":
            send_command(folder, "stop")

    with filelock.FileLock(queue / "training.lock"):
        result = start_run(folder, settings(corpus_folder), Session(queue=queue, report=stop))
    assert (result["epochs"], result["held_out"]) == (0.0, None)
    assert read_status(folder)["state"] == "stopped"
    resume_run(folder, Session(queue=queue))
    assert contents(folder / "model") == contents(trained / "model")


def test_a_queue_that_is_a_file(tmp_path: Path, corpus_folder: Path) -> None:
    (tmp_path / "file").touch()
    for queue in (tmp_path / "file", tmp_path / "file" / "queue"):
        with pytest.raises(InputError, match="is a file; name a folder for the queue"):
            start_run(tmp_path / "r", settings(corpus_folder), Session(queue=queue))
        assert not (tmp_path / "r").exists()


def test_two_processes_on_one_run(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOCK_PATIENCE", 0.1)
    chosen = settings(corpus_folder)
    with process_of(start_and_hang, tmp_path / "r", chosen, 5, None):
        wait_until(lambda: last_step(tmp_path / "r") >= 4)
        before = (tmp_path / "r" / "config.json").read_bytes()
        with pytest.raises(InputError, match=r"another process is training .*; stop it first"):
            resume_run(tmp_path / "r", Session())
        with pytest.raises(InputError, match="holds a run already; add --resume"):
            start_run(tmp_path / "r", chosen, Session())
        assert (tmp_path / "r" / "config.json").read_bytes() == before
        assert read_status(tmp_path / "r")["alive"]


def test_a_run_that_another_process_has_just_begun(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin_meanwhile(folder: Path) -> None:
        write_json(folder / "config.json", {})
        (folder / "start.npz").touch()

    monkeypatch.setattr(runner, "remove_stale_files", begin_meanwhile)
    with pytest.raises(InputError, match="holds a run already"):
        start_run(tmp_path / "r", settings(corpus_folder), Session())
    assert json.loads((tmp_path / "r" / "config.json").read_text(encoding="utf-8")) == {}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topics": (4000,)}, "a layer of 4000 topics"),
        ({"edges": 1}, "edges"),
        ({"held_out_ids": ("nobody",)}, "held-out id 'nobody' is no document"),
        ({"graph_file": "/no/such/graph.csv"}, "there is no file"),
        ({"learn_structure": True, "start": "gibbs", "edges": 22}, "cannot reach all 23 words"),
    ],
)
def test_settings_that_cannot_be_followed_leave_nothing(
    tmp_path: Path, corpus_folder: Path, changes: dict, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        start_run(tmp_path / "r", settings(corpus_folder, **changes), Session())
    assert not (tmp_path / "r").exists()


def test_a_folder_that_was_there_keeps_the_reason_of_the_failure(
    tmp_path: Path, corpus_folder: Path
) -> None:
    for name in ("console.txt", "launch.json"):
        (tmp_path / name).touch()
    with pytest.raises(InputError):
        start_run(tmp_path, settings(corpus_folder, topics=(4000,)), Session())
    status = read_status(tmp_path)
    assert status["state"] == "failed"
    assert "a layer of 4000 topics" in status["message"]


def test_a_folder_of_other_things_is_no_place_for_a_run(
    tmp_path: Path, corpus_folder: Path
) -> None:
    (tmp_path / "letter.txt").touch()
    before = contents(corpus_folder)
    for folder in (tmp_path, corpus_folder):
        with pytest.raises(InputError, match="holds other files"):
            start_run(folder, settings(corpus_folder), Session())
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    assert contents(corpus_folder) == before
    for place in (tmp_path / "letter.txt", tmp_path / "letter.txt" / "r"):
        with pytest.raises(InputError, match=r"letter\.txt is a file"):
            start_run(place, settings(corpus_folder), Session())


def test_a_corpus_that_is_none(tmp_path: Path) -> None:
    for corpus in (tmp_path / "nix", tmp_path):
        with pytest.raises(InputError, match="corpus folder"):
            start_run(tmp_path / "r", settings(corpus), Session())
        (tmp_path / "made").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="corpus folder"):
            start_run(tmp_path / "made", settings(corpus), Session())
    assert names_in(tmp_path) == ["made"]


def names_in(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*")]


def test_a_failure_of_the_machine_is_reported_and_can_be_resumed(
    tmp_path: Path, corpus_folder: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "r"
    with monkeypatch.context() as broken:
        broken.setattr(runner, "evaluate", fail_with(MemoryError("too little")))
        with pytest.raises(MemoryError):
            start_run(folder, settings(corpus_folder), Session())
    assert read_status(folder)["state"] == "failed"
    assert read_status(folder)["message"] == "MemoryError: too little"
    resume_run(folder, Session())
    assert contents(folder / "model") == contents(trained / "model")


def test_an_interrupted_run_reports_it(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "propose", fail_with(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        start_run(tmp_path / "r", settings(corpus_folder), Session())
    assert read_status(tmp_path / "r")["state"] == "interrupted"


@pytest.mark.parametrize("step", [4, 8])
def test_an_interrupted_training_continues_at_its_last_step(
    tmp_path: Path, corpus_folder: Path, trained: Path, step: int
) -> None:
    folder, seen = tmp_path / "r", []

    def interrupt(figures: dict[str, Any]) -> None:
        if figures.get("step") == step and not seen:
            seen.append(step)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start_run(folder, settings(corpus_folder), Session(report=interrupt))
    assert (folder / f"checkpoint-{step:08d}.npz").is_file()
    assert read_status(folder)["message"].startswith("Interrupted at epoch ")
    with pytest.raises(InputError, match=r"because it was interrupted; continue .* --resume"):
        load_run(folder)
    resume_run(folder, Session())
    assert contents(folder / "model") == contents(trained / "model")


@pytest.mark.parametrize(
    ("state", "reason"), [("failed", "it failed"), ("stopped", "it was stopped")]
)
def test_why_a_run_has_no_model(run_folder: Path, state: str, reason: str) -> None:
    (run_folder / "model").rename(run_folder / "no")
    write_status(run_folder, state, "")
    with pytest.raises(InputError, match=f"has no model yet, because {reason}; continue it with"):
        load_run(run_folder)


def fail_with(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 junk", None])
def test_a_damaged_start_is_one_sentence(run_folder: Path, damage: bytes | None) -> None:
    path = run_folder / "start.npz"
    if damage is None:
        damage = path.read_bytes()[:-40]
    path.write_bytes(damage)
    with pytest.raises(InputError, match=r"damaged: start\.npz cannot be read"):
        resume_run(run_folder, Session())


def test_a_damaged_checkpoint_is_passed_over(run_folder: Path, trained: Path) -> None:
    newest = sorted(run_folder.glob("checkpoint-*.npz"))[-1]
    newest.write_bytes(newest.read_bytes()[:-30])
    steps: list[int] = []
    report = lambda figures: steps.append(figures.get("step", 0))  # noqa: E731
    resume_run(run_folder, Session(report=report))
    assert 1 < max(steps) == 12
    assert contents(run_folder / "model") == contents(trained / "model")
    assert read_metrics(run_folder)["step"].is_unique


def test_no_checkpoint_left_to_read(run_folder: Path) -> None:
    for path in run_folder.glob("checkpoint-*.npz"):
        path.write_bytes(b"junk")
    with pytest.raises(InputError, match=r"no checkpoint of .* can be read; start the run anew"):
        resume_run(run_folder, Session())


def test_a_corpus_that_has_changed_since(
    run_folder: Path, corpus_folder: Path, tmp_path: Path
) -> None:
    from orrery.core.data.corpus import build_corpus
    from orrery.core.data.raw import RawMatrix
    from orrery.core.storage.corpora import load_corpus, save_corpus

    corpus = load_corpus(corpus_folder)
    fewer = corpus.subset(range(30))
    raw = RawMatrix(fewer.to_csr(), fewer.vocabulary, fewer.documents)
    save_corpus(build_corpus(raw, corpus.recipe)[0], tmp_path / "fewer")
    config = json.loads((run_folder / "config.json").read_text(encoding="utf-8"))
    config["corpus"] = str(tmp_path / "fewer")
    write_json(run_folder / "config.json", config)
    with pytest.raises(InputError, match="is not as it was when the run began"):
        resume_run(run_folder, Session())


def test_no_run_to_resume(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nix"):
        with pytest.raises(InputError, match="is not a run folder"):
            resume_run(folder, Session())
    assert list(tmp_path.iterdir()) == []


def test_a_start_without_a_graph_is_prepared_again(run_folder: Path, trained: Path) -> None:
    for name in ("start.npz", "status.json", "metrics.jsonl", "log.txt"):
        (run_folder / name).unlink()
    for path in run_folder.glob("checkpoint-*.npz"):
        path.unlink()
    resume_run(run_folder, Session())
    assert contents(run_folder / "model") == contents(trained / "model")


def test_settings_are_written_as_they_are_read(run_folder: Path, corpus_folder: Path) -> None:
    from orrery.core.runs.settings import settings_from_config

    chosen: RunSettings = settings_from_config(read_config(run_folder))
    assert chosen == settings(corpus_folder)


def test_a_run_that_failed_before_it_began_can_be_started_again(
    tmp_path: Path, corpus_folder: Path, trained: Path
) -> None:
    """In a folder that was there before, such as one of the app's."""
    folder = tmp_path / "r"
    folder.mkdir()
    with pytest.raises(InputError, match="a layer of 4000 topics"):
        start_run(folder, replace(settings(corpus_folder), topics=(4000,)), Session())
    assert read_status(folder)["state"] == "failed"
    start_run(folder, settings(corpus_folder), Session())
    assert contents(folder / "model") == contents(trained / "model")


def test_a_stop_sent_before_the_process_has_begun_is_obeyed_once(
    tmp_path: Path, corpus_folder: Path
) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    send_command(folder, "stop")
    result = start_run(folder, settings(corpus_folder), Session())
    assert (result["epochs"], result["held_out"]) == (0.0, None)
    assert read_status(folder)["state"] == "stopped"
    assert not (folder / "model").exists()
    resume_run(folder, Session())
    assert read_status(folder)["state"] == "finished"


@pytest.mark.parametrize(("seconds", "state"), [(-60.0, "finished"), (60.0, "stopped")])
def test_a_stop_sent_while_a_resumed_process_starts_is_obeyed(
    tmp_path: Path, corpus_folder: Path, seconds: float, state: str
) -> None:
    """An older one was for the session before."""
    start_run(tmp_path, settings(corpus_folder), Session(time_budget=1e-9))
    begun = time.time()
    send_command(tmp_path, "stop")
    os.utime(tmp_path / "control.json", (begun + seconds, begun + seconds))
    resume_run(tmp_path, Session(begun=begun))
    assert read_status(tmp_path)["state"] == state


def test_more_threads_than_there_are_leave_nothing(tmp_path: Path, corpus_folder: Path) -> None:
    with pytest.raises(InputError, match="--threads is 9999;"):
        start_run(tmp_path / "r", settings(corpus_folder), Session(threads=9999))
    assert not (tmp_path / "r").exists()


def lasting(folder: Path) -> dict[str, Any]:
    """Status of a run without the process that wrote it."""
    status = read_status(folder)
    return {name: value for name, value in status.items() if name not in ("pid", "updated")}


def test_a_finished_run_remains_finished_if_it_cannot_be_resumed(
    run_folder: Path, tmp_path: Path
) -> None:
    before = lasting(run_folder)
    assert (before["state"], before["epoch"], before["topics"]) == ("finished", 3.0, 6)
    with pytest.raises(InputError, match="--threads is 9999;"):
        resume_run(run_folder, Session(threads=9999))
    assert lasting(run_folder) == before
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="name a folder for the queue"):
        resume_run(run_folder, Session(queue=tmp_path / "file"))
    assert lasting(run_folder) == before


def test_a_stopped_run_that_is_stopped_in_the_queue_or_fails_keeps_its_figures(
    tmp_path: Path, corpus_folder: Path
) -> None:
    folder, queue = tmp_path / "r", tmp_path / "queue"
    queue.mkdir()
    start_run(folder, settings(corpus_folder), Session(time_budget=1e-9))
    before, seen = lasting(folder), list[dict[str, Any]]()
    assert (before["state"], before["epoch"], before["topics"]) == ("stopped", 0.25, 6)

    def stop(figures: dict[str, Any]) -> None:
        seen.append(figures)
        if figures["state"] == "queued":
            send_command(folder, "stop")

    with filelock.FileLock(queue / "training.lock"):
        resume_run(folder, Session(queue=queue, report=stop))
    assert (seen[0]["state"], seen[0]["epoch"], seen[0]["topics"]) == ("queued", 0.25, 6)
    assert lasting(folder) == before
    with pytest.raises(InputError, match="name a folder for the queue"):
        resume_run(folder, Session(queue=folder / "status.json"))
    after = lasting(folder)
    assert (after["state"], after["epoch"], after["topics"]) == ("failed", 0.25, 6)


def test_topics_are_in_topic_groups_by_the_documents_they_were_found_in() -> None:
    on, presence = documents(around=True)
    rows = np.arange(0, presence.shape[0], 2)
    corpus = corpus_of_matrix(presence, VOCABULARY)
    found = Activations(rows, on[rows])
    topic_groups = corpus_topic_groups(a_network(), corpus, found)
    assert topic_groups is not None
    expected = find_topic_groups(a_network(), VOCABULARY, on[rows], presence[rows])
    assert expected is not None
    assert topic_groups.of.tolist() == expected.of.tolist()
    # Topics of a model that is no better than independent words are not grouped.
    assert not tells_nothing({"log_likelihood": -2.0, "independent": -2.1})
    assert tells_nothing({"log_likelihood": -2.0, "independent": -2.0})
    # A run computes no likelihood at its end; the bound replaces it.
    assert not tells_nothing({"log_likelihood": None, "exact_bound": -2.0, "independent": -2.1})
    assert tells_nothing({"log_likelihood": None, "exact_bound": -2.1, "independent": -2.1})


@pytest.mark.parametrize("is_useless", [False, True])
def test_topics_of_a_useless_model_are_not_grouped(
    tmp_path: Path, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch, is_useless: bool
) -> None:
    grouped: list[Any] = []
    monkeypatch.setattr(runner, "corpus_topic_groups", lambda *given: grouped.append(given))
    monkeypatch.setattr(runner, "tells_nothing", lambda held_out: is_useless)
    start_run(tmp_path / "r", settings(corpus_folder), Session())
    assert len(grouped) == (0 if is_useless else 1)
