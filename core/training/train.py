"""Stochastic variational training: `step` takes a state to the next, `train` conducts.

The steps are those of Ji et al. (2019, §4.2.3). A Gibbs start, where one is asked for, comes first;
its steps are rounds of Monte Carlo EM.

Nothing here reads a file or prints; a caller may stop at any yield and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus, spread
from ..inference.kernel_inputs import documents_of
from ..kernels.rows import Documents
from ..kernels.streams import stream_key
from ..model.graph import Graph
from ..model.network import Network, StartValues
from ..structure.constraints import Constraints
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .divergence import DivergenceGuard
from .e_step import EStep, EStepSettings, local_e_step, objective_bounds
from .gibbs import check_chains, stream_seed
from .monte_carlo_em import SamplingPlan, sample_until, start_sampler
from .optimizers import Moments, adam_update, add_to_average, network_of_average, paper_update
from .options import Schedule, TrainingOptions, batch_size_for
from .state import Search, StepInfo, TrainingState, fresh_state, starting_network

__all__ = [
    "Moments",
    "Search",
    "StepInfo",
    "TrainingOptions",
    "TrainingState",
    "batch_rows",
    "fresh_state",
    "initial_state",
    "step",
    "train",
]

# A Gibbs start has no bound of its own; this many documents show how far it is.
DOCUMENTS_TO_WATCH = 500


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
    constraints: Constraints | None = None,
    e_step: EStep = local_e_step,
) -> tuple[TrainingState, StepInfo]:
    """One minibatch: E-step on every document, then one update of all weights (Algorithm 1).

    Parameters
    ----------
    state : TrainingState
    corpus : Corpus
    rows : int64 array
        Documents of the minibatch.
    schedule : Schedule
        Of the whole training, with its options.
    n_documents : int
        Documents that train at this step, which the prior is relative to.
    constraints : Constraints, optional
        Whose frozen weights stay as they are.
    e_step : callable
        What does the E-step.
    """
    network, options = state.network, schedule.options
    documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
    bounds, sums = e_step(network, documents, _e_step_settings(state, schedule))
    total_usage = sums.usage.sum(axis=0)
    # Every document owes -q_k to each child edge of k, and -1 to each leak (MATH §2).
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
    moved, average = _averaged(state, moved, schedule)
    if constraints is not None:
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
    constraints: Constraints | None = None,
) -> tuple[TrainingState, StepInfo]:
    """Some epochs of Monte Carlo EM; the last of them hands over to variational training.

    Parameters
    ----------
    state : TrainingState
    corpus : Corpus
    rows : int64 array
        All documents to train on.
    options : TrainingOptions
    constraints : Constraints, optional
        What growing, merging, pruning and the M-step leave alone.
    """
    schedule, plan = (
        Schedule(options, len(rows)),
        replace(sampling_plan(options), constraints=constraints),
    )
    sampler = state.sampler or start_sampler(state.network, corpus, rows, plan)
    last = int(schedule.epoch(state.step + 1))
    network, sampler = sample_until(state.network, corpus, sampler, plan, last)
    assert sampler.counts is not None
    info = StepInfo(
        step=state.step + 1,
        epoch=float(last),
        documents=len(rows) * (last - int(schedule.epoch(state.step))),
        bound=_watched_bound(network, corpus, rows, options),
        usage=sampler.counts.usage / len(rows),
        moves=sampler.moves,
    )
    moved = fresh_state(network, state.step + 1)
    if moved.step < schedule.start_steps:
        moved = replace(moved, sampler=replace(sampler, moves=()))
    return moved, info


def _watched_bound(
    network: Network, corpus: Corpus, rows: npt.NDArray[np.int64], options: TrainingOptions
) -> float:
    some = spread(rows, DOCUMENTS_TO_WATCH)
    return float(objective_bounds(network, corpus, some, options).mean())


def _check_start(
    state: TrainingState,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    options: TrainingOptions,
) -> None:
    """Refuse a Gibbs start that cannot go on from this state (InputError)."""
    if state.sampler is None:
        raise InputError("the Gibbs start has lost its chains; start the training anew")
    is_full = options.scope == "full"
    check_chains(state.network.graph, corpus, rows, state.sampler.chains, full=is_full)


def sampling_plan(options: TrainingOptions) -> SamplingPlan:
    """What the options say of a Gibbs start."""
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


def _e_step_settings(state: TrainingState, schedule: Schedule) -> EStepSettings:
    if not schedule.is_importance_weighted(state.step):
        return EStepSettings(schedule.options, None)
    # A document draws anew at every step, and the same again when that step is repeated.
    key = stream_key(stream_seed(schedule.options.seed), state.step)
    return EStepSettings(schedule.options, int(key))


def _averaged(
    state: TrainingState, moved: Network, schedule: Schedule
) -> tuple[Network, FloatArray | None]:
    """The network after a step, which is the average after the last, and the average so far."""
    count = schedule.averaged_steps(state.step)
    if not count:
        return moved, None
    average = add_to_average(state.average, moved, count)
    if state.step + 1 == schedule.total_steps:
        moved = network_of_average(moved, average)
    return moved, average


def batch_rows(
    rows: npt.NDArray[np.int64], step_number: int, options: TrainingOptions
) -> npt.NDArray[np.int64]:
    """Documents of one step: a fresh shuffle every epoch, a function of seed and step alone."""
    batch_size = batch_size_for(options, len(rows))
    schedule = Schedule(options, len(rows))
    epoch, position = divmod(step_number - schedule.start_steps, schedule.steps_per_epoch)
    begin = position * batch_size
    return rows[_shuffle(options.seed, epoch, len(rows))[begin : begin + batch_size]]


@lru_cache(maxsize=1)
def _shuffle(seed: int, epoch: int, count: int) -> npt.NDArray[np.int64]:
    """Order of the documents in an epoch; of a million it takes a tenth of a second."""
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
    """Documents to train on, and the state to go on from, checked as `train` says."""
    chosen = documents_of(graph, corpus, rows).rows
    if len(chosen) == 0:
        raise InputError("there is no document to train on; hold fewer out or import more")
    current = state or initial_state(graph, corpus, chosen, options.seed)
    documents_of(current.network.graph, corpus, chosen)
    return chosen, current


def train(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions | None = None,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    state: TrainingState | None = None,
    constraints: Constraints | None = None,
    e_step: EStep = local_e_step,
) -> Iterator[tuple[TrainingState, StepInfo]]:
    """Train, yielding after every step; stop at any yield and continue with its state.

    Parameters
    ----------
    corpus : Corpus
    graph : Graph
        Over the corpus's vocabulary.
    options : TrainingOptions, optional
    rows : int64 array, optional
        Documents to train on; all of them if not given.
    state : TrainingState, optional
        Where an earlier training stopped; it goes on as if it never had. Or an `initial_state`
        of one's own.
    constraints : Constraints, optional
        What stays in the graph, and which weights stay as they are.
    e_step : callable
        What does the E-steps; those of a Gibbs start are sampled here in any case.

    Yields
    ------
    state : TrainingState
    info : StepInfo

    Raises
    ------
    InputError
        If the graph or the state is over another vocabulary, the state's chains are of other
        documents, the edges to prune to cannot reach all words, or there is no document.
    """
    settings = options or TrainingOptions()
    chosen, current = begin(corpus, graph, settings, rows, state)
    schedule = Schedule(settings, len(chosen))
    if 0 < current.step < schedule.start_steps:
        _check_start(current, corpus, chosen, settings)
    while current.step < schedule.start_steps:
        current, info = sampling_step(current, corpus, chosen, settings, constraints)
        yield current, info
    guard = DivergenceGuard(corpus, chosen, settings, schedule.total_steps)
    while current.step < schedule.total_steps:
        batch = batch_rows(chosen, current.step, settings)
        after, info = step(current, corpus, batch, schedule, len(chosen), constraints, e_step)
        current, info = guard.checked(current, after, info, batch)
        yield current, info
