"""Pruning and merging leave what a person's constraints keeps, and training its frozen weights."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.structure.constraints import Constraints, edge_numbers
from orrery.core.structure.growing import merge_alike
from orrery.core.structure.pruning import check_budget, prune, prune_topics
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import initial_state, train
from orrery.core.utils.errors import InputError
from tests.random_networks import problems, sampled_corpus, several

NOTHING = Constraints(frozenset(), frozenset(), frozenset(), frozenset())


def random_constraints(problem):
    """Constraints on a third of the edges and their topics, and some words to keep apart."""
    graph, rng = problem.network.graph, problem.rng
    nodes = [*graph.topic_ids, *range(graph.n_tokens)]
    ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    pinned = {
        (graph.topic_ids[parent], nodes[child]) for parent, child in ends if rng.random() < 0.3
    }
    frozen = {edge for edge in pinned if rng.random() < 0.5}
    topics = {node for edge in pinned for node in edge if isinstance(node, str)}
    apart = {pair for pair in combinations(range(graph.n_tokens), 2) if not common(graph, *pair)}
    return Constraints(frozenset(pinned), frozenset(frozen), frozenset(topics), frozenset(apart))


def common(graph, *tokens):
    """Topics that are direct parents of all these tokens."""
    return set.intersection(*(set(graph.parents(graph.n_topics + t).tolist()) for t in tokens))


def assert_constrained(constraints, before, after):
    """Topics and edges of the constraints are there; its frozen weights can be had back exactly."""
    assert constraints.topics <= set(after.graph.topic_ids)
    assert edge_numbers(after.graph, constraints.pinned).keys() == constraints.pinned
    held = constraints.hold(after, before)
    old, now = (edge_numbers(net.graph, constraints.frozen) for net in (before, held))
    for edge, number in now.items():
        assert held.weight[number] == before.weight[old[edge]]
    free = np.ones(len(held.weight), bool)
    free[list(now.values())] = False
    np.testing.assert_array_equal(held.weight[free], after.weight[free])
    assert not any(common(after.graph, *pair) for pair in constraints.apart)


@several
@given(problem=problems())
def test_pruning_and_merging_leave_what_is_guarded(problem):
    network, constraints = problem.network, random_constraints(problem)
    usage = problem.rng.gamma(0.5, 20.0, network.graph.n_topics)
    for size in range(1, network.graph.n_topics):
        assert_constrained(constraints, network, prune_topics(network, usage, size, constraints)[0])
    for size in range(network.graph.n_edges):
        try:
            check_budget(network.graph, size, constraints)
        except InputError:
            continue
        pruned = prune(network, usage, size, constraints)[0]
        assert pruned.graph.n_edges <= size
        assert_constrained(constraints, network, pruned)
    assert_constrained(constraints, network, merge_alike(network, usage, constraints)[0])


def test_the_budget_must_hold_what_is_pinned():
    graph, _ = build_graph(2, ["a", "b"], [0, 0, 1, 1], [2, 3, 2, 3])
    constraints = Constraints(
        frozenset({("a", 0), ("b", 0)}), frozenset(), frozenset({"a", "b"}), frozenset()
    )
    check_budget(graph, 3, constraints)
    with pytest.raises(InputError, match=r"2 edges cannot .* the guidance asks for; allow 3 or"):
        check_budget(graph, 2, constraints)


def test_topics_alike_are_not_merged_over_words_apart():
    graph, _ = build_graph(3, ["a", "b", "c"], [0, 0, 1, 1, 2, 2], [3, 4, 3, 5, 3, 4])
    # All three do nearly the same: the word that they share.
    network = build_network(graph, [2.0, 2.0, 2.0, 0.05, 0.05, 0.05], np.full(6, 0.1))
    free, _ = merge_alike(network, np.array([3.0, 2.0, 1.0]))
    assert free.graph.n_topics == 1
    apart = Constraints(frozenset(), frozenset(), frozenset(), frozenset({(1, 2)}))
    merged, _ = merge_alike(network, np.array([3.0, 2.0, 1.0]), apart)
    assert merged.graph.topic_ids == ("a", "b")
    kept = Constraints(frozenset(), frozenset(), frozenset({"c"}), frozenset())
    assert "c" in merge_alike(network, np.array([3.0, 2.0, 1.0]), kept)[0].graph.topic_ids


TRAININGS = [
    {"averaging": 0.5},
    {"optimizer": "paper"},
    {"start": "gibbs", "start_epochs": 30, "most_edges": 40, "most_topics": 4},
]


@pytest.fixture(scope="module")
def learned():
    """A corpus of 80 documents, a graph to train on it, and what to constraints there."""
    rng = np.random.default_rng(3)
    parents, children = np.divmod(np.arange(6 * 12), 12)
    graph, _ = build_graph(12, [f"t{k}" for k in range(6)], parents, 6 + children)
    weight = np.where(graph.edge_children() % 6 == graph.parent_idx, 2.0, 0.01)
    truth = build_network(graph, weight, np.full(18, 0.05))
    frozen = frozenset({("t0", 0), ("t0", 7), ("t3", 2)})
    constraints = Constraints(
        frozen | {("t4", 1)}, frozen, frozenset({"t0", "t3", "t4"}), frozenset()
    )
    return sampled_corpus(truth, 80, rng), graph, constraints


def ended(learned, options, constraints):
    corpus, graph, _ = learned
    chosen = TrainingOptions(epochs=2, batch_size=40, **options)
    *_, (state, _) = train(corpus, graph, chosen, constraints=constraints)
    return state.network


@pytest.mark.parametrize("options", TRAININGS)
def test_frozen_weights_are_those_that_training_began_with(learned, options):
    corpus, graph, constraints = learned
    first = initial_state(graph, corpus, np.arange(corpus.n_documents), seed=0).network
    network = ended(learned, options, constraints)
    assert constraints.topics <= set(network.graph.topic_ids)
    assert edge_numbers(network.graph, constraints.pinned).keys() == constraints.pinned
    before, after = (edge_numbers(net.graph, constraints.frozen) for net in (first, network))
    for edge in constraints.frozen:
        assert network.weight[after[edge]] == first.weight[before[edge]]
    loose = sorted(set(range(network.graph.n_edges)) - set(after.values()))
    assert not np.isin(network.weight[loose], first.weight).any()
