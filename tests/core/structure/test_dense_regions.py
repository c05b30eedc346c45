"""Regions are grown from dense nodes, hold a fair part of the nodes each, and may overlap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.structure.dense_regions import (
    MAX_REGION,
    PRIOR_MEMBERS,
    _affinity,
    _places,
    find_regions,
)


@pytest.mark.parametrize("n_topics", [1, 2, 6, 20, 30, 45, 49])
def test_every_region_is_the_home_of_a_fair_part_of_the_nodes(planted: Any, n_topics: int) -> None:
    home = find_regions(planted.corpus.to_csr(), n_topics, 5, seed=0).home
    load = np.bincount(home, minlength=n_topics)
    assert len(load) == n_topics
    assert load.min() >= 1
    assert load.max() <= np.ceil(MAX_REGION * 49 / n_topics)


def test_a_chain_of_neighbours_does_not_become_one_region() -> None:
    # Each word occurs with the next only, so that single linkage would join all forty.
    presence = np.zeros((39 * 10, 40))
    for document in range(len(presence)):
        presence[document, document // 10 : document // 10 + 2] = 1
    home = find_regions(sparse.csr_array(presence), 4, 3, seed=0).home
    assert np.bincount(home).max() <= MAX_REGION * 10
    assert len(set(home[:4].tolist()) & set(home[-4:].tolist())) == 0


def test_places_are_the_regions_of_the_neighbours(planted: Any) -> None:
    result = find_regions(planted.corpus.to_csr(), 6, 2, seed=0)
    two = result.strength[[planted.two_senses]].toarray().ravel()
    groups = [{int(topic) for topic in result.home[list(group)]} for group in planted.groups]
    assert all(len(topics) == 1 for topics in groups)
    assert set(np.flatnonzero(two).tolist()) == groups[0] | groups[-1]
    assert (np.diff(result.strength.indptr) <= 2).all()


def test_nodes_without_neighbours_are_spread() -> None:
    home = find_regions(sparse.csr_array((5, 12)), 4, 3, seed=0).home
    assert np.bincount(home).tolist() == [3, 3, 3, 3]


def test_a_large_group_is_divided() -> None:
    # One group of 40 words and five of four: a region may be the home of 25 words at most.
    rng = np.random.default_rng(5)
    groups = [range(40), *(range(first, first + 4) for first in range(40, 60, 4))]
    presence = np.zeros((800, 60))
    for row in presence:
        group = groups[rng.integers(6)]
        row[group] = rng.random(len(group)) < 0.5
    home = find_regions(sparse.csr_array(presence), 6, 3, seed=0).home
    assert np.bincount(home).max() <= MAX_REGION * 60 / 6


def similar(pairs: dict[tuple[int, int], float], n_nodes: int) -> sparse.csr_array:
    """Similarity of some pairs of nodes, the same in both directions."""
    table = np.zeros((n_nodes, n_nodes))
    for (one, other), value in pairs.items():
        table[one, other] = table[other, one] = value
    return sparse.csr_array(table)


@given(st.integers(1, 3), st.integers(4, 30), st.floats(0.05, 1.0), st.floats(0.0, 0.9))
def test_a_node_goes_to_the_larger_of_two_regions_that_it_is_as_similar_to(
    few: int, many: int, similarity: float, more: float
) -> None:
    """And to the smaller only when that is more similar by as much as its size is less sure."""
    home = np.array([-1, *[0] * few, *[1] * many])
    slightly = similarity * (1.0 + more * PRIOR_MEMBERS * (1 / few - 1 / many) / 2.0)
    pairs = {(0, node): slightly for node in range(1, few + 1)}
    pairs |= {(0, node): similarity for node in range(few + 1, few + many + 1)}
    affinity = _affinity(similar(pairs, len(home)), home, 2).toarray()
    found = affinity[0] * (np.array([few, many]) + PRIOR_MEMBERS)
    np.testing.assert_allclose(found, [few * slightly, many * similarity])
    if slightly * few / (few + PRIOR_MEMBERS) < similarity * many / (many + PRIOR_MEMBERS):
        assert affinity[0, 0] < affinity[0, 1]


@given(st.integers(12, 40), st.floats(0.05, 1.0))
def test_one_neighbour_does_not_outweigh_a_part_of_a_large_region(
    many: int, similarity: float
) -> None:
    """Evidence of one neighbour in a region of one counts as one among others without any."""
    home = np.array([0, 1, *[2] * many])
    # The bare roots of the sizes would favour the single neighbour, by up to the half.
    shared = 0.8 * similarity * np.sqrt(many)
    part = round(many / 2)
    pairs = {(0, 1): similarity} | {(0, 2 + place): shared / part for place in range(part)}
    places = _places(similar(pairs, len(home)), home, 3, 2)[[0]].toarray().ravel()
    assert places[2] > places[1] > places[0] == 0.0
