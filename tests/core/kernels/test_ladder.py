"""The ladder: Jensen ≤ exact ≤ importance sampling ≤ log-likelihood, for each document."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from orrery.core.kernels.batch import Model
from orrery.core.kernels.document import Search
from orrery.core.kernels.ladder import bounds_and_likelihood
from orrery.core.kernels.rows import Documents
from orrery.core.kernels.tables import exponential_sum, fill_tables
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests import naive
from tests.random_networks import corpus_of_sets, plain_network, random_network, sampled_corpus

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
    return bounds_and_likelihood(documents, model, tables, SEARCH, seed, n_samples)


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
    assert rungs[:, 2].mean() >= rungs[:, 1].mean() - noise - 0.01 * (1 + 10 * FEW)


def local_log_likelihood(network, present):
    """Truth with the topics outside the local model off."""
    nodes = (present + network.graph.n_topics).tolist()
    pruned = set(range(network.graph.n_topics)) - naive.ancestors(network, nodes)
    return naive.log_likelihood(network, naive.closed_world(network, present, off=pruned))


def test_ten_importance_samples_find_both_modes_where_the_bound_has_one():
    """Two topics that explain the same words, as likely as each other."""
    graph, _ = build_graph(3, ["one", "other"], [0, 0, 0, 1, 1, 1], [2, 3, 4, 2, 3, 4])
    network = build_network(graph, np.full(6, 4.0), [0.01, 0.01, 1e-3, 1e-3, 1e-3])
    corpus = corpus_of_sets([{0, 1, 2}], 3)
    truth = local_log_likelihood(network, corpus.tokens_of(0))
    _, exact, estimate, _ = climbed(network, corpus, [0], n_samples=10)[0]
    assert exact == pytest.approx(truth - np.log(2.0), abs=0.05)
    assert estimate == pytest.approx(truth, abs=0.05)


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
