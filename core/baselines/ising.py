"""Naive and generalised mean field for Ising models, with exact enumeration for reference.

Xing's lecture 7, last part; Xing et al. (2003, 2004). States are -1 and 1,

    p(x) = exp(sum_{i<j} J_ij x_i x_j + sum_i h_i x_i) / Z.

Generalised mean field factorises over clusters of variables. The marginal of a cluster is the Ising
model within it, with the means of its outside neighbours added to the fields. Clusters of one
variable give naive mean field; one cluster of all variables is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from ..utils.errors import InputError
from ..utils.types import FloatArray
from .system import StoppingCallback, never_stop

# Maximum number of variables for enumeration of all states.
MAX_ENUMERATED = 20
TOLERANCE = 1e-10
MAX_ROUNDS = 2_000


@dataclass(frozen=True, eq=False)
class Ising:
    """Ising model; InputError if the shapes do not match or the couplings are not symmetric."""

    couplings: FloatArray  # float64 (n, n): symmetric, zeros on the diagonal
    fields: FloatArray  # float64 (n,)

    def __post_init__(self) -> None:
        """Check the arrays."""
        n = len(self.fields)
        if self.couplings.shape != (n, n):
            raise InputError(f"couplings have the shape {self.couplings.shape}; expected {(n, n)}")
        if np.any(self.couplings != self.couplings.T) or np.any(np.diag(self.couplings)):
            raise InputError("couplings must be symmetric with zeros on the diagonal")


@dataclass(frozen=True, eq=False)
class Marginals:
    """Result of an inference method."""

    means: FloatArray  # float64 (n,): E[x_i], from -1 to 1
    log_partition: float  # log Z or, for mean field, a lower bound on it
    bounds: list[float]  # Bound after every round of mean field; it never decreases


def enumerate_states(model: Ising) -> Marginals:
    """Exact inference by enumeration (InputError for more than `MAX_ENUMERATED` variables)."""
    means, log_partition, _ = _enumerate(model.couplings, model.fields)
    return Marginals(means, log_partition, [log_partition])


def naive_mean_field(
    model: Ising, seed: int = 0, *, progress: StoppingCallback = never_stop
) -> Marginals:
    """Mean field with every variable in its own cluster."""
    alone = [[i] for i in range(len(model.fields))]
    return generalised_mean_field(model, alone, seed, progress=progress)


def generalised_mean_field(
    model: Ising,
    clusters: Sequence[Sequence[int]],
    seed: int = 0,
    *,
    progress: StoppingCallback = never_stop,
) -> Marginals:
    """Mean field over clusters, updated one after the other until the bound converges.

    The small initial means are random (``seed``), to break the symmetry of models without fields.
    InputError if the clusters are not a partition of the variables, or if one is too large to
    enumerate; see `Baseline.fit` for ``progress``.
    """
    n = len(model.fields)
    if sorted(i for cluster in clusters for i in cluster) != list(range(n)):
        raise InputError(f"every one of the {n} variables must be in exactly one cluster")
    means = np.random.default_rng(seed).uniform(-0.1, 0.1, n)
    parts = [np.array(cluster) for cluster in clusters]
    outside = model.couplings.copy()
    for part in parts:
        outside[np.ix_(part, part)] = 0.0
    bounds: list[float] = []
    for done in range(MAX_ROUNDS):
        inner = 0.0
        for part in parts:
            field = outside[part] @ means
            means[part], log_z, _ = _enumerate(
                model.couplings[np.ix_(part, part)], model.fields[part] + field
            )
            # Entropy and energy of the cluster, without the energy of the outside field.
            inner += log_z - float(field @ means[part])
        bounds.append(inner + 0.5 * float(means @ outside @ means))
        if (done and bounds[-1] - bounds[-2] < TOLERANCE) or progress((done + 1) / MAX_ROUNDS):
            break
    return Marginals(means, bounds[-1], bounds)


def _enumerate(couplings: FloatArray, fields: FloatArray) -> tuple[FloatArray, float, FloatArray]:
    n = len(fields)
    if n > MAX_ENUMERATED:
        raise InputError(
            f"{n} variables have too many states to list; use clusters of {MAX_ENUMERATED} at most"
        )
    states = 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1) - 1.0
    energy = 0.5 * ((states @ couplings) * states).sum(axis=1) + states @ fields
    log_z = float(logsumexp(energy))
    probability = np.exp(energy - log_z)
    return probability @ states, log_z, probability
