"""Posterior predictive probability of every word, given sampled states of the topics."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from .compiling import kernel, part


class Links(NamedTuple):
    """Network with both views of its graph."""

    n_topics: int
    # parent_ptr, parent_idx, child_ptr, child_idx, child_edge: int: see `Graph`
    parent_ptr: np.ndarray
    parent_idx: np.ndarray
    child_ptr: np.ndarray
    child_idx: np.ndarray
    child_edge: np.ndarray
    effect: np.ndarray  # float64 (n_edges,): 1 - exp(-w)
    leak: np.ndarray  # float64 (n_nodes,)


@kernel
def outer_probabilities(state, share, local_topic, links):
    """Mean probability over some states of every topic outside the local model; 0 inside.

    Given a state, the probability of each such topic follows from its parents, which are taken as
    independent. ``state`` has shape (n_states, n_local_topics); the weights ``share`` of the states
    sum to 1.
    """
    parent_ptr, parent_idx, effect = links.parent_ptr, links.parent_idx, links.effect
    leak_off, n_topics = np.exp(-links.leak[: links.n_topics]), links.n_topics
    is_outer = np.ones(n_topics, np.bool_)
    is_outer[local_topic] = False
    probability, mean = np.zeros(n_topics), np.zeros(n_topics)
    for s in range(len(share)):
        for position in range(len(local_topic)):
            probability[local_topic[position]] = state[s, position]
        for k in range(n_topics):
            if is_outer[k]:
                off = leak_off[k]
                for e in range(parent_ptr[k], parent_ptr[k + 1]):
                    off *= 1.0 - probability[parent_idx[e]] * effect[e]
                probability[k] = 1.0 - off
                mean[k] += share[s] * probability[k]
    return mean


@part
def _act_on_words(k, n_topics, child_ptr, child_idx, child_edge, effect, survival, touched, count):
    """Multiply ``survival`` of the words of an active topic; return the number of words touched."""
    for slot in range(child_ptr[k], child_ptr[k + 1]):
        token = child_idx[slot] - n_topics
        if token >= 0:
            if survival[token] == 1.0:
                touched[count] = token
                count += 1
            survival[token] *= 1.0 - effect[child_edge[slot]]
    return count


@kernel
def local_absence(state, share, ptr, local_topic, links):
    """Mean probability over the states of each round that no local topic activates a word.

    The arguments are as in `outer_probabilities`; round r has the states ``ptr[r]:ptr[r + 1]``,
    whose ``share`` sum to 1. The result has shape (n_rounds, n_tokens).
    """
    n_topics, n_tokens = links.n_topics, len(links.leak) - links.n_topics
    child_ptr, child_idx, child_edge = links.child_ptr, links.child_idx, links.child_edge
    effect = links.effect
    survival, absence = np.ones(n_tokens), np.ones((len(ptr) - 1, n_tokens))
    # Edges with an effect of 0 may list a word twice.
    touched = np.empty(len(effect) + 1, np.int64)
    for r in range(len(ptr) - 1):
        for s in range(ptr[r], ptr[r + 1]):
            count = 0
            for position in range(len(local_topic)):
                if state[s, position]:
                    count = _act_on_words(
                        local_topic[position], n_topics, child_ptr, child_idx, child_edge,
                        effect, survival, touched, count,
                    )  # fmt: skip
            for place in range(count):
                token = touched[place]
                absence[r, token] -= share[s] * (1.0 - survival[token])
                survival[token] = 1.0
    return absence


@kernel
def absence_without_local(outer, links):
    """Probability that each word is absent if all local topics are off, shape (n_tokens,).

    ``outer`` is the result of `outer_probabilities`.
    """
    n_topics, parent_ptr, parent_idx = links.n_topics, links.parent_ptr, links.parent_idx
    effect, leak = links.effect, links.leak
    absence = np.empty(len(leak) - n_topics)
    for token in range(len(absence)):
        node = n_topics + token
        off = exp(-leak[node])
        for e in range(parent_ptr[node], parent_ptr[node + 1]):
            off *= 1.0 - outer[parent_idx[e]] * effect[e]
        absence[token] = off
    return absence
