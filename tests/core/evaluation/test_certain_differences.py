"""Differences between groups that are called certain: their error rate and their power."""

import numpy as np
import pytest

from orrery.core.data.groups import Grouping
from orrery.core.evaluation.group_topics import Comparison, Counts, GroupTopics

N_DRAWS, N_TOPICS = 1_000, 72
SIZES = np.array([239, 98, 420, 90])


def drawn(random: np.random.Generator, share: np.ndarray) -> GroupTopics:
    """Groups with counts drawn from the share of each topic in each group."""
    on = random.binomial(SIZES[:, None], share).astype(float)
    counts = Counts(on, SIZES[:, None].astype(float))
    names = tuple(str(2012 + n) for n in range(len(SIZES)))
    grouping = Grouping("date", "year", names, np.zeros(0, np.int32), (2012, 2013, 2014, 2015))
    n_rows = int(SIZES.sum())
    return GroupTopics(grouping, np.arange(share.shape[1]), counts, n_rows, n_rows)


def views(found: GroupTopics) -> dict[str, Comparison]:
    return {
        "one": found.of_group(3), "new": found.of_period(3), "two": found.against(1, 0),
        "map": found.against_others,
    }  # fmt: skip


def test_without_differences_a_view_calls_one_certain_in_at_most_five_per_cent_of_draws() -> None:
    random = np.random.default_rng(0)
    wrong = dict.fromkeys(("one", "new", "two", "map"), 0)
    for _ in range(N_DRAWS):
        share = np.broadcast_to(random.beta(0.8, 8.0, N_TOPICS).clip(0.005), (4, N_TOPICS))
        for view, compared in views(drawn(random, share)).items():
            wrong[view] += bool((compared.lift.near_end != 1.0).any())
    # Two standard errors of a share of 5 per cent in so many draws.
    limit = 0.05 + 2 * (0.05 * 0.95 / N_DRAWS) ** 0.5
    assert max(wrong.values()) <= limit * N_DRAWS, wrong


def test_a_certain_difference_has_the_right_direction_and_size() -> None:
    random = np.random.default_rng(1)
    wrong = certain = 0
    for _ in range(N_DRAWS):
        share = np.repeat(random.beta(0.8, 8.0, (1, N_TOPICS)).clip(0.005, 0.3), 4, axis=0)
        share[3, :8] *= 3.0
        share[3, 8:16] /= 3.0
        found = drawn(random, share)
        near_end = found.of_group(3).lift.near_end[0]
        elsewhere = (share[:3] * SIZES[:3, None]).sum(axis=0) / SIZES[:3].sum()
        ratio = share[3] / elsewhere
        is_wrong = ((near_end > 1) & (ratio < near_end)) | ((near_end < 1) & (ratio > near_end))
        wrong += bool(is_wrong.any())
        certain += int((near_end != 1).sum())
    assert wrong <= (0.05 + 2 * (0.05 * 0.95 / N_DRAWS) ** 0.5) * N_DRAWS
    assert certain > 4 * N_DRAWS


@pytest.mark.parametrize(("here", "there"), [((18, 90), (55, 828)), ((28, 98), (22, 239))])
def test_a_topic_that_tripled_in_a_year_of_ninety_articles_is_certain_among_72_topics(
    here: tuple[int, int], there: tuple[int, int]
) -> None:
    on = np.full((2, N_TOPICS), 5.0)
    on[:, 0] = there[0], here[0]
    documents = np.array([[there[1]], [here[1]]], float)
    names = ("before", "now")
    grouping = Grouping("date", "year", names, np.zeros(0, np.int32), (2012, 2013))
    n_rows = int(documents.sum())
    found = GroupTopics(grouping, np.arange(N_TOPICS), Counts(on, documents), n_rows, n_rows)
    assert found.of_period(1).lift.low[0, 0] > 1.0
