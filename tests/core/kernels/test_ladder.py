"""The ladder: Jensen ≤ exact ≤ guided draws ≤ log-likelihood, document by document."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from core.kernels.batch import Model
from core.kernels.document import Search
from core.kernels.exponentials import exponential_sum
from core.kernels.ladder import ladder
from core.kernels.rows import Documents
from core.kernels.tables import fill_tables
from tests import naive
from tests.random_networks import plain_network, random_network, sampled_corpus

SEARCH = Search(np.array([0.5, 0.02]), 1e-6, 100, np.array([20, 10, 10]))
FEW = numba.config.DISABLE_JIT
N_DOCUMENTS, N_SAMPLES = (4, 50) if FEW else (25, 1000)

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def climbed(network, corpus, rows, seed=0, n_samples=N_SAMPLES):
    """Rungs of these documents."""
    graph = network.graph
    model = Model(
        graph.n_topics,
        graph.parent_ptr,
        graph.parent_idx,
        network.weight,
        network.leak,
        network.child_weight_totals(),
        float(network.leak.sum()),
    )
    documents = Documents(corpus.token_ptr, corpus.token_idx, np.ascontiguousarray(rows, np.int64))
    tables = fill_tables(network.weight, network.leak, exponential_sum(), np.float64)
    return ladder(documents, model, tables, SEARCH, seed, n_samples)


@pytest.mark.parametrize("make", [plain_network, random_network])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rungs_are_in_order(make, seed):
    rng = np.random.default_rng(seed)
    network = make(rng, 6, 7)
    corpus = sampled_corpus(network, N_DOCUMENTS, rng)
    rungs = climbed(network, corpus, range(corpus.n_documents))
    for row, (jensen, exact, estimate, variance) in enumerate(rungs):
        present = corpus.tokens_of(row)
        observed = naive.closed_world(network, present)
        truth = local_log_likelihood(network, present)
        fit_error = 2.0 * exponential_sum().error * network.graph.n_nodes
        assert jensen <= exact + fit_error
        assert exact <= truth + 1e-9
        allowed = 6.0 * np.sqrt(variance) + 0.02 * (1 + 10 * FEW)
        assert estimate <= truth + allowed
        assert estimate >= truth - allowed
        assert truth <= naive.log_likelihood(network, observed) + 1e-12
    noise = 4.0 * np.sqrt(rungs[:, 3].sum()) / len(rungs)
    assert rungs[:, 2].mean() >= rungs[:, 1].mean() - noise


def local_log_likelihood(network, present):
    """Truth with the topics outside the local model off."""
    nodes = (present + network.graph.n_topics).tolist()
    pruned = set(range(network.graph.n_topics)) - naive.ancestors(network, nodes)
    return naive.log_likelihood(network, naive.closed_world(network, present, off=pruned))


@pytest.mark.skipif(FEW, reason="enumerates many documents")
def test_ten_guided_draws_are_close_even_where_documents_have_several_modes():
    rng = np.random.default_rng(6)
    gaps, gaps_of_bound = [], []
    for _ in range(4):
        network = random_network(rng, 8, 10)
        corpus = sampled_corpus(network, 40, rng)
        rungs = climbed(network, corpus, range(corpus.n_documents), n_samples=10)
        for row in range(corpus.n_documents):
            truth = local_log_likelihood(network, corpus.tokens_of(row))
            gaps.append(truth - rungs[row, 2])
            gaps_of_bound.append(truth - rungs[row, 1])
    assert np.mean(gaps_of_bound) > 0.02
    assert abs(np.mean(gaps)) < 0.2 * np.mean(gaps_of_bound)


def test_a_document_draws_the_same_numbers_in_any_company():
    rng = np.random.default_rng(3)
    network = plain_network(rng)
    corpus = sampled_corpus(network, N_DOCUMENTS, rng)
    everything = climbed(network, corpus, range(corpus.n_documents), n_samples=20)
    some = np.arange(corpus.n_documents)[::-2]
    assert climbed(network, corpus, some, n_samples=20).tobytes() == everything[some].tobytes()
    other_seed = climbed(network, corpus, some, seed=1, n_samples=20)
    assert (other_seed[:, :2] == everything[some, :2]).all()
    assert (other_seed[:, 2] != everything[some, 2]).any()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(4)
    network = plain_network(rng)
    corpus = sampled_corpus(network, 2 * N_DOCUMENTS, rng)
    results = []
    try:
        for n_threads in (1, 2):
            numba.set_num_threads(n_threads)
            results.append(climbed(network, corpus, range(corpus.n_documents), n_samples=20))
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert results[0].tobytes() == results[1].tobytes()
