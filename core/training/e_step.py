"""E-step of a minibatch: bounds and summed gradients, in blocks of documents.

The E-step uses mean field or importance sampling. Blocks are independent: computed elsewhere and in
any order, they give the same digits as on one machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus
from ..inference.infer import infer_bounds
from ..inference.kernel_inputs import (
    N_BLOCKS,
    Bound,
    documents_of,
    kernel_model,
    kernel_tables,
    search_settings,
)
from ..kernels.batch import (
    Memory,
    Model,
    Sums,
    bounds_of_documents,
    expectation_step,
    likelihood_step,
)
from ..kernels.document import Search
from ..kernels.rows import Documents, Parents, topic_pointer
from ..kernels.tables import NetworkTables
from ..model.network import Network
from ..utils.types import FloatArray
from .gibbs import stream_seed
from .options import TrainingOptions
from .state import Remembered

# Activations need not be exact while the weights still change; tolerance in probability.
TRAINING_TOLERANCE = 1e-2
TRAINING_SWEEPS = 20
# The paper's schedule (Ji et al. 2019, §6): N_E = N_Q = N_R = 10.
PAPER_SCHEDULE = (10, 10, 10)


class EStepSettings(NamedTuple):
    """Settings of the E-step of one training step."""

    options: TrainingOptions
    # Key of the random numbers for importance sampling (below 2**64); None for mean field.
    sample_key: int | None
    # Activations that mean field starts from and writes; None to remember nothing.
    memory: Memory | None = None


class EStepInputs(NamedTuple):
    """Kernel inputs of a training step, shared by all blocks."""

    model: Model
    # Valid only for the documents they were computed for; None for the Jensen bound and for
    # importance sampling, which need none.
    tables: NetworkTables | None


# Returns the bounds of the documents (float64 array, shape (n_documents,), in nats) and their
# `Sums`, which have one row for each of `N_BLOCKS` blocks.
EStep = Callable[[Network, Documents, EStepSettings], tuple[FloatArray, Sums]]


def local_e_step(
    network: Network, documents: Documents, step_settings: EStepSettings
) -> tuple[FloatArray, Sums]:
    """E-steps of the documents on all threads of this machine."""
    prepared = prepare(network, step_settings, documents)
    return block_e_step(prepared, documents, step_settings, N_BLOCKS)


def prepare(
    network: Network, step_settings: EStepSettings, documents: Documents | None = None
) -> EStepInputs:
    """Kernel inputs of a step; tables are restricted to ``documents`` if these are given."""
    options, tables = step_settings.options, None
    if step_settings.sample_key is None:
        bound: Bound = "jensen" if options.bound == "jensen" else "exact"
        tables = kernel_tables(network, bound, options.accuracy, np.float32, documents)
    return EStepInputs(kernel_model(network), tables)


def block_e_step(
    prepared: EStepInputs, documents: Documents, step_settings: EStepSettings, n_blocks: int
) -> tuple[FloatArray, Sums]:
    """Bounds of the documents, and `Sums` with one row for each of ``n_blocks`` blocks.

    The row of a block equals, bit for bit, the row of its documents computed as a single block.
    """
    (model, tables), (options, sample_key, memory) = prepared, step_settings
    is_full = options.scope == "full"
    if sample_key is None:
        search = training_search(options)
        return expectation_step(documents, model, tables, is_full, search, n_blocks, memory)
    key = np.uint64(sample_key)
    return likelihood_step(documents, model, is_full, key, options.n_samples, n_blocks)


def training_search(options: TrainingOptions) -> Search:
    """Coordinate ascent settings of the training E-step."""
    if options.optimizer == "paper":
        return search_settings(starts=(0.5,), tolerance=0.0, schedule=PAPER_SCHEDULE)
    return search_settings(tolerance=TRAINING_TOLERANCE, max_sweeps=TRAINING_SWEEPS)


def remembering_bounds(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    before: Remembered | None,
    tolerance: float,
) -> tuple[FloatArray, Remembered]:
    """Exact bound of each document, in nats, and the activations that the E-steps ended with.

    The E-steps start from the activations ``before`` of the same documents, which is faster than
    from the usual starts; without them, or if they belong to another graph, from the usual starts.
    They end when no activation changes by more than ``tolerance``.
    """
    documents, model = documents_of(network.graph, corpus, rows), kernel_model(network)
    tables = kernel_tables(network, "exact", dtype=np.float32, documents=documents)
    if before is not None and before.graph is not network.graph:
        before = None
    pointer = before.pointer if before is not None else None
    if pointer is None:
        parents = Parents(model.n_topics, model.parent_ptr, model.parent_idx)
        pointer = topic_pointer(documents, parents, False)
    activation, is_start = np.empty(pointer[-1], np.float32), False
    # Activations from a file are checked, because kernels do not check indices.
    if before is not None and len(before.activation) == len(activation):
        activation, is_start = before.activation.copy(), True
    memory = Memory(pointer, activation, np.full(len(documents.rows), is_start))
    search = search_settings(tolerance=tolerance)
    bounds = bounds_of_documents(documents, model, tables, search, N_BLOCKS, memory)
    return bounds, Remembered(network.graph, pointer, activation)


def objective_bounds(
    network: Network, corpus: Corpus, rows: npt.NDArray[np.int64], options: TrainingOptions
) -> FloatArray:
    """Bound of each document, in nats, shape (n_rows,).

    If ``options.bound`` is ``likelihood``, its estimate, always with the same random numbers;
    otherwise the mean-field bound on local models at standard accuracy, whatever ``scope`` and
    ``accuracy`` are.
    """
    if options.bound != "likelihood":
        return infer_bounds(network, corpus, rows, bound=options.bound)
    documents = documents_of(network.graph, corpus, rows)
    conditions = EStepSettings(options, int(stream_seed(options.seed)))
    return local_e_step(network, documents, conditions)[0]
