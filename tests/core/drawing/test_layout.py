"""The layout: no overlaps, parents above children, and a given order is kept."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from orrery.core.drawing.layout import (
    GAP_X,
    LAYER_GAP,
    ROOM,
    Box,
    count_crossings,
    nearest_without_overlap,
    place_boxes,
    reduce_crossings,
)


def random_boxes(n_boxes, seed):
    random = np.random.default_rng(seed)
    layers = random.choice(4, n_boxes, p=[0.2, 0.5, 0.2, 0.1])
    boxes = [
        Box(
            f"n{number}", int(layer), *((126.0, 60.0) if layer else (random.uniform(64, 156), 32.0))
        )
        for number, layer in enumerate(layers)
    ]
    links = [
        (parent.key, child.key)
        for parent, child in itertools.product(boxes, boxes)
        if parent.layer > child.layer and random.random() < 3 / n_boxes
    ]
    return boxes, links


def overlapping(boxes, centre):
    """Pairs of boxes that share a point, by the plain comparison of their sides."""
    return [
        (a.key, b.key)
        for a, b in itertools.combinations(boxes, 2)
        if abs(centre[a.key][0] - centre[b.key][0]) < (a.width + b.width) / 2
        and abs(centre[a.key][1] - centre[b.key][1]) < (a.height + b.height) / 2
    ]


@pytest.mark.parametrize("n_boxes", [1, 2, 7, 23, 60, 300])
@pytest.mark.parametrize("seed", range(4))
def test_no_two_boxes_overlap(n_boxes, seed):
    boxes, links = random_boxes(n_boxes, seed)
    placed = place_boxes(boxes, links, keep_order=frozenset({0}))
    assert overlapping(boxes, placed.centre) == []


@pytest.mark.parametrize("n_boxes", [23, 60, 300])
def test_parents_stand_above_their_children(n_boxes):
    boxes, links = random_boxes(n_boxes, 1)
    centre = place_boxes(boxes, links).centre
    assert all(centre[parent][1] < centre[child][1] for parent, child in links)


@pytest.mark.parametrize("seed", range(4))
def test_sixty_boxes_keep_readable_letters_at_1280(seed):
    boxes, links = random_boxes(60, seed)
    placed = place_boxes(boxes, links, keep_order=frozenset({0}))
    # The picture's column is at least 640 px wide there, and letters are 13 px at full size.
    assert 13 * min(1.0, 640 / placed.width) >= 10


def test_the_size_is_that_of_the_boxes_around_the_origin():
    boxes, links = random_boxes(40, 2)
    placed = place_boxes(boxes, links)
    lefts = [placed.centre[box.key][0] - box.width / 2 for box in boxes]
    rights = [placed.centre[box.key][0] + box.width / 2 for box in boxes]
    assert min(lefts) == pytest.approx(-placed.width / 2)
    assert max(rights) == pytest.approx(placed.width / 2)


def test_a_kept_layer_that_fits_on_a_line_reads_from_left_to_right():
    boxes = [Box(f"w{number}", 0, 60.0 + 5 * number, 32.0) for number in range(7)]
    centre = place_boxes(boxes, [], keep_order=frozenset({0})).centre
    assert len({y for _, y in centre.values()}) == 1
    assert sorted(centre, key=lambda key: centre[key][0]) == [box.key for box in boxes]
    gaps = [b[0] - a[0] for a, b in itertools.pairwise(centre.values())]
    halves = [(a.width + b.width) / 2 for a, b in itertools.pairwise(boxes)]
    assert gaps == pytest.approx([half + GAP_X for half in halves])


def test_words_that_fill_more_than_a_line_stand_with_their_topics():
    words = [Box(f"w{number}", 0, 120.0, 32.0) for number in range(12)]
    topics = [Box("t0", 1, 126.0, 60.0), Box("t1", 1, 126.0, 60.0)]
    links = [(f"t{number % 2}", f"w{number}") for number in range(12)]
    centre = place_boxes(words + topics, links, keep_order=frozenset({0})).centre
    mean = [np.mean([centre[f"w{number}"][0] for number in range(side, 12, 2)]) for side in (0, 1)]
    assert abs(mean[0] - mean[1]) > 120.0
    assert (mean[0] < mean[1]) == (centre["t0"][0] < centre["t1"][0])


def test_neighbouring_words_on_several_lines_read_downwards():
    words = [Box(f"w{number}", 0, 120.0, 32.0, pull=12 - number) for number in range(12)]
    links = [("t", word.key) for word in words]
    centre = place_boxes([*words, Box("t", 1, 126.0, 60.0)], links, frozenset({0})).centre
    heights = [centre[word.key][1] for word in words]
    assert len(set(heights)) == 3
    assert all(heights[n : n + 3] == sorted(heights[n : n + 3]) for n in range(0, 12, 3))


def test_the_room_can_be_given():
    boxes = [Box(f"t{number}", 1, 126.0, 60.0) for number in range(4)]
    assert place_boxes(boxes, [], room=270.0).width <= 270.0 + GAP_X


def test_a_few_words_stand_on_one_line_whatever_is_above():
    words = [Box(f"w{number}", 0, 100.0, 32.0) for number in range(4)]
    topics = [Box(f"t{number}", 1, 126.0, 60.0) for number in range(4)]
    links = [(f"t{number}", f"w{3 - number}") for number in range(4)]
    centre = place_boxes(words + topics, links, keep_order=frozenset({0})).centre
    assert [centre[box.key][0] for box in words] == sorted(centre[box.key][0] for box in words)
    assert len({centre[box.key][1] for box in words}) == 1
    assert centre["t0"][0] > centre["t3"][0], "topics are turned round over their words"


@pytest.mark.parametrize(("n_boxes", "rows"), [(9, [5, 4]), (8, [5, 3]), (7, [4, 3]), (6, [4, 2])])
def test_a_long_layer_stands_in_bricks(n_boxes, rows):
    boxes = [Box(f"t{number}", 1, 126.0, 60.0) for number in range(n_boxes)]
    centre = place_boxes(boxes, []).centre
    found = {}
    for x, y in centre.values():
        found.setdefault(y, []).append(x)
    lowest, above = (found[y] for y in sorted(found, reverse=True))
    assert [len(lowest), len(above)] == rows
    half = (126.0 + GAP_X) / 2
    assert all(min(abs(x - other) for other in lowest) == pytest.approx(half) for x in above)


def test_the_strongest_pull_comes_lowest():
    boxes = [Box(f"t{number}", 1, 126.0, 60.0, pull=number % 2) for number in range(9)]
    centre = place_boxes(boxes, []).centre
    low = max(y for _, y in centre.values())
    weak = sum(centre[box.key][1] == low for box in boxes if box.pull == 0)
    strong = sum(centre[box.key][1] == low for box in boxes if box.pull == 1)
    assert strong == 4
    assert weak == 1


def test_layers_are_a_gap_apart_whatever_their_height():
    boxes = [Box("w", 0, 100.0, 32.0), Box("t", 1, 126.0, 60.0), Box("u", 3, 126.0, 90.0)]
    centre = place_boxes(boxes, []).centre
    assert centre["w"][1] - 16 - (centre["t"][1] + 30) == pytest.approx(LAYER_GAP)
    assert centre["t"][1] - 30 - (centre["u"][1] + 45) == pytest.approx(LAYER_GAP)


def test_no_single_row_is_wider_than_the_room():
    words = [Box(f"w{number}", 0, 120.0, 32.0) for number in range(5)]
    topics = [Box(f"t{number}", 1, 126.0, 60.0) for number in range(5)]
    links = [(topic.key, "w4") for topic in topics]
    assert place_boxes(words + topics, links, keep_order=frozenset({0})).width <= ROOM


def test_nothing_to_place():
    assert place_boxes([], []).centre == {}


@pytest.mark.parametrize("seed", range(6))
def test_sweeps_never_add_crossings_and_find_the_planted_order(seed):
    random = np.random.default_rng(seed)
    keys = [f"a{number}" for number in range(8)], [f"b{number}" for number in range(8)]
    links = [(upper, lower) for upper, lower in zip(*keys, strict=True)]
    order = {0: list(keys[1]), 1: list(random.permutation(keys[0]))}
    found = reduce_crossings(order, links, frozenset({0}))
    assert count_crossings(found, links) == 0 <= count_crossings(order, links)
    assert found[0] == order[0]


@pytest.mark.parametrize("seed", range(60))
def test_sweeps_never_make_a_random_order_worse_nor_touch_what_is_kept(seed):
    random = np.random.default_rng(seed)
    order = {layer: [f"{layer}-{number}" for number in range(9)] for layer in range(3)}
    pairs = [(u, v) for upper in (1, 2) for u in order[upper] for v in order[upper - 1]]
    links = [pair for pair in pairs if random.random() < 0.35]
    found = reduce_crossings(order, links, frozenset({0}))
    again = reduce_crossings(found, links, frozenset({0}))
    assert count_crossings(again, links) <= count_crossings(found, links)
    assert count_crossings(found, links) <= count_crossings(order, links)
    assert found[0] == order[0]
    assert all(sorted(found[layer]) == sorted(order[layer]) for layer in order)


@pytest.mark.parametrize("seed", range(4))
def test_crossings_equal_a_count_pair_by_pair(seed):
    random = np.random.default_rng(seed)
    order = {0: list("abcdef"), 1: list("ghijkl")}
    links = [(u, v) for u in order[1] for v in order[0] if random.random() < 0.4]
    plain = sum(
        (order[1].index(u) - order[1].index(s)) * (order[0].index(v) - order[0].index(t)) < 0
        for (u, v), (s, t) in itertools.combinations(links, 2)
    )
    assert count_crossings(order, links) == plain


@pytest.mark.parametrize("seed", range(8))
def test_places_are_apart_and_no_small_step_brings_them_nearer(seed):
    random = np.random.default_rng(seed)
    wanted = random.normal(0, 2, 7)
    placed = np.array(nearest_without_overlap(wanted, 1.0))
    assert (np.diff(placed) >= 1.0 - 1e-9).all()
    cost = ((placed - wanted) ** 2).sum()
    for _ in range(300):
        other = placed + random.normal(0, 0.05, 7)
        if (np.diff(other) >= 1.0).all():
            assert ((other - wanted) ** 2).sum() >= cost - 1e-9


@pytest.mark.parametrize("n_boxes", range(6, 40))
def test_bricks_keep_every_box_and_leave_no_row_thinner_than_it_must_be(n_boxes):
    boxes = [Box(f"t{number}", 1, 126.0, 60.0) for number in range(n_boxes)]
    centre = place_boxes(boxes, []).centre
    assert overlapping(boxes, centre) == []
    rows = {}
    for x, y in centre.values():
        rows.setdefault(y, []).append(x)
    counts = [len(rows[y]) for y in sorted(rows, reverse=True)]
    assert sum(counts) == n_boxes
    assert all(below - above in (-1, 0, 1) for below, above in itertools.pairwise(counts[:-1]))


@pytest.mark.parametrize("seed", range(20))
def test_places_are_those_of_scipy_to_the_last_digit(seed):
    rng = np.random.default_rng(seed)
    for size in range(1, 40):
        # Rounded, so that some values are equal.
        wanted = rng.normal(0.0, 100.0, size).round(int(rng.integers(0, 8)))
        step = 47.5 * np.arange(size)
        expected = (isotonic_regression(wanted - step).x + step).tolist()
        assert nearest_without_overlap(wanted.tolist(), 47.5) == expected
