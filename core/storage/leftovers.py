"""What killed processes left unfinished in a workspace goes when it is opened again."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import filelock

from orrery.core.storage.atomic import STALE_SECONDS
from orrery.core.storage.runs import SPARE_MODELS, remove_spare_models, run_lock

# Files and folders that are being written, and folders that are being deleted.
UNFINISHED = re.compile(r"\..+\.(?:[0-9a-f]{12}|\d+-\d+)\.partial|\.removed-.+-\d+")


def sweep_workspace(workspace: Path) -> list[Path]:
    """Remove what nobody has written to for a day and nobody will; returns what went.

    Only what bears the names of unfinished work is looked at. What cannot be removed stays.
    """
    found = [path for path in _unfinished(workspace) if _is_old(path)]
    for path in found:
        if path.name in SPARE_MODELS:
            _remove_spare(path.parent)
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    return [path for path in found if not os.path.lexists(path)]


def _unfinished(workspace: Path) -> Iterator[Path]:
    """Unfinished files and folders, not looked into any further; no links are followed."""
    for place, folders, files in os.walk(workspace):
        odd = [name for name in folders if UNFINISHED.fullmatch(name) or name in SPARE_MODELS]
        folders[:] = [name for name in folders if name not in odd]
        for name in (*odd, *filter(UNFINISHED.fullmatch, files)):
            yield Path(place, name)


def _is_old(path: Path) -> bool:
    """Whether neither it nor anything in it has changed for long."""
    inside = [
        Path(place, name) for place, folders, files in os.walk(path) for name in (*folders, *files)
    ]
    try:
        newest = max(other.lstat().st_mtime for other in (path, *inside))
    except OSError:
        return False
    return time.time() - newest > STALE_SECONDS


def _remove_spare(run: Path) -> None:
    """Remove a model that was to take another's place, if no process trains there."""
    with suppress(filelock.Timeout, OSError), run_lock(run).acquire(timeout=0):
        remove_spare_models(run)
