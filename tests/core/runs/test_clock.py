"""The clock of a run stands still while something is compiled."""

from __future__ import annotations

import time

import numba
import pytest

from orrery.core.kernels import cache
from orrery.core.kernels.compiling import seconds_compiling
from orrery.core.runs.recorder import Clock


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_compiling_is_not_counted() -> None:
    # Compilation counts from the import of this module on.
    assert cache.compile_timer is not None
    before, compiled_before = time.monotonic(), seconds_compiling()
    clock = Clock(100.0)
    began = time.monotonic()
    numba.njit(lambda x: x + 1)(1)
    soonest = time.monotonic() - began
    shown = clock.seconds - 100.0
    latest = time.monotonic() - before
    compiled = seconds_compiling() - compiled_before
    assert compiled > 0
    assert soonest - compiled <= shown <= latest - compiled
    clock.leave_out(50.0)
    assert clock.seconds < 100.0
