"""Run folders: what a training process writes, and what the app and the commands read of it.

What killed processes left unfinished in a workspace goes when it is opened again.
"""

from __future__ import annotations

import os
import re
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
from .reports import sound_figures

RUN_VERSION = 1
LIVE_STATES = frozenset({"queued", "preparing", "running", "paused"})
# Whoever asks whether a run lives holds its lock for well under a millisecond, the run for long.
SECONDS_OF_LOOKING, SECONDS_BETWEEN_LOOKS = 0.01, 0.002
# Threads of a process look one after another: one that stalls with the lock in its hand is no run.
_looking = threading.Lock()
# What is added to the settings of a run that is copied, with the name of the original.
COPIED = "copied"
COMMANDS = ("run", "pause", "stop")
# What may lie in the folder of a run before it begins: its lock, what whoever started it put there,
# and what an attempt leaves that failed before there was a graph to train.
NOT_YET_A_RUN = frozenset(
    {
        *("run.lock", "launch.json", "console.txt", "control.json", "guidance.toml"),
        *("graph.csv", "graph.leaks.csv", "held_out.json", "held_out.txt"),
        *("config.json", "status.json", "log.txt"),
    }
)
# The new model before it is in its place, and the old one after.
SPARE_MODELS = (".model-new", ".model-old")
# Files that only the training process writes, under these beginnings.
OWN_FILES = (
    *("config.json", "start.npz", "checkpoint-", "metrics.jsonl", "moves.jsonl"),
    *("status.json", ".model-"),
)


def run_lock(folder: Path) -> filelock.BaseFileLock:
    """Lock that the training process holds while it lives; the system frees it if it dies."""
    return filelock.FileLock(folder / "run.lock")


def check_can_begin(folder: Path) -> None:
    """Refuse a place where no run can begin, because something is there (InputError)."""
    if (folder / "start.npz").exists():
        raise InputError(f"{folder} holds a run already; add --resume, or choose another folder")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise InputError(f"{place} is a file; choose another folder for the run")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if _has_names_alone(folder / "model"):
        names.remove("model")
    if any(not name.startswith(".") for name in names - NOT_YET_A_RUN):
        raise InputError(f"{folder} holds other files; choose a new or an empty folder")


def _has_names_alone(model: Path) -> bool:
    """Whether there is no model yet, only what was said about the topics of the run before."""
    names = {path.name for path in model.glob("[!.]*")}
    return OVERLAY_FILE in names and names <= {OVERLAY_FILE, HISTORY_FILE}


def remove_leftovers(folder: Path) -> None:
    """Remove what a process that was killed left unfinished; only for who holds the lock."""
    for name in OWN_FILES:
        for partial in folder.glob(f".{name}*{PARTIAL_SUFFIX}"):
            if partial.is_dir():
                shutil.rmtree(partial, ignore_errors=True)
            else:
                partial.unlink(missing_ok=True)
    remove_spare_models(folder)


def remove_spare_models(folder: Path) -> None:
    """Remove models that were to take the place of the one there is, where there is one."""
    if (folder / "model" / "model.json").is_file():
        for spare in SPARE_MODELS:
            shutil.rmtree(folder / spare, ignore_errors=True)


def load_run(folder: str | Path) -> Run:
    """Read a run with its model.

    Raises
    ------
    InputError
        If the folder is no run, has no model yet, or is damaged.
    """
    place = Path(folder)
    config = read_config(place)
    try:
        model = load_model(model_folder(place))
    except InputError:
        # Between two files of it a new model may have taken the place of the old.
        model = load_model(model_folder(place))
    parts = {part.name: getattr(model, part.name) for part in fields(model)}
    return Run(**parts, folder=place, config=config)


def model_folder(folder: Path) -> Path:
    """Folder of the model, or of the one before where a kill fell between the two (InputError)."""
    for name in ("model", *SPARE_MODELS):
        if (folder / name).is_dir() and not _has_names_alone(folder / name):
            return folder / name
    raise InputError(f"{folder} has no model yet; let it train to its end, or stop it first")


def read_config(folder: Path) -> dict[str, Any]:
    """Settings of a run, with ``corpus`` as an absolute path, or None if it was adopted.

    Raises
    ------
    InputError
        If the folder is no run, or one that this version cannot read.
    """
    if not (folder / "config.json").is_file():
        raise InputError(f"{folder} is not a run folder; make one with orrery train")
    config = read_json(folder / "config.json")
    corpus = config.get("corpus", "")
    is_sound = corpus is None or is_place(corpus)
    if config.get("version") != RUN_VERSION or not is_sound:
        raise InputError(f"{folder} is a run that this Orrery cannot read; train it again")
    settings = config.get("settings", {})
    if not isinstance(settings, dict) or config.get(SEAL) not in (None, seal_of(settings)):
        raise damaged(folder / "config.json")
    if corpus is not None:
        config["corpus"] = os.path.normpath(folder.resolve() / corpus)
    return config


