"""The validation set of structure learning in a corpus of passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.training.structure_learning import MIN_TO_SPLIT, MIN_WHOLE, split_validation


@given(st.lists(st.integers(2, 12), min_size=MIN_WHOLE, max_size=40), st.integers(0, 99))
def test_passages_of_a_document_are_on_one_side(sizes: list[int], seed: int) -> None:
    documents = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    rows = np.arange(len(documents))
    train, validation = split_validation(rows, seed, documents)
    assert not {*documents[train]} & {*documents[validation]}
    assert sorted([*train, *validation]) == rows.tolist()
    assert len(train) > len(validation) > 0


@given(
    st.integers(3 * MIN_TO_SPLIT, 400), st.integers(0, 60), st.sampled_from([1, 3]), st.integers(0)
)
def test_other_documents_move_hardly_any_into_or_out_of_the_validation_set(
    count: int, n_added: int, n_passages: int, seed: int
) -> None:
    """Of the common documents, one of the two validation sets has all that the other has."""
    documents = np.arange(count + n_added) // n_passages if n_passages > 1 else None
    few, many = np.arange(count), np.arange(count + n_added)
    gaps = few[np.random.default_rng(seed).random(count) < 0.9]
    before = split_validation(few, seed, documents).validation
    for other in (many, gaps):
        after = split_validation(other, seed, documents).validation
        one, two = set(before) & set(other), set(after) & set(few)
        assert one <= two or two <= one


def test_another_seed_gives_another_validation_set() -> None:
    sets = {tuple(split_validation(np.arange(300), seed).validation) for seed in range(5)}
    assert len(sets) == 5


def test_without_passages_the_split_is_unchanged() -> None:
    rows = np.arange(100)
    assert (
        split_validation(rows, 1).train.tolist() == split_validation(rows, 1, None).train.tolist()
    )
    few = split_validation(rows, 1, rows // 50)
    assert few.train.tolist() == split_validation(rows, 1).train.tolist()
