"""The layout: near is what is alike, always the same bits, and any number of documents."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from scipy import sparse

from orrery.core.document_map import layout
from orrery.core.document_map.layout import lay_out
from tests.core.document_map.known import drawn

FEW = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes minutes as plain Python")


def nearest(place: np.ndarray, most: int) -> np.ndarray:
    far = ((place[:, None] - place[None]) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return np.argsort(far, axis=1)[:, :most]


@FEW
def test_what_is_about_the_same_lies_near():
    activations, theme = drawn(900, 0)
    place = lay_out(activations)
    alike = (theme[nearest(place, 10)] == theme[:, None]).mean()
    assert alike > 0.85, "one in six would be chance"


@FEW
def test_neighbours_among_the_topics_are_neighbours_in_the_plane():
    activations, _ = drawn(900, 1)
    place = lay_out(activations)
    direction = layout.directions(activations, 0)
    truth = np.argsort(-(direction @ direction.T), axis=1)[:, 1:11]
    found = nearest(place, 10)
    kept = np.mean([len(set(a) & set(b)) for a, b in zip(truth, found, strict=True)]) / 10
    assert kept > 10 * (10 / 900), "ten times as many as by chance"


@FEW
def test_it_is_the_same_bits_for_any_number_of_threads():
    activations, _ = drawn(700, 2)
    before = numba.get_num_threads()
    try:
        found = []
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            found.append(lay_out(activations, seed=5))
    finally:
        numba.set_num_threads(before)
    assert found[0].tobytes() == found[1].tobytes()
    assert found[0].tobytes() != lay_out(activations, seed=6).tobytes()


@FEW
def test_many_topics_are_laid_out_by_their_main_directions(monkeypatch):
    monkeypatch.setattr(layout, "DIMENSIONS", 8)
    activations, theme = drawn(400, 3)
    place = lay_out(activations)
    assert (theme[nearest(place, 5)] == theme[:, None]).mean() > 0.6


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_a_few_documents_have_places_too(n):
    activations, _ = drawn(n, 4)
    place = lay_out(activations)
    assert place.shape == (n, 2)
    assert np.isfinite(place).all()
    assert len({tuple(one) for one in place.tolist()}) == n


def test_a_document_without_a_topic_has_no_place():
    table = drawn(12, 5)[0].toarray()
    table[[2, 7]] = 0.0
    activations = sparse.csr_array(table)
    place = lay_out(activations)
    assert np.flatnonzero(np.isnan(place).any(axis=1)).tolist() == [2, 7]
    assert np.isnan(lay_out(sparse.csr_array(np.zeros((4, 3))))).all()


def test_progress_grows_to_the_end():
    reported: list[float] = []
    lay_out(drawn(40, 7)[0], progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == pytest.approx(1.0)
