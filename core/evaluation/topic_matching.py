"""Topics of two models, matched by their posterior probabilities in the same documents.

Two topics are similar if they are on in the same documents: the correlation of P(on) over the
documents. Each topic has at most one partner in the other model, such that the sum of the
correlations is largest (`scipy.optimize.linear_sum_assignment`).

A pair counts as a match if two conditions hold. First, the correlation is at least
`MIN_CORRELATION`: the topics share half of their variance, so a topic has at most one match among
uncorrelated topics. Second, it exceeds all correlations with any topic in `N_SHUFFLES` shuffles of
the documents. A shuffle permutes the documents of one model among documents of similar length. Its
null hypothesis is that, given the length of a document, the other model's topics are independent of
this model's; under it the observed order of the documents is as likely as any shuffled one. The
shuffles are random orders and their inverses, so an unrelated topic is matched with a probability
that is guaranteed to be at most 1 / (N_SHUFFLES / 2 + 1), by the random orders alone. A model of
shuffled words was not chosen as null: it needs a training, and its topics are on in few of the
documents, so the test would be too lenient.

Passages count as documents here. The passages of one document resemble each other, so with passages
the guarantee does not hold: two unrelated topics that are on in most passages of the same document
may be matched. Whole documents are not permuted instead, because a transcript is a single document,
and none of its topics could then be matched.

All documents may be used, training documents included. P(on) is a function of the words of a
document alone and nothing is fitted to match the models, so no document favours a match. The test
documents of a small corpus, on the other hand, contain too few documents of a rare topic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from ..model.graph import Graph
from ..utils.types import BoolArray, FloatArray, Int64Array

# Half of the variance is shared.
MIN_CORRELATION = float(np.sqrt(0.5))
# Shuffles, half of them the inverses of the others, so that the null is the same for both models.
N_SHUFFLES = 100
# Documents are shuffled in groups of similar length: at most this number of groups, of at least
# this size.
MAX_LENGTH_GROUPS, MIN_GROUP_SIZE = 20, 50


@dataclass(frozen=True, eq=False)
class TopicMatch:
    """Partner of each topic of a model in another model; all arrays have the shape (n_topics,)."""

    partner: Int64Array  # topic of the other model; -1 without a partner
    correlation: FloatArray  # of P(on) with the partner; 0 without a partner
    null: FloatArray  # largest correlation of the topic, or of its partner, in a shuffle
    # Share of the shuffles in which the topic reaches `MIN_CORRELATION` with any topic.
    by_chance: FloatArray

    @property
    def is_match(self) -> BoolArray:
        """Whether each topic is matched above the null."""
        return np.asarray(
            (self.correlation >= MIN_CORRELATION) & (self.correlation > self.null), bool
        )

    @property
    def matched(self) -> Int64Array:
        """Partner of each topic that is matched above the null, otherwise -1."""
        return np.where(self.is_match, self.partner, -1)


def match_topics(
    probability: sparse.csr_array, other: sparse.csr_array, lengths: Int64Array, seed: int = 0
) -> TopicMatch:
    """Match the topics of two models.

    Parameters
    ----------
    probability, other : float csr_arrays, shapes (n_documents, n_topics) and (n_documents, n_other)
        P(on) of the topics of both models in the same documents.
    lengths : int64 array, shape (n_documents,)
        Number of words of each document.
    seed : int
        Seed of the shuffles.
    """
    n_topics, n_other = probability.shape[1], other.shape[1]
    partner, correlation = np.full(n_topics, -1, np.int64), np.zeros(n_topics)
    null, by_chance = np.zeros(n_topics), np.zeros(n_topics)
    if not (n_topics and n_other and len(lengths)):
        return TopicMatch(partner, correlation, null, by_chance)
    own, matched_to = _scaled(probability), _scaled(other)
    table = _correlations(own, matched_to)
    rows, columns = linear_sum_assignment(table, maximize=True)
    partner[rows], correlation[rows] = columns, table[rows, columns]
    null_of_other = np.zeros(n_other)
    for order in _shuffles(lengths, np.random.default_rng(seed)):
        shuffled = _correlations(own, matched_to[order])
        highest = shuffled.max(axis=1)
        by_chance += (highest >= MIN_CORRELATION) / N_SHUFFLES
        null = np.maximum(null, highest)
        null_of_other = np.maximum(null_of_other, shuffled.max(axis=0))
    null[rows] = np.maximum(null[rows], null_of_other[columns])
    return TopicMatch(partner, correlation, null, by_chance)


def _scaled(probability: sparse.csr_array) -> sparse.csr_array:
    """Columns divided by the norm of their deviations, without the shift; 0 if constant."""
    table = probability.astype(np.float64)
    n_documents = table.shape[0]
    mean = np.asarray(table.sum(axis=0)).ravel() / n_documents
    square = np.asarray(table.multiply(table).sum(axis=0)).ravel() / n_documents
    variance = square - mean**2
    is_constant = variance <= 1e-12 * np.maximum(square, 1e-300)
    scale = np.where(is_constant, 0.0, 1.0 / np.sqrt(np.where(is_constant, 1.0, variance)))
    return sparse.csr_array(table @ sparse.diags_array(scale))


def _correlations(own: sparse.csr_array, other: sparse.csr_array) -> FloatArray:
    """Correlation of every pair of scaled columns, shape (n_topics, n_other)."""
    n_documents = own.shape[0]
    means = [np.asarray(each.sum(axis=0)).ravel() / n_documents for each in (own, other)]
    return np.asarray((own.T @ other).toarray() / n_documents - np.outer(*means))


def _shuffles(lengths: Int64Array, rng: np.random.Generator) -> list[Int64Array]:
    """Orders of the documents that permute documents of similar length, and their inverses."""
    by_length = np.argsort(lengths, kind="stable")
    n_groups = int(np.clip(len(lengths) // MIN_GROUP_SIZE, 1, MAX_LENGTH_GROUPS))
    groups = np.array_split(by_length, n_groups)
    found = []
    for _ in range(N_SHUFFLES // 2):
        order = np.empty(len(lengths), np.int64)
        for group in groups:
            order[group] = rng.permutation(group)
        found += [order, np.argsort(order)]
    return found


def match_links(
    graph: Graph, other: Graph, topics: Int64Array, tokens: Int64Array | None = None
) -> tuple[BoolArray, FloatArray]:
    """Links of a graph that the other graph has between the partners of both ends.

    Parameters
    ----------
    topics : int64 array, shape (n_topics,)
        Matched topic of the other graph for each topic, or -1 (`TopicMatch.matched`).
    tokens : int64 array, shape (n_tokens,), optional
        Token of the other graph for each token, or -1; by default both have the same vocabulary.

    Returns
    -------
    is_match : bool array, shape (n_edges,)
    by_chance : float64 array, shape (n_edges,)
        Probability of a match if the matched topics were paired at random with the topics of the
        other graph: the share of its topics that have a link to the partner of the child.
    """
    if tokens is None:
        tokens = np.arange(graph.n_tokens, dtype=np.int64)
    partner = np.concatenate([topics, np.where(tokens < 0, -1, tokens + other.n_topics)])
    parent, child = partner[graph.parent_idx], partner[graph.edge_children()]
    has_ends = (parent >= 0) & (child >= 0)
    keys = other.parent_idx.astype(np.int64) * other.n_nodes + other.edge_children()
    is_match = has_ends & np.isin(parent * other.n_nodes + child, keys)
    n_parents = np.diff(other.parent_ptr)
    by_chance = np.where(has_ends, n_parents[child] / max(other.n_topics, 1), 0.0)
    return is_match, by_chance
