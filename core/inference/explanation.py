"""Why a topic is on or off: every message that reaches it, and what each piece of evidence does.

Which topic put a word into a document: the share of every cause in a word that is present.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.special import expit

from ..kernels.factors import FREE, Factors, local_factors
from ..kernels.local_model import LocalGraph
from ..kernels.posterior import BELIEF_TOLERANCE
from ..kernels.sum_product import Beliefs, propagate
from ..model.network import Network
from ..utils.types import FloatArray
from .evidence import Evidence, held_states, local_problem
from .infer import infer
from .posterior import Estimate, Posterior

Source = Literal["chance", "parent", "child", "token", "absent", "together"]
Piece = Literal["present", "absent", "on", "off"]
Ask = Callable[[Network, Evidence], Posterior]

# With more pieces of evidence, leaving each out in turn would take too long.
MOST_PIECES = 8
# Beliefs and posterior differ clearly where they do by more than this many standard errors, and
# by more than could be seen in two digits.
CLEAR_ERRORS, CLEAR_DIFFERENCE = 2.0, 0.005


@dataclass(frozen=True)
class Message:
    """One reason for a topic to be on (above 0) or off (below 0).

    Attributes
    ----------
    source : {"chance", "parent", "child", "token", "absent", "together"}
        ``absent`` is a word that was said to be absent, or, without a node, all other words and
        topics below that are not there. ``together`` is what only looking at everything at once
        shows: the difference between the posterior and the sum of the others.
    node : int or None
        Number of the topic, or of the token in the vocabulary; None for what has no name.
    log_odds : float
        What it adds to the log-odds of the topic, in nats.
    itself : float or None
        Of a parent: its probability by everything but this topic, which is what the topic hears.
        Where it is low, the parent is on because of the topic, and no reason for it.
    """

    source: Source
    node: int | None
    log_odds: float
    itself: float | None = None


@dataclass(frozen=True)
class Omission:
    """What a topic would be without one piece of the evidence.

    Attributes
    ----------
    piece : {"present", "absent", "on", "off"}
        How the piece was known.
    node : int
        Number of the token in the vocabulary, or of the topic.
    without : Estimate
        Probability of the topic if nothing had been said of it.
    """

    piece: Piece
    node: int
    without: Estimate


def explain(network: Network, posterior: Posterior, topic: int) -> list[Message]:
    """Messages that reach a topic by sum-product (MATH §10.1), and what they leave out.

    All but ``together`` add up to the log-odds of the topic's belief; with it, to those of its
    probability. There is one only where the two differ clearly. What parents do together with
    chance is shared out among them in proportion to the weights with which each would do it alone.

    Parameters
    ----------
    network : Network
    posterior : Posterior
        Of `infer`.
    topic : int
        Number of a topic in the posterior's local model.

    Raises
    ------
    InputError
        If the topic has no part in the local model.
    """
    k = posterior.position(topic)
    local, weights = local_problem(network, posterior.evidence)
    factors = local_factors(local, weights, held_states(local, posterior.evidence))
    beliefs, _ = propagate(local, factors, BELIEF_TOLERANCE)
    named = _absent_messages(network, posterior.evidence.absent, topic)
    # Rounding may leave a trace of what was named, or of nothing at all.
    not_named = -float(factors.silence[k]) - sum(message.log_odds for message in named)
    return [
        *_messages_from_above(k, local, factors, beliefs),
        *_messages_from_below(k, local, beliefs, network.graph.n_topics),
        *named,
        Message("absent", None, not_named),
        *_together(posterior, k, float(beliefs.log_odds[k])),
    ]


def _messages_from_above(
    k: int, local: LocalGraph, factors: Factors, beliefs: Beliefs
) -> list[Message]:
    """What chance alone would say, and what parents add to it."""
    by_chance = float(np.log(factors.leak_on[k] / factors.leak_off[k]))
    edges = slice(local.parent_ptr[k], local.parent_ptr[k + 1])
    parents = local.parent[edges]
    above = _chance_above(parents, beliefs.upward[edges], factors, beliefs)
    pull = -np.log1p(-above * factors.effect[edges])
    shares = pull / pull.sum() if pull.sum() > 0 else np.zeros(len(pull))
    from_parents = float(beliefs.above[k]) - by_chance
    return [
        Message("chance", None, by_chance),
        *(
            Message("parent", int(local.node[parent]), float(share * from_parents), float(itself))
            for parent, share, itself in zip(parents, shares, above, strict=True)
        ),
    ]


def _chance_above(
    parents: np.ndarray, upward: FloatArray, factors: Factors, beliefs: Beliefs
) -> FloatArray:
    """Probability of parents, leaving out what their child says of them."""
    state = factors.state[parents]
    free = expit(beliefs.log_odds[parents] - upward)
    return np.asarray(np.where(state == FREE, free, state), np.float64)


def _messages_from_below(
    k: int, local: LocalGraph, beliefs: Beliefs, n_topics: int
) -> list[Message]:
    """What each topic and word below says."""
    messages = []
    for slot in range(local.child_ptr[k], local.child_ptr[k + 1]):
        child, node = local.child[slot], int(local.node[local.child[slot]])
        log_odds = float(beliefs.upward[local.child_edge[slot]])
        if child < local.n_topics:
            messages.append(Message("child", node, log_odds))
        else:
            messages.append(Message("token", node - n_topics, log_odds))
    return messages


def _absent_messages(network: Network, absent: tuple[int, ...], topic: int) -> list[Message]:
    """What each word that was said to be absent takes from a topic that would bring it."""
    graph = network.graph
    edges = graph.child_edge[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
    weight = dict(zip(graph.children(topic).tolist(), network.weight[edges].tolist(), strict=True))
    nodes = {token: graph.n_topics + token for token in absent}
    return [
        Message("absent", token, -weight[node]) for token, node in nodes.items() if node in weight
    ]


def _together(posterior: Posterior, k: int, belief: float) -> list[Message]:
    """What the posterior adds to the sum of all messages, where that can be told from noise."""
    topic, evidence = int(posterior.local.topics[k]), posterior.evidence
    if posterior.error is None or topic in evidence.on + evidence.off:
        return []
    probability, error = float(posterior.probability[k]), float(posterior.error[k])
    difference = probability - float(expit(belief))
    if abs(difference) <= CLEAR_ERRORS * error + CLEAR_DIFFERENCE:
        return []
    least = max(error, 1e-9)
    sure = min(max(probability, least), 1.0 - least)
    return [Message("together", None, float(np.log(sure / (1.0 - sure)) - belief))]


def leave_one_out(
    network: Network, posterior: Posterior, topic: int, ask: Ask = infer
) -> list[Omission]:
    """What the probability of a topic would be, had each piece of evidence not been said.

    The posterior is found anew without each: nothing is approximated but by its standard error.

    Parameters
    ----------
    network : Network
    posterior : Posterior
        Of `infer`.
    topic : int
        Number of a topic in its local model.
    ask : callable
        `infer`, or what remembers its answers: they are the same for every topic.

    Returns
    -------
    list of Omission
        Empty if there are more than `MOST_PIECES`, or if there is only one.

    Raises
    ------
    InputError
        If the topic has no part in the local model.
    """
    posterior.position(topic)
    evidence = posterior.evidence
    pieces: list[tuple[Piece, int]] = [
        (piece, node)
        for piece in ("present", "absent", "on", "off")
        for node in getattr(evidence, piece)
        if piece in ("present", "absent") or node != topic
    ]
    if not 1 < len(pieces) <= MOST_PIECES:
        return []
    return [
        Omission(piece, node, _probability_of(network, _without(evidence, piece, node), topic, ask))
        for piece, node in pieces
    ]


def _without(evidence: Evidence, piece: Piece, node: int) -> Evidence:
    """The evidence with one piece of it not said; in a closed world a word then is absent."""
    rest: dict[str, Any] = {piece: tuple(n for n in getattr(evidence, piece) if n != node)}
    return replace(evidence, **rest)


def _probability_of(network: Network, evidence: Evidence, topic: int, ask: Ask) -> Estimate:
    """Probability of a topic, whether the evidence reaches it or not."""
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
    """Shares of what may have switched each present word on; those of a word add up to 1.

    Attributes
    ----------
    chance : float64 array, shape (n_tokens,)
        Share of the leak, in the order of ``posterior.local.tokens``.
    topic : float64 csr_array, shape (n_tokens, n_topics)
        Share of each topic, as positions in ``posterior.local.topics``.
    """

    chance: FloatArray
    topic: sparse.csr_array


def word_causes(network: Network, posterior: Posterior) -> WordCauses:
    """Share of every parent, and of chance, in each present word of a local model.

    A noisy-OR node is on if at least one of independent Poisson causes strikes, each with its
    weight as rate (MATH §1: ``p(off) = exp(-a)``, ``a = w0 + sum_k w_k x_k``). Given that one
    strikes, parent k is the first with probability ``w_k x_k / a``. With the activations at their
    posterior means q, that is

        share of k = w_k q_k / (w0 + sum_l w_l q_l),    share of chance = w0 / (the same),

    exact where every q is 0 or 1, and the way in which `explain` shares out what
    parents do together.

    Parameters
    ----------
    network : Network
    posterior : Posterior
        Of evidence about this network.
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
    return WordCauses(chance=leak / total, topic=shares)
