"""Corpora with planted topics, to see whether the methods find them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import Recipe
from orrery.core.model.graph import Graph


def corpus_of(presence: np.ndarray) -> Corpus:
    matrix = sparse.csr_array(np.asarray(presence, np.float64))
    matrix.sort_indices()
    n_documents, n_tokens = matrix.shape
    return Corpus(
        token_ptr=matrix.indptr.astype(np.int64),
        token_idx=matrix.indices.astype(np.int32),
        vocabulary=tuple(f"word{number}" for number in range(n_tokens)),
        documents=pd.DataFrame(
            {"id": [str(d) for d in range(n_documents)], "text": "", "label": None}
        ),
        recipe=Recipe(matrix=True),
    )


@dataclass(frozen=True)
class Planted:
    """A corpus whose topics are known: words of each group, and a word of the first and last."""

    corpus: Corpus
    groups: tuple[range, ...]
    two_senses: int


@pytest.fixture(scope="session")
def make_corpus() -> Callable[[np.ndarray], Corpus]:
    """Corpus of a presence matrix."""
    return corpus_of


@pytest.fixture(scope="session")
def planted() -> Planted:
    """Documents about one of six groups of eight words each."""
    rng = np.random.default_rng(7)
    groups = tuple(range(first, first + 8) for first in range(0, 48, 8))
    two_senses = 48
    presence = np.zeros((900, 49), bool)
    for row in presence:
        number = rng.integers(len(groups))
        row[groups[number]] = rng.random(8) < 0.4
        row[two_senses] = number in (0, len(groups) - 1) and rng.random() < 0.4
        row |= rng.random(len(row)) < 0.02
    return Planted(corpus_of(presence), groups, two_senses)


@pytest.fixture(scope="session")
def check_layered() -> Callable[..., None]:
    """Assertion that a graph is what every proposed graph is."""
    return assert_layered


def assert_layered(graph: Graph, sizes: tuple[int, ...], *, most_parents: int | None = 3) -> None:
    """Requirements on every proposed graph: layered, connected, and without useless topics."""
    heights = graph.heights()
    n_parents = np.diff(graph.parent_ptr)
    children = graph.edge_children()
    assert tuple(np.bincount(heights[: graph.n_topics], minlength=len(sizes) + 1)[1:]) == sizes
    assert (heights[graph.parent_idx] == heights[children] + 1).all()
    assert (n_parents[graph.n_topics :] >= 1).all()
    is_inner = heights[: graph.n_topics] < len(sizes)
    assert (n_parents[: graph.n_topics][is_inner] >= 1).all()
    if most_parents is not None:
        assert n_parents[: graph.n_topics].max() <= most_parents
    below = np.array((graph.n_tokens, *sizes))[heights[: graph.n_topics] - 1]
    assert (np.diff(graph.child_ptr) >= np.minimum(2, below)).all()
