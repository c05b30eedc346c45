"""Exact inference by variable elimination (MATH §10.5).

Every node has two variables: whether it *is* on, and whether any cause has *caused* it to be on.
One table over a node and all its parents would grow exponentially with the number of parents. In a
noisy-OR, however, every cause acts independently, so one table for each edge is enough, and tables
for causes of the same node are combined by OR (Zhang and Poole 1996). The "is" variable of a node
may be eliminated before all its causes are combined; the result then depends on the effect of the
remaining causes as *given*. The elimination order is therefore unrestricted, and the tables are as
small as if every node had only one more parent. All terms are positive, so no precision is lost as
long as the values of one table fit on one floating-point scale; otherwise `sum_states` returns
values that are not finite.

The marginals are derivatives of the sum, computed by a backward pass over the same products.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .elimination_order import (
    add,
    discard,
    elimination_order,
    has,
    link,
    members,
    rank,
    size,
    unite,
    words_for,
)
from .local_model import FREE, HELD_ON

# Rules for a variable that two tables share, when the tables are multiplied:
# _SAME: it has the same value in the product and in both factors;
# _EITHER: it is caused if either factor reports a cause (OR);
# _CAUSE_GIVEN, _GIVEN_CAUSE: one factor holds it as given; its value there is the OR of the cause
# in the other factor and of all causes that are still to be combined;
# _SUM: it is summed out.
_SAME, _EITHER, _CAUSE_GIVEN, _GIVEN_CAUSE, _SUM = range(5)
# Terms of each rule as values (in the product, the left table, the right table); 0 is off, 1 is on.
_N_TERMS = np.array([2, 4, 4, 4, 2])
_TERMS = np.array(
    [
        [[0, 0, 0], [1, 1, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]],
        [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]],
        [[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1]],
        [[0, 0, 0], [0, 1, 1], [0, 0, 0], [0, 0, 0]],
    ]
)
# Maximum number of neighbours of a variable when it is eliminated; beyond it no plan is made.
MAX_NEIGHBOURS = 22
# Terms of the inner loop; longer lists take longer to build than they save.
_INNER = 256


class Tables(NamedTuple):
    """Model before elimination: functions of one or two variables.

    Variable ``k`` is whether topic k is on, ``n_topics + i`` is whether node i has been caused.
    """

    # uint64 (n_tables, n_words): variables of each table, as a set of bits. The first table has no
    # variables and equals 1.
    scope: np.ndarray
    # caused, given: uint64 (n_tables, n_words): "caused" variables of which the table contains a
    # cause, and "caused" variables that the table depends on as given, because their causes are in
    # other tables
    caused: np.ndarray
    given: np.ndarray
    # float64 (n_tables, 4): values for the smaller variable off and on, first with the larger
    # variable off, then on
    value: np.ndarray
    of_topic: np.ndarray  # int64 (n_topics,): table of the topic alone, or -1 if the topic is held
    exchange: np.ndarray  # int64 (n_variables,): the other variable of the same node, or -1
    is_there: np.ndarray  # bool (n_variables,): whether the variable exists


class Plan(NamedTuple):
    """Elimination plan: the products of tables, and their cost."""

    # scope, caused, given: uint64 (n_tables + n_steps, n_words): as in `Tables`, followed by the
    # table that each step makes
    scope: np.ndarray
    caused: np.ndarray
    given: np.ndarray
    # left, right: int64 (n_steps,): tables that are multiplied
    left: np.ndarray
    right: np.ndarray
    variable: np.ndarray  # int64 (n_steps,): variable that the step eliminates, or -1
    # bool (n_steps,): whether the variable is replaced by the other variable of its node ("is" by
    # "caused" or the reverse), in a table that combines all that depends on it; else it is summed
    # out
    is_exchange: np.ndarray
    n_terms: np.ndarray  # int64 (n_steps,): number of scalar products of a step
    # False if the plan would exceed the allowed number of terms; the steps are then incomplete
    is_feasible: bool


@part
def _add_variable(t, variable, is_caused, is_given, scope, caused, given):
    add(scope[t], variable)
    if is_caused:
        add(caused[t], variable)
    if is_given:
        add(given[t], variable)


@kernel
def make_tables(local, factors):
    """`Tables` of a local model."""
    n_topics, n_nodes, n_edges = local.n_topics, len(local.node), len(local.parent)
    n_variables, capacity = n_topics + n_nodes, 1 + n_edges + 2 * n_nodes
    n_words = words_for(n_variables)
    scope, caused, given = np.zeros((3, capacity, n_words), np.uint64)
    value = np.zeros((capacity, 4))
    of_topic = np.full(n_topics, -1, np.int64)
    exchange = np.full(n_variables, -1, np.int64)
    is_there = np.zeros(n_variables, np.bool_)
    value[0, 0], t = 1.0, 1
    for i in range(n_nodes):
        on, off = factors.leak_on[i], factors.leak_off[i]
        cause, has_free_parent = n_topics + i, False
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            k = local.parent[e]
            if factors.state[k] == FREE:
                value[t, 0], value[t, 1], value[t, 3] = 1.0, factors.survival[e], factors.effect[e]
                _add_variable(t, k, False, False, scope, caused, given)
                _add_variable(t, cause, True, False, scope, caused, given)
                t, has_free_parent = t + 1, True
            elif factors.state[k] == HELD_ON:
                on, off = on + off * factors.effect[e], off * factors.survival[e]
        is_topic = i < n_topics
        is_free = is_topic and factors.state[i] == FREE
        if is_free and not has_free_parent:
            value[t, 0], value[t, 1] = off, on * exp(-factors.silence[i])
            _add_variable(t, i, False, False, scope, caused, given)
            of_topic[i], is_there[i] = t, True
            t += 1
            continue
        is_there[cause] = True
        value[t, 0], value[t, 1] = off, on
        _add_variable(t, cause, True, False, scope, caused, given)
        value[t + 1, 0] = value[t + 1, 1] = 1.0
        if is_free:
            value[t + 1, 1] = exp(-factors.silence[i])
            _add_variable(t + 1, i, False, False, scope, caused, given)
            of_topic[i], is_there[i] = t + 1, True
            exchange[i], exchange[cause] = cause, i
        else:
            _add_variable(t + 1, cause, False, True, scope, caused, given)
            is_on = not is_topic or factors.state[i] == HELD_ON
            value[t + 1, 0 if is_on else 1] = 0.0
        t += 2
    return Tables(scope[:t], caused[:t], given[:t], value[:t], of_topic, exchange, is_there)


@part
def _order_of(tables):
    """Elimination order; variables are neighbours if they share a table or a node."""
    n_variables = len(tables.is_there)
    neighbours = np.zeros((n_variables, tables.scope.shape[1]), np.uint64)
    missing = np.zeros(n_variables, np.int64)
    for t in range(len(tables.scope)):
        own = members(tables.scope[t])
        if len(own) == 2:
            link(own[0], own[1], neighbours, missing)
    for v in range(n_variables):
        if tables.exchange[v] >= 0:
            link(v, tables.exchange[v], neighbours, missing)
    return elimination_order(neighbours, missing, tables.is_there, MAX_NEIGHBOURS)


@part
def _tables_with(v, first, last, is_live, scope, bucket):
    """Write the live tables that contain a variable into a bucket; return their number."""
    n = 0
    for t in range(first, last):
        if is_live[t] and has(scope[t], v):
            bucket[n] = t
            n += 1
    return n


@part
def _smallest_last(bucket, n, scope):
    """Move the table with the fewest variables to the end of the bucket."""
    smallest = n - 1
    for place in range(n - 1):
        if size(scope[bucket[place]]) < size(scope[bucket[smallest]]):
            smallest = place
    bucket[n - 1], bucket[smallest] = bucket[smallest], bucket[n - 1]


@kernel
def _join(out, a, b, summed, scope, caused, given):
    """Set the variables of the product of two tables; return its number of terms.

    A variable of which both tables contain a cause, or which is given in one of them, doubles the
    number of terms, except the variable that is ``summed`` out, if any.
    """
    n_shared = 0
    for w in range(scope.shape[1]):
        scope[out, w] = scope[a, w] | scope[b, w]
        given[out, w] = given[a, w] | given[b, w]
        caused[out, w] = (caused[a, w] | caused[b, w]) & ~given[out, w]
    for u in members(scope[a]):
        if has(scope[b], u) and u != summed:
            n_shared += has(caused[a], u) or has(caused[b], u)
    return 1 << (size(scope[out]) + n_shared)


@part
def _replace(out, v, other, scope, caused, given):
    """Remove a variable from a table, and add the variable that it is exchanged for, if any."""
    for row in (scope, caused, given):
        discard(row[out], v)
    if other >= 0:
        add(scope[out], other)
        discard(caused[out], other)
        if v < other:
            add(given[out], other)


@kernel
def make_plan(tables, max_terms):
    """Plan the elimination; stop when the plan exceeds ``max_terms`` terms."""
    n_tables, n_words = tables.scope.shape
    order = _order_of(tables)
    # Every step except an exchange removes a table, or is the last step of its variable.
    capacity = n_tables + 2 * len(order)
    scope, caused, given = np.zeros((3, n_tables + capacity, n_words), np.uint64)
    for t in range(n_tables):
        unite(scope[t], tables.scope[t])
        unite(caused[t], tables.caused[t])
        unite(given[t], tables.given[t])
    left, right, variable, n_terms = np.zeros((4, capacity), np.int64)
    is_exchange, is_live = np.zeros(capacity, np.bool_), np.ones(n_tables + capacity, np.bool_)
    exchange, bucket = tables.exchange.copy(), np.empty(n_tables + capacity, np.int64)
    s, total_terms, first = 0, 0, 1
    for v in order:
        while not is_live[first]:
            first += 1
        other, n = exchange[v], _tables_with(v, first, n_tables + s, is_live, scope, bucket)
        while n > 0 and total_terms <= max_terms:
            is_last, out = n == 1 or (n == 2 and other < 0), n_tables + s
            _smallest_last(bucket, n, scope)
            left[s] = bucket[n - 1]
            if n > 1:
                _smallest_last(bucket, n - 1, scope)
                right[s] = bucket[n - 2]
                bucket[n - 2] = out
            is_live[left[s]] = is_live[right[s]] = False
            summed = v if is_last and other < 0 else -1
            n_terms[s] = _join(out, left[s], right[s], summed, scope, caused, given)
            total_terms += n_terms[s]
            variable[s], is_exchange[s] = v if is_last else -1, is_last and other >= 0
            if is_last:
                _replace(out, v, other, scope, caused, given)
            n, s = 0 if is_last else n - 1, s + 1
        if other >= 0:
            exchange[other] = -1
    is_feasible = total_terms <= max_terms and (len(order) > 0 or not tables.is_there.any())
    end = n_tables + s
    return Plan(
        scope[:end], caused[:end], given[:end], left[:s], right[:s], variable[:s],
        is_exchange[:s], n_terms[:s], is_feasible,
    )  # fmt: skip


@part
def _stride(row, u):
    """Distance between a table's values for a variable off and on; 0 if the table lacks it."""
    return 1 << rank(row, u) if has(row, u) else 0


