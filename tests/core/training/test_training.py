"""Training: every step climbs the bound, and what cannot be trained is refused."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numba
import numpy as np
import pytest

from orrery.core.evaluation.completion import independent_log_likelihood
from orrery.core.evaluation.evaluate import evaluate
from orrery.core.inference.infer import infer_bounds
from orrery.core.inference.kernel_inputs import (
    N_BLOCKS,
    kernel_model,
    kernel_tables,
    search_settings,
)
from orrery.core.kernels.batch import expectation_step
from orrery.core.kernels.rows import Documents
from orrery.core.model.graph import build_graph
from orrery.core.model.network import MAX_WEIGHT, MIN_LEAK, build_network
from orrery.core.training.e_step import objective_bounds, remembering_bounds
from orrery.core.training.optimizers import (
    ADAM_DECAY,
    MIN_WEIGHT,
    PAPER_EDGE_SCALE,
    PAPER_RATE,
    Moments,
    adam_update,
)
from orrery.core.training.options import MAX_SAMPLES, Schedule, TrainingOptions
from orrery.core.training.state import TrainingState, fresh_state
from orrery.core.training.train import initial_state, step, train
from orrery.core.utils.errors import InputError
from tests import naive
from tests.random_networks import corpus_of_sets, random_network, sampled_corpus, with_value
from tests.short_trainings import BOUNDS, KINDS, SCOPES, SHORT, example, last


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("scope", SCOPES)
def test_training_improves_the_bound(bound, scope):
    graph, corpus = example()
    options = TrainingOptions(bound=bound, scope=scope, epochs=15, batch_size=50)
    start = initial_state(graph, corpus, np.arange(corpus.n_documents), options.seed)
    state, _ = last(corpus, graph, options)
    before, after = (
        infer_bounds(network, corpus, bound=bound).mean()
        for network in (start.network, state.network)
    )
    assert after > before + 0.05


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("scope", SCOPES)
def test_full_batches_of_the_paper_climb(bound, scope, monkeypatch):
    graph, corpus = example(n_documents=200)
    options = TrainingOptions(
        bound=bound, scope=scope, optimizer="paper", epochs=8, batch_size=200, weight_penalty=0.0
    )
    reports = [info.bound for _, info in train(corpus, graph, options)]
    assert np.isfinite(reports).all()
    assert reports[-1] > reports[0] + 0.1
    # At the paper's own rate a step may overshoot on so small a corpus; at a third none falls.
    monkeypatch.setattr("orrery.core.training.optimizers.PAPER_RATE", PAPER_RATE / 3.0)
    reports = [info.bound for _, info in train(corpus, graph, options)]
    assert (np.diff(reports) > -1e-3).all()


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_paper_on_minibatches_survives_rare_words(bound):
    """A word in a single document must not throw its leak across the whole range."""
    graph, corpus = example(n_documents=300)
    rare = corpus.n_tokens - 1
    sets = [set(corpus.tokens_of(row).tolist()) - {rare} for row in range(corpus.n_documents)]
    sets[0].add(rare)
    corpus = corpus_of_sets(sets, corpus.n_tokens)
    options = TrainingOptions(bound=bound, optimizer="paper", epochs=10, batch_size=50)
    state, _ = last(corpus, graph, options)
    control = independent_log_likelihood(corpus, np.arange(corpus.n_documents))
    assert infer_bounds(state.network, corpus, bound=bound).mean() > control - 1.0


def test_a_step_of_the_paper_follows_the_slope_of_the_bound(monkeypatch):
    """Eq. 17 shows the slope: the central difference through the whole E-step, no penalty."""
    graph, corpus = example(n_documents=12)
    rng = np.random.default_rng(5)
    network = build_network(
        graph, rng.uniform(0.3, 1.0, graph.n_edges), rng.uniform(0.2, 0.5, graph.n_nodes)
    )
    monkeypatch.setattr("orrery.core.training.optimizers.PAPER_RATE", 1e-6)
    rows = np.arange(corpus.n_documents)
    options = TrainingOptions(optimizer="paper", weight_penalty=6.0)
    state = TrainingState(network, Moments(np.zeros(0), np.zeros(0)))
    moved, info = step(state, corpus, rows, Schedule(options, 48), n_documents=48)
    weight_slope = (moved.network.weight - network.weight) / (1e-6 * PAPER_EDGE_SCALE)
    leak_slope = (moved.network.leak - network.leak) / 1e-6
    assert info.bound == pytest.approx(mean_bound(network, corpus, rows))
    for name, slopes in (("weight", weight_slope), ("leak", leak_slope)):
        for position in range(0, len(slopes), 4):
            value = getattr(network, name)[position]
            ends = [
                mean_bound(with_value(network, name, position, value + shift), corpus, rows)
                for shift in (-1e-4, 1e-4)
            ]
            slope = (ends[1] - ends[0]) / 2e-4
            assert slopes[position] == pytest.approx(slope, rel=2e-3, abs=2e-4)


def mean_bound(network, corpus, rows):
    """Mean exact bound with every activation at its optimum, from one start."""
    network = build_network(network.graph, network.weight, network.leak)
    bounds, *_ = expectation_step(
        Documents(corpus.token_ptr, corpus.token_idx, rows),
        kernel_model(network),
        kernel_tables(network, "exact"),
        False,
        search_settings(starts=(0.5,), tolerance=0.0),
        N_BLOCKS,
    )
    return bounds.mean()


def test_adam_is_that_of_the_textbook_on_log_weights():
    graph, corpus = example()
    options = TrainingOptions(epochs=20, batch_size=50, learning_rate=0.03)
    rows = np.arange(corpus.n_documents)
    states = [initial_state(graph, corpus, rows, options.seed)]
    # All of these steps are in the first half of the schedule, where the rate is constant.
    states += [state for state, _ in itertools.islice(train(corpus, graph, options), 8)]
    (decay1, decay2), first, second = ADAM_DECAY, 0.0, 0.0
    for count, (before, after) in enumerate(itertools.pairwise(states), start=1):
        slope = (after.moments.first - decay1 * before.moments.first) / (1.0 - decay1)
        first = decay1 * first + (1.0 - decay1) * slope
        second = decay2 * second + (1.0 - decay2) * slope**2
        moved = first / (1.0 - decay1**count) / np.sqrt(second / (1.0 - decay2**count) + 1e-300)
        logs = [
            np.log(np.concatenate([state.network.weight, state.network.leak]))
            for state in (before, after)
        ]
        is_plain = np.abs(slope) > 1e-6
        np.testing.assert_allclose((logs[1] - logs[0])[is_plain], 0.03 * moved[is_plain], rtol=1e-3)
        assert is_plain.any()


def test_adam_makes_steps_of_its_rate_where_the_slope_stays():
    """Its means are of a constant, whatever their decay, once their start at 0 is corrected."""
    graph, _ = example()
    network = build_network(graph, np.full(graph.n_edges, 0.5), np.full(graph.n_nodes, 0.5))
    moments, rate = fresh_state(network).moments, 0.01
    for _ in range(12):
        values = np.concatenate([network.weight, network.leak])
        moved, moments = adam_update(network, moments, 3.0 / values, rate)
        for name in ("weight", "leak"):
            growth = getattr(moved, name) / getattr(network, name)
            np.testing.assert_allclose(growth, np.exp(rate), rtol=1e-9)
        network = moved


def test_adam_is_the_same_in_any_pieces_and_on_any_number_of_threads(monkeypatch):
    graph, _ = example()
    rng = np.random.default_rng(8)
    network = build_network(
        graph, rng.uniform(0.3, 1.0, graph.n_edges), rng.uniform(0.2, 0.5, graph.n_nodes)
    )
    size = graph.n_edges + graph.n_nodes
    moments = Moments(rng.normal(size=size), rng.uniform(size=size), 2)
    given = (network, moments, rng.normal(size=size), 0.05)
    moved, after = adam_update(*given)
    monkeypatch.setattr("orrery.core.training.optimizers.VALUES_AT_A_TIME", 3)
    try:
        for n_threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(n_threads)
            other, others = adam_update(*given)
            np.testing.assert_array_equal(other.weight, moved.weight)
            np.testing.assert_array_equal(other.leak, moved.leak)
            np.testing.assert_array_equal(others.first, after.first)
            np.testing.assert_array_equal(others.second, after.second)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many draws for plain Python")
def test_a_step_by_importance_sampling_follows_the_slope_of_the_likelihood(scope):
    """The first of Adam's moments shows the slope, here of many draws."""
    graph, corpus = example(n_documents=12)
    rng = np.random.default_rng(5)
    network = build_network(
        graph, rng.uniform(0.3, 1.0, graph.n_edges), rng.uniform(0.2, 0.5, graph.n_nodes)
    )
    rows, size = np.arange(corpus.n_documents), graph.n_edges + graph.n_nodes
    options = TrainingOptions(
        bound="likelihood", scope=scope, importance_samples=MAX_SAMPLES, weight_penalty=0.0
    )
    state = TrainingState(network, Moments(np.zeros(size), np.zeros(size)))
    moved, info = step(state, corpus, rows, Schedule(options, 48), n_documents=48)
    values = np.concatenate([network.weight, network.leak])
    slopes = moved.moments.first / (1.0 - ADAM_DECAY[0]) / values
    assert info.bound == pytest.approx(mean_likelihood(network, corpus, scope), abs=0.01)
    for position in range(0, len(slopes), 4):
        name, place = ("weight", position) if position < graph.n_edges else ("leak", position)
        place -= graph.n_edges if name == "leak" else 0
        value = getattr(network, name)[place]
        ends = [
            mean_likelihood(with_value(network, name, place, value + shift), corpus, scope)
            for shift in (-1e-4, 1e-4)
        ]
        expected = (ends[1] - ends[0]) / 2e-4
        assert slopes[position] == pytest.approx(expected, rel=0.1, abs=0.015)


