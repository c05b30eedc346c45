"""Blocks of work on all threads.

The threads are Python threads, since kernels release the interpreter lock. Numba's own parallel
loops are equally fast but take three times as long to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np


def on_all_threads(kernel: Callable[..., Any], n_blocks: int, *arguments: Any) -> None:
    """Call ``kernel(blocks, *arguments)`` on every thread that numba is set to use.

    ``blocks`` (int64 array) is the thread's share of the numbers below ``n_blocks``. If the blocks
    write to disjoint memory, the result does not depend on the number of threads.
    """
    import numba

    n_threads = min(numba.get_num_threads(), n_blocks)
    shares = [np.arange(first, n_blocks, n_threads) for first in range(n_threads)]
    others: list[Future[None]] = []
    try:
        for share in shares[1:]:
            others.append(_pool().submit(kernel, share, *arguments))
        if shares:
            kernel(shares[0], *arguments)
    finally:
        # `exception` waits without raising: no thread may outlive the arrays of the caller.
        for other in others:
            other.exception()
    for other in others:
        other.result()


@cache
def _pool() -> ThreadPoolExecutor:
    import numba

    return ThreadPoolExecutor(numba.config.NUMBA_NUM_THREADS, thread_name_prefix="kernels")
