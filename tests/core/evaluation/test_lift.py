"""Ratios of shares: equal to loops, with confidence intervals of the stated coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import beta, binom

from orrery.core.evaluation.group_topics import Counts, Lift, count_topics, lift

SIZES = st.integers(0, 60)


def counts(on: list[float], documents: list[float]) -> Counts:
    return Counts(np.array(on, float)[:, None], np.array(documents, float)[:, None])


def by_the_book(on: float, n: float, other_on: float, other_n: float, tail: float) -> list[float]:
    """Clopper and Pearson's limits, and eq. 9 of Donner and Zou as it is printed."""
    p, q = on / n, other_on / other_n
    low, other_low = (beta.ppf(tail, x, m - x + 1) if x else 0 for x, m in
                      ((on, n), (other_on, other_n)))  # fmt: skip
    high, other_high = (beta.ppf(1 - tail, x + 1, m - x) if x < m else 1 for x, m in
                        ((on, n), (other_on, other_n)))  # fmt: skip
    root = math.sqrt((p * q) ** 2 - low * other_high * (2 * p - low) * (2 * q - other_high))
    least = (p * q - root) / (other_high * (2 * q - other_high)) if on else 0.0
    root = math.sqrt((p * q) ** 2 - high * other_low * (2 * p - high) * (2 * q - other_low))
    most = (p * q + root) / (other_low * (2 * q - other_low)) if other_on else math.inf
    return [least, most]


@given(st.data())
def test_counts_are_those_of_loops(data: st.DataObject) -> None:
    n_rows, n_topics, n_groups = (data.draw(st.integers(1, 6)) for _ in range(3))
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    table = random.choice([0.0, 0.25, 0.9], (n_rows, n_topics))
    group = random.integers(-1, n_groups, n_rows)
    found = count_topics(sparse.csr_array(table.astype(np.float32)), group, n_groups)
    for number in range(n_groups):
        inside = [row for row in range(n_rows) if group[row] == number]
        assert found.documents[number, 0] == len(inside)
        for topic in range(n_topics):
            assert found.on[number, topic] == pytest.approx(sum(table[r, topic] for r in inside))
    others = found.of_others()
    assert others.documents[0, 0] == sum(group > 0)


@given(st.integers(1, 40), st.integers(1, 400), st.floats(0, 1), st.floats(0, 1))
def test_intervals_are_those_of_the_book(n: int, other_n: int, p: float, q: float) -> None:
    on, other_on = round(p * n, 2), round(q * other_n, 2)
    found = lift(counts([on], [n]), counts([other_on], [other_n]), comparisons=7)
    least, most = by_the_book(on, n, other_on, other_n, 0.05 / 14)
    assert found.low[0, 0] == pytest.approx(least, rel=1e-5, abs=1e-12)
    assert found.high[0, 0] == pytest.approx(most, rel=1e-5)


@given(SIZES, SIZES, st.floats(0, 1), st.floats(0, 1), st.integers(1, 10_000))
def test_an_interval_is_around_its_ratio_and_turns_with_it(
    n: int, other_n: int, p: float, q: float, comparisons: int
) -> None:
    one, other = counts([round(p * n, 2)], [n]), counts([round(q * other_n, 2)], [other_n])
    found, turned = (lift(*pair, comparisons) for pair in ((one, other), (other, one)))
    ratio, low, high = (part[0, 0] for part in found)
    assert 0 <= low <= high
    if not math.isnan(ratio):
        assert low <= ratio * (1 + 1e-9)
        assert ratio <= high * (1 + 1e-9)
    with np.errstate(divide="ignore"):
        assert high == pytest.approx(1 / turned.low[0, 0])
    wider = lift(one, other, comparisons * 10)
    assert wider.low[0, 0] <= low
    assert wider.high[0, 0] >= high


def test_groups_without_documents_and_topics_without_groups_have_no_information() -> None:
    found = lift(counts([0, 0, 3], [0, 5, 5]), counts([2, 0, 0], [9, 9, 9]))
    assert found.low[:2, 0].tolist() == [0, 0]
    assert found.high[:2, 0].tolist()[1] == math.inf
    assert np.isnan(found.ratio[:2, 0]).all()
    assert found.near_end[:, 0].tolist() == [1, 1, found.low[2, 0]]
    assert found.ratio[2, 0] == math.inf
    assert found.low[2, 0] > 1


def test_the_near_end_is_what_is_certain() -> None:
    found = Lift(np.array([4.0, 4.0, 0.2]), np.array([2.0, 0.5, 0.1]), np.array([9.0, 9.0, 0.4]))
    assert found.near_end.tolist() == [2.0, 1.0, 0.4]


def misses(n: int, other_n: int, share: float, other: float, comparisons: int) -> list[float]:
    """Exact probabilities that the ends lie beyond the truth, over all that could be counted."""
    on, other_on = (np.arange(m + 1.0) for m in (n, other_n))
    weight = np.outer(binom.pmf(on, n, share), binom.pmf(other_on, other_n, other))
    found = lift(
        Counts(on[:, None], np.full((n + 1, 1), float(n))),
        Counts(other_on[None, :], np.full((1, 1), float(other_n))),
        comparisons,
    )
    truth = share / other
    return [weight[found.low > truth * (1 + 1e-9)].sum(),
            weight[found.high < truth * (1 - 1e-9)].sum()]  # fmt: skip


@pytest.mark.parametrize("comparisons", [1, 50, 5000])
@pytest.mark.parametrize("ratio", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("share", [0.002, 0.02, 0.2])
def test_each_end_misses_no_more_often_than_it_states(
    share: float, ratio: float, comparisons: int
) -> None:
    tail = 0.025 / comparisons
    for n, other_n in ((30, 600), (200, 300)):
        below, above = misses(n, other_n, share * ratio, share, comparisons)
        # Eq. 9 is approximate: a tenth more is still within its level, and no ranking uses the end
        # further from 1.
        assert below <= (1.1 if ratio >= 1 else 3) * tail
        assert above <= (1.1 if ratio <= 1 else 3) * tail


def test_ends_are_not_wider_than_they_need_be_where_there_is_much_to_count() -> None:
    for share in (0.1, 0.5):
        assert min(misses(800, 900, share, share, 1)) > 0.7 * 0.025


def test_all_intervals_hold_together_where_topics_are_seen_dimly() -> None:
    random = np.random.default_rng(0)
    n_groups, n_topics, runs = 4, 30, 120
    share = random.beta(0.6, 6.0, (n_groups, n_topics)).clip(0.004)
    group = np.repeat(np.arange(n_groups), (20, 60, 150, 400))
    whole = np.bincount(group)[:, None]
    there = ((share * whole).sum(axis=0) - share * whole) / (whole.sum() - whole)
    fine = 0
    for _ in range(runs):
        is_on = random.random((len(group), n_topics)) < share[group]
        # Noisy activations of a model that knows the shares.
        seen = is_on + 0.3 * random.standard_normal(is_on.shape)
        odds = share / (1 - share)
        reported = odds[group] * np.exp((seen - 0.5) / 0.09)
        found = count_topics(sparse.csr_array(reported / (1 + reported)), group, n_groups)
        ends = lift(found, found.of_others(), found.on.size)
        truth = share / there
        fine += bool(((ends.low <= truth) & (truth <= ends.high)).all())
    assert fine >= 0.95 * runs