def mean_likelihood(network, corpus, scope):
    """Mean log-likelihood of all documents, their pruned topics off in local scope."""
    world = naive.local_world if scope == "local" else naive.closed_world
    rows = range(corpus.n_documents)
    return np.mean(
        [naive.log_likelihood(network, world(network, corpus.tokens_of(row))) for row in rows]
    )


@pytest.mark.parametrize("scope", SCOPES)
def test_training_by_importance_sampling_improves_what_it_states(scope):
    graph, corpus = example()
    options = TrainingOptions(bound="likelihood", scope=scope, epochs=15, batch_size=50)
    start = initial_state(graph, corpus, np.arange(corpus.n_documents), options.seed)
    state, _ = last(corpus, graph, options)
    before, after = (
        objective_bounds(network, corpus, np.arange(corpus.n_documents), options).mean()
        for network in (start.network, state.network)
    )
    assert after > before + 0.05


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too many draws for plain Python")
def test_from_random_weights_the_likelihood_ends_above_the_exact_bound():
    graph, corpus = example(n_documents=400)
    options = TrainingOptions(epochs=40, batch_size=50, weight_penalty=0.0)
    exact, likelihood = (
        evaluate(last(corpus, graph, kind)[0].network, corpus, samples=300)
        for kind in (options, replace(options, bound="likelihood"))
    )
    assert likelihood.log_likelihood > exact.log_likelihood + 0.01


