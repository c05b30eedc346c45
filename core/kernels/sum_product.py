"""Sum-product on the local model: loopy belief propagation for noisy-OR (MATH §10.1).

Exact where the local model is a tree; elsewhere close, and the guide of
`orrery.core.kernels.guided`. Every sum is of positive terms, so that no digit is lost where a node
is nearly always off, nor where it is nearly always on.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part
from .factors import FREE, HELD_ON

# Most ways up and down; from a certain one on messages move half of the way: what swings, settles.
MAX_SWEEPS = 60
SWEEPS_BEFORE_DAMPING = 15
# Messages stay within this, in nats, so that differences of them are numbers.
LARGEST_MESSAGE = 500.0
# A node as sure as this to be on is on; ratios of such chances must still be numbers.
SMALLEST_OFF = 1e-280


class Beliefs(NamedTuple):
    """Messages at the end of the passing, in nats of log-odds.

    Attributes
    ----------
    log_odds : float64 array, shape (n_topics,)
        Belief in each topic: ``-silence``, ``above`` and the ``upward`` messages of its child
        edges add up to it.
    above : float64 array, shape (n_topics,)
        What chance and its parents say of a topic.
    upward : float64 array, shape (n_edges,)
        What the child of an edge says to its parent.
    """

    log_odds: np.ndarray
    above: np.ndarray
    upward: np.ndarray


# Columns of the tables below. A tuple of arrays counts its references at every look into it, which
# takes longer than a message; a table has all that a message needs side by side. `_SETTLED` are the
# log-odds at which a topic last moved, `_CHANCE` is the chance of them.
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
    """Probability of a topic with these log-odds, or the state that it is held at."""
    return chance_of(log_odds) if state == FREE else float(state)


@part
def _clipped(message):
    return min(max(message, -LARGEST_MESSAGE), LARGEST_MESSAGE)


@part
def _gather_causes(i, parent_ptr, parent, state, edges, nodes):
    """Say of every parent of node i how likely it acts; returns the chances of "on" and "off"."""
    on, off = nodes[i, _LEAK_ON], nodes[i, _LEAK_OFF]
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        k = parent[e]
        # What the node itself has told a parent is left out.
        above = topic_chance(state[k], nodes[k, _LOG_ODDS] - edges[e, _UPWARD])
        acts = above * edges[e, _EFFECT]
        edges[e, _ACTS], edges[e, _BEFORE_ON], edges[e, _BEFORE_OFF] = acts, on, off
        on += off * acts
        off *= 1.0 - acts
    return on, max(off, SMALLEST_OFF)


@part
def _send_upward(i, below, step, parent_ptr, parent, edges, nodes):
    """Tell every parent of node i what the node, and its other causes, say of the parent."""
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
    """Note the turn if topic k has moved since it last did; returns whether."""
    log_odds, has_moved = nodes[k, _LOG_ODDS], False
    # No chance moves by more than a quarter of its log-odds.
    if state[k] == FREE and abs(log_odds - nodes[k, _SETTLED]) > 4.0 * tolerance:
        chance = chance_of(log_odds)
        if abs(chance - nodes[k, _CHANCE]) > tolerance:
            nodes[k, _SETTLED], nodes[k, _CHANCE] = log_odds, chance
            moved_at[k] = turn
            has_moved = True
    return has_moved


@part
def _is_due(i, last_turn, parent_ptr, parent, moved_at):
    """Whether a topic of the factor of node i has moved since its turn, or in it.

    A factor asks its parents: a node has fewer of them than a topic has children to tell.
    """
    is_due = i < len(moved_at) and moved_at[i] >= last_turn
    for e in range(parent_ptr[i], parent_ptr[i + 1]):
        is_due |= moved_at[parent[e]] >= last_turn
    return is_due


@part
def _pass_messages(i, turn, tolerance, step, parent_ptr, parent, state, edges, nodes, moved_at):
    """Send all messages of the factor of node i; returns whether a belief has moved."""
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
    """Tables of edges and nodes before any message."""
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
    """Beliefs after the messages have gone down and up so many times, settled or not.

    `propagate`, which looks after every belief to end early, takes several times as long.
    """
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    parent_ptr, parent, state = local.parent_ptr, local.parent, factors.state
    for _ in range(n_rounds):
        # Down over the topics, for words say nothing downward, then up over all nodes.
        for turn in range(n_topics + n_nodes):
            i = turn if turn < n_topics else n_topics + n_nodes - 1 - turn
            # As in `_pass_messages`; a part of its own counts references, and takes half as long
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
    """Pass messages up and down until no belief moves by more than ``tolerance``.

    A factor is passed over while nothing around it has moved by more than that.

    Returns
    -------
    beliefs : Beliefs
    has_settled : bool
        Whether it ended before the most sweeps.
    """
    n_nodes, n_topics = len(local.node), local.n_topics
    edges, nodes = _start_tables(local, factors)
    for k in range(n_topics):
        nodes[k, _CHANCE] = chance_of(nodes[k, _SETTLED])
    # Turns count from 1: a factor that has had none is due, whatever has moved.
    turn, last_turn = 0, np.zeros(n_nodes, np.int64)
    moved_at = np.zeros(n_topics, np.int64)
    parent_ptr, parent, state = local.parent_ptr, local.parent, factors.state
    # Every topic first hears what chance and its parents say: half a sweep, the way down.
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
            # The way up begins with all factors.
            first = 0
            last_turn[:] = 0
        elif not has_moved:
            has_settled = True
            break
    return _beliefs_of(n_topics, edges, nodes), has_settled


@part
def chance_above(e, local, factors, beliefs):
    """Probability that the parent of an edge is on, leaving out what the child says of it."""
    k = local.parent[e]
    return topic_chance(factors.state[k], beliefs.log_odds[k] - beliefs.upward[e])


@part
def chance_below(i, local, factors, beliefs):
    """Probability that node i is on, leaving out what chance and its parents say of it."""
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
    """Log-probability of the evidence by the Bethe approximation, in nats; exact on trees.

    The sum over factors and topics of the logs of their normalisers, less those of the edges
    between them (Yedidia, Freeman and Weiss 2005), with all messages scaled to add up to 1.
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
    """Log of the sum over the states of topic k of all messages that it gets."""
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
