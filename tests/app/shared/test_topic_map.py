"""The map of topics: every topic is in it or counted, and each after the one that holds it."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.model_summary import largest_topics
from orrery.app.shared.topic_map import ASIDE, Tree, in_topic_groups, map_topics, topic_tree
from orrery.core.drawing.style import ASIDE_SHARE
from orrery.core.model.topic_groups import NO_GROUP
from orrery.core.naming.table import table_order
from tests.app.toy import large_run


def flat(sizes):
    order = tuple(sorted(range(len(sizes)), key=lambda topic: -sizes[topic]))
    return Tree(order, (), {topic: () for topic in order}, tuple(sizes))


def random_tree(n_topics, seed=0):
    run = large_run(n_topics, 2 * n_topics + 20, seed, links=3)
    return topic_tree(run, 0.02, [float((7 * topic) % 13) for topic in range(n_topics)])


@pytest.mark.parametrize("n_topics", [3, 20, 150, 600])
@pytest.mark.parametrize("most", [1, 10, 100, 1500])
def test_every_topic_is_shown_or_counted(n_topics, most):
    tree = random_tree(n_topics)
    cells = map_topics(tree, most=most)
    topics = [cell.topic for cell in cells if not cell.is_rest]
    # Some of a large model have no words.
    n_shown = len(tree.members(tree.roots))
    assert len(topics) == len(set(topics)) == min(n_shown, most)
    assert len(topics) + sum(cell.folded for cell in cells) == n_shown


@pytest.mark.parametrize("n_topics", [20, 150, 600])
def test_each_box_holds_what_is_below_it_and_nothing_more(n_topics):
    tree = random_tree(n_topics)
    cells = map_topics(tree, most=n_topics // 2)
    for number, cell in enumerate(cells):
        assert cell.above < number
        if cell.above >= 0:
            above = cells[cell.above]
            assert (
                cell.topic == above.topic if cell.is_rest else cell.topic in tree.below[above.topic]
            )
        inside = [other for other in cells if other.above == number]
        assert all(cell.size >= other.size for other in inside if not other.is_rest)


@given(st.lists(st.integers(1, 500), min_size=1, max_size=60), st.integers(1, 70))
def test_the_largest_are_shown(sizes, most):
    cells = map_topics(flat([float(size) for size in sizes]), most=most)
    shown = [sizes[cell.topic] for cell in cells if not cell.is_rest]
    assert shown == sorted(sizes, reverse=True)[:most]
    rest = [cell.size for cell in cells if cell.is_rest]
    assert math.fsum([*rest, *shown]) == pytest.approx(sum(sizes))


def test_what_was_left_out_comes_next():
    tree = flat([float(size) for size in range(1000, 0, -1)])
    first = [cell.topic for cell in map_topics(tree, most=300) if not cell.is_rest]
    second = [cell.topic for cell in map_topics(tree, -1, 300, most=300) if not cell.is_rest]
    assert (first, second) == (list(range(300)), list(range(300, 600)))


def test_the_subtree_of_one_topic_can_be_shown_alone():
    tree = random_tree(200)
    root = next(topic for topic in tree.roots if len(tree.below[topic]) > 3)
    cells = map_topics(tree, root)
    assert (cells[0].topic, cells[0].above) == (root, -1)
    assert {cell.topic for cell in cells} == set(tree.members([root]))


@given(st.lists(st.integers(-1, 4), min_size=40, max_size=40), st.integers(1, 60))
def test_topic_groups_hold_the_topics_that_have_no_parent(topic_group_of, most):
    tree = random_tree(40)
    cells = map_topics(tree, most=most)
    found = in_topic_groups(cells, topic_group_of)
    topic_groups = [cell for cell in found if cell.group is not None]
    # All else is there as before, in its order.
    others = found[len(topic_groups) :]
    assert [(c.topic, c.size, c.folded) for c in others] == [
        (c.topic, c.size, c.folded) for c in cells
    ]
    tops = [cell.topic for cell in cells if cell.above < 0 and cell.is_topic]
    place_in = Counter(topic_group_of[topic] for topic in tops)
    kept = {group for group, count in place_in.items() if group >= 0 and count > 1}
    assert {cell.group for cell in topic_groups} - {NO_GROUP} == kept
    if not kept:
        assert found == cells
        return
    for before, cell in zip(cells, others, strict=True):
        if before.above >= 0:
            assert found[cell.above] == others[before.above]
        elif cell.is_topic:
            own = topic_group_of[cell.topic]
            assert found[cell.above].group == (own if own in kept else NO_GROUP)
    for number, group in enumerate(topic_groups):
        inside = [cell.size for cell in found if cell.above == number]
        assert inside
        assert group.size == pytest.approx(math.fsum(inside))


@pytest.mark.parametrize("seed", range(5))
def test_the_most_frequent_topic_of_a_subtree_is_in_it_and_none_is_more_frequent(seed):
    tree = random_tree(150, seed)
    own = [float((11 * topic + seed) % 17) for topic in range(150)]
    for topic, largest in tree.most_frequent(own).items():
        members = tree.members([topic])
        assert largest in members
        assert own[largest] == max(own[member] for member in members)
        # The topic of the box comes before equals, and then the first one.
        assert largest == topic or own[largest] > own[topic]
        equals = {member for member in members if own[member] == own[largest]}
        assert topic in equals or all(
            own[child_largest] < own[largest] or child_largest >= largest
            for child_largest in (tree.most_frequent(own)[child] for child in tree.below[topic])
        )


def test_topics_that_are_set_aside_are_in_a_small_last_box_of_their_own():
    run = large_run(40, 100, 3, links=3)
    size = [float(topic + 1) for topic in range(40)]
    # Two of three topics; those above others keep their place in the hierarchy.
    low = {topic for topic in run.displayed_topics if topic % 3}
    graph = run.network.graph
    above = {k for topic in range(graph.n_topics) for k in graph.parents(topic).tolist()}
    aside = low - above
    assert aside < low
    coherence = tuple(0.0 if topic in low else 0.5 for topic in range(40))
    run = replace(run, coherence=coherence)
    assert run.unclear_topics == low
    assert run.set_aside_topics == aside
    # Lists put them all last, whatever their size.
    order = table_order(run, np.array(size, np.int64)).tolist()
    assert sorted(order[-len(low) :]) == sorted(low)
    clear = [topic for topic in run.displayed_topics if topic not in low]
    # A topic is listed beside the one above it; of equal names, the largest.
    largest = largest_topics(run, size, len(run.displayed_topics))
    names = [run.topic_labels[topic] for topic in largest]
    assert sorted(set(names)) == sorted(names)
    assert set(names) == {run.topic_labels[topic] for topic in run.displayed_topics}
    n_clear = sum(topic in clear for topic in largest)
    assert set(largest[:n_clear]) <= set(clear)
    assert largest[:n_clear] == sorted(largest[:n_clear], key=lambda topic: -size[topic])
    assert set(largest[n_clear:]) <= low
    tree = topic_tree(run, 0.02, size)
    assert set(tree.aside) == aside
    assert not any(tree.below[topic] for topic in aside)
    assert aside.isdisjoint(tree.members(tree.roots))
    cells = map_topics(tree)
    holder = next(number for number, cell in enumerate(cells) if cell.group == ASIDE)
    assert {cell.topic for cell in cells if cell.above == holder} == aside
    others = [cell.size for cell in cells if cell.above < 0 and cell.group != ASIDE]
    assert cells[holder].size == pytest.approx(ASIDE_SHARE * math.fsum(others))
    # Further topics, and the topics of one subtree, are shown without them.
    assert ASIDE in {cell.group for cell in map_topics(tree, skip=2)}
    inside = map_topics(tree, tree.roots[0])
    assert ASIDE not in {cell.group for cell in inside}
