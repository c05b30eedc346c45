"""The map of topics: boxes that fill their room, never overlap, and are as large as they say."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.app.topics.topic_map import (
    FAMILY_GAP,
    LOWEST,
    NARROWEST,
    STRIP,
    WIDTH,
    Spot,
    map_topics,
    squarify,
)
from orrery.app.topics.tree import Tree, topic_tree
from tests.app.toy import large_run

ROOM = Spot(10.0, 20.0, 300.0, 200.0)
SIZES = st.lists(st.floats(0.01, 100.0), min_size=1, max_size=40)


def flat(sizes):
    order = tuple(sorted(range(len(sizes)), key=lambda topic: -sizes[topic]))
    return Tree(order, {topic: () for topic in order}, tuple(sizes))


def random_tree(n_topics, seed=0):
    run = large_run(n_topics, 2 * n_topics + 20, seed, links=3)
    return topic_tree(run, 0.02, [float((7 * topic) % 13) for topic in range(n_topics)])


def overlap(first, second):
    wide = min(first.x + first.width, second.x + second.width) - max(first.x, second.x)
    tall = min(first.y + first.height, second.y + second.height) - max(first.y, second.y)
    return min(wide, tall)


@given(SIZES, st.floats(0.5, 3.0))
def test_areas_are_in_the_proportion_of_the_sizes_and_fill_the_room(sizes, aspect):
    spots = squarify(sorted(sizes, reverse=True), ROOM, aspect)
    for size, spot in zip(sorted(sizes, reverse=True), spots, strict=True):
        assert spot.area == pytest.approx(size / math.fsum(sizes) * ROOM.area, rel=1e-6)
        assert spot.x >= ROOM.x - 1e-6
        assert spot.x + spot.width <= ROOM.x + ROOM.width + 1e-6
        assert spot.y >= ROOM.y - 1e-6
        assert spot.y + spot.height <= ROOM.y + ROOM.height + 1e-6


def test_equal_boxes_have_about_the_wanted_shape():
    shapes = [spot.width / spot.height for spot in squarify([1.0] * 30, ROOM, 2.0)]
    assert all(1.3 < shape < 3.0 for shape in shapes)


@pytest.mark.parametrize("n_topics", [3, 20, 150, 1500])
def test_no_box_lies_over_another_and_all_can_be_clicked(n_topics):
    drawn = map_topics(random_tree(n_topics))
    spots = [cell.spot for cell in drawn.cells]
    assert len(spots) > 2
    for number, spot in enumerate(spots):
        assert spot.width >= NARROWEST
        assert spot.height >= LOWEST
        assert spot.x + spot.width <= WIDTH + 0.01
        assert spot.y + spot.height <= drawn.height + 0.01
        assert all(overlap(spot, other) < 0.01 for other in spots[:number])


@pytest.mark.parametrize("n_topics", [3, 20, 150, 1500])
def test_every_topic_is_drawn_or_counted(n_topics):
    drawn = map_topics(random_tree(n_topics))
    topics = [cell.topic for cell in drawn.cells if not cell.is_rest]
    assert len(topics) == len(set(topics))
    assert len(topics) + sum(cell.folded for cell in drawn.cells) == n_topics


@given(st.lists(st.integers(0, 500), min_size=1, max_size=400))
@settings(max_examples=30, deadline=None)
def test_a_flat_model_shows_the_largest_in_proportion(sizes):
    drawn = map_topics(flat([float(size) for size in sizes]))
    boxes = [cell for cell in drawn.cells if not cell.is_rest]
    shown = sorted((sizes[cell.topic] for cell in boxes), reverse=True)
    assert shown == sorted(sizes, reverse=True)[: len(shown)]
    assert len(shown) + sum(cell.folded for cell in drawn.cells) == len(sizes)
    for cell in boxes:
        for other in boxes:
            if sizes[cell.topic] > 2 * sizes[other.topic] > 0:
                assert cell.spot.area > other.spot.area


def test_what_was_left_out_comes_next():
    tree = flat([float(size) for size in range(1000, 0, -1)])
    first = [cell.topic for cell in map_topics(tree).cells if not cell.is_rest]
    second = [cell.topic for cell in map_topics(tree, skip=len(first)).cells if not cell.is_rest]
    assert second[0] == len(first)
    assert not set(first) & set(second)


def test_a_family_has_its_topic_on_top():
    tree = Tree((0,), {0: (1, 2), 1: (), 2: ()}, (10.0, 40.0, 40.0))
    strip, *below = map_topics(tree).cells
    assert strip.topic == 0
    assert strip.is_strip
    assert strip.spot.height >= STRIP
    assert {cell.topic for cell in below} == {1, 2}
    assert all(cell.spot.y >= strip.spot.y + strip.spot.height for cell in below)


def test_the_family_of_one_topic_can_be_shown_alone():
    tree = random_tree(200)
    root = next(topic for topic in tree.roots if len(tree.below[topic]) > 3)
    drawn = map_topics(tree, root)
    shown = {cell.topic for cell in drawn.cells if not cell.is_rest}
    assert drawn.cells[0].topic == root
    assert shown <= set(tree.members([root]))
    assert max(c.spot.x + c.spot.width for c in drawn.cells) == pytest.approx(WIDTH, abs=FAMILY_GAP)
