"""Sizes, budgets, the choice of edges, and when a topic is present in a document."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.structure import layers
from orrery.core.structure.layers import (
    PRESENT_FROM,
    PRESENT_LIFT,
    TOPIC_PARENTS,
    WORD_PARENTS,
    Affiliation,
    Links,
    choose_links,
    layer_sizes,
    split_budget,
    topic_presence,
)
from orrery.core.utils.errors import InputError


@given(st.integers(1, 200_000), st.integers(1, 1_000_000))
def test_automatic_sizes_shrink_upward_and_leave_two_nodes_for_each_topic(
    n_tokens: int, n_documents: int
) -> None:
    sizes = layer_sizes(n_tokens, n_documents, None)
    assert all(size >= 1 for size in sizes)
    nodes = (n_tokens, *sizes)
    assert all(2 * above <= max(below, 2) for below, above in itertools.pairwise(nodes))
    assert len(sizes) >= 2 or n_tokens < 4


def test_automatic_sizes_grow_with_the_vocabulary() -> None:
    sizes = [layer_sizes(n, 10**6, None) for n in (100, 1_000, 5_000, 50_000)]
    assert [len(layers) for layers in sizes] == [2, 2, 3, 3]
    assert sorted(sizes) == sizes


@pytest.mark.parametrize("topics", [(), (0,), (5, -1), (2.5,), "40,8", ("40", "8")])
def test_sizes_that_are_no_numbers_are_refused(topics: object) -> None:
    with pytest.raises(InputError, match="one whole number above 0 for each layer"):
        layer_sizes(100, 100, topics)  # type: ignore[arg-type]


@pytest.mark.parametrize("topics", [(101,), (10, 11)])
def test_more_topics_than_nodes_below_are_refused_unless_complete(topics: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"ask for at most 10.*complete"):
        layer_sizes(100, 100, topics)
    assert layer_sizes(100, 100, topics, nested=False) == topics


def test_an_empty_vocabulary_is_refused() -> None:
    with pytest.raises(InputError, match="no words"):
        layer_sizes(0, 10, None)


def test_without_a_budget_each_word_and_topic_gets_its_usual_parents() -> None:
    assert split_budget(500, (40, 8), None) == [WORD_PARENTS * 500, TOPIC_PARENTS * 40]


@given(st.integers(0, 20_000))
def test_a_budget_is_spent_and_no_more(edges: int) -> None:
    n_tokens, sizes = 1_000, (80, 16, 3)
    least = 1_000 + 80 + 16
    if edges < least:
        with pytest.raises(InputError, match=f"allow at least {least} edges"):
            split_budget(n_tokens, sizes, edges)
        return
    shares = split_budget(n_tokens, sizes, edges)
    assert edges - len(sizes) < sum(shares) <= edges
    assert all(share >= few for share, few in zip(shares, (1_000, 80, 16), strict=True))


def test_the_least_budget_counts_two_children_for_every_topic() -> None:
    assert split_budget(10, (8, 2), 24) == [16, 8]
    with pytest.raises(InputError, match="allow at least 24 edges"):
        split_budget(10, (8, 2), 23)


@st.composite
def affiliations(draw: st.DrawFn) -> Affiliation:
    n_nodes = draw(st.integers(1, 12))
    n_topics = draw(st.integers(1, n_nodes))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    strength = rng.integers(0, 4, (n_nodes, n_topics)) * (rng.random((n_nodes, n_topics)) < 0.5)
    home = rng.integers(0, n_topics, n_nodes)
    return Affiliation(home, sparse.csr_array(strength.astype(np.float64)))


@given(affiliations(), st.integers(0, 40), st.integers(3, 5))
def test_chosen_links_connect_everything_within_the_budget(
    affiliation: Affiliation, extra: int, most: int
) -> None:
    n_nodes, n_topics = affiliation.strength.shape
    budget = min(max(n_nodes, 2 * n_topics), n_nodes * n_topics) + extra
    links = choose_links(affiliation, budget, most)
    table = np.zeros((n_nodes, n_topics), int)
    np.add.at(table, (links.node, links.topic), 1)
    assert table.max() == 1
    assert len(links.node) <= budget
    assert (table.sum(axis=1) >= 1).all()
    assert (table.sum(axis=1) <= most).all()
    assert (table.sum(axis=0) >= min(2, n_nodes)).all()
    expected = affiliation.strength.toarray()[links.node, links.topic]
    np.testing.assert_array_equal(links.strength, expected)


def test_the_strongest_links_are_chosen() -> None:
    strength = sparse.csr_array(np.array([[9.0, 2, 5], [1, 9, 6], [0, 3, 9], [9, 4, 0]]))
    links = choose_links(Affiliation(np.array([0, 1, 2, 0]), strength), 8, 3)
    pairs = set(zip(links.node.tolist(), links.topic.tolist(), strict=True))
    homes = {(0, 0), (1, 1), (2, 2), (3, 0)}
    assert pairs - homes == {(1, 2), (0, 2), (3, 1), (2, 1)}


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_topic_presence_equals_its_definition(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(layers, "DOCUMENTS_AT_ONCE", at_once)
    rng = np.random.default_rng(1)
    presence = rng.random((40, 9)) < 0.3
    strength = rng.random((9, 3)) * (rng.random((9, 3)) < 0.6)
    strength[:, 0] += 0.1
    node, topic = np.nonzero(strength)
    links = Links(node, topic, strength[node, topic])
    vote = strength / strength.sum(axis=1, keepdims=True)
    received = presence @ vote
    usual = received.sum(axis=0) / presence.sum()
    expected = np.zeros((40, 3))
    for document in range(40):
        for number in range(3):
            needed = max(PRESENT_FROM, PRESENT_LIFT * usual[number] * presence[document].sum())
            votes = received[document, number]
            expected[document, number] = votes > 0 and votes >= needed
    result = topic_presence(sparse.csr_array(presence.astype(float)), links, 3)
    np.testing.assert_array_equal(result.toarray(), expected)


def test_a_word_of_two_topics_calls_neither_without_support() -> None:
    # Words 0 and 1 have topic 0, words 2 and 3 topic 1, word 5 topic 2, and word 4 all of them.
    node, topic = np.array([0, 1, 2, 3, 4, 4, 4, 5]), np.array([0, 0, 1, 1, 0, 1, 2, 2])
    documents = np.zeros((20, 6))
    documents[:3, 4] = documents[1, 0] = documents[2, 3] = documents[3:, 5] = 1
    links = Links(node, topic, np.ones(8))
    result = topic_presence(sparse.csr_array(documents), links, 3).toarray()
    assert result[:4, :2].tolist() == [[0, 0], [1, 0], [0, 1], [0, 0]]
