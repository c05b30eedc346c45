"""Maps of documents: start their computation in a separate process, and load the result."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...core.data.corpus import Corpus
from ...core.document_map.files import DocumentMap, Origin, load_map
from ...core.storage.corpora import corpus_fingerprint
from ...core.storage.stability import read_model_hash
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes


@dataclass(frozen=True)
class Making:
    """State of the computation of a map: ``none``, ``going``, ``done`` or ``failed``."""

    state: str
    share: float = 0.0
    message: str = ""


def map_of(run: Path, corpus: Corpus) -> DocumentMap | None:
    """Map of a corpus by the model of a run; None if there is no map (InputError if damaged)."""
    model = run / "model"
    return load_map(model, Origin(read_model_hash(model), corpus_fingerprint(corpus)))


@writer
def begin(workspace: Path, run: Path) -> None:
    """Start computing the map of a run, unless it is going (InputError for a damaged model)."""
    processes.begin(
        _folder(workspace, run),
        ["map", str(run), "--json"],
        run,
        lambda: read_making(workspace, run).state == "going",
    )


def read_making(workspace: Path, run: Path) -> Making:
    """State of the computation of a run's map."""
    work = processes.read_work(_folder(workspace, run))
    if work is None:
        return Making("none")
    if work.last.startswith("{"):
        return Making("done")
    return Making("going", work.share) if work.is_going else Making("failed", message=work.last)


@writer
def stop(workspace: Path, run: Path) -> None:
    """End the computation of the map if it is going, and delete its folder."""
    # The model may have been deleted by another visitor.
    with suppress(InputError):
        if read_making(workspace, run).state == "going":
            processes.call_off(_folder(workspace, run))


def _folder(workspace: Path, run: Path) -> Path:
    return processes.folder_of_run(workspace / "maps", run)
