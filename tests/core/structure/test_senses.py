"""Senses: a word's second meaning gets a link although its first meaning outranks it."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.structure import dense_regions
from orrery.core.structure.dense_regions import MIN_SURPRISE, find_senses, join_links
from orrery.core.structure.layers import Links, topic_presence
from orrery.core.structure.propose import propose_graph

GROUPS, SIZE = 6, 5
SHARED = GROUPS * SIZE


def two_meanings(second=1, n_documents=900, seed=0):
    """Documents of six groups; the shared word is common in group 0, rarer in another one."""
    rng = np.random.default_rng(seed)
    group = np.arange(n_documents) % GROUPS
    presence = np.zeros((n_documents, SHARED + 1))
    for number in range(GROUPS):
        words = np.arange(number * SIZE, (number + 1) * SIZE)
        rows = np.flatnonzero(group == number)
        presence[np.ix_(rows, words)] = rng.random((len(rows), SIZE)) < 0.6
    presence[group == 0, SHARED] = rng.random((group == 0).sum()) < 0.6
    if second is not None:
        presence[group == second, SHARED] = rng.random((group == second).sum()) < 0.3
    return sparse.csr_array(presence)


def first_links():
    """Every word at home in its group, the shared word in group 0 alone."""
    topic = np.append(np.repeat(np.arange(GROUPS), SIZE), 0)
    return Links(np.arange(SHARED + 1), topic, np.ones(SHARED + 1))


def pairs(links):
    return set(zip(links.node.tolist(), links.topic.tolist(), strict=True))


def test_the_second_meaning_is_found_and_nothing_else():
    found = find_senses(two_meanings(), first_links(), GROUPS, 5)
    assert pairs(found) == {(SHARED, 1)}


def test_a_word_without_a_second_meaning_gets_none():
    found = find_senses(two_meanings(second=None), first_links(), GROUPS, 5)
    assert pairs(found) == set()


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 0.6))
def test_every_sense_is_significant_in_the_unexplained_rest(seed, share):
    """Counted document by document; what a topic is in less often than usual is no sense of it."""
    rng = np.random.default_rng(seed)
    presence = two_meanings(second=None, n_documents=240, seed=seed).toarray()
    presence[:, SHARED] = rng.random(240) < share * rng.random()
    documents, links = sparse.csr_array(presence), first_links()
    topics = topic_presence(documents, links, GROUPS).toarray() > 0
    found = find_senses(documents, links, GROUPS, 100)
    for node, topic in pairs(found):
        home = links.topic[node]
        unexplained = (presence[:, node] > 0) & ~topics[:, home]
        expected = unexplained.sum() * topics[:, topic].mean()
        beyond = (topics[unexplained, topic].sum() - expected) / np.sqrt(expected + 1.0)
        # A second sense is of what the first one has left.
        assert beyond >= MIN_SURPRISE or (found.node == node).sum() > 1
        assert beyond > 0.0


@pytest.mark.parametrize("budget", [0, 1, 2])
def test_the_budget_is_kept(budget):
    presence = two_meanings()
    both = sparse.hstack([presence, presence[:, [SHARED]]], format="csr")
    links = first_links()
    links = Links(np.append(links.node, SHARED + 1), np.append(links.topic, 0), np.ones(SHARED + 2))
    assert len(find_senses(both, links, GROUPS, budget).node) == budget


@pytest.mark.parametrize("at_once", [1, 50, 1000])
def test_few_documents_at_a_time_find_the_same(monkeypatch, at_once):
    expected = find_senses(two_meanings(), first_links(), GROUPS, 5)
    monkeypatch.setattr(dense_regions, "PAIRS_AT_ONCE", at_once)
    found = find_senses(two_meanings(), first_links(), GROUPS, 5)
    assert pairs(found) == pairs(expected)
    np.testing.assert_array_equal(found.strength, expected.strength)


def test_topics_of_many_words_take_no_more_memory(monkeypatch):
    monkeypatch.setattr(dense_regions, "PAIRS_AT_ONCE", 10_000)
    n_documents, n_nodes = 400, 5000
    # Two topics of half the words each, and a document of a few words of one of them.
    links = Links(np.arange(n_nodes), np.arange(n_nodes) % 2, np.ones(n_nodes))
    presence = sparse.lil_array((n_documents, n_nodes))
    row = np.arange(n_documents)[:, np.newaxis]
    presence[row, 2 * np.arange(8) + row % 2] = 1.0
    documents = sparse.csr_array(presence)
    tracemalloc.start()
    find_senses(documents, links, 2, 5)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # An index and a number for every word of the topic that a document has, in all documents.
    assert most < 12 * n_documents * n_nodes / 2


def test_joined_links_are_there_once_and_the_further_ones_are_no_stronger():
    links = Links(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 1.0]))
    further = Links(np.array([0, 0]), np.array([1, 2]), np.array([9.0, 9.0]))
    joined = join_links(links, further)
    assert pairs(joined) == {(0, 0), (0, 1), (1, 0), (0, 2)}
    assert joined.strength.tolist() == [3.0, 2.0, 1.0, 2.0]


def test_a_proposed_graph_links_the_shared_word_to_both_groups():
    class Presence:
        def to_csr(self):
            return two_meanings()

    graph = propose_graph(Presence(), topics=(GROUPS,), edges=SHARED + 8)
    tops = graph.parents(graph.n_topics + SHARED).tolist()
    company = [set((graph.children(topic) - graph.n_topics) // SIZE) for topic in tops]
    assert any(0 in groups for groups in company)
    assert any(1 in groups for groups in company)
