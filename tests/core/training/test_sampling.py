"""Monte Carlo EM in its parts: chains repeat to the bit, and every M-step climbs."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.infer import infer_activations
from orrery.core.kernels.gibbs import MAX_CAUSE, MIN_CAUSE
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight, weight_to_probability
from orrery.core.training.gibbs import (
    LEAK_PRIOR,
    CauseCounts,
    Ties,
    advance,
    check_chains,
    maximise,
    share_of_one_document,
    start_chains,
)
from orrery.core.utils.errors import InputError
from tests import naive
from tests.benchmarks.gibbs_posterior import topic_marginals, unique_sample_bounds
from tests.random_networks import corpus_of_sets, plain_network, problems, sampled_corpus, several

scopes = pytest.mark.parametrize("full", [False, True])


def example(n_documents=60, seed=0):
    rng = np.random.default_rng(seed)
    network = plain_network(rng)
    return network, sampled_corpus(network, n_documents, rng)


def bits(*results):
    """Every number of some chains and counts."""
    arrays = [getattr(part, name) for part in results for name in vars(part)]
    return [array.tobytes() if isinstance(array, np.ndarray) else array for array in arrays]


def started(network, corpus, full=False, seed=3):
    rows = np.arange(corpus.n_documents)
    return start_chains(network.graph, corpus, rows, seed=seed, full=full)


@scopes
def test_two_sweeps_are_a_sweep_and_another(full):
    network, corpus = example()
    start = started(network, corpus, full)
    both, mean = advance(network, corpus, start, seed=3, sweeps=2, full=full)
    first, counts = advance(network, corpus, start, seed=3, full=full)
    then, more = advance(network, corpus, first, seed=3, full=full)
    assert bits(both) == bits(then)
    assert both.sweeps == 2
    for name in vars(mean):
        halves = 0.5 * (getattr(counts, name) + getattr(more, name))
        np.testing.assert_allclose(getattr(mean, name), halves, rtol=1e-12, atol=1e-12)
    burnt, late = advance(network, corpus, start, seed=3, sweeps=2, burn_in=1, full=full)
    assert bits(burnt) == bits(both)
    for name in vars(late):
        np.testing.assert_allclose(getattr(late, name), getattr(more, name), rtol=1e-12)


def test_a_stake_is_what_a_document_more_or_less_does_to_a_weight():
    """Everything that the M-step does not pull to 0 or 1 changes by its acts and its trials."""
    network, corpus = example()
    graph = network.graph
    _, counts = advance(network, corpus, started(network, corpus), seed=3, sweeps=20)
    counts = replace(counts, usage=counts.usage + 1.0)
    penalty = 3.0
    share = share_of_one_document(graph, counts.usage, corpus.n_documents, weight_penalty=penalty)
    acts = np.minimum(counts.edge, 0.5) * 0.5

    def probability(edge, usage):
        some = replace(counts, edge=edge, usage=usage)
        weight = maximise(graph, some, corpus.n_documents, weight_penalty=penalty).weight
        return weight_to_probability(weight)

    whole = probability(counts.edge, counts.usage)
    inner = (whole > 1e-3) & (whole < 0.9)
    assert inner.sum() > 10
    without = probability(counts.edge - acts, counts.usage - 1.0)
    np.testing.assert_allclose(
        ((whole - share.edge * acts) / (1.0 - share.edge))[inner], without[inner], rtol=1e-9
    )
    assert share.leak == 1.0 / corpus.n_documents


def test_chains_given_are_left_as_they_are():
    network, corpus = example()
    start = started(network, corpus)
    before = bits(start)
    moved, _ = advance(network, corpus, start, seed=3)
    assert bits(start) == before
    assert (moved.state != start.state).any()


def test_a_chain_depends_on_its_document_and_the_seed_alone():
    network, corpus = example()
    rows = np.array([40, 7, 41])
    every, few = started(network, corpus), start_chains(network.graph, corpus, rows, seed=3)
    state = np.concatenate([every.state[every.ptr[row] : every.ptr[row + 1]] for row in rows])
    moved, _ = advance(network, corpus, every, seed=3, sweeps=4)
    alone, _ = advance(network, corpus, replace(few, state=state), seed=3, sweeps=4)
    expected = [moved.state[moved.ptr[row] : moved.ptr[row + 1]] for row in rows]
    assert (alone.state == np.concatenate(expected)).all()
    other, _ = advance(network, corpus, every, seed=4, sweeps=4)
    assert (other.state != moved.state).any()
    huge, _ = advance(network, corpus, every, seed=2**64 + 3, sweeps=4)
    assert (huge.state == moved.state).all()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
@scopes
def test_threads_do_not_change_a_bit(full):
    network, corpus = example()

    def everything():
        found = advance(network, corpus, started(network, corpus, full), seed=1, full=full)
        means = topic_marginals(network, corpus, sweeps=5, burn_in=1, full=full).toarray()
        return bits(*found), means.tobytes(), unique_sample_bounds(network, corpus).tobytes()

    try:
        numba.set_num_threads(1)
        alone = everything()
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert everything() == alone


def exact_counts(network, corpus, world):
    """Expected counts of an infinite chain."""
    graph = network.graph
    sums = [np.zeros(size) for size in (graph.n_edges, graph.n_nodes, graph.n_topics)]
    total = 0.0
    for row in range(corpus.n_documents):
        observed = world(network, corpus.tokens_of(row))
        for array, part in zip(sums, naive.expected_causes(network, observed), strict=True):
            array += part
        total += naive.log_likelihood(network, observed)
    return CauseCounts(*sums), total


def log_prior(network, weight_penalty, sparsity):
    """Increase of the log-likelihood of the causes of words, and of leaks, by the M-step."""
    some, all_ = LEAK_PRIOR
    acts = weight_to_probability(network.weight[network.graph.first_token_edge :])
    by_leak = weight_to_probability(network.leak)
    failures = (weight_penalty + sparsity) * np.log1p(-acts) - sparsity * np.log(acts)
    prior = some * np.log(by_leak) + (all_ - some) * np.log1p(-by_leak)
    return failures.sum() + prior.sum()


@pytest.mark.parametrize("world", [naive.closed_world, naive.local_world])
@pytest.mark.parametrize(("weight_penalty", "sparsity"), [(0.0, 0.0), (3.0, 0.0), (1.0, 0.2)])
@several
@given(problem=problems(most_topics=3, make=plain_network))
def test_expectation_maximisation_never_goes_down(world, weight_penalty, sparsity, problem):
    """From the exact counts of the E-step, an M-step climbs the likelihood with its priors."""
    network, corpus = problem.network, sampled_corpus(problem.network, 5, problem.rng)
    heights = []
    for _ in range(4):
        counts, log_likelihood = exact_counts(network, corpus, world)
        heights.append(log_likelihood + log_prior(network, weight_penalty, sparsity))
        network = maximise(
            network.graph,
            counts,
            corpus.n_documents,
            weight_penalty=weight_penalty,
            sparsity=sparsity,
        )
    assert (np.diff(heights) > -1e-7).all()


def some_counts(graph, rng, n_documents=100):
    usage = rng.uniform(0.0, n_documents, graph.n_topics)
    edge = usage[graph.parent_idx] * rng.random(graph.n_edges)
    return CauseCounts(edge, n_documents * rng.random(graph.n_nodes), usage)


@several
@given(problem=problems())
def test_penalty_and_sparsity_lower_weights_into_words_alone(problem):
    graph = problem.network.graph
    counts = some_counts(graph, problem.rng)
    plain = maximise(graph, counts, 100)
    acts = weight_to_probability(plain.weight)
    expected = np.clip(counts.edge / counts.usage[graph.parent_idx], MIN_CAUSE, MAX_CAUSE)
    np.testing.assert_allclose(acts, expected, rtol=1e-9)
    some, all_ = LEAK_PRIOR
    by_leak = (counts.leak + some) / (100 + all_)
    np.testing.assert_allclose(weight_to_probability(plain.leak), by_leak, rtol=1e-9)
    first = graph.first_token_edge
    for options in ({"weight_penalty": 5.0}, {"sparsity": 2.0}):
        held = maximise(graph, counts, 100, **options)
        assert (held.weight[:first] == plain.weight[:first]).all()
        assert (held.leak == plain.leak).all()
        is_lower = held.weight[first:] < plain.weight[first:]
        assert (is_lower | (acts[first:] <= MIN_CAUSE * (1.0 + 1e-9))).all()
    unused = maximise(graph, counts, 100, sparsity=1e6)
    np.testing.assert_allclose(weight_to_probability(unused.weight[first:]), MIN_CAUSE)


def test_topics_that_are_never_on_leave_weights_that_can_be_used():
    graph, _ = build_graph(2, ["a", "b"], [0, 0, 1], [1, 2, 3])
    zero = CauseCounts(np.zeros(3), np.zeros(4), np.zeros(2))
    for options in ({}, {"weight_penalty": 1.0}, {"sparsity": 1.0}):
        network = maximise(graph, zero, 10, **options)
        np.testing.assert_allclose(weight_to_probability(network.weight), MIN_CAUSE)
        assert (network.leak > 0.0).all()


def test_a_running_mean():
    rng = np.random.default_rng(0)
    graph = plain_network(rng).graph
    old, fresh = some_counts(graph, rng), some_counts(graph, rng)
    mixed = old.mixed(fresh, 0.25)
    for name in vars(mixed):
        expected = 0.75 * getattr(old, name) + 0.25 * getattr(fresh, name)
        np.testing.assert_allclose(getattr(mixed, name), expected)


def clear_example():
    """Three themes of words of their own, of which a document leaves no doubt."""
    n_words = 24
    themes = [0] * 8 + [1] * 8 + [2] * 8
    graph, _ = build_graph(n_words, ["a", "b", "c"], themes, 3 + np.arange(n_words))
    leak = np.concatenate([np.full(3, 0.4), np.full(n_words, 1e-3)])
    network = build_network(graph, probability_to_weight(np.full(n_words, 0.8)), leak)
    return network, sampled_corpus(network, 80, np.random.default_rng(1))


@scopes
def test_marginals_are_those_of_inference_where_there_is_no_doubt(full):
    network, corpus = clear_example()
    sampled = topic_marginals(network, corpus, full=full)
    inferred = infer_activations(network, corpus)
    assert sampled.shape == inferred.shape
    np.testing.assert_allclose(sampled.toarray(), inferred.toarray(), atol=0.02)
    rows = np.array([5, 2])
    some = topic_marginals(network, corpus, rows, full=full)
    assert (some.toarray() == sampled[rows].toarray()).all()


@scopes
def test_marginals_and_bounds_are_those_of_the_posterior(full):
    network, corpus = example(n_documents=4, seed=2)
    found = topic_marginals(network, corpus, sweeps=5000, full=full).toarray()
    bounds = unique_sample_bounds(network, corpus, sweeps=500, full=full)
    world = naive.closed_world if full else naive.local_world
    for row in range(corpus.n_documents):
        observed = world(network, corpus.tokens_of(row))
        np.testing.assert_allclose(found[row], naive.marginals(network, observed), atol=0.03)
        truth = naive.log_likelihood(network, observed)
        assert bounds[row] == pytest.approx(truth, abs=0.01)
        assert bounds[row] <= truth + 1e-9


def test_documents_without_words_and_no_documents():
    network, _ = clear_example()
    corpus = corpus_of_sets([set(), {0, 1}, set()], 24)
    moved, counts = advance(network, corpus, started(network, corpus), seed=0)
    assert np.diff(moved.ptr).tolist() == [0, 1, 0]
    assert counts.usage[1:].tolist() == [0.0, 0.0]
    assert topic_marginals(network, corpus)[[0, 2]].nnz == 0
    assert np.isfinite(unique_sample_bounds(network, corpus)).all()
    none = np.array([], np.int64)
    assert topic_marginals(network, corpus, none).shape == (0, 3)
    assert unique_sample_bounds(network, corpus, none).shape == (0,)


def test_what_cannot_be_sampled_is_refused():
    network, corpus = example()
    start = started(network, corpus)
    for sweeps, burn_in in ((0, 0), (3, 3), (3, -1)):
        message = f"burn_in is {burn_in} of {sweeps} sweeps; leave at least one to count"
        with pytest.raises(InputError, match=message):
            topic_marginals(network, corpus, sweeps=sweeps, burn_in=burn_in)
        with pytest.raises(InputError, match=message):
            advance(network, corpus, start, seed=0, sweeps=sweeps, burn_in=burn_in)
    with pytest.raises(InputError, match="sweeps is 0; expected 1 or more"):
        unique_sample_bounds(network, corpus, sweeps=0)
    other = corpus_of_sets([{0}], 3)
    for sample in (topic_marginals, unique_sample_bounds):
        with pytest.raises(InputError, match="the graph has 10 words and the corpus 3"):
            sample(network, other)
        with pytest.raises(InputError, match="a row is not in the corpus"):
            sample(network, corpus, np.array([60]))


def test_chains_of_other_documents_are_refused():
    network, corpus = example()
    rows, chains = np.arange(corpus.n_documents), started(network, corpus)
    check_chains(network.graph, corpus, rows, chains)
    lengths = np.diff(chains.ptr)
    here, there = np.argmin(lengths), np.argmax(lengths)
    swapped = rows.copy()
    swapped[[here, there]] = there, here
    moved = chains.ptr.copy()
    moved[1] += 1
    for wrong in (
        replace(chains, rows=swapped),
        replace(chains, ptr=moved),
        replace(chains, state=chains.state[:-1]),
        start_chains(network.graph, corpus, rows[:-1], seed=0),
        start_chains(network.graph, corpus, rows, seed=0, full=True),
    ):
        with pytest.raises(InputError, match="chains are of other documents or another graph"):
            check_chains(network.graph, corpus, rows, wrong)
    with pytest.raises(InputError, match="chains are of other documents or another graph"):
        check_chains(network.graph, corpus, swapped, chains)


def test_tied_parameters_come_out_equal_and_pool_their_counts():
    network, _ = example()
    graph = network.graph
    rng = np.random.default_rng(1)
    ties = Ties(rng.integers(0, 3, graph.n_edges), rng.integers(0, 4, graph.n_nodes))
    usage = rng.uniform(5.0, 20.0, graph.n_topics)
    edge = rng.random(graph.n_edges) * usage[graph.parent_idx]
    counts = CauseCounts(edge, rng.uniform(1.0, 9.0, graph.n_nodes), usage)
    tied = maximise(graph, counts, 30, ties=ties)
    for group in range(3):
        members = ties.edge == group
        expected = edge[members].sum() / usage[graph.parent_idx[members]].sum()
        assert weight_to_probability(tied.weight[members]) == pytest.approx(expected)
    for group in range(4):
        members = ties.node == group
        some, all_ = LEAK_PRIOR
        expected = (counts.leak[members].sum() + some) / (30 * members.sum() + all_)
        assert weight_to_probability(tied.leak[members]) == pytest.approx(expected)
    alone = Ties(np.arange(graph.n_edges), np.arange(graph.n_nodes))
    apart, untied = maximise(graph, counts, 30, ties=alone), maximise(graph, counts, 30)
    assert apart.weight.tobytes() == untied.weight.tobytes()
    again = ties.tie(network)
    assert all(len(set(again.weight[ties.edge == group])) == 1 for group in range(3))
