"""E-steps of many documents: the sums of single ones, whatever the blocks and threads."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

from orrery.core.kernels.batch import (
    Memory,
    Model,
    Sums,
    bounds_of_documents,
    exact_step,
    expectation_step,
    likelihood_step,
)
from orrery.core.kernels.document import Search
from orrery.core.kernels.rows import Documents, Parents, topic_pointer
from orrery.core.kernels.tables import exponential_sum, fill_tables
from tests import naive
from tests.random_networks import activations, plain_network, problems, sampled_corpus, several

BOUNDS = ["exact", "jensen"]
SCOPES = ["local", "full"]
N_DOCUMENTS = 5 if numba.config.DISABLE_JIT else 40
# Plain Python warns where 64 bits overflow, as they are meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
SEARCH = Search(np.array([0.5, 0.02]), 1e-4, 50, np.array([5, 5, 5]))


def model_of(network):
    """The network for the kernels."""
    graph = network.graph
    return Model(
        graph.n_topics,
        graph.parent_ptr,
        graph.parent_idx,
        network.weight,
        network.leak,
        network.child_weight_totals(),
        float(network.leak.sum()),
    )


def tables_of(network):
    """Its tables."""
    return fill_tables(network.weight, network.leak, exponential_sum(), np.float64)


def stepped(network, corpus, rows, bound, scope, n_blocks=8):
    """(bounds, gradient of the weights, of the leaks, usage), blocks added up."""
    documents = Documents(corpus.token_ptr, corpus.token_idx, np.ascontiguousarray(rows, np.int64))
    bounds, sums = expectation_step(
        documents,
        model_of(network),
        tables_of(network) if bound == "exact" else None,
        scope == "full",
        SEARCH,
        n_blocks,
    )
    return [bounds, *(block.sum(axis=0) for block in sums)]


def drawn(network, corpus, rows, scope="local", n_blocks=8, key=7, n_samples=6):
    """The gradient by importance sampling."""
    documents = Documents(corpus.token_ptr, corpus.token_idx, np.ascontiguousarray(rows, np.int64))
    bounds, sums = likelihood_step(
        documents, model_of(network), scope == "full", np.uint64(key), n_samples, n_blocks
    )
    return [bounds, *(block.sum(axis=0) for block in sums)]


def random_corpus(seed, n_documents=N_DOCUMENTS):
    """A network, and documents drawn from it; the first has no token."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng)
    corpus = sampled_corpus(network, n_documents, rng)
    empty = np.flatnonzero(np.diff(corpus.token_ptr) == 0)
    return network, corpus, empty


