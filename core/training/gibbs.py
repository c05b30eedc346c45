"""Gibbs sampling: Monte Carlo EM, the paper's baseline, and a strong start for training.

The chain of every document is kept from one epoch to the next, so that a single sweep an epoch is
enough: the samples follow the weights. Expected causes are counted in closed form given a sample,
and the M-step is closed too, so there is no learning rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.kernel_inputs import N_BLOCKS, documents_of, kernel_model
from ..kernels.gibbs import (
    LARGEST_CAUSE,
    SMALLEST_CAUSE,
    Stake,
    States,
    SurvivalModel,
    Sweeps,
    chain_marginals,
    sweep_documents,
)
from ..kernels.gibbs_estimates import Pointers, inverse_probabilities, unique_bounds
from ..kernels.rows import Documents, Parents, topic_pointer
from ..model.graph import Graph
from ..model.network import Network, build_network
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int64Array

# Topics on at the start of a chain; it forgets them within a few sweeps.
START_SHARE = 0.3
# No document has anything in the probabilities.
NO_STAKE = Stake(np.empty(0), 0.0)
# Pseudo-counts of chance, on and in all: every word may happen anywhere.
CHANCE_PRIOR = (0.01, 0.02)


@dataclass(frozen=True, eq=False)
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

    rows: Int64Array
    ptr: Int64Array
    state: BoolArray
    sweeps: int = 0


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
class Ties:
    """Parameters that are one and the same, such as those of shifted copies of a pattern.

    Attributes
    ----------
    edge : int array, shape (n_edges,)
        Edges with equal numbers share a weight.
    node : int array, shape (n_nodes,)
        Nodes with equal numbers share a leak.
    """

    edge: Int64Array
    node: Int64Array

    def tie(self, network: Network) -> Network:
        """Return the network with the parameters of the first of every group for all of it."""
        return build_network(
            network.graph, _of_first(network.weight, self.edge), _of_first(network.leak, self.node)
        )


def _of_first(values: FloatArray, group: Int64Array) -> FloatArray:
    """Value of the first of its group in every place."""
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    return np.asarray(values[first][place], np.float64)


def _pooled(values: FloatArray, group: Int64Array | None) -> FloatArray:
    """Sum over its group in every place."""
    if group is None:
        return values
    place = np.unique(group, return_inverse=True)[1]
    return np.asarray(np.bincount(place, values)[place], np.float64)


def start_chains(
    graph: Graph, corpus: Corpus, rows: Int64Array, *, seed: int, full: bool = False
) -> Chains:
    """Chains with topics on at random; ``full`` takes in every topic instead of ancestors only."""
    documents = documents_of(graph, corpus, rows)
    ptr = _chain_pointer(graph, documents, full)
    state = np.random.default_rng([seed, 2]).random(ptr[-1]) < START_SHARE
    return Chains(documents.rows, ptr, state)


def check_chains(
    graph: Graph,
    corpus: Corpus,
    rows: Int64Array,
    chains: Chains,
    *,
    full: bool = False,
) -> None:
    """Refuse chains that are not those of these documents, which kernels take on trust.

    Raises
    ------
    InputError
    """
    expected = _chain_pointer(graph, documents_of(graph, corpus, rows), full)
    is_theirs = np.array_equal(chains.rows, rows) and np.array_equal(chains.ptr, expected)
    if not is_theirs or chains.state.shape != (expected[-1],):
        raise InputError(
            "the Gibbs chains are of other documents or another graph; start the training anew"
        )


def _chain_pointer(graph: Graph, documents: Documents, full: bool) -> Int64Array:
    parents = Parents(graph.n_topics, graph.parent_ptr, graph.parent_idx)
    return np.asarray(topic_pointer(documents, parents, full))


def stream_seed(seed: int) -> np.uint64:
    """Any seed as the 64 bits that the kernels want."""
    return np.uint64(seed % 2**64)


def _check_sweeps(sweeps: int, burn_in: int) -> None:
    if not 0 <= burn_in < sweeps:
        raise InputError(f"burn_in is {burn_in} of {sweeps} sweeps; leave at least one to count")


def advance(
    network: Network,
    corpus: Corpus,
    chains: Chains,
    *,
    seed: int,
    sweeps: int = 1,
    burn_in: int = 0,
    full: bool = False,
    stake: Stake = NO_STAKE,
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
    stake : Stake
        What every document has in the network, to leave it out of what explains it, see
        `stake_of_one`.

    Raises
    ------
    InputError
        If no sweep is left after ``burn_in``.
    """
    _check_sweeps(sweeps, burn_in)
    state = chains.state.copy()
    sums = sweep_documents(
        Documents(corpus.token_ptr, corpus.token_idx, chains.rows),
        survival_model(network),
        stake,
        full,
        States(chains.ptr, state),
        stream_seed(seed),
        Sweeps(chains.sweeps, sweeps, burn_in),
        N_BLOCKS,
    )
    counted = sweeps - burn_in
    counts = CauseCounts(*(blocks.sum(axis=0) / counted for blocks in sums))
    return Chains(chains.rows, chains.ptr, state, chains.sweeps + sweeps), counts


