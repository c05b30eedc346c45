"""Evaluation: metrics equal plain loops, are repeatable, and have the order of the ladder."""

from __future__ import annotations

from types import SimpleNamespace

import numba
import numpy as np
import pytest

from orrery.core.data.corpus import read_corpus
from orrery.core.evaluation.evaluate import evaluate
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import train
from orrery.core.utils.errors import InputError
from tests import naive
from tests.random_networks import corpus_of_sets, plain_network, sampled_corpus

N_TOKENS = 6


def drawn(seed=0, n_documents=60):
    """A network and documents from it."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=5, n_tokens=7)
    return network, sampled_corpus(network, n_documents, rng)


def test_figures_are_in_the_order_of_the_ladder():
    network, corpus = drawn()
    figures = evaluate(network, corpus, samples=500)
    truth = np.mean(
        [
            naive.log_likelihood(network, naive.closed_world(network, corpus.tokens_of(row)))
            for row in range(corpus.n_documents)
        ]
    )
    error = figures.log_likelihood_error
    assert 0 < error < 0.05
    assert figures.jensen_bound <= figures.exact_bound + 1e-4
    assert figures.exact_bound <= figures.log_likelihood + 4 * error
    assert figures.log_likelihood <= truth + 4 * error
    assert (figures.documents, figures.samples) == (corpus.n_documents, 500)
    assert (figures.topics, figures.edges) == (network.graph.n_topics, network.graph.n_edges)


def test_without_samples_only_the_exact_bound_is_computed():
    network, corpus = drawn()
    bound, whole = evaluate(network, corpus, samples=0), evaluate(network, corpus)
    assert (bound.jensen_bound, bound.log_likelihood, bound.log_likelihood_error) == (None,) * 3
    # Single precision, and no start at the result of the Jensen ascent.
    assert whole.exact_bound - 0.01 <= bound.exact_bound <= whole.exact_bound + 1e-4
    others = {"jensen_bound", "exact_bound", "log_likelihood", "log_likelihood_error", "samples"}
    for name in set(whole.to_dict()) - others:
        assert getattr(bound, name) == getattr(whole, name)


def test_documents_without_tokens_count():
    network, corpus = drawn(n_documents=300)
    lengths = np.diff(corpus.token_ptr)
    empty, other = np.flatnonzero(lengths == 0), np.flatnonzero(lengths)
    assert len(empty)
    parts = [evaluate(network, corpus, rows).exact_bound for rows in (empty, other)]
    expected = np.average(parts, weights=[len(empty), len(other)])
    assert parts[0] == pytest.approx(-network.leak.sum())
    assert evaluate(network, corpus).exact_bound == pytest.approx(expected)
    assert evaluate(network, corpus, empty).completion_mrr is None


def test_the_same_seed_gives_the_same_figures():
    network, corpus = drawn()
    first = evaluate(network, corpus, samples=5, seed=3)
    assert evaluate(network, corpus, samples=5, seed=3) == first
    other = evaluate(network, corpus, samples=5, seed=4)
    assert other.log_likelihood != first.log_likelihood
    assert other.exact_bound == first.exact_bound


def test_it_shows_how_far_it_is_and_parts_change_nothing(monkeypatch):
    network, corpus = drawn()
    reported = []
    figures = evaluate(network, corpus, samples=5, progress=reported.append)
    assert reported == pytest.approx(np.linspace(0.0, 1.0, 21))
    monkeypatch.setattr("orrery.core.evaluation.evaluate.PARTS", 1)
    assert evaluate(network, corpus, samples=5) == figures


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_threads_do_not_change_a_bit():
    network, corpus = drawn()
    try:
        numba.set_num_threads(1)
        alone = evaluate(network, corpus, samples=5)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert evaluate(network, corpus, samples=5) == alone


def test_a_model_without_topics_is_the_independent_one():
    _, corpus = drawn()
    frequency = (corpus.document_frequency() + 0.5) / (corpus.n_documents + 1.0)
    graph, _ = build_graph(corpus.n_tokens, [], [], [])
    figures = evaluate(build_network(graph, [], -np.log1p(-frequency)), corpus)
    assert figures.jensen_bound == pytest.approx(figures.independent)
    assert figures.exact_bound == pytest.approx(figures.independent, abs=1e-4)
    assert figures.log_likelihood == pytest.approx(figures.independent)
    assert figures.npmi is None
    assert figures.diversity is None
    assert figures.completion_mrr == pytest.approx(figures.completion_mrr_independent)
    assert figures.completion_recall10 == figures.completion_recall10_independent


def test_what_cannot_be_evaluated_is_refused():
    network, corpus = drawn()
    with pytest.raises(InputError, match="there is no document to evaluate on; hold some out"):
        evaluate(network, corpus, np.array([], np.int64))
    with pytest.raises(InputError, match="samples is -1; expected from 0 to 100,000"):
        evaluate(network, corpus, samples=-1)
    with pytest.raises(InputError, match="the graph has 7 words and the corpus 6; use the corpus"):
        evaluate(network, corpus_of_sets([{0}], N_TOKENS))
    for row in (-1, corpus.n_documents):
        with pytest.raises(InputError, match="a row is not in the corpus"):
            evaluate(network, corpus, np.array([row]))


def test_a_model_is_named_with_what_to_give_instead():
    network, corpus = drawn()
    with pytest.raises(InputError, match=r"give its network, such as run\.network"):
        evaluate(SimpleNamespace(network=network), corpus)


def test_a_single_sample_has_no_standard_error():
    network, corpus = drawn()
    assert evaluate(network, corpus, samples=1).log_likelihood_error is None
    assert evaluate(network, corpus, samples=2).log_likelihood_error > 0


@pytest.mark.parametrize("bound", ["exact", "jensen"])
def test_ladder_on_tiny20_after_a_short_training(bound, real_data):
    corpus = read_corpus(real_data("tiny20/20news_w100.mat"))
    order = np.random.default_rng(0).permutation(corpus.n_documents)
    rows, held_out = np.sort(order[:3000]), np.sort(order[-200:])
    graph = propose_graph(corpus.subset(rows), method="agglomerative", topics=(20, 5))
    options = TrainingOptions(bound=bound, epochs=3, batch_size=250)
    for state, _ in train(corpus, graph, options, rows=rows):
        network = state.network
    figures = evaluate(network, corpus, held_out, samples=100)
    assert figures.documents == 200
    assert figures.jensen_bound <= figures.exact_bound + 1e-4
    assert figures.exact_bound <= figures.log_likelihood + 4 * figures.log_likelihood_error
    assert figures.exact_bound > figures.independent
    assert figures.completion_mrr > figures.completion_mrr_independent
    assert figures.completion_recall10 > figures.completion_recall10_independent
