"""Calibration of stability: the true network is recognised, and counts fall in their bands."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.parts.stability import CASES, bands, show, true_parts


def test_the_true_network_is_true_and_has_all_its_links() -> None:
    corpus, truth = CASES["few"].make(0)
    assert truth is not None
    topic, link = true_parts(corpus, truth, truth)
    assert topic.all()
    assert link.all()
    nothing = true_parts(corpus, truth, None)
    assert not any(part.any() for part in nothing)


def test_counts_are_in_one_band_each() -> None:
    counts = np.arange(11)
    found = bands(counts, counts % 2 == 0)
    assert found == [[3, 2], [4, 2], [4, 2]]


def test_page_has_shares_of_what_is_true() -> None:
    row = {"seed": 0, "topics": [[4, 3], [0, 0], [2, 0]], "links": [[10, 9], [1, 0], [3, 0]]}
    page = show({"rows": {"few": [row, row]}})
    assert "| 6 of 8 (75 %) | – | 0 of 4 (0 %) |" in page
    assert "| 18 of 20 (90 %) | 0 of 2 (0 %) | 0 of 6 (0 %) |" in page
