"""E-steps on a Dask cluster: documents stay on the workers, weights go out, sums come back.

A step is divided into the same blocks as on one machine, and their sums are added in the same
order. The result therefore does not depend on the workers, or on the failure of some of them. Dask
is optional and imported late.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..inference.kernel_inputs import N_BLOCKS
from ..kernels.batch import Memory, Sums
from ..kernels.rows import Documents
from ..model.graph import Graph
from ..model.network import Network
from ..training.e_step import EStep, EStepSettings, local_e_step
from ..utils.errors import InputError
from ..utils.parsing import read_whole_number
from ..utils.types import FloatArray

if TYPE_CHECKING:
    from ..utils.types import Int64Array
    from .cluster_worker import Block


# Seconds to wait for an answer of the scheduler.
CONNECTION_PATIENCE = 10.0
LOCAL = "local"
# Ctrl-C reaches all processes of a terminal, but the main process must end its workers in order.
QUIET_WORKER = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
# Dask warns of large arguments, but the weights are large and sent in each step.
DASK_SETTINGS = {"distributed.admin.large-graph-warning-threshold": "64GB"}


@contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """Client of the scheduler at an address, or of a temporary local cluster.

    ``address`` is ``tcp://HOST:PORT``, or ``local`` or ``local:N`` for N worker processes on this
    machine. Raises InputError if Dask is not installed or no scheduler answers at the address.
    """
    n_workers = workers_of(address)
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(
            '--dask needs Dask, which is not installed; python -m pip install "orrery[distributed]"'
        ) from None
    with dask.config.set(DASK_SETTINGS), _quiet():
        if n_workers is None:
            asyncio.run(_check_scheduler(distributed, address))
            with _client(distributed, address) as client:
                yield client
            return
        # The workers cannot be reached from another machine.
        with (
            distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                preload=[QUIET_WORKER],
            ) as local,
            _client(distributed, local.scheduler_address) as client,
        ):
            yield client


def workers_of(address: str) -> int | None:
    """Number of workers of a local cluster; None for the address of another cluster.

    Raises InputError if the number is invalid or exceeds the number of blocks.
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


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the log messages of Dask."""
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
        # A scheduler that has ended cannot be notified.
        with suppress(OSError):
            client.close(timeout=CONNECTION_PATIENCE)


# Seconds without any worker after which the cluster counts as lost.
WORKER_PATIENCE = 60.0
SECONDS_BETWEEN_LOOKS = 1.0


class ClusterLostError(ConnectionError):
    """The cluster was lost during training; the message is one sentence for the user."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the cluster was lost: {reason}; what is trained so far is kept, --resume goes on"
        )


@contextmanager
def e_step_on(address: str | None) -> Iterator[EStep]:
    """E-step function of a training run, on this machine or on a Dask cluster.

    ``address`` is a cluster address for `cluster_client`, or None for this machine. Raises
    InputError if there is no such cluster, it has no worker, or one of its machines has another
    version of Orrery or none; ClusterLostError if the cluster is lost during training.
    """
    if address is None:
        yield local_e_step
        return
    with cluster_client(address) as client:
        cluster = _Cluster(client)
        try:
            cluster.check()
            yield cluster
        finally:
            cluster.leave()


