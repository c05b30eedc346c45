"""Files that would not fit are refused with the figures."""

import contextlib
import os
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from orrery.core.data import limits
from orrery.core.utils.errors import InputError

linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems have no such files or names"
)


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


def test_memory_is_a_sensible_number() -> None:
    assert 2**20 < limits.memory_available() < 2**60


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file .*nix\.txt"):
        limits.read_source(tmp_path / "nix.txt")
    with pytest.raises(InputError, match="is a folder"):
        limits.read_source(tmp_path)


def test_memory_that_a_cache_holds_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = SimpleNamespace(total=8 * 2**30, free=2**20, available=6 * 2**30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    assert limits.memory_available() == 6 * 2**30


@linux_only
def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "endless.txt").symlink_to("/dev/zero")
    # The longest name of a socket is short; the folder of a test is not.
    with socket.socket(socket.AF_UNIX) as access, contextlib.chdir(tmp_path):
        access.bind("socket.txt")
    for name in ("pipe.txt", "endless.txt", "socket.txt"):
        with pytest.raises(InputError, match=f"{name} is a pipe, a socket or a device"):
            limits.read_source(tmp_path / name)


def test_links_to_files_are_followed(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_bytes(b"words")
    (tmp_path / "link.txt").symlink_to("there.txt")
    assert limits.read_source(tmp_path / "link.txt") == b"words"


@pytest.mark.parametrize("name", ["loop.txt", "x" * 5000, "a\0b", "file/below.txt"])
def test_paths_that_lead_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="check the name"):
        limits.read_source(tmp_path / name)


@linux_only
def test_a_name_that_is_no_utf8_is_refused_in_words_that_are(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"non\xff.txt")
    with pytest.raises(InputError, match="there is no file") as missing:
        limits.read_source(path)
    str(missing.value).encode("utf-8")
    with pytest.raises(InputError, match=r"non\?\.txt.* rename it") as caught:
        limits.check_name(path)
    str(caught.value).encode("utf-8")
