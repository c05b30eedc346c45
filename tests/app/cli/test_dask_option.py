"""``orrery train --dask``: the same model, and one line for whatever goes wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from orrery.core.storage.runs import read_status
from tests.core.small_runs import contents

SETTINGS = ["--topics", "4,2", "--epochs", 3, "--batch-size", 16, "--json"]


def test_the_help_states_what_stays_here_and_what_it_needs(orrery: Any) -> None:
    shown_text = re.sub(r"\s+", " ", orrery("train", "--help").out)
    assert "--dask ADDRESS" in shown_text
    assert "a Gibbs start, the proposal of the graph and the held-out figures stay" in shown_text
    assert "orrery[distributed] on every machine" in shown_text


def test_dask_is_imported_only_on_request() -> None:
    modules = "orrery.core.runs.runner, orrery.core.training.train"
    code = f"import sys, {modules}; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("address", "message"),
    [("local:0", "local:0 is no local cluster"), ("local:99", "ask for local:1 to local:8")],
)
def test_no_such_local_cluster(
    tmp_path: Path,
    refused: Callable[..., str],
    names: Callable[[], list[str]],
    corpus_folder: Path,
    address: str,
    message: str,
) -> None:
    assert message in refused(
        "train", corpus_folder, "--out", tmp_path / "r", *SETTINGS, "--dask", address
    )
    assert names() == []


def test_without_the_extra(
    tmp_path: Path,
    refused: Callable[..., str],
    names: Callable[[], list[str]],
    corpus_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    assert "--dask needs Dask, which is not installed; " in refused(
        "train", corpus_folder, "--out", tmp_path / "r", *SETTINGS, "--dask", "local"
    )
    assert names() == []


def test_a_run_on_a_cluster_that_is_lost_and_resumed_without(
    tmp_path: Path,
    orrery: Any,
    corpus_folder: Path,
    trained: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")
    from tests.core.clusters import cluster_in_this_process

    gather, calls = distributed.Client.gather, []

    def gather_five_times(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if len(calls) > 5:
            raise distributed.CancelledError
        return gather(*given, **named)

    monkeypatch.setattr(distributed.Client, "gather", gather_five_times)
    command = ["train", corpus_folder, "--out", tmp_path / "r"]
    with (
        mock.patch("orrery.core.runs.recorder.SECONDS_BETWEEN_METRICS", -1.0),
        cluster_in_this_process(2) as cluster,
    ):
        lost = orrery(*command, *SETTINGS, "--dask", cluster.scheduler_address)
    assert (lost.code, lost.out) == (1, "")
    assert lost.err.splitlines()[-1].startswith("orrery: the cluster was lost: ")
    assert "Traceback" not in lost.err
    assert read_status(tmp_path / "r")["step"] == 5
    again = orrery(*command, "--resume", "--json")
    assert again.code == 0, again.err
    assert json.loads(again.out)["epochs"] == 3.0
    assert contents(tmp_path / "r" / "model") == contents(trained / "model")
