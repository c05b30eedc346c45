"""The rules that make the vocabulary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.recipe import Recipe
from orrery.core.data.vocabulary import RULES, document_limits, select_terms

WORDS = ("delta", "alpha", "the", "beta", "rare", "everywhere", "gamma")
FREQUENCY = np.array([5, 5, 9, 7, 1, 10, 3])


def test_each_word_goes_by_the_first_rule_that_meets_it() -> None:
    recipe = Recipe(stop_words=("the",), min_df=2, max_df=0.9, max_vocabulary=3)
    selection = select_terms(WORDS, FREQUENCY, 10, recipe, FREQUENCY)
    assert [WORDS[word] for word in selection.kept] == ["beta", "alpha", "delta"]
    examples = {rule: dropped.examples for rule, dropped in selection.dropped.items()}
    assert examples == {
        "stop word": (("the", 9),),
        "too rare": (("rare", 1),),
        "too common": (("everywhere", 10),),
        "beyond the vocabulary limit": (("gamma", 3),),
    }


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=40),
    st.integers(1, 10),
    st.integers(10, 20),
    st.integers(1, 40),
)
def test_every_word_is_kept_or_dropped_by_one_rule(
    frequencies: list[int], fewest: int, most: int, limit: int
) -> None:
    words = tuple(f"w{number:02}" for number in range(len(frequencies)))[::-1]
    recipe = Recipe(stop_words=("w00",), min_df=fewest, max_df=most, max_vocabulary=limit)
    counts = np.array(frequencies)
    selection = select_terms(words, counts, 20, recipe, counts)
    assert set(selection.dropped) == set(RULES)
    n_dropped = sum(dropped.count for dropped in selection.dropped.values())
    assert len(selection.kept) + n_dropped == np.count_nonzero(frequencies)
    kept = [(-frequencies[word], words[word]) for word in selection.kept]
    assert kept == sorted(kept)
    assert len(kept) <= limit
    assert all(fewest <= -count <= most for count, _ in kept)


@pytest.mark.parametrize(
    ("min_df", "max_df", "limits"),
    [(3, 8, (3, 8)), (0.07, 0.29, (7, 29)), (0.0, 1.0, (1, 100)), (0.071, 0.299, (8, 29))],
)
def test_shares_become_numbers_of_documents(
    min_df: float, max_df: float, limits: tuple[int, int]
) -> None:
    assert document_limits(Recipe(min_df=min_df, max_df=max_df), 100) == limits
