"""All states of a local model summed, one variable after the other (bucket elimination).

The table of a node is a chain of ORs, each of one parent and of what came before it (Heckerman and
Breese 1996): no table grows with the number of parents, and no term is negative. Only how many
variables meet in one table decides whether there is an answer.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from orrery.core.utils.types import FloatArray

# Numbers in all tables together; they take some 24 bytes each.
LARGEST = 2**27

Scope = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A function of some variables, ascending, each off or on: an axis of length 2 for each."""

    scope: Scope
    values: FloatArray

    def over(self, scope: Scope) -> FloatArray:
        """Values with an axis for each variable of a larger scope."""
        return self.values.reshape([2 if v in self.scope else 1 for v in scope])

    def onto(self, scope: Scope) -> FloatArray:
        """Sum over all variables except those in a smaller scope."""
        others = tuple(axis for axis, v in enumerate(self.scope) if v not in scope)
        return np.asarray(self.values.sum(axis=others))


def make_table(scope: Scope, values: FloatArray, known: dict[int, int]) -> Table:
    """Factor over variables in any order, reduced to the states of the known ones."""
    values = values[tuple(known.get(v, slice(None)) for v in scope)]
    free = [v for v in scope if v not in known]
    order = np.argsort(free)
    return Table(tuple(free[v] for v in order), values.transpose(order))


def noisy_or(
    scope: Scope, causes: Scope, weight: FloatArray, leak: float, known: dict[int, int]
) -> list[Table]:
    """Tables of a node whose product, summed over all of ``scope`` but its last, is eq. 1.

    Parameters
    ----------
    scope : tuple of int, one longer than ``causes``
        Whether chance has acted, or it or the first cause, or any of the first two, …: the last is
        the node itself.
    causes : tuple of int
    weight : float64 array, shape (n_causes,)
    leak : float
    known : dict of int to int
        States of variables.
    """
    tables = [make_table(scope[:1], np.array([np.exp(-leak), -np.expm1(-leak)]), known)]
    for cause, w, (before, after) in zip(causes, weight, itertools.pairwise(scope), strict=True):
        values = np.zeros((2, 2, 2))
        values[0] = np.eye(2)
        values[1] = [[np.exp(-w), -np.expm1(-w)], [0.0, 1.0]]
        tables.append(make_table((cause, before, after), values, known))
    return tables


def elimination_order(scopes: list[Scope]) -> list[int] | None:
    """Variables in an order in which few meet: fewest new neighbours first; None if too many do."""
    neighbours: dict[int, set[int]] = {}
    for scope in scopes:
        for v in scope:
            neighbours.setdefault(v, set()).update(scope)
    order, size = [], 0

    def missing(v: int) -> tuple[int, int]:
        around = neighbours[v]
        return sum(len(around - neighbours[other]) for other in around), v

    while neighbours:
        chosen = min(neighbours, key=missing)
        around = neighbours.pop(chosen)
        size += 2 ** len(around)
        if size > LARGEST:
            return None
        order.append(chosen)
        for other in around - {chosen}:
            neighbours[other] |= around
            neighbours[other].remove(chosen)
    return order


def marginals(tables: list[Table]) -> dict[int, float] | None:
    """Probability of every variable to be on, by the product of all tables; None if too large.

    Every variable is summed out of the product of the tables that it is in, which leaves a new
    table; on the way back the variable's chances given that table's variables are all there.
    """
    order = elimination_order([table.scope for table in tables])
    if order is None:
        return None
    place = {v: number for number, v in enumerate(order)}
    buckets: list[list[Table]] = [[] for _ in order]

    def put(table: Table) -> None:
        if table.scope:
            buckets[min(place[v] for v in table.scope)].append(table)

    for table in tables:
        put(table)
    leaks = []
    for v, bucket in zip(order, buckets, strict=True):
        product = _product(bucket)
        rest = tuple(other for other in product.scope if other != v)
        left = product.onto(rest)
        with np.errstate(invalid="ignore"):
            given_rest = product.values / Table(rest, left).over(product.scope)
        leaks.append(Table(product.scope, np.nan_to_num(given_rest)))
        put(Table(rest, left / left.max()))
    return _backward(order, place, leaks)


def _product(tables: list[Table]) -> Table:
    scope = tuple(sorted(set().union(*(table.scope for table in tables))))
    values = np.ones([2] * len(scope))
    for table in tables:
        values *= table.over(scope)
    return Table(scope, values)


def _backward(order: list[int], place: dict[int, int], leaks: list[Table]) -> dict[int, float]:
    """Probabilities of all variables by the chances of each given those eliminated after it."""
    joints: dict[int, Table] = {}
    for v, given in zip(reversed(order), reversed(leaks), strict=True):
        rest = tuple(other for other in given.scope if other != v)
        values = given.values
        if rest:
            later = joints[min(rest, key=place.__getitem__)]
            values = values * Table(rest, later.onto(rest)).over(given.scope)
        joints[v] = Table(given.scope, values)
    return {v: float(joint.onto((v,))[1]) for v, joint in joints.items()}
