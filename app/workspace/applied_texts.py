"""New texts by the topics of a model: find them in a separate process, and read the result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.storage.overlay import read_overlay
from ...core.storage.reading import json_value, read_json
from ...core.storage.stability import read_model_hash
from ...core.utils.errors import InputError
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
    # Whether names of topics have changed since the beginning, so that the result has others.
    has_old_names: bool = False
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
        {"names": _names(run)},
    )


def read_applying(workspace: Path, run: Path, source: Path, text: Sequence[str] = ()) -> Applying:
    """State of the work on a source, with these text columns."""
    table = table_of(workspace, run, source, text)
    work = processes.read_work(table.parent)
    if work is None:
        return Applying("none")
    if work.last.startswith("{") and table.is_file():
        found = json_value(work.last)
        return Applying(
            "done",
            1.0,
            summary=found if isinstance(found, dict) else {},
            has_old_names=_names_at_start(table.parent) != _names(run),
        )
    return Applying("going", work.share) if work.is_going else Applying("failed", 0.0, work.last)


def table_of(workspace: Path, run: Path, source: Path, text: Sequence[str] = ()) -> Path:
    """File with the result, in a folder for this model, this upload and its columns."""
    return workspace / FOLDER / _digest(read_model_hash(run / "model"), source, [*text]) / TABLE


def _names(run: Path) -> str:
    """Digest of the names of topics, and of hidden and merged topics."""
    overlay = read_overlay(run / "model")
    return _digest(
        sorted(overlay.labels.items()), sorted(overlay.hidden), sorted(overlay.merged.items())
    )


def _names_at_start(folder: Path) -> str | None:
    """Digest of the names at the beginning of the work in a folder; None if it is not known."""
    with suppress(InputError):
        names = read_json(folder / processes.ASKED).get("names")
        return names if isinstance(names, str) else None
    return None


def _digest(*parts: object) -> str:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:20]
