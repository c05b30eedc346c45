"""Atomic writing: files and folders are complete or absent, even after a crash.

On Windows, a file that another program has open can be neither replaced nor moved; `when_free`
waits for it.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..utils.errors import InputError

Result = TypeVar("Result")

# Windows errors for a file that another program has open: access denied, sharing violation.
IN_USE = frozenset({5, 32})
# Orrery reads a file at once and closes it; a virus scanner takes a little longer.
SECONDS_OF_PATIENCE = 2.0
SECONDS_BETWEEN_TRIES = 0.01


def move(source: Path, place: Path) -> None:
    """Rename a file or folder to a free path, as soon as no program has it open."""
    when_free(lambda: source.rename(place))


def when_free(action: Callable[[], Result]) -> Result:
    """Perform an action on a file, and repeat it while Windows reports that the file is in use.

    On other systems open files can be replaced, and every error is final. The action must have no
    effect if it fails. Raises PermissionError if the file is still in use after
    `SECONDS_OF_PATIENCE`, or the error has another cause.
    """
    until = time.monotonic() + SECONDS_OF_PATIENCE
    while True:
        try:
            return action()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in IN_USE or time.monotonic() > until:
                raise
        time.sleep(SECONDS_BETWEEN_TRIES)


# Unfinished files and folders begin with a dot, so that listings of a workspace skip them, and end
# with this suffix.
PARTIAL_SUFFIX = ".partial"
# Age of a stale temporary file: nothing takes this long to write, so its process was killed.
STALE_SECONDS = 24 * 3600.0
# Suffix of the previous version of a file while several files are replaced.
KEPT_SUFFIX = ".old"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces ``path`` when the block ends without an error.

    A reader sees the old content or the new content, never a part.
    """
    _remove_stale(path)
    partial = _partial_sibling(path)
    try:
        with open(partial, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        when_free(lambda: os.replace(partial, path))
    except OSError as error:
        _rename_in_error(error, partial, path)
        raise
    finally:
        # If this fails too, the original error is more useful.
        with suppress(OSError):
            partial.unlink()
    _sync_rename(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with replacing(path) as file:
        file.write(data)


def write_together(files: Mapping[Path, bytes | None]) -> None:
    """Write files that belong together; the first one makes the others valid.

    All files are on disk before any of them is replaced. The first file is removed before the
    others are replaced and is written last, so a killed process leaves it absent rather than beside
    files of another version. During the replacement, the previous versions are kept with the suffix
    ``.old``, and an error restores them. None means that the file must not exist.
    """
    first, *others = files
    with _backup(first, others), ExitStack() as ready:
        for path, data in files.items():
            if data is not None:
                file = ready.enter_context(replacing(path))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        if others:
            first.unlink(missing_ok=True)
        for path in others:
            if files[path] is None:
                path.unlink(missing_ok=True)


@contextmanager
def _backup(first: Path, others: list[Path]) -> Iterator[None]:
    """Keep copies of files until the block ends, and restore them if it fails."""
    copies = {path: path.with_name(path.name + KEPT_SUFFIX) for path in (first, *others)}
    if not others:
        yield
        return
    try:
        # If the first file is missing because a process was killed, the copies are the last whole
        # set and must not be replaced.
        if first.exists():
            _keep(copies)
        yield
    except BaseException:
        if not first.exists() and copies[first].exists():
            _restore(copies)
        raise
    finally:
        if first.exists():
            for copy in copies.values():
                with suppress(OSError):
                    copy.unlink(missing_ok=True)


def _keep(copies: dict[Path, Path]) -> None:
    """Copy files, the first of them last, because its copy makes the others valid."""
    for path, copy in reversed(copies.items()):
        if path.exists():
            write_bytes(copy, path.read_bytes())
        else:
            copy.unlink(missing_ok=True)


def _restore(copies: dict[Path, Path]) -> None:
    """Move copies back to their original paths, the first of them last."""
    for path, copy in reversed(copies.items()):
        if copy.exists():
            os.replace(copy, path)
        else:
            path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8 and without conversion of line ends."""
    write_bytes(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def write_npz(path: Path, arrays: dict[str, npt.NDArray[Any]], *, compressed: bool = True) -> None:
    """Write named arrays atomically; equal arrays give equal bytes."""
    write = np.savez_compressed if compressed else np.savez
    with replacing(path) as file:
        write(file, allow_pickle=False, **arrays)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Build a folder under a temporary name and move it to ``path`` when the block succeeds.

    Raises InputError if ``path`` exists and is not an empty folder.
    """
    path = Path(os.path.abspath(path))
    check_free(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{path.parent} is a file; choose another place for {path.name}") from None
    _remove_stale(path)
    partial = _partial_sibling(path)
    try:
        partial.mkdir()
        yield partial
        _sync_folder(partial)
        check_free(path)
        if path.is_dir():
            path.rmdir()
        move(partial, path)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(error, OSError):
            _rename_in_error(error, partial, path)
        raise
    _sync_rename(path.parent)


def check_free(path: Path) -> None:
    """Refuse a path for a new folder unless it is free or an empty folder (InputError)."""
    if not path.is_dir() and not os.path.lexists(path):
        return
    if not path.is_dir() or any(path.iterdir()):
        raise InputError(f"{path} exists already; choose another name or remove it first")


def _partial_sibling(path: Path) -> Path:
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}{PARTIAL_SUFFIX}")


def _remove_stale(path: Path) -> None:
    """Remove stale temporary versions of a file or folder, left by a killed process."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{PARTIAL_SUFFIX}"):
        # Another process may remove the same file.
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_SECONDS:
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink()


def _sync_rename(folder: Path) -> None:
    """Make a rename survive a power cut, if possible; the rename is complete, so no error."""
    with suppress(OSError):
        _sync_folder(folder)


def _rename_in_error(error: OSError, partial: Path, path: Path) -> None:
    """Replace the temporary path in an error by the path that the caller gave."""
    for name in ("filename", "filename2"):
        given = getattr(error, name)
        if isinstance(given, str) and (Path(given) == partial or partial in Path(given).parents):
            setattr(error, name, str(path / Path(given).relative_to(partial)))


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, on systems that can open folders."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
