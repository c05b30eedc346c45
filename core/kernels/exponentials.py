"""log(1 - exp(-a)) as a short sum of exponentials, whose expectation factorises (MATH §4.1)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from orrery.core.arrays import FloatArray

# Arguments below this are refused by the network (its smallest leak is the same number).
SMALLEST_ARGUMENT = 1e-6
# Ratio of neighbouring rates: the smaller, the more terms and the smaller the error.
RATE_RATIO = {"fast": 2.0, "standard": 1.7, "fine": 1.35}
# Eight rates, as many as fit into one vector of single precision, spread over the same range.
COARSE_RATES = 1.1 * 6.5 ** np.arange(8)


class ExponentialSum(NamedTuple):
    """``log(1 - exp(-a)) >= -sum(coefficient * exp(-rate * a)) - error`` for a >= 1e-6.

    Attributes
    ----------
    coefficient, rate : float64 arrays, shape (n_terms,)
        Both positive; rates ascending.
    error : float
        Largest absolute error, in nats; subtracting it makes the sum a strict lower bound.
    """

    coefficient: FloatArray
    rate: FloatArray
    error: float


@lru_cache
def exponential_sum(accuracy: str = "standard") -> ExponentialSum:
    """Fit the sum by non-negative least squares on a logarithmic grid.

    Parameters
    ----------
    accuracy : {"fast", "standard", "fine"}
        Errors of about 1e-5, 1e-6 and 3e-9 nats, with 26, 32 and 54 terms.
    """
    ratio = RATE_RATIO[accuracy]
    # The series has rates 1, 2, 3, …; beyond the sixth they are thinned geometrically until
    # the fastest has died out at the smallest argument.
    n_thinned = int(np.ceil(np.log(10.0 / SMALLEST_ARGUMENT / 6.0) / np.log(ratio)))
    return _fit(np.concatenate([np.arange(1.0, 7.0), 6.0 * ratio ** np.arange(1, n_thinned + 1)]))


@lru_cache
def coarse_sum() -> ExponentialSum:
    """Fit so few terms, to within 0.05 nats, that they are good for finding a start only."""
    return _fit(COARSE_RATES)


def _fit(rates: FloatArray) -> ExponentialSum:
    grid = np.geomspace(SMALLEST_ARGUMENT, 40.0, 4000)
    target = -np.log(-np.expm1(-grid))
    coefficients, _ = nnls(np.exp(-np.outer(grid, rates)), target)
    used = coefficients > 0
    coefficient, rate = coefficients[used], rates[used]
    # The error is measured between the points of the fit as well.
    check = np.geomspace(SMALLEST_ARGUMENT, 40.0, 40_001)
    fitted = np.exp(-np.outer(check, rate)) @ coefficient
    error = float(np.abs(fitted + np.log(-np.expm1(-check))).max())
    return ExponentialSum(coefficient, rate, error)
