"""Growing adds edges where the likelihood rises, downward, missing, and allowed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from core.graph import build_graph
from core.network import build_network, probability_to_weight
from core.sampling import advance, start_chains, surprise
from core.structure.growing import grow, missing_edges
from core.structure.guard import Guard
from core.structure.pruning import restrict
from tests.random_networks import plain_network, problems, sampled_corpus, several

N_DOCUMENTS = 400
EVERYTHING = 10_000


def states_of(network, corpus, chains, full):
    """Which nodes are on, shape (n_documents, n_nodes), and the chains' own topics."""
    graph = network.graph
    on = np.zeros((corpus.n_documents, graph.n_nodes))
    for row in range(corpus.n_documents):
        tokens = graph.n_topics + corpus.tokens_of(row)
        on[row, tokens] = 1.0
        above = set(range(graph.n_topics)) if full else ancestors(graph, tokens)
        mine = chains.state[chains.ptr[row] : chains.ptr[row + 1]]
        on[row, sorted(above)] = mine
    return on


def ancestors(graph, nodes):
    found, todo = set(), list(nodes)
    while todo:
        fresh = set(graph.parents(todo.pop()).tolist()) - found
        found |= fresh
        todo += fresh
    return found


def log_likelihood(network, on):
    """Of the states of all nodes given those of their parents, for each node."""
    graph = network.graph
    total = np.zeros((len(on), graph.n_nodes)) + network.leak
    np.add.at(total.T, graph.edge_children(), network.weight[:, None] * on.T[graph.parent_idx])
    return np.where(on > 0, np.log(-np.expm1(-total)), -total).sum(axis=0)


def sampled(network, n_documents, rng, full=False):
    """Chains of documents drawn from the network, their states, and the surprises."""
    corpus = sampled_corpus(network, n_documents, rng)
    chains = start_chains(network.graph, corpus, np.arange(n_documents), seed=1, full=full)
    chains, _ = advance(network, corpus, chains, seed=1, sweeps=4, full=full)
    before = chains.ptr.copy(), chains.state.copy()
    found = surprise(network, corpus, chains, full=full)
    assert (chains.ptr == before[0]).all()
    assert (chains.state == before[1]).all()
    return states_of(network, corpus, chains, full), found


def linked(graph):
    return set(zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True))


@pytest.mark.parametrize("full", [False, True])
def test_the_slope_is_that_of_the_likelihood(full):
    rng = np.random.default_rng(3)
    network = plain_network(rng)
    graph = network.graph
    on, found = sampled(network, 50, rng, full)
    assert ((found.toarray() > 0) == (on > 0)).all()
    topics_on = on[:, : graph.n_topics]
    slope = topics_on.T @ found.toarray() - topics_on.sum(axis=0)[:, None]
    step, missing = 1e-6, set(np.ndindex(graph.n_topics, graph.n_nodes)) - linked(graph)
    for topic, child in missing:
        total = network.leak[child] + sum(
            network.weight[edge] * on[:, graph.parent_idx[edge]]
            for edge in range(graph.parent_ptr[child], graph.parent_ptr[child + 1])
        )
        likelihoods = [
            np.where(on[:, child] > 0, np.log(-np.expm1(-moved)), -moved).sum()
            for moved in (total - step * on[:, topic], total + step * on[:, topic])
        ]
        expected = (likelihoods[1] - likelihoods[0]) / (2 * step)
        assert slope[topic, child] == pytest.approx(expected, rel=1e-4, abs=1e-4)


@several
@given(problem=problems())
def test_what_grows_was_missing_leads_down_and_changes_nothing_else(problem):
    network, rng = problem.network, problem.rng
    _, found = sampled(network, 200, rng)
    graph, n_edges = network.graph, int(rng.integers(1, 6))
    grown = grow(network, found, n_edges)
    assert grown.graph.n_edges <= graph.n_edges + n_edges
    assert set(grown.graph.topic_ids) == set(graph.topic_ids)
    number = [*grown.graph.topic_numbers(graph.topic_ids), *range(graph.n_topics, graph.n_nodes)]
    back = np.argsort(number)
    weights = {
        (int(back[parent]), int(back[child])): weight
        for parent, child, weight in zip(
            grown.graph.parent_idx, grown.graph.edge_children(), grown.weight, strict=True
        )
    }
    old = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    assert {edge: weights.pop(edge) for edge in old} == dict(
        zip(linked_in_order(graph), network.weight.tolist(), strict=True)
    )
    heights = graph.heights()
    assert all(heights[parent] > heights[child] for parent, child in weights)
    assert all(weight > 0.0 for weight in weights.values())
    np.testing.assert_array_equal(grown.leak[number], network.leak)


