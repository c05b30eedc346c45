"""The benchmark of topic groups: counts in documents, compared with counting one by one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tests.benchmarks.parts.topic_groups import _relative_co_occurrence, show

ROW = {"seed": 0, "documents": 90, "words": 7, "topics": 40, "families": 33, "shelves": 0}
ARRANGED = {"shelves": 6, "standing": 0.9, "together": 2.0, "others": 0.5, "better": 5}


def test_co_occurrence_of_two_topics_is_relative_to_independence() -> None:
    presence = np.random.default_rng(0).random((50, 8)) < 0.4
    words = [np.array([0, 1, 2]), np.array([2, 3]), np.array([4, 5, 6])]
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    met = leak = 0.0
    for first, second in pairs:
        for one in words[first]:
            for other in words[second]:
                # The word that both have is left out.
                if one not in words[second] and other not in words[first]:
                    met += (presence[:, one] & presence[:, other]).mean()
                    leak += presence[:, one].mean() * presence[:, other].mean()
    found = _relative_co_occurrence(sparse.csc_array(presence.astype(float)), words, pairs)
    assert found == pytest.approx(met / leak)


def test_where_there_are_none_the_line_reports_it() -> None:
    read = {"read": [["red · star", 4, ["red", "star"]]]}
    rows = {"bbc": [ROW], "brown": [{**ROW, **ARRANGED, **read}, ROW]}
    page = show({"rows": rows})
    assert "| 40.0 | 33.0 | 0.0 | – | – | – | – |" in page
    # Half of the seeds have groups, and the figures are about these.
    assert "| 3.0 | 90 % | 2.00 | 0.50 | 5 of 6 |" in page
    assert "- **red · star** (4): red; star" in page
