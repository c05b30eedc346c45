"""Probability of every word given the evidence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.posterior import combine_rounds, round_shares
from ..kernels.prediction import Links, absence_without_local, local_absence, outer_probabilities
from ..model.network import Network, weight_to_probability
from ..utils.errors import InputError
from ..utils.types import FloatArray
from .posterior import Posterior

# Rounds of samples used; words then have errors as small as topics.
MAX_ROUNDS = 4


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
    graph, rounds = network.graph, posterior.samples.rounds
    n_rounds = min(len(rounds.log_sum), MAX_ROUNDS)
    share, weight = round_shares(rounds)
    links = Links(
        graph.n_topics,
        graph.parent_ptr,
        graph.parent_idx,
        graph.child_ptr,
        graph.child_idx,
        graph.child_edge,
        weight_to_probability(network.weight),
        network.leak,
    )
    topics, pointer = posterior.local.topics, rounds.ptr[: n_rounds + 1]
    outer = np.zeros(graph.n_topics)
    if outer_may_act:
        first = slice(0, pointer[1])
        outer = outer_probabilities(rounds.state[first], share[first], topics, links)
    absence = local_absence(rounds.state, share, pointer, topics, links)
    absence *= absence_without_local(outer, links)
    weight = weight[:n_rounds] / weight[:n_rounds].mean()
    value, error = combine_rounds(absence, weight, np.zeros_like(absence))
    return WordProbabilities(1.0 - value, error)
