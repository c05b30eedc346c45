"""Cost of these tests in the default test run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import psutil

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.browser.driving import ROOT

# Maximum processor seconds in total.
GOAL = 180


def part(files: Sequence[str]) -> Part:
    """The part of the page for these files of tests."""
    return Part("usual", "Cost in the default test run", 10, lambda s: run(s, files), show)


def run(settings: Settings, files: Sequence[str]) -> Figures:
    """Run each file of tests as the usual suite does; seconds of the processor, all children's."""
    # A size that somebody has set would be another suite, and one that may keep nothing of what
    # Python compiles takes longer to start than to test.
    usual = {name: value for name, value in os.environ.items() if not name.startswith("ORRERY_")}
    usual.pop("PYTHONDONTWRITEBYTECODE", None)
    found = {}
    for file in files[: settings.pick(len(files), 1)]:
        begin = _spent()
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", file]
        done = subprocess.run(command, cwd=ROOT, env=usual, check=False, capture_output=True)
        found[file] = {"seconds": _spent() - begin, "passed": done.returncode == 0}
        log.info("%s: %s", file, found[file])
    return {"files": found}


def _spent() -> float:
    """Seconds of the processor that ended children of this process took."""
    times = psutil.Process().cpu_times()
    return float(times.children_user + times.children_system)


def show(figures: Figures) -> str:
    """A file a line, and their sum beside what it should be."""
    files = figures["files"]
    rows = [
        [f"`{name}`", number(found["seconds"], 0), "yes" if found["passed"] else "**no**"]
        for name, found in files.items()
    ]
    whole = sum(found["seconds"] for found in files.values())
    rows.append([f"all (goal: {GOAL})", number(whole, 0), ""])
    return "\n\n".join(
        [
            "Each test file alone, at the size of the default test run. Seconds are processor "
            "seconds on all cores, with the start of Python; packages and kernels are compiled "
            "already.",
            table(["tests", "seconds", "passed"], rows),
        ]
    )
