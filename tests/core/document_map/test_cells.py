"""Neighbours found in cells equal the neighbours of a full search."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.document_map import neighbours
from orrery.core.document_map.neighbours import make_cells, nearest_in_cells, unit


def clustered(n: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    centre = random.normal(size=(20, 12))
    rows = centre[random.integers(0, 20, n)] + 0.4 * random.normal(size=(n, 12))
    return unit(rows.astype(np.float32))


def by_looking_at_all(direction: np.ndarray, most: int) -> np.ndarray:
    alike = direction @ direction.T
    np.fill_diagonal(alike, -np.inf)
    return np.sort(alike, axis=1)[:, ::-1][:, :most]


@pytest.mark.parametrize("n", [3, 17, 300])
def test_where_all_cells_are_searched_none_is_missed(monkeypatch, n):
    monkeypatch.setattr(neighbours, "CELLS_SEARCHED", n)
    direction = clustered(n, n)
    most = min(6, n - 1)
    neighbour, cosine = nearest_in_cells(direction, make_cells(direction, 0), most)
    assert np.allclose(cosine, by_looking_at_all(direction, most), atol=1e-5)
    own = np.arange(n)[:, None]
    assert (neighbour != own).all()
    assert np.allclose(np.einsum("id,ikd->ik", direction, direction[neighbour]), cosine, atol=1e-5)


def test_a_few_cells_hold_nearly_all_neighbours():
    direction = clustered(3000, 1)
    _, cosine = nearest_in_cells(direction, make_cells(direction, 0), 10)
    truth = by_looking_at_all(direction, 10)
    assert (cosine >= truth[:, -1:] - 1e-5).mean() > 0.95


def test_cells_are_of_the_nearest_centre():
    direction = clustered(500, 2)
    made = make_cells(direction, 3)
    assert (made.cell == np.argmax(direction @ made.centre.T, axis=1)).all()
    again = make_cells(direction, 3)
    assert (again.centre == made.centre).all()
