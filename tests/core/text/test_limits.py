"""Files that would not fit are refused with the figures."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.text import limits


def test_a_file_over_the_memory_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 1000)
    monkeypatch.setattr(limits, "memory_available", lambda: 1000 * limits.MEMORY_PER_BYTE - 1)
    with pytest.raises(InputError, match=r"big\.txt holds .* split it"):
        limits.read_source(path)
    monkeypatch.setattr(limits, "memory_available", lambda: 1000 * limits.MEMORY_PER_BYTE)
    assert len(limits.read_source(path)) == 1000


def test_where_memory_cannot_be_learned_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_available", lambda: None)
    limits.check_memory("x", 10**15)


def test_memory_is_a_sensible_number() -> None:
    available = limits.memory_available()
    assert available is None or available > 2**20


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file .*nix\.txt"):
        limits.read_source(tmp_path / "nix.txt")
    with pytest.raises(InputError, match="is a folder"):
        limits.read_source(tmp_path)
