"""Kernels are compiled in another process, which ends with the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orrery.app.workspace import compilation

SLEEPING = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def own_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(compilation, "_processes", [])
    yield
    compilation.stop()


def test_nothing_is_compiled_before_the_start() -> None:
    assert not compilation.is_going()


def test_a_process_goes_on_until_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sleeping.py").write_text(SLEEPING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(compilation, "MODULE", "sleeping")
    compilation.start()
    assert compilation.is_going()
    compilation.stop()
    assert not compilation.is_going()
