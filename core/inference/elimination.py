"""Exact inference by variable elimination in NumPy, for small local models (MATH §10.5).

The algorithm equals `orrery.core.kernels.elimination`: the same variables, the same rules and
the same order. The kernel has to be compiled first, which takes seconds on a new machine; here, a
query takes milliseconds from the first one on. Large tables take longer than in the kernel.

Sets of variables are Python integers with one bit for each variable. A step multiplies two tables
and eliminates a variable; the rules for shared variables are constant matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, prod
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ..kernels.local_model import FREE, HELD_ON, Factors, LocalGraph
from ..utils.types import FloatArray


class _Rule(NamedTuple):
    """Rule for a variable that two tables share, as a sum of products.

    The rows of ``left`` and ``right``, shape (3, 2), are linear combinations of the values of each
    table with the variable off and on. ``product``, shape (2, 3), adds the products of these rows
    to the values of the product. All numbers are 0 or 1.
    """

    left: FloatArray
    right: FloatArray
    product: FloatArray


_OFF, _ON, _ANY = [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]
# It is caused if either table reports a cause.
_EITHER = _Rule(
    left=np.array([_OFF, _ON, _ANY]),
    right=np.array([_OFF, _OFF, _ON]),
    product=np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]),
)
# The right table holds it as given: its value there is the OR of the cause in the left table and of
# all causes that are still to be combined; or the reverse.
_CAUSE_GIVEN = _Rule(
    left=np.array([_OFF, _ON, _ANY]),
    right=np.array([_OFF, _ON, _ON]),
    product=np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
)
_GIVEN_CAUSE = _Rule(_CAUSE_GIVEN.right, _CAUSE_GIVEN.left, _CAUSE_GIVEN.product)

# Ends of a step, as tables over the eliminated variable, or over this variable, the variable that
# it is exchanged for, and the same variable in the result.
# It is summed out; if it is given and no cause is left, it is off.
_SUM, _NO_CAUSE = np.array(_ANY), np.array(_OFF)
_X, _Y, _Z = np.indices((2, 2, 2))
# "Is" becomes "caused" as given: it is the OR of the causes in the table and of all other causes.
_IS_TO_CAUSED = (_X == (_Y | _Z)).astype(np.float64)
# "Caused" becomes "is": all causes are combined, so both have the same value.
_CAUSED_TO_IS = ((_X == _Y) & (_Y == _Z)).astype(np.float64)

# Its types take no lists of axes.
_einsum: Callable[..., FloatArray] = cast(Any, np.einsum)

# Maximum number of neighbours of a variable at its elimination, as in the kernel.
MAX_NEIGHBOURS = 22
# A table whose largest value is outside this range is divided by it. Products of two values in the
# range are far from the limits of floating point.
_SMALLEST, _LARGEST = 1e-60, 1e60


class _Table(NamedTuple):
    """Function of some variables.

    Variable ``k`` is whether topic k is on, ``n_topics + i`` is whether node i has been caused.
    """

    variables: tuple[int, ...]  # ascending; the axes of ``value``
    scope: int  # the same variables, as a set of bits
    # "caused" variables of which the table contains a cause, and the variables that it depends on
    # as given, because their causes are in other tables
    caused: int
    given: int
    value: FloatArray


# No table: the other factor of a step that multiplies nothing.
_NOTHING = _Table((), 0, 0, 0, np.ones(()))


class _Step(NamedTuple):
    """Step of the elimination, with everything that the backward pass needs.

    Axes are numbers, as `numpy.einsum` takes them.
    """

    left: int  # numbers of the two tables, -1 for none
    right: int
    left_value: FloatArray  # values after the rules
    right_value: FloatArray
    left_axes: list[int]
    right_axes: list[int]
    rules: list[tuple[_Rule, int]]  # rules of shared variables, with their axes
    joint_axes: list[int]  # axes of the product
    end: tuple[FloatArray, list[int]] | None  # end of the step, with its axes
    axes: list[int]  # axes of the resulting table, which follows the tables of earlier steps
    scale: float  # number that the result has been divided by
    variables: list[int]  # variable of every axis of the product


def sum_states(
    local: LocalGraph, factors: Factors, max_terms: int
) -> tuple[FloatArray, float] | None:
    """Probability of every topic, and log-probability of the evidence in nats.

    Some results are not finite if the values exceed the range of floating point.

    Parameters
    ----------
    max_terms : int
        Limit on the number of entries of all products.

    Returns
    -------
    (float64 array of shape (n_topics,), float), or None beyond the limit
    """
    model = _Model(local, factors)
    tables, n_tables = model.tables, len(model.tables)
    with np.errstate(all="ignore"):
        passes = _passes(model, max_terms)
        if passes is None:
            return None
        steps, grads = passes
        probability = np.array(factors.state, np.float64)
        for k, table in enumerate(model.of_topic):
            if table >= 0:
                off, on = tables[table].value * grads[table]
                probability[k] = on / (off + on)
        constants = [float(table.value) for table in tables[:n_tables] if not table.variables]
        total = float(np.log(constants + [step.scale for step in steps]).sum())
    silenced = float(factors.silence[factors.state == HELD_ON].sum())
    return probability, factors.log_scale - silenced + total


def max_states(local: LocalGraph, factors: Factors, max_terms: int) -> FloatArray | None:
    """Upper bounds on the log-joint of all states in which a topic is off, or on, in nats.

    The same elimination as `sum_states`, with the maximum over every "is" variable in place of the
    sum. "Caused" variables are still summed, because one state of the topics may have several of
    their values. A sum of maxima is at least the maximum of the sum, so the result is an upper
    bound in any order of elimination (mini-buckets, Dechter and Rish 2003).

    Returns
    -------
    float64 array of shape (n_topics, 2), or None beyond the limit
        Both numbers of a held topic bound all states; some are not finite if the values exceed
        the range of floating point.
    """
    model = _Model(local, factors)
    tables, n_tables, n_topics = model.tables, len(model.tables), local.n_topics
    with np.errstate(all="ignore"):
        passes = _passes(model, max_terms, n_topics)
        if passes is None:
            return None
        steps, grads = passes
        constants = [float(table.value) for table in tables[:n_tables] if not table.variables]
        total = float(np.log(constants + [step.scale for step in steps]).sum())
        total += factors.log_scale - float(factors.silence[factors.state == HELD_ON].sum())
        bounds = np.full((n_topics, 2), total)
        for k, table in enumerate(model.of_topic):
            if table >= 0:
                bounds[k] += np.log(tables[table].value * grads[table])
    return bounds


def sum_variants(
    local: LocalGraph, factors: Factors, silence: FloatArray, max_terms: int
) -> tuple[FloatArray, FloatArray] | None:
    """The results of `sum_states` for several silences at once.

    Parameters
    ----------
    silence : float64 array, shape (n_variants, n_topics)
        In place of ``factors.silence``; infinite for a topic that is off.
    max_terms : int
        Limit on the number of entries of all products of one variant.

    Returns
    -------
    (float64 array of shape (n_variants, n_topics), float64 array of shape (n_variants,)), or None
    beyond the limit
    """
    free = factors.state == FREE
    model = _Model(local, factors._replace(silence=np.zeros(local.n_topics)))
    order = _elimination_order(model)
    if order is None:
        return None
    # The number of the variant is one more variable, which is never eliminated.
    variant = len(model.exchange)
    model.exchange.append(-1)
    for k, number in enumerate(model.of_topic):
        if number >= 0:
            table, factor = model.tables[number], np.exp(-silence[:, k])
            value = table.value[:, None] * np.stack([np.ones(len(factor)), factor])
            model.tables[number] = table._replace(
                variables=(*table.variables, variant), scope=table.scope | 1 << variant, value=value
            )
    n_tables = len(model.tables)
    with np.errstate(all="ignore"):
        steps = _eliminate(model, order, max_terms)
        if steps is None:
            return None
        grads = _derivatives(n_tables, steps, n_variants=len(silence))
        probability = np.tile(factors.state.astype(np.float64), (len(silence), 1))
        for k, number in enumerate(model.of_topic):
            if number >= 0:
                off, on = model.tables[number].value * grads[number]
                probability[:, k] = on / (off + on)
        total = np.full(len(silence), factors.log_scale)
        total -= silence[:, ~free & (factors.state == HELD_ON)].sum(axis=1)
        total += np.log([step.scale for step in steps]).sum()
        multiplied = {number for step in steps for number in (step.left, step.right)}
        for number, table in enumerate(model.tables):
            if number not in multiplied:
                total += np.log(table.value)
    return probability, total


def slopes(
    local: LocalGraph, factors: Factors, max_terms: int
) -> tuple[FloatArray, FloatArray] | None:
    """Derivatives of the log-probability of the evidence by every local weight and leak.

    One backward pass through the elimination. A weight does not change the silence.

    Returns
    -------
    (float64 array of shape (n_edges,), float64 array of shape (n_nodes,)), or None beyond the limit
    """
    model = _Model(local, factors)
    tables = model.tables
    with np.errstate(all="ignore"):
        passes = _passes(model, max_terms)
        if passes is None:
            return None
        grads = passes[1]
        by_weight, by_leak = np.zeros(len(local.parent)), np.zeros(len(local.node))
        for number, node, edges, slope in model.slopes:
            table = tables[number]
            grad = grads[number] if table.variables else 1.0 / table.value
            total = float((slope * grad).sum())
            by_weight[edges] += total
            if node >= 0:
                by_leak[node] += total
    return by_weight, by_leak


class _Model:
    """Tables of a local model, and the variables that are exchanged for each other."""

    def __init__(self, local: LocalGraph, factors: Factors) -> None:
        n_topics, n_nodes = local.n_topics, len(local.node)
        self.tables: list[_Table] = []
        self.of_topic = [-1] * n_topics  # table of the topic alone, or -1 if the topic is held
        # The other variable of the same node ("is" and "caused"), or -1.
        self.exchange = [-1] * (n_topics + n_nodes)
        # Derivatives of tables: the table, the node whose leak it depends on or -1, the edges whose
        # weights it depends on in the same way, and the derivative of its values.
        self.slopes: list[tuple[int, int, list[int], FloatArray]] = []
        for i in range(n_nodes):
            on, off, edges, held = _fixed_cause(i, local, factors)
            fixed: list[int] | None = held
            cause, is_on = n_topics + i, i >= n_topics or factors.state[i] == HELD_ON
            if i < n_topics and factors.state[i] == FREE:
                silence = exp(-factors.silence[i])
                self.of_topic[i] = len(self.tables)
                if not edges:
                    self._add(i, value=[off, on * silence])
                    self._slope(i, fixed, [-off, off * silence])
                    continue
                self._add(i, value=[1.0, silence])
                self.exchange[i], self.exchange[cause] = cause, i
            elif edges:
                # A node is on without other causes with probability ``on``, and with them surely.
                value = [on, on + off] if is_on else [off, 0.0]
                self._add(cause, value=value, given=1 << cause)
                self._slope(i, fixed, [off, 0.0] if is_on else [-off, 0.0])
                on, off, fixed = 0.0, 1.0, None
            else:
                self._add(value=on if is_on else off)
                self._slope(i, fixed, off if is_on else -off)
            # The fixed cause of a topic that is free is part of the first of its edges.
            for e in edges:
                survival, effect = factors.survival[e], factors.effect[e]
                edge = [[off, on], [off * survival, on + off * effect]]
                self._add(int(local.parent[e]), cause, value=edge, caused=1 << cause)
                lost = off * survival
                self._slope(-1, [e], [[0.0, 0.0], [-lost, lost]])
                if fixed is not None:
                    self._slope(i, fixed, [[-off, off], [-lost, lost]])
                on, off, fixed = 0.0, 1.0, None

    def _add(self, *variables: int, value: npt.ArrayLike, caused: int = 0, given: int = 0) -> None:
        """Add a table over ascending variables."""
        scope = sum(1 << variable for variable in variables)
        self.tables.append(_Table(variables, scope, caused, given, np.array(value, np.float64)))

    def _slope(self, node: int, edges: list[int] | None, slope: npt.ArrayLike) -> None:
        """Note the derivative of the table that was added last."""
        number = len(self.tables) - 1
        self.slopes.append((number, node, edges or [], np.array(slope, np.float64)))


def _fixed_cause(
    i: int, local: LocalGraph, factors: Factors
) -> tuple[float, float, list[int], list[int]]:
    """Probability that the leak and the parents that are held on switch node i on, or fail to.

    The result also contains the edges from free parents, and from held parents that are on.
    """
    on, off = float(factors.leak_on[i]), float(factors.leak_off[i])
    edges, fixed = [], []
    for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
        state = factors.state[local.parent[e]]
        if state == FREE:
            edges.append(e)
        elif state == HELD_ON:
            on, off = on + off * float(factors.effect[e]), off * float(factors.survival[e])
            fixed.append(e)
    return on, off, edges, fixed


def _bits(numbers: int) -> list[int]:
    """Elements of a set, ascending."""
    found = []
    while numbers:
        lowest = numbers & -numbers
        found.append(lowest.bit_length() - 1)
        numbers ^= lowest
    return found


class _Neighbours:
    """Neighbours of every variable that is left: all that share a table or a node with it."""

    def __init__(self, model: _Model) -> None:
        self.of = [0] * len(model.exchange)
        # Number of pairs of neighbours of each variable that are not neighbours of each other.
        self.missing = [0] * len(model.exchange)
        for table in model.tables:
            if len(table.variables) == 2:
                self.link(*table.variables)
        for v, other in enumerate(model.exchange):
            if other >= 0 and not self.of[v] >> other & 1:
                self.link(v, other)

    def link(self, u: int, v: int) -> None:
        """Make two variables neighbours that are not."""
        common = self.of[u] & self.of[v]
        for w in _bits(common):
            self.missing[w] -= 1
        self.missing[u] += (self.of[u] & ~common).bit_count()
        self.missing[v] += (self.of[v] & ~common).bit_count()
        self.of[u] |= 1 << v
        self.of[v] |= 1 << u

    def eliminate(self, v: int) -> None:
        """Link all neighbours of a variable with each other, and remove it."""
        around = self.of[v]
        if self.missing[v]:
            for u in _bits(around):
                for w in _bits(around & ~self.of[u] & ((1 << u) - 1)):
                    self.link(u, w)
        for u in _bits(around):
            self.of[u] ^= 1 << v
            self.missing[u] -= (self.of[u] & ~around).bit_count()


def _elimination_order(model: _Model) -> list[int] | None:
    """Min-fill elimination order (Rose 1972); ties are broken in favour of the last variable.

    None if a variable has more than `MAX_NEIGHBOURS` neighbours at its elimination, because the
    tables would be too large.
    """
    neighbours = _Neighbours(model)
    there = 0
    for table in model.tables:
        there |= table.scope
    left, order = _bits(there)[::-1], []
    while left:
        v = min(left, key=neighbours.missing.__getitem__)
        if neighbours.of[v].bit_count() > MAX_NEIGHBOURS:
            return None
        left.remove(v)
        order.append(v)
        neighbours.eliminate(v)
    return order


def _eliminate(
    model: _Model, order: list[int], max_terms: int, n_maximised: int = 0
) -> list[_Step] | None:
    """Eliminate the variables in order; every step appends a table to the model.

    The first ``n_maximised`` variables are maximised, the others are summed out.
    """
    tables, exchange = model.tables, list(model.exchange)
    # Tables that contain each variable. Those that have been multiplied are no longer live.
    tables_with: list[list[int]] = [[] for _ in exchange]
    for number, table in enumerate(tables):
        for variable in table.variables:
            tables_with[variable].append(number)
    multiplied: set[int] = set()
    steps: list[_Step] = []
    for v in order:
        bucket = [number for number in tables_with[v] if number not in multiplied]
        while bucket:
            # The tables with the fewest variables are multiplied first.
            bucket.sort(key=lambda number: -len(tables[number].variables))
            left, right = bucket.pop(), bucket.pop() if bucket else -1
            multiplied |= {left, right}
            step, product = _multiply(
                tables, left, right, -1 if bucket else v, exchange[v], v < n_maximised
            )
            max_terms -= 1 << len({*step.left_axes, *step.right_axes})
            if max_terms < 0:
                return None
            steps.append(step)
            tables.append(product)
            if bucket:
                bucket.append(len(tables) - 1)
                continue
            for variable in product.variables:
                tables_with[variable].append(len(tables) - 1)
            break
        if exchange[v] >= 0:
            exchange[exchange[v]] = -1
    return steps


def _multiply(
    tables: list[_Table], left: int, right: int, last: int, other: int, is_max: bool = False
) -> tuple[_Step, _Table]:
    """Multiply two tables, or take the left one as it is if ``right`` is -1.

    ``last`` is the variable that the step eliminates, or -1. It is exchanged for ``other``, the
    other variable of its node, or summed out if ``other`` is -1, or maximised if ``is_max``.
    """
    a, b = tables[left], tables[right] if right >= 0 else _NOTHING
    axis = {variable: number for number, variable in enumerate(_bits(a.scope | b.scope))}
    left_axes = [axis[variable] for variable in a.variables]
    right_axes = [axis[variable] for variable in b.variables]
    x, y, rules = a.value, b.value, []
    special = a.scope & b.scope & (a.caused | b.caused)
    if last >= 0 and other < 0:
        # In a sum over all values no cause is left, so the value is the same in both tables.
        special &= ~(1 << last)
    for u in _bits(special):
        rule = _rule_of(bool(a.caused >> u & 1), bool(b.caused >> u & 1))
        x = _along(axis[u], rule.left, x, left_axes)
        y = _along(axis[u], rule.right, y, right_axes)
        rules.append((rule, axis[u]))
    end, result = _result_of(a, b, last, other, axis)
    axes = [axis[variable] for variable in result.variables]
    is_max = is_max and last >= 0 and other < 0 and (end is None or end[0] is _SUM)
    joint_axes = axes if end is None and not is_max else [*{*left_axes, *right_axes}]
    value = _einsum(x, left_axes, y, right_axes, joint_axes)
    for rule, number in rules:
        value = _along(number, rule.product, value, joint_axes)
    if is_max:
        # In the backward pass, both values of the variable have the derivative of the maximum.
        end = _SUM, [axis[last]]
        value = value.max(axis=joint_axes.index(axis[last]))
    elif end is not None:
        value = _einsum(value, joint_axes, *end, axes)
    scale = float(value.max())
    if axes and _SMALLEST < scale < _LARGEST:
        scale = 1.0
    step = _Step(
        left, right, x, y, left_axes, right_axes, rules, joint_axes, end, axes, scale, [*axis]
    )
    return step, result._replace(value=value / scale)


def _rule_of(is_caused_left: bool, is_caused_right: bool) -> _Rule:
    """Rule for a variable of which at least one of two tables contains a cause."""
    if is_caused_left and is_caused_right:
        return _EITHER
    return _CAUSE_GIVEN if is_caused_left else _GIVEN_CAUSE


def _result_of(
    a: _Table, b: _Table, last: int, other: int, axis: dict[int, int]
) -> tuple[tuple[FloatArray, list[int]] | None, _Table]:
    """End of a step with its axes, if it needs one, and the resulting table without its values.

    ``axis`` has the axis of every variable of the product; ``other`` is added.
    """
    scope, given = a.scope | b.scope, a.given | b.given
    caused, end = (a.caused | b.caused) & ~given, None
    if last >= 0:
        own = axis[last]
        if other < 0 and not (a.caused | b.caused) >> last & 1:
            end = (_NO_CAUSE if given >> last & 1 else _SUM), [own]
        if other in axis:
            rule = _IS_TO_CAUSED if last < other else _CAUSED_TO_IS
            end = rule, [own, axis[other], len(axis)]
            own = len(axis)
        scope, caused, given = (variables & ~(1 << last) for variables in (scope, caused, given))
        if other >= 0:
            axis[other] = own
            scope |= 1 << other
            caused &= ~(1 << other)
            given |= 1 << other if last < other else 0
    return end, _Table(tuple(_bits(scope)), scope, caused, given, _NOTHING.value)


def _along(axis: int, matrix: FloatArray, value: FloatArray, axes: list[int]) -> FloatArray:
    """Product of a matrix and an array along one of its axes."""
    shape = value.shape
    at = axes.index(axis)
    product = matrix @ value.reshape(prod(shape[:at]), shape[at], -1)
    return product.reshape(*shape[:at], len(matrix), *shape[at + 1 :])


def _passes(
    model: _Model, max_terms: int, n_maximised: int = 0
) -> tuple[list[_Step], list[FloatArray]] | None:
    """Steps of the elimination, and the `_derivatives` by every table; None beyond the limit."""
    n_tables, order = len(model.tables), _elimination_order(model)
    steps = None if order is None else _eliminate(model, order, max_terms, n_maximised)
    return None if steps is None else (steps, _derivatives(n_tables, steps, n_maximised))


def _derivatives(
    n_tables: int, steps: list[_Step], n_maximised: int = 0, n_variants: int = 1
) -> list[FloatArray]:
    """Derivative of the log of the sum by every table, by a backward pass (Darwiche 2003).

    The first ``n_maximised`` variables are maximised where they leave a product. With variants, the
    derivatives of each have a factor of their own.
    """
    grads = [np.ones(())] * (n_tables + len(steps))
    for number in reversed(range(len(steps))):
        step = steps[number]
        grad, axes = grads[n_tables + number] / step.scale, step.joint_axes
        if grad.ndim < len(step.axes):
            grad = np.full(n_variants, grad)
        if step.end is not None:
            grad = _einsum(grad, step.axes, *step.end, axes)
        for rule, axis in step.rules:
            grad = _along(axis, rule.product.T, grad, axes)
        is_max = [variable < n_maximised for variable in step.variables]
        to_left = _reduced(grad, axes, step.right_value, step.right_axes, step.left_axes, is_max)
        for rule, axis in step.rules:
            to_left = _along(axis, rule.left.T, to_left, step.left_axes)
        grads[step.left] = to_left
        if step.right >= 0:
            to_right = _reduced(
                grad, axes, step.left_value, step.left_axes, step.right_axes, is_max
            )
            for rule, axis in step.rules:
                to_right = _along(axis, rule.right.T, to_right, step.right_axes)
            grads[step.right] = to_right
    return grads


def _reduced(
    a: FloatArray,
    a_axes: list[int],
    b: FloatArray,
    b_axes: list[int],
    axes: list[int],
    is_max: list[bool],
) -> FloatArray:
    """Product of two arrays on some of its axes: the others are summed, or maximised if so."""
    largest = [axis for axis in a_axes if is_max[axis] and axis not in axes]
    value = _einsum(a, a_axes, b, b_axes, [*axes, *largest])
    return np.asarray(value.max(axis=tuple(range(len(axes), value.ndim)))) if largest else value
