"""Training runs as separate processes: start, watch, pause, resume, stop, remove.

Nothing is kept in memory. A run is a folder, and whatever this module answers it has just read
there, so the app may be closed and opened again at any time.
"""

from __future__ import annotations

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
from ...core.storage.guidance_files import write_guidance
from ...core.storage.reading import read_json
from ...core.storage.runs import COPIED, is_place, read_status, send_command
from ...core.structure.guidance import Guidance
from ...core.utils.errors import InputError, gone
from ...core.utils.read_only import writer
from . import processes

if TYPE_CHECKING:
    from ...core.model.network import Network
    from ...core.model.topic_model import Run


# Importing numba and opening the corpus takes seconds before the process reports for itself.
STARTING_SECONDS = 60.0
LIVE_STATES = frozenset({"starting", "queued", "preparing", "running", "paused"})
ENDED_STATES = frozenset({"stopped", "finished", "interrupted", "failed"})
RESUMABLE_STATES = ENDED_STATES - {"finished"}
NAME_PATTERN = re.compile(r"[^\w.-]+")
# Longer names of folders are refused by some systems, and fit nowhere.
LONGEST_NAME = 60
# The last number that was given to a run, by the name before it.
NUMBERS = ".numbers.json"
# The graph grows with the weights, as it does where nothing is said of it.
LEARNED = "learned"
# Seconds since 1970 beyond which nobody starts a run; a damaged file may say anything.
LAST_MOMENT = 1e12


@dataclass(frozen=True)
class TrainChoice:
    """What a person chose on the Train page; the rest is the trainer's own defaults.

    Attributes
    ----------
    method : str
        How the graph is proposed, as in ``orrery structure --method``; or `LEARNED`.
    topics : tuple of int
        Topics in each layer, from the layer above the words upward; of a graph that is proposed.
    bound : str
        ``"exact"``, ``"jensen"`` or ``"likelihood"``.
    epochs, seed : int
    start_epochs : int
        Sweeps of a Gibbs start; 0 begins at random weights.
    learn_structure : bool
        Whether more is proposed than is kept; only after a Gibbs start.
    guidance : Guidance or None
        What a person asks of the graph.
    """

    method: str = LEARNED
    topics: tuple[int, ...] = ()
    bound: str = "exact"
    epochs: int = 20
    seed: int = 0
    start_epochs: int = 0
    learn_structure: bool = False
    guidance: Guidance | None = None


@dataclass(frozen=True)
class Job:
    """A run as it stands on disk at the moment of asking.

    Attributes
    ----------
    folder : Path
    corpus : Path or None
        Folder of the corpus that it was trained on, None where the record is damaged.
    state : str
        One of ``starting queued preparing running paused stopped finished failed interrupted``.
    status : dict
        What the trainer last reported (see DESIGN.md), empty where it has not yet.
    settings : dict
        What the run was started with, empty where that cannot be read.
    """

    folder: Path
    corpus: Path | None
    state: str
    status: dict[str, Any]
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        """Name of the run, that of its folder."""
        return self.folder.name

    @property
    def is_live(self) -> bool:
        """True while a process works on it, or waits to."""
        return self.state in LIVE_STATES

    @property
    def seconds_of_phase(self) -> float:
        """How long the run has been doing what it does now."""
        since = _moment(self.status.get("since"))
        return max(time.time() - since, 0.0) if since else 0.0

    @property
    def seconds(self) -> float:
        """What the run took in whole by now, from its start; pauses and waits left out."""
        training = self.status.get("seconds", 0.0)
        told = float(self.status.get("whole_seconds", training) or 0.0)
        if self.state == "starting":
            return told + self.seconds_of_phase
        updated = _moment(self.status.get("updated"))
        is_working = self.state in ("preparing", "running") and updated
        return told + (max(time.time() - updated, 0.0) if is_working else 0.0)

    @property
    def has_course(self) -> bool:
        """False of models adopted from a graph or copied: there is no training to watch."""
        return not {"adopted", COPIED} & self.settings.keys()

    @property
    def learns_graph(self) -> bool:
        """True where the graph grows with the weights, and what texts like less goes again."""
        training = self.settings.get("training")
        return isinstance(training, dict) and training.get("structure") == "learned"

    @property
    def has_model(self) -> bool:
        """True once there is a model to query."""
        return (self.folder / "model" / "model.json").is_file()

    @property
    def can_resume(self) -> bool:
        """True where a new process can take up the work."""
        if self.state == "failed" and not any(self.folder.glob("checkpoint-*.npz")):
            return False
        return self.state in RESUMABLE_STATES and (self.folder / "config.json").is_file()