def maximise(
    graph: Graph,
    counts: CauseCounts,
    n_documents: int,
    *,
    weight_penalty: float = 0.0,
    sparsity: float = 0.0,
    ties: Ties | None = None,
) -> Network:
    """Weights that explain the counted causes best, in closed form (the M-step).

    A cause that acted in ``a`` of the ``n`` documents in which it was on has probability
    ``(a - sparsity) / (n + weight_penalty)``, and none where that is negative.

    Parameters
    ----------
    graph : Graph
    counts : CauseCounts
    n_documents : int
    weight_penalty : float
        Rate of an exponential prior on weights into words, as in `TrainingOptions`: it counts as
        that many more failures.
    sparsity : float
        Documents that an edge into a word must explain to be worth having: a prior
        p**-sparsity * (1 - p)**sparsity, which drives idle edges out and leaves strong ones alone
        (after Figueiredo and Jain 2002).
    ties : Ties, optional
        Counts are pooled over what is tied, so tied parameters come out equal.
    """
    edge_group, node_group = (ties.edge, ties.node) if ties else (None, None)
    into_words = np.arange(graph.n_edges) >= graph.first_token_edge
    trials = _pooled(counts.usage[graph.parent_idx], edge_group)
    trials = trials + np.where(into_words, weight_penalty, 0.0)
    acts = _pooled(counts.edge, edge_group) - np.where(into_words, sparsity, 0.0)
    acts = np.maximum(acts, 0.0)
    share = np.clip(acts / np.maximum(trials, SMALLEST_CAUSE), SMALLEST_CAUSE, LARGEST_CAUSE)
    some, all_ = CHANCE_PRIOR
    documents = _pooled(np.full(graph.n_nodes, float(n_documents)), node_group)
    by_chance = (_pooled(counts.leak, node_group) + some) / (documents + all_)
    by_chance = np.minimum(by_chance, LARGEST_CAUSE)
    return build_network(graph, -np.log1p(-share), -np.log1p(-by_chance))


def stake_of_one(
    graph: Graph, usage: FloatArray, n_documents: int, *, weight_penalty: float = 0.0
) -> Stake:
    """What one document has in the weights that `maximise` makes of such a use of the topics.

    Parameters
    ----------
    graph : Graph
    usage : float64 array, shape (n_topics,)
        Documents in which every topic was on.
    n_documents : int
    weight_penalty : float
        As of `maximise`.
    """
    trials = usage[graph.parent_idx]
    trials[graph.first_token_edge :] += weight_penalty
    return Stake(1.0 / np.maximum(trials, 1.0), 1.0 / n_documents)


def inverse_probability(
    network: Network, corpus: Corpus, chains: Chains, *, full: bool = False
) -> sparse.csr_array:
    """1/P(on | states of the parents) of every node that is on, shape (n_rows, n_nodes).

    Parameters
    ----------
    network : Network
    corpus : Corpus
    chains : Chains
        Over the same graph.
    full : bool
        As in `start_chains`.
    """
    rows, n_topics = chains.rows, network.graph.n_topics
    words = sparse.csr_array(corpus.to_csr()[rows])
    n_on = np.concatenate([np.zeros(1, np.int64), np.cumsum(chains.state)])
    pointers = Pointers(chains.ptr, n_on[chains.ptr], words.indptr.astype(np.int64))
    documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
    found = inverse_probabilities(documents, survival_model(network), full, pointers, chains.state)
    shape = (len(rows), n_topics)
    topics = sparse.csr_array((found.of_topics, found.topic, pointers.on), shape=shape)
    words.data = found.of_tokens
    return sparse.csr_array(sparse.hstack([topics, words], format="csr"))


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

    The mean of the conditional probabilities along one chain of each document, on its local
    model or, with ``full``, on all topics.

    Raises
    ------
    InputError
        If no sweep is left after ``burn_in``.
    """
    _check_sweeps(sweeps, burn_in)
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

    The sum of the joint probabilities of all distinct states that a Gibbs chain has visited or
    looked at (Ji et al. 2019, §6.1).

    Raises
    ------
    InputError
        If there is no sweep.
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
