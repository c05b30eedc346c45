"""Generalised mean field on a local model: topics in blocks, each block held together (Xing)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orrery.core.utils.types import FloatArray
from tests.benchmarks.e_step_starts import Problem

TOLERANCE, MAX_ROUNDS = 1e-6, 200
Blocks = Sequence[tuple[int, ...]]


def log_joint(problem: Problem) -> FloatArray:
    """log p(document, topics) of all states of its topics, shape (2,) * n_topics, in nats."""
    local, weights, _ = problem
    n = local.n_topics
    states = np.indices((2,) * n).reshape(n, -1)
    total = -weights.total_leak - weights.W @ states
    for node in range(len(local.node)):
        edges = slice(local.parent_ptr[node], local.parent_ptr[node + 1])
        activation = weights.w0[node] + weights.w[edges] @ states[local.parent[edges]]
        # A node that is on has 1 - exp(-a) instead of the exp(-a) that is in the sums above.
        on = np.log(np.expm1(activation))
        total = total + (on if node >= n else states[node] * on)
    return np.asarray(total.reshape((2,) * n))


def block_bound(joint: FloatArray, blocks: Blocks, start: FloatArray) -> float:
    """Bound that coordinate ascent over blocks ends at, from independent topics on by ``start``.

    A block of one topic is naive mean field. The bound never falls, so from a fixed point of
    naive mean field it ends above that.
    """
    table = joint.transpose([topic for block in blocks for topic in block])
    table = table.reshape([2 ** len(block) for block in blocks])
    q = [_product(start[list(block)]) for block in blocks]
    bound = -np.inf
    for _ in range(MAX_ROUNDS):
        before = bound
        for own in range(len(q)):
            score = _mean_over_others(table, q, own)
            q[own] = np.exp(score - score.max())
            q[own] /= q[own].sum()
        bound = float(q[-1] @ score) + sum(_entropy(part) for part in q)
        if bound - before < TOLERANCE:
            break
    return bound


def _mean_over_others(table: FloatArray, q: list[FloatArray], own: int) -> FloatArray:
    for axis in range(len(q) - 1, -1, -1):
        if axis != own:
            table = np.tensordot(table, q[axis], (axis, 0))
    return table


def _product(on: FloatArray) -> FloatArray:
    leak = np.ones(())
    for one in on:
        leak = np.multiply.outer(leak, np.array([1.0 - one, one]))
    return leak.reshape(-1)


def _entropy(leak: FloatArray) -> float:
    met = leak[leak > 0.0]
    return float(-(met * np.log(met)).sum())


def pairs(ties: FloatArray, least: float = 0.0) -> list[tuple[int, ...]]:
    """Blocks of two by the strongest ties first, above ``least``; who is left is alone.

    Parameters
    ----------
    ties : float64 array, shape (n, n)
        Symmetric.
    """
    first, second = np.triu_indices(len(ties), 1)
    found: list[tuple[int, ...]] = []
    left = set(range(len(ties)))
    for place in np.argsort(-ties[first, second], kind="stable"):
        pair = int(first[place]), int(second[place])
        if ties[pair] > least and left.issuperset(pair):
            found.append(pair)
            left -= set(pair)
    return found + [(one,) for one in sorted(left)]
