"""The map of a run, and making it in a process of its own (no streamlit)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap, Origin, load_map, model_hash
from ...core.storage.corpora import corpus_fingerprint
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes


@dataclass(frozen=True)
class Making:
    """State of the work on a map: ``none``, ``going``, ``done`` or ``failed``."""

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
    """State of the work on the map of a run."""
    work = processes.read_work(_folder(workspace, run))
    if work is None:
        return Making("none")
    if work.last.startswith("{"):
        return Making("done")
    return Making("going", work.share) if work.is_going else Making("failed", message=work.last)


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
