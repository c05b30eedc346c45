"""Timing works that take turns, so that whatever else the machine does meets all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numba
import numpy as np

from orrery.core.inference.kernel_inputs import N_BLOCKS, Bound, kernel_model, kernel_tables
from orrery.core.kernels.batch import expectation_step
from orrery.core.kernels.document import Search
from orrery.core.kernels.rows import Documents
from orrery.core.model.network import Network

Name = TypeVar("Name", bound=Hashable)


def in_turns(works: dict[Name, Callable[[], Any]], repeats: int) -> dict[Name, list[float]]:
    """Seconds of every run of each work; the first of each, which may compile, is left out."""
    for work in works.values():
        work()
    seconds: dict[Name, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - begin)
    return seconds


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Compute with this number of threads, and restore the number afterwards."""
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(count)
        yield
    finally:
        numba.set_num_threads(before)


def estep_of(
    network: Network, documents: Documents, bound: Bound, search: Search
) -> Callable[[], np.ndarray]:
    """E-step of documents with the sums of its gradients, which returns their bounds.

    The tables, which change with the weights alone, are made before.
    """
    model, tables = kernel_model(network), kernel_tables(network, bound, dtype=np.float32)

    def step() -> np.ndarray:
        return expectation_step(documents, model, tables, False, search, N_BLOCKS)[0]

    return step
