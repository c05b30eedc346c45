"""What runs on the workers of a Dask cluster: the E-step of one block, a pure function.

Imported late, and only where the extra ``distributed`` is installed.
"""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from distributed import WorkerPlugin, get_worker

from ..kernels.batch import Sums
from ..kernels.rows import Documents
from ..model.graph import Graph
from ..model.network import build_network
from ..training.e_step import EStepSettings, Prepared, block_e_step, prepare
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array, Int64Array


class Packed(NamedTuple):
    """An array of which only what is not zero travels, where that is smaller.

    Attributes
    ----------
    value : float64 array
    place : int32 array or None
        Where the values stand among zeros; None if all are there.
    """

    value: FloatArray
    place: Int32Array | None


class Block(NamedTuple):
    """What a block comes back as: bounds of its documents (float64 array, nats), and its sums."""

    bounds: FloatArray
    sums: tuple[Packed, ...]


class Weights(NamedTuple):
    """Weights and leaks of a step of training, and its number."""

    number: int
    weight: FloatArray
    leak: FloatArray


class CorpusPlugin(WorkerPlugin):
    """The documents and the graph, which stay on every worker; the scheduler has a copy for all
    that join or restart.

    Parameters
    ----------
    documents : Documents
        Of which all tokens are kept, and no rows.
    graph : Graph
    """

    def __init__(self, documents: Documents, graph: Graph) -> None:
        self._tokens = (documents.token_ptr, documents.token_idx)
        self._graph = graph
        self._edition = edition()
        self._prepared: tuple[int, Prepared] | None = None

    def setup(self, worker: Any) -> None:
        """Make ready on a worker; refuse one with other sources (InputError)."""
        self._name = f"worker {worker.address}"
        self._lock = threading.Lock()
        # Kernels are compiled for arrays of a kind, and frozen ones are one: an array forgets it
        # on its way, and other machine code might round in another way.
        arrays = (value for value in vars(self._graph).values() if isinstance(value, np.ndarray))
        for array in (*self._tokens, *arrays):
            array.flags.writeable = False
        check_edition(self._name, self._edition)

    def e_step(self, weights: Weights, rows: Int64Array, step_settings: EStepSettings) -> Block:
        """Bounds and sums of these documents as one block."""
        check_edition(self._name, self._edition)
        prepared = self._prepared_for(weights, step_settings)
        documents = Documents(*self._tokens, np.array(rows, np.int64))
        bounds, sums = block_e_step(prepared, documents, step_settings, 1)
        return Block(bounds, tuple(pack(values[0]) for values in sums))

    def _prepared_for(self, weights: Weights, step_settings: EStepSettings) -> Prepared:
        """Tables of all weights, which the blocks of a step on this worker share."""
        with self._lock:
            if self._prepared is None or self._prepared[0] != weights.number:
                network = build_network(self._graph, weights.weight, weights.leak)
                self._prepared = (weights.number, prepare(network, step_settings))
            return self._prepared[1]


def hold(weights: Weights) -> Weights:
    """Weights as a result, which the cluster passes on and makes anew where it is lost."""
    return weights


def block_on_worker(
    rows: Int64Array, *, shelf: str, weights: Weights, step_settings: EStepSettings
) -> Block:
    """E-step of one block; ``shelf`` names the `CorpusPlugin` of this run on the worker."""
    worker = get_worker()
    # A thread of the worker works on one block; only the tables are made by all of them.
    available = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    numba.set_num_threads(min(worker.state.nthreads, available))
    found: Any = worker.plugins[shelf]
    block: Block = found.e_step(weights, rows, step_settings)
    return block


def pack(values: FloatArray) -> Packed:
    """Leave out zeros where that saves bytes; the sign of a zero stays."""
    place = np.flatnonzero(values.view(np.int64))
    if len(place) * (values.itemsize + 4) >= values.nbytes:
        return Packed(values, None)
    return Packed(values[place], place.astype(np.int32))


def unpack(packed: Packed, into: FloatArray) -> None:
    """Undo `pack`; ``into`` is all zeros."""
    into[slice(None) if packed.place is None else packed.place] = packed.value


def as_one(blocks: list[tuple[int, Block]], graph: Graph, n_blocks: int) -> tuple[FloatArray, Sums]:
    """Bounds and sums of all blocks, each of which comes with its number, ascending."""
    sizes = (graph.n_edges, graph.n_nodes, graph.n_topics)
    sums = Sums(*(np.zeros((n_blocks, size)) for size in sizes))
    for number, block in blocks:
        for packed, rows in zip(block.sums, sums, strict=True):
            unpack(packed, rows[number])
    return np.concatenate([block.bounds for _, block in blocks]), sums


def check_edition(name: str, found: object) -> None:
    """Refuse a machine by what it has for `edition`, which may be the error it met (InputError)."""
    if found != edition():
        has = "no Orrery" if isinstance(found, Exception) else "another Orrery"
        raise InputError(f"the {name} has {has}; install there what is installed here")


@cache
def edition() -> str:
    """Hash of all sources of ``core``: equal digits are promised to equal code alone."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
