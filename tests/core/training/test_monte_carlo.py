"""The Monte Carlo start: it finds what was planted, keeps to its budget and repeats to the bit."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from orrery.core.inference.infer import infer_bounds
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight, weight_to_probability
from orrery.core.storage.checkpoints import load_checkpoint, save_checkpoint
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.layers import complete_graph
from orrery.core.structure.pruning import prune, restrict
from orrery.core.training.gibbs import Ties, advance, share_of_one_document, start_chains
from orrery.core.training.monte_carlo_em import (
    SamplingPlan,
    _document_share,
    _restarted,
    phase_at,
    sampling_epoch,
    start_sampler,
)
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import initial_state, train
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets, sampled_corpus

N_WORDS = 30
N_DOCUMENTS = 400
scopes = pytest.mark.parametrize("scope", ["local", "full"])


def planted():
    """Four themes of nine words each, two of them shared with the next one."""
    parents = np.repeat(np.arange(4), 9)
    words = (7 * parents + np.tile(np.arange(9), 4)) % N_WORDS
    graph, _ = build_graph(N_WORDS, ["a", "b", "c", "d"], parents, 4 + words)
    rng = np.random.default_rng(4)
    weight = probability_to_weight(rng.uniform(0.5, 0.9, graph.n_edges))
    leak = probability_to_weight(np.concatenate([np.full(4, 0.25), np.full(N_WORDS, 0.02)]))
    return build_network(graph, weight, leak)


@pytest.fixture(scope="module")
def truth():
    return planted()


@pytest.fixture(scope="module")
def corpus(truth):
    return sampled_corpus(truth, N_DOCUMENTS, np.random.default_rng(5))


def sampled(corpus, graph, plan, n_documents=N_DOCUMENTS):
    """Network and sampler after every epoch of a plan."""
    rows = np.arange(n_documents)
    network = initial_state(graph, corpus, rows, plan.seed).network
    sampler = start_sampler(network, corpus, rows, plan)
    for _ in range(plan.epochs):
        network, sampler = sampling_epoch(network, corpus, sampler, plan)
        yield network, sampler


def effects(network):
    """Probability with which each topic switches each word on, shape (n_topics, n_words)."""
    graph = network.graph
    table = np.zeros((graph.n_topics, graph.n_nodes))
    table[graph.parent_idx, graph.edge_children()] = weight_to_probability(network.weight)
    return table[:, graph.n_topics :]


@pytest.mark.parametrize("leave_one_out", [False, True])
@pytest.mark.parametrize(("full", "seed"), [(False, 0), (False, 1), (True, 2)])
def test_a_planted_network_is_found_among_too_many_topics(truth, corpus, full, seed, leave_one_out):
    plan = SamplingPlan(epochs=60, most_edges=40, seed=seed, full=full, leave_one_out=leave_one_out)
    *_, (network, _) = sampled(corpus, complete_graph(N_WORDS, (8,), None), plan)
    found, expected = effects(network), effects(truth)
    for theme in expected:
        assert np.abs(found - theme).max(axis=1).min() < 0.15
    assert network.graph.n_edges <= 40


def test_tied_parameters_leave_no_document_out(truth):
    graph = truth.graph
    ties = Ties(np.arange(graph.n_edges), np.arange(graph.n_nodes))
    with pytest.raises(InputError, match="tied"):
        SamplingPlan(epochs=4, ties=ties, leave_one_out=True)


def test_topics_beyond_their_budget_go_and_what_was_planted_stays(truth, corpus):
    plan = SamplingPlan(epochs=60, most_topics=5, most_edges=40)
    *_, (network, _) = sampled(corpus, complete_graph(N_WORDS, (12,), None), plan)
    assert network.graph.n_topics <= 5
    assert network.graph.n_edges <= 40
    found = effects(network)
    for theme in effects(truth):
        assert np.abs(found - theme).max(axis=1).min() < 0.15


def test_weights_that_leave_each_document_out_predict_more_of_new_ones():
    """With few documents and many weak edges, where chance alone could explain much."""
    gains = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        words = np.concatenate([rng.choice(150, 20, replace=False) for _ in range(12)])
        graph, _ = build_graph(150, list("abcdefghijkl"), np.repeat(np.arange(12), 20), 12 + words)
        probability = np.concatenate([np.full(12, 0.15), np.full(150, 0.02)])
        weight = probability_to_weight(rng.uniform(0.05, 0.4, graph.n_edges))
        network = build_network(graph, weight, probability_to_weight(probability))
        old, new = (sampled_corpus(network, size, rng) for size in (300, 1000))
        held_out = []
        for is_out in (False, True):
            plan = SamplingPlan(epochs=60, most_edges=400, leave_one_out=is_out)
            *_, (found, _) = sampled(old, complete_graph(150, (16,), None), plan, 300)
            held_out.append(infer_bounds(found, new).mean())
        gains.append(held_out[1] - held_out[0])
    assert np.mean(gains) > 0.1
    assert min(gains) > 0.0


def test_frozen_weights_are_no_documents_to_leave_out(truth, corpus):
    graph = truth.graph
    number = 5
    parent, child = graph.parent_idx[number], graph.edge_children()[number]
    edge = (graph.topic_ids[parent], int(child) - graph.n_topics)
    constraints = Constraints(frozenset({edge}), frozenset({edge}), frozenset(), frozenset())
    plan = SamplingPlan(epochs=4, leave_one_out=True, constraints=constraints)
    share = _document_share(graph, np.full(4, 20.0), N_DOCUMENTS, plan)
    assert np.flatnonzero(share.edge == 0.0).tolist() == [number]
    assert share.leak == 1.0 / N_DOCUMENTS


@pytest.mark.parametrize("n_documents", [300, 300_000])
def test_a_word_of_one_document_is_left_to_the_leak(n_documents):
    """A topic of five words that are together here and elsewhere, and a word of this document."""
    graph, _ = build_graph(6, ["a"], np.zeros(6, int), np.arange(1, 7))
    corpus, usage = corpus_of_sets([[0, 1, 2, 3, 4, 5]], 6), 0.2 * n_documents
    share = share_of_one_document(graph, np.array([usage]), n_documents)
    chains = start_chains(graph, corpus, np.array([0]), seed=0)
    chains = replace(chains, state=np.ones_like(chains.state))
    acts, by_leak = 0.95, 0.05
    for _ in range(60):
        some = np.array([*[0.5] * 5, acts / usage])
        probability = np.array([*[0.001] * 6, (by_leak + 0.01) / n_documents])
        network = build_network(
            graph, probability_to_weight(some), probability_to_weight(probability)
        )
        _, counts = advance(network, corpus, chains, seed=0, share=share)
        assert counts.usage[0] > 0.99
        acts, by_leak = counts.edge[5], counts.leak[6]
    assert acts < 0.15
    assert by_leak > 0.85


def torn(truth):
    """The planted graph without a third of its edges; every word keeps one."""
    graph = truth.graph
    kept = np.ones(graph.n_edges, bool)
    shared = np.flatnonzero(np.diff(graph.parent_ptr) == 2)
    kept[graph.parent_ptr[shared]] = False
    return restrict(truth, kept)[0].graph


def test_edges_that_are_missing_grow_before_any_is_pruned(truth, corpus):
    graph = torn(truth)
    assert graph.n_edges < truth.graph.n_edges
    plan = SamplingPlan(epochs=60, most_edges=truth.graph.n_edges, seed=1)
    *_, (network, sampler) = sampled(corpus, graph, plan)
    for theme in effects(truth):
        assert np.abs(effects(network) - theme).max(axis=1).min() < 0.15
    grown = [move for move in sampler.moves if move.grown]
    assert sum(move.grown for move in grown) >= truth.graph.n_edges - graph.n_edges
    assert {move.epoch for move in grown} <= {12, 18, 24}
    assert all(move.grown <= round(0.5 * truth.graph.n_edges) for move in grown)


@pytest.mark.parametrize("begin", ["torn", "too many"])
def test_the_use_of_topics_goes_with_them_through_every_change(truth, corpus, monkeypatch, begin):
    seen = []

    def recorded(before, network, usage, corpus, sampler, plan, done):
        was = dict(zip(before.graph.topic_ids, sampler.counts.usage.tolist(), strict=True))
        now = dict(zip(network.graph.topic_ids, usage.tolist(), strict=True))
        seen.append((done, len(was), len(now)))
        assert now == {name: was[name] for name in now}
        assert len(set(now.values())) == len(now)
        return _restarted(before, network, usage, corpus, sampler, plan, done)

    monkeypatch.setattr("orrery.core.training.monte_carlo_em._restarted", recorded)
    graph = torn(truth) if begin == "torn" else complete_graph(N_WORDS, (12, 3), None)
    plan = SamplingPlan(epochs=40, most_edges=30, most_topics=4, merge=True, leave_one_out=True)
    assert len(list(sampled(corpus, graph, plan))) == plan.epochs
    assert any(done[2] for done, *_ in seen) == (begin == "torn")
    assert any(less < more for _, more, less in seen) == (begin == "too many")


def test_every_change_of_the_graph_states_what_it_does_to_the_bound(truth, corpus, monkeypatch):
    requested = []

    def recorded(network, documents, rows):
        bounds = infer_bounds(network, documents, rows)
        requested.append((network.graph.n_edges, bounds.mean()))
        return bounds

    monkeypatch.setattr("orrery.core.training.monte_carlo_em.infer_bounds", recorded)
    plan = SamplingPlan(epochs=20, most_edges=30, merge=True)
    *_, (_, sampler) = sampled(corpus, torn(truth), plan)
    assert len(sampler.moves) > 2
    for move, after, before in zip(sampler.moves, requested[::2], requested[1::2], strict=True):
        assert move.edges == after[0] != before[0]
        assert move.bound == after[1] - before[1]
    assert sampler.moves[0].grown == sampler.moves[0].edges - torn(truth).n_edges
    assert sampler.moves[0].bound > 0.1
    assert sampler.moves[-1].bound < -0.1


def test_a_graph_without_a_budget_is_left_as_it_is(truth, corpus):
    graph = torn(truth)
    *_, (network, sampler) = sampled(corpus, graph, SamplingPlan(epochs=20, merge=False))
    assert network.graph is graph
    assert sampler.moves == ()


def test_topics_of_all_layers_keep_to_one_budget(corpus, monkeypatch):
    def prune_with_usage(network, usage, n_edges, constraints):
        # That of the topics which are still there.
        assert len(usage) == network.graph.n_topics
        return prune(network, usage, n_edges, constraints)

    monkeypatch.setattr("orrery.core.training.monte_carlo_em.prune", prune_with_usage)
    plan = SamplingPlan(epochs=40, most_topics=4, most_edges=36)
    *_, (network, _) = sampled(corpus, complete_graph(N_WORDS, (10, 3), None), plan)
    graph = network.graph
    assert graph.n_topics <= 4
    assert graph.n_edges <= 36
    assert (np.diff(graph.child_ptr) > 0).all()


# So few that topics and edges are pruned at the same time.
@pytest.mark.parametrize("epochs", [1, 2, 3, 5, 8, 10, 12, 16, 19, 24, 40])
def test_both_budgets_are_kept_however_few_the_epochs(corpus, epochs):
    plan = SamplingPlan(epochs=epochs, most_topics=4, most_edges=40)
    some = corpus.subset(range(60))
    *_, (network, sampler) = sampled(some, complete_graph(N_WORDS, (10, 3), None), plan, 60)
    assert network.graph.n_topics <= 4
    assert network.graph.n_edges <= 40
    assert sampler.moves[-1].topics == network.graph.n_topics


def test_counts_converge_once_exploring_is_over(truth, corpus):
    """A fresh epoch has a share of 0.3 in the running mean, in the second half less and less."""
    plan = SamplingPlan(epochs=60)
    shares = []
    for (network, before), (_, after) in pairwise(sampled(corpus, truth.graph, plan, 60)):
        _, fresh = advance(network, corpus, before.chains, seed=plan.seed)
        moved, whole = after.counts.leak - before.counts.leak, fresh.leak - before.counts.leak
        shares.append(np.median(moved[whole != 0.0] / whole[whole != 0.0]))
    np.testing.assert_allclose(shares[:29], 0.3)
    np.testing.assert_allclose(shares[29:], (np.arange(30) + 6.0) ** -0.6)


# From so small numbers that all steps of pruning coincide, to numbers with an epoch for each.
@pytest.mark.parametrize("epochs", [1, 2, 3, 5, 8, 12, 20, 30, 40, 41])
def test_pruning_ends_at_the_budget_in_even_steps(corpus, epochs):
    plan = SamplingPlan(epochs=epochs, most_edges=50)
    graph = complete_graph(N_WORDS, (6,), None)
    networks = [network for network, _ in sampled(corpus.subset(range(60)), graph, plan, 60)]
    sizes = [network.graph.n_edges for network in networks]
    assert sizes[-1] == 50
    assert sizes == sorted(sizes, reverse=True)
    before = [size for epoch, size in enumerate(sizes, 1) if epoch < round(0.5 * epochs)]
    after = [size for epoch, size in enumerate(sizes, 1) if epoch >= max(round(0.75 * epochs), 1)]
    assert set(before) <= {graph.n_edges}
    assert set(after) == {50}
    steps = [graph.n_edges, *sorted(set(sizes) - {graph.n_edges}, reverse=True)]
    ratios = np.array(steps[1:]) / np.array(steps[:-1])
    if epochs >= 40:
        assert len(ratios) == 10
        np.testing.assert_allclose(ratios, (50 / graph.n_edges) ** 0.1, atol=0.02)


def test_topics_above_a_thousand_words_come_to_life():
    """Far more words than a document has; from weights of no proportion all topics stay off."""
    probability, n_words = np.random.default_rng(8), 1_000
    parents, words = np.repeat(np.arange(4), 12), np.arange(48)
    graph, _ = build_graph(n_words, ["a", "b", "c", "d"], parents, 4 + words)
    leak = np.concatenate([np.full(4, 0.15), np.full(n_words, 0.005)])
    network = build_network(graph, np.full(graph.n_edges, 1.2), leak)
    corpus = sampled_corpus(network, 300, probability)
    plan = SamplingPlan(epochs=12, most_topics=4, most_edges=1200, merge=True)
    *_, (found, sampler) = sampled(corpus, complete_graph(n_words, (6,), None), plan, 300)
    assert sampler.counts is not None
    assert np.sort(sampler.counts.usage)[-3] > 15
    for theme in (effects(network) > 0).astype(float):
        assert (effects(found) @ theme / 12).max() > 0.4


def test_a_budget_that_cannot_be_kept_is_refused_at_once(corpus):
    graph = complete_graph(N_WORDS, (6,), None)
    with pytest.raises(InputError, match="29 edges cannot reach all 30 words of the graph"):
        next(sampled(corpus, graph, SamplingPlan(epochs=300, most_edges=29)))


@pytest.mark.parametrize("budget", [{"most_edges": 50}, {"most_topics": 3}, {}])
def test_the_phase_states_what_happens_to_the_graph(corpus, budget):
    plan = SamplingPlan(epochs=40, **budget)
    graph = complete_graph(N_WORDS, (6,), None)
    phases = [phase_at(epoch, plan) for epoch in range(plan.epochs)]
    assert list(dict.fromkeys(phases)) == [
        "exploring",
        *(["pruning"] if budget else []),
        "settling",
    ]
    *_, (_, sampler) = sampled(corpus, graph, plan, 60)
    # A step of pruning ends an epoch, so the first one ends the last epoch of exploring.
    assert {phases[move.epoch - 1] for move in sampler.moves[1:]} <= {"pruning"}
    assert bool(sampler.moves) == bool(budget)


def bits(network, sampler):
    arrays = [network.weight, network.leak, sampler.chains.state, sampler.chains.ptr]
    arrays += [sampler.counts.edge, sampler.counts.leak, sampler.counts.usage]
    return [array.tobytes() for array in arrays], sampler.chains.sweeps, sampler.since


@pytest.mark.parametrize("full", [False, True])
def test_the_same_seed_gives_the_same_bytes(corpus, full):
    graph = complete_graph(N_WORDS, (5, 2), None)
    plan = SamplingPlan(epochs=24, most_edges=60, most_topics=5, seed=2, full=full)
    one, again, other = (
        bits(*list(sampled(corpus, graph, chosen, 100))[-1])
        for chosen in (plan, plan, replace(plan, seed=3))
    )
    assert one == again
    assert one[0][:2] != other[0][:2]


# Four steps of ten epochs and one of five; pruned from epoch 22 to 34, then two epochs of steps.
OPTIONS = TrainingOptions(
    start="gibbs", start_epochs=45, most_edges=60, most_topics=5, epochs=2, batch_size=50
)
N_START_STEPS = 5


def all_of(state):
    """Every number of a state."""
    parts = [state.network, state.network.graph, state.moments, state]
    if state.sampler is not None:
        parts += [state.sampler, state.sampler.chains, state.sampler.counts]
    values = [getattr(part, field.name) for part in parts for field in fields(part)]
    plain = [value for value in values if isinstance(value, int | tuple | None)]
    return plain, [value.tobytes() for value in values if isinstance(value, np.ndarray)]


@scopes
def test_stopped_and_resumed_is_never_stopped(corpus, scope, tmp_path: Path):
    """At any step of the start, before, amid and after pruning, and where training takes over."""
    graph, rows = complete_graph(N_WORDS, (6, 2), None), np.arange(0, N_DOCUMENTS, 6)
    options = replace(OPTIONS, scope=scope)
    whole = list(train(corpus, graph, options, rows=rows))
    assert [info.epoch for _, info in whole] == [
        10.0,
        20.0,
        30.0,
        40.0,
        45.0,
        45.5,
        46.0,
        46.5,
        47.0,
    ]
    assert [state.sampler is not None for state, _ in whole] == [True] * 4 + [False] * 5
    sizes = [state.network.graph.n_edges for state, _ in whole[:N_START_STEPS]]
    assert sizes[1] == graph.n_edges > sizes[2] > sizes[3] == sizes[4] == 60
    for number, (state, _) in enumerate(whole[: N_START_STEPS + 1], 1):
        save_checkpoint(tmp_path, state, 1.0)
        found = load_checkpoint(tmp_path, graph)
        assert found is not None
        assert all_of(found[0]) == all_of(state)
        rest = list(train(corpus, graph, options, rows=rows, state=found[0]))
        assert len(rest) == len(whole) - number
        for (ours, our_info), (theirs, their_info) in zip(rest, whole[number:], strict=True):
            assert all_of(ours) == all_of(theirs)
            assert our_info.bound == their_info.bound
            assert our_info.usage.tobytes() == their_info.usage.tobytes()


def test_stopped_and_resumed_amid_growing_is_never_stopped(truth, corpus, tmp_path: Path):
    graph, rows = torn(truth), np.arange(0, N_DOCUMENTS, 2)
    options = TrainingOptions(start="gibbs", start_epochs=60, most_edges=36, epochs=1)
    whole = list(train(corpus, graph, options, rows=rows))
    # Ten epochs a step; edges grow after 12 of them.
    assert [any(move.grown for move in info.moves) for _, info in whole[:2]] == [False, True]
    for number, (state, _) in enumerate(whole, 1):
        save_checkpoint(tmp_path, state, 1.0)
        found = load_checkpoint(tmp_path, graph)
        assert found is not None
        rest = list(train(corpus, graph, options, rows=rows, state=found[0]))
        assert [all_of(state) for state, _ in rest] == [
            all_of(state) for state, _ in whole[number:]
        ]


def test_steps_of_the_start_report_what_they_did(corpus):
    graph, rows = complete_graph(N_WORDS, (6, 2), None), np.arange(100)
    infos = [info for _, info in train(corpus, graph, OPTIONS, rows=rows)]
    assert [info.documents for info in infos] == [1000] * 4 + [500] + [50] * 4
    assert [info.step for info in infos] == list(range(1, 10))
    start = infos[:N_START_STEPS]
    assert start[-1].bound > start[0].bound
    assert all((info.usage >= 0.0).all() and (info.usage <= 1.0).all() for info in infos)


def test_a_state_of_other_documents_is_refused(corpus):
    graph, rows = complete_graph(N_WORDS, (6,), None), np.arange(100)
    state, _ = next(train(corpus, graph, OPTIONS, rows=rows))
    for wrong in (rows + 1, rows[:-1], rows[::-1]):
        with pytest.raises(InputError, match="start the training anew"):
            next(train(corpus, graph, OPTIONS, rows=wrong, state=state))
    with pytest.raises(InputError, match="start the training anew"):
        next(train(corpus, graph, replace(OPTIONS, scope="full"), rows=rows, state=state))
    # Other documents under the same numbers.
    with pytest.raises(InputError, match="start the training anew"):
        next(train(corpus.subset(rows[::-1]), graph, OPTIONS, state=state))
