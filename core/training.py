"""Stochastic variational training: `step` takes a state to the next, `train` conducts (§4.2.3).

Nothing here reads a file or prints; a caller may stop at any yield and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, inf, pi
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.corpus import Corpus
from core.errors import InputError
from core.graph import Graph
from core.inference import N_BLOCKS, Bound, documents_of, kernel_model, search_settings
from core.kernels.batch import Documents, expectation_step
from core.kernels.document import Search
from core.kernels.exponentials import exponential_sum
from core.network import LARGEST_WEIGHT, FloatArray, Network, build_network

Scope = Literal["local", "full"]
Optimizer = Literal["adam", "paper"]

# Activations need not be exact while the weights still move.
TRAINING_TOLERANCE = 1e-2
TRAINING_SWEEPS = 20
# The paper's schedule and step size (§6): N_E = N_Q = N_R = 10, rho = 0.01. Of the scales of edges
# that it found fastest, c = 100 … 1000 (Figure 4), the lowest is the steadiest on minibatches.
PAPER_SCHEDULE = (10, 10, 10)
PAPER_RATE = 0.01
PAPER_EDGE_SCALE = 100.0
# The paper's "small constant" of the projection: the slope at a leak w0 is up to 1 / w0, so a much
# smaller one lets a single rare word throw its leak across the whole range.
PAPER_FLOOR = 1e-3
# A weight below this has no effect that a reader could see; log-weights stay finite.
SMALLEST_WEIGHT = 1e-7
# Adam's usual decay rates, and the learning rate of log-weights that worked on all corpora.
ADAM_DECAY = (0.9, 0.99)
ADAM_EPSILON = 1e-10
# The last part of training lowers the learning rate to this share of it, to settle.
FINAL_RATE_SHARE = 0.05
# Without a size asked for, an epoch has about this many steps of a size within the range.
STEPS_PER_EPOCH = 16
BATCH_SIZE_RANGE = (50, 512)
# Topics start rare and weak, words mostly by chance; training finds the rest.
START_TOPIC_LEAK = 0.02
START_WEIGHT = 0.05
START_CHANCE_SHARE = 0.5


@dataclass(frozen=True)
class TrainingOptions:
    """How to train.

    Attributes
    ----------
    bound : {"exact", "jensen"}
    scope : {"local", "full"}
        Whether a document sees its ancestors only (§5) or every topic.
    optimizer : {"adam", "paper"}
        Adam on log-weights, or eq. 17 with the paper's preconditioner and projection.
    epochs : int
        Passes over the documents.
    batch_size : int or None
        Documents a step; None takes a share of the corpus, see `batch_size_for`.
    learning_rate : float
        Of Adam, in log-weights a step.
    weight_penalty : float
        Nats that a unit of weight into a word costs, once for the whole corpus: the rate of an
        exponential prior. Links between topics are few and go free; so does the paper's optimizer.
    seed : int
    """

    bound: Bound = "exact"
    scope: Scope = "local"
    optimizer: Optimizer = "adam"
    epochs: int = 20
    batch_size: int | None = None
    learning_rate: float = 0.08
    weight_penalty: float = 20.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be trained with (InputError)."""
        for name, kind in (("bound", Bound), ("scope", Scope), ("optimizer", Optimizer)):
            if getattr(self, name) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise InputError(f"{name} is {getattr(self, name)!r}; expected one of {known}")
        for name in ("epochs", "batch_size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}; expected 1 or more")
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}; expected 0 or more")
        if not 0 < self.learning_rate < inf:
            raise InputError(f"learning_rate is {self.learning_rate}; expected a number above 0")
        if not 0 <= self.weight_penalty < inf:
            raise InputError(f"weight_penalty is {self.weight_penalty}; expected 0 or more")


@dataclass(frozen=True)
class Moments:
    """Adam's running means of the gradient and of its square, over edges then leaks."""

    first: FloatArray
    second: FloatArray


