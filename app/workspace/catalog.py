"""Corpora and trained models in the workspace: list, find, copy and delete them."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ...core.storage.atomic import PARTIAL_SUFFIX, move, new_folder
from ...core.storage.corpora import content_name
from ...core.storage.runs import COPIED, read_config, write_config, write_status
from ...core.utils.errors import InputError, deleted_error
from ...core.utils.read_only import writer
from ..text import strings as common_strings
from . import processes, search_index
from . import runs as jobs
from .runs import corpus_folder

SAMPLE_DATA = Path(str(files("orrery.sample_data")))
# The home folder is resolved when it is needed, since some users have no home folder.
DEFAULT_WORKSPACE = "~/.orrery"
# If the workspace contains this file, the sample is listed as well, as in the demo.
WITH_SAMPLE = "with-sample"
# End of the name of a copied model.
COPY = "-copy"
# Files about the process of a run, which a copy does not have, and unfinished files.
NOT_COPIED = shutil.ignore_patterns(
    *("launch.json", "console.txt", "control.json", "run.lock", f"*{PARTIAL_SUFFIX}")
)


@dataclass(frozen=True)
class Place:
    """Corpus or trained model in the workspace."""

    name: str  # unique name among corpora or models, shown in the sidebar and in the URL
    folder: Path
    read_only: bool = False  # whether it is the sample, which is part of the program


def workspace() -> Path:
    """Folder with corpora and runs: ``ORRERY_WORKSPACE``, else ``~/.orrery``."""
    return Path(os.environ.get("ORRERY_WORKSPACE") or DEFAULT_WORKSPACE).expanduser()


def has_sample() -> bool:
    """Whether the sample is shown: always in the demo, else on request."""
    return _is_demo() or _has_mark()


def can_show_sample() -> bool:
    """Whether the sample is installed but not shown."""
    return not has_sample() and SAMPLE_DATA.is_dir()


def can_hide_sample() -> bool:
    """Whether the sample is shown on request, outside the demo."""
    return _has_mark() and not _is_demo()


@writer
def show_sample(shown: bool) -> None:
    """Show or hide the sample in the workspace; copies of its model are kept."""
    mark = workspace() / WITH_SAMPLE
    if shown:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    else:
        mark.unlink(missing_ok=True)


def _is_demo() -> bool:
    return os.environ.get("ORRERY_DEMO") == "1"


def _has_mark() -> bool:
    return (workspace() / WITH_SAMPLE).exists()


def corpora() -> list[Place]:
    """All corpora: the sample first, then by name."""
    own = _places(workspace() / "corpora", "corpus.json")
    return _sample("corpus.json", own) + own


def models(corpus: Place | None) -> list[Place]:
    """Models that can be queried with a corpus (see `models_and_lost`)."""
    return models_and_lost(corpus)[0]


def models_and_lost(corpus: Place | None) -> tuple[list[Place], list[Place]]:
    """Trained models of a corpus, and models whose corpus is missing, each the newest first.

    Without a corpus, the first list contains the models whose corpus is missing.
    """
    home_of = _corpus_folders()
    lost = _lost(home_of)
    return (lost, []) if corpus is None else (_own(corpus, home_of), lost)


def all_models() -> list[tuple[str, Place]]:
    """All trained models with the names of their corpora; "" for a missing corpus."""
    home_of = _corpus_folders()
    found = [(corpus.name, model) for corpus in corpora() for model in _own(corpus, home_of)]
    return found + [("", model) for model in _lost(home_of)]


def _corpus_folders() -> dict[Place, Path | None]:
    """Folder of the corpus of each run with a model; None for a graph without a corpus."""
    trained_on = {place: corpus_folder(place.folder) for place in _runs()}
    return {place: folder and folder.resolve() for place, folder in trained_on.items()}


def _own(corpus: Place, home_of: dict[Place, Path | None]) -> list[Place]:
    here = corpus.folder.resolve()
    own = _newest_first([place for place, home in home_of.items() if home == here])
    return own + (_sample("model/model.json", list(home_of)) if corpus.read_only else [])


def _lost(home_of: dict[Place, Path | None]) -> list[Place]:
    known = {place.folder.resolve() for place in corpora()}
    return _newest_first([place for place, home in home_of.items() if home not in known])


def lost_model(name: str) -> Place | None:
    """Model with this name whose corpus is missing or that was made from a graph, else None."""
    place = next((place for place in _runs() if place.name == name), None)
    if place is None:
        return None
    trained_on = corpus_folder(place.folder)
    known = {corpus.folder.resolve() for corpus in corpora()}
    return place if trained_on is None or trained_on.resolve() not in known else None


def find_model(corpus: str, model: str) -> Place | None:
    """Model with the given names of corpus and model; None if it does not exist."""
    place = next((place for place in corpora() if place.name == corpus), None)
    own, lost = models_and_lost(place)
    return next((found for found in (*own, *lost) if found.name == model), None)


def _runs() -> list[Place]:
    return _places(workspace() / "runs", "model/model.json")


def _newest_first(places: list[Place]) -> list[Place]:
    return sorted(
        places, key=lambda place: stamp(place.folder / "model" / "model.json"), reverse=True
    )


def has_models() -> bool:
    """Whether there is any model, including the model of the sample."""
    runs = _runs()
    return bool(runs or _sample("model/model.json", runs))


@writer
def remove_corpus(place: Place) -> None:
    """Delete a corpus, its search index and its comparison; models trained on it are kept.

    Index and comparison are kept if another corpus has the same content.

    Raises
    ------
    InputError
        If it is the sample, does not exist, or a run on it is live.
    """
    if place.read_only:
        raise InputError("the sample is a part of Orrery and cannot be deleted")
    doomed = place.folder.with_name(f".removed-{place.name}-{time.time_ns()}")
    with jobs.lock(workspace()):
        if not place.folder.is_dir():
            raise deleted_error(f"corpus {place.name}")
        going = [job.name for job in jobs.runs_on(workspace(), place.folder) if job.is_live]
        if going:
            raise InputError(f"run {going[0]} is still training on {place.name}; stop it first")
        # Index and comparison of a damaged corpus cannot be found; the corpus is still deleted.
        with suppress(InputError):
            if not _has_twin(place):
                search_index.index_path(workspace(), place.folder).unlink(missing_ok=True)
                processes.call_off(comparison_folder(workspace(), place.folder))
        # Renamed first, so that a partly deleted corpus is not listed as damaged.
        move(place.folder, doomed)
    shutil.rmtree(doomed, ignore_errors=True)


def _has_twin(place: Place) -> bool:
    """Whether another corpus has the same content, and so the same index and comparison."""
    content = content_name(place.folder)
    for other in corpora():
        with suppress(InputError):
            if other.folder != place.folder and content_name(other.folder) == content:
                return True
    return False


def comparison_folder(workspace: Path, corpus: Path) -> Path:
    """Folder of the comparison on a corpus, named by its content (InputError if damaged)."""
    return workspace / "comparisons" / content_name(corpus)


@writer
def copy_model(place: Place) -> Place:
    """Copy a trained model into the workspace as a run on the same corpus; return the copy.

    Raises
    ------
    InputError
        If the record of the run is damaged.
    """
    config = read_config(place.folder)
    name = f"{jobs.as_folder(place.name)[: jobs.MAX_NAME - len(COPY)]}{COPY}"
    with jobs.whole_run(workspace() / "runs", name) as target, new_folder(target) as partial:
        shutil.copytree(place.folder, partial, ignore=NOT_COPIED, dirs_exist_ok=True)
        write_config(partial, config["corpus"], {**config["settings"], COPIED: place.name})
        write_status(partial, "finished", common_strings.COPIED.format(name=place.name))
    return Place(target.name, target)


def stamp(path: Path) -> int:
    """Modification time of a file in nanoseconds; 0 if there is no file."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def size(path: Path) -> int:
    """Size of a file in bytes; 0 if there is no file."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _places(folder: Path, mark: str) -> list[Place]:
    """Subfolders that contain the file ``mark``."""
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.name[0] != "." and (path / mark).is_file()]
    return [Place(path.name, path) for path in sorted(found, key=lambda path: path.name.lower())]


def _sample(mark: str, others: list[Place]) -> list[Place]:
    """Sample corpus or model, if it is shown and installed; its name differs from ``others``."""
    if not has_sample() or not SAMPLE_DATA.is_dir():
        return []
    found = sorted(path for path in SAMPLE_DATA.rglob(mark))
    depth = len(Path(mark).parts)
    name = (
        common_strings.SAMPLE_BESIDE
        if common_strings.SAMPLE in {p.name for p in others}
        else common_strings.SAMPLE
    )
    return [Place(name, path.parents[depth - 1], True) for path in found[:1]]
