"""Stable positions: new boxes neither move nor cover existing ones."""

from __future__ import annotations

import pytest

from orrery.core.drawing.layout import Box, place_boxes
from orrery.core.drawing.placement import with_more
from tests.core.drawing.test_layout import overlapping, random_boxes


@pytest.mark.parametrize("n_boxes", [7, 23, 60])
@pytest.mark.parametrize("seed", range(4))
def test_new_boxes_find_room_and_the_others_stay(n_boxes, seed):
    boxes, links = random_boxes(n_boxes, seed)
    standing, more = boxes[: n_boxes // 2], boxes[n_boxes // 2 :]
    before = place_boxes(standing, links, keep_order=frozenset({0}))
    after = with_more(before, standing, more)
    assert {key: after.centre[key] for key in before.centre} == before.centre
    assert set(after.centre) == {box.key for box in (*standing, *more)}
    assert overlapping([*standing, *more], after.centre) == []
    for box in (*standing, *more):
        assert abs(after.centre[box.key][0]) + box.width / 2 <= after.width / 2 + 1e-6


def test_a_layer_that_is_not_there_yet_comes_between_those_that_are():
    boxes = [Box(f"n{layer}", layer, 60.0, 30.0) for layer in range(4)]
    standing = [boxes[0], boxes[2]]
    placed = with_more(place_boxes(standing, []), standing, [boxes[1], boxes[3]])
    ys = [placed.centre[box.key][1] for box in boxes]
    assert ys == sorted(ys, reverse=True)
    assert overlapping(boxes, placed.centre) == []
    assert with_more(place_boxes([], []), [], boxes[:1]).centre["n0"]


def test_a_new_box_makes_the_picture_wider_only_where_every_row_is_full():
    standing = [Box(f"low{n}", 1, 120.0, 40.0, pull=1.0) for n in range(5)]
    standing += [Box(f"high{n}", 1, 120.0, 40.0) for n in range(3)]
    before = place_boxes(standing, [])
    rows = {y for _, y in before.centre.values()}
    assert len(rows) == 2
    after = with_more(before, standing, [Box("new", 1, 120.0, 40.0)])
    assert after.width == before.width
    assert after.centre["new"][1] in rows
