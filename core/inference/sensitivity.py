"""Sensitivity of an answer: derivatives of a topic's log-odds by weights and leaks (MATH §11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..kernels.local_model import HELD_OFF, HELD_ON, local_factors
from ..model.network import MAX_WEIGHT, MIN_LEAK, Network
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .elimination import slopes
from .evidence import held_states, local_problem
from .infer import MAX_EDGES, MAX_NODES, MAX_SMALL_TERMS, infer, kernels_for
from .posterior import Posterior

# Figures whose range is computed; each takes two queries.
N_FIGURES = 8


class Figure(NamedTuple):
    """A weight or a leak of the local model, and how the answer depends on it."""

    parent: int | None  # number of the topic above the edge; None for a leak
    node: int  # number of the child of the edge, or of the node of the leak, over all nodes
    value: float  # the weight or the leak
    slope: float  # derivative of the topic's log-odds by the weight or leak, in nats per unit
    # Probability of the topic with the values ``low`` and ``high``, all else the same.
    halved: float
    doubled: float
    # Half and twice the weight or leak, or the least or largest one of a model (`MIN_LEAK`,
    # `MAX_WEIGHT`) if that is beyond it.
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Derivatives of a topic's log-odds given the evidence.

    Attributes
    ----------
    topic : int
    probability : float
        Posterior probability of the topic.
    weight : float64 array, shape (n_edges of the network,)
        Derivative by every weight, 0 outside the local model.
    leak : float64 array, shape (n_nodes of the network,)
        Derivative by every leak, 0 outside the local model.
    figures : tuple of Figure
        The weights and leaks whose doubling changes the log-odds most, to first order.
    """

    topic: int
    probability: float
    weight: FloatArray
    leak: FloatArray
    figures: tuple[Figure, ...]


def sensitivity(
    network: Network, posterior: Posterior, topic: int, n_figures: int = N_FIGURES
) -> Sensitivity:
    """Derivatives of a topic's log-odds by every weight and leak of the local model.

    The log-odds are the difference of two log-probabilities of the evidence, with the topic held on
    and off. The derivatives of each are one backward pass through the elimination.

    Raises
    ------
    InputError
        If the topic is not in the local model or is held, or exact inference takes too long.
    """
    place = posterior.position(topic)
    evidence = posterior.evidence
    if topic in (*evidence.on, *evidence.off):
        raise InputError("the topic is held on or off, so no weight changes it; choose another")
    local, weights = local_problem(network, evidence)
    weight, leak = np.zeros(network.graph.n_edges), np.zeros(network.graph.n_nodes)
    on: dict[int, FloatArray] = {}
    for state, sign in ((HELD_ON, 1.0), (HELD_OFF, -1.0)):
        held = held_states(local, evidence)
        held[place] = state
        with kernels_for(local):
            factors = local_factors(local, weights, held)
        is_large = len(local.node) > MAX_NODES or len(local.parent) > MAX_EDGES
        found = None if is_large else slopes(local, factors, MAX_SMALL_TERMS)
        if found is None or not all(np.isfinite(part).all() for part in found):
            raise InputError(
                "the topics of this evidence are too closely linked for exact derivatives; use "
                "fewer words"
            )
        weight[local.edge] += sign * found[0]
        leak[local.node] += sign * found[1]
        on[state] = _probability(network, posterior, topic, state)
    _add_absent(network, posterior, on[HELD_ON] - on[HELD_OFF], weight, leak)
    return Sensitivity(
        topic=topic,
        probability=float(posterior.probability[place]),
        weight=weight,
        leak=leak,
        figures=_figures(network, posterior, topic, weight, leak, n_figures),
    )


def _probability(network: Network, posterior: Posterior, topic: int, state: int) -> FloatArray:
    """Probability of all topics with one held on or off."""
    evidence = posterior.evidence
    if state == HELD_ON:
        evidence = replace(evidence, on=(*evidence.on, topic))
    else:
        evidence = replace(evidence, off=(*evidence.off, topic))
    found = infer(network, evidence)
    probability = np.zeros(network.graph.n_topics)
    probability[found.local.topics] = found.probability
    return probability


def _add_absent(
    network: Network,
    posterior: Posterior,
    difference: FloatArray,
    weight: FloatArray,
    leak: FloatArray,
) -> None:
    """Add the derivatives by weights to nodes that are observed as absent.

    Each lowers the log-probability by the weight if its parent is on.
    """
    graph, evidence = network.graph, posterior.evidence
    is_absent = np.zeros(graph.n_nodes, bool)
    if evidence.closed_world:
        is_absent[:] = True
        known = np.array([*evidence.present, *evidence.unknown], np.int64)
        is_absent[known + graph.n_topics] = False
        is_absent[posterior.local.topics] = False
    else:
        is_absent[np.array(evidence.absent, np.int64) + graph.n_topics] = True
    is_local = np.zeros(graph.n_topics, bool)
    is_local[posterior.local.topics] = True
    into = is_absent[graph.edge_children()] & is_local[graph.parent_idx]
    weight[into] -= difference[graph.parent_idx[into]]


def _figures(
    network: Network,
    posterior: Posterior,
    topic: int,
    weight: FloatArray,
    leak: FloatArray,
    n_figures: int,
) -> tuple[Figure, ...]:
    graph, n_edges = network.graph, network.graph.n_edges
    effect = np.concatenate([weight * network.weight, leak * network.leak])
    order = np.argsort(-np.abs(effect), kind="stable")[:n_figures]
    figures = []
    for number in order[effect[order] != 0.0].tolist():
        is_edge = number < n_edges
        name, at = ("weight", number) if is_edge else ("leak", number - n_edges)
        least = 0.0 if is_edge else MIN_LEAK
        values = getattr(network, name)
        changed, tried = [], [min(max(values[at] * f, least), MAX_WEIGHT) for f in (0.5, 2.0)]
        for value in tried:
            other = values.copy()
            other[at] = value
            found = infer(replace(network, **{name: other}), posterior.evidence)
            changed.append(float(found.probability[found.position(topic)]))
        figures.append(
            Figure(
                parent=int(graph.parent_idx[at]) if is_edge else None,
                node=int(graph.edge_children()[at]) if is_edge else at,
                value=float(values[at]),
                slope=float((weight if is_edge else leak)[at]),
                halved=changed[0],
                doubled=changed[1],
                low=float(tried[0]),
                high=float(tried[1]),
            )
        )
    return tuple(figures)
