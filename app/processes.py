"""Training processes that outlive the app which started them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from core.storage.atomic import write_json


def train_command(arguments: list[str]) -> list[str]:
    """Command line of a training process."""
    return [sys.executable, "-m", "core", *arguments]


def launch(folder: Path, arguments: list[str], corpus: Path) -> None:
    """Start a process so that neither a closed browser nor a stopped app takes it along.

    What it prints goes to ``console.txt`` in the folder of the run, and when it was started to
    ``launch.json``.
    """
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (folder / "console.txt").open("ab") as console:
        process = subprocess.Popen(
            train_command(arguments),
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    record = {"corpus": str(corpus), "pid": process.pid, "started": time.time()}
    write_json(folder / "launch.json", record)
    # Waited for, so that an ended process does not stay in the table as one that is still there.
    threading.Thread(target=process.wait, daemon=True).start()


def is_there(pid: Any) -> bool:
    """Whether there is a process of this number."""
    if not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def last_words(folder: Path) -> str:
    """Last line that the process printed: its error, where it could not report for itself."""
    try:
        text = (folder / "console.txt").read_text("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("orrery: ") if lines else ""
