"""Why a topic is on or off: every message that reaches it, adding up to its log-odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from core.errors import InputError
from core.inference import Posterior, local_problem
from core.kernels.bounds import CLIP, LocalWeights, log_on
from core.kernels.exact import expected_terms
from core.kernels.exponentials import exponential_sum
from core.kernels.local_model import LocalGraph
from core.kernels.tables import build_tables
from core.network import FloatArray, Network

Source = Literal["chance", "parent", "child", "token", "absent"]


@dataclass(frozen=True)
class Message:
    """One reason for a topic to be on (above 0) or off (below 0).

    Attributes
    ----------
    source : {"chance", "parent", "child", "token", "absent"}
        ``absent`` is a word that was said to be absent, or, without a node, all other words and
        topics below that are not there.
    node : int or None
        Number of the topic, or of the token in the vocabulary; None for chance and for what is
        not named.
    log_odds : float
        What it adds to the log-odds of the topic, in nats.
    """

    source: Source
    node: int | None
    log_odds: float


def explain(network: Network, posterior: Posterior, topic: int) -> list[Message]:
    """Messages that reach a topic under the exact mean-field posterior (MATH §4).

    They add up to the topic's log-odds given all others, which at the fixed point of the
    inference are those of its probability. What parents do together is shared out in proportion
    to weight times probability.

    Parameters
    ----------
    network : Network
    posterior : Posterior
        Of `infer` with the exact bound.
    topic : int
        Number of a topic in the posterior's local model.

    Raises
    ------
    InputError
        If the topic has no part in the local model.
    """
    position = int(np.searchsorted(posterior.local.topics, topic))
    if position >= len(posterior.local.topics) or posterior.local.topics[position] != topic:
        raise InputError(f"topic {topic} has no word of the query below it; choose another")
    field = _converged_field(network, posterior)
    local, weights = field.local, field.weights
    by_chance = float(log_on(weights.w0[position]))
    children = slice(local.child_ptr[position], local.child_ptr[position + 1])
    local_weight = weights.w[local.child_edge[children]].sum()
    named = _absent_messages(network, posterior.evidence.absent, topic)
    not_named = local_weight - weights.W[position] - sum(message.log_odds for message in named)
    return [
        Message("chance", None, by_chance + float(weights.w0[position])),
        *_parent_messages(field, position, by_chance),
        *_child_messages(field, position, network.graph.n_topics),
        *named,
        Message("absent", None, float(not_named)),
    ]


def _absent_messages(network: Network, absent: tuple[int, ...], topic: int) -> list[Message]:
    """What each word that was said to be absent takes from a topic that would bring it."""
    graph = network.graph
    edges = graph.child_edge[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
    weight = dict(zip(graph.children(topic).tolist(), network.weight[edges].tolist(), strict=True))
    nodes = {token: graph.n_topics + token for token in absent}
    return [
        Message("absent", token, -weight[node]) for token, node in nodes.items() if node in weight
    ]


class _Field(NamedTuple):
    """A local model at its fixed point: q, t and P of the kernels' glossary."""

    local: LocalGraph
    weights: LocalWeights
    activation: FloatArray
    survival: FloatArray
    expected: FloatArray
    error: float


def _converged_field(network: Network, posterior: Posterior) -> _Field:
    local, weights = local_problem(network, posterior.evidence)
    on = np.ones(len(local.node) - local.n_topics)
    # A topic held on or off stays as far from certainty as a free one can get.
    probability = np.clip(posterior.probability, CLIP, 1.0 - CLIP)
    activation = np.concatenate([probability, on])
    terms = build_tables(weights.w, weights.w0, exponential_sum()).exact
    expected = np.empty_like(terms.chance)
    expected_terms(local, terms, activation, expected)
    return _Field(local, weights, activation, terms.t, expected, terms.error)


def _parent_messages(field: _Field, position: int, by_chance: float) -> list[Message]:
    """What parents do together, shared out by weight times probability."""
    local = field.local
    edges = slice(local.parent_ptr[position], local.parent_ptr[position + 1])
    parents = local.parent[edges]
    pull = field.weights.w[edges] * field.activation[parents]
    joint = field.expected[position].sum() - field.error - by_chance
    shares = pull / pull.sum() if pull.sum() > 0 else np.zeros(len(pull))
    return [
        Message("parent", int(local.node[parent]), float(own + share * joint))
        for parent, own, share in zip(parents, pull, shares, strict=True)
    ]


def _child_messages(field: _Field, position: int, n_topics: int) -> list[Message]:
    """What each local child says: its gain if it is on, less the price of it being off."""
    local, weight, activation = field.local, field.weights.w, field.activation
    messages = []
    for slot in range(local.child_ptr[position], local.child_ptr[position + 1]):
        e, child = local.child_edge[slot], local.child[slot]
        survived = 1.0 - activation[position] + activation[position] * field.survival[e]
        jump = (field.expected[child] * (field.survival[e] - 1.0) / survived).sum()
        log_odds = float(activation[child] * (weight[e] + jump) - weight[e])
        node = int(local.node[child])
        if child < local.n_topics:
            messages.append(Message("child", node, log_odds))
        else:
            messages.append(Message("token", node - n_topics, log_odds))
    return messages
