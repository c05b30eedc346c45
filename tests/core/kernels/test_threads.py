"""Blocks on all threads: each of them once, and no thread returns before all are done."""

from __future__ import annotations

import threading
import time

import numba
import numpy as np
import pytest

from orrery.core.kernels.threads import on_all_threads

# Seconds that a thread waits for another at most.
PATIENCE = 60.0


@pytest.mark.parametrize("n_blocks", [0, 1, 2, 3, 17])
def test_every_block_is_worked_on_once(n_blocks):
    seen = np.zeros(n_blocks, np.int64)

    def count(blocks, step):
        for block in blocks:
            seen[block] += step

    on_all_threads(count, n_blocks, 2)
    assert seen.tolist() == [2] * n_blocks


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_as_many_threads_as_numba_is_set_to():
    names = set()

    def meet(blocks, together):
        names.add(threading.get_ident())
        together.wait(PATIENCE)

    on_all_threads(meet, 8, threading.Barrier(numba.get_num_threads()))
    assert len(names) == numba.get_num_threads()
    names.clear()
    try:
        numba.set_num_threads(1)
        on_all_threads(meet, 8, threading.Barrier(1))
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert names == {threading.get_ident()}


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
@pytest.mark.parametrize("bad", [0, 1])
def test_a_failure_comes_out_when_all_have_ended(bad):
    ended, is_failing = [], threading.Event()

    def fail(blocks):
        if bad in blocks:
            is_failing.set()
            raise ValueError(f"block {bad}")
        assert is_failing.wait(PATIENCE)
        # Time enough for a caller that does not wait to be gone.
        time.sleep(0.05)
        ended.append(blocks)

    with pytest.raises(ValueError, match=f"block {bad}"):
        on_all_threads(fail, 2)
    assert len(ended) == 1