@pytest.mark.parametrize("scope", SCOPES)
@several
@given(problem=problems())
def test_one_exact_document_has_the_bound_and_gradient_of_its_activations(scope, problem):
    network, graph = problem.network, problem.network.graph
    weight, leak = np.zeros(graph.n_edges), np.zeros(graph.n_nodes)
    q = activations(problem)
    usage = np.zeros(graph.n_topics)
    terms = exponential_sum()
    place = np.full(graph.n_topics, -1, np.int32)
    bound = exact_step(
        problem.present_nodes,
        model_of(network),
        tables_of(network),
        scope == "full",
        SEARCH,
        place,
        np.empty(0, np.float32),
        False,
        Sums(weight, leak, usage),
    )
    # One document's usage is its activations, so the loops can take over from there.
    q[: graph.n_topics] = usage
    expected_weight, expected_leak = naive.exact_gradient(network, q, terms)
    outside = (q > 0).sum() * terms.error
    assert bound == pytest.approx(naive.exact_bound(network, q, terms), abs=outside + 1e-8)
    np.testing.assert_allclose(
        weight - usage[graph.parent_idx], expected_weight, rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(leak - 1.0, expected_leak, rtol=1e-6, atol=1e-6)
    assert (place == -1).all()
    if scope == "local":
        pruned = set(range(graph.n_topics)) - naive.ancestors(network, problem.present_nodes)
        assert all(usage[topic] == 0.0 for topic in pruned)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("scope", SCOPES)
def test_sums_over_documents_and_blocks(bound, scope):
    network, corpus, _ = random_corpus(0)
    rows = np.arange(corpus.n_documents)[::-1]
    single = [stepped(network, corpus, [row], bound, scope) for row in rows]
    expected = [np.concatenate([parts[0] for parts in single])]
    expected += [sum(parts[item] for parts in single) for item in (1, 2, 3)]
    for n_blocks in (1, 3, 2 * len(rows)):
        for ours, theirs in zip(
            stepped(network, corpus, rows, bound, scope, n_blocks), expected, strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("scope", SCOPES)
def test_sums_of_samples_over_documents_and_blocks(scope):
    """A document draws the same states alone and in any company."""
    network, corpus, _ = random_corpus(0)
    rows = np.arange(corpus.n_documents)[::-1]
    single = [drawn(network, corpus, [row], scope) for row in rows]
    expected = [np.concatenate([parts[0] for parts in single])]
    expected += [sum(parts[item] for parts in single) for item in (1, 2, 3)]
    for n_blocks in (1, 3):
        for ours, theirs in zip(
            drawn(network, corpus, rows, scope, n_blocks), expected, strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    other = drawn(network, corpus, rows, scope, key=8)
    assert (other[0] != expected[0]).any()
    assert (other[3] != expected[3]).any()


def test_bounds_by_importance_sampling_lie_above_the_exact_one_and_rise_to_the_likelihood():
    network, corpus, _ = random_corpus(5)
    rows = np.arange(corpus.n_documents)
    exact = stepped(network, corpus, rows, "exact", "full")[0].mean()
    keys = range(200 // len(rows))
    levels = [
        np.mean([drawn(network, corpus, rows, "full", 8, key, k)[0].mean() for key in keys])
        for k in (2, 50)
    ]
    truth = np.mean(
        [
            naive.log_likelihood(network, naive.closed_world(network, corpus.tokens_of(row)))
            for row in rows
        ]
    )
    assert exact < levels[0] < levels[1] < truth + 0.02
    assert truth - levels[1] < 0.3 * (truth - exact)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
@pytest.mark.parametrize("bound", [*BOUNDS, "likelihood"])
@pytest.mark.parametrize("scope", SCOPES)
def test_threads_do_not_change_a_bit(bound, scope):
    network, corpus, _ = random_corpus(1, 2 * N_DOCUMENTS)
    rows = np.arange(corpus.n_documents)
    results = []
    try:
        for n_threads in (1, 2, 2):
            numba.set_num_threads(n_threads)
            if bound == "likelihood":
                results.append(drawn(network, corpus, rows, scope))
            else:
                results.append(stepped(network, corpus, rows, bound, scope))
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    for other in results[1:]:
        for first, second in zip(results[0], other, strict=True):
            assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounds_alone_are_those_of_the_step(bound):
    network, corpus, _ = random_corpus(4)
    rows = np.arange(corpus.n_documents)
    documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
    tables = tables_of(network) if bound == "exact" else None
    alone = bounds_of_documents(documents, model_of(network), tables, SEARCH, 3)
    assert alone.tobytes() == stepped(network, corpus, rows, bound, "local")[0].tobytes()


def test_activations_are_remembered_and_the_next_bounds_start_there():
    network, corpus, _ = random_corpus(4)
    documents = Documents(corpus.token_ptr, corpus.token_idx, np.arange(corpus.n_documents)[::-1])
    model, tables = model_of(network), tables_of(network)
    parents = Parents(model.n_topics, model.parent_ptr, model.parent_idx)
    pointer = topic_pointer(documents, parents, False)
    starts = np.zeros(len(documents.rows), np.bool_)
    memory = Memory(pointer, np.full(pointer[-1], np.nan, np.float32), starts)
    first = bounds_of_documents(documents, model, tables, SEARCH, 3, memory)
    usage = stepped(network, corpus, documents.rows, "exact", "local")[3]
    assert memory.activation.sum() == pytest.approx(usage.sum(), rel=1e-5)
    again = bounds_of_documents(
        documents, model, tables, SEARCH, 8, memory._replace(is_start=~starts)
    )
    np.testing.assert_allclose(again, first, atol=1e-3)
    # Without a sweep, the bounds belong to the activations that they start at.
    memory.activation[:] = 1e-6
    still = SEARCH._replace(max_sweeps=0)
    other = bounds_of_documents(
        documents, model, tables, still, 8, memory._replace(is_start=~starts)
    )
    assert other.mean() < first.mean() - 0.01
    assert memory.activation.max() < 1e-5


def test_each_document_starts_where_its_own_memory_says():
    network, corpus, _ = random_corpus(4)
    rows = np.arange(corpus.n_documents)
    documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
    model, tables = model_of(network), tables_of(network)
    pointer = topic_pointer(documents, Parents(*model[:3]), False)
    still = SEARCH._replace(max_sweeps=0)

    def step(is_start):
        memory = Memory(pointer, np.full(pointer[-1], 0.3, np.float32), is_start)
        return expectation_step(documents, model, tables, False, still, 3, memory)[0], memory

    (anew, _), (near, kept) = step(rows < 0), step(rows >= 0)
    assert kept.activation.tobytes() == np.full(pointer[-1], 0.3, np.float32).tobytes()
    has_topics = np.diff(pointer) > 0
    assert (anew != near)[has_topics].all()
    mixed, _ = step(rows % 2 == 0)
    assert mixed.tobytes() == np.where(rows % 2 == 0, near, anew).tobytes()


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_document_without_tokens_costs_all_leaks(bound):
    network, corpus, empty = random_corpus(2, 200)
    assert len(empty)
    bounds, weight, leak, usage = stepped(network, corpus, empty[:1], bound, "local")
    assert bounds[0] == pytest.approx(-network.leak.sum())
    assert not weight.any()
    assert not leak.any()
    assert not usage.any()


def test_a_document_without_tokens_draws_nothing():
    network, corpus, empty = random_corpus(2, 200)
    bounds, *sums = drawn(network, corpus, empty[:1])
    assert bounds[0] == pytest.approx(-network.leak.sum())
    assert not any(part.any() for part in sums)


def test_no_documents_add_nothing():
    network, corpus, _ = random_corpus(3)
    for bounds, *sums in (
        stepped(network, corpus, [], "exact", "local"),
        drawn(network, corpus, []),
    ):
        assert len(bounds) == 0
        assert not any(part.any() for part in sums)
