"""Ties are symmetric, the nearest neighbour has the largest weight, and the sum equals log2 of
their number.
"""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.document_map.neighbours import (
    MIN_WEIGHT,
    Cells,
    _widths,
    fuzzy_graph,
    nearest_in_cells,
    unit,
)


@pytest.fixture
def near():
    random = np.random.default_rng(4)
    direction = unit(random.normal(size=(60, 5)).astype(np.float32))
    return nearest_in_cells(direction, Cells(direction[:1], np.zeros(60, np.int64)), 8)


def test_they_are_symmetric_and_within_bounds(near):
    table = fuzzy_graph(*near)
    assert np.abs((table - table.T).toarray()).max() < 1e-6
    assert (table.data >= MIN_WEIGHT).all()
    assert (table.data <= 1.0 + 1e-6).all()
    assert (table.toarray()[np.arange(60), near[0][:, 0]] >= 1.0 - 1e-6).all()


def test_a_neighbourhood_sums_to_log2_of_its_size(near):
    beyond = (near[1][:, :1] - near[1]).astype(np.float64)
    total = np.exp(-beyond / _widths(beyond)[:, None]).sum(axis=1)
    assert np.allclose(total, 3.0, atol=1e-4)


def test_documents_that_are_all_alike_are_tied_as_one():
    neighbour = np.array([[1, 2], [0, 2], [0, 1]], np.int32)
    table = fuzzy_graph(neighbour, np.ones((3, 2), np.float32)).toarray()
    assert np.allclose(table, 1.0 - np.eye(3))
