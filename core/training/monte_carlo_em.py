"""Monte Carlo EM with persistent chains, a start of training that follows the likelihood itself.

Variational training ends in the local optimum near its initial weights. Here every document has a
Gibbs chain, which continues from epoch to epoch. The chains first explore while the weights change
quickly; then the counts of many epochs are averaged and the weights converge (stochastic
approximation EM, Delyon, Lavielle and Moulines 1999). Each document is explained by weights from
which its own contribution is subtracted; otherwise every rare word gets an edge that explains this
word only. The graph may start with too many topics and edges: missing edges are grown, redundant
topics are merged, and the rest is pruned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..data.corpus import Corpus, evenly_spaced
from ..inference.infer import infer_bounds
from ..kernels.gibbs import DocumentShare
from ..model.graph import Graph
from ..model.network import Network
from ..structure.constraints import UNCONSTRAINED, Constraints
from ..structure.growing import grow, merge_alike
from ..structure.pruning import check_budget, prune, prune_topics
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .gibbs import (
    NOTHING_LEFT_OUT,
    CauseCounts,
    Chains,
    Ties,
    advance,
    inverse_probability,
    maximise,
    share_of_one_document,
    start_chains,
)

Phase = Literal["exploring", "pruning", "settling"]

# Weight of a new epoch's counts in the running mean while exploring.
EXPLORING_SHARE = 0.3
# First part of the epochs that explores; afterwards the weights fall as (epochs + delay) ** -power.
EXPLORING_PART = 0.5
COOLING_DELAY, COOLING_POWER = 6, 0.6
# Edges are grown after these parts of all epochs, up to this share of the edge budget.
GROWING_PARTS = (0.2, 0.3, 0.4)
GROWN_SHARE = 0.5
# Pruning takes steps at even distances between these parts of all epochs, each by the same ratio.
PRUNING_PARTS = (0.5, 0.75)
PRUNING_STEPS = 10
# Number of documents on which the effect of a change of the graph on the bound is measured.
DOCUMENTS_TO_COMPARE = 200
# Sweeps of new chains after growing and pruning, within which they forget their start.
BURN_IN = 10


@dataclass(frozen=True)
class SamplingPlan:
    """Settings of Monte Carlo EM."""

    epochs: int  # sweeps over all documents, each followed by an M-step
    # Rate of the exponential prior on weights into words, for the whole corpus.
    weight_penalty: float = 1.0
    # Documents that an edge into a word must explain to stay, after pruning (see `maximise`).
    sparsity: float = 1.0
    # Budgets that the graph is pruned to, in steps, after growing; None leaves the graph as it is.
    most_edges: int | None = None
    most_topics: int | None = None
    seed: int = 0
    # Whether chains include every topic instead of the document's ancestors only.
    full: bool = False
    ties: Ties | None = None  # parameters that stay equal; start from a network tied by `Ties.tie`
    merge: bool = False  # whether redundant topics are merged at the pruning steps
    # Whether every document is explained by weights without its own contribution; standard Monte
    # Carlo EM does not do this.
    leave_one_out: bool = False
    constraints: Constraints = UNCONSTRAINED  # edges and weights that stay unchanged

    def __post_init__(self) -> None:
        """Raise `InputError` for settings that exclude each other."""
        if self.ties and (self.most_edges or self.most_topics or self.merge):
            raise InputError("tied parameters cannot be pruned or merged; leave out one of the two")
        if self.ties and self.leave_one_out:
            raise InputError(
                "tied parameters cannot leave a document out; leave out one of the two"
            )


@dataclass(frozen=True)
class Move:
    """Change of the graph, for progress displays and logs.

    In structure learning, ``merged`` is 0, and ``pruned`` and ``grown`` are net changes.
    """

    epoch: int  # epochs done before the change
    merged: int  # number of topics merged into others
    pruned: int  # number of topics removed
    grown: int  # number of new edges
    topics: int  # topics and edges after the change
    edges: int
    # Change of the exact bound of some documents before the weights adapt, in nats per document.
    bound: float


@dataclass(frozen=True, eq=False)
class Sampler:
    """State of Monte Carlo EM apart from the network."""

    chains: Chains
    # Running means of the counts; None before the first epoch over this graph.
    counts: CauseCounts | None = None
    epoch: int = 0  # epochs done so far
    # Epoch from which the weights of new counts fall: the end of exploring or the last pruning.
    since: int = 0
    # Changes of the graph since the caller last cleared them; nothing depends on them.
    moves: tuple[Move, ...] = ()


def start_sampler(
    network: Network, corpus: Corpus, rows: np.ndarray, plan: SamplingPlan
) -> Sampler:
    """Sampler with random states and no counts.

    Raises `InputError` if the edge budget is too small to reach all words.
    """
    if plan.most_edges is not None:
        check_budget(network.graph, plan.most_edges, plan.constraints)
    chains = start_chains(network.graph, corpus, rows, seed=plan.seed, full=plan.full)
    return Sampler(chains, since=round(EXPLORING_PART * plan.epochs))


def sampling_epoch(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan
) -> tuple[Network, Sampler]:
    """One sweep of every chain, the M-step, and growing or pruning at their epochs."""
    usage = sampler.counts.usage if sampler.counts else None
    left_out = _document_share(network.graph, usage, len(sampler.chains.rows), plan)
    chains, fresh = advance(
        network, corpus, sampler.chains, seed=plan.seed, full=plan.full, share=left_out
    )
    counts = fresh
    if sampler.counts:
        age = sampler.epoch - sampler.since
        share = EXPLORING_SHARE if age < 0 else float((age + COOLING_DELAY) ** -COOLING_POWER)
        counts = sampler.counts.mixed(fresh, share)
    is_tuning = sampler.epoch >= round(PRUNING_PARTS[1] * plan.epochs)
    before = network
    network = maximise(
        network.graph,
        counts,
        len(chains.rows),
        weight_penalty=plan.weight_penalty,
        sparsity=plan.sparsity if is_tuning else 0.0,
        ties=plan.ties,
    )
    network = plan.constraints.hold(network, before)
    sampler = replace(sampler, chains=chains, counts=counts, epoch=sampler.epoch + 1)
    if plan.most_edges is not None and sampler.epoch in _growing_times(plan):
        return _grown(network, corpus, sampler, plan)
    times = _pruning_times(plan)
    if sampler.epoch in times:
        steps_left = sum(time >= sampler.epoch for time in times)
        return _pruned(network, corpus, sampler, plan, steps_left)
    return network, sampler


def sample_until(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan, epoch: int
) -> tuple[Network, Sampler]:
    """Run epochs up to epoch number ``epoch``."""
    while sampler.epoch < epoch:
        network, sampler = sampling_epoch(network, corpus, sampler, plan)
    return network, sampler


def phase_at(epoch: int, plan: SamplingPlan) -> Phase:
    """Phase of the epoch that follows after ``epoch`` epochs."""
    if epoch < round(EXPLORING_PART * plan.epochs):
        return "exploring"
    prunes = plan.merge or plan.most_edges is not None or plan.most_topics is not None
    is_over = epoch >= round(PRUNING_PARTS[1] * plan.epochs)
    return "pruning" if prunes and not is_over else "settling"


def _document_share(
    graph: Graph, usage: FloatArray | None, n_documents: int, plan: SamplingPlan
) -> DocumentShare:
    """Share of one document in the probabilities; unknown before the first counts."""
    if usage is None or not plan.leave_one_out:
        return NOTHING_LEFT_OUT
    share = share_of_one_document(graph, usage, n_documents, weight_penalty=plan.weight_penalty)
    share.edge[plan.constraints.frozen_edges(graph)] = 0.0
    return share


def _pruning_times(plan: SamplingPlan) -> set[int]:
    """Epochs that end with a pruning step."""
    begin, end = PRUNING_PARTS
    parts = (begin + (end - begin) * i / (PRUNING_STEPS - 1) for i in range(PRUNING_STEPS))
    # With few epochs, several steps may coincide; they then count as one.
    return {max(round(part * plan.epochs), 1) for part in parts}


def _growing_times(plan: SamplingPlan) -> set[int]:
    """Epochs that end with a growing step, all before the first pruning step."""
    first = min(_pruning_times(plan))
    return {time for part in GROWING_PARTS if 0 < (time := round(part * plan.epochs)) < first}


def _steps_of_each(plan: SamplingPlan, steps_left: int) -> tuple[int, int]:
    """Steps left for topics and for edges; topics are pruned first, while words have parents."""
    half = len(_pruning_times(plan)) // 2
    if plan.most_topics is None or plan.most_edges is None or not half:
        return steps_left, steps_left
    return max(steps_left - half, 0), steps_left if steps_left <= half else 0


def _next_size(size: int, budget: int, steps_left: int) -> int:
    """Next size on a geometric path that ends at the budget after ``steps_left`` steps."""
    if size <= budget:
        return budget
    return max(budget, int(size * (budget / size) ** (1.0 / steps_left)))


def _grown(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan
) -> tuple[Network, Sampler]:
    """Add the edges whose absence costs most, and start new chains."""
    assert plan.most_edges is not None
    assert sampler.counts is not None
    found = inverse_probability(network, corpus, sampler.chains, full=plan.full)
    grown = grow(network, found, round(GROWN_SHARE * plan.most_edges), plan.constraints)
    n_grown = grown.graph.n_edges - network.graph.n_edges
    # A new graph may order its topics differently.
    usage = sampler.counts.usage[network.graph.topic_numbers(grown.graph.topic_ids)]
    return _restarted(network, grown, usage, corpus, sampler, plan, (0, 0, n_grown))


def _pruned(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan, steps_left: int
) -> tuple[Network, Sampler]:
    """Merge redundant topics, prune to the next size, and start new chains."""
    assert sampler.counts is not None
    before, usage = network, sampler.counts.usage
    if plan.merge:
        network, kept = merge_alike(network, usage, plan.constraints)
        usage = usage[kept]
    n_merged = before.graph.n_topics - network.graph.n_topics
    topics_left, edges_left = _steps_of_each(plan, steps_left)
    if plan.most_topics is not None and topics_left:
        size = _next_size(network.graph.n_topics, plan.most_topics, topics_left)
        network, kept = prune_topics(network, usage, size, plan.constraints)
        usage = usage[kept]
    if plan.most_edges is not None and edges_left:
        size = _next_size(network.graph.n_edges, plan.most_edges, edges_left)
        network, kept = prune(network, usage, size, plan.constraints)
        usage = usage[kept]
    n_pruned = before.graph.n_topics - n_merged - network.graph.n_topics
    return _restarted(before, network, usage, corpus, sampler, plan, (n_merged, n_pruned, 0))


def _restarted(
    before: Network,
    network: Network,
    usage: FloatArray,
    corpus: Corpus,
    sampler: Sampler,
    plan: SamplingPlan,
    changes: tuple[int, int, int],
) -> tuple[Network, Sampler]:
    """Start new chains and counts after a change of the graph (topics merged, pruned, edges grown).

    Return ``network`` and ``sampler`` unchanged if the graph did not change.
    """
    graph = network.graph
    if graph is before.graph:
        return network, sampler
    network = plan.constraints.hold(network, before)
    rows = sampler.chains.rows
    some = evenly_spaced(rows, DOCUMENTS_TO_COMPARE)
    new_bound, old_bound = (
        float(infer_bounds(net, corpus, some).mean()) for net in (network, before)
    )
    move = Move(sampler.epoch, *changes, graph.n_topics, graph.n_edges, new_bound - old_bound)
    chains = start_chains(network.graph, corpus, rows, seed=plan.seed, full=plan.full)
    # The count of sweeps continues, because it determines the random numbers.
    chains = Chains(chains.rows, chains.ptr, chains.state, sampler.chains.sweeps)
    chains, counts = advance(
        network,
        corpus,
        chains,
        seed=plan.seed,
        sweeps=BURN_IN,
        burn_in=BURN_IN - 1,
        full=plan.full,
        share=_document_share(network.graph, usage, len(chains.rows), plan),
    )
    since = max(sampler.since, sampler.epoch)
    return network, Sampler(chains, counts, sampler.epoch, since, (*sampler.moves, move))