@writer
def start(
    workspace: Path, corpus: Path, choice: TrainChoice, name: str = "", corpus_name: str = ""
) -> Path:
    """Start training in a process of its own and return the folder of the run at once.

    A run without a name of its own is called as its corpus is, with a number.
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
    """Start training that goes on from a run, with the network given; returns the new folder.

    Raises
    ------
    InputError
        If the run has no corpus, or one that is no longer as it was.
    """
    # It brings the kernels along, which the list of runs does without.
    from ...core.storage.continuation import write_continuation

    corpus = run.corpus_path
    with _claimed(workspace / "runs", corpus_name or corpus.name) as folder:
        _train(folder, corpus, write_continuation(folder, run, network))
    return folder


@writer
def resume(folder: Path) -> None:
    """Take up a paused run, or start a new process for one that ended before it was done."""
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
    """Ask the process to wait where it is; it keeps its memory and its place."""
    _check_there(folder)
    send_command(folder, "pause")


@writer
def stop(folder: Path) -> None:
    """Ask the process to end, and to write its model if it has taken a step."""
    _check_there(folder)
    send_command(folder, "stop")


@writer
def remove(folder: Path) -> None:
    """Delete a run that no process works on."""
    doomed = folder.with_name(f".removed-{folder.name}-{time.time_ns()}")
    with lock(folder.parent.parent):
        _check_there(folder)
        job = read_job(folder)
        if job.is_live:
            raise InputError(f"run {job.name} is still going; stop it first")
        # Renamed first: a run that is half deleted must not be listed as a damaged one.
        move(folder, doomed)
    shutil.rmtree(doomed, ignore_errors=True)


def list_jobs(runs: Path) -> list[Job]:
    """Every run in a folder of runs, the newest first."""
    if not runs.is_dir():
        return []
    folders = [path for path in runs.iterdir() if path.is_dir() and path.name[0] != "."]
    return sorted(map(read_job, folders), key=_started, reverse=True)


def runs_on(workspace: Path, corpus: Path) -> list[Job]:
    """Runs on one corpus, the newest first, and those too damaged to say which."""
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
        # What is there is of the session before, if of any.
        status = {**status, "since": _moment(launch.get("started"))}
        status.pop("done_last", None)
    if state in ("interrupted", "failed") and not status.get("message"):
        status = {**status, "message": processes.last_words(folder)}
    settings = _read_json(folder / "config.json").get("settings")
    return Job(
        folder,
        corpus_folder(folder),
        state,
        status,
        settings if isinstance(settings, dict) else {},
    )


def corpus_folder(folder: Path) -> Path | None:
    """Folder of the corpus that a run is trained on, None where its record is damaged."""
    for name in ("config.json", "launch.json"):
        given = _read_json(folder / name).get("corpus")
        if is_place(given):
            return Path(os.path.abspath(folder / given))
    return None


def lock(workspace: Path) -> filelock.BaseFileLock:
    """Lock to hold while a run begins, and while a run or a corpus goes: never both at once."""
    return filelock.FileLock(workspace / ".runs.lock")


def _check_there(folder: Path) -> None:
    if not folder.is_dir():
        raise gone(f"run {folder.name}")


def _train(folder: Path, corpus: Path, options: list[str]) -> None:
    """Start a process on a run of the workspace, in turn with the others."""
    workspace = folder.parent.parent
    arguments = ["train", str(corpus), "--out", str(folder), *options]
    arguments += ["--queue", str(workspace / "queue")]
    with lock(workspace):
        _check_there(folder)
        if not corpus.is_dir():
            raise gone(f"corpus {corpus.name}")
        processes.launch(folder, arguments, corpus)


@contextmanager
def _claimed(runs: Path, corpus_name: str, name: str = "") -> Iterator[Path]:
    """Folder for a new run, gone again if it cannot be started."""
    given = _as_folder(name)
    stem = given or _as_folder(corpus_name) or "run"
    folder = _claim_folder(runs, stem, is_given=bool(given))
    try:
        numbers = _read_json(runs / NUMBERS)
        write_json(runs / NUMBERS, numbers | {stem: _number_of(folder.name, stem)})
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _as_folder(name: str) -> str:
    return NAME_PATTERN.sub("-", name).strip("-.")[:LONGEST_NAME].rstrip("-.")


def _claim_folder(runs: Path, stem: str, *, is_given: bool) -> Path:
    """Make the next free folder ``NAME-01``, ``NAME-02`` …; two clicks never share one.

    The first of a name that a person gave has no number. Nor does a run get the number of one that
    was deleted: links to that one are about.
    """
    runs.mkdir(parents=True, exist_ok=True)
    taken = [_number_of(path.name, stem) for path in runs.iterdir()]
    last = _read_json(runs / NUMBERS).get(stem)
    number = max([*taken, last if isinstance(last, int) else 0])
    while True:
        number += 1
        is_bare = is_given and number == 1
        folder = runs / (stem if is_bare else f"{stem}-{number:02d}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder


def _number_of(name: str, stem: str) -> int:
    """Number of a run of this name, 1 where it has none, 0 where it is of another name."""
    if name == stem:
        return 1
    match = re.fullmatch(re.escape(stem) + r"-(\d+)", name)
    return int(match[1]) if match else 0


def _true_state(status: dict[str, Any], launch: dict[str, Any]) -> str:
    """State of a run from the trainer's report and the app's own record of the launch."""
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
    """Time from a file that may be damaged; 0 where it is none."""
    is_moment = isinstance(value, int | float) and 0.0 < value < LAST_MOMENT
    return float(value) if is_moment else 0.0


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return read_json(path)
    except InputError:
        return {}
