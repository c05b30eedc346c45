"""Runs on a cluster end as runs on this machine do, and lose nothing where the cluster is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import orrery.core.runs.recorder
from orrery.core.runs.cluster import ClusterLostError
from orrery.core.runs.runner import resume_run, start_run
from orrery.core.runs.settings import Session
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import load_run, read_config, read_status, send_command
from orrery.core.utils.errors import InputError
from tests.core.clusters import cluster_in_this_process
from tests.core.small_runs import contents, settings, unfinished

pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def _every_step_is_reported_and_patience_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orrery.core.runs.recorder, "SECONDS_BETWEEN_METRICS", -1.0)
    monkeypatch.setattr("orrery.core.runs.cluster.CONNECTION_PATIENCE", 2.0)


def once_at(step: int, act: Callable[[], Any]) -> Callable[[dict[str, Any]], None]:
    """A watcher that does something once, as soon as a step is reported."""
    done = []

    def progress(figures: dict[str, Any]) -> None:
        if figures.get("step") == step and not done:
            done.append(step)
            act()

    return progress


def test_a_run_stopped_on_one_cluster_and_resumed_on_another(
    tmp_path: Path, corpus_folder: Path, trained: Path
) -> None:
    folder = tmp_path / "r"
    stop = once_at(5, lambda: send_command(folder, "stop"))
    with cluster_in_this_process(2) as cluster:
        session = Session(cluster=cluster.scheduler_address, report=stop)
        assert start_run(folder, settings(corpus_folder), session)["epochs"] == 5 / 4
    with cluster_in_this_process(1) as cluster:
        session = Session(cluster=cluster.scheduler_address)
        assert resume_run(folder, session)["epochs"] == 3.0
    assert contents(folder / "model") == contents(trained / "model")
    # The path of the corpus is relative to the run.
    mine, other = (read_config(run) | {"corpus": ""} for run in (folder, trained))
    assert mine == other


@pytest.mark.parametrize("step", [1, 6])
def test_a_scheduler_that_dies_leaves_a_run_that_continues_from_there(
    tmp_path: Path, corpus_folder: Path, trained: Path, step: int
) -> None:
    folder = tmp_path / "r"
    with cluster_in_this_process(1) as cluster:
        session = Session(cluster=cluster.scheduler_address, report=once_at(step, cluster.close))
        with pytest.raises(ClusterLostError, match=r"the cluster was lost: .* --resume goes on"):
            start_run(folder, settings(corpus_folder), session)
    status = read_status(folder)
    assert (status["state"], status["step"], status["alive"]) == ("failed", step, False)
    assert status["message"].startswith("the cluster was lost: its scheduler does not answer; ")
    assert (folder / f"checkpoint-{step:08d}.npz").is_file()
    with pytest.raises(InputError, match="has no model yet"):
        load_run(folder)
    resume_run(folder, Session())
    assert contents(folder / "model") == contents(trained / "model")
    assert read_metrics(folder)["step"].tolist() == list(range(1, 13))
    assert unfinished(folder) == []


def test_an_address_where_there_is_no_cluster_leaves_nothing(
    tmp_path: Path, corpus_folder: Path
) -> None:
    with pytest.raises(InputError, match="no Dask scheduler answers at"):
        start_run(tmp_path / "r", settings(corpus_folder), Session(cluster="tcp://127.0.0.1:9"))
    assert not (tmp_path / "r").exists()


def test_a_run_whose_cluster_is_not_there_when_resumed_stays_as_it_was(
    tmp_path: Path, corpus_folder: Path, trained: Path
) -> None:
    folder = tmp_path / "r"
    stop = once_at(5, lambda: send_command(folder, "stop"))
    start_run(folder, settings(corpus_folder), Session(report=stop))
    with pytest.raises(InputError, match="no Dask scheduler answers at"):
        resume_run(folder, Session(cluster="tcp://127.0.0.1:9"))
    resume_run(folder, Session())
    assert contents(folder / "model") == contents(trained / "model")
