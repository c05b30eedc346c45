"""Calibration of stability: the true network is recognised, and counts fall in their bands."""

from __future__ import annotations

import numpy as np

from orrery.core.model.graph import build_graph
from tests.benchmarks.parts.stability import CASES, bands, show, true_parts, with_paths


def test_the_true_network_is_true_and_has_all_its_links() -> None:
    corpus, truth = CASES["few"].make(0)
    assert truth is not None
    topic, link, path = true_parts(corpus, truth, truth)
    assert (link == path).all()
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


def test_paths_are_links_to_everything_below() -> None:
    graph, _ = build_graph(2, ["a", "b", "c"], [0, 1, 2], [1, 2, 3])
    found = with_paths(graph)
    assert found.topic_ids == graph.topic_ids
    pairs = set(zip(found.parent_idx.tolist(), found.edge_children().tolist(), strict=True))
    assert pairs == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
