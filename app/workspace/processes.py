"""Processes that the app starts: commands, which continue after it, and a compiler of kernels."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import psutil

from ...core.storage.atomic import write_json
from ...core.storage.reading import json_value, read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import READ_ONLY, writer

# Seconds by which the creation time of a process may exceed the time of its launch record.
CLOCK_SLIP = 5.0
# Environment variable of the processes that `launch` starts: "json" lets a command write its
# progress as JSON, an object in each line (`app.cli.progress`).
PROGRESS_FORMAT = "ORRERY_PROGRESS"
# File with the request, in the folder of a command.
ASKED = "asked.json"
# Time for a process to end after SIGTERM, before it is killed.
ENDING_SECONDS = 3.0
# Lock of `begin`: the check for a running process and the start of a new one are atomic.
_beginning = threading.Lock()


def train_command(arguments: list[str]) -> list[str]:
    """Command line of a command in a separate process."""
    return [sys.executable, "-m", "orrery", *arguments]


@writer
def launch(folder: Path, arguments: list[str], corpus: Path) -> None:
    """Start a process that continues after the browser or the app is closed.

    Its output is written to ``console.txt`` in the folder, and its id and time to ``launch.json``.
    """
    # The output is read as UTF-8, independent of the encoding of the system.
    settings = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", PROGRESS_FORMAT: "json"}
    # The person who starts it may change the workspace, also if others only view it.
    settings[READ_ONLY] = "0"
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
    try:
        write_json(folder / "launch.json", record)
    except OSError:
        # Without a record, the process could be neither observed nor stopped.
        process.kill()
        process.wait()
        raise
    # Wait for the process in a thread, so that it does not become a zombie.
    threading.Thread(target=process.wait, daemon=True).start()


def _own_session() -> dict[str, Any]:
    """Options for a process that does not receive Ctrl-C or the end of the app's terminal."""
    if sys.platform == "win32":
        # A hidden console, which child processes share.
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        return {"creationflags": flags}
    return {"start_new_session": True}


def is_there(launch: dict[str, Any]) -> bool:
    """Whether the process of a launch record still exists and its id was not reused."""
    return _process(launch) is not None


@writer
def end(launch: dict[str, Any]) -> None:
    """End the process of a launch record and its child processes, if it still exists."""
    process = _process(launch)
    if process is None:
        return
    try:
        processes = [process, *process.children(recursive=True)]
    except psutil.Error:
        return
    for member in processes:
        with suppress(psutil.Error):
            member.terminate()
    for member in psutil.wait_procs(processes, ENDING_SECONDS)[1]:
        with suppress(psutil.Error):
            member.kill()


@writer
def begin(
    folder: Path,
    arguments: list[str],
    corpus: Path,
    is_going: Callable[[], bool],
    request: dict[str, Any] | None = None,
) -> None:
    """Launch a command in a new folder, unless one is going there; two visitors start it once.

    ``request`` is written to `ASKED` in the folder.
    """
    with _beginning:
        if is_going():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            if request is not None:
                write_json(folder / ASKED, request)
            launch(folder, arguments, corpus)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise


@writer
def call_off(folder: Path) -> None:
    """End the process that `launch` started in a folder, and delete the folder."""
    # Another visitor may have called it off at the same time.
    with suppress(InputError):
        end(read_json(folder / "launch.json"))
    shutil.rmtree(folder, ignore_errors=True)


def is_about(folder: Path, subject: Path) -> bool:
    """Whether `launch` started a process in a folder for this run or corpus."""
    with suppress(InputError):
        return read_json(folder / "launch.json").get("corpus") == str(subject)
    return False


def folder_of_run(parent: Path, run: Path) -> Path:
    """Folder of the work on a run, named by its model and its path (InputError if damaged)."""
    content = read_json(run / "model" / "model.json").get("model_hash")
    if not isinstance(content, str) or not content.isalnum():
        raise InputError(f"the model of {run.name} is damaged; train it again")
    # A copy of a run has the same content.
    place = hashlib.sha256(str(run.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return parent / f"{content[:20]}-{place[:12]}"


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
    """State of a process that `launch` started."""

    is_going: bool  # whether the process exists
    seconds: float  # time since it was started, if it exists
    last: str  # last line of its output, a result or an error; "" if the line is its progress
    share: float  # latest progress, from 0 to 1
    part: str  # part of the work to which ``share`` belongs


def read_work(folder: Path) -> Work | None:
    """State of the process that was started in a folder; None if no process was started."""
    try:
        launch = read_json(folder / "launch.json")
    except InputError:
        return None
    # Checked before reading: a process prints its last line before it ends.
    is_going = is_there(launch)
    seconds = max(time.time() - launch["started"], 0.0) if is_going else 0.0
    # Read once: a line that is printed meanwhile would be taken for the last words.
    lines = _printed(folder)
    latest = next(filter(None, map(_progress, reversed(lines))), (0.0, ""))
    last = "" if lines and _progress(lines[-1]) else _last_of(lines)
    return Work(is_going, seconds, last, *latest)


def last_words(folder: Path) -> str:
    """Last line of the output of the process, which is its error after a failure."""
    return _last_of(_printed(folder))


def _last_of(lines: list[str]) -> str:
    return lines[-1].removeprefix("orrery: ") if lines else ""


def _printed(folder: Path) -> list[str]:
    try:
        text = (folder / "console.txt").read_text("utf-8", "replace")
    except OSError:
        return []
    return [line.strip() for line in text.splitlines() if line.strip()]


def _progress(line: str) -> tuple[float, str] | None:
    """Share and part from a line of progress; None for other lines."""
    found = json_value(line) if line.startswith("{") else None
    if not isinstance(found, dict) or found.keys() != {"part", "progress"}:
        return None
    share = found["progress"]
    is_share = isinstance(share, int | float) and 0.0 <= share <= 1.0
    return (float(share), str(found["part"])) if is_share else None


# A module of `core.runs`, which the app must not import, and its processes.
COMPILING_MODULE = "orrery.core.runs.compile_ahead"
_compiling: list[subprocess.Popen[bytes]] = []


def start_compilation() -> None:
    """Start a process that compiles kernels; it ends at once if all are compiled already.

    Its errors are not shown: a process that needs a kernel compiles it again, and fails with a
    message.
    """
    _compiling.append(
        subprocess.Popen(
            [sys.executable, "-m", COMPILING_MODULE, str(files("orrery.sample_data") / "corpus")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ,
        )
    )


def is_compiling() -> bool:
    """Whether kernels are being compiled."""
    return any(process.poll() is None for process in _compiling)


def stop_compilation() -> None:
    """End the processes with the server; kernels that are compiled remain."""
    for process in _compiling:
        process.terminate()
        process.wait()
