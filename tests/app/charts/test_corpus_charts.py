"""Charts of what an import keeps."""

from __future__ import annotations

from typing import Any

import pytest

from orrery.app.views.corpus import report


def beyond(count: int) -> float:
    """Part of the width that stays free beside the longest bar."""
    drawn: dict[str, Any] = report.frequent_words([("library", count), ("x", 1)]).to_dict()
    end: float = drawn["layer"][0]["encoding"]["x"]["scale"]["domain"][1]
    return 1.0 - count / end


@pytest.mark.parametrize(("count", "letters"), [(9, 1), (999, 3), (10_856, 6), (1_000_000, 9)])
def test_the_figure_of_the_longest_bar_has_room(count: int, letters: int) -> None:
    # Some 6 pixels a letter and a gap, of bars that are 180 wide where two charts share a page.
    assert beyond(count) * 180 >= min(6 * letters + 3, 60)
