"""Topics of groups: joined, left out, ranked by what is certain, before and after."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.groups import Grouping
from orrery.core.evaluation.group_topics import join_topics, named_table, ranked, topics_of_groups

NAMES = ("2018", "2019", "2020", "2021")


def grouping(of_document: list[int], names: tuple[str, ...] = NAMES) -> Grouping:
    return Grouping("date", "year", names, np.array(of_document, np.int32))


def table_of(rows: int, shares: list[list[float]]) -> tuple[sparse.csr_array, list[int]]:
    """So many documents a group, and each topic on in the first of them, up to its share."""
    blocks, group = [], []
    for number, of_group in enumerate(shares):
        ranks = np.arange(rows)[:, None] / rows
        blocks.append(ranks < np.array(of_group)[None, :])
        group += [number] * rows
    return sparse.csr_array(np.vstack(blocks).astype(np.float32)), group


@given(st.integers(0, 200))
def test_topics_shown_as_one_are_as_probable_as_the_surest(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = random.random((7, 5)) * (random.random((7, 5)) < 0.5)
    joined = join_topics(sparse.csr_array(table), {3: 1, 4: 1}).toarray()
    assert np.array_equal(joined[:, 1], table[:, [1, 3, 4]].max(axis=1))
    assert not joined[:, 3:].any()
    assert np.array_equal(joined[:, [0, 2]], table[:, [0, 2]])


def test_what_is_hidden_part_of_another_or_rare_is_not_compared() -> None:
    table, group = table_of(20, [[0.5, 0.5, 0.5, 0.05], [0.5, 0.5, 0.5, 0.05]])
    found = topics_of_groups(table, np.arange(40), grouping(group), {0}, {2: 1})
    assert found.topics.tolist() == [1]


def test_rows_are_documents_of_the_corpus() -> None:
    table, group = table_of(10, [[1.0], [0.0]])
    everywhere = [-1] * 40
    everywhere[1::2] = group
    found = topics_of_groups(table, np.arange(1, 40, 2), grouping(everywhere))
    assert found.counts.documents[:, 0].tolist() == [10, 10, 0, 0]
    assert found.counts.on[:, 0].tolist() == [10, 0, 0, 0]


def test_the_certain_comes_before_the_extreme() -> None:
    # Topic 0 is five times as frequent in all of many; topic 1 is only here, in two documents.
    table, group = table_of(400, [[0.5, 0.005, 0.3], [0.1, 0.0, 0.3]])
    many = sparse.csr_array(sparse.vstack([table] * 3))
    found = topics_of_groups(many, np.arange(2400), grouping(group * 3))
    best = ranked(found, found.against_others, 0)
    assert best["topic"].tolist()[0] == 0
    assert best["lift"][best["topic"] == 1].item() == math.inf
    assert best["certain"].is_monotonic_decreasing
    last = ranked(found, found.against_others, 1)
    assert last["topic"].tolist()[-1] == 0
    assert last["certain"].iloc[-1] < 0.5


def test_a_period_is_compared_with_all_that_came_before_it() -> None:
    table, group = table_of(200, [[0.0, 0.4], [0.0, 0.4], [0.3, 0.4], [0.3, 0.0]])
    found = topics_of_groups(table, np.arange(800), grouping(group))
    certain = found.against_before.lift.near_end
    assert certain[0].tolist() == [1, 1]
    assert certain[2, 0] > 5
    assert certain[2, 1] == 1
    assert certain[3, 1] < 0.2
    before = found.against_before.there
    assert before.documents[:, 0].tolist() == [0, 200, 400, 600]
    assert before.on[3].tolist() == [60, 240]


def test_two_groups_are_compared_with_each_other_alone() -> None:
    table, group = table_of(200, [[0.3], [0.3], [0.9], [0.0]])
    found = topics_of_groups(table, np.arange(800), grouping(group))
    compared = found.against(0, 1)
    assert compared.lift.ratio.tolist() == [[1.0]]
    assert compared.there.on.tolist() == [[60.0]]
    assert found.against(2, 0).lift.low[0, 0] > 2


def test_the_table_has_every_group_and_topic() -> None:
    table, group = table_of(50, [[0.5, 0.2], [0.1, 0.2], [0.3, 0.2]])
    found = topics_of_groups(table, np.arange(150), grouping(group, NAMES[:3]))
    written = named_table(found, found.against_others, ["T0", "T1"], ["<b>a</b>", "b"])
    assert len(written) == 6
    assert set(written["label"]) == {"<b>a</b>", "b"}
    assert written["size"].tolist() == [50] * 6


def test_a_document_has_a_topic_if_it_is_on_as_on_all_pages() -> None:
    table = sparse.csr_array(np.repeat([[0.4, 0.6, 0.9]], 40, axis=0))
    found = topics_of_groups(table, np.arange(40), grouping(np.arange(40) % 2))
    assert found.topics.tolist() == [1, 2]
    assert found.counts.on[:2].tolist() == [[20.0, 20.0]] * 2


def test_passages_of_a_document_in_a_group_count_once() -> None:
    """Beside loops over the pairs of a document and a group."""
    random = np.random.default_rng(0)
    is_on, rows = random.random((90, 4)) < 0.3, np.arange(0, 180, 2)
    document, group = random.integers(0, 30, 180), random.integers(-1, 4, 180)
    passages = grouping(group)._replace(whole=document)
    found = topics_of_groups(sparse.csr_array(is_on * 0.9), rows, passages)
    pairs = {pair for pair in zip(document[rows], group[rows], strict=True) if pair[1] >= 0}
    for number in range(4):
        of_group = [pair for pair in pairs if pair[1] == number]
        assert found.counts.documents[number, 0] == len(of_group)
        for column, topic in enumerate(found.topics):
            on = [is_on[(document[rows] == d) & (group[rows] == g), topic] for d, g in of_group]
            assert found.counts.on[number, column] == sum(map(np.any, on))


def test_passages_of_books_without_differences_are_no_false_alarm() -> None:
    """60 books of 20 passages; topics are frequent or rare in a book, whatever its group."""
    alarms, runs = 0, 60
    for seed in range(runs):
        random = np.random.default_rng(seed)
        rate, group = random.beta(0.3, 2.0, (60, 12)), random.integers(0, 3, 60)
        book = np.repeat(np.arange(60), 20)
        is_on = random.random((1200, 12)) < rate[book]
        passages = grouping(group[book], NAMES[:3])._replace(whole=book)
        found = topics_of_groups(sparse.csr_array(is_on * 1.0), np.arange(1200), passages)
        alarms += bool((found.against_others.lift.near_end != 1.0).any())
    assert alarms <= 0.05 * runs
