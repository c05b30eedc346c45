"""Topics of a document from the topics of its passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.passages import document_probability

PROBABILITIES = st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=8)


@given(PROBABILITIES)
def test_a_topic_is_on_if_it_is_on_in_any_passage(passages: list[list[float]]) -> None:
    table = np.array(passages)
    found = document_probability(table)
    assert (found >= table.max(axis=0) - 1e-12).all()
    assert (found <= np.minimum(table.sum(axis=0), 1.0) + 1e-12).all()
    expected = table[0]
    for row in table[1:]:
        expected = expected + row - expected * row
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(document_probability(table[::-1]), found, atol=1e-12)
