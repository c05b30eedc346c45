"""Compiled kernels of one version of the sources are never taken for those of another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOW = "import numba, orrery.core.kernels.compiling as c; print(numba.config.CACHE_DIR, c._digest)"


@pytest.mark.parametrize("is_moved", [False, True])
def test_the_cache_is_named_by_the_sources_wherever_it_lies(tmp_path: Path, is_moved: bool) -> None:
    own = {"XDG_CACHE_HOME": str(tmp_path / "own")}
    moved = {"NUMBA_CACHE_DIR": str(tmp_path / "moved")} if is_moved else {}
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    shown = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**environment, **own, **moved},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    folder, digest = shown.split()
    assert Path(folder).name == digest
    assert Path(folder).is_relative_to(tmp_path / ("moved" if is_moved else "own"))


def test_without_a_home_nothing_is_written_where_one_stands(tmp_path: Path) -> None:
    barred = {"NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}
    shown = subprocess.run(
        [sys.executable, "-c", f"import os; os.path.expanduser = lambda path: path; {SHOW}"],
        env={key: value for key, value in os.environ.items() if key not in barred},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(shown.split()[0]).is_absolute()
    assert list(tmp_path.iterdir()) == []
