"""Probability of every word given the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.posterior import Rounds
from ..model.network import Network, network_of_edges, weight_to_probability
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int32Array, Int64Array
from .evidence import ancestors, local_graph, local_model
from .posterior import Posterior
from .sampling import combine_rounds, round_shares

# Rounds of samples used; words then have errors as small as topics.
MAX_ROUNDS = 4
# Numbers that are computed at once, 32 MB.
MAX_NUMBERS = 2**22


class WordProbabilities(NamedTuple):
    """Probability of every word, with its standard error; float64 arrays, shape (n_tokens,).

    The error is 0 if the samples are all states of the topics.
    """

    probability: FloatArray
    error: FloatArray


def predict_words(
    network: Network, posterior: Posterior, tokens: Sequence[int] | None = None
) -> WordProbabilities:
    """Probability of every word given the evidence; 1 or 0 for given words.

    In a closed world, only unknown words are predicted, whatever ``tokens`` are, and topics outside
    the local model are off. In an open world, only ``tokens`` are predicted, by default all; the
    others are NaN. A few words of a large model take much less time than all. Raises `InputError`
    if there is no such token, or if the posterior has no samples.
    """
    evidence, n_tokens = posterior.evidence, network.graph.n_tokens
    for token in tokens or ():
        if not 0 <= token < n_tokens:
            raise InputError(f"there is no token {token}; the model has {n_tokens} of them")
    chosen = evidence.unknown if evidence.closed_world else tokens
    if chosen is None:
        probability, error = words_of_topics(network, posterior)
    else:
        rest = 0.0 if evidence.closed_world else np.nan
        probability, error = np.full(n_tokens, rest), np.full(n_tokens, rest)
        order = sorted(set(chosen))
        above, rounds, topics = _part_above(network, posterior, order)
        probability[order], error[order] = _word_probabilities(
            above, rounds, topics, outer_may_act=not evidence.closed_world
        )
    for named, value in ((evidence.present, 1.0), (evidence.absent, 0.0)):
        probability[list(named)], error[list(named)] = value, 0.0
    return WordProbabilities(probability, error)


def words_of_topics(network: Network, posterior: Posterior) -> WordProbabilities:
    """Probability of every word in a document of which only the posterior's topics are known.

    The mean over the samples of the local topics. Topics outside the local model follow from their
    parents and are taken as independent of each other and of the local topics. Raises `InputError`
    if the posterior has no samples.
    """
    topics = posterior.local.topics
    return _word_probabilities(network, _rounds(posterior), topics, outer_may_act=True)


def _rounds(posterior: Posterior) -> Rounds:
    if posterior.samples is None:
        raise InputError(f"{posterior.method} has no samples; use the method sampling")
    return posterior.samples.rounds


def _part_above(
    network: Network, posterior: Posterior, tokens: Sequence[int]
) -> tuple[Network, Rounds, Int32Array]:
    """Network of some tokens (ascending) and their ancestors, and samples of its topics.

    The samples are of those topics that are in the posterior's local model; the last array has
    their numbers in the small network.
    """
    graph, rounds = network.graph, _rounds(posterior)
    nodes = np.array(tokens, np.int32) + np.int32(graph.n_topics)
    local = local_graph(graph, ancestors(graph, nodes), nodes)
    part = local_model(network, local)
    ids = [graph.topic_ids[topic] for topic in part.topics]
    weight, leak = network.weight[part.edge], network.leak[local.node]
    above = network_of_edges(ids, part.edge_parent, part.edge_child, weight, leak)
    number = above.graph.topic_number
    known = [number.get(graph.topic_ids[topic], -1) for topic in posterior.local.topics]
    topics = np.array(known, np.int32)
    is_above = topics >= 0
    state, control = rounds.state[:, is_above], rounds.control[:, is_above]
    return above, rounds._replace(state=state, control=control), topics[is_above]


def _word_probabilities(
    network: Network, rounds: Rounds, topics: Int32Array, *, outer_may_act: bool
) -> WordProbabilities:
    share, weight = round_shares(rounds)
    n_topics = network.graph.n_topics
    words, acting = _words_below(network, topics)
    outer, absence = np.zeros(n_topics), []
    for number in range(min(len(rounds.log_sum), MAX_ROUNDS)):
        present = np.zeros(network.graph.n_tokens)
        for states in _blocks(rounds.ptr[number], rounds.ptr[number + 1], len(words)):
            state, own_share = rounds.state[states], share[states, None]
            survival = np.ones((len(state), len(words)))
            for topic, (places, failure) in enumerate(acting):
                survival[np.ix_(state[:, topic], places)] *= failure
            present[words] += (own_share * (1.0 - survival)).sum(axis=0)
        absence.append(1.0 - present)
    if outer_may_act:
        for states in _blocks(0, rounds.ptr[1], n_topics):
            probability = _topics_in_states(network, topics, rounds.state[states])
            outer += (share[states] * probability).sum(axis=1)
        outer[topics] = 0.0
    tokens = slice(n_topics, network.graph.n_nodes)
    survival = network.summed_survivals(outer, weight_to_probability(network.weight), tokens)
    absent = np.array(absence) * np.exp(survival - network.leak[tokens])
    weight = weight[: len(absent)] / weight[: len(absent)].mean()
    value, error = combine_rounds(absent, weight, np.zeros_like(absent))
    return WordProbabilities(1.0 - value, error)


def _blocks(begin: int, end: int, width: int) -> Iterator[slice]:
    """States ``begin`` to ``end`` in blocks that with ``width`` numbers each fit in memory."""
    size = max(1, MAX_NUMBERS // max(width, 1))
    for first in range(begin, end, size):
        yield slice(first, min(first + size, end))


def _words_below(
    network: Network, topics: Int32Array
) -> tuple[Int64Array, list[tuple[Int64Array, FloatArray]]]:
    """Words below some topics; and of each topic the places of its words, and ``exp(-weight)``."""
    graph = network.graph
    tokens, failures = [], []
    for k in topics.tolist():
        slot = slice(graph.child_ptr[k], graph.child_ptr[k + 1])
        is_word = graph.child_idx[slot] >= graph.n_topics
        tokens.append(graph.child_idx[slot][is_word].astype(np.int64) - graph.n_topics)
        failures.append(np.exp(-network.weight[graph.child_edge[slot][is_word]]))
    words = np.unique(np.concatenate([np.zeros(0, np.int64), *tokens]))
    places = [np.searchsorted(words, own) for own in tokens]
    return words, list(zip(places, failures, strict=True))


def _topics_in_states(network: Network, topics: Int32Array, state: BoolArray) -> FloatArray:
    """Probability of every topic given states of the local topics, shape (n_topics, n_states).

    The probability of a topic outside the local model follows from its parents, which are taken as
    independent.
    """
    graph, effect = network.graph, weight_to_probability(network.weight)
    probability = np.zeros((graph.n_topics, len(state)))
    for nodes in list(graph.generations())[:-1]:
        survival = network.summed_survivals(probability, effect, nodes)
        probability[nodes] = -np.expm1(survival - network.leak[nodes, None])
        is_here = (topics >= nodes.start) & (topics < nodes.stop)
        probability[topics[is_here]] = state.T[is_here]
    return probability
