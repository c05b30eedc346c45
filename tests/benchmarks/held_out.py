"""The paper's bound and activations of documents, by its own E-step and in either scope (eq. 9)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from orrery.core.inference.kernel_inputs import (
    N_BLOCKS,
    documents_of,
    kernel_model,
    kernel_tables,
    search_settings,
)
from orrery.core.kernels.batch import document_problem, expectation_step
from orrery.core.kernels.bounds import CLIP
from orrery.core.kernels.document import Search, fit_jensen
from orrery.core.model.network import Network
from orrery.core.training.e_step import PAPER_SCHEDULE
from orrery.core.training.options import Scope
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import Split

# Steps of r alone, with q held: its problem is concave and each step fast (Ji et al. 2019, §4.1.1).
SHARE_STEPS = 100


def paper_search() -> Search:
    """Ji et al. 2019, §6: from q = 0.5, ten rounds of ten sweeps over q and ten steps of r."""
    return search_settings(starts=(0.5,), tolerance=0.0, schedule=PAPER_SCHEDULE)


def paper_bound(network: Network, split: Split, scope: Scope) -> float:
    """Mean bound of the test documents, as training finds it."""
    bounds, _ = expectation_step(
        documents_of(network.graph, split.corpus, split.test),
        kernel_model(network),
        kernel_tables(network, "jensen"),
        scope == "full",
        paper_search(),
        N_BLOCKS,
    )
    return float(bounds.mean())


def paper_activations(
    network: Network, split: Split, rows: Int64Array, scope: Scope
) -> sparse.csr_array:
    """Activations q of every topic in documents, as training finds them, (n_rows, n_topics)."""
    activations = np.zeros((len(rows), network.graph.n_topics))
    for position, (local, weights) in enumerate(_local_models(network, split, rows, scope)):
        free, held = np.ones(local.n_topics, np.bool_), np.zeros(local.n_topics)
        _, q, _ = fit_jensen(local, weights, free, held, paper_search())
        activations[position, local.node[: local.n_topics]] = q[: local.n_topics]
    return sparse.csr_array(activations)


def bound_at(network: Network, split: Split, activations: sparse.csr_array, scope: Scope) -> float:
    """Mean bound of the test documents at given activations, with the best shares r.

    The ELBO of an E-step by sampling, whose marginals are no optimum of the bound.

    Parameters
    ----------
    network : Network
    split : Split
    activations : float64 csr_array, shape (n_test, n_topics)
    scope : {"local", "full"}
        Topics outside of a local scope count as off, whatever their activation.
    """
    search = search_settings(starts=(0.5,), tolerance=0.0, schedule=(1, 1, SHARE_STEPS))
    bounds = []
    for row, (local, weights) in zip(
        activations.toarray(), _local_models(network, split, split.test, scope), strict=True
    ):
        q = np.clip(row[local.node[: local.n_topics]], CLIP, 1.0 - CLIP)
        bound, *_ = fit_jensen(local, weights, np.zeros(local.n_topics, np.bool_), q, search)
        entropy = -(q * np.log(q) + (1.0 - q) * np.log1p(-q)).sum()
        bounds.append(bound + entropy)
    return float(np.mean(bounds))


def _local_models(
    network: Network, split: Split, rows: Int64Array, scope: Scope
) -> Iterator[tuple[tuple, tuple]]:
    """Local graph and weights of one document after the other."""
    documents = documents_of(network.graph, split.corpus, rows)
    model = kernel_model(network)
    place = np.full(network.graph.n_topics, -1, np.int32)
    for row in documents.rows:
        tokens = split.corpus.tokens_of(row) + np.int32(network.graph.n_topics)
        yield document_problem(tokens, model, scope == "full", place)
