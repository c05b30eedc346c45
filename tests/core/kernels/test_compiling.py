"""Compiled kernels of one version of the sources are never used for another version."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOW = (
    "import numba; from orrery.core.kernels.streams import uniform as kernel; "
    "print(kernel._cache._cache_file._folder, numba.config.CACHE_DIR)"
)
# A kernel, and in another file one that calls it; what is printed is the folder of the second.
CALLEE = """
from orrery.core.kernels.compiling import kernel

@kernel
def half(x):
    return x / {divisor}
"""
CALLER = """
from orrery.core.kernels.compiling import kernel
from callee import half

@kernel
def quarter(x):
    return half(half(x))

print(quarter(8.0), sum(quarter.stats.cache_hits.values()))
"""


def compiling(without: tuple[str, ...] = (), **more: str) -> dict[str, str]:
    """Environment of a process that compiles, even where these tests run uncompiled."""
    barred = {"NUMBA_DISABLE_JIT", *without}
    return {key: value for key, value in os.environ.items() if key not in barred} | more


@pytest.mark.parametrize("is_moved", [False, True])
def test_the_cache_is_named_by_the_sources_wherever_it_lies(tmp_path: Path, is_moved: bool) -> None:
    own = {"XDG_CACHE_HOME": str(tmp_path / "own")}
    moved = {"NUMBA_CACHE_DIR": str(tmp_path / "moved")} if is_moved else {}
    shown = subprocess.run(
        [sys.executable, "-c", SHOW],
        env=compiling(without=("NUMBA_CACHE_DIR",), **own, **moved),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    folder, used = shown.split()
    assert folder == used
    assert Path(folder).is_relative_to(tmp_path / ("moved" if is_moved else "own"))


def test_without_a_home_nothing_is_written_where_one_stands(tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", f"import os; os.path.expanduser = lambda path: path; {SHOW}"],
        env=compiling(without=("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(shown.split()[0]).is_absolute()
    assert list(tmp_path.iterdir()) == []


def test_an_edit_of_a_callee_in_another_file_is_noticed(tmp_path: Path) -> None:
    def run(divisor: float) -> list[str]:
        (tmp_path / "callee.py").write_text(CALLEE.format(divisor=divisor))
        (tmp_path / "caller.py").write_text(CALLER)
        found = subprocess.run(
            [sys.executable, "caller.py"],
            env=compiling(NUMBA_CACHE_DIR=str(tmp_path / "cache")),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return found.stdout.split()

    assert run(2.0) == ["2.0", "0"]
    assert run(2.0) == ["2.0", "1"]
    assert run(4.0) == ["0.5", "0"]


def test_a_kernel_needs_numba_only_when_it_is_compiled(tmp_path: Path) -> None:
    script = """
import sys
from orrery.core.kernels.compiling import interpreted, seconds_compiling
from orrery.core.kernels.streams import stream_key
import numpy as np

with interpreted():
    plain = stream_key(np.uint64(3), 4)
print("numba" in sys.modules, seconds_compiling() == 0.0)
print("numba" in sys.modules, int(plain) == int(stream_key(np.uint64(3), 4)))
print("numba" in sys.modules, seconds_compiling() > 0.0)
"""
    shown = subprocess.run(
        [sys.executable, "-c", script],
        env=compiling(NUMBA_CACHE_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.split() == ["False", "True", "False", "True", "True", "True"]