def is_place(value: Any) -> TypeGuard[str]:
    """Whether a value from a file can be the path of a folder on some system."""
    return (
        isinstance(value, str)
        and bool(value)
        and "\0" not in value
        and storable_text(value) == value
    )


def write_config(folder: Path, corpus: str | None, settings: Mapping[str, Any]) -> None:
    """Write what makes the run; the corpus is named from here, so that both can move together."""
    named = None if corpus is None else _as_seen_from(folder.resolve(), corpus)
    config = {"version": RUN_VERSION, "corpus": named, "settings": settings}
    # Of the settings alone: a corpus that was moved may be named anew by hand.
    write_json(folder / "config.json", {**config, SEAL: seal_of(settings)})


def settings_seal(folder: Path) -> str:
    """Hash of all that a run was started with; "" where its folder does not say."""
    try:
        settings = read_json(folder / "config.json").get("settings")
    except InputError:
        return ""
    if not isinstance(settings, dict):
        return ""
    return seal_of({name: value for name, value in settings.items() if name != COPIED})


def _as_seen_from(folder: Path, corpus: str) -> str:
    """Relative path with slashes, which every system reads; the whole path from another drive."""
    try:
        return Path(os.path.relpath(corpus, folder)).as_posix()
    except ValueError:
        return Path(os.path.abspath(corpus)).as_posix()


def write_status(folder: Path, state: str, message: str, **figures: Any) -> None:
    """Say how the run stands; ``message`` is one sentence for people."""
    status = {"state": state, "message": message, **figures}
    write_json(folder / "status.json", {**status, "pid": os.getpid(), "updated": time.time()})


def read_status(folder: Path) -> dict[str, Any]:
    """What the run last reported, with ``alive``: whether its process still runs.

    A run whose process died before it could say so has the state ``interrupted``.
    """
    # Asked first: a run that ends in between has then written its last word already.
    is_alive = _is_held(folder)
    status = sound_figures(read_json(folder / "status.json"))
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
        lock.release()
    return False


@writer
def send_command(folder: Path, command: str) -> None:
    """Ask the training process to ``run``, ``pause`` or ``stop``; it looks between steps."""
    if command not in COMMANDS:
        raise InputError(f"there is no command {command!r}; use one of {', '.join(COMMANDS)}")
    write_json(folder / "control.json", {"command": command})


def read_command(folder: Path) -> str:
    """Return the last command sent, ``run`` if there is none that can be read."""
    try:
        command = read_json(folder / "control.json").get("command")
    except InputError:
        return "run"
    return command if command in COMMANDS else "run"


# Files and folders that are being written, and folders that are being deleted.
UNFINISHED = re.compile(r"\..+\.(?:[0-9a-f]{12}|\d+-\d+)\.partial|\.removed-.+-\d+")


def sweep_workspace(workspace: Path) -> list[Path]:
    """Remove what nobody has written to for a day and nobody will; returns what went.

    Only what bears the names of unfinished work is looked at. What cannot be removed stays.
    """
    found = [path for path in _unfinished(workspace) if _is_old(path)]
    for path in found:
        if path.name in SPARE_MODELS:
            _remove_spare(path.parent)
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    return [path for path in found if not os.path.lexists(path)]


def _unfinished(workspace: Path) -> Iterator[Path]:
    """Unfinished files and folders, not looked into any further; no links are followed."""
    for place, folders, files in os.walk(workspace):
        odd = [name for name in folders if UNFINISHED.fullmatch(name) or name in SPARE_MODELS]
        folders[:] = [name for name in folders if name not in odd]
        for name in (*odd, *filter(UNFINISHED.fullmatch, files)):
            yield Path(place, name)


def _is_old(path: Path) -> bool:
    """Whether neither it nor anything in it has changed for long."""
    inside = [
        Path(place, name) for place, folders, files in os.walk(path) for name in (*folders, *files)
    ]
    try:
        newest = max(other.lstat().st_mtime for other in (path, *inside))
    except OSError:
        return False
    return time.time() - newest > STALE_SECONDS


def _remove_spare(run: Path) -> None:
    """Remove a model that was to take another's place, if no process trains there."""
    with suppress(filelock.Timeout, OSError), run_lock(run).acquire(timeout=0):
        remove_spare_models(run)
