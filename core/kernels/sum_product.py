"""Loopy belief propagation (sum-product) for noisy-OR networks on the local model (MATH §10.1).

The result is exact if the local model is a tree, and an approximation otherwise. It defines the
proposal in `orrery.core.kernels.importance_sampling`. All sums have positive terms, so no precision
is lost for nodes that are almost certainly off or on.
"""

from __future__ import annotations

from math import exp, floor, log, log1p, sqrt
from typing import NamedTuple

import numpy as np

from .compiling import borrowing_kernel, kernel, part
from .local_model import FREE, HELD_ON

# Maximum number of sweeps up and down; after SWEEPS_BEFORE_DAMPING messages are damped by one half,
# so that oscillating messages converge.
MAX_SWEEPS = 60
SWEEPS_BEFORE_DAMPING = 15
# Messages are kept as odds, because a logarithm takes longer than the rest of a message. They stay
# between this number and its inverse. The odds of a topic, a product of many messages, may be
# beyond the numbers of the machine: they are a number in this range times a power of this number.
LARGEST_ODDS = 2.0**332
# The same limit in nats of log-odds, below which differences of messages stay finite.
MAX_MESSAGE = log(LARGEST_ODDS)
# Powers beyond this have odds that no message can change.
LARGEST_POWER = 3.0
# Lower limit of the probability that a node is off, so that ratios of probabilities stay finite.
MIN_OFF = 1e-280


class Beliefs(NamedTuple):
    """Messages at the end of belief propagation, in nats of log-odds."""

    # float64 (n_topics,): belief in each topic: the sum of ``-silence``, ``above`` and the
    # ``upward`` messages of the edges to its children
    log_odds: np.ndarray
    # float64 (n_topics,): message to a topic from its own factor: its leak and its parents
    above: np.ndarray
    upward: np.ndarray  # float64 (n_edges,): message from the child of an edge to its parent


# Columns of the tables below, which keep the numbers that a message needs side by side. Columns
# `_UPWARD` and `_ABOVE` are odds. The odds of a topic are column `_ODDS` divided by column
# `_SCALE`, which is `LARGEST_ODDS` to the negative power of column `_POWER`.
_EFFECT, _SURVIVAL, _UPWARD, _ACTS, _BEFORE_ON, _BEFORE_OFF = range(6)
_LEAK_ON, _LEAK_OFF, _ABOVE, _ODDS, _SCALE, _POWER, _OLD_PROBABILITY = range(7)


@part
def logistic(log_odds):
    """1 / (1 + exp(-x)), above 0."""
    return 1.0 / (1.0 + exp(-max(log_odds, -700.0)))


@part
def log_logistic(log_odds):
    """Logarithm of `logistic`."""
    return min(log_odds, 0.0) - log1p(exp(-abs(log_odds)))


@part
def topic_probability(state, log_odds):
    """Probability of a topic with these log-odds, or its state if it is held."""
    return logistic(log_odds) if state == FREE else float(state)


@part
def _clipped(odds):
    return min(max(odds, 1.0 / LARGEST_ODDS), LARGEST_ODDS)


@part
def _belief(k, message, state, nodes):
    """Probability of topic k without a message (odds), or its state if it is held."""
    odds = nodes[k, _ODDS]
    return odds / (odds + message * nodes[k, _SCALE]) if state[k] == FREE else float(state[k])


@part
def _scale_of(power):
    return LARGEST_ODDS ** -min(max(power, -LARGEST_POWER), LARGEST_POWER)


@part
def _multiply_odds(k, factor, nodes):
    """Multiply the odds of topic k, and move powers of `LARGEST_ODDS` to the scale."""
    odds = nodes[k, _ODDS] * factor
    while odds > LARGEST_ODDS or odds < 1.0 / LARGEST_ODDS:
        power = 1.0 if odds > 1.0 else -1.0
        odds *= LARGEST_ODDS**-power
        nodes[k, _POWER] += power
        nodes[k, _SCALE] = _scale_of(nodes[k, _POWER])
    nodes[k, _ODDS] = odds


@part
def _message(if_on, if_off, old, step):
    """Message (odds) that goes a part ``step``, 1 or 1/2, of the way from the old one in nats."""
    new = min(max(if_on / if_off, 1.0 / LARGEST_ODDS), LARGEST_ODDS)
    return new if step == 1.0 else sqrt(new * old)


@part
def _gather_causes(i, parent_ptr, parent, state, edges, nodes):
    """Compute how likely each parent of node i acts; return the probabilities of "on" and "off"."""
    on, off = nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF]
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        k = parent[e]
        # The parent's belief without the message from this node.
        acts = _belief(k, edges[e, _UPWARD], state, nodes) * edges[e, _EFFECT]
        edges[e, _ACTS], edges[e, _BEFORE_ON], edges[e, _BEFORE_OFF] = acts, on, off
        on += off * acts
        off *= 1.0 - acts
    return on, max(off, MIN_OFF)


