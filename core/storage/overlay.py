"""Overlays on disk, beside the models that they are about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import filelock

from orrery.core.errors import InputError
from orrery.core.overlay import LONGEST_LABEL, Overlay
from orrery.core.read_only import writer
from orrery.core.storage.atomic import write_json
from orrery.core.storage.reading import check_seal, read_json, sealed

OVERLAY_VERSION = 1
OVERLAY_FORMAT = "orrery overlay"
OVERLAY_FILE = "overlay.json"


def read_overlay(model_folder: Path) -> Overlay:
    """Read the overlay beside a model; an empty one where there is no file.

    Raises
    ------
    InputError
        One sentence if the file is damaged or its version is another.
    """
    path = model_folder / OVERLAY_FILE
    if not path.exists():
        return Overlay()
    try:
        values = read_json(path)
        # Those of earlier versions had none, nor has what a program of one's own writes.
        check_seal(path, values, is_needed=False)
    except InputError:
        raise _damaged(path) from None
    version = values.get("version")
    if values.get("format") != OVERLAY_FORMAT or type(version) is not int:
        raise _damaged(path)
    if version != OVERLAY_VERSION:
        raise InputError(
            f"{path} is an overlay of version {version}, and this Orrery reads "
            f"{OVERLAY_VERSION}; move it away to see the model without it"
        )
    labels: Any = values.get("labels")
    hidden: Any = values.get("hidden")
    merged: Any = values.get("merged")
    if not (_is_texts(labels) and _is_list(hidden) and _is_texts(merged)):
        raise _damaged(path)
    if not all(_is_label(label) for label in labels.values()):
        raise _damaged(path)
    # A part whose whole is a part as well would have to be looked up without end.
    if set(merged) & set(merged.values()):
        raise _damaged(path)
    return Overlay(labels, frozenset(hidden), merged)


def _is_label(label: str) -> bool:
    """Whether this is one line of letters and signs that can be written anywhere."""
    return 0 < len(label) <= LONGEST_LABEL and label.isprintable() and label == label.strip()


@writer
def change_overlay(model_folder: Path, change: Callable[[Overlay], Overlay]) -> Overlay:
    """Apply a change to the overlay as it stands on disk, and write it; returns the result."""
    with overlay_lock(model_folder):
        overlay = change(read_overlay(model_folder))
        write_overlay(model_folder, overlay)
    return overlay


def overlay_lock(model_folder: Path) -> filelock.BaseFileLock:
    """Lock to hold for the moment of a change, or of putting another model in the place of this."""
    return filelock.FileLock(model_folder.with_name(f"{model_folder.name}.lock"))


def write_overlay(model_folder: Path, overlay: Overlay) -> None:
    """Write the overlay beside a model, atomically and in the same order for the same content."""
    values = {
        "format": OVERLAY_FORMAT,
        "version": OVERLAY_VERSION,
        "labels": dict(sorted(overlay.labels.items())),
        "hidden": sorted(overlay.hidden),
        "merged": dict(sorted(overlay.merged.items())),
    }
    write_json(model_folder / OVERLAY_FILE, sealed(values))


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is damaged: it is not an overlay; move it away to see the model without it"
    )
