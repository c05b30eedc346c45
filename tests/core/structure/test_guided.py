"""A guided graph does what it was asked, and is otherwise the graph that it was."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from orrery.core.model.graph import build_graph
from orrery.core.model.network import StartValues
from orrery.core.structure.constraints import constraints_of
from orrery.core.structure.guidance import Guidance
from orrery.core.structure.guided import COMPANIONS, LINK_WEIGHT, SEED_WEIGHT, guide
from orrery.core.structure.layers import complete_graph
from orrery.core.utils.errors import InputError
from tests.random_guidance import children_by_topic, corpus_over, named_ends, random_guidance
from tests.random_networks import corpus_of_sets, problems, several


def with_guidance(problem, with_weights):
    """(graph before, graph after, given, guidance), or None if the rules contradict each other."""
    network = problem.network
    start = StartValues(network.weight, network.leak) if with_weights else None
    try:
        graph, given_, guidance = guide(
            network.graph, random_guidance(problem), corpus_over(problem), start
        )
    except InputError as refusal:
        # The tests of guidance test contradictions.
        if re.search(r"(seeds '.+'|frozen \d|cannot_link \d|forbidden \d) ", str(refusal)):
            return None
        raise
    return network.graph, graph, given_, guidance


@pytest.mark.parametrize("with_weights", [False, True])
@several
@given(problem=problems())
def test_every_rule_holds(problem, with_weights):
    found = with_guidance(problem, with_weights)
    if found is None:
        return
    _, graph, given_, guidance = found
    children = children_by_topic(graph)
    for name, words in guidance.seeds:
        assert children[name] >= set(words)
    for group in guidance.must_link:
        assert any(below >= set(group) for below in children.values())
    for pair in guidance.cannot_link:
        assert not any(below >= set(pair) for below in children.values())
    for parent, child in guidance.forbidden:
        assert child not in children.get(parent, ())
    weight = dict(zip(named_ends(graph), given_.weight.tolist(), strict=True))
    for parent, child, value in guidance.frozen:
        assert weight[parent, child] > 0
        assert value is None or weight[parent, child] == value


@pytest.mark.parametrize("with_weights", [False, True])
@several
@given(problem=problems())
def test_what_no_rule_touches_stays_as_it_was(problem, with_weights):
    found = with_guidance(problem, with_weights)
    if found is None:
        return
    before, after, given_, guidance = found
    loose = {word for pair in guidance.cannot_link for word in pair}
    ends, network = named_ends(before), problem.network
    kept = dict(zip(named_ends(after), given_.weight.tolist(), strict=True))
    set_by_hand = {edge[:2] for edge in guidance.frozen if edge[2] is not None}
    # Topics that the rules leave without children go.
    gone = {f"topic:{name}" for name in set(before.topic_ids) - set(after.topic_ids)}
    below = children_by_topic(before)
    for name in gone:
        lost = below[name.removeprefix("topic:")] - loose - gone
        assert {(name.removeprefix("topic:"), child) for child in lost} <= set(guidance.forbidden)
    for edge, weight in zip(ends, network.weight.tolist(), strict=True):
        if edge in guidance.forbidden or edge[1] in loose or edge[1] in gone:
            continue
        assert edge in kept
        if with_weights and edge not in set_by_hand:
            assert kept[edge] == weight


@several
@given(problem=problems())
def test_a_word_loses_all_its_parents_only_where_none_may_have_it(problem):
    found = with_guidance(problem, with_weights=False)
    if found is None:
        return
    before, after, _, guidance = found
    had = {child for _, child in named_ends(before)}
    has = {child for _, child in named_ends(after)}
    for word in had - has:
        if word.startswith("topic:"):
            continue
        foes = {w for pair in guidance.cannot_link if word in pair for w in pair} - {word}
        for topic, below in children_by_topic(after).items():
            words = {child for child in below if not child.startswith("topic:")}
            assert not words or words & foes or (topic, word) in guidance.forbidden


@several
@given(problem=problems())
def test_without_rules_nothing_changes(problem):
    network = problem.network
    start = StartValues(network.weight, network.leak)
    graph, given_, _ = guide(network.graph, Guidance(), corpus_over(problem), start)
    assert named_ends(graph) == named_ends(network.graph)
    np.testing.assert_array_equal(given_.weight, network.weight)
    np.testing.assert_array_equal(given_.leak, network.leak)


@several
@given(problem=problems())
def test_constraints_find_all_that_it_pins_in_the_graph_with_guidance(problem):
    found = with_guidance(problem, with_weights=False)
    if found is None:
        return
    _, graph, _, guidance = found
    words = {f"word{token}": token for token in range(graph.n_tokens)}
    constraints = constraints_of(guidance, graph, words)
    assert int(constraints.pinned_edges(graph).sum()) == len(constraints.pinned)
    assert constraints.frozen <= constraints.pinned
    ends = {(p, c) for (p, c), is_pinned in zip(named_ends(graph), constraints.pinned_edges(graph),
                                                strict=True) if is_pinned}  # fmt: skip
    for name, seeds in guidance.seeds:
        assert {(name, word) for word in seeds} <= ends
    for group in guidance.must_link:
        assert any({(topic, word) for word in group} <= ends for topic in graph.topic_ids)


@several
@given(problem=problems())
def test_constraints_let_nothing_grow_that_a_rule_forbids(problem):
    found = with_guidance(problem, with_weights=False)
    if found is None:
        return
    _, graph, _, guidance = found
    words = {f"word{token}": token for token in range(graph.n_tokens)}
    names = [*(f"topic:{name}" for name in graph.topic_ids), *words]
    below = children_by_topic(graph)
    missing = [
        (parent, child)
        for parent, name in enumerate(graph.topic_ids)
        for child in range(graph.n_nodes)
        if child != parent and names[child] not in below.get(name, ())
    ]
    order = problem.rng.permutation(len(missing))
    parents, children = np.array(missing, np.int64).reshape(-1, 2)[order].T
    mask = constraints_of(guidance, graph, words).allowed(graph, parents, children)
    for parent, child, is_allowed in zip(parents, children, mask, strict=True):
        topic, name = graph.topic_ids[parent], names[child]
        assert not (is_allowed and (topic, name) in guidance.forbidden)
        if is_allowed:
            below.setdefault(topic, set()).add(name)
    for pair in guidance.cannot_link:
        assert not any(children >= set(pair) for children in below.values())
    ruled = {word for pair in guidance.cannot_link for word in pair}
    ruled |= {child for _, child in guidance.forbidden}
    assert all(mask[[names[child] not in ruled for child in children]])


def star_corpus():
    """Words 0–2 together, words 3–5 together, word 6 with either."""
    return corpus_of_sets([{0, 1, 2, 6}, {0, 1, 6}, {3, 4, 5}, {3, 4, 5, 6}, {4, 5}] * 5, 7)


def test_a_seed_begins_with_its_words_and_those_that_occur_with_them():
    graph, _ = build_graph(7, ["a"], [0] * 7, range(1, 8))
    rules = Guidance(seeds=(("space", ("word0", "word1")),))
    graph, start, _ = guide(graph, rules, star_corpus())
    weight = dict(zip(named_ends(graph), start.weight.tolist(), strict=True))
    assert weight["space", "word0"] == weight["space", "word1"] == SEED_WEIGHT
    # Words that are never in one document with a seed stay away.
    assert children_by_topic(graph)["space"] == {"word0", "word1", "word2", "word6"}
    assert np.isnan(weight["space", "word2"])
    assert COMPANIONS >= 2


def test_of_two_words_apart_a_topic_keeps_the_one_that_fits_it():
    parents = [0, 0, 0, 0, 1, 1, 1, 1]
    graph, _ = build_graph(7, ["left", "right"], parents, [2, 3, 8, 6, 5, 6, 7, 3])
    rules = Guidance(cannot_link=(("word1", "word4"),))
    children = children_by_topic(guide(graph, rules, star_corpus())[0])
    assert children["left"] == {"word0", "word1", "word6"}
    assert children["right"] == {"word3", "word4", "word5"}


def test_given_weights_state_which_word_fits():
    graph, _ = build_graph(2, ["a", "b"], [0, 0, 1, 1], [2, 3, 2, 3])
    rules = Guidance(cannot_link=(("word0", "word1"),))
    corpus = corpus_of_sets([{0, 1}] * 3, 2)
    weight = {("a", "word0"): 2.0, ("b", "word0"): 0.1, ("a", "word1"): 0.1, ("b", "word1"): 2.0}
    start = StartValues(np.array([weight[ends] for ends in named_ends(graph)]), np.ones(4))
    children = children_by_topic(guide(graph, rules, corpus, start)[0])
    assert children == {"a": {"word0"}, "b": {"word1"}}


def test_a_word_that_loses_its_only_parent_gets_another():
    graph, _ = build_graph(3, ["a", "b"], [0, 0, 1], [2, 3, 4])
    rules = Guidance(cannot_link=(("word0", "word1"),))
    children = children_by_topic(guide(graph, rules, corpus_of_sets([{0, 1, 2}] * 3, 3))[0])
    assert sorted(map(len, children.values())) == [1, 2]
    assert set.union(*children.values()) == {"word0", "word1", "word2"}


def test_in_a_complete_graph_words_apart_share_the_topics():
    rules = Guidance(cannot_link=tuple(pairwise([f"word{n}" for n in range(4)])))
    graph, _, _ = guide(complete_graph(7, (6, 2), None), rules, star_corpus())
    parents = {f"word{n}": len(graph.parents(graph.n_topics + n)) for n in range(4)}
    assert min(parents.values()) >= 1


def test_words_that_no_topic_may_have_together_get_one_of_their_own():
    graph, _ = build_graph(3, ["a"], [0, 0, 0], [1, 2, 3])
    rules = Guidance(
        must_link=(("word0", "word1"), ("word1", "word2")), forbidden=(("a", "word2"),)
    )
    graph, start, _ = guide(graph, rules, corpus_of_sets([{0, 1, 2}] * 3, 3))
    children = children_by_topic(graph)
    assert children == {"a": {"word0", "word1"}, "must_link 1": {"word0", "word1", "word2"}}
    assert np.nanmax(start.weight) == LINK_WEIGHT


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"seeds": (("s", ("nix",)),)}, "seeds 's' names 'nix', which is no word"),
        ({"must_link": (("word0", "nix"),)}, "must_link 1 names 'nix'"),
        ({"cannot_link": (("word0", "nix"),)}, "cannot_link 1 names 'nix'"),
        ({"frozen": (("nix", "word0", None),)}, "frozen 1 names 'nix', and there is no such topic"),
        ({"forbidden": (("a", "nix"),)}, "forbidden 1 names 'nix', and there is no such topic or"),
        ({"frozen": (("b", "topic:a", None),)}, "frozen 1 closes a cycle: 'a'"),
        ({"frozen": (("b", "topic:b", 1.0),)}, "frozen 1 closes a cycle: 'b'"),
    ],
)
def test_names_and_cycles_are_refused_with_the_rule(rules, message):
    graph, _ = build_graph(7, ["a", "b"], [0, 0, 1], [1, 2, 3])
    with pytest.raises(InputError, match=message):
        guide(graph, Guidance(**rules), star_corpus())


def test_an_edge_frozen_at_nothing_is_refused():
    graph, _ = build_graph(2, ["a"], [0, 0], [1, 2])
    start = StartValues(np.array([0.0, 1.0]), np.ones(3))
    with pytest.raises(InputError, match="frozen 1 has the weight 0; forbid the edge instead"):
        guide(graph, Guidance(frozen=(("a", "word0", None),)), corpus_of_sets([{0, 1}], 2), start)