@dataclass(frozen=True)
class TrainingState:
    """All that the next step needs: saved and loaded, it continues bit for bit."""

    network: Network
    moments: Moments
    step: int = 0


@dataclass(frozen=True)
class StepInfo:
    """What a step did, for people.

    Attributes
    ----------
    step : int
        Steps done so far.
    epoch : float
        Passes over the documents done so far.
    documents : int
        Documents of this step.
    bound : float
        Mean bound of the step's documents before the update, in nats per document.
    usage : float64 array, shape (n_topics,)
        Mean activation of every topic over the step's documents.
    """

    step: int
    epoch: float
    documents: int
    bound: float
    usage: FloatArray


def batch_size_for(options: TrainingOptions, n_documents: int) -> int:
    """Documents a step: as asked, or such that small corpora get enough steps an epoch."""
    smallest, largest = BATCH_SIZE_RANGE
    proposed = min(max(n_documents // STEPS_PER_EPOCH, smallest), largest)
    return min(options.batch_size or proposed, n_documents)


def initial_state(
    graph: Graph, corpus: Corpus, rows: npt.NDArray[np.int64], seed: int
) -> TrainingState:
    """Random weights and leaks to start from.

    Equal weights would keep topics with equal children alike for ever, so they are drawn from a
    Gamma distribution (MATH §9).
    """
    rng = np.random.default_rng([seed, 0])
    weight = START_WEIGHT * rng.gamma(2.0, 0.5, graph.n_edges)
    frequency = _document_frequency(corpus, rows)
    has_parents = np.diff(graph.parent_ptr)[graph.n_topics :] > 0
    by_chance = -np.log1p(-frequency) * np.where(has_parents, START_CHANCE_SHARE, 1.0)
    leak = np.concatenate([np.full(graph.n_topics, START_TOPIC_LEAK), by_chance])
    size = graph.n_edges + graph.n_nodes
    return TrainingState(
        build_network(graph, weight, leak), Moments(np.zeros(size), np.zeros(size))
    )


def _document_frequency(corpus: Corpus, rows: npt.NDArray[np.int64]) -> FloatArray:
    """Share of the documents that hold each token, with half a document added either way."""
    counts = np.asarray(corpus.to_csr()[rows].sum(axis=0)).ravel()
    return np.asarray((counts + 0.5) / (len(rows) + 1.0), np.float64)


def step(
    state: TrainingState,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    options: TrainingOptions,
    n_documents: int,
) -> tuple[TrainingState, StepInfo]:
    """One minibatch: E-step on every document, then one update of all weights (Algorithm 1).

    Parameters
    ----------
    state : TrainingState
    corpus : Corpus
    rows : int64 array
        Documents of the minibatch.
    options : TrainingOptions
    n_documents : int
        Size of the training part, which the schedule and the prior are relative to.
    """
    network = state.network
    bounds, grad_weight, grad_leak, usage = expectation_step(
        Documents(corpus.token_ptr, corpus.token_idx, rows),
        kernel_model(network, options.bound),
        exponential_sum(),
        options.bound == "exact",
        options.scope == "full",
        _training_search(options),
        N_BLOCKS,
    )
    total_usage = usage.sum(axis=0)
    # Every document owes -q_k to each child edge of k, and -1 to each leak (MATH §2).
    weight_slope = grad_weight.sum(axis=0) - total_usage[network.graph.parent_idx]
    leak_slope = grad_leak.sum(axis=0) - len(rows)
    slope = np.concatenate([weight_slope, leak_slope]) / len(rows)
    steps_per_epoch = -(-n_documents // batch_size_for(options, n_documents))
    if options.optimizer == "paper":
        moved, moments = _paper_update(network, slope), state.moments
    else:
        word_edges = slice(network.graph.first_token_edge, network.graph.n_edges)
        slope[word_edges] -= options.weight_penalty / n_documents
        rate = options.learning_rate * _rate_share(state.step, steps_per_epoch * options.epochs)
        moved, moments = _adam_update(state, slope, rate)
    info = StepInfo(
        step=state.step + 1,
        epoch=(state.step + 1) / steps_per_epoch,
        documents=len(rows),
        bound=float(bounds.mean()),
        usage=total_usage / len(rows),
    )
    return TrainingState(moved, moments, state.step + 1), info


def _training_search(options: TrainingOptions) -> Search:
    if options.optimizer == "paper":
        return search_settings(starts=(0.5,), tolerance=0.0, schedule=PAPER_SCHEDULE)
    return search_settings(tolerance=TRAINING_TOLERANCE, max_sweeps=TRAINING_SWEEPS)


def _paper_update(network: Network, slope: FloatArray) -> Network:
    """Projected gradient ascent, edges scaled by c against leaks (eq. 17)."""
    n_edges = network.graph.n_edges
    weight = network.weight + PAPER_RATE * PAPER_EDGE_SCALE * slope[:n_edges]
    leak = network.leak + PAPER_RATE * slope[n_edges:]
    return build_network(
        network.graph, np.maximum(weight, PAPER_FLOOR), np.maximum(leak, PAPER_FLOOR)
    )


def _rate_share(step: int, total_steps: int) -> float:
    """Share of the learning rate at a step: full for the first half, then a half cosine down."""
    progress = min(max(2.0 * step / total_steps - 1.0, 0.0), 1.0)
    return FINAL_RATE_SHARE + (1.0 - FINAL_RATE_SHARE) * 0.5 * (1.0 + cos(pi * progress))


def _adam_update(state: TrainingState, slope: FloatArray, rate: float) -> tuple[Network, Moments]:
    """Adam ascent on the logarithms of weights and leaks, which keeps them positive (MATH §9)."""
    graph = state.network.graph
    values = np.concatenate([state.network.weight, state.network.leak])
    log_slope = slope * values
    decay1, decay2 = ADAM_DECAY
    first = decay1 * state.moments.first + (1.0 - decay1) * log_slope
    second = decay2 * state.moments.second + (1.0 - decay2) * log_slope**2
    count = state.step + 1
    direction = (first / (1.0 - decay1**count)) / (
        np.sqrt(second / (1.0 - decay2**count)) + ADAM_EPSILON
    )
    values = values * np.exp(rate * direction)
    weight = np.clip(values[: graph.n_edges], SMALLEST_WEIGHT, LARGEST_WEIGHT)
    return build_network(graph, weight, values[graph.n_edges :]), Moments(first, second)


def batch_rows(
    rows: npt.NDArray[np.int64], step_number: int, options: TrainingOptions
) -> npt.NDArray[np.int64]:
    """Documents of one step: a fresh shuffle every epoch, a function of seed and step alone."""
    batch_size = batch_size_for(options, len(rows))
    epoch, position = divmod(step_number, -(-len(rows) // batch_size))
    order = np.random.default_rng([options.seed, 1, epoch]).permutation(len(rows))
    begin = position * batch_size
    return rows[order[begin : begin + batch_size]]


def train(
    corpus: Corpus,
    graph: Graph,
    options: TrainingOptions | None = None,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    state: TrainingState | None = None,
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
        Where an earlier training stopped; it goes on as if it never had.

    Yields
    ------
    state : TrainingState
    info : StepInfo

    Raises
    ------
    InputError
        If the graph is over another vocabulary, or there is no document.
    """
    settings = options or TrainingOptions()
    chosen = documents_of(graph, corpus, rows).rows
    if len(chosen) == 0:
        raise InputError("there is no document to train on; hold fewer out or import more")
    current = state or initial_state(graph, corpus, chosen, settings.seed)
    total_steps = settings.epochs * -(-len(chosen) // batch_size_for(settings, len(chosen)))
    while current.step < total_steps:
        batch = batch_rows(chosen, current.step, settings)
        current, info = step(current, corpus, batch, settings, len(chosen))
        yield current, info
