"""What the figures were made on, in one line: cores, processor, Python, numpy and numba."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import numba
import numpy as np


def describe_machine() -> str:
    """Describe this machine without its name or any path."""
    return (
        f"{os.cpu_count()} cores, {numba.get_num_threads()} threads, {_processor()}, "
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
