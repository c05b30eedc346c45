"""Documents of a corpus, cut into blocks and counted by the sizes of their local models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.kernels.rows import Documents, Parents, rows_of_block, tokens_of, topic_pointer
from tests import naive
from tests.random_networks import problems, several


@several
@given(n_documents=st.integers(0, 40), n_blocks=st.integers(1, 12))
def test_blocks_take_every_document_once_and_in_order(n_documents, n_blocks):
    none = np.empty(0, np.int64)
    documents = Documents(none, none.astype(np.int32), np.arange(n_documents))
    # A range cannot leave a compiled kernel.
    rows_of = getattr(rows_of_block, "py_func", rows_of_block)
    parts = [list(rows_of(documents, block, n_blocks)) for block in range(n_blocks)]
    assert [position for part in parts for position in part] == list(range(n_documents))
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_tokens_are_numbered_after_the_topics():
    documents = Documents(np.array([0, 2, 5]), np.array([3, 4, 0, 1, 2], np.int32), np.array([1]))
    tokens = tokens_of(documents, 1, 10)
    assert tokens.tolist() == [10, 11, 12]
    assert tokens.dtype == np.int32


@several
@given(problem=problems())
def test_the_pointer_counts_the_ancestors_of_every_document(problem):
    graph, pointer = problem.network.graph, np.array([0, 0, len(problem.present)], np.int64)
    documents = Documents(pointer, problem.present, np.array([1, 0, 1]))
    size = len(naive.ancestors(problem.network, problem.present_nodes.tolist()))
    parents = Parents(graph.n_topics, graph.parent_ptr, graph.parent_idx)
    assert topic_pointer(documents, parents, False).tolist() == [0, size, size, 2 * size]
    full = np.arange(4) * graph.n_topics
    assert topic_pointer(documents, parents, True).tolist() == full.tolist()


@pytest.mark.parametrize("is_full", [False, True])
def test_no_document_has_a_pointer_too(is_full):
    none = np.empty(0, np.int64)
    documents = Documents(np.zeros(1, np.int64), none.astype(np.int32), none)
    parents = Parents(2, np.zeros(4, np.int64), none.astype(np.int32))
    assert topic_pointer(documents, parents, is_full).tolist() == [0]
