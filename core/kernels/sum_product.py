"""Loopy belief propagation (sum-product) for noisy-OR networks on the local model (MATH §10.1).

The result is exact if the local model is a tree, and an approximation otherwise; it is also the
proposal of `orrery.core.kernels.guided`. All sums have positive terms, so no precision is lost for
nodes that are almost certainly off or on.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .factors import FREE, HELD_ON

# Maximum number of sweeps up and down; after SWEEPS_BEFORE_DAMPING messages are damped by one half,
# so that oscillating messages converge.
MAX_SWEEPS = 60
SWEEPS_BEFORE_DAMPING = 15
# Limit on the absolute value of a message, in nats, so that differences of messages stay finite.
LARGEST_MESSAGE = 500.0
# Lower limit of the probability that a node is off, so that ratios of probabilities stay finite.
SMALLEST_OFF = 1e-280


class Beliefs(NamedTuple):
    """Messages at the end of belief propagation, in nats of log-odds.

    Attributes
    ----------
    log_odds : float64 array, shape (n_topics,)
        Belief in each topic: the sum of ``-silence``, ``above`` and the ``upward`` messages of the
        edges to its children.
    above : float64 array, shape (n_topics,)
        Message to a topic from its own factor: its leak and its parents.
    upward : float64 array, shape (n_edges,)
        Message from the child of an edge to the parent.
    """

    log_odds: np.ndarray
    above: np.ndarray
    upward: np.ndarray


# Columns of the tables below. Access to a tuple of arrays counts references, which takes longer
# than a message; a table also keeps the numbers that a message needs side by side. `_SETTLED` is
# the log-odds at the last recorded change of a topic, `_CHANCE` the probability at these log-odds.
_EFFECT, _SURVIVAL, _UPWARD, _ACTS, _BEFORE_ON, _BEFORE_OFF = range(6)
_LEAK_ON, _LEAK_OFF, _ABOVE, _LOG_ODDS, _SETTLED, _CHANCE = range(6)


@part
def chance_of(log_odds):
    """1 / (1 + exp(-x)), above 0."""
    return 1.0 / (1.0 + exp(-max(log_odds, -700.0)))


@part
def log_chance(log_odds):
    """Logarithm of `chance_of`."""
    return min(log_odds, 0.0) - log1p(exp(-abs(log_odds)))


@part
def topic_chance(state, log_odds):
    """Probability of a topic with these log-odds, or its state if it is held."""
    return chance_of(log_odds) if state == FREE else float(state)


@part
def _clipped(message):
    return min(max(message, -LARGEST_MESSAGE), LARGEST_MESSAGE)


@part
def _gather_causes(i, parent_ptr, parent, state, edges, nodes):
    """Compute how likely each parent of node i acts; return the probabilities of "on" and "off"."""
    on, off = nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF]
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        k = parent[e]
        # The parent's belief without the message from this node.
        above = topic_chance(state[k], nodes[k, _LOG_ODDS] - edges[e, _UPWARD])
        acts = above * edges[e, _EFFECT]
        edges[e, _ACTS], edges[e, _BEFORE_ON], edges[e, _BEFORE_OFF] = acts, on, off
        on += off * acts
        off *= 1.0 - acts
    return on, max(off, SMALLEST_OFF)


@part
def _send_upward(i, below, step, parent_ptr, parent, edges, nodes):
    """Send a message to every parent of node i, from the node and its other causes."""
    after_on, after_off = 0.0, 1.0
    for e in range(parent_ptr[i + 1] - 1, parent_ptr[i] - 1, -1):
        acts = edges[e, _ACTS]
        others_off = max(edges[e, _BEFORE_OFF] * after_off, SMALLEST_OFF)
        others_on = edges[e, _BEFORE_ON] + edges[e, _BEFORE_OFF] * after_on
        with_on = others_on + others_off * edges[e, _EFFECT]
        with_off = others_off * edges[e, _SURVIVAL]
        if_on = below * with_on + (1.0 - below) * with_off
        if_off = below * others_on + (1.0 - below) * others_off
        moved = step * (_clipped(log(if_on / if_off)) - edges[e, _UPWARD])
        edges[e, _UPWARD] += moved
        nodes[parent[e], _LOG_ODDS] += moved
        after_on = acts + (1.0 - acts) * after_on
        after_off *= 1.0 - acts


@part
def _note_move(k, turn, tolerance, state, nodes, moved_at):
    """Record the turn if the probability of topic k has changed; return whether it has."""
    log_odds, has_moved = nodes[k, _LOG_ODDS], False
    # The derivative of the logistic function is at most 1/4.
    if state[k] == FREE and abs(log_odds - nodes[k, _SETTLED]) > 4.0 * tolerance:
        chance = chance_of(log_odds)
        if abs(chance - nodes[k, _CHANCE]) > tolerance:
            nodes[k, _SETTLED], nodes[k, _CHANCE] = log_odds, chance
            moved_at[k] = turn
            has_moved = True
    return has_moved


@part
def _is_due(i, last_turn, parent_ptr, parent, moved_at):
    """Return whether a topic of the factor of node i has changed during or after its last turn.

    The factor checks its parents, because a node has fewer parents than a topic has children.
    """
    is_due = i < len(moved_at) and moved_at[i] >= last_turn
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        is_due |= moved_at[parent[e]] >= last_turn
    return is_due


@part
def _pass_messages(i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, moved_at):
    """Send all messages of the factor of node i; return whether a belief has changed."""
    has_moved = False
    on, off = _gather_causes(i, parent_ptr, parent, state, edges, nodes)
    below = 1.0
    if i < len(state):
        moved = step * (_clipped(log(on / off)) - nodes[i, _ABOVE])
        nodes[i, _ABOVE] += moved
        nodes[i, _LOG_ODDS] += moved
        below = topic_chance(state[i], nodes[i, _LOG_ODDS] - nodes[i, _ABOVE])
        has_moved = _note_move(i, turn, tolerance, state, nodes, moved_at)
    _send_upward(i, below, step, parent_ptr, parent, edges, nodes)
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        has_moved |= _note_move(parent[e], turn, tolerance, state, nodes, moved_at)
    return has_moved


@part
def _start_tables(local, factors):
    """Tables of edges and nodes before the first message."""
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = np.zeros((len(local.parent), 6)), np.zeros((n_nodes, 6))
    edges[:, _EFFECT], edges[:, _SURVIVAL] = factors.effect, factors.survival
    nodes[:, _LEAK_ON], nodes[:, _LEAK_OFF] = factors.leak_on, factors.leak_off
    nodes[:n_topics, _LOG_ODDS] = nodes[:n_topics, _SETTLED] = -factors.silence
    return edges, nodes


@part
def _beliefs_of(n_topics, edges, nodes):
    return Beliefs(
        nodes[:n_topics, _LOG_ODDS].copy(),
        nodes[:n_topics, _ABOVE].copy(),
        edges[:, _UPWARD].copy(),
    )


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
                below = topic_chance(state[i], nodes[i, _LOG_ODDS] - above)
            _send_upward(i, below, 1.0, parent_ptr, parent, edges, nodes)
    return _beliefs_of(n_topics, edges, nodes)


@kernel
def propagate(local, factors, tolerance):
    """Pass messages up and down until no belief changes by more than ``tolerance``.

    A factor is skipped while no topic around it has changed by more than ``tolerance``.

    Returns
    -------
    beliefs : Beliefs
    has_settled : bool
        Whether the messages converged before the maximum number of sweeps.
    """
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    for k in range(n_topics):
        nodes[k, _CHANCE] = chance_of(nodes[k, _SETTLED])
    # Turns count from 1, so a factor that has had no turn is always due.
    turn, last_turn = 0, np.zeros(n_nodes, np.int64)
    moved_at = np.zeros(n_topics, np.int64)
    parent_ptr, parent, state = local.parent_ptr, local.parent, factors.state
    # The first half-sweep runs downward: every topic receives the message of its leak and parents.
    first, has_settled = n_nodes, False
    for sweep in range(MAX_SWEEPS):
        step = 1.0 if sweep < SWEEPS_BEFORE_DAMPING else 0.5
        has_moved = False
        for place in range(first, n_nodes + n_topics):
            i = n_nodes - 1 - place if place < n_nodes else place - n_nodes
            if _is_due(i, last_turn[i], parent_ptr, parent, moved_at):
                turn += 1
                last_turn[i] = turn
                has_moved |= _pass_messages(
                    i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, moved_at
                )
        if first > 0:
            # The first sweep upward visits all factors.
            first = 0
            last_turn[:] = 0
        elif not has_moved:
            has_settled = True
            break
    return _beliefs_of(n_topics, edges, nodes), has_settled


@part
def chance_above(e, local, factors, beliefs):
    """Probability that the parent of an edge is on, without the message from the child."""
    k = local.parent[e]
    return topic_chance(factors.state[k], beliefs.log_odds[k] - beliefs.upward[e])


@part
def chance_below(i, local, factors, beliefs):
    """Probability that node i is on, without the message from its leak and parents."""
    if i >= local.n_topics:
        chance = 1.0
    else:
        chance = topic_chance(factors.state[i], beliefs.log_odds[i] - beliefs.above[i])
    return chance


@kernel
def chance_of_beliefs(factors, beliefs):
    """Probability of every topic by its belief, shape (n_topics,)."""
    chance = np.empty(len(beliefs.log_odds))
    for k in range(len(chance)):
        chance[k] = topic_chance(factors.state[k], beliefs.log_odds[k])
    return chance


@kernel
def bethe_log_probability(local, factors, beliefs):
    """Bethe approximation of the log-probability of the evidence, in nats; exact on trees.

    The sum of the log-normalisers of factors and topics minus the log-normalisers of the edges
    between them, with messages normalised to a sum of 1 (Yedidia, Freeman and Weiss 2005).
    """
    total = factors.log_scale
    for i in range(len(local.node)):
        below, off = chance_below(i, local, factors, beliefs), factors.leak_off[i]
        on = factors.leak_on[i]
        for e in range(local.parent_ptr[i], local.parent_ptr[i + 1]):
            above = chance_above(e, local, factors, beliefs)
            on += off * above * factors.effect[e]
            off *= 1.0 - above * factors.effect[e]
            said = chance_of(beliefs.upward[e])
            total -= log(above * said + (1.0 - above) * (1.0 - said))
        total += log(below * on + (1.0 - below) * off)
        if i < local.n_topics:
            said = chance_of(beliefs.above[i])
            total += _topic_log_normaliser(i, local, factors, beliefs)
            total -= log(below * said + (1.0 - below) * (1.0 - said))
    return total


@part
def _topic_log_normaliser(k, local, factors, beliefs):
    """Log of the sum over the states of topic k of the product of its incoming messages."""
    on, off = log_chance(beliefs.above[k]) - factors.silence[k], log_chance(-beliefs.above[k])
    for slot in range(local.child_ptr[k], local.child_ptr[k + 1]):
        message = beliefs.upward[local.child_edge[slot]]
        on += log_chance(message)
        off += log_chance(-message)
    if factors.state[k] != FREE:
        total = on if factors.state[k] == HELD_ON else off
    else:
        top = max(on, off)
        total = top + log(exp(on - top) + exp(off - top))
    return total
