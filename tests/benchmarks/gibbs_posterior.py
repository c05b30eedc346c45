"""Estimates by Gibbs sampling: marginals of topics, and bounds on the likelihood."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.inference.kernel_inputs import documents_of, kernel_model
from orrery.core.kernels.gibbs import Sweeps, chain_marginals
from orrery.core.kernels.gibbs_estimates import unique_bounds
from orrery.core.model.network import Network
from orrery.core.training.gibbs import stream_seed, survival_model
from orrery.core.utils.errors import InputError
from orrery.core.utils.types import FloatArray, Int64Array


def topic_marginals(
    network: Network,
    corpus: Corpus,
    rows: Int64Array | None = None,
    *,
    sweeps: int = 100,
    burn_in: int = 20,
    seed: int = 0,
    full: bool = False,
) -> sparse.csr_array:
    """Posterior probability of every topic by Gibbs sampling, shape (n_rows, n_topics).

    The estimate is the mean of the conditional probabilities along one chain of each document, on
    its local model or, with ``full``, on all topics.

    Raises `InputError` if no sweep remains after ``burn_in``.
    """
    if not 0 <= burn_in < sweeps:
        raise InputError(f"burn_in is {burn_in} of {sweeps} sweeps; leave at least one to count")
    documents = documents_of(network.graph, corpus, rows)
    ptr, topic, probability = chain_marginals(
        documents, survival_model(network), full, stream_seed(seed), Sweeps(0, sweeps, burn_in)
    )
    shape = (len(documents.rows), network.graph.n_topics)
    return sparse.csr_array((probability, topic, ptr), shape=shape)


def unique_sample_bounds(
    network: Network,
    corpus: Corpus,
    rows: Int64Array | None = None,
    *,
    sweeps: int = 100,
    seed: int = 0,
    full: bool = False,
) -> FloatArray:
    """Strict lower bound on the log-likelihood of each document, in nats, shape (n_rows,).

    The bound is the sum of the joint probabilities of all distinct states that a Gibbs chain has
    visited or evaluated (Ji et al. 2019, §6.1).

    Raises `InputError` if ``sweeps`` is below 1.
    """
    if sweeps < 1:
        raise InputError(f"sweeps is {sweeps}; expected 1 or more")
    return np.asarray(
        unique_bounds(
            documents_of(network.graph, corpus, rows),
            survival_model(network),
            kernel_model(network),
            full,
            stream_seed(seed),
            sweeps,
        )
    )
