"""The validation set of structure learning in a corpus of passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.training.structure_learning import MIN_WHOLE, split_validation


@given(st.lists(st.integers(2, 12), min_size=MIN_WHOLE, max_size=40), st.integers(0, 99))
def test_passages_of_a_document_are_on_one_side(sizes: list[int], seed: int) -> None:
    documents = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    rows = np.arange(len(documents))
    train, validation = split_validation(rows, seed, documents)
    assert not {*documents[train]} & {*documents[validation]}
    assert sorted([*train, *validation]) == rows.tolist()
    assert len(train) > len(validation) > 0


def test_without_passages_the_split_is_unchanged() -> None:
    rows = np.arange(100)
    assert (
        split_validation(rows, 1).train.tolist() == split_validation(rows, 1, None).train.tolist()
    )
    few = split_validation(rows, 1, rows // 50)
    assert few.train.tolist() == split_validation(rows, 1).train.tolist()
