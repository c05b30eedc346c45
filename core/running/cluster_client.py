"""Clients of a Dask cluster, found at an address or started here. Dask is imported late."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from orrery.core.errors import InputError
from orrery.core.kernel_inputs import N_BLOCKS
from orrery.core.whole_number import read_whole_number

# Seconds to wait for a scheduler to answer.
CONNECTION_PATIENCE = 10.0
LOCAL = "local"
# Ctrl-C goes to all processes of a terminal; this one ends its workers, in order.
QUIET_WORKER = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
# Dask warns of large arguments; weights are large, and go out each step.
DASK_SETTINGS = {"distributed.admin.large-graph-warning-threshold": "64GB"}


@contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """Client of the scheduler at an address, or of a cluster that lives as long as it.

    Parameters
    ----------
    address : str
        ``tcp://HOST:PORT``, or ``local`` or ``local:N`` for N worker processes on this machine.

    Raises
    ------
    InputError
        If Dask is not installed or there is no such scheduler.
    """
    n_workers = workers_of(address)
    dask, distributed = _import_dask()
    with dask.config.set(DASK_SETTINGS), _quiet():
        if n_workers is None:
            asyncio.run(_check_scheduler(distributed, address))
            with _client(distributed, address) as client:
                yield client
            return
        with (
            _local_cluster(distributed, n_workers) as local,
            _client(distributed, local.scheduler_address) as client,
        ):
            yield client


def workers_of(address: str) -> int | None:
    """Workers of a local cluster by its name; None for the address of another.

    Raises
    ------
    InputError
        If the number is none, or larger than a step has parts.
    """
    name, _, number = address.partition(":")
    if name != LOCAL:
        return None
    if ":" not in address:
        return min(os.cpu_count() or 1, N_BLOCKS)
    workers = read_whole_number(number)
    if not workers or workers > N_BLOCKS:
        raise InputError(
            f"{address} is no local cluster; ask for local:1 to local:{N_BLOCKS}, for a step is "
            f"done in {N_BLOCKS} parts"
        )
    return workers


def _import_dask() -> tuple[Any, Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(
            '--dask needs Dask, which is not installed; python -m pip install "orrery[distributed]"'
        ) from None
    return dask, distributed


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's notes off the terminal."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in (*names, "tornado.application")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


async def _check_scheduler(distributed: Any, address: str) -> None:
    """Refuse an address where no scheduler answers (InputError)."""
    try:
        async with distributed.rpc(address, timeout=CONNECTION_PATIENCE) as peer:
            kind = (await peer.identity())["type"]
    except (OSError, ValueError, RuntimeError):
        raise InputError(
            f"no Dask scheduler answers at {address}; give the address that it printed when it "
            "started, such as tcp://HOST:8786"
        ) from None
    if kind != "Scheduler":
        raise InputError(f"{address} is a Dask {kind.lower()}; give the scheduler's address")


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    client = distributed.Client(address, timeout=CONNECTION_PATIENCE, set_as_default=False)
    try:
        yield client
    finally:
        # A scheduler that is gone cannot be told.
        with suppress(OSError):
            client.close(timeout=CONNECTION_PATIENCE)


def _local_cluster(distributed: Any, n_workers: int) -> Any:
    """Worker processes that nobody reaches from another machine."""
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        preload=[QUIET_WORKER],
    )
