"""Monte Carlo EM with persistent chains: the start of training that sees the likelihood itself.

Variational training ends in the local optimum that its first weights lead to. Here a chain for
every document, kept from epoch to epoch, moves all topics at random while the weights are young,
and settles as the counts of many epochs are averaged (stochastic approximation EM, Delyon,
Lavielle and Moulines 1999). No document is explained by what it has itself made of the weights, or
every rare word would find an edge that explains it and nothing else. Too many topics and edges to
begin with are no harm: on the way edges grow that are missing, topics that are alike are merged,
and the rest is pruned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..data.corpus import Corpus, spread
from ..inference.infer import infer_bounds
from ..kernels.gibbs import Stake
from ..model.graph import Graph
from ..model.network import Network
from ..structure.constraints import Constraints
from ..structure.growing import grow
from ..structure.merging import merge_alike
from ..structure.pruning import check_budget, prune, prune_topics
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .gibbs import (
    NO_STAKE,
    CauseCounts,
    Chains,
    Ties,
    advance,
    inverse_probability,
    maximise,
    stake_of_one,
    start_chains,
)

Phase = Literal["exploring", "pruning", "settling"]

# While exploring, every epoch's counts have this share of the running mean.
EXPLORING_SHARE = 0.3
# The first part of the epochs explores; after it the shares fall as (epochs + delay) ** -power.
EXPLORING_PART = 0.5
COOLING_DELAY, COOLING_POWER = 6, 0.6
# Before it, edges grow after these parts of all epochs, as many as this share of the budget.
GROWING_PARTS = (0.2, 0.3, 0.4)
GROWN_SHARE = 0.5
# Pruning goes in even steps between these parts of all epochs, each by the same ratio.
PRUNING_PARTS = (0.5, 0.75)
PRUNING_STEPS = 10
# So many documents show what a change of the graph does to the bound.
DOCUMENTS_TO_COMPARE = 200
# After growing and pruning, chains begin anew and forget their start within a few sweeps.
BURN_IN = 10


@dataclass(frozen=True)
class SamplingPlan:
    """How a Monte Carlo start runs.

    Attributes
    ----------
    epochs : int
        Sweeps over all documents, an M-step after each.
    weight_penalty : float
        Rate of the exponential prior on weights into words, for the whole corpus.
    sparsity : float
        Documents that an edge into a word must explain to stay, once pruning is over (see
        `maximise`).
    most_edges, most_topics : int or None
        What to prune to, in steps, after edges have grown; None leaves the graph as it is.
    seed : int
    full : bool
        Whether chains take in every topic instead of a document's ancestors only.
    ties : Ties or None
        Parameters that stay equal; begin from a network tied by `Ties.tie`.
    merge : bool
        Whether topics that act alike become one, at the steps of pruning.
    leave_one_out : bool
        Whether every document is explained by weights that it has not helped to make; Monte Carlo
        EM as others know it does not ask for that.
    constraints : Constraints or None
        What all this leaves alone.
    """

    epochs: int
    weight_penalty: float = 1.0
    sparsity: float = 1.0
    most_edges: int | None = None
    most_topics: int | None = None
    seed: int = 0
    full: bool = False
    ties: Ties | None = None
    merge: bool = False
    leave_one_out: bool = False
    constraints: Constraints | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot go together (InputError)."""
        if self.ties and (self.most_edges or self.most_topics or self.merge):
            raise InputError("tied parameters cannot be pruned or merged; leave out one of the two")
        if self.ties and self.leave_one_out:
            raise InputError(
                "tied parameters cannot leave a document out; leave out one of the two"
            )


@dataclass(frozen=True)
class Move:
    """A step of growing, or of merging and pruning, for people.

    Attributes
    ----------
    epoch : int
        Epochs done before it.
    merged, pruned : int
        Topics that went into others, and topics that went.
    grown : int
        Edges that are new.
    topics, edges : int
        What there is now.
    bound : float
        By how much the exact bound of some documents rose, or fell, before the weights followed;
        in nats per document.
    """

    epoch: int
    merged: int
    pruned: int
    grown: int
    topics: int
    edges: int
    bound: float


