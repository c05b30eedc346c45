"""A training gives the same bits every time, wherever, and in however many threads it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Of all kinds of training, in four processes.
REPEATS = int(os.environ.get("ORRERY_REPEATS", "8"))
# Compiling everything takes longer than all of the usual suite's repeats.
FEWEST_WITH_COLD_CACHE = 40
Record = Callable[[str, object], None]


@pytest.mark.timeout(7_200)
def test_trainings_give_the_same_bits_in_any_process(
    tmp_path: Path, record_property: Record
) -> None:
    odd = [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1", "MALLOC_PERTURB_": "165"},
        {"PYTHONHASHSEED": "2", "MALLOC_TOP_PAD_": "1000003", "MALLOC_ARENA_MAX": "1"},
        {"PYTHONHASHSEED": "3", "MALLOC_MMAP_THRESHOLD_": "4096"},
    ]
    if REPEATS >= FEWEST_WITH_COLD_CACHE:
        # Compiled in this process; the others load what was compiled before.
        odd[-1]["NUMBA_CACHE_DIR"] = str(tmp_path / "cold")
    found: set[str] = set()
    for seed, variables in enumerate(odd):
        command = [sys.executable, "-m", "tests.repeating", str(max(1, REPEATS // 4)), str(seed)]
        environment = {**os.environ, **variables}
        said = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        found.update(said.split())
    record_property("repeats", 4 * max(1, REPEATS // 4))
    assert len(found) == 1
