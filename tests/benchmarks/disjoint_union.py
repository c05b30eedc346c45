"""Many copies of a network that know nothing of each other, with their nodes interleaved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corpus import Corpus
from core.graph import build_graph
from core.network import Network, build_network


def interleaved_copies(network: Network, copies: int) -> Network:
    """Network of so many copies: what was node k is node k * copies + c in copy c.

    So the numbers of one copy, and all that is stored by them, are spread over all memory.
    """
    graph = network.graph
    topics = np.arange(copies * graph.n_topics)
    copy = np.arange(copies)
    parents = graph.parent_idx.astype(np.int64)[:, None] * copies + copy
    children = graph.edge_children().astype(np.int64)[:, None] * copies + copy
    names = [f"{graph.topic_ids[topic // copies]} of {topic % copies}" for topic in topics.tolist()]
    union, order = build_graph(copies * graph.n_tokens, names, parents.ravel(), children.ravel())
    weight = np.repeat(network.weight, copies)[order]
    return build_network(union, weight, np.repeat(network.leak, copies))


def in_one_copy(corpus: Corpus, copies: int) -> Corpus:
    """Return the same documents over the words of so many copies, all in the middle one."""
    middle = copies // 2
    words = (f"{word} of {copy}" for word in corpus.vocabulary for copy in range(copies))
    return replace(
        corpus,
        token_idx=corpus.token_idx * np.int32(copies) + np.int32(middle),
        vocabulary=tuple(words),
    )