@dataclass(frozen=True, eq=False)
class Sampler:
    """State of Monte Carlo EM beside the network.

    Attributes
    ----------
    chains : Chains
    counts : CauseCounts or None
        Running means of what the epochs counted; None until the first over this graph.
    epoch : int
        Epochs done so far.
    since : int
        Epoch from which the shares of fresh counts fall: the end of exploring or the last pruning.
    moves : tuple of Move
        Done since whoever holds this began to look; nothing depends on them.
    """

    chains: Chains
    counts: CauseCounts | None = None
    epoch: int = 0
    since: int = 0
    moves: tuple[Move, ...] = ()


def start_sampler(
    network: Network, corpus: Corpus, rows: np.ndarray, plan: SamplingPlan
) -> Sampler:
    """Chains at random states, nothing counted.

    Raises
    ------
    InputError
        If the plan prunes to fewer edges than there are words to reach.
    """
    if plan.most_edges is not None:
        check_budget(network.graph, plan.most_edges, plan.constraints)
    chains = start_chains(network.graph, corpus, rows, seed=plan.seed, full=plan.full)
    return Sampler(chains, since=round(EXPLORING_PART * plan.epochs))


def sampling_epoch(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan
) -> tuple[Network, Sampler]:
    """One sweep of every chain, the M-step, and growing or pruning where the plan has it."""
    usage = sampler.counts.usage if sampler.counts else None
    stake = _stake(network.graph, usage, len(sampler.chains.rows), plan)
    chains, fresh = advance(
        network, corpus, sampler.chains, seed=plan.seed, full=plan.full, stake=stake
    )
    counts = sampler.counts.mixed(fresh, _fresh_share(sampler)) if sampler.counts else fresh
    is_settling = sampler.epoch >= round(PRUNING_PARTS[1] * plan.epochs)
    before = network
    network = maximise(
        network.graph,
        counts,
        len(chains.rows),
        weight_penalty=plan.weight_penalty,
        sparsity=plan.sparsity if is_settling else 0.0,
        ties=plan.ties,
    )
    if plan.constraints is not None:
        network = plan.constraints.hold(network, before)
    sampler = replace(sampler, chains=chains, counts=counts, epoch=sampler.epoch + 1)
    if plan.most_edges is not None and sampler.epoch in _growing_times(plan):
        return _grown(network, corpus, sampler, plan)
    steps_left = _pruning_steps_at(sampler.epoch, plan)
    if steps_left:
        return _pruned(network, corpus, sampler, plan, steps_left)
    return network, sampler


def sample_until(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan, epoch: int
) -> tuple[Network, Sampler]:
    """Epochs, one after another, until so many are done in all."""
    while sampler.epoch < epoch:
        network, sampler = sampling_epoch(network, corpus, sampler, plan)
    return network, sampler


def phase_at(epoch: int, plan: SamplingPlan) -> Phase:
    """What the start does in the epoch after so many."""
    if epoch < round(EXPLORING_PART * plan.epochs):
        return "exploring"
    prunes = plan.merge or plan.most_edges is not None or plan.most_topics is not None
    is_over = epoch >= round(PRUNING_PARTS[1] * plan.epochs)
    return "pruning" if prunes and not is_over else "settling"


def _stake(graph: Graph, usage: FloatArray | None, n_documents: int, plan: SamplingPlan) -> Stake:
    """What one document has in the weights; nothing is known before a first count."""
    if usage is None or not plan.leave_one_out:
        return NO_STAKE
    stake = stake_of_one(graph, usage, n_documents, weight_penalty=plan.weight_penalty)
    if plan.constraints is not None:
        stake.edge[plan.constraints.frozen_edges(graph)] = 0.0
    return stake


def _fresh_share(sampler: Sampler) -> float:
    age = sampler.epoch - sampler.since
    return EXPLORING_SHARE if age < 0 else float((age + COOLING_DELAY) ** -COOLING_POWER)


def _pruning_steps_at(epoch: int, plan: SamplingPlan) -> int:
    """Steps of pruning left at an epoch that has one, this one included; 0 at any other."""
    times = _pruning_times(plan)
    return sum(time >= epoch for time in times) if epoch in times else 0


