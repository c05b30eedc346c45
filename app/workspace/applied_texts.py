"""New texts by the topics of a model: find them in a separate process, and read the result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.storage.overlay import read_overlay
from ...core.storage.reading import json_value
from ...core.storage.stability import read_model_hash
from ...core.utils.read_only import writer
from . import processes
from .uploads import discard_old

FOLDER, TABLE = "applied", "topics.csv"


@dataclass(frozen=True)
class Applying:
    """State of the work: ``none``, ``going``, ``done`` or ``failed``."""

    state: str
    share: float = 0.0
    message: str = ""  # error
    # Summary of the result (`orrery.core.export.applied.Applied`).
    summary: dict[str, Any] = field(default_factory=dict)


@writer
def begin(workspace: Path, run: Path, source: Path, text: Sequence[str] = ()) -> None:
    """Start finding the topics of an uploaded source, unless it is going.

    ``text`` names the text columns of a table, in order.
    """
    discard_old(workspace / FOLDER)
    table = table_of(workspace, run, source, text)
    command = ["apply", str(run), str(source), "--out", str(table)]
    # With the sign =, a name may begin with a hyphen.
    columns = [f"--text-column={name}" for name in text]
    processes.begin(
        table.parent,
        [*command, *columns, "--force", "--json"],
        run,
        lambda: read_applying(workspace, run, source, text).state == "going",
    )


def read_applying(workspace: Path, run: Path, source: Path, text: Sequence[str] = ()) -> Applying:
    """State of the work on a source, with these text columns."""
    table = table_of(workspace, run, source, text)
    work = processes.read_work(table.parent)
    if work is None:
        return Applying("none")
    if work.last.startswith("{") and table.is_file():
        found = json_value(work.last)
        return Applying("done", 1.0, summary=found if isinstance(found, dict) else {})
    return Applying("going", work.share) if work.is_going else Applying("failed", 0.0, work.last)


def table_of(workspace: Path, run: Path, source: Path, text: Sequence[str] = ()) -> Path:
    """File with the result, in a folder for this model, its names, this upload and its columns."""
    overlay = read_overlay(run / "model")
    names = [sorted(overlay.labels.items()), sorted(overlay.hidden), sorted(overlay.merged.items())]
    key = f"{read_model_hash(run / 'model')} {names} {source} {[*text]}"
    return workspace / FOLDER / hashlib.sha256(key.encode()).hexdigest()[:20] / TABLE
