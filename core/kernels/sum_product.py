"""Loopy belief propagation (sum-product) for noisy-OR networks on the local model (MATH §10.1).

The result is exact if the local model is a tree, and an approximation otherwise. It defines the
proposal in `orrery.core.kernels.importance_sampling`. All sums have positive terms, so no precision
is lost for nodes that are almost certainly off or on.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .local_model import FREE, HELD_ON

# Maximum number of sweeps up and down; after SWEEPS_BEFORE_DAMPING messages are damped by one half,
# so that oscillating messages converge.
MAX_SWEEPS = 60
SWEEPS_BEFORE_DAMPING = 15
# Limit on the absolute value of a message, in nats, so that differences of messages stay finite.
MAX_MESSAGE = 500.0
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


# Columns of the tables below. Access to a tuple of arrays counts references, which takes longer
# than a message; a table also keeps the numbers that a message needs side by side. `_OLD_LOG_ODDS`
# and `_OLD_PROBABILITY` belong to the last recorded change of a topic.
_EFFECT, _SURVIVAL, _UPWARD, _ACTS, _BEFORE_ON, _BEFORE_OFF = range(6)
_LEAK_ON, _LEAK_OFF, _ABOVE, _LOG_ODDS, _OLD_LOG_ODDS, _OLD_PROBABILITY = range(6)


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
def _clipped(message):
    return min(max(message, -MAX_MESSAGE), MAX_MESSAGE)


@part
def _gather_causes(i, parent_ptr, parent, state, edges, nodes):
    """Compute how likely each parent of node i acts; return the probabilities of "on" and "off"."""
    on, off = nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF]
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        k = parent[e]
        # The parent's belief without the message from this node.
        above = topic_probability(state[k], nodes[k, _LOG_ODDS] - edges[e, _UPWARD])
        acts = above * edges[e, _EFFECT]
        edges[e, _ACTS], edges[e, _BEFORE_ON], edges[e, _BEFORE_OFF] = acts, on, off
        on += off * acts
        off *= 1.0 - acts
    return on, max(off, MIN_OFF)


@part
def _send_upward(i, below, step, parent_ptr, parent, edges, nodes):
    """Send a message to every parent of node i, from the node and its other causes."""
    after_on, after_off = 0.0, 1.0
    for e in range(parent_ptr[i + 1] - 1, parent_ptr[i] - 1, -1):
        acts = edges[e, _ACTS]
        others_off = max(edges[e, _BEFORE_OFF] * after_off, MIN_OFF)
        others_on = edges[e, _BEFORE_ON] + edges[e, _BEFORE_OFF] * after_on
        on_with_parent = others_on + others_off * edges[e, _EFFECT]
        off_with_parent = others_off * edges[e, _SURVIVAL]
        if_on = below * on_with_parent + (1.0 - below) * off_with_parent
        if_off = below * others_on + (1.0 - below) * others_off
        change = step * (_clipped(log(if_on / if_off)) - edges[e, _UPWARD])
        edges[e, _UPWARD] += change
        nodes[parent[e], _LOG_ODDS] += change
        after_on = acts + (1.0 - acts) * after_on
        after_off *= 1.0 - acts


@part
def _record_change(k, turn, tolerance, state, nodes, changed_at):
    """Record the turn if the probability of topic k has changed; return whether it has."""
    log_odds, has_changed = nodes[k, _LOG_ODDS], False
    # The derivative of the logistic function is at most 1/4.
    if state[k] == FREE and abs(log_odds - nodes[k, _OLD_LOG_ODDS]) > 4.0 * tolerance:
        probability = logistic(log_odds)
        if abs(probability - nodes[k, _OLD_PROBABILITY]) > tolerance:
            nodes[k, _OLD_LOG_ODDS], nodes[k, _OLD_PROBABILITY] = log_odds, probability
            changed_at[k] = turn
            has_changed = True
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
        change = step * (_clipped(log(on / off)) - nodes[i, _ABOVE])
        nodes[i, _ABOVE] += change
        nodes[i, _LOG_ODDS] += change
        below = topic_probability(state[i], nodes[i, _LOG_ODDS] - nodes[i, _ABOVE])
        has_changed = _record_change(i, turn, tolerance, state, nodes, changed_at)
    _send_upward(i, below, step, parent_ptr, parent, edges, nodes)
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        has_changed |= _record_change(parent[e], turn, tolerance, state, nodes, changed_at)
    return has_changed


@part
def _start_tables(local, factors):
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = np.zeros((len(local.parent), 6)), np.zeros((n_nodes, 6))
    # Loops, because assignments to slices take long to compile.
    for e in range(len(local.parent)):
        edges[e, _EFFECT], edges[e, _SURVIVAL] = factors.effect[e], factors.survival[e]
    for i in range(n_nodes):
        nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF] = factors.leak_on[i], factors.leak_off[i]
    for k in range(n_topics):
        nodes[k, _LOG_ODDS] = nodes[k, _OLD_LOG_ODDS] = -factors.silence[k]
    return edges, nodes


@part
def _beliefs_of(n_topics, edges, nodes):
    log_odds, above = np.empty(n_topics, np.float64), np.empty(n_topics, np.float64)
    upward = np.empty(len(edges), np.float64)
    for k in range(n_topics):
        log_odds[k], above[k] = nodes[k, _LOG_ODDS], nodes[k, _ABOVE]
    for e in range(len(edges)):
        upward[e] = edges[e, _UPWARD]
    return Beliefs(log_odds, above, upward)


@kernel
def propagate_briefly(local, factors, n_rounds):
    """Beliefs after a fixed number of rounds of messages, converged or not.

    `propagate` checks every belief for convergence and takes several times as long.
    """
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    parent_ptr, parent, state = local.parent_ptr, local.parent, factors.state
    for _ in range(n_rounds):
        # Down over the topics only, since words send no messages downward, then up over all nodes.
        for turn in range(n_topics + n_nodes):
            i = turn if turn < n_topics else n_topics + n_nodes - 1 - turn
            # As in `_pass_messages`; a shared part would count references and take half as long
            # again.
            on, off = _gather_causes(i, parent_ptr, parent, state, edges, nodes)
            below = 1.0
            if i < n_topics:
                above = _clipped(log(on / off))
                nodes[i, _LOG_ODDS] += above - nodes[i, _ABOVE]
                nodes[i, _ABOVE] = above
                below = topic_probability(state[i], nodes[i, _LOG_ODDS] - above)
            _send_upward(i, below, 1.0, parent_ptr, parent, edges, nodes)
    return _beliefs_of(n_topics, edges, nodes)


@kernel
def propagate(local, factors, tolerance):
    """Pass messages up and down until no belief changes by more than ``tolerance``.

    A factor is skipped while no topic around it has changed by more than ``tolerance``. The result
    is the `Beliefs`, and whether they converged before the maximum number of sweeps.
    """
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    for k in range(n_topics):
        nodes[k, _OLD_PROBABILITY] = logistic(nodes[k, _OLD_LOG_ODDS])
    # Turns count from 1, so a factor that has had no turn is always due.
    turn, last_turn = 0, np.zeros(n_nodes, np.int64)
    changed_at = np.zeros(n_topics, np.int64)
    parent_ptr, parent, state = local.parent_ptr, local.parent, factors.state
    # The first half-sweep runs downward: every topic receives the message of its leak and parents.
    first, has_converged = n_nodes, False
    for sweep in range(MAX_SWEEPS):
        step = 1.0 if sweep < SWEEPS_BEFORE_DAMPING else 0.5
        has_changed = False
        for position in range(first, n_nodes + n_topics):
            i = n_nodes - 1 - position if position < n_nodes else position - n_nodes
            if _is_due(i, last_turn[i], parent_ptr, parent, changed_at):
                turn += 1
                last_turn[i] = turn
                has_changed |= _pass_messages(
                    i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, changed_at
                )
        if first > 0:
            # The first sweep upward visits all factors.
            first = 0
            for i in range(n_nodes):
                last_turn[i] = 0
        elif not has_changed:
            has_converged = True
            break
    return _beliefs_of(n_topics, edges, nodes), has_converged


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
