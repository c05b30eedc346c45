"""Overlays on disk, beside their models, with the history of changes that can be undone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import filelock

from ..model.overlay import FIELDS, MAX_LABEL, MAX_NOTE, Edit, Overlay, differences, force_edits
from ..utils.errors import InputError, deleted_error
from ..utils.read_only import writer
from .atomic import write_json
from .reading import check_seal, read_json, sealed, stored_version

HISTORY_VERSION = 1
HISTORY_FORMAT = "orrery overlay history"
HISTORY_FILE = "overlay-history.json"
# Changes, and edits in all of them: more are never undone, and changes of all topics of a large
# model take much space on disk.
MAX_STEPS, MAX_EDITS = 20, 50_000


@dataclass(frozen=True)
class Step:
    """Change that can be undone; ``number`` increases with each change and identifies it."""

    number: int
    edits: tuple[Edit, ...]


def read_history(model_folder: Path) -> tuple[Step, ...]:
    """Changes that can be undone, in order.

    An unreadable history counts as empty: nothing in it is displayed, and it must not prevent the
    next change.
    """
    path = model_folder / HISTORY_FILE
    if not path.exists():
        return ()
    try:
        values = read_json(path)
        if (values.get("format"), values.get("version")) != (HISTORY_FORMAT, HISTORY_VERSION):
            return ()
        return tuple(_step(step) for step in values["steps"])
    except (InputError, KeyError, TypeError, ValueError):
        return ()


def with_step(steps: Sequence[Step], edits: tuple[Edit, ...]) -> tuple[Step, ...]:
    """Append a change to a history and remove the oldest changes if there are too many."""
    # The time, because after an undo the last number is no longer in the history.
    number = max(time.time_ns(), steps[-1].number + 1 if steps else 1)
    kept = [Step(number, edits)]
    total = len(edits)
    for step in reversed(steps[-(MAX_STEPS - 1) :]):
        total += len(step.edits)
        if total > MAX_EDITS:
            break
        kept.insert(0, step)
    return tuple(kept)


def write_history(model_folder: Path, steps: Sequence[Step]) -> None:
    """Write the history beside the overlay atomically."""
    stored = [
        {"number": step.number, "edits": [list(astuple(edit)) for edit in step.edits]}
        for step in steps
    ]
    values = {"format": HISTORY_FORMAT, "version": HISTORY_VERSION, "steps": stored}
    write_json(model_folder / HISTORY_FILE, values)


def _step(stored: dict[str, Any]) -> Step:
    edits = tuple(Edit(*edit) for edit in stored["edits"])
    texts = (text for edit in edits for text in (edit.topic, edit.before, edit.after))
    if type(stored["number"]) is not int or not all(isinstance(text, str) for text in texts):
        raise ValueError(stored)
    if not edits or any(edit.field not in FIELDS for edit in edits):
        raise ValueError(stored)
    return Step(stored["number"], edits)


# Version 2 has notes; an overlay without notes is written in version 1.
OVERLAY_VERSION = 2
OVERLAY_FORMAT = "orrery overlay"
OVERLAY_FILE = "overlay.json"


def read_overlay(model_folder: Path) -> Overlay:
    """Read the overlay beside a model; an empty one without a file.

    Raises InputError if the file is damaged or its version is not supported.
    """
    path = model_folder / OVERLAY_FILE
    # A cycle of links exists, but it is not an overlay.
    if not os.path.lexists(path):
        return Overlay()
    try:
        values = read_json(path)
        # Overlays of earlier versions and of other programs have no seal.
        check_seal(path, values, is_needed=False)
    except InputError:
        raise _damaged(path) from None
    version = stored_version(values, OVERLAY_FORMAT)
    if version is None:
        raise _damaged(path)
    if not 1 <= version <= OVERLAY_VERSION:
        raise InputError(
            f"{path} is an overlay of version {version}, and this Orrery reads up to "
            f"{OVERLAY_VERSION}; move it away to see the model without it"
        )
    labels: Any = values.get("labels")
    hidden: Any = values.get("hidden")
    merged: Any = values.get("merged")
    notes: Any = values.get("notes", {})
    if not (_is_texts(labels) and _is_list(hidden) and _is_texts(merged) and _is_texts(notes)):
        raise _damaged(path)
    if not all(_is_line(label, MAX_LABEL) for label in labels.values()):
        raise _damaged(path)
    if not all(_is_line(note, MAX_NOTE) for note in notes.values()):
        raise _damaged(path)
    # A merged topic must not be the target of another merge, or the lookup could never end.
    if set(merged) & set(merged.values()):
        raise _damaged(path)
    return Overlay(labels, frozenset(hidden), merged, notes)


def _is_line(text: str, longest: int) -> bool:
    """Whether a text is one line of printable characters without spaces at the ends."""
    return 0 < len(text) <= longest and text.isprintable() and text == text.strip()


@writer
def change_overlay(model_folder: Path, change: Callable[[Overlay], Overlay]) -> Overlay:
    """Apply a change to the overlay on disk, write the result, and return it.

    `undo_change` can undo the change. Raises InputError if the model was deleted, its overlay is
    damaged, or ``change`` refuses.
    """
    with _changing(model_folder):
        before = read_overlay(model_folder)
        overlay = change(before)
        edits = differences(before, overlay)
        if edits:
            # If the process is killed between the two writes, this step undoes nothing.
            write_history(model_folder, with_step(read_history(model_folder), edits))
        write_overlay(model_folder, overlay)
    return overlay


@writer
def undo_change(model_folder: Path, number: int) -> tuple[Edit, ...]:
    """Undo the last change of an overlay and return the edits that did it.

    Raises InputError if ``number`` does not belong to the last change, or the model was deleted.
    """
    with _changing(model_folder):
        steps = read_history(model_folder)
        if not steps or steps[-1].number != number:
            raise InputError("the last change is another by now; look at it before you undo it")
        edits = tuple(edit.inverse() for edit in steps[-1].edits)
        write_overlay(model_folder, force_edits(read_overlay(model_folder), edits))
        write_history(model_folder, steps[:-1])
    return edits


def _changing(model_folder: Path) -> filelock.BaseFileLock:
    """Lock for a change; the model must exist, because locking would create its folder."""
    if not model_folder.is_dir():
        raise deleted_error(f"model {model_folder.parent.name}")
    return overlay_lock(model_folder)


def overlay_lock(model_folder: Path) -> filelock.BaseFileLock:
    """Lock for a change of the overlay or a replacement of the model."""
    return filelock.FileLock(model_folder.with_name(f"{model_folder.name}.lock"))


def write_overlay(model_folder: Path, overlay: Overlay) -> None:
    """Write the overlay beside a model atomically; equal overlays give equal bytes."""
    values = {
        "format": OVERLAY_FORMAT,
        "version": OVERLAY_VERSION if overlay.notes else 1,
        "labels": dict(sorted(overlay.labels.items())),
        "hidden": sorted(overlay.hidden),
        "merged": dict(sorted(overlay.merged.items())),
    }
    if overlay.notes:
        values["notes"] = dict(sorted(overlay.notes.items()))
    write_json(model_folder / OVERLAY_FILE, sealed(values))


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is damaged: it is not an overlay; move it away to see the model without it"
    )
