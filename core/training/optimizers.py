"""Updates of the network from a gradient: Adam on log-weights, and the paper's eq. 17."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.threads import on_all_threads
from ..model.network import MAX_WEIGHT, Network, build_network
from ..utils.types import FloatArray, Int64Array

# The paper's step size rho (Ji et al. 2019, §6). Of the edge scales that the paper found fastest,
# c = 100 … 1000 (Figure 4), the lowest is the steadiest on minibatches.
PAPER_RATE = 0.01
PAPER_EDGE_SCALE = 100.0
# The paper's "small constant" of the projection. The gradient at a leak w0 is up to 1 / w0, so with
# a much smaller constant a single rare word moves its leak across the whole range.
PAPER_FLOOR = 1e-3
# A weight below this has no visible effect; it keeps log-weights finite.
MIN_WEIGHT = 1e-7
# Decay rates of Adam's two moments; Kingma and Ba (2015) use 0.9 and 0.999.
ADAM_DECAY = (0.9, 0.99)
ADAM_EPSILON = 1e-10
# Bound on a step in log-weights; the smallest and the largest weight are closer than this.
MAX_LOG_STEP = 30.0
# Block size of an update, which passes over its numbers many times: a block stays in the cache.
VALUES_AT_A_TIME = 16384


@dataclass(frozen=True, eq=False)
class Moments:
    """Adam's running means of the gradient and of its square, over edges then leaks.

    ``count`` is the number of updates that they include.
    """

    first: FloatArray
    second: FloatArray
    count: int = 0


def adam_update(
    network: Network, moments: Moments, slope: FloatArray, rate: float
) -> tuple[Network, Moments]:
    """Adam ascent on log-weights and log-leaks, which keeps both positive (MATH §9.4).

    ``slope`` (float64 array, shape (n_edges + n_nodes,)) is the gradient of the objective with
    respect to the weights, then the leaks; ``rate`` is the learning rate.
    """
    values = np.concatenate([network.weight, network.leak])
    assert len(slope) == len(moments.first) == len(moments.second) == len(values)
    n_edges, moved = network.graph.n_edges, np.empty_like(values)
    after = Moments(np.empty_like(values), np.empty_like(values), moments.count + 1)
    n_blocks = -(-len(values) // VALUES_AT_A_TIME)
    on_all_threads(_adam_blocks, n_blocks, values, moments, slope, rate, moved, after)
    weight = np.clip(moved[:n_edges], MIN_WEIGHT, MAX_WEIGHT)
    return build_network(network.graph, weight, moved[n_edges:]), after


def _adam_blocks(
    blocks: Int64Array,
    values: FloatArray,
    moments: Moments,
    slope: FloatArray,
    rate: float,
    moved: FloatArray,
    after: Moments,
) -> None:
    decay1, decay2 = ADAM_DECAY
    share1, share2 = 1.0 - decay1**after.count, 1.0 - decay2**after.count
    for block in blocks:
        some = slice(block * VALUES_AT_A_TIME, (block + 1) * VALUES_AT_A_TIME)
        log_slope = slope[some] * values[some]
        first = decay1 * moments.first[some] + (1.0 - decay1) * log_slope
        second = decay2 * moments.second[some] + (1.0 - decay2) * log_slope**2
        direction = (first / share1) / (np.sqrt(second / share2) + ADAM_EPSILON)
        growth = np.exp(np.clip(rate * direction, -MAX_LOG_STEP, MAX_LOG_STEP))
        moved[some], after.first[some], after.second[some] = values[some] * growth, first, second


def paper_update(
    network: Network, slope: FloatArray, edge_scale: float, rate_share: float = 1.0
) -> Network:
    """Projected gradient ascent, edges scaled by ``edge_scale``, the paper's c (eq. 17)."""
    n_edges, rate = network.graph.n_edges, rate_share * PAPER_RATE
    weight = network.weight + rate * edge_scale * slope[:n_edges]
    leak = network.leak + rate * slope[n_edges:]
    return build_network(
        network.graph, np.maximum(weight, PAPER_FLOOR), np.maximum(leak, PAPER_FLOOR)
    )


def add_to_average(average: FloatArray | None, network: Network, count: int) -> FloatArray:
    """Running mean of log-weights and log-leaks over ``count`` networks, the last one included."""
    logs: FloatArray = np.log(np.concatenate([network.weight, network.leak]))
    return logs if average is None else average + (logs - average) / count


def network_of_average(network: Network, average: FloatArray) -> Network:
    """Network with the averaged parameters, on the same graph."""
    values = np.exp(average)
    n_edges = network.graph.n_edges
    weight = np.maximum(values[:n_edges], MIN_WEIGHT)
    return build_network(network.graph, weight, values[n_edges:])