def test_what_training_maximises_is_evaluated_with_the_same_samples_each_time():
    graph, corpus = example()
    rows = np.arange(20)
    network = initial_state(graph, corpus, rows, 0).network
    for bound in BOUNDS:
        options = TrainingOptions(bound=bound)
        expected = infer_bounds(network, corpus, rows, bound=bound)
        assert (objective_bounds(network, corpus, rows, options) == expected).all()
    first, again = (
        objective_bounds(network, corpus, some, TrainingOptions(bound="likelihood"))
        for some in (rows, rows[::-1])
    )
    assert (first == again[::-1]).all()


def test_only_the_end_is_importance_weighted_and_its_bound_is_higher():
    graph, corpus = example()
    options = replace(SHORT, epochs=4, batch_size=150)
    plain = list(train(corpus, graph, options))
    weighted = list(train(corpus, graph, replace(options, importance_samples=50)))
    is_same = [
        bool((ours.network.weight == theirs.network.weight).all())
        for (ours, _), (theirs, _) in zip(weighted, plain, strict=True)
    ]
    assert is_same == [True, True, False, False]
    # The third step is the first that is weighted, and still of the same network.
    assert weighted[2][1].bound > plain[2][1].bound + 1e-3


def test_importance_weighted_training_gains_likelihood_at_the_cost_of_the_bound():
    graph, corpus = example(n_documents=400)
    options = TrainingOptions(epochs=40, batch_size=50, weight_penalty=0.0)
    plain, weighted = (
        evaluate(last(corpus, graph, kind)[0].network, corpus, samples=300)
        for kind in (options, replace(options, importance_samples=20, importance_share=0.5))
    )
    assert weighted.log_likelihood > plain.log_likelihood + 0.01
    assert weighted.exact_bound < plain.exact_bound


