"""Complete: every topic above every node of the next layer below it, to be pruned by training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import InputError
from core.graph import Graph
from core.structure.layers import Links, join_layers

# Training visits every edge of a complete graph for every document.
LARGEST_COMPLETE = 20_000_000
# Enough for a few hundred words; a complete graph is a start for pruning, so it stays small.
DEFAULT_TOPICS = (32, 8)


def complete_graph(n_tokens: int, sizes: Sequence[int], edges: int | None) -> Graph:
    """Layered graph with all edges between neighbouring layers.

    Raises
    ------
    InputError
        If it has more edges than ``edges`` or than ``LARGEST_COMPLETE``.
    """
    below = (n_tokens, *sizes[:-1])
    n_edges = sum(nodes * size for nodes, size in zip(below, sizes, strict=True))
    allowed = LARGEST_COMPLETE if edges is None else min(edges, LARGEST_COMPLETE)
    if n_edges > allowed:
        raise InputError(
            f"a complete graph of {n_tokens} words and {sum(sizes)} topics has {n_edges} edges, "
            f"and {allowed} are allowed; ask for fewer topics, or use the method dense-regions"
        )
    layers = [
        Links(
            np.repeat(np.arange(nodes), size),
            np.tile(np.arange(size), nodes),
            np.ones(nodes * size),
        )
        for nodes, size in zip(below, sizes, strict=True)
    ]
    return join_layers(n_tokens, sizes, layers)