def _pruning_times(plan: SamplingPlan) -> set[int]:
    """Epochs that end with a step of pruning."""
    begin, end = PRUNING_PARTS
    parts = (begin + (end - begin) * i / (PRUNING_STEPS - 1) for i in range(PRUNING_STEPS))
    # Of few epochs, one may be the time of several steps; they are one step then.
    return {max(round(part * plan.epochs), 1) for part in parts}


def _growing_times(plan: SamplingPlan) -> set[int]:
    """Epochs that end with a step of growing, all before the first of pruning."""
    first = min(_pruning_times(plan))
    return {time for part in GROWING_PARTS if 0 < (time := round(part * plan.epochs)) < first}


def _steps_of_each(plan: SamplingPlan, steps_left: int) -> tuple[int, int]:
    """Steps left for topics and for edges: topics first, while every word has parents to spare."""
    half = len(_pruning_times(plan)) // 2
    if plan.most_topics is None or plan.most_edges is None or not half:
        return steps_left, steps_left
    return max(steps_left - half, 0), steps_left if steps_left <= half else 0


def _next_size(size: int, budget: int, steps_left: int) -> int:
    """Size after the next of some steps that each keep the same share and end at the budget."""
    if size <= budget:
        return budget
    return max(budget, int(size * (budget / size) ** (1.0 / steps_left)))


def _rise_of_bound(before: Network, network: Network, corpus: Corpus, rows: Int64Array) -> float:
    some = spread(rows, DOCUMENTS_TO_COMPARE)
    after, earlier = (float(infer_bounds(net, corpus, some).mean()) for net in (network, before))
    return after - earlier


def _grown(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan
) -> tuple[Network, Sampler]:
    """Add the edges that are missing most, and begin the chains anew."""
    assert plan.most_edges is not None
    assert sampler.counts is not None
    found = inverse_probability(network, corpus, sampler.chains, full=plan.full)
    grown = grow(network, found, round(GROWN_SHARE * plan.most_edges), plan.constraints)
    n_grown = grown.graph.n_edges - network.graph.n_edges
    # A graph puts its topics in an order of its own.
    usage = sampler.counts.usage[network.graph.topic_numbers(grown.graph.topic_ids)]
    return _begun_anew(network, grown, usage, corpus, sampler, plan, (0, 0, n_grown))


def _pruned(
    network: Network, corpus: Corpus, sampler: Sampler, plan: SamplingPlan, steps_left: int
) -> tuple[Network, Sampler]:
    """Merge what is alike, prune to the next size, and begin the chains anew."""
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
    return _begun_anew(before, network, usage, corpus, sampler, plan, (n_merged, n_pruned, 0))


def _begun_anew(
    before: Network,
    network: Network,
    usage: FloatArray,
    corpus: Corpus,
    sampler: Sampler,
    plan: SamplingPlan,
    done: tuple[int, int, int],
) -> tuple[Network, Sampler]:
    """Chains and counts of a graph in which topics were merged, pruned and edges grown.

    The same as before where nothing of it was done.
    """
    graph = network.graph
    if graph is before.graph:
        return network, sampler
    if plan.constraints is not None:
        network = plan.constraints.hold(network, before)
    rise = _rise_of_bound(before, network, corpus, sampler.chains.rows)
    move = Move(sampler.epoch, *done, graph.n_topics, graph.n_edges, rise)
    chains = start_chains(
        network.graph, corpus, sampler.chains.rows, seed=plan.seed, full=plan.full
    )
    # Sweeps are counted on, because their numbers name the random draws.
    chains = Chains(chains.rows, chains.ptr, chains.state, sampler.chains.sweeps)
    chains, counts = advance(
        network,
        corpus,
        chains,
        seed=plan.seed,
        sweeps=BURN_IN,
        burn_in=BURN_IN - 1,
        full=plan.full,
        stake=_stake(network.graph, usage, len(chains.rows), plan),
    )
    since = max(sampler.since, sampler.epoch)
    return network, Sampler(chains, counts, sampler.epoch, since, (*sampler.moves, move))
