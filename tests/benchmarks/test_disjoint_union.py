"""Copies of a network leave every local model as it is, whatever their number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.disjoint_union import Copies, in_one_copy, union_of
from tests.random_networks import problems, several


@several
@given(problem=problems(), count=st.integers(1, 4), are_interleaved=st.booleans())
def test_a_document_has_the_same_local_model_in_any_number_of_copies(
    problem, count, are_interleaved
):
    network, graph = problem.network, problem.network.graph
    copies = Copies(count, are_interleaved)
    union = union_of(network, copies)
    tokens = tuple(copies.number(problem.present, graph.n_tokens, copies.middle).tolist())
    alone = infer(network, Evidence(tuple(problem.present.tolist()), closed_world=True))
    among = infer(union, Evidence(tokens, closed_world=True))
    number = copies.number(alone.local.topics, graph.n_topics, copies.middle)
    expected = dict(zip(map(str, number), alone.probability, strict=True))
    names = [union.graph.topic_ids[topic] for topic in among.local.topics]
    found = dict(zip(names, among.probability, strict=True))
    assert found.keys() == expected.keys()
    for name, probability in found.items():
        assert probability == pytest.approx(expected[name], abs=1e-6)
    assert len(among.local.edge_parent) == len(alone.local.edge_parent)
    # The other copies only add that none of their nodes is on by its leak.
    others = (count - 1) * network.leak.sum()
    assert among.log_probability + others == pytest.approx(alone.log_probability, abs=1e-6)
    assert union.graph.n_edges == count * graph.n_edges


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("are_interleaved", [True, False])
def test_documents_keep_their_words_in_one_copy(count, are_interleaved):
    presence = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0]])
    corpus = binary_corpus(presence)
    spread = in_one_copy(corpus, Copies(count, are_interleaved)).to_csr().toarray()
    shape, axis = ((3, 3, count), 2) if are_interleaved else ((3, count, 3), 1)
    np.testing.assert_array_equal(spread.reshape(shape).take(count // 2, axis), presence)
    assert spread.sum() == presence.sum()
