"""Gibbs sampling: Monte Carlo EM, the paper's baseline, and a strong start for training.

The chain of every document is kept from one epoch to the next, so that a single sweep an epoch is
enough: the samples follow the weights. Expected causes are counted in closed form given a sample,
and the M-step is closed too, so there is no learning rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.corpus import Corpus
from core.errors import InputError
from core.graph import Graph
from core.inference import N_BLOCKS, documents_of, kernel_model
from core.kernels.batch import Documents
from core.kernels.gibbs import SurvivalModel, local_sizes, marginals, sweep_documents
from core.kernels.unique_samples import unique_bounds
from core.network import FloatArray, Network, build_network

# Topics on at the start of a chain; it forgets them within a few sweeps.
START_SHARE = 0.3
# A cause that never acts keeps this probability, so that it may come back.
SMALLEST_CAUSE = 1e-5
LARGEST_CAUSE = 1.0 - 1e-6
# Pseudo-counts of chance, on and in all: every word may happen anywhere.
CHANCE_PRIOR = (0.01, 0.02)


@dataclass(frozen=True)
class Chains:
    """State of the Gibbs chain of every document.

    Attributes
    ----------
    rows : int64 array, shape (n_documents,)
        Documents of the corpus.
    ptr : int64 array, shape (n_documents + 1,)
        ``state[ptr[d]:ptr[d + 1]]`` are the topics of document d's local model, ascending.
    state : bool array
    sweeps : int
        Sweeps drawn so far, which name the random numbers to come.
    """

    rows: npt.NDArray[np.int64]
    ptr: npt.NDArray[np.int64]
    state: npt.NDArray[np.bool_]
    sweeps: int = 0


@dataclass(frozen=True)
class CauseCounts:
    """Expected numbers of acting causes per epoch: what the M-step needs.

    Attributes
    ----------
    edge : float64 array, shape (n_edges,)
        Documents in which the parent switched the child on.
    leak : float64 array, shape (n_nodes,)
        Documents in which chance switched the node on.
    usage : float64 array, shape (n_topics,)
        Documents in which the topic was on.
    """

    edge: FloatArray
    leak: FloatArray
    usage: FloatArray

    def mixed(self, fresh: CauseCounts, share: float) -> CauseCounts:
        """Return the running mean that gives ``fresh`` this share."""
        return CauseCounts(
            *(
                (1.0 - share) * getattr(self, name) + share * getattr(fresh, name)
                for name in ("edge", "leak", "usage")
            )
        )


def start_chains(
    graph: Graph, corpus: Corpus, rows: npt.NDArray[np.int64], *, seed: int, full: bool = False
) -> Chains:
    """Chains with topics on at random; ``full`` takes in every topic instead of ancestors only."""
    documents = documents_of(graph, corpus, rows)
    # The sizes depend on the graph alone; any weights will do.
    unweighted = build_network(graph, np.zeros(graph.n_edges), np.ones(graph.n_nodes))
    sizes = local_sizes(documents, survival_model(unweighted), full)
    ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    state = np.random.default_rng([seed, 2]).random(ptr[-1]) < START_SHARE
    return Chains(documents.rows, ptr, state)


def advance(
    network: Network,
    corpus: Corpus,
    chains: Chains,
    *,
    seed: int,
    sweeps: int = 1,
    burn_in: int = 0,
    full: bool = False,
) -> tuple[Chains, CauseCounts]:
    """Continue every chain and count the causes along it (the E-step of Monte Carlo EM).

    Parameters
    ----------
    network : Network
    corpus : Corpus
    chains : Chains
        As `start_chains` or an earlier call gave them, over the same graph.
    seed : int
    sweeps : int
        Sweeps to draw; counts are averaged over all but the first ``burn_in`` of them.
    burn_in : int
    full : bool
        As in `start_chains`.
    """
    state = chains.state.copy()
    sums = sweep_documents(
        Documents(corpus.token_ptr, corpus.token_idx, chains.rows),
        survival_model(network),
        full,
        chains.ptr,
        state,
        seed,
        chains.sweeps,
        sweeps,
        burn_in,
        N_BLOCKS,
    )
    counted = sweeps - burn_in
    counts = CauseCounts(*(blocks.sum(axis=0) / counted for blocks in sums))
    return Chains(chains.rows, chains.ptr, state, chains.sweeps + sweeps), counts


def maximise(
    graph: Graph, counts: CauseCounts, n_documents: int, weight_penalty: float = 0.0
) -> Network:
    """Weights that explain the counted causes best, in closed form (the M-step).

    A cause that acted in ``a`` of the ``n`` documents in which it was on has probability
    ``a / (n + penalty)``: an exponential prior on the weight counts as that many more failures.

    Parameters
    ----------
    graph : Graph
    counts : CauseCounts
    n_documents : int
    weight_penalty : float
        Rate of the prior on weights into words, as in `TrainingOptions`.
    """
    penalty = np.where(np.arange(graph.n_edges) < graph.first_token_edge, 0.0, weight_penalty)
    chances = np.maximum(counts.usage[graph.parent_idx] + penalty, SMALLEST_CAUSE)
    acts = np.clip(counts.edge / chances, SMALLEST_CAUSE, LARGEST_CAUSE)
    some, all_ = CHANCE_PRIOR
    by_chance = np.minimum((counts.leak + some) / (n_documents + all_), LARGEST_CAUSE)
    return build_network(graph, -np.log1p(-acts), -np.log1p(-by_chance))


def topic_marginals(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    sweeps: int = 100,
    burn_in: int = 20,
    seed: int = 0,
    full: bool = False,
) -> sparse.csr_array:
    """Posterior probability of every topic by Gibbs sampling, shape (n_rows, n_topics).

    The mean of the conditional probabilities along one chain of each document, on its local
    model or, with ``full``, on all topics.

    Raises
    ------
    InputError
        If no sweep is left after ``burn_in``.
    """
    if not 0 <= burn_in < sweeps:
        raise InputError(f"burn_in is {burn_in} of {sweeps} sweeps; leave at least one to count")
    documents = documents_of(network.graph, corpus, rows)
    model = survival_model(network)
    ptr = np.concatenate([[0], np.cumsum(local_sizes(documents, model, full))]).astype(np.int64)
    topic, probability = marginals(documents, model, full, ptr, seed, sweeps, burn_in)
    shape = (len(documents.rows), network.graph.n_topics)
    return sparse.csr_array((probability, topic, ptr), shape=shape)


def unique_sample_bounds(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    sweeps: int = 100,
    seed: int = 0,
    full: bool = False,
) -> FloatArray:
    """Strict lower bound on the log-likelihood of each document, in nats, shape (n_rows,).

    The sum of the joint probabilities of all distinct states that a Gibbs chain has visited or
    looked at (Ji et al. 2019, §6.1).
    """
    return np.asarray(
        unique_bounds(
            documents_of(network.graph, corpus, rows),
            survival_model(network),
            kernel_model(network, "jensen"),
            full,
            seed,
            sweeps,
        )
    )


def survival_model(network: Network) -> SurvivalModel:
    """The network as the sampler wants it."""
    graph = network.graph
    return SurvivalModel(
        graph.n_topics,
        graph.parent_ptr,
        graph.parent_idx,
        np.exp(-network.weight),
        np.exp(-network.leak),
        network.child_weight_totals(),
    )
