"""A compiled kernel is loaded exactly as it was written, or compiled again."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from orrery.core.baselines import collapsed_lda
from orrery.core.kernels import cache, compiling
from orrery.core.kernels.cache import KernelFiles
from orrery.core.kernels.compiling import STALE_SECONDS, sweep
from orrery.core.kernels.streams import stream_key

KEYS = [("f(int64)", "x86"), ("f(float64)", "x86")]
# A kernel of its own with two signatures; whether its result comes from the cache.
MODULE = """
from orrery.core.kernels.compiling import kernel

@kernel
def half(x):
    return x / 2

print(half(3), half(3.0), sum(half.stats.cache_hits.values()))
"""


def test_of_two_who_save_at_once_each_is_loaded_as_it_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, others = os.replace, [KernelFiles(tmp_path, "f")]

    def replace_in_between(source: Path, place: Path) -> None:
        while others:
            others.pop().save(KEYS[1], "code for floats")
        replace(source, place)

    monkeypatch.setattr(os, "replace", replace_in_between)
    KernelFiles(tmp_path, "f").save(KEYS[0], "code for integers")
    third = KernelFiles(tmp_path, "f")
    assert [third.load(key) for key in KEYS] == ["code for integers", "code for floats"]
    assert len(list(tmp_path.iterdir())) == 2


def test_whatever_became_of_a_file_it_is_compiled_again(tmp_path: Path) -> None:
    files = KernelFiles(tmp_path, "f")
    assert files.load(KEYS[0]) is None
    files.save(KEYS[0], "code")
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        for damaged in (data[:place], data[:place] + b"\xff" + data[place + 1 :]):
            path.write_bytes(damaged)
            assert files.load(KEYS[0]) in (None, "code")
            assert damaged == data or files.load(KEYS[0]) is None
    files.save(KEYS[0], "code")
    assert files.load(KEYS[0]) == "code"
    files.flush()
    assert files.load(KEYS[0]) is None


def test_another_numba_or_another_key_of_the_same_name_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = KernelFiles(tmp_path, "f")
    files.save(KEYS[0], "code")
    with monkeypatch.context() as other:
        other.setattr(numba, "__version__", "0")
        assert files.load(KEYS[0]) is None
    monkeypatch.setattr(KernelFiles, "_path", lambda *_: next(tmp_path.iterdir()))
    assert files.load(KEYS[1]) is None


def printed(folder: Path) -> list[str]:
    (folder / "halves.py").write_text(MODULE)
    return subprocess.run(
        [sys.executable, "halves.py"],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_damaged_cache_heals_itself(tmp_path: Path) -> None:
    assert printed(tmp_path) == ["1.5", "1.5", "0"]
    assert printed(tmp_path) == ["1.5", "1.5", "2"]
    files = list((tmp_path / "cache").rglob("*.kernel"))
    assert len(files) == 2
    for path in files:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert printed(tmp_path) == ["1.5", "1.5", "0"]
    assert printed(tmp_path) == ["1.5", "1.5", "2"]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_full_disk_does_not_prevent_working(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache.KernelFiles, "save", full)
    assert compiling.kernel(lambda x: x + 1)(1) == 2


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_the_folder_is_named_by_this_package_and_the_files_of_the_kernel() -> None:
    package = {str(path) for path in Path(compiling.__file__).parent.glob("*.py")}
    inside = compiling.sources_of(stream_key)
    outside = compiling.sources_of(collapsed_lda.gibbs_sweep)
    assert set(inside) == package
    assert set(outside) == package | {collapsed_lda.__file__}


def test_kernels_of_unused_versions_are_removed(tmp_path: Path) -> None:
    for name in ("mine", "old", "young"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f.kernel").touch()
    past = time.time() - STALE_SECONDS - 60
    for name in ("mine", "old"):
        os.utime(tmp_path / name, (past, past))
    sweep(tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "young"]
    assert (tmp_path / "mine").stat().st_mtime > past + 60