@part
def _send_downward(i, on, off, step, nodes):
    """Send node i, a topic, the message of its leak and parents."""
    old = nodes[i, _ABOVE]
    message = _message(on, off, old, step)
    _multiply_odds(i, message / old, nodes)
    nodes[i, _ABOVE] = message


@part
def _send_upward(i, below, step, parent_ptr, parent, edges, nodes):
    """Send a message to every parent of node i, from the node and its other causes."""
    after_on, after_off = 0.0, 1.0
    for e in range(parent_ptr[i + 1] - 1, parent_ptr[i] - 1, -1):
        acts, old = edges[e, _ACTS], edges[e, _UPWARD]
        others_off = max(edges[e, _BEFORE_OFF] * after_off, MIN_OFF)
        others_on = edges[e, _BEFORE_ON] + edges[e, _BEFORE_OFF] * after_on
        on_with_parent = others_on + others_off * edges[e, _EFFECT]
        off_with_parent = others_off * edges[e, _SURVIVAL]
        if_on = below * on_with_parent + (1.0 - below) * off_with_parent
        if_off = below * others_on + (1.0 - below) * others_off
        message = _message(if_on, if_off, old, step)
        _multiply_odds(parent[e], message / old, nodes)
        edges[e, _UPWARD] = message
        after_on = acts + (1.0 - acts) * after_on
        after_off *= 1.0 - acts


@part
def _record_change(k, turn, tolerance, state, nodes, changed_at):
    """Record the turn if the probability of topic k has changed; return whether it has."""
    probability = _belief(k, 1.0, state, nodes)
    has_changed = abs(probability - nodes[k, _OLD_PROBABILITY]) > tolerance
    if has_changed:
        nodes[k, _OLD_PROBABILITY] = probability
        changed_at[k] = turn
    return has_changed


@part
def _is_due(i, last_turn, parent_ptr, parent, changed_at):
    """Return whether a topic of the factor of node i has changed during or after its last turn.

    The factor checks its parents, because a node has fewer parents than a topic has children.
    """
    is_due = i < len(changed_at) and changed_at[i] >= last_turn
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        is_due |= changed_at[parent[e]] >= last_turn
    return is_due


@part
def _pass_messages(i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, changed_at):
    """Send all messages of the factor of node i; return whether a belief has changed."""
    has_changed = False
    on, off = _gather_causes(i, parent_ptr, parent, state, edges, nodes)
    below = 1.0
    if i < len(state):
        _send_downward(i, on, off, step, nodes)
        below = _belief(i, nodes[i, _ABOVE], state, nodes)
        has_changed = _record_change(i, turn, tolerance, state, nodes, changed_at)
    _send_upward(i, below, step, parent_ptr, parent, edges, nodes)
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        has_changed |= _record_change(parent[e], turn, tolerance, state, nodes, changed_at)
    return has_changed


@borrowing_kernel
def _sweep(
    first,
    end,
    turn,
    tolerance,
    step,
    parent_ptr,
    parent,
    state,
    edges,
    nodes,
    changed_at,
    last_turn,
):
    """Send the messages of several factors; return the last turn and whether a belief changed.

    Positions from ``first`` to ``end`` are those of a whole sweep: upward over all nodes, then
    downward over the topics, because words send no messages downward. A factor is skipped while no
    topic around it has changed by more than ``tolerance``; if this is negative, none is skipped.
    """
    n_nodes, has_changed = len(last_turn), False
    for position in range(first, end):
        i = n_nodes - 1 - position if position < n_nodes else position - n_nodes
        if _is_due(i, last_turn[i], parent_ptr, parent, changed_at):
            turn += 1
            last_turn[i] = turn
            has_changed |= _pass_messages(
                i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, changed_at
            )
    return turn, has_changed


@part
def _start_tables(local, factors):
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = np.ones((len(local.parent), 6)), np.ones((n_nodes, 7))
    # Loops, because assignments to slices take long to compile.
    for e in range(len(local.parent)):
        edges[e, _EFFECT], edges[e, _SURVIVAL] = factors.effect[e], factors.survival[e]
    for i in range(n_nodes):
        nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF] = factors.leak_on[i], factors.leak_off[i]
    for k in range(n_topics):
        power = -floor(factors.silence[k] / MAX_MESSAGE)
        nodes[k, _ODDS] = exp(-factors.silence[k] - power * MAX_MESSAGE)
        nodes[k, _POWER], nodes[k, _SCALE] = power, _scale_of(power)
        nodes[k, _OLD_PROBABILITY] = _belief(k, 1.0, factors.state, nodes)
    return edges, nodes


@part
def _beliefs_of(n_topics, edges, nodes):
    log_odds, above = np.empty(n_topics, np.float64), np.empty(n_topics, np.float64)
    upward = np.empty(len(edges), np.float64)
    for k in range(n_topics):
        log_odds[k] = log(nodes[k, _ODDS]) + nodes[k, _POWER] * MAX_MESSAGE
        above[k] = log(nodes[k, _ABOVE])
    for e in range(len(edges)):
        upward[e] = log(edges[e, _UPWARD])
    return Beliefs(log_odds, above, upward)