class _Cluster:
    """E-step on the workers of a client; equivalent to `local_e_step`."""

    def __init__(self, client: Any) -> None:
        import distributed

        from . import cluster_worker

        self._distributed, self._client, self._remote = distributed, client, cluster_worker
        self._plugin = f"orrery-{uuid.uuid4().hex}"
        self._shared: tuple[Any, Graph] | None = None
        self._has_plugin = False
        self._number = 0
        self._alone_since: float | None = None

    def __call__(
        self, network: Network, documents: Documents, step_settings: EStepSettings
    ) -> tuple[FloatArray, Sums]:
        self._number += 1
        try:
            self._share(documents, network.graph)
            blocks = self._run_blocks(network, documents, step_settings)
        except ClusterLostError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            raise self._explained(error) from error
        if step_settings.memory is not None:
            activation = [block.activation for _, block in blocks]
            step_settings.memory.activation[:] = np.concatenate(activation)
        return self._remote.as_one(blocks, network.graph, N_BLOCKS)

    def check(self) -> None:
        """Refuse a cluster without workers, or with a machine without this Orrery (InputError).

        The scheduler needs it too, because it deserializes the messages.
        """
        try:
            self._client.wait_for_workers(1, timeout=WORKER_PATIENCE)
        except TimeoutError:
            raise InputError(
                "the Dask scheduler has no worker; start some with: dask worker ADDRESS"
            ) from None
        edition = self._remote.edition
        try:
            found = {"scheduler": self._client.run_on_scheduler(edition)}
        except Exception as error:
            found = {"scheduler": error}
        on_workers = self._client.run(edition, on_error="return")
        found |= {f"worker {address}": answer for address, answer in on_workers.items()}
        for name, answer in found.items():
            self._remote.check_edition(name, answer)

    def leave(self) -> None:
        """Remove documents and graph from the workers that can still be reached."""
        if self._has_plugin and self._client.status == "running":
            with suppress(Exception, asyncio.CancelledError):
                self._client.unregister_worker_plugin(self._plugin)

    def _share(self, documents: Documents, graph: Graph) -> None:
        """Send documents and graph to all workers once; after pruning, the graph is another."""
        tokens = documents.token_idx
        if self._shared is not None and self._shared[0] is tokens and self._shared[1] is graph:
            return
        plugin = self._remote.CorpusPlugin(documents, graph)
        # Set first: even a failed registration may have reached some workers.
        self._has_plugin = True
        try:
            self._client.register_plugin(plugin, name=self._plugin)
        except OSError:
            # A single worker that ends now causes this error, and the others have the plugin.
            time.sleep(SECONDS_BETWEEN_LOOKS)
            self._client.register_plugin(plugin, name=self._plugin)
        self._shared = (tokens, graph)

    def _run_blocks(
        self, network: Network, documents: Documents, step_settings: EStepSettings
    ) -> list[tuple[int, Block]]:
        """Results of all non-empty blocks with their numbers; few documents leave some empty."""
        remote, name = self._remote, f"{self._plugin}-{self._number}"
        weights = remote.Weights(self._number, network.weight, network.leak)
        held = self._client.submit(remote.hold, weights, key=f"{name}-weights")
        places = blocks_of(np.arange(len(documents.rows)))
        blocks = {number: block for number, block in enumerate(places) if len(block)}
        futures = self._client.map(
            remote.block_on_worker,
            [documents.rows[block] for block in blocks.values()],
            [_settings_of(step_settings, block) for block in blocks.values()],
            key=[f"{name}-block-{number}" for number in blocks],
            plugin=self._plugin,
            weights=held,
        )
        self._wait(futures)
        return list(zip(blocks, self._client.gather(futures), strict=True))

    def _wait(self, futures: list[Any]) -> None:
        """Wait for all results, but not longer than `WORKER_PATIENCE` without any worker."""
        self._alone_since = None
        while True:
            try:
                with self._client.as_current():
                    self._distributed.wait(futures, timeout=SECONDS_BETWEEN_LOOKS)
                return
            except TimeoutError:
                if self._client.nthreads():
                    self._alone_since = None
                    continue
                self._alone_since = self._alone_since or time.monotonic()
                if time.monotonic() - self._alone_since > WORKER_PATIENCE:
                    raise ClusterLostError("its last worker is gone") from None

    def _explained(self, error: BaseException) -> BaseException:
        """Error with one sentence about the failure of the cluster; other errors unchanged."""
        if isinstance(error, InputError):
            return ClusterLostError(str(error))
        if isinstance(error, self._distributed.scheduler.KilledWorker):
            return ClusterLostError("the same work killed several workers")
        if isinstance(error, MemoryError):
            return ClusterLostError("the memory of a worker does not suffice")
        is_gone = (
            asyncio.CancelledError,
            self._distributed.CancelledError,
            self._distributed.comm.core.CommClosedError,
            ConnectionError,
            TimeoutError,
        )
        if isinstance(error, is_gone) or self._client.status != "running":
            return ClusterLostError("its scheduler does not answer")
        if isinstance(error, OSError):
            return ClusterLostError(f"a worker failed: {error}")
        return error


def _settings_of(step_settings: EStepSettings, block: Int64Array) -> EStepSettings:
    """Settings with the part of the memory that belongs to a block of adjacent documents."""
    if step_settings.memory is None:
        return step_settings
    pointer, activation, is_start = step_settings.memory
    own = pointer[block[0] : block[-1] + 2]
    memory = Memory(own - own[0], activation[own[0] : own[-1]], is_start[block])
    return step_settings._replace(memory=memory)


def blocks_of(rows: Int64Array) -> list[Int64Array]:
    """Rows of each block, as in `core.kernels.rows.rows_of_block` on one machine."""
    ends = np.arange(N_BLOCKS + 1) * len(rows) // N_BLOCKS
    return [rows[begin:end] for begin, end in pairwise(ends)]
