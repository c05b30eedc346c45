"""Growing adds edges where the likelihood rises, downward, missing, and allowed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight
from orrery.core.structure.constraints import UNCONSTRAINED, Constraints
from orrery.core.structure.growing import grow, missing_edges
from orrery.core.structure.pruning import restrict
from orrery.core.training.gibbs import advance, inverse_probability, start_chains
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
    """Log-probability of the states of all nodes given their parents, for each node."""
    graph = network.graph
    total = np.zeros((len(on), graph.n_nodes)) + network.leak
    np.add.at(total.T, graph.edge_children(), network.weight[:, None] * on.T[graph.parent_idx])
    return np.where(on > 0, np.log(-np.expm1(-total)), -total).sum(axis=0)


def sampled(network, n_documents, rng, full=False):
    """Chains of documents drawn from the network, their states, and the inverse probabilities."""
    corpus = sampled_corpus(network, n_documents, rng)
    chains = start_chains(network.graph, corpus, np.arange(n_documents), seed=1, full=full)
    chains, _ = advance(network, corpus, chains, seed=1, sweeps=4, full=full)
    before = chains.ptr.copy(), chains.state.copy()
    found = inverse_probability(network, corpus, chains, full=full)
    assert (chains.ptr == before[0]).all()
    assert (chains.state == before[1]).all()
    return states_of(network, corpus, chains, full), found


def linked_in_order(graph):
    return list(zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True))


def linked(graph):
    return set(linked_in_order(graph))


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
    old = linked_in_order(graph)
    assert {edge: weights.pop(edge) for edge in old} == dict(
        zip(old, network.weight.tolist(), strict=True)
    )
    heights = graph.heights()
    assert all(heights[parent] > heights[child] for parent, child in weights)
    assert all(weight > 0.0 for weight in weights.values())
    np.testing.assert_array_equal(grown.leak[number], network.leak)


def test_a_gain_is_what_the_likelihood_gains():
    """For a child that nothing but chance explains, up to the document that is added."""
    graph, _ = build_graph(2, ["a", "b"], [0, 1], [2, 3])
    rng, probability = (
        np.random.default_rng(5),
        probability_to_weight(np.array([0.4, 0.0, 0.1, 0.1])),
    )
    on = (rng.random((4_000, 4)) < np.array([0.4, 0.0, 0.5, 0.1])).astype(float)
    on[:, 3] = rng.random(4_000) < np.where(on[:, 0] > 0, 0.5, 0.1)
    network = build_network(graph, np.array([0.3, 0.3]), np.maximum(probability, 1e-9))
    total = network.leak + np.outer(on[:, 0], [0.0, 0.0, 0.3, 0.0])
    found = sparse.csr_array(on / -np.expm1(-total))
    missing = missing_edges(graph, found)
    assert (missing.parent.tolist(), missing.child.tolist()) == ([0], [3])
    grown = grow(network, found, EVERYTHING)
    gained = log_likelihood(grown, on)[3] - log_likelihood(network, on)[3]
    assert missing.gain[0] == pytest.approx(gained, rel=0.02)
    assert -np.expm1(-(grown.leak[3] + missing.weight[0])) == pytest.approx(0.5, abs=0.03)


def test_topics_that_act_alike_do_not_all_get_the_same_child():
    """Each alone is worth as much as all of them; together they would be worse than none."""
    rng = np.random.default_rng(9)
    graph, _ = build_graph(8, list("abcdefg"), [*range(7), 6], [*range(7, 14), 14])
    on = np.zeros((500, 15))
    on[:, :6] = (rng.random((500, 1)) < 0.4).astype(float)
    on[:, 7:14] = rng.random((500, 7)) < 0.5
    on[:, 14] = rng.random(500) < np.where(on[:, 0] > 0, 0.6, 0.05)
    network = build_network(graph, np.full(8, 0.5), np.full(15, 0.05))
    total = network.leak[14] + 0.5 * on[:, 6]
    found = on.copy()
    found[:, 14] = on[:, 14] / -np.expm1(-total)
    missing = missing_edges(graph, sparse.csr_array(found))
    assert (missing.child == 14).sum() == 6
    grown = grow(network, sparse.csr_array(found), EVERYTHING)
    assert len(grown.graph.parents(14)) == 2
    assert log_likelihood(grown, on)[14] > log_likelihood(network, on)[14]
    # The next best takes the place of one that is forbidden, or that has a word to stay away from.
    best = min(set(grown.graph.parents(14).tolist()) - {6})
    name = grown.graph.topic_ids[best]
    forbids = Constraints(NOTHING, NOTHING, NOTHING, NOTHING, frozenset({(name, 7)}))
    own = int(graph.children(graph.topic_ids.index(name))[0]) - 7
    apart = Constraints(NOTHING, NOTHING, NOTHING, frozenset({(own, 7)}))
    for constraints in (forbids, apart):
        instead = grow(network, sparse.csr_array(found), EVERYTHING, constraints).graph
        assert len(instead.parents(14)) == 2
        assert name not in {instead.topic_ids[parent] for parent in instead.parents(14)}


NOTHING: frozenset = frozenset()


def planted(rng):
    """Four topics of twelve words each; a third of its words belong to the next topic too."""
    parents = np.repeat(np.arange(4), 12)
    words = (8 * parents + np.tile(np.arange(12), 4)) % 32
    graph, _ = build_graph(32, list("abcd"), parents, 4 + words)
    leak = probability_to_weight(np.concatenate([np.full(4, 0.25), np.full(32, 0.03)]))
    return build_network(graph, probability_to_weight(rng.uniform(0.5, 0.8, 48)), leak)


def names_of(graph):
    """Every edge as the topic's id and the token's number."""
    return {(graph.topic_ids[k], node - graph.n_topics) for k, node in linked(graph)}


def torn_off(whole, lost, rng):
    """The network without some edges, and inverse probabilities of converged chains."""
    graph = whole.graph
    ends = linked_in_order(graph)
    kept = [(graph.topic_ids[k], node - graph.n_topics) not in lost for k, node in ends]
    torn, _ = restrict(whole, np.array(kept))
    corpus = sampled_corpus(whole, N_DOCUMENTS, rng)
    return torn, corpus, converged(torn, corpus)


def converged(network, corpus):
    chains = start_chains(network.graph, corpus, np.arange(N_DOCUMENTS), seed=0)
    chains, _ = advance(network, corpus, chains, seed=0, sweeps=20)
    return inverse_probability(network, corpus, chains)


LOST = {("a", 8), ("b", 9), ("c", 17), ("d", 1)}


def test_edges_that_were_taken_away_grow_again():
    rng = np.random.default_rng(6)
    whole = planted(rng)
    torn, corpus, found = torn_off(whole, LOST, rng)
    assert torn.graph.n_edges == whole.graph.n_edges - 4
    grown = grow(torn, found, EVERYTHING)
    assert names_of(grown.graph) == names_of(whole.graph)
    # Nothing that is true is missing now, and chance alone brings no edge in.
    assert grow(grown, converged(grown, corpus), EVERYTHING) is grown


def test_what_is_worth_most_comes_first():
    rng = np.random.default_rng(6)
    torn, _, found = torn_off(planted(rng), LOST, rng)
    missing = missing_edges(torn.graph, found)
    best = int(np.argmax(missing.gain))
    (new,) = names_of(grow(torn, found, 1).graph) - names_of(torn.graph)
    assert new == (torn.graph.topic_ids[missing.parent[best]], missing.child[best] - 4)


def test_a_word_without_a_parent_gets_none():
    """A budget that was checked before could not reach it."""
    rng = np.random.default_rng(6)
    torn, _, found = torn_off(planted(rng), {("a", 5), ("b", 9)}, rng)
    grown = names_of(grow(torn, found, EVERYTHING).graph)
    assert grown - names_of(torn.graph) == {("b", 9)}


def test_what_constraints_forbid_does_not_grow():
    rng = np.random.default_rng(7)
    torn, _, found = torn_off(planted(rng), LOST, rng)

    def regrown(constraints):
        return LOST & names_of(grow(torn, found, EVERYTHING, constraints).graph)

    assert regrown(UNCONSTRAINED) == LOST
    forbids = Constraints(NOTHING, NOTHING, NOTHING, NOTHING, frozenset({("a", 8), ("gone", 9)}))
    assert regrown(forbids) == LOST - {("a", 8)}
    # Not with a child that is there already.
    apart = Constraints(NOTHING, NOTHING, NOTHING, frozenset({(8, 10)}))
    assert regrown(apart) == LOST - {("a", 8)}


def test_constraints_allow_one_of_two_that_would_come_together():
    graph, _ = build_graph(3, ["a", "b"], [0, 0, 1], [1, 2, 2])
    constraints = Constraints(
        NOTHING, NOTHING, NOTHING, frozenset({(1, 2)}), frozenset({("a", "b")})
    )
    parents, children = np.array([1, 1, 0, 0]), np.array([4, 3, 1, 4])
    names = graph.topic_ids
    assert names == ("a", "b")
    # b gets word 2 and then not word 1; a may not come above b, and has no word 1 beside word 2.
    assert constraints.allowed(graph, parents, children).tolist() == [True, False, False, True]


def test_nothing_grows_where_nothing_is_missing():
    rng = np.random.default_rng(8)
    graph, _ = build_graph(5, ["a", "b"], np.repeat([0, 1], 5), np.tile(np.arange(2, 7), 2))
    network = build_network(graph, np.full(10, 0.4), np.full(7, 0.2))
    _, found = sampled(network, 100, rng)
    assert grow(network, found, EVERYTHING) is network
