"""Explanations of a posterior: messages that reach a topic, leaving out evidence, word causes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import sparse

from ..data.query import SIGNS
from ..kernels.local_model import FREE, Factors, LocalGraph, local_factors
from ..kernels.posterior import BELIEF_TOLERANCE
from ..kernels.sum_product import Beliefs, propagate
from ..model.network import Network
from ..utils.lazy import LazyModule
from ..utils.types import FloatArray
from .evidence import Evidence, held_states, local_problem
from .infer import infer, kernels_for
from .posterior import Estimate, Posterior

if TYPE_CHECKING:
    import scipy.special as special
else:
    special = LazyModule("scipy.special")

Source = Literal["leak", "parent", "child", "token", "absent", "together"]
Ask = Callable[[Network, Evidence], Posterior]

# States of words and of topics that can be left out: all but the unknown words.
_WORD_PIECES, _TOPIC_PIECES = tuple(state for state in SIGNS if state != "unknown"), ("on", "off")
# With more pieces of evidence, leaving out each in turn takes too long.
MAX_PIECES = 8
# Beliefs and posterior differ clearly if the difference exceeds this number of standard errors plus
# this probability, which is visible in two digits.
CLEAR_ERRORS, CLEAR_DIFFERENCE = 2.0, 0.005


@dataclass(frozen=True)
class Message:
    """Contribution to the log-odds of a topic."""

    # ``leak`` is the leak. ``absent`` is a word given as absent, or, without a node, all other
    # nodes below the topic that are not present. ``together`` is the difference between the
    # posterior and the sum of the other messages.
    source: Source
    node: int | None  # number of the topic, or of the token in the vocabulary; None without a node
    log_odds: float  # contribution in nats; positive if the topic is more probable because of it
    # For a parent, its probability given everything but this topic, which its message is based on.
    # If it is low, the parent is on because of the topic, and not the reverse.
    itself: float | None = None


@dataclass(frozen=True)
class Omission:
    """Probability of a topic without one piece of evidence."""

    piece: str  # state of the node in the evidence
    node: int  # number of the token in the vocabulary, or of the topic
    without: Estimate  # probability of the topic if the state of the node is not given

    @property
    def is_word(self) -> bool:
        """Whether the piece is a word, not a clamped topic."""
        return self.piece in _WORD_PIECES


def explain(network: Network, posterior: Posterior, topic: int) -> list[Message]:
    """Messages of belief propagation that reach a topic (MATH §10.1), and their remainder.

    All messages but ``together`` add up to the log-odds of the topic's belief; with ``together``,
    to the log-odds of its posterior. ``together`` exists only if the two differ clearly. The
    joint effect of parents and leak is divided among the parents in proportion to the weights with
    which each alone has this effect.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    topic : int
        Number of a topic in the posterior's local model.

    Raises
    ------
    InputError
        If the topic is not in the local model.
    """
    k = posterior.position(topic)
    local, weights = local_problem(network, posterior.evidence)
    with kernels_for(local):
        factors = local_factors(local, weights, held_states(local, posterior.evidence))
        beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    # Each word given as absent lowers the log-odds of its parents by the weight of the edge.
    graph = network.graph
    edges = graph.child_edge[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
    weight = dict(zip(graph.children(topic).tolist(), network.weight[edges].tolist(), strict=True))
    nodes = {token: graph.n_topics + token for token in posterior.evidence.absent}
    named = [
        Message("absent", token, -weight[node]) for token, node in nodes.items() if node in weight
    ]
    # Rounding may leave a small rest even if every absent word is named.
    not_named = -float(factors.silence[k]) - sum(message.log_odds for message in named)
    return [
        *_messages_from_above(k, local, factors, beliefs),
        *_messages_from_below(k, local, beliefs, graph.n_topics),
        *named,
        Message("absent", None, not_named),
        *_together(posterior, k, float(beliefs.log_odds[k])),
    ]


def _messages_from_above(
    k: int, local: LocalGraph, factors: Factors, beliefs: Beliefs
) -> list[Message]:
    """Messages of the leak and of the parents."""
    by_leak = float(np.log(factors.leak_on[k] / factors.leak_off[k]))
    edges = slice(local.parent_ptr[k], local.parent_ptr[k + 1])
    parents = local.parent[edges]
    # Probability of each parent without the message from this topic.
    state = factors.state[parents]
    free = special.expit(beliefs.log_odds[parents] - beliefs.upward[edges])
    above = np.asarray(np.where(state == FREE, free, state), np.float64)
    pull = -np.log1p(-above * factors.effect[edges])
    shares = pull / pull.sum() if pull.sum() > 0 else np.zeros(len(pull))
    from_parents = float(beliefs.above[k]) - by_leak
    return [
        Message("leak", None, by_leak),
        *(
            Message("parent", int(local.node[parent]), float(share * from_parents), float(itself))
            for parent, share, itself in zip(parents, shares, above, strict=True)
        ),
    ]


def _messages_from_below(
    k: int, local: LocalGraph, beliefs: Beliefs, n_topics: int
) -> list[Message]:
    """Messages of the topics and words below."""
    messages = []
    for slot in range(local.child_ptr[k], local.child_ptr[k + 1]):
        child, node = local.child[slot], int(local.node[local.child[slot]])
        log_odds = float(beliefs.upward[local.child_edge[slot]])
        if child < local.n_topics:
            messages.append(Message("child", node, log_odds))
        else:
            messages.append(Message("token", node - n_topics, log_odds))
    return messages


def _together(posterior: Posterior, k: int, belief: float) -> list[Message]:
    """Difference between the posterior and the sum of all messages, if it exceeds the noise."""
    topic, evidence = int(posterior.local.topics[k]), posterior.evidence
    if posterior.error is None or topic in evidence.on + evidence.off:
        return []
    probability, error = float(posterior.probability[k]), float(posterior.error[k])
    difference = probability - float(special.expit(belief))
    if abs(difference) <= CLEAR_ERRORS * error + CLEAR_DIFFERENCE:
        return []
    smallest = max(error, 1e-9)
    clipped = min(max(probability, smallest), 1.0 - smallest)
    return [Message("together", None, float(np.log(clipped / (1.0 - clipped)) - belief))]


def leave_one_out(
    network: Network, posterior: Posterior, topic: int, ask: Ask = infer
) -> list[Omission]:
    """Probability of a topic without each piece of evidence.

    The posterior is computed again without each piece, so the only error is its standard error.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    topic : int
        Number of a topic in its local model.
    ask : callable
        `infer`, or a cached version: the posteriors are the same for every topic.

    Returns
    -------
    list of Omission
        Empty if there is only one piece, or more than `MAX_PIECES`.

    Raises
    ------
    InputError
        If the topic is not in the local model.
    """
    posterior.position(topic)
    evidence = posterior.evidence
    pieces: list[tuple[str, int]] = [
        (piece, node)
        for piece in (*_WORD_PIECES, *_TOPIC_PIECES)
        for node in getattr(evidence, piece)
        if piece in _WORD_PIECES or node != topic
    ]
    if not 1 < len(pieces) <= MAX_PIECES:
        return []
    found = []
    for piece, node in pieces:
        # In a closed world, a word whose state is not given is absent.
        rest: dict[str, Any] = {piece: tuple(n for n in getattr(evidence, piece) if n != node)}
        without = probability_given(network, replace(evidence, **rest), topic, ask)
        found.append(Omission(piece, node, without))
    return found


def probability_given(network: Network, evidence: Evidence, topic: int, ask: Ask) -> Estimate:
    """Probability of a topic, also if it is not in the local model of the evidence.

    ``ask`` is `infer`, or a cached version.
    """
    found = ask(network, evidence)
    if topic in found.local.topics:
        return found.any_of([topic])
    if evidence.closed_world:
        return Estimate(0.0, 0.0)
    # p(topic | evidence) = p(topic, evidence) / p(evidence)
    with_topic = ask(network, replace(evidence, on=(*evidence.on, topic)))
    value = float(np.exp(with_topic.log_probability - found.log_probability))
    errors = with_topic.log_probability_error or 0.0, found.log_probability_error or 0.0
    return Estimate(min(value, 1.0), value * float(np.hypot(*errors)))


@dataclass(frozen=True, eq=False)
class WordCauses:
    """Shares of the possible causes of each present word; they add up to 1 for each word."""

    # Shape (n_tokens,): share of the leak, in the order of ``posterior.local.tokens``.
    leak: FloatArray
    # Shape (n_tokens, n_topics): share of each topic, as positions in ``posterior.local.topics``.
    topic: sparse.csr_array


def word_causes(network: Network, posterior: Posterior) -> WordCauses:
    """Share of every parent, and of the leak, in each present word of a local model.

    A noisy-OR node is on if at least one of independent Poisson causes strikes, each with its
    weight as rate (MATH §1: ``p(off) = exp(-a)``, ``a = w0 + sum_k w_k x_k``). Given that one
    strikes, parent k is the first with probability ``w_k x_k / a``. With the activations at their
    posterior means q, this is

        share of k = w_k q_k / (w0 + sum_l w_l q_l),    share of the leak = w0 / (the same).

    The shares are exact if every q is 0 or 1; `explain` divides the joint effect of parents in the
    same way.
    """
    local = posterior.local
    n_topics, n_tokens = len(local.topics), len(local.tokens)
    is_word = local.edge_child >= n_topics
    parent, word = local.edge_parent[is_word], local.edge_child[is_word] - n_topics
    pull = network.weight[local.edge[is_word]] * posterior.probability[parent]
    leak = network.leak[network.graph.n_topics + local.tokens]
    total = leak + np.bincount(word, pull, minlength=n_tokens)
    shares = sparse.csr_array((pull / total[word], (word, parent)), shape=(n_tokens, n_topics))
    shares.sort_indices()
    return WordCauses(leak=leak / total, topic=shares)
