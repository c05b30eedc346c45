"""Many copies of a network that know nothing of each other."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.utils.types import Int64Array


class Copies(NamedTuple):
    """How many copies there are, and how their nodes are numbered.

    Attributes
    ----------
    count : int
    are_interleaved : bool
        Whether a number in one copy is followed by the same of the next copy, so that all that is
        stored of a copy is spread over all memory; else copy comes after copy, the topics of a
        layer at a time.
    """

    count: int
    are_interleaved: bool

    def number(self, own: Int64Array, size: int, copy: Int64Array | int) -> Int64Array:
        """Number among all copies of what has a number of its own below ``size`` in a copy."""
        return own * self.count + copy if self.are_interleaved else own + copy * size

    @property
    def middle(self) -> int:
        """The copy that documents are in."""
        return self.count // 2


def union_of(network: Network, copies: Copies) -> Network:
    """Network of ``copies.count`` copies; the id of a topic is its number in this order."""
    graph, every = network.graph, np.arange(copies.count)
    n_topics, n_tokens = graph.n_topics, graph.n_tokens
    topics = copies.number(np.arange(n_topics)[:, None], n_topics, every)
    tokens = copies.number(np.arange(n_tokens)[:, None], n_tokens, every) + topics.size
    nodes = np.concatenate([topics, tokens])
    names = [str(number) for number in range(topics.size)]
    parents, children = nodes[graph.parent_idx], nodes[graph.edge_children()]
    union, order = build_graph(tokens.size, names, parents.ravel(), children.ravel())
    weight = np.repeat(network.weight, copies.count)[order]
    leak = np.empty(nodes.size)
    leak[nodes] = network.leak[:, None]
    # Topics are put into an order with parents first.
    leak[: topics.size] = leak[np.array(union.topic_ids, np.int64)]
    return build_network(union, weight, leak)


def in_one_copy(corpus: Corpus, copies: Copies) -> Corpus:
    """Return the same documents over the words of all copies, in the middle copy."""
    own = corpus.token_idx.astype(np.int64)
    number = copies.number(own, corpus.n_tokens, copies.middle)
    words = (f"word {number}" for number in range(corpus.n_tokens * copies.count))
    return replace(corpus, token_idx=number.astype(np.int32), vocabulary=tuple(words))
