"""The workspace on disk: which corpora and which trained models there are (no streamlit)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from app.jobs import corpus_folder
from app.words import common as words

SAMPLE_DATA = Path(__file__).parent.parent / "sample_data"
DEFAULT_WORKSPACE = Path.home() / ".orrery"


@dataclass(frozen=True)
class Place:
    """A corpus or a trained model in the workspace.

    Attributes
    ----------
    name : str
        Unique among its kind; what the rail and the address show.
    folder : Path
    read_only : bool
        True for the sample, which is part of the program.
    """

    name: str
    folder: Path
    read_only: bool = False


def workspace() -> Path:
    """Folder that holds corpora and runs: ``ORRERY_WORKSPACE``, else ``~/.orrery``."""
    return Path(os.environ.get("ORRERY_WORKSPACE") or DEFAULT_WORKSPACE).expanduser()


def corpora() -> list[Place]:
    """Every corpus, the sample first, then by name."""
    return _sample("corpus.json") + _places(workspace() / "corpora", "corpus.json")


def models(corpus: Place | None) -> list[Place]:
    """Trained models of a corpus, the newest first, and those whose corpus is gone."""
    is_sample = corpus is not None and corpus.read_only
    own = _sample("model/model.json") if is_sample else []
    known = {place.folder.resolve() for place in corpora()}
    found = []
    for place in _places(workspace() / "runs", "model/model.json"):
        trained_on = corpus_folder(place.folder)
        is_orphan = trained_on is None or trained_on.resolve() not in known
        if is_orphan or (corpus is not None and trained_on.resolve() == corpus.folder.resolve()):
            found.append(place)
    found.sort(key=lambda place: stamp(place.folder / "model" / "model.json"), reverse=True)
    return found + own


def stamp(path: Path) -> int:
    """Time of the last change of a file in nanoseconds, 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _places(folder: Path, mark: str) -> list[Place]:
    """Folders inside one that hold the file that makes them what they are."""
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.name[0] != "." and (path / mark).is_file()]
    return [Place(path.name, path) for path in sorted(found, key=lambda path: path.name.lower())]


def _sample(mark: str) -> list[Place]:
    """The sample corpus or model, where the demo is on and the program brought it along."""
    if os.environ.get("ORRERY_DEMO") != "1" or not SAMPLE_DATA.is_dir():
        return []
    found = sorted(path for path in SAMPLE_DATA.rglob(mark))
    depth = len(Path(mark).parts)
    return [Place(words.SAMPLE, path.parents[depth - 1], True) for path in found[:1]]
