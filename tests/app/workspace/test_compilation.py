"""Kernels are compiled in another process, which ends with the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orrery.app.workspace import processes

SLEEPING = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def own_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(processes, "_compiling", [])
    yield
    processes.stop_compilation()


def test_nothing_is_compiled_before_the_start() -> None:
    assert not processes.is_compiling()


def test_a_process_goes_on_until_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sleeping.py").write_text(SLEEPING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(processes, "COMPILING_MODULE", "sleeping")
    processes.start_compilation()
    assert processes.is_compiling()
    processes.stop_compilation()
    assert not processes.is_compiling()