@kernel
def _axis(u, product, v, other, scope, caused):
    """Rule of a variable u in a step, and the strides of its values.

    ``product`` is its stride in the product, 0 if it is summed out. The step eliminates v, if any,
    which is exchanged for ``other``, if any. ``scope`` and ``caused`` describe the left and the
    right table, see `Tables`. The result is (rule, left, left_own, right): if the step exchanges v
    for u, ``left`` is the stride of v in the left table and ``left_own`` the stride of u.
    """
    left, right = _stride(scope[0], u), _stride(scope[1], u)
    left_own, rule = 0, _SAME
    if u == other:
        left, left_own = _stride(scope[0], v), left
        if left_own > 0 and v < other:
            rule = _GIVEN_CAUSE
    elif product == 0:
        rule = _SUM
    elif left > 0 and right > 0 and has(caused[0], u):
        rule = _EITHER if has(caused[1], u) else _CAUSE_GIVEN
    elif left > 0 and right > 0 and has(caused[1], u):
        rule = _GIVEN_CAUSE
    return rule, left, left_own, right


@kernel
def _extend(terms, n, rule, product, left, left_own, right):
    """Extend a list of terms by one axis with these strides; return its new length."""
    for r in range(1, _N_TERMS[rule]):
        x, y, z = _TERMS[rule, r, 0], _TERMS[rule, r, 1], _TERMS[rule, r, 2]
        add_product, add_left, add_right = x * product, y * left + z * left_own, z * right
        for t in range(n):
            terms[0, r * n + t] = terms[0, t] + np.uint32(add_product)
            terms[1, r * n + t] = terms[1, t] + np.uint32(add_left)
            terms[2, r * n + t] = terms[2, t] + np.uint32(add_right)
    return n * _N_TERMS[rule]


