"""Places that files are written to: refused before the work, and nothing is replaced unasked."""

from __future__ import annotations

from pathlib import Path

from orrery.core.errors import InputError

# Folders that hold one of these belong to a run, and nothing else is written there.
OF_A_RUN = ("config.json", "model.json")


def check_place(out: Path) -> None:
    """Refuse a place that cannot take a file (InputError)."""
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the file to write")
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first, or choose another")
    if any((out.parent / name).exists() for name in OF_A_RUN):
        raise InputError(f"{out.parent} is the folder of a run; choose another for the file")


def check_free(path: Path, force: bool) -> None:
    """Refuse to replace a file unasked, and a folder in any case (InputError)."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; choose another name for the file")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; choose another name, or add --force")
