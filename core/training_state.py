"""Training from step to step: all that the next one needs, and what it tells people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.monte_carlo import Move, Sampler
from orrery.core.network import Network
from orrery.core.optimizers import Moments


@dataclass(frozen=True, eq=False)
class Search:
    """What learning the structure has found so far.

    Attributes
    ----------
    best : Network
        Of all that were tried, the one that documents held back from training like best; the last
        one since they train as well.
    bound : float
        Mean bound of these documents under the one that they liked best, in nats.
    has_all_layers : bool
        Whether a further layer was tried and did not earn its place.
    discount : float
        Documents to take off what an edge into a word explains, in the end.
    """

    best: Network
    bound: float
    has_all_layers: bool = False
    discount: float = 0.0


@dataclass(frozen=True, eq=False)
class Sound:
    """Where training was sound, see `orrery.core.divergence`.

    Attributes
    ----------
    network : Network
        The last one that explained its documents no worse than the start did.
    average : float64 array, shape (n_edges + n_nodes,), or None
        The average at that step.
    most : float
        Nats that documents may take before training has diverged, for every nat that they take
        when each word is on its own.
    """

    network: Network
    average: FloatArray | None
    most: float


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All that the next step needs: saved and loaded, it continues bit for bit.

    Attributes
    ----------
    network : Network
        After the last step of the schedule, the result.
    moments : Moments
    step : int
        Steps done so far.
    average : float64 array, shape (n_edges + n_nodes,), or None
        Mean of the logarithms of weights and leaks over the averaged steps done so far.
    sampler : Sampler or None
        Chains and counts of a Gibbs start that is not over.
    search : Search or None
        Where the structure is learned, see `orrery.core.learning`.
    sound : Sound or None
        Where to go back to should training diverge; None before the first step.
    rate_share : float
        Of the learning rates asked for, what is left after training diverged; else 1.
    """

    network: Network
    moments: Moments
    step: int = 0
    average: FloatArray | None = None
    sampler: Sampler | None = None
    search: Search | None = None
    sound: Sound | None = None
    rate_share: float = 1.0


@dataclass(frozen=True, eq=False)
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
        Mean bound of the step's documents before the update, in nats per document; that by
        weighted draws in a step that follows them; of some documents after the step in a
        Gibbs start. NaN where no number came out, and the step was taken back.
    usage : float64 array, shape (n_topics,)
        Mean activation of every topic over the step's documents.
    moves : tuple of Move
        What a Gibbs start, or learning the structure, grew, merged and pruned.
    is_step_back : bool
        Whether training had diverged, so that the next step begins where it was sound.
    """

    step: int
    epoch: float
    documents: int
    bound: float
    usage: FloatArray
    moves: tuple[Move, ...] = ()
    is_step_back: bool = False


def fresh_state(network: Network, step: int = 0) -> TrainingState:
    """State from which variational training goes on from these weights."""
    size = network.graph.n_edges + network.graph.n_nodes
    return TrainingState(network, Moments(np.zeros(size), np.zeros(size)), step)
