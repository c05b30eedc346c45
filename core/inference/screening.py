"""Evidence that adds nothing about a topic once the rest of the evidence is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..model.graph import Graph
from ..model.network import Network
from ..utils.types import Int32Array
from .evidence import Evidence, ancestors
from .explanation import Ask, Omission, probability_given
from .infer import infer
from .posterior import Estimate, Posterior

# A piece of evidence: its state in the evidence, and the number of its token or topic.
Piece = tuple[str, int]
# Changes up to this probability do not show in two digits, and changes from this one on are clear.
MAX_CHANGE, MIN_CHANGE = 0.005, 0.05
# Standard errors by which a change must be below the one, or above the other.
N_ERRORS = 2.0


@dataclass(frozen=True)
class Screened:
    """A piece of evidence that adds nothing about a topic beside the rest of the evidence."""

    piece: str  # state of the node in the evidence
    node: int  # number of the token in the vocabulary, or of the topic
    # Pieces without any of which it would say something, by d-separation. Empty if it is connected
    # with the topic in no way, and for numbers alone.
    by: tuple[Piece, ...]
    # Probability of the topic before any evidence and with this piece alone, if the piece is not
    # screened off by the graph but adds less than `MAX_CHANGE`; None if the graph implies it.
    before: Estimate | None = None
    alone: Estimate | None = None


def screened_off(
    network: Network,
    posterior: Posterior,
    topic: int,
    omissions: Sequence[Omission],
    ask: Ask = infer,
) -> list[Screened]:
    """Pieces of evidence that add nothing about a topic, by the graph or by the numbers.

    By the graph (`is_separated`), the probability of the topic is the same without the piece,
    whatever the weights. By the numbers, it changes by at most `MAX_CHANGE`, although the piece
    alone changes it by at least `MIN_CHANGE`: the other pieces say the same already.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    topic : int
        Number of a topic in its local model that is not held on or off.
    omissions : sequence of Omission
        From `leave_one_out` for this topic.
    ask : callable
        `infer`, or a cached version.

    Returns
    -------
    list of Screened
        In the order of ``omissions``. Empty in a closed world, where leaving out a word makes it
        absent, and for a topic that is held.
    """
    evidence = posterior.evidence
    if evidence.closed_world or topic in evidence.on + evidence.off:
        return []
    known = posterior.any_of([topic]) if posterior.error is not None else None
    nothing = Evidence((), closed_world=False)
    found = []
    for omission in omissions:
        piece = omission.piece, omission.node
        if is_separated(network.graph, evidence, piece, topic):
            by = _screens(network.graph, evidence, piece, topic)
            found.append(Screened(*piece, by))
            continue
        if known is None or not _differ_by_at_most(omission.without, known, MAX_CHANGE):
            continue
        single: dict[str, Any] = {omission.piece: (omission.node,)}
        before = probability_given(network, nothing, topic, ask)
        alone = probability_given(network, replace(nothing, **single), topic, ask)
        if _differ_by_at_least(alone, before, MIN_CHANGE):
            found.append(Screened(*piece, (), before, alone))
    return found


def is_separated(graph: Graph, evidence: Evidence, piece: Piece, topic: int) -> bool:
    """Whether the rest of the evidence separates a piece of it from a topic, in an open world.

    This is d-separation in the moral graph of the ancestors, made sharper by a property of
    noisy-ORs: a node that is off multiplies one factor for each parent, so it does not make its
    parents dependent. Then the probability of the topic is the same with and without the piece,
    for all weights.
    """
    rest = _without(evidence, piece)
    on, off = {*rest.on}, {*rest.off}
    n_topics = graph.n_topics
    own = piece[1] if piece[0] in ("on", "off") else piece[1] + n_topics
    observed = [*on, *off, *(token + n_topics for token in (*rest.present, *rest.absent))]
    there = ancestors(graph, np.array([*observed, own, topic], np.int32))
    groups = _dependent(graph, there, on, off)
    groups += [_free(graph, token + n_topics, on, off) for token in rest.present]
    if own >= n_topics:
        groups.append([own, *_free(graph, own, on, off)])
    reached, grows = {own}, True
    while grows:
        touched = [group for group in groups if not reached.isdisjoint(group)]
        grows = not reached.issuperset(node for group in touched for node in group)
        reached.update(node for group in touched for node in group)
    return topic not in reached


def _dependent(graph: Graph, topics: Int32Array, on: set[int], off: set[int]) -> list[list[int]]:
    """Free topics that each of some topics makes dependent: its parents, and itself if free."""
    return [
        [*([] if node in on else [node]), *_free(graph, node, on, off)]
        for node in topics.tolist()
        if node not in off
    ]


def _free(graph: Graph, node: int, on: set[int], off: set[int]) -> list[int]:
    return [parent for parent in graph.parents(node).tolist() if parent not in on | off]


def _screens(graph: Graph, evidence: Evidence, piece: Piece, topic: int) -> tuple[Piece, ...]:
    """Pieces that a separated piece is screened off by.

    Those without any one of which it is not separated; or all topics that are held, if each of
    several suffices.
    """
    others = [other for other in pieces_of(evidence) if other != piece]
    needed = tuple(
        other
        for other in others
        if not is_separated(graph, _without(evidence, other), piece, topic)
    )
    if needed:
        return needed
    alone: dict[str, Any] = {piece[0]: (piece[1],)}
    nothing = Evidence((), closed_world=False)
    if is_separated(graph, replace(nothing, **alone), piece, topic):
        return ()
    return tuple(other for other in others if other[0] in ("on", "off"))


def pieces_of(evidence: Evidence) -> Iterator[Piece]:
    """All words and topics of the evidence with their states, but not the unknown words."""
    for state in ("present", "absent", "on", "off"):
        for node in getattr(evidence, state):
            yield state, node


def _without(evidence: Evidence, piece: Piece) -> Evidence:
    state, node = piece
    rest: dict[str, Any] = {state: tuple(n for n in getattr(evidence, state) if n != node)}
    return replace(evidence, **rest)


def _differ_by_at_most(one: Estimate, other: Estimate, limit: float) -> bool:
    return abs(one.value - other.value) + N_ERRORS * (one.error + other.error) <= limit


def _differ_by_at_least(one: Estimate, other: Estimate, limit: float) -> bool:
    return abs(one.value - other.value) - N_ERRORS * (one.error + other.error) >= limit
