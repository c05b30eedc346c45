"""Commands in processes of their own: what they print, their seconds and their peak memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAUNCHER = Path(__file__).with_name("launch.py")
# A day: no limit, near enough.
NO_LIMIT = 86_400.0


class CommandError(Exception):
    """A command that failed, with the last line that it wrote."""


class CommandTimeoutError(CommandError):
    """A command that took longer than it may."""


@dataclass(frozen=True)
class Ran:
    """A finished command.

    Attributes
    ----------
    output : str
        Its standard output.
    seconds : float
        From its start to its end, imports and all.
    processor_seconds : float
        Processor time of all its threads, independent of other load.
    gigabytes : float
        Peak memory.
    """

    output: str
    seconds: float
    processor_seconds: float
    gigabytes: float

    def json(self) -> dict[str, Any]:
        """Return the one object that it printed."""
        return dict(json.loads(self.output))

    def cost(self) -> dict[str, float]:
        """Return seconds and memory by these names."""
        return {
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "gigabytes": self.gigabytes,
        }


def run_alone(*command: object, limit: float = NO_LIMIT) -> Ran:
    """Run a command to its end.

    Raises
    ------
    CommandTimeoutError
        If it is not done after ``limit`` seconds.
    CommandError
        If it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "figures.json")
        started = [sys.executable, str(LAUNCHER), str(place), str(limit), *map(str, command)]
        done = subprocess.run(started, capture_output=True, text=True, check=False)
        figures = json.loads(place.read_text("utf-8")) if place.exists() else {}
    if figures.get("seconds", 0.0) >= limit:
        raise CommandTimeoutError(f"not done after {limit:.0f} s")
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise CommandError(lines[-1] if lines else f"exit code {done.returncode}")
    return Ran(done.stdout, **figures)


def orrery(*arguments: object) -> Ran:
    """Run a command of Orrery's command line."""
    return run_alone(sys.executable, "-m", "orrery", *arguments)
