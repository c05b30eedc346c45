"""Lists of differences: large changes are never left out, and a list is never blank."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared import strings as shared_strings
from orrery.app.shared.groups import (
    LARGE_DOCUMENTS,
    LARGE_RATIO,
    MAX_CELLS,
    MAX_LISTED,
    MAX_PERIODS_OF_MAP,
    MAX_TOPICS,
    MIN_LISTED,
    characteristic_topics,
    compared_groups,
    described,
    exported_table,
    groups_of_map,
    known_ratio,
    largest_differences,
    most_different_topics,
    on_the_map,
    topics_of_map,
)
from orrery.core.data.groups import Grouping
from orrery.core.evaluation.group_topics import Counts, GroupTopics
from tests.app.toy import toy_run


def groups(on: np.ndarray, sizes: list[int]) -> GroupTopics:
    names = tuple(str(2012 + n) for n in range(len(sizes)))
    grouping = Grouping("date", "year", names, np.zeros(0, np.int32), (2012,) * len(sizes))
    counts = Counts(on.astype(float), np.array(sizes, float)[:, None])
    return GroupTopics(grouping, np.arange(on.shape[1]), counts, sum(sizes), sum(sizes))


def by_default(name: str, default: int) -> int:
    return default


def listed(found: GroupTopics, *, is_more: bool) -> list[int]:
    rows = largest_differences(found, found.of_period(1), 0, is_more=is_more)
    return [int(row["topic"]) for row in rows]


@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(5, 400), st.integers(5, 400))
def test_what_tripled_in_twenty_documents_is_listed_and_no_list_is_blank(
    seed: int, n_topics: int, before: int, now: int
) -> None:
    random = np.random.default_rng(seed)
    share = random.beta(0.5, 4.0, (2, n_topics))
    on = random.binomial(np.array([[before], [now]]), share)
    found = groups(on, [before, now])
    for is_more in (True, False):
        chosen = listed(found, is_more=is_more)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (on[1] / now) / (on[0] / before)
            change = ratio if is_more else 1 / ratio
        large = np.flatnonzero((change >= LARGE_RATIO) & (on.sum(axis=0) >= LARGE_DOCUMENTS))
        assert set(large) <= set(chosen)
        assert all(change[topic] > 1 for topic in chosen)
        assert len(chosen) >= min(MIN_LISTED, int((change > 1).sum()))
        assert len(chosen) == len(set(chosen)) <= max(MAX_LISTED, MIN_LISTED) + len(large)


def test_topics_that_tripled_in_generated_corpora_are_shown_in_each_of_1000_draws() -> None:
    random = np.random.default_rng(0)
    for _ in range(1_000):
        share = random.beta(0.8, 8.0, (1, 72)).clip(0.01, 0.3).repeat(2, axis=0)
        share[0, :6] = 0.075
        share[1, :6] = 3 * share[0, :6]
        found = groups(random.binomial(np.array([[828], [90]]), share), [828, 90])
        # The changes are known: the first six topics, as far as they have 20 documents.
        known = np.flatnonzero(found.counts.on[1, :6] >= LARGE_DOCUMENTS)
        assert set(known) <= set(listed(found, is_more=True))


def test_certain_ones_come_first_and_others_are_marked() -> None:
    on = np.array([[10, 40, 30, 50], [60, 14, 4, 5]])
    found = groups(on, [800, 100])
    rows = largest_differences(found, found.of_period(1), 0, is_more=True)
    marks = [shared_strings.certainty(row["certain"], row["likely"]) for row in rows]
    assert marks == ["certain", "certain", "may be chance"] or marks[0] == "certain"
    assert sorted(marks, key=["certain", "likely, not certain", "may be chance"].index) == marks


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ((0.2, 0.066, 3.03, 1.4), "about 3 times as often (at least 1.4)"),
        ((0.2, 0.066, 3.03, 1.0), "about 3 times as often"),
        ((0.2, 0.066, 3.03, 1.04), "about 3 times as often"),
        ((0.001, 0.05, 0.02, 0.0266), "about 50 times rarer (at least 38)"),
        ((0.01, 0.05, 0.2, 0.98), "about 5 times rarer"),
        ((0.01, 0.05, 0.2, 0.0), "about 5 times rarer"),
        ((0.2, 0.0, math.inf, 2.5), "0\N{NO-BREAK SPACE}% before (at least 2.5 times as often)"),
        ((0.0, 0.2, 0.0, 0.5), "20\N{NO-BREAK SPACE}% before (at least 2 times rarer)"),
    ],
)
def test_a_change_is_a_plain_sentence(figures: tuple[float, ...], sentence: str) -> None:
    assert shared_strings.change(*figures, "before").endswith(sentence)


def test_a_bound_that_rounds_to_1_is_no_number_of_times() -> None:
    written = [shared_strings.certain(value) for value in (1.04, 0.98, 1.0, 1.06, 0.5)]
    assert written == [
        "a little more often", "a little rarer", "no clear difference",
        "at least 1.1 times as often", "at least 2 times rarer",
    ]  # fmt: skip


def test_every_group_has_its_most_characteristic_topics_on_the_map() -> None:
    # The first group has many small topics that are nowhere else; the others have large ones that
    # are twice to six times as frequent there, which differ less by their ratio.
    n_small, sizes = 2 * MAX_TOPICS, [400, 400, 400]
    small = np.zeros((3, n_small))
    small[0] = 40
    large = np.array([[60, 60, 240], [60, 240, 60], [240, 60, 60]])[:, [0, 1, 1, 0, 2]]
    found = groups(np.hstack([small, large]), sizes)
    places = characteristic_topics(found, [0, 1, 2], MAX_TOPICS)
    assert len(places) == len(set(places)) == MAX_TOPICS
    assert set(range(n_small, n_small + 5)) <= set(places)
    assert places[0] == n_small + 4
    # By the ratio alone, none of them would be shown.
    assert not {*range(n_small, n_small + 5)} & {*most_different_topics(found, [0, 1, 2], 30)}
    # The rest can be seen.
    assert len(topics_of_map(found, {"rows": ["1"]}, [0, 1, 2])) == 2 * MAX_TOPICS
    assert len(topics_of_map(found, {"rows": ["99"]}, [0, 1, 2])) == len(found.topics)


def test_the_map_ends_at_its_number_of_periods_and_of_cells() -> None:
    sizes = [0, *[9] * (MAX_PERIODS_OF_MAP + 1), 0]
    found = groups(np.repeat(np.array(sizes)[:, None], 2 * MAX_TOPICS, axis=1), sizes)
    shown = groups_of_map(found, ())
    assert shown == list(range(2, MAX_PERIODS_OF_MAP + 2))
    places = topics_of_map(found, {}, shown)
    assert on_the_map(found, places, shown) == shared_strings.mapped(30, 60, 0, 1)
    assert shared_strings.mapped(60, 60, 0, 1) == "Not shown: 1 earlier period."
    large = groups(np.full((2, MAX_CELLS), 3), [9, 9])
    assert 2 * len(topics_of_map(large, {"rows": ["99"]}, [0, 1])) == MAX_CELLS


def test_a_group_without_a_certain_topic_has_its_likeliest_on_the_map() -> None:
    on = np.array([[100, 30, 5], [1, 1, 4]])
    places = characteristic_topics(groups(on, [200, 9]), [0, 1], 2)
    assert places == [0, 2]


@pytest.mark.parametrize(
    ("ratio", "on", "elsewhere", "written"),
    [
        (705.0, 120.0, 0.2, math.inf),
        (0.001, 0.3, 120.0, 0.0),
        (705.0, 120.0, 0.5, 705.0),
        (3.0, 0.4, 0.1, math.inf),
        (2.0, 0.4, 9.0, 2.0),
    ],
)
def test_no_ratio_is_written_beside_none_of_the_documents(
    ratio: float, on: float, elsewhere: float, written: float
) -> None:
    assert known_ratio(ratio, on, elsewhere) == written
    assert "705" not in shared_strings.change(0.3, 0.0, math.inf, 9.0, "elsewhere")


def test_the_share_of_no_document_is_0() -> None:
    on = np.array([[200.0, 300.0], [0.1, 30.0]])
    compared = compared_groups(groups(on, [1000, 50]), "new", lambda name, default: default)
    assert compared is not None
    topic = {
        "documents": 0.1, "documents_elsewhere": 200.0, "share": 0.002, "share_elsewhere": 0.2,
        "lift": 0.01, "certain": 0.5, "likely": 0.4,
    }  # fmt: skip
    change, counts = described(compared, topic)
    assert change.startswith("0\N{NO-BREAK SPACE}% here")
    assert "0 of 50 documents here" in counts


def test_equal_counts_are_written_with_equal_shares() -> None:
    on = np.array([[200.0, 300.0], [1.0, 30.0]])
    compared = compared_groups(groups(on, [1000, 1005]), "new", lambda name, default: default)
    assert compared is not None
    topic = {"documents_elsewhere": 33.0, "share_elsewhere": 0.033, "lift": 0.03,
             "certain": 1.0, "likely": 0.5}  # fmt: skip
    written = [
        described(compared, topic | {"documents": count, "share": count / 1005})
        for count in (0.8, 1.2)
    ]
    assert written[0] == written[1]
    assert "1 of 1,005 documents here" in written[0][1]


def test_ratios_are_written_alike_in_all_cells() -> None:
    values = (0.0, 1 / 11, 0.1, 0.45, 1.0, 2.34, 12.4)
    cells = [shared_strings.ratio_cell(value) for value in values]
    assert cells == ["0", "1/11", "1/10", "1/2.2", "1×", "2.3×", "12×"]


@pytest.mark.parametrize(
    ("view", "step", "names"),
    [
        ("new", "year", ("2014", "before")),
        ("two", "year", ("2014", "in 2013")),
        ("one", "year", ("2014", "elsewhere")),
        ("two", "value", ("2012", "in 2013")),
        ("one", "value", ("2012", "elsewhere")),
        ("two", "decade", ("2014", "in the 2013")),
    ],
)
def test_the_latest_period_is_compared_with_what_came_before(view, step, names) -> None:
    found = groups(np.array([[3, 9], [9, 3], [20, 1]]), [30, 30, 30])
    found = replace(found, grouping=found.grouping._replace(step=step))
    compared = compared_groups(found, view, by_default)
    assert compared is not None
    assert (found.grouping.names[compared.group], compared.there) == names


@given(st.integers(0, 10_000), st.sampled_from(["one", "two", "new", "map"]))
def test_the_exported_table_has_the_figures_of_the_page(seed: int, view: str) -> None:
    run = toy_run()
    n_topics = run.network.graph.n_topics
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 60, 3).tolist()
    on = random.binomial(np.array(sizes)[:, None], random.random((3, n_topics)))
    found = groups(on, sizes)
    compared = None if view == "map" else compared_groups(found, view, by_default)
    table = exported_table(run, found, "topic", compared)
    named = shared_strings.GROUP_TABLE
    assert list(table.columns) == ["topic (group)", *named.values()]
    assert len(table) == n_topics * (3 if view == "map" else 1)
    # No word for what has no number, which a spreadsheet would read as a text.
    assert not table.isin([math.inf, -math.inf]).any().any()
    for row in table.to_dict("records"):
        group = found.grouping.names.index(row["topic (group)"])
        topic = run.network.graph.topic_number[row[named["id"]]]
        assert row[named["documents"]] == on[group, topic]
        assert row[named["size"]] == sizes[group]
        assert row[named["share"]] == round(100 * on[group, topic] / sizes[group], 2)
        others = {"two": [1], "new": [0, 1]}.get(view, [n for n in range(3) if n != group])
        assert row[named["documents_there"]] == sum(on[n, topic] for n in others)
        assert row[named["size_there"]] == sum(sizes[n] for n in others)
    if compared is not None:
        rows = {
            int(row["topic"]): row
            for is_more in (True, False)
            for row in largest_differences(found, compared.comparison, 0, is_more=is_more)
        }
        for topic, row in rows.items():
            written = table[table[named["id"]] == run.network.graph.topic_ids[topic]].iloc[0]
            assert written[named["certainty"]] == shared_strings.certainty(
                row["certain"], row["likely"]
            )
            if math.isfinite(row["low"]):
                assert written[named["low"]] == pytest.approx(row["low"], abs=1e-3)
