"""Training runs in separate processes: start, observe, pause, resume, stop and remove them.

A run is a folder. This module keeps nothing in memory and reads the folder for every answer, so
the app may be closed and opened again at any time.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock

from ...core.storage.atomic import move, write_json
from ...core.storage.graphs import write_guidance
from ...core.storage.reading import read_json
from ...core.storage.runs import COPIED, is_path, read_status, send_command
from ...core.structure.guidance import Guidance
from ...core.utils.errors import InputError, deleted_error
from ...core.utils.read_only import writer
from . import document_maps, evaluations, processes, stabilities

if TYPE_CHECKING:
    from ...core.model.network import Network
    from ...core.model.topic_model import Run


# Time to import Numba and open the corpus, before which a process writes no status.
STARTING_SECONDS = 60.0
LIVE_STATES = frozenset({"starting", "queued", "preparing", "running", "paused"})
ENDED_STATES = frozenset({"stopped", "finished", "interrupted", "failed"})
RESUMABLE_STATES = ENDED_STATES - {"finished"}
NAME_PATTERN = re.compile(r"[^\w.-]+")
# Characters of a folder name; some file systems refuse long names.
MAX_NAME = 60
# File with the last number of a run for each name.
NUMBERS = ".numbers.json"
# Structure learning, the default method.
LEARNED = "learned"
# Largest valid time in seconds since 1970; a damaged file may contain any number.
MAX_TIME = 1e12


@dataclass(frozen=True)
class TrainChoice:
    """Settings chosen on the Train page; all others have the defaults of `orrery train`."""

    # Method that proposes the graph, as in ``orrery structure --method``; or `LEARNED`.
    method: str = LEARNED
    topics: tuple[int, ...] = ()  # topics in each layer of a proposed graph, the lowest first
    bound: str = "exact"  # ``"exact"``, ``"jensen"`` or ``"likelihood"``
    epochs: int = 20
    seed: int = 0
    start_epochs: int = 0  # sweeps of a Gibbs start; 0 for random initial weights
    learn_structure: bool = False  # whether edges are pruned during a Gibbs start
    guidance: Guidance | None = None


@dataclass(frozen=True)
class Job:
    """State of a run, as read from its folder."""

    folder: Path
    corpus: Path | None  # folder of the training corpus; None if the record is damaged
    # One of ``starting queued preparing running paused stopped finished failed interrupted``.
    state: str
    # Last status that the trainer wrote (see DESIGN.md); empty before the first.
    status: dict[str, Any]
    settings: dict[str, Any]  # settings of the run; empty if they cannot be read

    @property
    def name(self) -> str:
        """Name of the run and of its folder."""
        return self.folder.name

    @property
    def is_live(self) -> bool:
        """Whether a process works on the run or waits to do so."""
        return self.state in LIVE_STATES

    @property
    def seconds_of_phase(self) -> float:
        """Duration of the current phase."""
        since = _moment(self.status.get("since"))
        return max(time.time() - since, 0.0) if since else 0.0

    @property
    def seconds(self) -> float:
        """Duration of the run so far, without pauses and waits."""
        training = self.status.get("seconds", 0.0)
        reported = float(self.status.get("whole_seconds", training) or 0.0)
        if self.state == "starting":
            return reported + self.seconds_of_phase
        updated = _moment(self.status.get("updated"))
        is_working = self.state in ("preparing", "running") and updated
        return reported + (max(time.time() - updated, 0.0) if is_working else 0.0)

    @property
    def has_course(self) -> bool:
        """Whether the run was trained here, not adopted from a graph or copied."""
        return not {"adopted", COPIED} & self.settings.keys()

    @property
    def learns_graph(self) -> bool:
        """Whether the run uses structure learning."""
        training = self.settings.get("training")
        return isinstance(training, dict) and training.get("structure") == "learned"

    @property
    def has_model(self) -> bool:
        """Whether the run has a model to query."""
        return (self.folder / "model" / "model.json").is_file()

    @property
    def can_resume(self) -> bool:
        """Whether a new process can continue the training."""
        if self.state == "failed" and not any(self.folder.glob("checkpoint-*.npz")):
            return False
        return self.state in RESUMABLE_STATES and (self.folder / "config.json").is_file()


@writer
def start(
    workspace: Path, corpus: Path, choice: TrainChoice, name: str = "", corpus_name: str = ""
) -> Path:
    """Start training in a separate process and return the folder of the run at once.

    A run without a given name has the name of its corpus and a number.
    """
    arguments = ["--epochs", str(choice.epochs), "--seed", str(choice.seed)]
    if choice.method != LEARNED:
        topics = ",".join(map(str, choice.topics))
        arguments += ["--method", choice.method, "--topics", topics, "--bound", choice.bound]
    if choice.start_epochs:
        arguments += ["--start", "gibbs", "--start-epochs", str(choice.start_epochs)]
        arguments += ["--learn-structure"] if choice.learn_structure else []
    with _claimed(workspace / "runs", corpus_name or corpus.name, name) as folder:
        if choice.guidance is not None:
            write_guidance(folder / "guidance.toml", choice.guidance)
            arguments += ["--guidance", str(folder / "guidance.toml")]
        _train(folder, corpus, arguments)
    return folder


@writer
def start_from(workspace: Path, run: Run, network: Network, corpus_name: str = "") -> Path:
    """Start a new run that continues a run with the given network; return the new folder.

    Raises
    ------
    InputError
        If the run has no corpus, or its corpus has changed.
    """
    # Imported here because it imports the kernels, which the list of runs does not need.
    from ...core.storage.continuation import write_continuation

    corpus = run.corpus_path
    with _claimed(workspace / "runs", corpus_name or corpus.name) as folder:
        _train(folder, corpus, write_continuation(folder, run, network))
    return folder


@writer
def resume(folder: Path) -> None:
    """Continue a paused run, or start a new process for a run that ended before its last epoch."""
    _check_there(folder)
    job = read_job(folder)
    if job.state == "paused":
        send_command(folder, "run")
        return
    if job.is_live:
        return
    if not job.can_resume or job.corpus is None:
        raise InputError(f"run {job.name} has nothing to resume from; start a new run")
    send_command(folder, "run")
    _train(folder, job.corpus, ["--resume"])


@writer
def pause(folder: Path) -> None:
    """Request that the process waits; it keeps its state in memory."""
    _check_there(folder)
    send_command(folder, "pause")


@writer
def stop(folder: Path) -> None:
    """Request that the process ends; it writes its model if it has completed a step."""
    _check_there(folder)
    send_command(folder, "stop")


@writer
def remove(folder: Path) -> None:
    """Delete a run (InputError if it is live), and stop the work on its model.

    This work is the map of its documents, its evaluations, and the measurement of its stability.
    """
    doomed = folder.with_name(f".removed-{folder.name}-{time.time_ns()}")
    with lock(folder.parent.parent):
        _check_there(folder)
        job = read_job(folder)
        if job.is_live:
            raise InputError(f"run {job.name} is still going; stop it first")
        workspace = folder.parent.parent
        document_maps.stop(workspace, folder)
        stabilities.stop(workspace, folder)
        # A copy of the run may remain, whose evaluations continue.
        evaluations.stop(workspace, folder, of_copies=False)
        # Renamed first, so that a partly deleted run is not listed as damaged.
        move(folder, doomed)
    shutil.rmtree(doomed, ignore_errors=True)


def list_jobs(runs: Path) -> list[Job]:
    """All runs in a folder of runs, the newest first."""
    if not runs.is_dir():
        return []
    folders = [path for path in runs.iterdir() if path.is_dir() and path.name[0] != "."]
    # Another visitor may remove a run at any moment.
    found = [job for job in map(read_job, folders) if job.folder.is_dir()]
    return sorted(found, key=_started, reverse=True)


def runs_on(workspace: Path, corpus: Path) -> list[Job]:
    """Runs on a corpus and runs whose record is damaged, the newest first."""
    wanted = corpus.resolve()
    found = [job for job in list_jobs(workspace / "runs") if job.has_course]
    return [job for job in found if job.corpus is None or job.corpus.resolve() == wanted]


def read_job(folder: Path) -> Job:
    """State of one run, read from its folder."""
    try:
        status = read_status(folder)
    except InputError:
        status = {}
    launch = _read_json(folder / "launch.json")
    state = _true_state(status, launch)
    if state == "starting":
        # The status was written by the previous session, if there was one.
        status = {**status, "since": _moment(launch.get("started"))}
        status.pop("done_last", None)
    if state in ("interrupted", "failed") and not status.get("message"):
        status = {**status, "message": processes.last_words(folder)}
    settings = _read_json(folder / "config.json").get("settings")
    settings = settings if isinstance(settings, dict) else {}
    return Job(folder, corpus_folder(folder), state, status, settings)


def is_adopted(folder: Path) -> bool:
    """Whether the model of a run was made from a graph, without texts."""
    config = _read_json(folder / "config.json")
    settings = config.get("settings")
    return config.get("corpus", "") is None and isinstance(settings, dict) and "adopted" in settings


def corpus_folder(folder: Path) -> Path | None:
    """Folder of the training corpus of a run; None if its record is damaged."""
    for name in ("config.json", "launch.json"):
        given = _read_json(folder / name).get("corpus")
        if is_path(given):
            return Path(os.path.abspath(folder / given))
    return None


def lock(workspace: Path) -> filelock.BaseFileLock:
    """Lock for new runs and the removal of a run or corpus, which exclude each other."""
    return filelock.FileLock(workspace / ".runs.lock")


def _check_there(folder: Path) -> None:
    if not folder.is_dir():
        raise deleted_error(f"run {folder.name}")


def _train(folder: Path, corpus: Path, options: list[str]) -> None:
    """Start the process of a run, which waits in the queue of the workspace."""
    workspace = folder.parent.parent
    arguments = ["train", str(corpus), "--out", str(folder), *options]
    arguments += ["--queue", str(workspace / "queue")]
    with lock(workspace):
        _check_there(folder)
        if not corpus.is_dir():
            raise deleted_error(f"corpus {corpus.name}")
        processes.launch(folder, arguments, corpus)


@contextmanager
def _claimed(runs: Path, corpus_name: str, name: str = "") -> Iterator[Path]:
    """Folder for a new run; it is deleted if the run cannot be started."""
    given = as_folder(name)
    stem = given or as_folder(corpus_name) or "run"
    runs.mkdir(parents=True, exist_ok=True)
    with lock(runs.parent):
        folder = _claim_folder(runs, stem, is_given=bool(given))
    try:
        with lock(runs.parent):
            _keep_number(runs, stem, folder)
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@writer
@contextmanager
def whole_run(runs: Path, name: str) -> Iterator[Path]:
    """Free folder for a run that is written as a whole, named as in `start`.

    The block holds the lock of the workspace, so that the folder stays free for it.
    """
    stem = as_folder(name)
    runs.mkdir(parents=True, exist_ok=True)
    with lock(runs.parent):
        folder = next(_free_folders(runs, stem, is_given=True))
        yield folder
        _keep_number(runs, stem, folder)


def _keep_number(runs: Path, stem: str, folder: Path) -> None:
    """Record the last number of a name; the caller must hold the lock of the workspace."""
    numbers = _read_json(runs / NUMBERS)
    last = max(_number_of(path.name, stem) for path in (folder, *runs.glob("*")))
    write_json(runs / NUMBERS, numbers | {stem: last})


def as_folder(name: str) -> str:
    """Name without the characters that a folder of a run does not have; perhaps empty."""
    return NAME_PATTERN.sub("-", name).strip("-.")[:MAX_NAME].rstrip("-.")


def _claim_folder(runs: Path, stem: str, *, is_given: bool) -> Path:
    """Make the next free folder; simultaneous calls get different ones."""
    free = _free_folders(runs, stem, is_given=is_given)
    while True:
        folder = next(free)
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder


def _free_folders(runs: Path, stem: str, *, is_given: bool) -> Iterator[Path]:
    """Free folders ``NAME-01``, ``NAME-02`` … in order.

    The first run with a given name has no number. Numbers of deleted runs are not used again,
    since links to those runs may exist.
    """
    last = _read_json(runs / NUMBERS).get(stem)
    if is_given and last is None and not (runs / stem).exists():
        yield runs / stem
    taken = [_number_of(path.name, stem) for path in runs.glob("*")]
    used = [*taken, last if isinstance(last, int) else 0, int(is_given)]
    for number in itertools.count(max(used) + 1):
        yield runs / f"{stem}-{number:02d}"


def _number_of(name: str, stem: str) -> int:
    """Number at the end of a run's name: 1 if there is no number, 0 if the stem differs."""
    if name == stem:
        return 1
    match = re.fullmatch(re.escape(stem) + r"-(\d+)", name)
    return int(match[1]) if match else 0


def _true_state(status: dict[str, Any], launch: dict[str, Any]) -> str:
    """State of a run from the status of the trainer and the app's record of the launch."""
    state = status.get("state")
    if status.get("alive") and state in LIVE_STATES:
        return str(state)
    launched = _moment(launch.get("started"))
    is_recent = time.time() - launched < STARTING_SECONDS
    is_unreported = launched > _moment(status.get("updated"))
    if is_recent and is_unreported and processes.is_there(launch):
        return "starting"
    return str(state) if state in ENDED_STATES else "failed"


def _started(job: Job) -> tuple[float, str]:
    launch = _read_json(job.folder / "launch.json")
    return _moment(launch.get("started")) or _moment(job.status.get("updated")), job.name


def _moment(value: Any) -> float:
    """Time from a file that may be damaged; 0 if it is invalid."""
    is_moment = isinstance(value, int | float) and 0.0 < value < MAX_TIME
    return float(value) if is_moment else 0.0


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return read_json(path)
    except InputError:
        return {}
