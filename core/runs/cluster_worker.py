"""The E-step of one block of documents on a worker of a Dask cluster; a pure function.

This module is imported late, because it needs the extra ``distributed``.
"""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from distributed import WorkerPlugin, get_worker

from ..kernels.batch import NO_MEMORY, Memory, Sums
from ..kernels.rows import Documents
from ..model.graph import Graph
from ..model.network import build_network
from ..training.e_step import EStepInputs, EStepSettings, block_e_step, prepare
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array, Int64Array


class Packed(NamedTuple):
    """Array in dense or sparse form, whichever is smaller.

    ``value`` is float64; ``place`` is an int32 array of the positions of the values among zeros, or
    None for the dense form.
    """

    value: FloatArray
    place: Int32Array | None


class Block(NamedTuple):
    """Result of a block.

    Bounds of its documents (float64 array, nats), its sums, and the activations of its memory
    (float32 array).
    """

    bounds: FloatArray
    sums: tuple[Packed, ...]
    activation: npt.NDArray[np.float32]


class Weights(NamedTuple):
    """Weights and leaks of a training step, and its number."""

    number: int
    weight: FloatArray
    leak: FloatArray


class CorpusPlugin(WorkerPlugin):
    """Documents and graph, which stay on all workers, including workers that join or restart later.

    All tokens of ``documents`` are sent, but not its rows.
    """

    def __init__(self, documents: Documents, graph: Graph) -> None:
        self._tokens = (documents.token_ptr, documents.token_idx)
        self._graph = graph
        self._edition = edition()
        self._prepared: tuple[int, EStepInputs] | None = None

    def setup(self, worker: Any) -> None:
        """Initialize a worker; refuse one with other source code (InputError)."""
        self._name = f"worker {worker.address}"
        self._lock = threading.Lock()
        # Arrays lose the read-only flag in transit. Kernels are compiled separately for writable
        # arrays, and that machine code may round differently.
        arrays = (value for value in vars(self._graph).values() if isinstance(value, np.ndarray))
        for array in (*self._tokens, *arrays):
            array.flags.writeable = False
        check_edition(self._name, self._edition)

    def e_step(self, weights: Weights, rows: Int64Array, step_settings: EStepSettings) -> Block:
        """Bounds and sums of one block of documents."""
        check_edition(self._name, self._edition)
        prepared = self._prepared_for(weights, step_settings)
        documents = Documents(*self._tokens, np.array(rows, np.int64))
        memory = Memory(*map(np.array, step_settings.memory or NO_MEMORY))
        step_settings = step_settings._replace(memory=memory)
        bounds, sums = block_e_step(prepared, documents, step_settings, 1)
        return Block(bounds, tuple(pack(values[0]) for values in sums), memory.activation)

    def _prepared_for(self, weights: Weights, step_settings: EStepSettings) -> EStepInputs:
        """Tables of all weights, which are shared by the blocks of a step on this worker."""
        with self._lock:
            if self._prepared is None or self._prepared[0] != weights.number:
                network = build_network(self._graph, weights.weight, weights.leak)
                self._prepared = (weights.number, prepare(network, step_settings))
            return self._prepared[1]


def hold(weights: Weights) -> Weights:
    """Weights as a Dask result, which the cluster distributes and recomputes if it is lost."""
    return weights


def block_on_worker(
    rows: Int64Array, step_settings: EStepSettings, *, plugin: str, weights: Weights
) -> Block:
    """E-step of one block; ``plugin`` is the name of the `CorpusPlugin` of the run."""
    worker = get_worker()
    # A block uses one thread of the worker; only the preparation of the tables uses all of them.
    available = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    numba.set_num_threads(min(worker.state.nthreads, available))
    found: Any = worker.plugins[plugin]
    block: Block = found.e_step(weights, rows, step_settings)
    return block


def pack(values: FloatArray) -> Packed:
    """Omit zeros if this saves bytes; negative zeros are kept."""
    place = np.flatnonzero(values.view(np.int64))
    if len(place) * (values.itemsize + 4) >= values.nbytes:
        return Packed(values, None)
    return Packed(values[place], place.astype(np.int32))


def unpack(packed: Packed, into: FloatArray) -> None:
    """Inverse of `pack`; ``into`` contains zeros."""
    into[slice(None) if packed.place is None else packed.place] = packed.value


def as_one(blocks: list[tuple[int, Block]], graph: Graph, n_blocks: int) -> tuple[FloatArray, Sums]:
    """Bounds and sums of all blocks; the blocks are in ascending order of their numbers."""
    sizes = (graph.n_edges, graph.n_nodes, graph.n_topics)
    sums = Sums(*(np.zeros((n_blocks, size)) for size in sizes))
    for number, block in blocks:
        for packed, rows in zip(block.sums, sums, strict=True):
            unpack(packed, rows[number])
    return np.concatenate([block.bounds for _, block in blocks]), sums


def check_edition(name: str, found: object) -> None:
    """Refuse a machine by its `edition`, or by the error in place of it (InputError)."""
    if found != edition():
        has = "no Orrery" if isinstance(found, Exception) else "another Orrery"
        raise InputError(f"the {name} has {has}; install there what is installed here")


@cache
def edition() -> str:
    """Hash of all source code of ``core``; only equal code guarantees equal results."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
