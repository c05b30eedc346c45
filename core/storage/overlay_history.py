"""What was said about topics before: the last changes of an overlay, each to be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from orrery.core.edits import FIELDS, Edit
from orrery.core.errors import InputError
from orrery.core.storage.atomic import write_json
from orrery.core.storage.reading import read_json

HISTORY_VERSION = 1
HISTORY_FORMAT = "orrery overlay history"
HISTORY_FILE = "overlay-history.json"
# Nobody counts further back; and a few changes of all topics of a large model fill a disk.
MOST_STEPS, MOST_EDITS = 20, 50_000


@dataclass(frozen=True)
class Step:
    """A change that can be taken back.

    Attributes
    ----------
    number : int
        Rises from change to change, so that whoever takes one back says which.
    edits : tuple of Edit
    """

    number: int
    edits: tuple[Edit, ...]


def read_history(model_folder: Path) -> tuple[Step, ...]:
    """The changes that can be taken back, the last one last.

    A history that cannot be read is none: it holds nothing that is shown, and must not stand in the
    way of the next change.
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
    """The history with one more change, and without those that have become too many."""
    number = steps[-1].number + 1 if steps else 1
    kept = [Step(number, edits)]
    total = len(edits)
    for step in reversed(steps[-(MOST_STEPS - 1) :]):
        total += len(step.edits)
        if total > MOST_EDITS:
            break
        kept.insert(0, step)
    return tuple(kept)


def write_history(model_folder: Path, steps: Sequence[Step]) -> None:
    """Write the history beside the overlay, atomically."""
    told = [{"number": s.number, "edits": [list(astuple(edit)) for edit in s.edits]} for s in steps]
    values = {"format": HISTORY_FORMAT, "version": HISTORY_VERSION, "steps": told}
    write_json(model_folder / HISTORY_FILE, values)


def _step(told: dict[str, Any]) -> Step:
    edits = tuple(Edit(*edit) for edit in told["edits"])
    texts = (text for edit in edits for text in (edit.topic, edit.before, edit.after))
    if type(told["number"]) is not int or not all(isinstance(text, str) for text in texts):
        raise ValueError(told)
    if not edits or any(edit.field not in FIELDS for edit in edits):
        raise ValueError(told)
    return Step(told["number"], edits)
