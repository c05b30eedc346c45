"""The E-step of training: bounds and sums of gradients of a minibatch, in blocks.

By mean field, or by guided draws.

Whoever can do whole blocks elsewhere, in any order, gets the digits that one machine gets.
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
from ..kernels.batch import Model, Sums, expectation_step, likelihood_step
from ..kernels.document import Search
from ..kernels.rows import Documents
from ..kernels.tables import NetworkTables
from ..model.network import Network
from ..utils.types import FloatArray
from .gibbs import stream_seed
from .options import TrainingOptions

# Activations need not be exact while the weights still move.
TRAINING_TOLERANCE = 1e-2
TRAINING_SWEEPS = 20
# The paper's schedule (Ji et al. 2019, §6): N_E = N_Q = N_R = 10.
PAPER_SCHEDULE = (10, 10, 10)


class EStepSettings(NamedTuple):
    """What the E-step of a training step depends on, beside the network and the documents.

    Attributes
    ----------
    options : TrainingOptions
    draws : int or None
        Key of the guided draws of this step (below 2**64); None in a step of mean field.
    """

    options: TrainingOptions
    draws: int | None


class Prepared(NamedTuple):
    """A network as the kernels of a training step want it; the same for every block.

    Made for some documents, it is good for them alone.

    Attributes
    ----------
    model : Model
    tables : NetworkTables or None
        None for the Jensen bound and for draws, which need none.
    """

    model: Model
    tables: NetworkTables | None


# Bounds of the documents (float64 array, shape (n_documents,), in nats) and their `Sums` with a
# row for each of `N_BLOCKS` blocks.
EStep = Callable[[Network, Documents, EStepSettings], tuple[FloatArray, Sums]]


def local_e_step(
    network: Network, documents: Documents, step_settings: EStepSettings
) -> tuple[FloatArray, Sums]:
    """E-steps of the documents on all threads of this machine."""
    prepared = prepare(network, step_settings, documents)
    return block_e_step(prepared, documents, step_settings, N_BLOCKS)


def prepare(
    network: Network, step_settings: EStepSettings, documents: Documents | None = None
) -> Prepared:
    """Make what all blocks of a step share; if documents are given, what they alone need."""
    options, tables = step_settings.options, None
    if step_settings.draws is None:
        bound: Bound = "jensen" if options.bound == "jensen" else "exact"
        tables = kernel_tables(network, bound, options.accuracy, np.float32, documents)
    return Prepared(kernel_model(network), tables)


def block_e_step(
    prepared: Prepared, documents: Documents, step_settings: EStepSettings, n_blocks: int
) -> tuple[FloatArray, Sums]:
    """Bounds of the documents, and their `Sums` with a row for each of so many blocks.

    The row of a block equals, bit for bit, that of its documents alone in one block.
    """
    (model, tables), (options, draws) = prepared, step_settings
    is_full = options.scope == "full"
    if draws is None:
        search = training_search(options)
        return expectation_step(documents, model, tables, is_full, search, n_blocks)
    key = np.uint64(draws)
    return likelihood_step(documents, model, is_full, key, options.draws, n_blocks)


def training_search(options: TrainingOptions) -> Search:
    """How the E-step of training looks for the best activations."""
    if options.optimizer == "paper":
        return search_settings(starts=(0.5,), tolerance=0.0, schedule=PAPER_SCHEDULE)
    return search_settings(tolerance=TRAINING_TOLERANCE, max_sweeps=TRAINING_SWEEPS)


def objective_bounds(
    network: Network, corpus: Corpus, rows: npt.NDArray[np.int64], options: TrainingOptions
) -> FloatArray:
    """What training maximises, of each of some documents, in nats, shape (n_rows,).

    The likelihood is estimated by the same draws always.
    """
    if options.bound != "likelihood":
        return infer_bounds(network, corpus, rows, bound=options.bound)
    documents = documents_of(network.graph, corpus, rows)
    conditions = EStepSettings(options, int(stream_seed(options.seed)))
    return local_e_step(network, documents, conditions)[0]