@kernel
def _terms_of(v, other, product_scope, scope, caused, n_terms):
    """Indices of all terms of a step in its product, its left table and its right table.

    The terms are all sums of one column of ``inner`` and one column of ``outer``, uint32 arrays of
    shape (3, n).
    """
    axes = members(product_scope)
    inner, n_inner = np.zeros((3, 4 * _INNER), np.uint32), 1
    outer, n_outer = np.zeros((3, n_terms // _INNER + 1), np.uint32), 1
    # Axes with one term for each value come first, so that consecutive sums have different targets.
    for turn in range(2):
        for place in range(-1 if v >= 0 and other < 0 else 0, len(axes)):
            product, u = (1 << place, axes[place]) if place >= 0 else (0, v)
            rule, left, left_own, right = _axis(u, product, v, other, scope, caused)
            if (turn == 0) != (rule == _SAME):
                continue
            if n_inner < _INNER:
                n_inner = _extend(inner, n_inner, rule, product, left, left_own, right)
            else:
                n_outer = _extend(outer, n_outer, rule, product, left, left_own, right)
    return inner[:, :n_inner], outer[:, :n_outer]


@part
def _scale(values):
    """Divide the values by the largest one; return it."""
    largest = 0.0
    for value in values:
        largest = max(largest, value)
    for at in range(len(values)):
        values[at] /= largest
    return largest


@part
def _step(s, n_tables, tables, plan):
    """Terms of one step, see `_terms_of`."""
    a, b, v = plan.left[s], plan.right[s], plan.variable[s]
    scope, caused = np.empty((2, 2, plan.scope.shape[1]), np.uint64)
    for w in range(plan.scope.shape[1]):
        scope[0, w], scope[1, w] = plan.scope[a, w], plan.scope[b, w]
        caused[0, w], caused[1, w] = plan.caused[a, w], plan.caused[b, w]
    other = tables.exchange[v] if plan.is_exchange[s] else -1
    return _terms_of(v, other, plan.scope[n_tables + s], scope, caused, plan.n_terms[s])


@kernel
def _multiply(product, left, right, inner, outer):
    """Add all terms of a product to its table."""
    to_product, from_left, from_right = inner[0], inner[1], inner[2]
    for h in range(outer.shape[1]):
        m, a, b = outer[0, h], outer[1, h], outer[2, h]
        for t in range(inner.shape[1]):
            product[m + to_product[t]] += left[a + from_left[t]] * right[b + from_right[t]]


@kernel
def _multiply_back(product_grad, left, right, left_grad, right_grad, inner, outer):
    """Propagate derivatives from a product to both of its factors."""
    to_product, from_left, from_right = inner[0], inner[1], inner[2]
    for h in range(outer.shape[1]):
        m, a, b = outer[0, h], outer[1, h], outer[2, h]
        for t in range(inner.shape[1]):
            grad = product_grad[m + to_product[t]]
            at_left, at_right = a + from_left[t], b + from_right[t]
            left_grad[at_left] += grad * right[at_right]
            right_grad[at_right] += grad * left[at_left]


@part
def _begin_values(n_tables, tables, plan):
    """Values of all tables, 0 for products not yet made, and the start of each table."""
    first = np.zeros(len(plan.scope) + 1, np.int64)
    for t in range(len(plan.scope)):
        first[t + 1] = first[t] + (1 << size(plan.scope[t]))
    values = np.zeros(first[-1])
    for t in range(n_tables):
        for place in range(first[t], first[t + 1]):
            values[place] = tables.value[t, place - first[t]]
    return values, first


@part
def _marginals(values, grads, first, of_topic, state):
    """Probability of every topic: the share of its table's "on" entry in the total sum."""
    probability = np.empty(len(state))
    for k in range(len(state)):
        if state[k] == FREE:
            off = first[of_topic[k]]
            is_off, is_on = values[off] * grads[off], values[off + 1] * grads[off + 1]
            probability[k] = is_on / (is_off + is_on)
        else:
            probability[k] = state[k]
    return probability


@kernel
def sum_states(factors, tables, plan):
    """Probability of every topic and log-probability of the evidence in nats, by a plan.

    Some results are not finite if the values exceed the range of floating point.
    """
    n_tables, n_steps = len(tables.scope), len(plan.left)
    values, first = _begin_values(n_tables, tables, plan)
    grads, scale, total = np.zeros(len(values)), np.ones(n_steps), factors.log_scale
    for k in range(len(factors.state)):
        if factors.state[k] == HELD_ON:
            total -= factors.silence[k]
    for s in range(n_steps):
        out = n_tables + s
        inner, outer = _step(s, n_tables, tables, plan)
        product = values[first[out] : first[out + 1]]
        left, right = values[first[plan.left[s]] :], values[first[plan.right[s]] :]
        _multiply(product, left, right, inner, outer)
        scale[s] = _scale(product)
        total += log(scale[s])
        if len(product) == 1:
            grads[first[out]] = 1.0
    for s in range(n_steps - 1, -1, -1):
        out, a, b = n_tables + s, first[plan.left[s]], first[plan.right[s]]
        inner, outer = _step(s, n_tables, tables, plan)
        grad = grads[first[out] : first[out + 1]]
        for place in range(len(grad)):
            grad[place] /= scale[s]
        _multiply_back(grad, values[a:], values[b:], grads[a:], grads[b:], inner, outer)
    return _marginals(values, grads, first, tables.of_topic, factors.state), total
