"""Compilation of kernels by a process in the background, which the app starts when it opens."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files

# A module of `core.runs`, which the app must not import.
MODULE = "orrery.core.runs.compile_ahead"
_processes: list[subprocess.Popen[bytes]] = []


def start() -> None:
    """Start the process; it ends at once if everything has been compiled before.

    Its errors are not shown: whoever needs a kernel compiles it again, and fails with a message.
    """
    _processes.append(
        subprocess.Popen(
            [sys.executable, "-m", MODULE, str(files("orrery.sample_data") / "corpus")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ,
        )
    )


def is_going() -> bool:
    """Whether kernels are being compiled."""
    return any(process.poll() is None for process in _processes)


def stop() -> None:
    """End the process with the server; kernels that are compiled remain."""
    for process in _processes:
        process.terminate()
        process.wait()