def linked_in_order(graph):
    return list(zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True))


def test_a_gain_is_what_the_likelihood_gains():
    """For a child that nothing but chance explains, up to the document that is added."""
    graph, _ = build_graph(2, ["a"], [0], [1])
    rng, chance = np.random.default_rng(5), probability_to_weight(np.array([0.4, 0.1, 0.1]))
    on = (rng.random((4_000, 3)) < np.array([0.4, 0.5, 0.1])).astype(float)
    on[:, 2] = rng.random(4_000) < np.where(on[:, 0] > 0, 0.5, 0.1)
    network = build_network(graph, np.array([0.3]), chance)
    total = network.leak + np.outer(on[:, 0], [0.0, 0.3, 0.0])
    found = sparse.csr_array(on / -np.expm1(-total))
    missing = missing_edges(graph, found)
    assert (missing.parent.tolist(), missing.child.tolist()) == ([0], [2])
    grown = grow(network, found, EVERYTHING)
    gained = log_likelihood(grown, on).sum() - log_likelihood(network, on).sum()
    assert missing.gain[0] == pytest.approx(gained, rel=0.02)
    assert -np.expm1(-(grown.leak[2] + missing.weight[0])) == pytest.approx(0.5, abs=0.03)


def planted(rng):
    """Four topics of eight words each, of which some edges will be taken away."""
    parents, words = np.repeat(np.arange(4), 8), np.arange(32)
    graph, _ = build_graph(32, list("abcd"), parents, 4 + words)
    leak = probability_to_weight(np.concatenate([np.full(4, 0.25), np.full(32, 0.03)]))
    return build_network(graph, probability_to_weight(rng.uniform(0.5, 0.8, 32)), leak)


def test_edges_that_were_taken_away_grow_again():
    rng = np.random.default_rng(6)
    whole = planted(rng)
    kept = np.ones(32, bool)
    kept[[3, 8, 17, 30]] = False
    torn, _ = restrict(whole, kept)
    corpus = sampled_corpus(whole, N_DOCUMENTS, rng)
    chains = start_chains(torn.graph, corpus, np.arange(N_DOCUMENTS), seed=0)
    chains, _ = advance(torn, corpus, chains, seed=0, sweeps=20)
    grown = grow(torn, surprise(torn, corpus, chains), 4)
    assert linked(grown.graph) == linked(whole.graph)
    # Nothing that is true is missing now, and chance alone brings no edge in.
    chains = start_chains(grown.graph, corpus, np.arange(N_DOCUMENTS), seed=0)
    chains, _ = advance(grown, corpus, chains, seed=0, sweeps=20)
    more = grow(grown, surprise(grown, corpus, chains), EVERYTHING)
    assert more.graph.n_edges <= grown.graph.n_edges + 4


def test_what_a_guard_forbids_does_not_grow():
    rng = np.random.default_rng(7)
    whole = planted(rng)
    kept = np.ones(32, bool)
    kept[[3, 8, 9]] = False
    torn, _ = restrict(whole, kept)
    corpus = sampled_corpus(whole, N_DOCUMENTS, rng)
    chains = start_chains(torn.graph, corpus, np.arange(N_DOCUMENTS), seed=0)
    chains, _ = advance(torn, corpus, chains, seed=0, sweeps=20)
    found, names = surprise(torn, corpus, chains), torn.graph.topic_ids
    nothing: frozenset = frozenset()
    lost = {("a", 3), ("b", 8), ("b", 9)}

    def regrown(guard):
        grown = grow(torn, found, EVERYTHING, guard).graph
        now = {(names[parent], child - 4) for parent, child in linked(grown)}
        return lost & now

    assert regrown(None) == lost
    forbids = Guard(nothing, nothing, nothing, nothing, frozenset({("a", 3), ("gone", 8)}))
    assert regrown(forbids) == lost - {("a", 3)}
    # Neither with a child that is there already, nor both of two that would come together.
    apart = Guard(nothing, nothing, nothing, frozenset({(3, 5), (8, 9)}))
    assert ("a", 3) not in regrown(apart)
    assert len(regrown(apart) & {("b", 8), ("b", 9)}) == 1


def test_nothing_grows_where_nothing_is_missing():
    rng = np.random.default_rng(8)
    graph, _ = build_graph(5, ["a", "b"], np.repeat([0, 1], 5), np.tile(np.arange(2, 7), 2))
    network = build_network(graph, np.full(10, 0.4), np.full(7, 0.2))
    _, found = sampled(network, 100, rng)
    assert grow(network, found, EVERYTHING) is network
