"""Processes of commands that outlive the app which started them, and what they report."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from ...core.storage.atomic import write_json
from ...core.storage.reading import json_value, read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer

# A process may say that it began a little after it was started.
CLOCK_SLIP = 5.0
# Environment variable of the processes that `launch` starts: "json" lets a command write its
# progress as JSON, an object in each line (`app.cli.progress`).
PROGRESS_FORMAT = "ORRERY_PROGRESS"
# Held while it is looked whether something is going, and begun if not.
_beginning = threading.Lock()
# How long a process may take to end when it is asked to.
ENDING_SECONDS = 3.0


def train_command(arguments: list[str]) -> list[str]:
    """Command line of a training process."""
    return [sys.executable, "-m", "orrery", *arguments]


@writer
def launch(folder: Path, arguments: list[str], corpus: Path) -> None:
    """Start a process that survives a closed browser and a stopped app.

    What it prints goes to ``console.txt`` in the folder of the run, and when it was started to
    ``launch.json``.
    """
    # The console is read as UTF-8, whatever the system's own encoding is.
    settings = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", PROGRESS_FORMAT: "json"}
    with (folder / "console.txt").open("ab") as console:
        process = subprocess.Popen(
            train_command(arguments),
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            cwd=folder,
            env={**os.environ, **settings},
            **_own_session(),
        )
    record = {"corpus": str(corpus), "pid": process.pid, "started": time.time()}
    write_json(folder / "launch.json", record)
    # Waited for, so that an ended process does not stay in the table as one that is still there.
    threading.Thread(target=process.wait, daemon=True).start()


def _own_session() -> dict[str, Any]:
    """Options of a process that Ctrl-C in the app's terminal, or closing it, does not reach."""
    if sys.platform == "win32":
        # A console of its own, not shown, which what it starts in turn stays in.
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        return {"creationflags": flags}
    return {"start_new_session": True}


def is_there(launch: dict[str, Any]) -> bool:
    """Whether the process of a launch record still exists, and its id was not reused."""
    return _process(launch) is not None


@writer
def end(launch: dict[str, Any]) -> None:
    """End the process of a launch record and what it has started; nothing where it is gone."""
    process = _process(launch)
    if process is None:
        return
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return
    for member in family:
        _kill(member.terminate)
    for member in psutil.wait_procs(family, ENDING_SECONDS)[1]:
        _kill(member.kill)


@writer
def begin(
    folder: Path,
    arguments: list[str],
    corpus: Path,
    is_going: Callable[[], bool],
    asked: dict[str, Any] | None = None,
) -> None:
    """Launch in a fresh folder, unless something is going there: two visitors begin it once.

    ``asked`` is kept beside what `launch` writes, in ``asked.json``.
    """
    with _beginning:
        if is_going():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if asked is not None:
            write_json(folder / "asked.json", asked)
        launch(folder, arguments, corpus)


@writer
def call_off(folder: Path) -> None:
    """End what `launch` started in a folder, and take the folder away: no trace is left."""
    # Somebody else may just have called it off.
    with suppress(InputError):
        end(read_json(folder / "launch.json"))
    shutil.rmtree(folder, ignore_errors=True)


def _kill(kill: Callable[[], None]) -> None:
    with suppress(psutil.Error):
        kill()


def _process(launch: dict[str, Any]) -> psutil.Process | None:
    pid, started = launch.get("pid"), launch.get("started")
    if not isinstance(pid, int) or not isinstance(started, int | float):
        return None
    try:
        process = psutil.Process(pid)
        is_same = process.create_time() <= started + CLOCK_SLIP
        return process if is_same and process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Work:
    """State of a process that `launch` started.

    Attributes
    ----------
    is_going : bool
        Whether the process exists.
    seconds : float
        Time since it was started, if it exists.
    last : str
        Last line that it printed, "" if that is its progress: the result, or an error.
    share : float
        Latest progress, from 0 to 1.
    part : str
        Part of the work to which ``share`` belongs.
    """

    is_going: bool
    seconds: float
    last: str
    share: float
    part: str


def read_work(folder: Path) -> Work | None:
    """State of the process that was started in a folder; None if there was none."""
    try:
        launch = read_json(folder / "launch.json")
    except InputError:
        return None
    # Checked before reading: a process prints its last line before it ends.
    is_going = is_there(launch)
    seconds = max(time.time() - launch["started"], 0.0) if is_going else 0.0
    lines = _printed(folder)
    latest = next(filter(None, map(_progress, reversed(lines))), (0.0, ""))
    last = "" if lines and _progress(lines[-1]) else last_words(folder)
    return Work(is_going, seconds, last, *latest)


def last_words(folder: Path) -> str:
    """Last line that the process printed: its error, where it could not report for itself."""
    lines = _printed(folder)
    return lines[-1].removeprefix("orrery: ") if lines else ""


def _printed(folder: Path) -> list[str]:
    try:
        text = (folder / "console.txt").read_text("utf-8", "replace")
    except OSError:
        return []
    return [line.strip() for line in text.splitlines() if line.strip()]


def _progress(line: str) -> tuple[float, str] | None:
    """Share and part of a line of progress; None for any other line."""
    found = json_value(line) if line.startswith("{") else None
    if not isinstance(found, dict) or found.keys() != {"part", "progress"}:
        return None
    share = found["progress"]
    is_share = isinstance(share, int | float) and 0.0 <= share <= 1.0
    return (float(share), str(found["part"])) if is_share else None
