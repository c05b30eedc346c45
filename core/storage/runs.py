"""Run folders: configuration, status, commands, and removal of stale temporary files."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeGuard

import filelock

from ..data.encodings import storable_text
from ..model.topic_model import Run
from ..utils.errors import InputError
from ..utils.read_only import writer
from .atomic import PARTIAL_SUFFIX, STALE_SECONDS, write_json
from .models import load_model
from .overlay import HISTORY_FILE, OVERLAY_FILE
from .reading import SEAL, damaged, read_json, seal_of
from .reports import valid_figures

RUN_VERSION = 1
LIVE_STATES = frozenset({"queued", "preparing", "running", "paused"})
# A process that checks whether a run is alive holds its lock for less than a millisecond.
SECONDS_OF_LOOKING, SECONDS_BETWEEN_LOOKS = 0.01, 0.002
# Threads of a process check one after another, so that a slow thread does not look like a run.
_looking = threading.Lock()
# Setting that a copied run has in addition: the name of the original.
COPIED = "copied"
COMMANDS = ("run", "pause", "stop")
# Files that may exist in the folder of a new run: its lock, input files, and the files of an
# attempt that failed before there was a graph to train.
NOT_YET_A_RUN = frozenset(
    {
        *("run.lock", "launch.json", "console.txt", "control.json", "guidance.toml"),
        *("graph.csv", "graph.leaks.csv", "held_out.json", "held_out.txt"),
        *("config.json", "status.json", "log.txt"),
    }
)
# Temporary names of the new and of the old model during a replacement.
SPARE_MODELS = (".model-new", ".model-old")
# Beginnings of the names of files that only the training process writes.
OWN_FILES = (
    *("config.json", "start.npz", "checkpoint-", "metrics.jsonl", "moves.jsonl"),
    *("status.json", ".model-"),
)


def run_lock(folder: Path) -> filelock.BaseFileLock:
    """Lock that a training process holds while it lives; the system releases it at its end."""
    return filelock.FileLock(folder / "run.lock")


def check_can_begin(folder: Path) -> None:
    """Refuse a folder that already contains a run or other files (InputError)."""
    if (folder / "start.npz").exists():
        raise InputError(f"{folder} holds a run already; add --resume, or choose another folder")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise InputError(f"{place} is a file; choose another folder for the run")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if _has_only_overlay(folder / "model"):
        names.remove("model")
    if any(not name.startswith(".") for name in names - NOT_YET_A_RUN):
        raise InputError(f"{folder} holds other files; choose a new or an empty folder")


def _has_only_overlay(model: Path) -> bool:
    """Whether the folder contains no model yet, only the overlay of an earlier run."""
    names = {path.name for path in model.glob("[!.]*")}
    return OVERLAY_FILE in names and names <= {OVERLAY_FILE, HISTORY_FILE}


def remove_stale_files(folder: Path) -> None:
    """Remove stale temporary files of a killed process; the caller must hold the run lock."""
    for name in OWN_FILES:
        for partial in folder.glob(f".{name}*{PARTIAL_SUFFIX}"):
            if partial.is_dir():
                shutil.rmtree(partial, ignore_errors=True)
            else:
                partial.unlink(missing_ok=True)
    remove_spare_models(folder)


def remove_spare_models(folder: Path) -> None:
    """Remove the temporary models of a replacement if the model itself exists."""
    if (folder / "model" / "model.json").is_file():
        for spare in SPARE_MODELS:
            shutil.rmtree(folder / spare, ignore_errors=True)


def load_run(folder: str | Path) -> Run:
    """Read a run with its model.

    Raises InputError if the folder is not a run, has no model yet, or is damaged.
    """
    place = Path(folder)
    config = read_config(place)
    try:
        model = load_model(model_folder(place))
    except InputError:
        # Once more, because a new model may have replaced the old one between two files.
        model = load_model(model_folder(place))
    parts = {part.name: getattr(model, part.name) for part in fields(model)}
    return Run(**parts, folder=place, config=config)


def model_folder(folder: Path) -> Path:
    """Folder of the model, even if a process was killed while it replaced it (InputError)."""
    for name in ("model", *SPARE_MODELS):
        if (folder / name).is_dir() and not _has_only_overlay(folder / name):
            return folder / name
    raise InputError(_why_no_model(folder))


def _why_no_model(folder: Path) -> str:
    """Sentence on a run without a model, and on what to do next."""
    try:
        state = read_status(folder).get("state")
    except InputError:
        state = None
    ends = {"interrupted": "it was interrupted", "failed": "it failed", "stopped": "it was stopped"}
    if state not in ends:
        return f"{folder} has no model yet; let it train to its end, or stop it first"
    resume = f"orrery train CORPUS --out {shlex.quote(str(folder))} --resume"
    return f"{folder} has no model yet, because {ends[state]}; continue it with {resume}"


def read_config(folder: Path) -> dict[str, Any]:
    """Configuration of a run; ``corpus`` is an absolute path, or None for an adopted graph.

    Raises InputError if the folder is not a run, or a run that this version cannot read.
    """
    if not (folder / "config.json").is_file():
        raise InputError(f"{folder} is not a run folder; make one with orrery train")
    config = read_json(folder / "config.json")
    corpus = config.get("corpus", "")
    is_sound = corpus is None or is_path(corpus)
    if config.get("version") != RUN_VERSION or not is_sound:
        raise InputError(f"{folder} is a run that this Orrery cannot read; train it again")
    settings = config.get("settings", {})
    if not isinstance(settings, dict) or config.get(SEAL) not in (None, seal_of(settings)):
        raise damaged(folder / "config.json")
    if corpus is not None:
        config["corpus"] = os.path.normpath(folder.resolve() / corpus)
    return config


def is_path(value: Any) -> TypeGuard[str]:
    """Whether a value from a file can be the path of a folder on any system."""
    return (
        isinstance(value, str)
        and bool(value)
        and "\0" not in value
        and storable_text(value) == value
    )


def write_config(folder: Path, corpus: str | None, settings: Mapping[str, Any]) -> None:
    """Write the settings with a relative path of the corpus, so that both folders can be moved."""
    # With slashes, which all systems read; absolute if the corpus is on another drive.
    relative = None
    if corpus is not None:
        try:
            relative = Path(os.path.relpath(corpus, folder.resolve())).as_posix()
        except ValueError:
            relative = Path(os.path.abspath(corpus)).as_posix()
    config = {"version": RUN_VERSION, "corpus": relative, "settings": settings}
    # The seal covers only the settings: a user may correct the path of a moved corpus.
    write_json(folder / "config.json", {**config, SEAL: seal_of(settings)})


def settings_seal(folder: Path) -> str:
    """Hash of the settings of a run; "" if they cannot be read."""
    try:
        settings = read_json(folder / "config.json").get("settings")
    except InputError:
        return ""
    if not isinstance(settings, dict):
        return ""
    return seal_of({name: value for name, value in settings.items() if name != COPIED})


def write_status(folder: Path, state: str, message: str, **figures: Any) -> None:
    """Write the state of a run; ``message`` is one sentence for the user."""
    status = {"state": state, "message": message, **figures}
    write_json(folder / "status.json", {**status, "pid": os.getpid(), "updated": time.time()})


def read_status(folder: Path) -> dict[str, Any]:
    """Last status of a run, with ``alive``: whether its process still runs.

    The state is ``interrupted`` if the process ended without reporting its end.
    """
    # Checked first: if the run ends in between, it has already written its final status.
    is_alive = _is_held(folder)
    status = valid_figures(read_json(folder / "status.json"))
    status["alive"] = is_alive
    if not status["alive"] and status.get("state") in LIVE_STATES:
        status["state"] = "interrupted"
    return status


def _is_held(folder: Path) -> bool:
    if not (folder / "run.lock").exists():
        return False
    lock = run_lock(folder)
    with _looking:
        try:
            lock.acquire(timeout=SECONDS_OF_LOOKING, poll_interval=SECONDS_BETWEEN_LOOKS)
        except filelock.Timeout:
            return True
        except FileNotFoundError:
            # The run was removed meanwhile.
            return False
        # If it was removed just before, the lock has made its folder anew.
        with suppress(OSError):
            if [path.name for path in folder.iterdir()] == ["run.lock"]:
                shutil.rmtree(folder)
        lock.release()
    return False


@writer
def send_command(folder: Path, command: str) -> None:
    """Send ``run``, ``pause`` or ``stop`` to the training process, which checks between steps."""
    if command not in COMMANDS:
        raise InputError(f"there is no command {command!r}; use one of {', '.join(COMMANDS)}")
    write_json(folder / "control.json", {"command": command})


def read_command(folder: Path) -> str:
    """Return the last command; ``run`` without a readable command."""
    try:
        command = read_json(folder / "control.json").get("command")
    except InputError:
        return "run"
    return command if command in COMMANDS else "run"


def when_commanded(folder: Path) -> float:
    """Time of the last command in seconds since 1970; 0 without a command."""
    try:
        return (folder / "control.json").stat().st_mtime
    except OSError:
        return 0.0


# Temporary names of files and folders that are being written or deleted.
UNFINISHED = re.compile(r"\..+\.(?:[0-9a-f]{12}|\d+-\d+)\.partial|\.removed-.+-\d+")


def clean_workspace(workspace: Path) -> list[Path]:
    """Remove temporary files that nothing has written to for a day, and return the removed paths.

    Only paths with the names of temporary files are examined. Failures are ignored.
    """
    found = [path for path in _unfinished(workspace) if _is_old(path)]
    for path in found:
        if path.name in SPARE_MODELS:
            # Not while a process trains this run.
            run = path.parent
            with suppress(filelock.Timeout, OSError), run_lock(run).acquire(timeout=0):
                remove_spare_models(run)
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    return [path for path in found if not os.path.lexists(path)]


def _unfinished(workspace: Path) -> Iterator[Path]:
    """Temporary files and folders, without their content; links are not followed."""
    for place, folders, files in os.walk(workspace):
        odd = [name for name in folders if UNFINISHED.fullmatch(name) or name in SPARE_MODELS]
        folders[:] = [name for name in folders if name not in odd]
        for name in (*odd, *filter(UNFINISHED.fullmatch, files)):
            yield Path(place, name)


def _is_old(path: Path) -> bool:
    """Whether nothing at this path or below it has changed for `STALE_SECONDS`."""
    inside = [
        Path(place, name) for place, folders, files in os.walk(path) for name in (*folders, *files)
    ]
    try:
        newest = max(other.lstat().st_mtime for other in (path, *inside))
    except OSError:
        return False
    return time.time() - newest > STALE_SECONDS
