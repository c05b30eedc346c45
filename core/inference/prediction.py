"""Probability of every word given the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..model.network import Network, weight_to_probability
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int32Array, Int64Array
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


def predict_words(network: Network, posterior: Posterior) -> WordProbabilities:
    """Probability of every word given the evidence; 1 or 0 for given words.

    In a closed world only unknown words are predicted, and topics outside the local model are off.
    See `words_of_topics` for parameters and errors.
    """
    evidence = posterior.evidence
    predicted = _word_probabilities(network, posterior, outer_may_act=not evidence.closed_world)
    probability, error = predicted
    if evidence.closed_world:
        unknown = list(evidence.unknown)
        probability, error = np.zeros_like(probability), np.zeros_like(error)
        probability[unknown] = predicted.probability[unknown]
        error[unknown] = predicted.error[unknown]
    for named, value in ((evidence.present, 1.0), (evidence.absent, 0.0)):
        probability[list(named)], error[list(named)] = value, 0.0
    return WordProbabilities(probability, error)


def words_of_topics(network: Network, posterior: Posterior) -> WordProbabilities:
    """Probability of every word in a document of which only the posterior's topics are known.

    The mean over the samples of the local topics. Topics outside the local model follow from their
    parents and are taken as independent of each other and of the local topics. Raises `InputError`
    if the posterior has no samples.
    """
    return _word_probabilities(network, posterior, outer_may_act=True)


def _word_probabilities(
    network: Network, posterior: Posterior, *, outer_may_act: bool
) -> WordProbabilities:
    if posterior.samples is None:
        raise InputError(f"{posterior.method} has no samples; use the method sampling")
    rounds, topics = posterior.samples.rounds, posterior.local.topics
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
