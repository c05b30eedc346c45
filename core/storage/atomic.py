"""Files that somebody else has open, which on Windows can be neither replaced nor moved.

Files and folders that are there whole or not at all.
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

# What Windows says of a file that another program has open: access denied, sharing violation.
IN_USE = frozenset({5, 32})
# Readers here take a file in at once and let go of it; a virus scanner needs a little longer.
SECONDS_OF_PATIENCE = 2.0
SECONDS_BETWEEN_TRIES = 0.01


def move(source: Path, place: Path) -> None:
    """Rename a file or folder to a free place, as soon as nobody has anything in it open."""
    when_free(lambda: source.rename(place))


def when_free(action: Callable[[], Result]) -> Result:
    """Do something to a file, again while Windows says that another program has it open.

    Elsewhere open files are replaced and moved like others, and every refusal is final.

    Parameters
    ----------
    action : callable
        Done at least once; it must leave nothing behind where it is refused.

    Raises
    ------
    PermissionError
        If the file is still in use after `SECONDS_OF_PATIENCE`, or it is refused for another
        reason.
    """
    until = time.monotonic() + SECONDS_OF_PATIENCE
    while True:
        try:
            return action()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in IN_USE or time.monotonic() > until:
                raise
        time.sleep(SECONDS_BETWEEN_TRIES)


# Unfinished files and folders begin with a dot and end like this; whoever lists a workspace
# passes over names with a dot.
PARTIAL_SUFFIX = ".partial"
# Unfinished work of this age was left by a process that was killed; nothing here writes so long.
STALE_SECONDS = 24 * 3600.0
# What was there before, for the moment in which several files are replaced.
KEPT_SUFFIX = ".old"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of ``path`` when the block ends without an error.

    A reader sees the old content or the new, never a part of it.
    """
    _sweep(path)
    partial = _partial_sibling(path)
    try:
        with open(partial, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        when_free(lambda: os.replace(partial, path))
    except OSError as error:
        _name_by_place(error, partial, path)
        raise
    finally:
        # An unlink that fails says nothing that the error before it has not said.
        with suppress(OSError):
            partial.unlink()
    _settle(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with replacing(path) as file:
        file.write(data)


def write_together(files: Mapping[Path, bytes | None]) -> None:
    """Write files that are read together, of which the first makes the others count.

    All are on the disk before any takes its place, and the first goes first and comes last: a kill
    leaves it out, and never beside what another was written with. What was there before is then
    kept beside, under names that end in ``.old``; an error puts it back. None stands for no file.
    """
    first, *others = files
    with _kept(first, others), ExitStack() as ready:
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
def _kept(first: Path, others: list[Path]) -> Iterator[None]:
    """Keep copies of files until the block has ended, and put them back where it fails."""
    copies = {path: path.with_name(path.name + KEPT_SUFFIX) for path in (first, *others)}
    if not others:
        yield
        return
    try:
        # Where a kill left the first one out, what it kept is still the last whole set.
        if first.exists():
            _keep(copies)
        yield
    except BaseException:
        if not first.exists() and copies[first].exists():
            _put_back(copies)
        raise
    finally:
        if first.exists():
            for copy in copies.values():
                with suppress(OSError):
                    copy.unlink(missing_ok=True)


def _keep(copies: dict[Path, Path]) -> None:
    """Copy files, the first of them last: its copy makes the others count."""
    for path, copy in reversed(copies.items()):
        if path.exists():
            write_bytes(copy, path.read_bytes())
        else:
            copy.unlink(missing_ok=True)


def _put_back(copies: dict[Path, Path]) -> None:
    """Move copies to where they are from, the first of them last."""
    for path, copy in reversed(copies.items()):
        if copy.exists():
            os.replace(copy, path)
        else:
            path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8 and with its line ends as they are."""
    write_bytes(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def write_npz(path: Path, arrays: dict[str, npt.NDArray[Any]], *, compressed: bool = True) -> None:
    """Write named arrays atomically; the same arrays give the same bytes."""
    write = np.savez_compressed if compressed else np.savez
    with replacing(path) as file:
        write(file, allow_pickle=False, **arrays)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Build a folder beside its place and move it there when the block ends without an error.

    Raises
    ------
    InputError
        If there is something at ``path`` already, other than an empty folder.
    """
    path = Path(os.path.abspath(path))
    check_free(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{path.parent} is a file; choose another place for {path.name}") from None
    _sweep(path)
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
            _name_by_place(error, partial, path)
        raise
    _settle(path.parent)


def check_free(path: Path) -> None:
    """Refuse a place for a new folder where there is something already (InputError)."""
    if not path.is_dir() and not os.path.lexists(path):
        return
    if not path.is_dir() or any(path.iterdir()):
        raise InputError(f"{path} exists already; choose another name or remove it first")


def _partial_sibling(path: Path) -> Path:
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}{PARTIAL_SUFFIX}")


def _sweep(path: Path) -> None:
    """Remove what a killed process left unfinished of a file or folder, long ago."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{PARTIAL_SUFFIX}"):
        # Another process may sweep here too.
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_SECONDS:
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink()


def _settle(folder: Path) -> None:
    """Make a rename last where the disk allows it: it is done and seen by all, so no error."""
    with suppress(OSError):
        _sync_folder(folder)


def _name_by_place(error: OSError, partial: Path, path: Path) -> None:
    """Let an error name the place that was asked for, not the unfinished work beside it."""
    for name in ("filename", "filename2"):
        told = getattr(error, name)
        if isinstance(told, str) and (Path(told) == partial or partial in Path(told).parents):
            setattr(error, name, str(path / Path(told).relative_to(partial)))


def _sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where the system can open folders."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
