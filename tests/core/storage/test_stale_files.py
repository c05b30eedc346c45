"""Old unfinished work goes, and nothing else does."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from orrery.core.storage.atomic import STALE_SECONDS
from orrery.core.storage.runs import clean_workspace, run_lock

GONE = (
    "corpora/.c.0123456789ab.partial/documents.parquet",
    "corpora/.removed-c-123/corpus.json",
    "runs/r/.control.json.0123456789ab.partial",
    "runs/r/model/.overlay.json.0123456789ab.partial",
    "runs/r/.model-new/model.json",
    "runs/r/.model-old/model.json",
    "uploads/x/.big.csv.0123456789ab.partial",
    "cache/.search-1.sqlite.77-123.partial",
)
KEPT = (
    "corpora/c/corpus.json",
    "corpora/.mine/letter.txt",
    "runs/r/model/model.json",
    "runs/r/graph.csv.old",
    "runs/.numbers.json",
    "runs/r/notes.partial",
    "uploads/x/.gitignore",
)


def make(workspace: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text("half")


def age(workspace: Path, seconds: float) -> None:
    past = time.time() - seconds
    for path in workspace.rglob("*"):
        os.utime(path, (past, past))


def files(workspace: Path) -> set[str]:
    paths = (path for path in workspace.rglob("*") if path.is_file())
    return {path.relative_to(workspace).as_posix() for path in paths} - {"runs/r/run.lock"}


def test_old_work_goes_and_nothing_else(tmp_path: Path) -> None:
    make(tmp_path, (*GONE, *KEPT))
    age(tmp_path, STALE_SECONDS + 60)
    assert len(clean_workspace(tmp_path)) == len(GONE)
    assert files(tmp_path) == set(KEPT)
    assert clean_workspace(tmp_path) == clean_workspace(tmp_path / "nix") == []


def test_work_that_may_be_going_on_stays(tmp_path: Path) -> None:
    make(tmp_path, (*GONE, *KEPT))
    assert clean_workspace(tmp_path) == []
    age(tmp_path, STALE_SECONDS + 60)
    # A large corpus is written file by file: its folder is as old as its first.
    os.utime(tmp_path / GONE[0])
    assert GONE[0] in files(tmp_path)
    with run_lock(tmp_path / "runs" / "r"):
        clean_workspace(tmp_path)
    assert files(tmp_path) == {*KEPT, GONE[0], *GONE[4:6]}


def test_without_a_model_the_spare_one_is_the_model(tmp_path: Path) -> None:
    make(tmp_path, ("runs/r/.model-old/model.json",))
    age(tmp_path, STALE_SECONDS + 60)
    assert clean_workspace(tmp_path) == []
    assert files(tmp_path) == {"runs/r/.model-old/model.json"}


@pytest.mark.skipif(os.name == "nt", reason="links are for administrators there")
def test_no_link_is_followed(tmp_path: Path) -> None:
    make(tmp_path / "elsewhere", GONE)
    age(tmp_path, STALE_SECONDS + 60)
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "runs").symlink_to(tmp_path / "elsewhere" / "runs")
    (tmp_path / "workspace" / ".removed-c-1").symlink_to(tmp_path / "elsewhere")
    assert clean_workspace(tmp_path / "workspace") == []
    assert files(tmp_path / "elsewhere") == set(GONE)
