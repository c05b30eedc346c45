"""Topics of two models are matched by the documents in which they are on, and never by chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.evaluation import topic_matching
from orrery.core.evaluation.topic_matching import match_links, match_topics
from orrery.core.model.graph import build_graph

N_DOCUMENTS = 300


def activations(seed: int, n_topics: int, n_documents: int = N_DOCUMENTS) -> sparse.csr_array:
    """P(on) of topics that are on in a tenth of the documents."""
    rng = np.random.default_rng(seed)
    is_on = rng.random((n_documents, n_topics)) < 0.1
    return sparse.csr_array(is_on * rng.uniform(0.5, 1.0, (n_documents, n_topics)))


def lengths(seed: int, n_documents: int = N_DOCUMENTS) -> np.ndarray:
    return np.random.default_rng(seed).integers(5, 50, n_documents)


@pytest.mark.parametrize("seed", range(3))
def test_all_topics_of_a_permuted_copy_are_found(seed: int) -> None:
    table = activations(seed, 20)
    order = np.random.default_rng(seed).permutation(20)
    match = match_topics(table, table[:, order], lengths(seed))
    assert match.is_match.all()
    np.testing.assert_array_equal(order[match.partner], np.arange(20))
    np.testing.assert_allclose(match.correlation, 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_no_independent_topic_is_found(seed: int) -> None:
    match = match_topics(activations(seed, 20), activations(seed + 100, 25), lengths(seed))
    assert not match.is_match.any()
    assert (match.by_chance < 0.05).all()


def test_topics_of_one_document_are_matched_by_chance_and_so_not_found() -> None:
    """In few documents, two rare topics are easily on in the same one."""
    own, other = np.zeros((8, 3)), np.zeros((8, 8))
    own[range(3), range(3)] = other[range(8), range(8)] = 1.0
    match = match_topics(sparse.csr_array(own), sparse.csr_array(other), lengths(0, 8))
    np.testing.assert_allclose(match.correlation, 1.0)
    assert not match.is_match.any()
    np.testing.assert_allclose(match.by_chance, 1.0)


def test_topics_that_only_share_the_length_of_their_documents_are_not_found() -> None:
    """Every topic is on in the long documents and nowhere else."""
    size = np.repeat([5, 100], [N_DOCUMENTS // 2, N_DOCUMENTS // 2])
    table = sparse.csr_array(np.where(size[:, None] > 50, 0.9, 0.0))
    match = match_topics(table, table, size)
    np.testing.assert_allclose(match.correlation, 1.0)
    assert not match.is_match.any()


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 6))
def test_correlation_and_partners_are_those_of_plain_loops(
    seed: int, n_topics: int, n_other: int
) -> None:
    own, other = activations(seed, n_topics, 40), activations(seed + 1, n_other, 40)
    match = match_topics(own, other, lengths(seed, 40))
    assert len(set(match.partner[match.partner >= 0])) == min(n_topics, n_other)
    for topic, partner in enumerate(match.partner):
        a, b = own.toarray()[:, topic], other.toarray()[:, partner]
        if partner >= 0 and a.std() > 0 and b.std() > 0:
            assert match.correlation[topic] == pytest.approx(np.corrcoef(a, b)[0, 1])


@given(st.integers(0, 10_000))
def test_match_is_symmetric(seed: int) -> None:
    own, noise = activations(seed, 6, 120), activations(seed + 1, 6, 120)
    other = sparse.csr_array(own[:, [3, 1, 0, 2, 5, 4]] + 0.3 * noise)[:, :5]
    there = match_topics(own, other, lengths(seed, 120))
    back = match_topics(other, own, lengths(seed, 120))
    for topic, partner in enumerate(there.partner):
        if partner >= 0:
            assert back.partner[partner] == topic
            assert back.is_match[partner] == there.is_match[topic]
            assert back.correlation[partner] == pytest.approx(there.correlation[topic])
            assert back.null[partner] == pytest.approx(there.null[topic])


@given(st.integers(0, 10_000))
def test_match_does_not_depend_on_the_order_of_topics_and_documents(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own, noise = activations(seed, 5, 120), activations(seed + 1, 5, 120)
    other = sparse.csr_array(own + 0.3 * noise)
    size = lengths(seed, 120)
    first = match_topics(own, other, size)
    columns, rows = rng.permutation(5), rng.permutation(120)
    second = match_topics(own[:, columns], other, size)
    np.testing.assert_array_equal(second.partner, first.partner[columns])
    np.testing.assert_array_equal(second.is_match, first.is_match[columns])
    third = match_topics(own[rows], other[rows], size[rows])
    np.testing.assert_array_equal(third.partner, first.partner)
    np.testing.assert_allclose(third.correlation, first.correlation)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_models_without_topics_have_no_match(shape: tuple[int, int]) -> None:
    own, other = (activations(0, n_topics, 10) for n_topics in shape)
    match = match_topics(own, other, lengths(0, 10))
    assert not match.is_match.any()
    assert len(match.partner) == shape[0]


def test_constant_topic_has_no_match() -> None:
    table = sparse.csr_array(np.ones((60, 2)))
    assert not match_topics(table, table, lengths(0, 60)).is_match.any()


@given(st.integers(0, 10_000))
def test_links_are_matched_through_both_ends(seed: int) -> None:
    """Beside a loop over all pairs of links."""
    rng = np.random.default_rng(seed)
    first, second = (random_graph(rng) for _ in range(2))
    topics = np.where(rng.random(4) < 0.7, rng.permutation(4), -1)
    tokens = np.where(rng.random(6) < 0.8, rng.permutation(6), -1)
    is_match, by_chance = match_links(first, second, topics, tokens)
    links = set(zip(second.parent_idx.tolist(), second.edge_children().tolist(), strict=True))

    def partner(node: int) -> int:
        if node < 4:
            return int(topics[node])
        return -1 if tokens[node - 4] < 0 else int(tokens[node - 4]) + 4

    pairs = zip(first.parent_idx.tolist(), first.edge_children().tolist(), strict=True)
    for link, (parent, child) in enumerate(pairs):
        ends = partner(parent), partner(child)
        assert is_match[link] == (ends in links)
        shares = [(topic, ends[1]) in links for topic in range(4)] if min(ends) >= 0 else [False]
        assert by_chance[link] == pytest.approx(np.mean(shares))


def random_graph(rng: np.random.Generator):
    pairs = [(parent, child) for parent in range(4) for child in range(parent + 1, 10)]
    chosen = [pair for pair in pairs if rng.random() < 0.4] or pairs[:1]
    parents, children = zip(*chosen, strict=True)
    return build_graph(6, list("abcd"), parents, children)[0]


def test_null_has_one_order_and_its_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    size = lengths(0)
    orders = topic_matching._shuffles(size, np.random.default_rng(0))
    assert len(orders) == topic_matching.N_SHUFFLES
    for order, inverse in zip(orders[::2], orders[1::2], strict=True):
        np.testing.assert_array_equal(order[inverse], np.arange(N_DOCUMENTS))