@kernel
def propagate_briefly(local, factors, n_rounds):
    """Beliefs after a fixed number of rounds of messages, down and up, converged or not."""
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    arrays = local.parent_ptr, local.parent, factors.state, edges, nodes
    turn, last_turn = 0, np.zeros(n_nodes, np.int64)
    changed_at = np.zeros(n_topics, np.int64)
    for _ in range(n_rounds):
        for first, end in ((n_nodes, n_nodes + n_topics), (0, n_nodes)):
            turn, _ = _sweep(first, end, turn, -1.0, 1.0, *arrays, changed_at, last_turn)
    return _beliefs_of(n_topics, edges, nodes)


@kernel
def _converge(local, factors, tolerance):
    """Tables of `propagate` at the end, and whether the beliefs converged."""
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    arrays = local.parent_ptr, local.parent, factors.state, edges, nodes
    # Turns count from 1, so a factor that has had no turn is always due.
    turn, last_turn = 0, np.zeros(n_nodes, np.int64)
    changed_at = np.zeros(n_topics, np.int64)
    # The first half-sweep runs downward: every topic receives the message of its leak and parents.
    first, end, has_converged = n_nodes, n_nodes + n_topics, False
    for sweep in range(MAX_SWEEPS):
        step = 1.0 if sweep < SWEEPS_BEFORE_DAMPING else 0.5
        turn, has_changed = _sweep(
            first, end, turn, tolerance, step, *arrays, changed_at, last_turn
        )
        if first > 0:
            # The first sweep upward visits all factors.
            first = 0
            for i in range(n_nodes):
                last_turn[i] = 0
        elif not has_changed:
            has_converged = True
            break
    return edges, nodes, has_converged


@kernel
def propagate(local, factors, tolerance):
    """Pass messages up and down until no belief changes by more than ``tolerance``.

    A factor is skipped while no topic around it has changed by more than ``tolerance``. The result
    is the `Beliefs`, and whether they converged before the maximum number of sweeps.
    """
    edges, nodes, has_converged = _converge(local, factors, tolerance)
    return _beliefs_of(local.n_topics, edges, nodes), has_converged


@kernel
def propagated_probabilities(local, factors, tolerance):
    """Probability of every topic after `propagate`, without its messages; shape (n_topics,)."""
    _, nodes, _ = _converge(local, factors, tolerance)
    probability = np.empty(local.n_topics, np.float64)
    for k in range(local.n_topics):
        probability[k] = _belief(k, 1.0, factors.state, nodes)
    return probability


@part
def probability_above(e, local, factors, beliefs):
    """Probability that the parent of an edge is on, without the message from the child."""
    k = local.parent[e]
    return topic_probability(factors.state[k], beliefs.log_odds[k] - beliefs.upward[e])


@part
def probability_below(i, local, factors, beliefs):
    """Probability that node i is on, without the message from its leak and parents."""
    if i >= local.n_topics:
        probability = 1.0
    else:
        probability = topic_probability(factors.state[i], beliefs.log_odds[i] - beliefs.above[i])
    return probability


@kernel
def belief_probabilities(factors, beliefs):
    """Probability of every topic by its belief, shape (n_topics,)."""
    probability = np.empty(len(beliefs.log_odds))
    for k in range(len(probability)):
        probability[k] = topic_probability(factors.state[k], beliefs.log_odds[k])
    return probability


@kernel
def bethe_log_probability(local, factors, beliefs):
    """Bethe approximation of the log-probability of the evidence, in nats; exact on trees.

    The sum of the log-normalisers of factors and topics minus the log-normalisers of the edges
    between them, with messages normalised to a sum of 1 (Yedidia, Freeman and Weiss 2005).
    """
    total = factors.log_scale
    for i in range(len(local.node)):
        below, off = probability_below(i, local, factors, beliefs), factors.leak_off[i]
        on = factors.leak_on[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            above = probability_above(e, local, factors, beliefs)
            on += off * above * factors.effect[e]
            off *= 1.0 - above * factors.effect[e]
            message = logistic(beliefs.upward[e])
            total -= log(above * message + (1.0 - above) * (1.0 - message))
        total += log(below * on + (1.0 - below) * off)
        if i < local.n_topics:
            message = logistic(beliefs.above[i])
            total += _topic_log_normaliser(i, local, factors, beliefs)
            total -= log(below * message + (1.0 - below) * (1.0 - message))
    return total


@part
def _topic_log_normaliser(k, local, factors, beliefs):
    """Log of the sum over the states of topic k of the product of its incoming messages."""
    on, off = log_logistic(beliefs.above[k]) - factors.silence[k], log_logistic(-beliefs.above[k])
    for slot in range(local.child_ptr[k], local.child_ptr[k + 1]):
        message = beliefs.upward[local.child_edge[slot]]
        on += log_logistic(message)
        off += log_logistic(-message)
    if factors.state[k] != FREE:
        total = on if factors.state[k] == HELD_ON else off
    else:
        top = max(on, off)
        total = top + log(exp(on - top) + exp(off - top))
    return total
