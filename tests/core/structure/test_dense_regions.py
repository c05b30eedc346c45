"""Regions are grown from dense nodes, hold a fair part of the nodes each, and may overlap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from orrery.core.structure.dense_regions import LARGEST_REGION, find_regions


@pytest.mark.parametrize("n_topics", [1, 2, 6, 20, 30, 45, 49])
def test_every_region_is_the_home_of_a_fair_part_of_the_nodes(planted: Any, n_topics: int) -> None:
    home = find_regions(planted.corpus.to_csr(), n_topics, 5, seed=0).home
    load = np.bincount(home, minlength=n_topics)
    assert len(load) == n_topics
    assert load.min() >= 1
    assert load.max() <= np.ceil(LARGEST_REGION * 49 / n_topics)


def test_a_chain_of_neighbours_does_not_become_one_region() -> None:
    # Each word occurs with the next only, so that single linkage would join all forty.
    presence = np.zeros((39 * 10, 40))
    for document in range(len(presence)):
        presence[document, document // 10 : document // 10 + 2] = 1
    home = find_regions(sparse.csr_array(presence), 4, 3, seed=0).home
    assert np.bincount(home).max() <= LARGEST_REGION * 10
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
    assert np.bincount(home).max() <= LARGEST_REGION * 60 / 6
