"""Networks, corpora and settings as inputs of the kernels, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ..kernels.batch import Model
from ..kernels.document import Search
from ..kernels.rows import Documents
from ..kernels.tables import ExponentialSum, NetworkTables, Used, exponential_sum, fill_tables
from ..model.graph import Graph
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import Int64Array

if TYPE_CHECKING:
    from ..data.corpus import Corpus

# Objective of mean field.
Bound = Literal["exact", "jensen"]
Accuracy = Literal["fast", "standard", "fine"]

# Two very different starts avoid most bad local optima of the E-step (MATH §9.1).
STARTS = (0.5, 0.02)
# At this tolerance, another sweep changes the bound by much less than 0.001 nats.
TOLERANCE = 1e-4
MAX_SWEEPS = 100
# Maximal rounds, sweeps and steps of the Jensen E-step; the tolerance usually ends it earlier.
JENSEN_SCHEDULE = (50, 10, 10)
# The number of blocks fixes the order of all sums, so results do not depend on threads.
N_BLOCKS = 8


def documents_of(graph: Graph, corpus: Corpus, rows: Int64Array | None = None) -> Documents:
    """Rows of a corpus as kernel input, with indices checked because kernels do not check them.

    Raises `InputError` if the graph has another vocabulary, or a row is not in the corpus.
    """
    if graph.n_tokens != corpus.n_tokens:
        raise InputError(
            f"the graph has {graph.n_tokens} words and the corpus {corpus.n_tokens}; "
            "use the corpus that it was made from, or one with the same vocabulary"
        )
    if rows is None:
        rows = np.arange(corpus.n_documents)
    chosen = np.ascontiguousarray(rows, dtype=np.int64)
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < corpus.n_documents:
        raise InputError(f"a row is not in the corpus, which has {corpus.n_documents} documents")
    return Documents(corpus.token_ptr, corpus.token_idx, chosen)


def check_bound(bound: str) -> None:
    """Raise `InputError` for an unknown bound."""
    if bound not in get_args(Bound):
        raise InputError(f"there is no bound {bound!r}; use one of {', '.join(get_args(Bound))}")


def terms_of(accuracy: str) -> ExponentialSum:
    """Terms of the exact bound for a named accuracy; `InputError` for an unknown name."""
    if accuracy not in get_args(Accuracy):
        known = ", ".join(get_args(Accuracy))
        raise InputError(f"there is no accuracy {accuracy!r}; use one of {known}")
    return exponential_sum(accuracy)


def search_settings(
    *,
    starts: Sequence[float] = STARTS,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
    schedule: Sequence[int] = JENSEN_SCHEDULE,
) -> Search:
    """Settings of an E-step as kernel input."""
    return Search(np.array(starts, np.float64), tolerance, max_sweeps, np.array(schedule, np.int64))


def kernel_model(network: Network) -> Model:
    """Network as input of the parallel kernels."""
    return Model(
        n_topics=network.graph.n_topics,
        parent_ptr=network.graph.parent_ptr,
        parent_idx=network.graph.parent_idx,
        weight=network.weight,
        leak=network.leak,
        child_total=network.child_weight_totals(),
        total_leak=network.total_leak,
    )


def kernel_tables(
    network: Network,
    bound: Bound,
    accuracy: str = "standard",
    dtype: type[np.floating] = np.float64,
    documents: Documents | None = None,
) -> NetworkTables | None:
    """`exact_tables`, or None for the Jensen bound, which needs none."""
    return None if bound == "jensen" else exact_tables(network, accuracy, dtype, documents)


def exact_tables(
    network: Network,
    accuracy: str = "standard",
    dtype: type[np.floating] = np.float64,
    documents: Documents | None = None,
) -> NetworkTables:
    """Tables of all weights for the exact bound, restricted to the documents if these are given.

    Single precision is twice as fast, and within about 1e-5 nats per document.
    """
    used = None if documents is None else used_rows(network.graph, documents)
    return fill_tables(network.weight, network.leak, terms_of(accuracy), dtype, used)


def used_rows(graph: Graph, documents: Documents) -> Used | None:
    """Rows of the tables that some documents need: all topics, their words and edges into them.

    None for all rows, if the documents have at least as many words in total as the vocabulary.
    """
    begin, end = documents.token_ptr[documents.rows], documents.token_ptr[documents.rows + 1]
    if int((end - begin).sum()) >= graph.n_tokens:
        return None
    is_used = np.zeros(graph.n_nodes, bool)
    is_used[: graph.n_topics] = True
    for first, last in zip(begin.tolist(), end.tolist(), strict=True):
        is_used[documents.token_idx[first:last] + graph.n_topics] = True
    is_into_used = np.repeat(is_used, np.diff(graph.parent_ptr))
    return Used(np.flatnonzero(is_into_used), np.flatnonzero(is_used))
