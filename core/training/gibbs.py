"""Gibbs sampling with persistent chains, and the closed-form M-step of Monte Carlo EM.

Monte Carlo EM is the baseline of Ji et al. (2019) and a good start for variational training. The
chain of every document continues from epoch to epoch, so one sweep per epoch is enough: the samples
follow the weights. Given a sample, the expected numbers of acting causes have a closed form. The
M-step has a closed form too, so there is no learning rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.kernel_inputs import N_BLOCKS, documents_of
from ..kernels.gibbs import (
    MAX_CAUSE,
    MIN_CAUSE,
    DocumentShare,
    States,
    SurvivalModel,
    Sweeps,
    sweep_documents,
)
from ..kernels.gibbs_estimates import Pointers, inverse_probabilities
from ..kernels.rows import Documents, Parents, topic_pointer
from ..model.graph import Graph
from ..model.network import Network, build_network
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int64Array

# Share of topics that are on at the start of a chain; the chain forgets them within a few sweeps.
START_SHARE = 0.3
# Without leaving out: nothing is subtracted from the probabilities.
NOTHING_LEFT_OUT = DocumentShare(np.empty(0), 0.0)
# Pseudo-counts of a leak (on, total): every node may be on without a parent.
LEAK_PRIOR = (0.01, 0.02)


@dataclass(frozen=True, eq=False)
class Chains:
    """State of the Gibbs chain of every document."""

    rows: Int64Array  # shape (n_documents,): documents of the corpus
    # Shape (n_documents + 1,): ``state[ptr[d]:ptr[d + 1]]`` are the states of the topics of
    # document d's local model, in ascending order of the topics.
    ptr: Int64Array
    state: BoolArray
    sweeps: int = 0  # number of sweeps so far; it determines the next random numbers


@dataclass(frozen=True, eq=False)
class CauseCounts:
    """Expected numbers of acting causes per epoch, the statistics of the M-step."""

    edge: FloatArray  # shape (n_edges,): documents in which the parent activated the child
    leak: FloatArray  # shape (n_nodes,): documents in which the leak activated the node
    usage: FloatArray  # shape (n_topics,): documents in which the topic was on

    def mixed(self, fresh: CauseCounts, share: float) -> CauseCounts:
        """Return the running mean in which ``fresh`` has weight ``share``."""
        return CauseCounts(
            *(
                (1.0 - share) * getattr(self, name) + share * getattr(fresh, name)
                for name in ("edge", "leak", "usage")
            )
        )


@dataclass(frozen=True, eq=False)
class Ties:
    """Parameters that are constrained to be equal, such as shifted copies of a pattern."""

    edge: Int64Array  # shape (n_edges,): edges with equal numbers share a weight
    node: Int64Array  # shape (n_nodes,): nodes with equal numbers share a leak

    def tie(self, network: Network) -> Network:
        """Return the network in which every group has the parameters of its first member."""
        tied = []
        for values, group in ((network.weight, self.edge), (network.leak, self.node)):
            _, first, place = np.unique(group, return_index=True, return_inverse=True)
            tied.append(np.asarray(values[first][place], np.float64))
        return build_network(network.graph, *tied)


def _pooled(values: FloatArray, group: Int64Array | None) -> FloatArray:
    """Sum over the group of each element, in the place of each element."""
    if group is None:
        return values
    place = np.unique(group, return_inverse=True)[1]
    return np.asarray(np.bincount(place, values)[place], np.float64)


def start_chains(
    graph: Graph, corpus: Corpus, rows: Int64Array, *, seed: int, full: bool = False
) -> Chains:
    """Chains with random topics on; ``full`` includes every topic instead of ancestors only."""
    documents = documents_of(graph, corpus, rows)
    ptr = _chain_pointer(graph, documents, full)
    state = np.random.default_rng([seed, 2]).random(ptr[-1]) < START_SHARE
    return Chains(documents.rows, ptr, state)


def check_chains(
    graph: Graph, corpus: Corpus, rows: Int64Array, chains: Chains, *, full: bool = False
) -> None:
    """Raise `InputError` unless the chains belong to these documents; kernels do not check this."""
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
    """Any seed as the 64 bits that the kernels expect."""
    return np.uint64(seed % 2**64)


def advance(
    network: Network,
    corpus: Corpus,
    chains: Chains,
    *,
    seed: int,
    sweeps: int = 1,
    burn_in: int = 0,
    full: bool = False,
    share: DocumentShare = NOTHING_LEFT_OUT,
) -> tuple[Chains, CauseCounts]:
    """Continue every chain and count the causes along it (the E-step of Monte Carlo EM).

    Raises InputError if no sweep remains after ``burn_in``.

    Parameters
    ----------
    chains : Chains
        From `start_chains` or an earlier call, over the same graph.
    sweeps, burn_in : int
        Sweeps to draw; counts are averaged over all but the first ``burn_in`` of them.
    full : bool
        As in `start_chains`.
    share : DocumentShare
        Share of every document in the probabilities, which leave-one-out sampling subtracts; see
        `share_of_one_document`.
    """
    if not 0 <= burn_in < sweeps:
        raise InputError(f"burn_in is {burn_in} of {sweeps} sweeps; leave at least one to count")
    state = chains.state.copy()
    sums = sweep_documents(
        Documents(corpus.token_ptr, corpus.token_idx, chains.rows),
        survival_model(network),
        share,
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
    """Weights and leaks that maximise the expected likelihood, in closed form (the M-step).

    An edge into a word that acted in ``a`` of the ``n`` documents in which its parent was on gets
    the probability ``max(a - sparsity, 0) / (n + weight_penalty)``, and an edge between topics
    ``a / n``; both are clipped to [`MIN_CAUSE`, `MAX_CAUSE`]. `LEAK_PRIOR` is added to the counts
    of a leak.

    Parameters
    ----------
    weight_penalty : float
        Rate of an exponential prior on weights into words, as in `TrainingOptions`; it counts as
        that number of additional failures.
    sparsity : float
        Number of documents that an edge into a word must explain: a prior
        p**-sparsity * (1 - p)**sparsity, which gives unused edges the probability
        `MIN_CAUSE` and leaves strong ones unchanged (after Figueiredo and Jain 2002).
    ties : Ties, optional
        Counts are pooled over tied parameters, so these come out equal.
    """
    edge_group, node_group = (ties.edge, ties.node) if ties else (None, None)
    into_words = np.arange(graph.n_edges) >= graph.first_token_edge
    trials = _pooled(counts.usage[graph.parent_idx], edge_group)
    trials = trials + np.where(into_words, weight_penalty, 0.0)
    acts = _pooled(counts.edge, edge_group) - np.where(into_words, sparsity, 0.0)
    acts = np.maximum(acts, 0.0)
    share = np.clip(acts / np.maximum(trials, MIN_CAUSE), MIN_CAUSE, MAX_CAUSE)
    on, total = LEAK_PRIOR
    documents = _pooled(np.full(graph.n_nodes, float(n_documents)), node_group)
    leak_share = (_pooled(counts.leak, node_group) + on) / (documents + total)
    leak_share = np.minimum(leak_share, MAX_CAUSE)
    return build_network(graph, -np.log1p(-share), -np.log1p(-leak_share))


def share_of_one_document(
    graph: Graph, usage: FloatArray, n_documents: int, *, weight_penalty: float = 0.0
) -> DocumentShare:
    """Share of one document in the probabilities that `maximise` computes.

    ``usage`` (float64 array, shape (n_topics,)) has the number of documents in which every topic
    was on; ``weight_penalty`` is as in `maximise`.
    """
    trials = usage[graph.parent_idx]
    trials[graph.first_token_edge :] += weight_penalty
    return DocumentShare(1.0 / np.maximum(trials, 1.0), 1.0 / n_documents)


def inverse_probability(
    network: Network, corpus: Corpus, chains: Chains, *, full: bool = False
) -> sparse.csr_array:
    """1/P(on | states of the parents) of every active node, shape (n_rows, n_nodes).

    The chains are over the network's graph; ``full`` is as in `start_chains`.
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


def survival_model(network: Network) -> SurvivalModel:
    """Kernel input of the Gibbs sampler."""
    graph = network.graph
    return SurvivalModel(
        graph.n_topics,
        graph.parent_ptr,
        graph.parent_idx,
        np.exp(-network.weight),
        np.exp(-network.leak),
        network.child_weight_totals(),
    )
