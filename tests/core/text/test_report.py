"""The bars of the chart of tokens per document."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.report import HISTOGRAM_BARS, histogram


@given(st.lists(st.integers(0, 500), min_size=1))
def test_bars_hold_every_document_once_and_are_as_narrow_as_can_be(lengths: list[int]) -> None:
    bars = histogram(np.array(lengths))
    for low, high, count in bars:
        assert count == sum(low <= length <= high for length in lengths)
    assert sum(count for _, _, count in bars) == len(lengths)
    assert len(bars) <= HISTOGRAM_BARS
    width = bars[0][1] - bars[0][0] + 1
    assert width == 1 or (max(lengths) - min(lengths) + 1) > HISTOGRAM_BARS * (width - 1)


def test_no_documents_have_no_bars() -> None:
    assert histogram(np.array([], np.int64)) == ()
