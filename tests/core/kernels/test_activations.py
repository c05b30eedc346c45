"""Activations of many documents equal single ones, arranged by their local models."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import BULK_TOLERANCE, ROUGH_TOLERANCE, infer, infer_activations
from tests import naive
from tests.random_networks import corpus_of_sets, plain_network, problems, sampled_corpus, several

METHODS = ["sum-product", "mean-field", "jensen"]
N_DOCUMENTS = 6 if numba.config.DISABLE_JIT else 60


def drawn(seed):
    """A network and documents from it."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng)
    return network, sampled_corpus(network, N_DOCUMENTS, rng)


@pytest.mark.parametrize("method", METHODS)
@several
@given(problem=problems(), closed_world=st.booleans())
def test_activations_are_those_of_a_single_inference(method, problem, closed_world):
    network, present = problem.network, problem.present.tolist()
    corpus = corpus_of_sets([set(present), set()], network.graph.n_tokens)
    found = infer_activations(network, corpus, method=method, closed_world=closed_world)
    posterior = infer(network, Evidence(tuple(present), closed_world=closed_world), method=method)
    assert found.shape == (2, network.graph.n_topics)
    assert found.indptr.tolist() == [0, len(posterior.local.topics), len(posterior.local.topics)]
    assert found.indices.tolist() == posterior.local.topics.tolist()
    # Messages of many documents end a little earlier.
    close = 0.01 if method == "sum-product" else 1e-6
    np.testing.assert_allclose(found.data, posterior.probability, atol=close)
    assert (found.data > 0).all()


@pytest.mark.parametrize("closed_world", [True, False])
def test_a_document_is_the_same_in_any_company(closed_world):
    network, corpus = drawn(0)
    every = infer_activations(network, corpus, closed_world=closed_world).toarray()
    some = np.array([3, 0, 3, N_DOCUMENTS - 1])
    found = infer_activations(network, corpus, some, closed_world=closed_world).toarray()
    assert found.tobytes() == every[some].tobytes()


def test_memory_follows_the_local_models():
    network, corpus = drawn(1)
    rows = np.arange(corpus.n_documents)[::-1]
    nodes = [corpus.tokens_of(row) + network.graph.n_topics for row in rows]
    found = infer_activations(network, corpus, rows)
    sizes = [len(naive.ancestors(network, some)) for some in nodes]
    assert np.diff(found.indptr).tolist() == sizes
    assert found.nnz == sum(sizes)


@pytest.mark.parametrize("seed", range(12))
def test_the_tighter_the_tolerance_the_nearer_to_where_messages_converge(seed):
    """Not for every network: messages that move slowly may end far from where they converge."""
    network, corpus = drawn(seed)
    converged, usual, rough = (
        infer_activations(network, corpus, tolerance=tolerance).data
        for tolerance in (1e-4, BULK_TOLERANCE, ROUGH_TOLERANCE)
    )
    for found, tolerance in ((usual, BULK_TOLERANCE), (rough, ROUGH_TOLERANCE)):
        assert np.abs(found - converged).mean() < tolerance
        assert np.abs(found - converged).max() < 10 * tolerance


def test_no_documents_and_no_tokens():
    network, corpus = drawn(2)
    none = infer_activations(network, corpus, np.array([], np.int64))
    assert none.shape == (0, network.graph.n_topics)
    empty = corpus_of_sets([set(), set()], network.graph.n_tokens)
    assert infer_activations(network, empty).nnz == 0


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_threads_do_not_change_a_bit():
    network, corpus = drawn(3)
    try:
        numba.set_num_threads(1)
        alone = infer_activations(network, corpus)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    together = infer_activations(network, corpus)
    assert together.data.tobytes() == alone.data.tobytes()
    assert together.indices.tobytes() == alone.indices.tobytes()