def test_every_step_draws_anew():
    graph, corpus = example()
    options = replace(SHORT, importance_samples=4, importance_share=1.0)
    rows = np.arange(corpus.n_documents)
    state = initial_state(graph, corpus, rows, options.seed)
    bounds = []
    for number, seed in ((1, 0), (2, 0), (1, 1), (1, 2**64 + 5), (1, 0)):
        schedule = Schedule(replace(options, seed=seed), 150)
        bounds.append(step(replace(state, step=number), corpus, rows, schedule, 150)[1].bound)
    assert len(set(bounds)) == 4
    assert bounds[0] == bounds[-1]


def test_accuracy_is_that_of_the_bound():
    graph, corpus = example()
    bounds = [
        next(train(corpus, graph, replace(SHORT, accuracy=accuracy)))[1].bound
        for accuracy in ("fast", "standard", "fine")
    ]
    assert bounds[0] < bounds[1] < bounds[2]
    assert bounds[2] - bounds[1] == pytest.approx(0.0, abs=1e-4)
    assert bounds[1] - bounds[0] > 5.0 * (bounds[2] - bounds[1])


@pytest.mark.parametrize("averaging", [0.4, 1.0])
def test_training_ends_at_the_mean_of_the_last_log_weights(averaging):
    graph, corpus = example()
    plain = [state for state, _ in train(corpus, graph, SHORT)]
    states = [state for state, _ in train(corpus, graph, replace(SHORT, averaging=averaging))]
    n_averaged = {0.4: 5, 1.0: 12}[averaging]
    for name in ("weight", "leak"):
        logs = [np.log(getattr(state.network, name)) for state in plain[-n_averaged:]]
        ours = np.log(getattr(states[-1].network, name))
        np.testing.assert_allclose(ours, np.mean(logs, axis=0), rtol=1e-12, atol=1e-12)
        # The path itself is not bent.
        for state, other in zip(states[:-1], plain[:-1], strict=True):
            assert (getattr(state.network, name) == getattr(other.network, name)).all()
    assert [state.average is None for state in states] == [True] * (12 - n_averaged) + [
        False
    ] * n_averaged


def test_only_full_scope_sees_topics_above_no_token():
    graph, _ = build_graph(3, ["barren", "top", "below"], [0, 1, 1], [2, 3, 4])
    corpus = corpus_of_sets([{0}, {0, 1}, {2}, set()], 3)
    usage = {
        scope: next(train(corpus, graph, replace(SHORT, scope=scope)))[1].usage for scope in SCOPES
    }
    is_barren = np.array([name in ("barren", "below") for name in graph.topic_ids])
    assert (usage["local"][is_barren] == 0.0).all()
    assert (usage["full"][is_barren] > 0.0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [5.0, 1e6])
def test_weights_and_leaks_stay_in_their_range(kind, rate):
    rng = np.random.default_rng(6)
    wild = random_network(rng, 6, 8)
    corpus = sampled_corpus(wild, 60, rng)
    options = replace(kind, learning_rate=rate, weight_penalty=100.0)
    state, info = last(corpus, wild.graph, options)
    assert np.isfinite(info.bound)
    assert (state.network.weight >= MIN_WEIGHT).all()
    assert (state.network.weight <= MAX_WEIGHT).all()
    assert (state.network.leak >= MIN_LEAK).all()


def test_a_penalty_makes_weights_smaller():
    graph, corpus = example()
    options = TrainingOptions(epochs=10, batch_size=50)
    free, held = (
        last(corpus, graph, replace(options, weight_penalty=penalty))[0]
        .network.weight[graph.first_token_edge :]
        .sum()
        for penalty in (0.0, 50.0)
    )
    assert held < 0.8 * free


