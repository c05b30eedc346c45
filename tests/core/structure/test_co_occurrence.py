"""The sparse similarity equals its formula written in loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

from orrery.core.structure import co_occurrence
from orrery.core.structure.co_occurrence import PRIOR_DOCUMENTS, similarity_graph


def naive_similarity(presence: np.ndarray) -> np.ndarray:
    n_documents, n_nodes = presence.shape
    result = np.zeros((n_nodes, n_nodes))
    for i in range(n_nodes):
        for j in range(n_nodes):
            together = sum(1 for row in presence if row[i] and row[j])
            if i == j or together == 0:
                continue
            expected = presence[:, i].sum() * presence[:, j].sum() / n_documents
            lift = (together + PRIOR_DOCUMENTS) / (expected + PRIOR_DOCUMENTS)
            most = -math.log((together + PRIOR_DOCUMENTS) / (n_documents + 2 * PRIOR_DOCUMENTS))
            result[i, j] = max(0.0, math.log(lift) / most)
    return result


@pytest.fixture
def presence() -> np.ndarray:
    rng = np.random.default_rng(3)
    # A hidden cause for some of the nodes, one node that never occurs, and an empty document.
    cause = rng.random((60, 1)) < 0.4
    table = (rng.random((60, 12)) < 0.15) | (cause & (rng.random((60, 12)) < 0.5))
    table[:, 4] = False
    table[10] = False
    return table


def test_equals_the_formula(presence: np.ndarray) -> None:
    result = similarity_graph(sparse.csr_array(presence), n_neighbours=12)
    np.testing.assert_allclose(result.toarray(), naive_similarity(presence), atol=1e-12)


def test_does_not_depend_on_the_size_of_the_blocks(
    presence: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = similarity_graph(sparse.csr_array(presence), n_neighbours=3)
    monkeypatch.setattr(co_occurrence, "PAIRS_AT_ONCE", 1)
    pieces = similarity_graph(sparse.csr_array(presence), n_neighbours=3)
    assert (whole != pieces).nnz == 0


@pytest.mark.parametrize("n_neighbours", [1, 2, 5])
def test_keeps_the_nearest_of_either_end(presence: np.ndarray, n_neighbours: int) -> None:
    full = naive_similarity(presence)
    result = similarity_graph(sparse.csr_array(presence), n_neighbours).toarray()
    least = np.sort(full, axis=1)[:, -n_neighbours]
    is_near = (full >= least[:, None]) & (full > 0)
    assert (result == result.T).all()
    # Here no two values of a row are equal, so the nearest are well defined.
    np.testing.assert_allclose(result, np.where(is_near | is_near.T, full, 0.0), atol=1e-12)


def test_stored_values_do_not_count(presence: np.ndarray) -> None:
    once = sparse.csr_array(presence.astype(np.float64))
    thrice = sparse.csr_array(3.0 * presence)
    assert (similarity_graph(once) != similarity_graph(thrice)).nnz == 0


def test_a_pair_seen_once_is_less_similar_than_a_pair_seen_often() -> None:
    presence = np.zeros((1000, 4), bool)
    presence[0, :2] = True
    presence[100:130, 2] = True
    presence[105:135, 3] = True
    result = similarity_graph(sparse.csr_array(presence)).toarray()
    assert 0 < result[0, 1] < result[2, 3] < 1


@pytest.mark.parametrize("shape", [(0, 3), (3, 1), (2, 4)])
def test_nothing_occurs(shape: tuple[int, int]) -> None:
    result = similarity_graph(sparse.csr_array(shape))
    assert result.shape == (shape[1], shape[1])
    assert result.nnz == 0
