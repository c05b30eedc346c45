"""On Windows a file that somebody has open is waited for; elsewhere every refusal is final."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orrery.core.storage import atomic
from orrery.core.storage.atomic import move, new_folder, when_free, write_text
from orrery.core.storage.reading import read_stored

IN_USE = 32
ACCESS_DENIED = 5


def refusal(winerror: int | None) -> PermissionError:
    """Exception of Python with the error number of Windows."""
    error = PermissionError(13, "Permission denied")
    if winerror is not None:
        error.winerror = winerror  # type: ignore[attr-defined]
    return error


def refusing(action: Callable[..., Any], times: int, winerror: int | None = IN_USE) -> Any:
    """Refuse an action some times before it is done."""
    left = [refusal(winerror)] * times

    def done(*arguments: Any) -> Any:
        if left:
            raise left.pop()
        return action(*arguments)

    return done


@pytest.mark.parametrize("winerror", [IN_USE, ACCESS_DENIED])
def test_it_is_done_as_soon_as_it_may(winerror: int) -> None:
    assert when_free(refusing(lambda: "done", 3, winerror)) == "done"


@pytest.mark.parametrize("winerror", [None, 17])
def test_another_refusal_is_final(winerror: int | None) -> None:
    tried = []

    def action() -> None:
        tried.append(1)
        raise refusal(winerror)

    with pytest.raises(PermissionError):
        when_free(action)
    assert len(tried) == 1


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "SECONDS_OF_PATIENCE", 0.05)
    with pytest.raises(PermissionError):
        when_free(refusing(lambda: "done", 1_000))


def test_files_and_folders_that_are_read_are_replaced_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "replace", refusing(os.replace, 2))
    write_text(tmp_path / "file", "new")
    assert read_stored(tmp_path / "file") == b"new"
    with monkeypatch.context() as renamed:
        renamed.setattr(Path, "rename", refusing(Path.rename, 2))
        with new_folder(tmp_path / "folder") as partial:
            (partial / "f").touch()
    with monkeypatch.context() as renamed:
        renamed.setattr(Path, "rename", refusing(Path.rename, 2))
        move(tmp_path / "folder", tmp_path / "moved")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "moved"]


def test_a_file_is_read_after_it_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_text(tmp_path / "file", "new")
    monkeypatch.setattr(Path, "read_bytes", refusing(Path.read_bytes, 2, ACCESS_DENIED))
    assert read_stored(tmp_path / "file") == b"new"