@pytest.mark.parametrize("size", [1, 7, 40, 150])
@pytest.mark.parametrize("n_documents", [150, 6000])
def test_the_penalty_weighs_the_same_against_a_document_in_a_batch_of_any_size(size, n_documents):
    """It is a prior over the whole training part: each of its documents bears an equal share."""
    graph, corpus = example()
    start = initial_state(graph, corpus, np.arange(corpus.n_documents), 0)
    schedules = [
        Schedule(replace(SHORT, weight_penalty=penalty), n_documents) for penalty in (0.0, 30.0)
    ]
    free, held = (
        step(start, corpus, np.arange(size), schedule, n_documents)[0] for schedule in schedules
    )
    # After one step Adam's mean is the slope in the log-weights but for its factor.
    shift = (held.moments.first - free.moments.first) / (1.0 - ADAM_DECAY[0])
    expected = np.concatenate(
        [-30.0 / n_documents * start.network.weight, 0.0 * start.network.leak]
    )
    expected[: graph.first_token_edge] = 0.0
    np.testing.assert_allclose(shift, expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_awkward_corpora_and_graphs_are_trained(kind):
    """No token, tokens in all documents or none, tokens and topics without a relation."""
    graph, _ = build_graph(4, ["top", "low", "barren", "lone"], [0, 1, 1, 2], [1, 4, 5, 3])
    corpus = corpus_of_sets([set(), {0, 1, 2}, {0}, set(), {0, 1}], 4)
    options = replace(kind, batch_size=10_000)
    reports = [info for _, info in train(corpus, graph, options)]
    assert len(reports) == options.epochs
    assert all(np.isfinite(info.bound) for info in reports)
    assert reports[-1].epoch == 3.0


@pytest.mark.parametrize("kind", KINDS)
def test_only_documents_without_tokens(kind):
    graph, _ = build_graph(2, ["a"], [0], [1])
    state, info = last(corpus_of_sets([set(), set()], 2), graph, kind)
    assert np.isfinite(info.bound)
    assert not info.usage.any()
    assert np.isfinite(state.network.leak).all()


def test_what_cannot_be_trained_is_refused():
    graph, corpus = example()
    with pytest.raises(InputError, match="there is no document to train on; hold fewer out"):
        next(train(corpus, graph, rows=np.array([], np.int64)))
    other, _ = build_graph(3, ["a"], [0], [1])
    with pytest.raises(InputError, match="the graph has 3 words and the corpus 10; use the corpus"):
        next(train(corpus, other))
    state, _ = next(train(corpus, graph, SHORT))
    shorter = corpus_of_sets([{0}], 3)
    with pytest.raises(InputError, match="the graph has 10 words and the corpus 3; use the corpus"):
        next(train(shorter, other, SHORT, state=state))


def test_an_evaluation_starts_where_the_previous_one_of_its_graph_ended():
    graph, corpus = example()
    rows = np.arange(5, 60)
    states = [state for state, _ in train(corpus, graph, SHORT)]
    first, later = states[1].network, states[-1].network
    bounds, reached = remembering_bounds(first, corpus, rows, None, 1e-3)
    np.testing.assert_allclose(bounds, infer_bounds(first, corpus, rows), atol=1e-3)
    near, _ = remembering_bounds(later, corpus, rows, reached, 1e-3)
    anew, _ = remembering_bounds(later, corpus, rows, None, 1e-3)
    assert near.tobytes() != anew.tobytes()
    assert near.mean() == pytest.approx(anew.mean(), abs=0.05)
    # A graph of its own, or activations of other documents, are no place to start from.
    elsewhere = replace(reached, graph=build_graph(graph.n_tokens, ("a",), [0], [1])[0])
    shorter = replace(reached, pointer=None, activation=reached.activation[1:])
    for before in (elsewhere, shorter):
        found, _ = remembering_bounds(later, corpus, rows, before, 1e-3)
        assert found.tobytes() == anew.tobytes()
    # As from a file, which has no pointer.
    found, _ = remembering_bounds(later, corpus, rows, replace(reached, pointer=None), 1e-3)
    assert found.tobytes() == near.tobytes()
