"""Dask clusters that live as long as a test, and short trainings on them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import distributed

from orrery.core.training.state import StepInfo, TrainingState
from orrery.core.training.train import train

Steps = list[tuple[TrainingState, StepInfo]]


@contextmanager
def cluster_in_this_process(n_workers: int) -> Iterator[Any]:
    """A scheduler and workers of one thread, in threads of this process."""
    with distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL + 1,
    ) as cluster:
        yield cluster


def trained(corpus: Any, graph: Any, options: Any, e_step: Any) -> Steps:
    return list(train(corpus, graph, options, e_step=e_step))


def digits(steps: Steps) -> list[bytes]:
    """All results of a step, bit for bit."""
    return [
        b"".join(
            array.tobytes() for array in (state.network.weight, state.network.leak, info.usage)
        )
        + repr(info.bound).encode()
        for state, info in steps
    ]
