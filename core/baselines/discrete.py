"""Marginals of binary networks by approximate mean field (AMF), a variant of mean field.

Asuncion (2010), sections 3-4. With neighbours independent according to their current marginals q,
AMF uses an arithmetic mean where mean field uses a geometric one:

- FNA, factorised neighbours (7): q_i = sum over the others of p(x_i | others) prod_j q_j, and
- back-messages (8): q_i ~ prod over factors of sum over its others of Psi(x) prod_j q_j.

The latter is belief propagation, except that the messages to a factor (9) include what came from
that factor; in belief propagation (12) they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..utils.errors import InputError
from ..utils.types import FloatArray
from .system import StoppingCallback, never_stop

# Maximum number of variables for enumeration of all states.
MAX_ENUMERATED = 16
TOLERANCE = 1e-8
MAX_ROUNDS = 1_000
# Unnormalised probabilities of variable i, shape (2,), given the marginals q, shape (n, 2).
Update = Callable[[int, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Factor:
    """Table over some variables."""

    variables: tuple[int, ...]
    table: FloatArray  # float64 (2,) * len(variables): above 0


@dataclass(frozen=True, eq=False)
class DiscreteNetwork:
    """Binary variables whose joint probability is proportional to a product of factors.

    InputError if a factor's table does not match its variables or has a value of 0 or less, or if a
    factor names a variable twice or one that does not exist.
    """

    n_variables: int
    factors: Sequence[Factor]

    def __post_init__(self) -> None:
        """Check the factors."""
        for factor in self.factors:
            if factor.table.shape != (2,) * len(factor.variables):
                raise InputError(
                    f"a factor of {len(factor.variables)} variables has a table of the shape "
                    f"{factor.table.shape}; expected 2 states of each"
                )
            if not (factor.table > 0.0).all():
                raise InputError(
                    "a factor has a state with the value 0 or less; give it a small positive value"
                )
            if not set(factor.variables) <= set(range(self.n_variables)):
                raise InputError(
                    f"a factor names a variable outside 0 to {self.n_variables - 1}; correct it"
                )
            if len(set(factor.variables)) < len(factor.variables):
                raise InputError("a factor names a variable twice; name it once")

    @cached_property
    def joint(self) -> FloatArray:
        """Probability of all states, shape (2,) * n_variables (InputError if they are too many)."""
        n = self.n_variables
        if n > MAX_ENUMERATED:
            raise InputError(
                f"{n} variables have too many states to enumerate; use at most {MAX_ENUMERATED}"
            )
        log_joint = np.zeros((2,) * n)
        for factor in self.factors:
            axes = np.argsort(factor.variables)
            shape = [2 if v in factor.variables else 1 for v in range(n)]
            log_joint = log_joint + np.log(factor.table.transpose(axes).reshape(shape))
        joint = np.exp(log_joint - log_joint.max())
        return np.asarray(joint / joint.sum())

    def factors_of(self, variable: int) -> list[Factor]:
        """Factors that contain the variable."""
        return [factor for factor in self.factors if variable in factor.variables]


def fna(
    network: DiscreteNetwork, seed: int = 0, *, progress: StoppingCallback = never_stop
) -> FloatArray:
    """Marginals by factorised neighbours (7), shape (n_variables,)."""

    def update(i: int, q: FloatArray) -> FloatArray:
        whole = network.joint
        given = whole / whole.sum(axis=i, keepdims=True)
        return marginalise(given, i, q)

    return iterate(network, update, seed, progress)


def back_messages(
    network: DiscreteNetwork, seed: int = 0, *, progress: StoppingCallback = never_stop
) -> FloatArray:
    """Marginals by AMF on factors (8), shape (n_variables,)."""

    def update(i: int, q: FloatArray) -> FloatArray:
        probability = np.ones(2)
        for factor in network.factors_of(i):
            own = factor.variables.index(i)
            probability *= marginalise(factor.table, own, q[list(factor.variables)])
        return probability

    return iterate(network, update, seed, progress)


def iterate(
    network: DiscreteNetwork, update: Update, seed: int, progress: StoppingCallback
) -> FloatArray:
    """Update one variable after the other, from marginals near one half, until convergence."""
    on = np.random.default_rng(seed).uniform(0.45, 0.55, network.n_variables)
    q = np.stack([1.0 - on, on], axis=1)
    for done in range(MAX_ROUNDS):
        previous = q.copy()
        for i in range(network.n_variables):
            probability = update(i, q)
            q[i] = probability / probability.sum()
        if np.abs(q - previous).max() < TOLERANCE or progress((done + 1) / MAX_ROUNDS):
            break
    return np.asarray(q[:, 1])


def marginalise(table: FloatArray, own: int, q: FloatArray | None) -> FloatArray:
    """Sum of a table over all axes but ``own``, weighted by q if it is given."""
    for axis in range(table.ndim - 1, -1, -1):
        if axis != own:
            table = table.sum(axis=axis) if q is None else np.tensordot(table, q[axis], (axis, 0))
    return table
