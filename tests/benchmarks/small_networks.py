"""Inference methods and models for comparison with small binary networks and Ising models."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.baselines.discrete import (
    MAX_ROUNDS,
    TOLERANCE,
    DiscreteNetwork,
    iterate,
    marginalise,
)
from orrery.core.baselines.ising import Ising
from orrery.core.baselines.spn_structure import (
    CONTINGENCY_CELL,
    StructureOptions,
    learn_structure,
)
from orrery.core.baselines.sum_product_network import SumProductNetwork
from orrery.core.baselines.system import StoppingCallback, never_stop
from orrery.core.utils.errors import InputError
from orrery.core.utils.types import FloatArray

# Weight of the old message in an update of belief propagation, which may otherwise oscillate.
DAMPING = 0.3


def enumerate_states(network: DiscreteNetwork) -> FloatArray:
    """Exact probability that each variable is 1, shape (n_variables,)."""
    return np.array([marginalise(network.joint, i, None)[1] for i in range(network.n_variables)])


def mean_field(
    network: DiscreteNetwork, seed: int = 0, *, progress: StoppingCallback = never_stop
) -> FloatArray:
    """Marginals by naive mean field (4), shape (n_variables,)."""

    def update(i: int, q: FloatArray) -> FloatArray:
        score = np.zeros(2)
        for factor in network.factors_of(i):
            own = factor.variables.index(i)
            score += marginalise(np.log(factor.table), own, q[list(factor.variables)])
        return np.asarray(np.exp(score - score.max()))

    return iterate(network, update, seed, progress)


def sum_product(network: DiscreteNetwork, *, progress: StoppingCallback = never_stop) -> FloatArray:
    """Marginals by damped belief propagation (9)-(11), exact on trees, shape (n_variables,)."""
    messages = [np.full((len(factor.variables), 2), 0.5) for factor in network.factors]
    q = np.full((network.n_variables, 2), 0.5)
    for done in range(MAX_ROUNDS):
        previous = q
        for factor, message in zip(network.factors, messages, strict=True):
            # The message from each variable to the factor excludes the factor's own message.
            incoming = q[list(factor.variables)] / message
            incoming /= incoming.sum(axis=1, keepdims=True)
            for own in range(len(factor.variables)):
                updated = marginalise(factor.table, own, incoming)
                message[own] = DAMPING * message[own] + (1.0 - DAMPING) * updated / updated.sum()
            q = _beliefs(network, messages)
        if np.abs(q - previous).max() < TOLERANCE or progress((done + 1) / MAX_ROUNDS):
            break
    return np.asarray(q[:, 1])


def _beliefs(network: DiscreteNetwork, messages: list[FloatArray]) -> FloatArray:
    q = np.ones((network.n_variables, 2))
    for factor, message in zip(network.factors, messages, strict=True):
        q[list(factor.variables)] *= message
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def grid(
    rows: int, columns: int, strength: float, kind: str = "attractive", seed: int = 0
) -> Ising:
    """Grid with random couplings up to ``strength``, and random fields up to a quarter.

    The kind "attractive", "repulsive" or "mixed" is the sign of the couplings (else InputError).
    """
    low, high = {"attractive": (0.0, 1.0), "repulsive": (-1.0, 0.0), "mixed": (-1.0, 1.0)}.get(
        kind, (0.0, 0.0)
    )
    if low == high:
        raise InputError(f"the kind is {kind!r}; expected attractive, repulsive or mixed")
    rng = np.random.default_rng(seed)
    number = np.arange(rows * columns).reshape(rows, columns)
    couplings = np.zeros((number.size, number.size))
    beside = [*zip(number[:, :-1].ravel(), number[:, 1:].ravel(), strict=True)]
    below = [*zip(number[:-1].ravel(), number[1:].ravel(), strict=True)]
    for one, other in beside + below:
        couplings[one, other] = couplings[other, one] = strength * rng.uniform(low, high)
    return Ising(couplings, rng.uniform(-0.25, 0.25, number.size))


def square_blocks(rows: int, columns: int, side: int = 2) -> list[list[int]]:
    """Clusters of a grid: squares of ``side`` variables, smaller at the border."""
    number = np.arange(rows * columns).reshape(rows, columns)
    return [
        number[r : r + side, c : c + side].ravel().tolist()
        for r in range(0, rows, side)
        for c in range(0, columns, side)
    ]


def tree_network(presence: sparse.csr_array, cell: float = CONTINGENCY_CELL) -> SumProductNetwork:
    """Chow-Liu tree of all rows as a network."""
    return learn_structure(
        presence, np.ones(presence.shape[0]), 1, StructureOptions(presence.shape[0] + 1, cell=cell)
    )
