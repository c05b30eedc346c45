"""Pruning keeps what is used most, every word, and all that belongs to what it keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.structure.pruning import (
    check_budget,
    edge_importance,
    prune,
    prune_topics,
    restrict,
)
from orrery.core.utils.errors import InputError
from tests.random_networks import problems, several


def named_edges(network, values):
    """(name of the parent, name of the child) → value, for every edge."""
    graph = network.graph
    names = [*graph.topic_ids, *range(graph.n_tokens)]
    parents, children = graph.parent_idx.tolist(), graph.edge_children().tolist()
    ends = [(names[p], names[c]) for p, c in zip(parents, children, strict=True)]
    return dict(zip(ends, values.tolist(), strict=True))


def words_reached(graph):
    """Words that have a parent."""
    return set(np.flatnonzero(np.diff(graph.parent_ptr)[graph.n_topics :]).tolist())


def assert_carried_over(before, after, topics):
    """Names, weights and leaks are unchanged; every topic has children."""
    old, new = before.graph, after.graph
    assert new.n_tokens == old.n_tokens
    assert list(new.topic_ids) == [old.topic_ids[topic] for topic in topics]
    assert (np.diff(new.child_ptr) > 0).all()
    weights = named_edges(before, before.weight)
    assert named_edges(after, after.weight).items() <= weights.items()
    kept = [*topics, *range(old.n_topics, old.n_nodes)]
    assert (after.leak == before.leak[kept]).all()


def budgets(problem):
    """Some budgets from the smallest that is possible, and how often every topic is on."""
    graph = problem.network.graph
    least = len(words_reached(graph))
    return range(least, graph.n_edges, 3), problem.rng.gamma(0.5, 20.0, graph.n_topics)


@several
@given(problem=problems())
def test_pruned_to_a_budget(problem):
    network, (sizes, usage) = problem.network, budgets(problem)
    for size in sizes:
        pruned, topics = prune(network, usage, size)
        assert pruned.graph.n_edges <= size
        assert words_reached(pruned.graph) == words_reached(network.graph)
        assert_carried_over(network, pruned, topics)


@several
@given(problem=problems())
def test_what_goes_is_used_least(problem):
    """Among the edges that no word needs; what leads to no word any more goes as well."""
    network, (sizes, usage) = problem.network, budgets(problem)
    importance = edge_importance(network, usage)
    named = named_edges(network, importance)
    child = network.graph.edge_children()
    best = {
        int(node): importance[child == node].max()
        for node in np.unique(child)
        if node >= network.graph.n_topics
    }
    for size in sizes:
        pruned, _ = prune(network, usage, size)
        kept = named_edges(pruned, pruned.weight).keys()
        into_words = {ends: value for ends, value in named.items() if isinstance(ends[1], int)}
        for word in {word for _, word in kept if isinstance(word, int)}:
            ours = [named[ends] for ends in kept if ends[1] == word]
            assert max(ours) == best[network.graph.n_topics + word]
        gone = [value for ends, value in into_words.items() if ends not in kept]
        spare = sorted((named[ends] for ends in kept), reverse=True)
        needed = sorted(best.values(), reverse=True)
        # The edges beyond the required ones are at least as used as any removed edge.
        for value in needed:
            if value in spare:
                spare.remove(value)
        assert not gone or not spare or min(spare) >= max(gone)


@several
@given(problem=problems())
def test_within_the_budget_nothing_is_touched(problem):
    graph = problem.network.graph
    usage = np.ones(graph.n_topics)
    for pruned, topics in (
        prune(problem.network, usage, graph.n_edges),
        prune(problem.network, usage, graph.n_edges + 7),
        prune_topics(problem.network, usage, graph.n_topics),
    ):
        assert pruned is problem.network
        assert topics.tolist() == list(range(graph.n_topics))


@several
@given(problem=problems())
def test_too_small_a_budget_is_refused(problem):
    n_words = len(words_reached(problem.network.graph))
    usage = np.ones(problem.network.graph.n_topics)
    check_budget(problem.network.graph, n_words)
    if n_words:
        message = f"{n_words - 1} edges cannot reach all {n_words} words of the graph; allow more"
        with pytest.raises(InputError, match=message):
            prune(problem.network, usage, n_words - 1)
        with pytest.raises(InputError, match=message):
            check_budget(problem.network.graph, n_words - 1)


@several
@given(problem=problems())
def test_the_topics_that_act_most_stay_with_all_between_them(problem):
    network, graph = problem.network, problem.network.graph
    usage = problem.rng.gamma(0.5, 20.0, graph.n_topics)
    total = np.bincount(graph.parent_idx, edge_importance(network, usage), graph.n_topics)
    for size in range(1, graph.n_topics):
        pruned, topics = prune_topics(network, usage, size)
        assert_carried_over(network, pruned, topics)
        # Those that act least go, the last in the order first where some act alike.
        chosen = set(np.argsort(total, kind="stable")[graph.n_topics - size :].tolist())
        kept = set(topics.tolist())
        for topic in kept - chosen:
            words = [child for child in graph.children(topic) if child >= graph.n_topics]
            assert any(set(graph.parents(word).tolist()) & kept == {topic} for word in words)
        # Only what leads to no word any more goes beyond that.
        assert kept & chosen == chosen & above_words(graph, chosen | kept)
        assert len(words_reached(pruned.graph)) == len(words_reached(graph))
        inner = [
            ends
            for ends in named_edges(network, network.weight)
            if ends[0] in pruned.graph.topic_ids
            and (isinstance(ends[1], int) or ends[1] in pruned.graph.topic_ids)
        ]
        assert len(inner) == pruned.graph.n_edges


def above_words(graph, chosen):
    """Topics among the chosen from which a path of chosen ones leads to a word."""
    found = set()
    for topic in range(graph.n_topics - 1, -1, -1):
        children = set(graph.children(topic).tolist())
        if topic in chosen and any(c >= graph.n_topics or c in found for c in children):
            found.add(topic)
    return found


def chain_of_three():
    """top → middle → low → word 0, and top → word 1."""
    graph, _ = build_graph(2, ["low", "top", "middle"], [1, 2, 0, 1], [2, 0, 3, 4])
    weight = np.array([0.5, 0.6, 0.7, 0.8])
    return build_network(graph, weight, np.array([0.1, 0.2, 0.3, 0.4, 0.5]))


def test_topics_that_lead_to_no_word_any_more_go():
    network = chain_of_three()
    assert network.graph.topic_ids == ("top", "middle", "low")
    is_kept = np.array([ends != ("low", 0) for ends in named_edges(network, network.weight)])
    pruned, topics = restrict(network, is_kept)
    assert pruned.graph.topic_ids == ("top",)
    assert topics.tolist() == [0]
    assert named_edges(pruned, pruned.weight).keys() == {("top", 1)}
    assert pruned.leak.tolist() == [0.1, 0.4, 0.5]


def test_nothing_kept_is_a_graph_of_words_alone():
    network = chain_of_three()
    pruned, topics = restrict(network, np.zeros(4, bool))
    assert (pruned.graph.n_topics, pruned.graph.n_edges, len(topics)) == (0, 0, 0)
    assert pruned.leak.tolist() == [0.4, 0.5]
