"""The map of a run, and making it in a process of its own (no streamlit)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap, Origin, load_map, model_hash
from ...core.storage.corpora import corpus_fingerprint
from ...core.storage.reading import read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes

# Progress, as `orrery map` reports it.
SHARE_LINE = re.compile(rf"mapped {processes.PERCENT}")


@dataclass(frozen=True)
class Making:
    """How the making of a map stands: ``none``, ``going``, ``done`` or ``failed``."""

    state: str
    share: float = 0.0
    message: str = ""


def map_of(run: Path, corpus: Corpus) -> DocumentMap | None:
    """The map of these documents by this model; None where there is none.

    Raises
    ------
    InputError
        If it is damaged.
    """
    model = run / "model"
    return load_map(model, Origin(model_hash(model), corpus_fingerprint(corpus)))


@writer
def begin(workspace: Path, run: Path) -> None:
    """Start making the map of a run, unless that is going (InputError for a damaged model)."""
    processes.begin(
        _folder(workspace, run),
        ["map", str(run), "--json"],
        run,
        lambda: read_making(workspace, run).state == "going",
    )


def read_making(workspace: Path, run: Path) -> Making:
    """Read how the making of a run's map stands."""
    folder = _folder(workspace, run)
    try:
        launch = read_json(folder / "launch.json")
    except InputError:
        return Making("none")
    # Asked first: what the process says last, it says before it is gone.
    is_going = processes.is_there(launch)
    text = processes.last_words(folder)
    done = SHARE_LINE.fullmatch(text)
    if text.startswith("{"):
        return Making("done")
    if is_going:
        return Making("going", int(done[1]) / 100 if done else 0.0)
    # A process that was killed has reported nothing but its progress.
    return Making("failed", message="" if done else text)


@writer
def stop(workspace: Path, run: Path) -> None:
    """End the making of the map if it is going, so that it leaves no trace."""
    # Of a model that somebody else deleted, nothing is going.
    with suppress(InputError):
        if read_making(workspace, run).state == "going":
            processes.call_off(_folder(workspace, run))


def _folder(workspace: Path, run: Path) -> Path:
    content = model_hash(run / "model")
    if not content.isalnum():
        raise InputError(f"the model of {run.name} is damaged; train it again")
    return workspace / "maps" / content[:20]
