"""Complete: every topic above every node of all layers below it, to be pruned by training."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from orrery.core.errors import InputError
from orrery.core.graph import Graph, build_graph
from orrery.core.structure.layers import topic_names

# Training visits every edge of a complete graph for every document.
LARGEST_COMPLETE = 20_000_000
# Enough for a few hundred words; a complete graph is a start for pruning, so it stays small.
DEFAULT_TOPICS = (32, 8)
# Up to so many words it is the best graph to learn a structure from; of more words, far more edges
# than are kept only drown what there is to see in few documents.
SMALL_VOCABULARY = 500


def complete_edges(n_tokens: int, sizes: Sequence[int]) -> int:
    """Edges of the complete graph over words and layers of topics of these sizes."""
    # In Python's integers: what is asked for may be beyond those of numpy.
    below = accumulate((n_tokens, *sizes))
    return sum(n_below * size for n_below, size in zip(below, sizes, strict=False))


def complete_graph(n_tokens: int, sizes: Sequence[int], edges: int | None) -> Graph:
    """Layered graph in which every topic is above all nodes of all layers below its own.

    Raises
    ------
    InputError
        If it has more edges than ``edges`` or than ``LARGEST_COMPLETE``.
    """
    layers = (n_tokens, *sizes)
    n_edges = complete_edges(n_tokens, sizes)
    allowed = LARGEST_COMPLETE if edges is None else min(edges, LARGEST_COMPLETE)
    if n_edges > allowed:
        way_out = "use the method dense-regions"
        if n_edges <= LARGEST_COMPLETE:
            way_out = "train with --learn-structure, which chooses among them"
        raise InputError(
            f"a complete graph of {n_tokens} words and {sum(sizes)} topics has {n_edges} edges, "
            f"and {allowed} are allowed; ask for fewer topics, or {way_out}"
        )
    # Topics are numbered from the top layer on and words follow, so all nodes below a layer are
    # those after its last.
    n_nodes, n_below = sum(layers), np.cumsum(layers)
    below = n_nodes - np.repeat(n_below[:-1][::-1], sizes[::-1])
    parents = np.repeat(np.arange(len(below)), n_nodes - below)
    children = np.concatenate([np.arange(first, n_nodes) for first in below])
    return build_graph(n_tokens, topic_names(sizes), parents, children)[0]
