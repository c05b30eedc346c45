"""Interleaved copies leave every local model as it is, whatever their number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference import Evidence, infer
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.disjoint_union import in_one_copy, interleaved_copies
from tests.random_networks import problems, several


@several
@given(problem=problems(), copies=st.integers(1, 4))
def test_a_document_has_the_same_local_model_in_any_number_of_copies(problem, copies):
    network, graph = problem.network, problem.network.graph
    union = interleaved_copies(network, copies)
    middle = copies // 2
    tokens = tuple((problem.present * copies + middle).tolist())
    alone = infer(network, Evidence(tuple(problem.present.tolist())))
    among = infer(union, Evidence(tokens))
    np.testing.assert_array_equal(among.local.topics, alone.local.topics * copies + middle)
    np.testing.assert_array_equal(among.local.edge_parent, alone.local.edge_parent)
    np.testing.assert_allclose(among.probability, alone.probability, atol=1e-6)
    # All that the other copies add is that none of their nodes is on by chance.
    others = (copies - 1) * network.leak.sum()
    assert among.bound + others == pytest.approx(alone.bound, abs=1e-6)
    assert union.graph.n_edges == copies * graph.n_edges


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_documents_keep_their_words_in_one_copy(copies):
    presence = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0]])
    corpus = binary_corpus(presence)
    spread = in_one_copy(corpus, copies).to_csr().toarray().reshape(3, 3, copies)
    np.testing.assert_array_equal(spread[:, :, copies // 2], presence)
    assert spread.sum() == presence.sum()
