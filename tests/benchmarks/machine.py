"""Machine of the figures: cores, processor and software in one line, and its pace."""

from __future__ import annotations

import os
import platform
import statistics
import timeit
from pathlib import Path

import numba
import numpy as np


def describe_machine() -> str:
    """Describe this machine without its name or any path."""
    return (
        f"{os.cpu_count()} cores, {numba.get_num_threads()} threads, {_processor()}, "
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}"
    )


def measure_pace() -> float:
    """Milliseconds in which one core sums the squares of a million numbers in plain Python.

    Virtual machines of one name differ by a factor of two between days, and a page has figures from
    many days; the pace shows their speed.
    """
    seconds = timeit.repeat(lambda: sum(i * i for i in range(1_000_000)), number=1, repeat=9)
    return 1000 * statistics.median(seconds)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
