"""Stochastic variational training: `step` and the loop `train`.

The steps follow Ji et al. (2019, §4.2.3). An optional Gibbs start precedes them; its steps are
epochs of Monte Carlo EM. Nothing here reads a file or prints, and a caller may stop at any yield
and resume later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus, evenly_spaced
from ..inference.kernel_inputs import documents_of
from ..kernels.batch import Memory
from ..kernels.rows import Documents
from ..kernels.streams import stream_key
from ..model.graph import Graph
from ..model.network import StartValues
from ..structure.constraints import UNCONSTRAINED, Constraints
from ..utils.errors import InputError
from ..utils.types import Int64Array
from .divergence import DivergenceGuard
from .e_step import EStep, EStepSettings, local_e_step, objective_bounds
from .gibbs import check_chains, stream_seed
from .monte_carlo_em import SamplingPlan, sample_until, start_sampler
from .optimizers import adam_update, add_to_average, network_of_average, paper_update
from .options import Schedule, TrainingOptions, batch_size_for
from .state import StepInfo, TrainingState, fresh_state, starting_network

# The bound of a Gibbs start is computed on this number of documents, to show its progress.
PROGRESS_DOCUMENTS = 500


def initial_state(
    graph: Graph,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    seed: int,
    given: StartValues | None = None,
) -> TrainingState:
    """State before the first step, at the weights of `starting_network`."""
    return fresh_state(starting_network(graph, corpus, rows, seed, given))


def step(
    state: TrainingState,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    schedule: Schedule,
    n_documents: int,
    constraints: Constraints = UNCONSTRAINED,
    e_step: EStep = local_e_step,
    memory: Memory | None = None,
) -> tuple[TrainingState, StepInfo]:
    """Process a minibatch: E-step on every document, then one update of all weights (Algorithm 1).

    Parameters
    ----------
    rows : int64 array
        Documents of the minibatch.
    schedule : Schedule
        Schedule and options of the whole training.
    n_documents : int
        Number of all training documents, which scales the prior; stages of training may differ.
    constraints : Constraints, optional
        Their frozen weights stay unchanged.
    e_step : callable
        Computes the E-step.
    memory : Memory, optional
        Activations that the E-steps start from, and that they replace by those that they end with.
    """
    network, options = state.network, schedule.options
    documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
    sample_key = None
    if schedule.is_importance_weighted(state.step):
        # Every step draws new samples for a document; a repeated step draws the same ones.
        sample_key = int(stream_key(stream_seed(options.seed), state.step))
    bounds, sums = e_step(network, documents, EStepSettings(options, sample_key, memory))
    total_usage = sums.usage.sum(axis=0)
    # Every document contributes -q_k to each child edge of k, and -1 to each leak (MATH §2).
    weight_slope = sums.grad_weight.sum(axis=0) - total_usage[network.graph.parent_idx]
    leak_slope = sums.grad_leak.sum(axis=0) - len(rows)
    slope = np.concatenate([weight_slope, leak_slope]) / len(rows)
    bound = float(bounds.mean())
    moved, moments = network, state.moments
    if not np.isfinite(slope).all():
        bound = float("nan")
    elif options.optimizer == "paper":
        moved = paper_update(network, slope, options.edge_scale, state.rate_share)
    else:
        word_edges = slice(network.graph.first_token_edge, network.graph.n_edges)
        slope[word_edges] -= options.penalty / n_documents
        rate = state.rate_share * schedule.learning_rate(state.step)
        moved, moments = adam_update(network, state.moments, slope, rate)
    average = None
    if n_averaged := schedule.averaged_steps(state.step):
        average = add_to_average(state.average, moved, n_averaged)
        if state.step + 1 == schedule.total_steps:
            moved = network_of_average(moved, average)
    moved = constraints.hold(moved, network)
    info = StepInfo(
        step=state.step + 1,
        epoch=schedule.epoch(state.step + 1),
        documents=len(rows),
        bound=bound,
        usage=total_usage / len(rows),
    )
    after = replace(state, network=moved, moments=moments, step=state.step + 1, average=average)
    return after, info


def sampling_step(
    state: TrainingState,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    options: TrainingOptions,
    constraints: Constraints = UNCONSTRAINED,
) -> tuple[TrainingState, StepInfo]:
    """Run some epochs of Monte Carlo EM; the last such step drops the chains.

    ``rows`` are all training documents (int64 array); growing, merging, pruning and the M-step
    respect the constraints.
    """
    schedule = Schedule(options, len(rows))
    plan = replace(sampling_plan(options), constraints=constraints)
    sampler = state.sampler or start_sampler(state.network, corpus, rows, plan)
    last_epoch = int(schedule.epoch(state.step + 1))
    network, sampler = sample_until(state.network, corpus, sampler, plan, last_epoch)
    assert sampler.counts is not None
    sample = evenly_spaced(rows, PROGRESS_DOCUMENTS)
    info = StepInfo(
        step=state.step + 1,
        epoch=float(last_epoch),
        documents=len(rows) * (last_epoch - int(schedule.epoch(state.step))),
        bound=float(objective_bounds(network, corpus, sample, options).mean()),
        usage=sampler.counts.usage / len(rows),
        moves=sampler.moves,
    )
    moved = fresh_state(network, state.step + 1)
    if moved.step < schedule.start_steps:
        moved = replace(moved, sampler=replace(sampler, moves=()))
    return moved, info


def sampling_plan(options: TrainingOptions) -> SamplingPlan:
    """Settings of the Gibbs start."""
    return SamplingPlan(
        epochs=options.start_epochs,
        weight_penalty=options.penalty_of_start,
        most_edges=options.most_edges,
        most_topics=options.most_topics,
        merge=options.most_topics is not None or options.most_edges is not None,
        seed=options.seed,
        full=options.scope == "full",
        leave_one_out=options.leave_one_out,
    )


def batch_rows(
    rows: npt.NDArray[np.int64], step_number: int, options: TrainingOptions
) -> npt.NDArray[np.int64]:
    """Documents of a step, see `batch_positions`."""
    return rows[batch_positions(len(rows), step_number, options)]


def batch_positions(count: int, step_number: int, options: TrainingOptions) -> Int64Array:
    """Positions of a step's documents among all ``count`` of them.

    They come from a new shuffle in every epoch, and depend on seed and step only.
    """
    batch_size = batch_size_for(options, count)
    epoch, position = _place_in_epoch(count, step_number, options)
    begin = position * batch_size
    return _shuffle(options.seed, epoch, count)[begin : begin + batch_size]


def is_first_of_epoch(count: int, step_number: int, options: TrainingOptions) -> bool:
    """Whether `batch_positions` begins a new shuffle at a step."""
    return _place_in_epoch(count, step_number, options)[1] == 0


def _place_in_epoch(count: int, step_number: int, options: TrainingOptions) -> tuple[int, int]:
    schedule = Schedule(options, count)
    return divmod(step_number - schedule.start_steps, schedule.steps_per_epoch)


@lru_cache(maxsize=1)
def _shuffle(seed: int, epoch: int, count: int) -> npt.NDArray[np.int64]:
    """Order of the documents in an epoch; cached, because a million of them take 0.1 s."""
    order = np.random.default_rng([seed, 1, epoch]).permutation(count)
    order.setflags(write=False)
    return order


def begin(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions,
    rows: npt.NDArray[np.int64] | None,
    state: TrainingState | None,
) -> tuple[npt.NDArray[np.int64], TrainingState]:
    """Training documents and initial state. Raises the errors that `train` lists."""
    chosen = documents_of(graph, corpus, rows).rows
    if len(chosen) == 0:
        raise InputError("there is no document to train on; hold fewer out or import more")
    current = state or initial_state(graph, corpus, chosen, options.seed_of_weights)
    # Checks that the state has the vocabulary of the corpus.
    documents_of(current.network.graph, corpus, chosen)
    return chosen, current


def train(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions | None = None,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    state: TrainingState | None = None,
    constraints: Constraints = UNCONSTRAINED,
    e_step: EStep = local_e_step,
) -> Iterator[tuple[TrainingState, StepInfo]]:
    """Train; yields after every step and can be resumed from any yield.

    Parameters
    ----------
    graph : Graph
        Over the vocabulary of the corpus; if a state is given, its own graph is trained.
    rows : int64 array, optional
        Training documents; default all.
    state : TrainingState, optional
        Last state of an interrupted training, which continues as if it had not stopped, or an
        `initial_state`.
    constraints : Constraints, optional
        Edges that stay in the graph, and weights that stay unchanged.
    e_step : callable
        Computes the E-steps; a Gibbs start always samples on this machine.

    Yields
    ------
    state : TrainingState
    info : StepInfo

    Raises
    ------
    InputError
        If the graph or the state has another vocabulary, the chains of the state are lost or belong
        to other documents, the edge budget is too small to reach all words, there is no document,
        or the bound is not finite at the start.
    """
    settings = options or TrainingOptions()
    chosen, current = begin(corpus, graph, settings, rows, state)
    schedule = Schedule(settings, len(chosen))
    if 0 < current.step < schedule.start_steps:
        if current.sampler is None:
            raise InputError("the Gibbs start has lost its chains; start the training anew")
        is_full, chains = settings.scope == "full", current.sampler.chains
        check_chains(current.network.graph, corpus, chosen, chains, full=is_full)
    while current.step < schedule.start_steps:
        current, info = sampling_step(current, corpus, chosen, settings, constraints)
        yield current, info
    guard = DivergenceGuard(corpus, chosen, settings, schedule.total_steps)
    while current.step < schedule.total_steps:
        batch = batch_rows(chosen, current.step, settings)
        after, info = step(current, corpus, batch, schedule, len(chosen), constraints, e_step)
        current, info = guard.checked(current, after, info, batch)
        yield current, info
